"""Exceptions of other people's code, reduced to what may be reported."""
import contextlib
import os
import re
import sys
import traceback

from . import findings, streams

HERE = os.path.dirname(os.path.abspath(__file__))
_MOST_TEXT = 2000
_MOST_READ = 65536  # characters of a message that are searched
_MOST_LINKS = 100  # exceptions in a chain
_CODE = re.compile(r"Err[cC]ode:\s*(?:0x)?([0-9A-F]{5,6})\b")
_NAME = re.compile(r"! Enum: (\w+)")
# As the advice of the harness has them.
_NUMBERS = {"ADDRESS_OUT_OF_RANGE": "F74006", "WORKSPACE_ITER_INVALID": "F74007",
            "WORKSPACE_CAPACITY": "F7400B"}
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
_VALUES = re.compile(r"\b(tensor|array)\(\s*[-+\[\d].*", re.S)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_MEMORY = ("can't allocate memory", "not enough memory", "bad_alloc", "Cannot allocate memory",
           "out of memory")
_SHAPE = re.compile(
    r"The (shape|dtype|format|number of dimensions) of \w+ input tensor|"
    r"Expected at (least|most) \d+ (tensor )?argument|"
    r"Missing argument for non-tensor parameter|has multiple concrete values")
_LIBRARY = re.compile(r"\S+\.so[.\d]*: cannot open shared object file|undefined symbol: ")
PACKAGES = ("torch", "torch_npu", "pypto")
# Exceptions of these packages are reported by name, others by their nearest base from one of them.
_KNOWN = ("builtins",) + PACKAGES + ("numpy", "pypto_lint_worker")

# Sentences about an implementation, which claims.py recognises.
NO_FILE = "there is no file %s"
NO_PYTHON = "%s is no Python file"
NO_FUNCTION = "%s has no function %s"
CANNOT_CALL = "%s(%s) cannot be called with (%s)"


class Contract(Exception):
    """A name, a file or a form on which the harness relies is missing."""

    kind = "naming"


class Mismatch(Contract):
    """The wrapper cannot be called with the arguments of the phase: a TypeError in Python. The failure
    is the wrapper's, not the workspace's."""


class Unavailable(Exception):
    """The mode cannot run here."""

    kind = "infra"


def class_name(value):
    """The name of its class, or of the nearest base that is not the user's, who may put anything into
    a name."""
    for base in type(value).__mro__:
        if str(base.__module__).split(".")[0] in _KNOWN:
            return base.__name__
    return "object"


def type_name(error):
    """The same for an exception."""
    return "TypeError" if isinstance(error, Mismatch) else class_name(error)


def is_reference(filename):
    """Is it a file <name>_golden.py?"""
    name = os.path.basename(filename)
    return name.endswith("_golden.py") and name != "_golden.py"  # torch_npu has one


class Private:
    """The files of the reference and the inputs, whose lines and messages are not reported."""

    def __init__(self, *paths):
        self._paths = {os.path.realpath(path) for path in paths if path}

    def owns(self, filename):
        """Is it one of these files, or any reference?"""
        return is_reference(filename) or os.path.realpath(filename) in self._paths

    def touches(self, error):
        """Did the exception, or one in its chain, pass through such a file? The text of that one may
        be part of this one's, even after `from None`."""
        return any(self.owns(frame.f_code.co_filename) for link in _origins(error)
                   for frame, _ in traceback.walk_tb(link.__traceback__))

    def place(self, error):
        """"file, line N" of the innermost such frame, or None."""
        found = None
        for frame, line in traceback.walk_tb(error.__traceback__):
            if self.owns(frame.f_code.co_filename):
                found = "%s, line %d" % (os.path.basename(frame.f_code.co_filename), line)
        return found


def _pypto_error():
    """A class, or the empty tuple. Such an error has its place and its cause in its message."""
    return getattr(sys.modules.get("pypto.error"), "PyptoError", ())


def _hidden():
    """Beginnings of the names of files whose frames are not shown: ours, and the simulator's."""
    simulator = os.path.dirname(getattr(sys.modules.get("_ptosim"), "__file__", None) or "")
    return (HERE, "<frozen ") + ((simulator + os.sep,) if simulator else ())


def _origins(error):
    """The exception and all causes and contexts in its chain."""
    found, waiting = [], [error]
    while waiting and len(found) < _MOST_LINKS:
        link = waiting.pop(0)
        if link is not None and not any(link is other for other in found):
            found.append(link)
            waiting += [link.__cause__, link.__context__]
    return found


def _chain(error, stop=()):
    """The exception, then those that Python's own traceback would show before it."""
    seen = set()
    while error is not None and id(error) not in seen and len(seen) < _MOST_LINKS:
        seen.add(id(error))
        yield error
        if isinstance(error, stop):
            return
        suppressed = error.__suppress_context__
        error = error.__cause__ or (None if suppressed else error.__context__)


def _text(error):
    try:
        return str(error)[:_MOST_READ]
    except BaseException:  # the user's own class
        return ""


def clean(text):
    """The text without characters that readers of JSON may refuse."""
    return _UNPRINTABLE.sub("\ufffd", text)


def _message(error):
    """Its message without addresses and dumped tensors."""
    text = clean(_ADDRESS.sub("0x…", _VALUES.sub(r"\1(…)", _text(error))))
    return text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + " …"


def _code(text):
    """The PyPTO code in a text. Some numbers changed in 9.2; the name of the error decides."""
    match = _CODE.search(text)
    if match is None:
        return None
    name = _NAME.match(text, match.end())
    return _NUMBERS.get(name.group(1), match.group(1)) if name else match.group(1)


def missing_package(error):
    """The package of the environment that an import did not find or could not load, or None."""
    name = getattr(error, "name", None) if isinstance(error, ImportError) else None
    top = name.split(".")[0] if isinstance(name, str) else None
    if top in PACKAGES and isinstance(error, ModuleNotFoundError) and name == top:
        return top
    if isinstance(error, (ImportError, OSError)) and _LIBRARY.search(_text(error)):
        return top or "a shared library"
    return None


def _kind(error, text):
    if isinstance(error, (Contract, Unavailable)):
        return error.kind
    if _is_out_of_memory(error, text):
        return "memory"
    if missing_package(error) is not None:
        return "infra"
    return "shape" if _SHAPE.search(text) else None


def _is_out_of_memory(error, text):
    if isinstance(error, _pypto_error()):
        return error.kind == "MemoryError"
    return isinstance(error, MemoryError) or (isinstance(error, (RuntimeError, OSError)) and
                                              any(part in text for part in _MEMORY))


def describe(error, private, withheld, folder=None, implementation=None):
    """The `error` of the result. `withheld`: the exception comes from the reference or the inputs.
    Paths in `folder` become relative to it; the implementation may lie elsewhere."""
    text = _text(error)
    message, code, place = _message(error), None, (None, None)
    if isinstance(error, (Contract, Unavailable)):
        message = clean(text)
    elif withheld or private.touches(error):
        message = private.place(error) or "in the reference"
    else:
        code = _code(text)
        place = findings.place(*_raised_at(error, private, folder, implementation), folder)
        if folder:
            message = message.replace(folder.rstrip(os.sep) + os.sep, "")
    return {"type": type_name(error), "message": message, "code": code,
            "kind": _kind(error, text), "file": place[0], "line": place[1]}


def _raised_at(error, private, folder, implementation):
    """(file, line) in the kernel if it is known, else of the innermost frame in the folder or the
    implementation."""
    name, line = getattr(error, "filename", None), getattr(error, "lineno", None)
    if isinstance(error, _pypto_error() or SyntaxError) and name and line:
        return name, line
    found, root = (None, 0), os.path.realpath(folder or os.curdir) + os.sep
    own = os.path.realpath(implementation) if implementation else None
    for frame, line in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        path = os.path.realpath(name)
        if (path.startswith(root) or path == own) and not private.owns(name):
            found = (name, line)
    return found


def show(error, private, left_out=()):
    """Writes a traceback to standard error, without our frames, those of private files and those of
    the files `left_out`."""
    parts, hidden = [], _hidden() + tuple(left_out)
    for link in reversed(list(_chain(error, stop=_pypto_error()))):
        frames = [(frame, line) for frame, line in traceback.walk_tb(link.__traceback__)
                  if not frame.f_code.co_filename.startswith(hidden)
                  and not private.owns(frame.f_code.co_filename)]
        lines = traceback.StackSummary.extract(iter(frames)).format()
        if lines:
            lines.insert(0, "Traceback (most recent call last):\n")
        if private.touches(link):
            lines.append("%s: (message withheld: it passed through the reference or the inputs)\n"
                         % type_name(link))
        else:
            lines += _exception_only(link)
        parts.append("".join(lines))
    streams.flush()
    with contextlib.suppress(OSError):  # the user's code may have closed it
        os.write(2, "\nThen:\n\n".join(parts).encode("utf-8", "backslashreplace"))


def _exception_only(error):
    try:
        return traceback.format_exception_only(type(error), error)
    except BaseException:  # its __str__ is the user's
        return ["%s\n" % type_name(error)]
