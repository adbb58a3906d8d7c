"""Names that the product silently gives another value than Python does: an error where they are read.

A helper that rebinds its parameter rebinds a name of its caller, too; a name that the sides of a symbolic
`if` leave with different types has no value after it. Both are harmless until the name is read.
"""
import enum
import sys

from .. import _diagnose, _recording
from ..error import FeError, ParserError
from ..symbolic_scalar import SymbolicScalar
from ..tensor import Tensor
from ._rewrite import HELPER

_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_SILENT = ("Not concrete value. PyPTO 9.2 does not refuse this: %s on a value that is known only when the "
           "kernel runs is silently None, and an `if` on it takes the else branch; multiply the conditions, "
           "as in (i > 0) * (j > 0), combine comparisons with & and |, or nest the ifs [symbolic-bool]")


class Poison:
    """What a name means that must not be read while it has the value `old`."""

    def __init__(self, recording, old, error, line):
        self.old, self.error, self.line = old, error, line
        # It is over when one of the bodies around takes another path.
        self.paths = [(loop, loop.path) for loop in recording.loops]
        self.path = recording.path

    def holds(self, recording):
        """Is it on the path that is being walked?"""
        return self.path == recording.path and all(
            loop.path == path for loop, path in self.paths if loop in recording.loops)


def _scope(frame):
    """The frame that owns the names: before Python 3.12 a comprehension has a frame of its own."""
    while frame.f_code.co_name in _COMPREHENSIONS:
        frame = frame.f_back
    return frame


def _find(recording, frame, name, value):
    """The poison of a name, or None."""
    poison = recording.poisons.get((id(frame), name))
    return poison if poison is not None and poison.old is value and poison.holds(recording) else None


class PoisonHelper:
    """Methods of the free variable of rewritten functions."""

    defaults = ()  # of the function's parameters

    def used(self, name, value):
        """A name that is read."""
        recording = _recording.active()
        if recording is not None and recording.poisons:
            poison = _find(recording, _scope(sys._getframe(1)), name, value)
            if poison is not None:
                raise poison.error()
        return value

    def rebound(self, parameter, old, new):
        """The end of a helper: one of its parameters means something else now. The product gives that
        to the first of the caller's names that has the identical object."""
        if new is old or any(old is default for default in self.defaults):
            return
        recording = _recording.active()
        caller = _scope(sys._getframe(2))
        if recording is None or HELPER not in caller.f_code.co_freevars + caller.f_code.co_cellvars:
            return
        name = next((name for name, value in caller.f_locals.items()
                     if value is old and not name.startswith(HELPER)), None)
        if name is None:
            return
        helper = sys._getframe(1).f_code.co_name
        text = ("helper '%s' rebinds its parameter '%s': PyPTO 9.2 silently rebinds '%s' of the caller as "
                "well, 9.1 does not; use another name in the helper [helper-rebind]"
                % (helper, parameter, name))
        recording.poisons[id(caller), name] = Poison(
            recording, old, lambda: FeError(RuntimeError(text)), caller.f_lineno)

    def ends_iteration(self, around, names):
        """The end of a loop's body: the next iteration starts with reading these names."""
        recording = _recording.active()
        if not recording.poisons:
            return
        frame = sys._getframe(1)
        for name in names:
            poison = _find(recording, frame, name, frame.f_locals.get(name, self))
            if poison is not None and (around is None or len(poison.paths) > around.depth):
                raise poison.error()

    def ends_kernel(self, names):
        """The end of the kernel: what the names of parameters mean then is their result."""
        recording = _recording.active()
        frame = sys._getframe(1)
        for name in names:
            poison = _find(recording, frame, name, frame.f_locals.get(name, self))
            if poison is not None and not isinstance(poison.error(), ParserError):
                _diagnose.once_a_file(1, "helper-rebind", name, (
                    "a helper rebinds what is the kernel's parameter '%s' here: PyPTO 9.2 writes the new "
                    "value to the parameter's memory when the kernel ends, the simulator does not" % name),
                    frame.f_code.co_filename, poison.line)

    def forget(self, frame, name):
        """A name that is bound again."""
        recording = _recording.active()
        if recording is not None and recording.poisons:
            recording.poisons.pop((id(frame), name), None)

    def merge(self, place, names, line):
        """After an `if`: a name to which the sides gave different types has no value."""
        recording = _recording.current("a condition")
        if not recording.was_symbolic:
            return
        frame = sys._getframe(1)
        around = recording.body() or recording
        key = place, _calls(frame)
        count = around.merged[key] = around.merged.get(key, 0) + 1
        for name in names:
            if name not in frame.f_locals:
                continue
            value = frame.f_locals[name]
            form, first = form_of(value), around.forms.setdefault((key, count, name), (value, None))
            _, others = first
            if others is None:
                around.forms[key, count, name] = value, form
            elif differ(form, others):
                recording.poisons[id(frame), name] = Poison(
                    recording, value, conflict(name, frame.f_code.co_filename, line), line)
            elif form[0] == "object" and not _same(value, first[0]):
                _diagnose.once_a_file(1, "object-rebound", name, (
                    "the condition leaves '%s' with another object on each side, and is known only when "
                    "the kernel runs: PyPTO 9.2 goes on with that of the last side for both" % name),
                    frame.f_code.co_filename, line)

    def known(self, what, value):
        """A value that decides what an expression is."""
        if isinstance(value, SymbolicScalar) and value._value() is None:
            raise FeError(ValueError(_SILENT % what))
        return value


def conflict(name, file, line):
    """The error of a name that is read although it has no value: a function that makes it."""
    return lambda: ParserError(RuntimeError(
        "Conflicted var %s: %s:%d: the sides of the condition leave it with different types"
        % (name, file, line)))


def _calls(frame):
    """The calls through which a frame was reached."""
    calls = []
    while frame is not None and HELPER in frame.f_code.co_freevars:
        calls.append((id(frame.f_code), frame.f_lasti))
        frame = frame.f_back
    return tuple(calls)


def form_of(value):
    """The properties of a value that must agree on both sides."""
    if isinstance(value, Tensor):
        shape = value.shape
        return "tensor", value.dtype, value.format, len(shape), tuple(
            size if isinstance(size, int) else None for size in shape)
    if isinstance(value, (int, SymbolicScalar)):
        return ("integer",)
    if isinstance(value, float):
        return ("float",)
    return ("none",) if value is None else ("object",)


def _same(one, other):
    """Are two objects alike, as far as can be said without asking them? Tensors compare with operations."""
    if one is other:
        return True
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, (Tensor, SymbolicScalar)):
        return isinstance(other, (Tensor, SymbolicScalar, int)) and not differ(form_of(one), form_of(other))
    return type(one) is type(other) and isinstance(one, (str, bytes, int, float, enum.Enum)) and one == other


def differ(one, other):
    """Are the two forms so different that one name cannot have values of both?"""
    if one[:4] != other[:4]:
        return True
    return one[0] == "tensor" and any(a != b for a, b in zip(one[4], other[4])
                                      if a is not None and b is not None)


__all__ = ["Poison", "PoisonHelper", "conflict", "differ", "form_of"]
