"""What rewritten kernels call under the front end of 9.2: loop variables, helpers, results."""
import os
import sys
import sysconfig
import types
import weakref

from .. import _control, _diagnose, _recording, _state, _version
from .._enums import DataType
from .._indexing import move, put, read_element
from ..error import ParserError
from ..symbolic_scalar import SymbolicScalar, plain
from ..tensor import Tensor
from . import _source

_MOST_TESTS = 200000  # of all `while` of a kernel
_CARRIED_KINDS = (Tensor, SymbolicScalar, int, float, str, type(None))
_UNKNOWN_START = (
    "'%s' is %r before the loop and is carried over its iterations: the body is recorded once, with a value "
    "that is not known, so that no `if` in it can ask for the one before the loop, and the simulator carries "
    "tensors and integers only; start with one of them, such as pypto.full(…)")
_NATIVE = tuple(os.path.realpath(path) + os.sep for path in {
    os.path.dirname(_state.PACKAGE), sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"),
    sysconfig.get_path("platlib")} if path)


class Carried:
    """The names of a function before a recorded loop. The loop variables among them have a slot: a
    tensor outside the loop, into which each path of the body moves what the name means at its end."""

    def __init__(self, loop, values, unbound, needed, read):
        self.depth = len(_recording.current("a loop").loops)
        self.values = values
        self.unbound = unbound
        self.read = read
        self.is_open = False
        self.once = _runs_once(loop)
        self.slots = {}
        for name in needed:
            if name in values:
                slot = _slot(name, values[name])
                if slot is not None:
                    self.slots[name] = slot

    def at_start(self, name):
        """What a name means at the start of a path, or behind the loop."""
        slot, value = self.slots.get(name), self.values[name]
        if slot is None or self.once and self.is_open:
            return value
        return slot if isinstance(value, Tensor) else read_element(slot, [0])


def _runs_once(loop):
    bounds = [plain(bound) for bound in loop._bounds]
    return all(isinstance(bound, int) for bound in bounds) and len(range(*bounds)) == 1


def _slot(name, value):
    if isinstance(value, Tensor):
        if value._recording is None:
            return None
        slot = Tensor(name=name, format=value.format)
        move(slot, value)
        return slot
    if not isinstance(value, (int, SymbolicScalar)):
        return None
    slot = Tensor([1], DataType.DT_INT32, name)
    put(slot, 0, int(value) if isinstance(value, bool) else value)
    return slot


class NewHelper:
    """Methods of the free variable of rewritten functions, for the front end of 9.2."""

    def fail_at_jump(self):
        """A jump under a condition that is known only when the kernel runs."""
        raise ParserError(SyntaxError(
            "break, continue and return are not possible under a condition that is known only when "
            "the kernel runs"))

    def leave_by_jump(self):
        """The end of a side of an `if` that a jump leaves."""
        if _recording.current("a condition").branches[-1] is not None:
            self.fail_at_jump()
        self.leave()

    def newer(self, what):
        """A statement of a kernel that 9.1 refuses."""
        _version.note_newer("%s in a kernel is possible" % what)

    def truth(self, value):
        """The test of a `while`."""
        recording = _recording.current("a while")
        recording.while_tests += 1
        if recording.while_tests > _MOST_TESTS:
            raise ParserError(RuntimeError("a while of kernel '%s' does not end while the kernel is "
                                           "recorded" % recording.name))
        return bool(value)  # an error of its own for tensors and for scalars that are not known

    def any_items(self, iterable):
        """The iterable of a `for`."""
        if isinstance(iterable, (_control.Loop, range)):
            return iterable
        if isinstance(iterable, Tensor):
            raise ParserError(TypeError("a tensor is not iterable"))
        if isinstance(iterable, SymbolicScalar):
            raise ParserError(TypeError("a symbolic scalar is not iterable"))
        if not isinstance(iterable, (list, tuple)):
            _version.note_newer("a for over %s is possible" % type(iterable).__name__)
            return iterable
        return [plain(item) for item in iterable]

    def open_loop(self, loop, bound, needed, read):
        """The loop variables of a recorded loop; None for a loop that Python runs."""
        if not isinstance(loop, _control.Loop):
            return None
        known = sys._getframe(1).f_locals
        values = {name: known[name] for name in bound
                  if isinstance(known.get(name, self), _CARRIED_KINDS)}
        unbound = {name for name in bound if name not in known}
        return Carried(loop, values, unbound, needed, read)

    def starts(self, before, name):
        """Does a name get back, here, what it means at the start of an iteration?"""
        if before is None or name not in before.values:
            return False
        loops = _recording.current("a loop").loops
        before.is_open = True
        return len(loops) == before.depth + 1 and loops[-1].starts_path

    def forgets(self, before, name):
        """Is a name unbound here, at the start of a path, although an earlier path has bound it?"""
        if before is None or name not in before.unbound:
            return False
        loops = _recording.current("a loop").loops
        return len(loops) == before.depth + 1 and loops[-1].starts_path

    def carries(self, before, name):
        """Is it a loop variable of a recorded loop?"""
        if before is None or name not in before.values:
            return False
        if len(_recording.current("a loop").loops) == before.depth:
            before.is_open = False  # behind the loop
            return name in before.slots
        return True

    def carried(self, before, name):
        """Its value."""
        return before.at_start(name)

    def shares(self, before, name):
        """Does a name mean, at the end of an iteration, what another loop variable meant at its start?"""
        if before is None or len(_recording.current("a loop").loops) == before.depth:
            return False
        value = sys._getframe(1).f_locals.get(name)
        return any(value is slot for other, slot in before.slots.items() if other != name)

    def apart(self, value):
        """A copy, as the slot is about to hold what the other loop variable means now."""
        copy = Tensor(name=value.name, format=value.format)
        move(copy, value)
        return copy

    def carry(self, before, name, value):
        """The end of an iteration: what the next one sees."""
        slot, old = before.slots.get(name), before.values[name]
        if slot is None:
            if value is not old and isinstance(old, (float, type(None))) and name in before.read and \
                    not before.once:
                raise ParserError(NotImplementedError(_UNKNOWN_START % (name, old)))
            return
        if isinstance(old, Tensor) is not isinstance(value, Tensor):
            raise ParserError(RuntimeError("Conflicted var %s: it is %s before the loop and %s in it" % (
                name, type(old).__name__, type(value).__name__)))
        if value is slot or before.once and value is old:  # elsewhere the body has put it back
            return
        if name in before.read and not _version.is_given:
            _diagnose.once_a_file(1, "carried-state", name, (
                "'%s' is carried over iterations only with the front end of PyPTO 9.2%s"
                % (name, "; write %s[:] = … to be independent of it" % name
                   if isinstance(value, Tensor) else "")), *_state.site())
        if isinstance(value, Tensor):
            move(slot, value)
        elif isinstance(value, (int, SymbolicScalar)):
            put(slot, 0, int(value) if isinstance(value, bool) else value)
        else:
            raise ParserError(RuntimeError("Conflicted var %s: it is %s before the loop and %s in it" % (
                name, type(old).__name__, type(value).__name__)))

    def result(self, parameter, value):
        """The end of the kernel: what a parameter's name means then is its result."""
        if value is parameter:
            return
        if not isinstance(value, Tensor):
            raise ParserError(TypeError("the parameter '%s' ends as %s, not as a tensor"
                                        % (parameter.name, type(value).__name__)))
        _version.note_newer("the name of a tensor parameter ('%s') can be rebound" % parameter.name)
        move(parameter, value)

    def callee(self, function):
        """What to call: a helper as part of the kernel, everything else as it is."""
        if isinstance(function, types.MethodType):
            made = _treated(function.__func__)
            return function if made is function.__func__ else \
                types.MethodType(made, function.__self__)
        return _treated(function) if isinstance(function, types.FunctionType) else function


_helpers = weakref.WeakKeyDictionary()  # function → what stands for it in kernels


def _treated(function):
    if function not in _helpers:
        _helpers[function] = _treat(function)
    made = _helpers[function]
    return function if made is None else made


def _treat(function):
    """None for a function that runs as it is."""
    from . import _body, _rewrite
    code = function.__code__
    path = os.path.realpath(code.co_filename)
    if code.co_filename.startswith("<") or path.startswith(_NATIVE) or \
            _rewrite.HELPER in code.co_freevars or code.co_flags & (0x04 | 0x08 | 0x20 | 0x80 | 0x200):
        return None  # star arguments, generators and coroutines, too
    try:
        return _body.rewrite_helper(function, _source.function_node(function))
    except OSError:
        return None
