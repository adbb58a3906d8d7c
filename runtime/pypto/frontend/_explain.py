"""Adds to an error where in the kernel's source it happened, and what the tensors there are."""
import linecache
import re
import sys

from .. import _recording, _state
from ..error import ParserError, RenderedParserError, wrap
from ..symbolic_scalar import SymbolicScalar
from ..tensor import Tensor
from ._rewrite import HELPER

_NAME = re.compile(r"[A-Za-z_]\w*")
_MOST_FACTS = 8
_UNBOUND = ("; PyPTO 9.2 silently takes None for a name that is bound nowhere, and memory that nothing has "
            "written for one that another side of a condition binds")


def _user_frames(trace):
    frames = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_state.PACKAGE):
            frames.append((trace.tb_frame, trace.tb_lineno, trace.tb_lasti))
        trace = trace.tb_next
    return frames


def _columns(code, instruction, lineno):
    """First and last column (in characters) of what was evaluated, where Python knows them."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return None
    for i, (line, end_line, column, end_column) in enumerate(positions()):
        if i * 2 == instruction:
            if line != lineno or column is None or end_column is None:
                return None
            return column, end_column if end_line == line else None
    return None


def excerpt(filename, lineno, columns, name):
    """The lines that show a place in a source."""
    lines = ['  File "%s", line %s%s' % (filename, lineno, ", in " + name if name else "")]
    source = linecache.getline(filename, lineno).rstrip("\n")
    text = source.strip()
    if text:
        indent = len(source) - len(source.lstrip())
        start, end = indent, len(source)
        if columns is not None:
            raw = source.encode()  # columns count bytes
            start = max(indent, len(raw[:columns[0]].decode("utf-8", "replace")))
            if columns[1] is not None:
                end = len(raw[:columns[1]].decode("utf-8", "replace"))
        lines.append("    " + text)
        lines.append("    " + " " * (start - indent) + "^" * max(1, end - start))
    return lines


def _describe(name, tensor):
    try:
        shape, valid = tensor.shape, tensor.valid_shape
        text = "%s: %s %s" % (name, tensor.dtype, _list(shape))
        if _list(shape) != _list(valid):
            text += " valid " + _list(valid)
        return "%s, slot %s" % (text, tensor.id)
    except Exception:  # the facts are an extra
        return None


def _list(values):
    """For people: the core's form, which is shorter than the product's."""
    return "[%s]" % ", ".join(
        _state.context().text(value._handle)
        if isinstance(value, SymbolicScalar) and value._named is None and value._handle is not None
        else str(value) for value in values)


def _facts(frame, filename, lineno):
    source = linecache.getline(filename, lineno)
    facts, seen = [], set()
    for name in _NAME.findall(source):
        value = frame.f_locals.get(name)
        if name not in seen and isinstance(value, Tensor):
            fact = _describe(name, value)
            facts += ["  " + fact] if fact else []
        seen.add(name)
    return facts[:_MOST_FACTS]


def _is_silent(frame):
    """Is it a body that the product reads, under the front end of 9.2?"""
    recording = _recording.active()
    return recording is not None and recording.is_new and HELPER in frame.f_code.co_freevars


def explain(error, name, kind):
    """The PyptoError to raise for what a kernel's recording ended with. To be called while the
    recording can still be asked."""
    made = wrap(error, kind)
    if made.prefix:
        return made
    made.prefix = "Failed to compile function '%s'.\n" % name
    frames = _user_frames(error.__traceback__ or sys.exc_info()[2])
    lines = []
    if frames:
        frame, lineno, instruction = frames[-1]
        if isinstance(error, NameError) and _is_silent(frame):
            made.message += _UNBOUND
        filename = frame.f_code.co_filename
        lines = excerpt(filename, lineno, _columns(frame.f_code, instruction, lineno),
                        frame.f_code.co_name)
        lines += _facts(frame, filename, lineno)
        made.filename, made.lineno = filename, lineno
    elif made.lineno is not None and made.filename:
        lines = excerpt(made.filename, made.lineno, getattr(made, "columns", None), None)
    made.details = "\n".join(lines)
    if lines and type(made) is ParserError:
        made.__class__ = RenderedParserError
    return made
