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
from ._merge import UNBOUND, Slots, WalkAgain, alike, handle
from ._poison import differ, form_of

_MOST_TESTS = 200000  # of all `while` of a kernel
_CARRIED_KINDS = (Tensor, SymbolicScalar, int, float, str, type(None))
_MOST_WALKED = 256  # iterations of a loop that carries a float
_SILENT_NONE = (
    "'%s' is None before the loop, and the loop's body reads it and binds it: PyPTO 9.2 records the body once, "
    "with None, so that every iteration silently takes the side of the first one; start with a tensor, such as "
    "pypto.full(…), or ask pypto.is_loop_begin(i)")
_UNKNOWN_FLOAT = (
    "'%s' is %r before the loop and another number in each iteration, and how many iterations there are is %s: "
    "the simulator does not compute with floats that are known only when the kernel runs; keep it in a tensor, "
    "such as pypto.full([1, 1], %r, pypto.DT_FP32)")
_LAST_NUMBER = (
    "'%s' ends the loop as %s, which depends on what is known only when the kernel runs: memory holds no number "
    "of Python's, and PyPTO 9.2 silently goes on with that of the walk; keep it in a tensor")
_NATIVE = tuple(os.path.realpath(path) + os.sep for path in {
    os.path.dirname(_state.PACKAGE), sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"),
    sysconfig.get_path("platlib")} if path)


class Carried:
    """The names of a function before a recorded loop. The loop variables among them have a slot: a
    tensor outside the loop, into which each path of the body moves what the name means at its end."""

    def __init__(self, loop, values, unbound, needed, read, place):
        self.depth = len(_recording.current("a loop").loops)
        self.values = values
        self.unbound = unbound
        self.read = read
        self.is_open = False
        steps = loop.known_range()
        self.once = steps is not None and len(steps) == 1
        self.surely = steps is not None and len(steps) > 0
        self.left = {}   # name without a slot → what paths leave it with
        self.late = {}   # name → slots for what the last iteration leaves it with
        self.place = place
        self.slots = {}
        for name in needed:
            if name in values:
                slot = _slot(name, values[name])
                if slot is not None:
                    self.slots[name] = slot

    def at_start(self, name):
        """The value of a name at the start of a path, or after the loop."""
        slot, value = self.slots.get(name), self.values[name]
        if slot is None or self.once and self.is_open:
            return value
        return slot if isinstance(value, Tensor) else read_element(slot, [0])


def _walks(loop, name, value):
    """A float lives in Python alone: a loop that carries one is walked iteration by iteration."""
    steps = loop.known_range()
    if steps is None or len(steps) > _MOST_WALKED:
        raise ParserError(NotImplementedError(_UNKNOWN_FLOAT % (
            name, value, "known only when the kernel runs" if steps is None else
            "more than %d" % _MOST_WALKED, value)))
    loop.is_walked = len(steps) > 1
    if loop.is_walked:
        _tell_carried(name, value)
    return loop.is_walked


def _tell_carried(name, value):
    if not _version.is_given:
        _diagnose.once_a_file(1, "carried-state", name, (
            "'%s' is carried over iterations only with the front end of PyPTO 9.2%s"
            % (name, "; write %s[:] = … to be independent of it" % name
               if isinstance(value, Tensor) else "")), *_state.site())


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

    def open_loop(self, loop, place, bound, needed, read, late):
        """The loop variables of a recorded loop; None for a loop that Python runs."""
        if not isinstance(loop, _control.Loop):
            return None
        frame = sys._getframe(1)
        known = dict(frame.f_locals)
        numbers = [name for name in read if isinstance(known.get(name), float)]
        if numbers and _walks(loop, numbers[0], known[numbers[0]]):
            return None
        values = {name: known[name] for name in bound
                  if isinstance(known.get(name, self), _CARRIED_KINDS)}
        unbound = {name for name in bound if name not in known}
        place = (frame.f_code.co_filename,) + place
        made = Carried(loop, values, unbound, needed, read, place)
        if place in _recording.current("a loop").merging.late:
            made.late = {name: Slots(name, UNBOUND) for name in late if name not in made.slots}
        return made

    def starts(self, before, name):
        """Is the name to be reset here to its value at the start of an iteration?"""
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
        """The value of a loop variable here: at the start of a path, or after the loop."""
        return before.at_start(name)

    def shares(self, before, name):
        """Does the name have, at the end of an iteration, the slot of another loop variable?"""
        if before is None or len(_recording.current("a loop").loops) == before.depth:
            return False
        value = sys._getframe(1).f_locals.get(name)
        return any(value is slot for other, slot in before.slots.items() if other != name)

    def apart(self, value):
        """A copy, because the slot is about to take the current value of the other loop variable."""
        copy = Tensor(name=value.name, format=value.format)
        move(copy, value)
        return copy

    def carry(self, before, name, value):
        """The end of an iteration: what the next one sees."""
        slot, old = before.slots.get(name), before.values[name]
        if slot is None:
            if value is not old and old is None and name in before.read and not before.once:
                raise ParserError(NotImplementedError(_SILENT_NONE % name))
            return
        if isinstance(old, Tensor) is not isinstance(value, Tensor):
            raise ParserError(RuntimeError("Conflicted var %s: it is %s before the loop and %s in it" % (
                name, type(old).__name__, type(value).__name__)))
        if value is slot or before.once and value is old:  # elsewhere the body has put it back
            return
        if name in before.read:
            _tell_carried(name, value)
        if isinstance(value, Tensor):
            move(slot, value)
        elif isinstance(value, (int, SymbolicScalar)):
            put(slot, 0, int(value) if isinstance(value, bool) else value)
        else:
            raise ParserError(RuntimeError("Conflicted var %s: it is %s before the loop and %s in it" % (
                name, type(old).__name__, type(value).__name__)))

    def ends_path(self, before, names):
        """The end of an iteration: what code behind the loop may read."""
        if before is None:
            return
        known = sys._getframe(1).f_locals
        for name in names:
            if name in known and name not in before.slots:
                before.left.setdefault(name, []).append(known[name])
                if name in before.late and not before.late[name].take(known[name]):
                    del before.late[name]

    def lasts(self, before, name):
        """Does the name have the value of its slot after the loop?"""
        if before is None or name not in before.left:
            return False
        left = before.left[name]
        first, last = left[0], left[-1]
        if isinstance(last, (float, str)):
            old = before.values.get(name, last)
            if any(type(one) is not type(last) or one != last for one in left) or (
                    not before.surely and (type(old) is not type(last) or old != last)):
                raise ParserError(RuntimeError(_LAST_NUMBER % (name, " or ".join(
                    sorted({repr(one) for one in left + [old]})))))
            return False
        if all(one is last for one in left):
            return False
        tensors = all(isinstance(one, Tensor) and one._recording is not None for one in left) and \
            not any(differ(form_of(one), form_of(last)) or not alike(one, last) for one in left)
        numbers = all(isinstance(one, (int, SymbolicScalar)) for one in left) and \
            any(handle(one) != handle(first) for one in left)
        if not tensors and not numbers or any(tensors and one._is_parameter() for one in left):
            return False
        merging = _recording.current("a loop").merging
        if before.place not in merging.late:
            merging.late.add(before.place)
            raise WalkAgain()
        return name in before.late

    def last(self, before, name):
        """The value after the loop of a name for which `lasts` is true."""
        return before.late[name].value(before.left[name][-1])

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
