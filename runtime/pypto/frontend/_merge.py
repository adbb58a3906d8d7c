"""Conditions of the front end of 9.2. Each one doubles the paths of the body around it, and each path is
recorded; where that is too much, both sides of each condition are recorded as one region instead.

A region is a loop of one iteration with a path for each side. What the sides bind and the code after them
reads goes through slots made before it, so that the body around has one path, whatever the side.
"""
import enum
import sys

from .. import _config, _control, _recording, _state
from .._enums import DataType
from .._indexing import move, put, read_element
from ..symbolic_scalar import SymbolicScalar, handle_of, plain
from ..tensor import Tensor
from ._poison import Poison, conflict, differ, form_of

MOST_PATHS = 128  # of one body, before its conditions become regions; DRIVE_APART of src/eval/drive.h is the same
SECOND_TRY = 1024  # the same for a kernel that fails with regions
UNBOUND = object()


class WalkAgain(BaseException):
    """Ends this walk, which starts again with merging."""


class Merging:
    """How conditions are recorded: as paths until there are too many of them, then as regions."""

    def __init__(self, most=None):
        self.is_on = False
        self.most = MOST_PATHS if most is None else most
        self.apart = set()  # (file, line, column) of conditions that stay paths
        self.late = set()   # of loops whose paths leave a name with different values

    def count(self, paths):
        """Called when that many paths of one body have begun; switches to merging beyond the limit."""
        if not self.is_on and paths > self.most:
            self.is_on = True
            raise WalkAgain()


class Side:
    """A condition whose side is known on this path."""

    is_region = False

    def __init__(self, first):
        self.first = first

    def second(self):
        """Is the `else` walked?"""
        return not self.first


class Region(Side):
    """A condition both of whose sides are walked, one after the other."""

    is_region = True

    def __init__(self, recording, condition, place, values, names):
        self.place, self.recording, self.condition = place, recording, condition
        self.values = values  # before it
        self.slots = {name: Slots(name, values.get(name, UNBOUND)) for name in names}
        self.sides = []       # what the names mean at the end of each
        self.is_complete = False
        self.body = recording.body()
        context = _state.context()
        file, line = _state.site()
        recording.program.loop_begin(context.constant(0), context.constant(1), context.constant(1),
                                     None, None, False, False, file, line)
        recording.regions.append(self)
        super().__init__(self._next() and _control.decide(condition))
        _enter_side(recording)

    def _next(self):
        self.is_complete = not self.recording.program.loop_next()
        return not self.is_complete

    def second(self):
        if not self.first:  # where an `if` around has the same condition
            return True
        if not self._next():
            return False
        if _control.decide(self.condition):
            raise AssertionError("a side of a condition has paths of its own")
        _enter_side(self.recording)
        return True

    def ends(self, values):
        ended = {}
        for name, slots in self.slots.items():
            ended[name] = value = values.get(name, UNBOUND)
            if not slots.take(value):
                self.walk_apart()
        self.sides.append(ended)

    def walk_apart(self):
        """What a name means on one side does not go through a slot; with paths of their own it need not."""
        self.recording.merging.apart.add(self.place)
        _walk_apart(self.recording)

    def close(self, frame):
        """After the `if`: the merged values of the names that are bound."""
        if not self.is_complete and self._next():
            raise AssertionError("a side of a condition was not walked")
        self.recording.program.loop_end()
        self.recording.regions.pop()
        merged = {}
        for name, slots in self.slots.items():
            values = [side[name] for side in self.sides if side[name] is not UNBOUND]
            if values:
                merged[name] = values[0] if len(self.sides) == 1 else \
                    self._merged(name, slots, values, frame)
        return merged

    def _merged(self, name, slots, values, frame):
        first, last = values[0], values[-1]
        if len(values) == 1:  # the other side leaves it unbound
            return slots.value(first) if isinstance(first, (Tensor, SymbolicScalar)) else first
        if first is last:
            return first
        if any(isinstance(value, Tensor) and value._recording is None for value in values):
            self.walk_apart()
        if differ(form_of(first), form_of(last)):
            line = self.place[1]
            self.recording.poisons[id(frame), name] = Poison(
                self.recording, last, conflict(name, self.place[0], line), line)
            return last
        if isinstance(first, Tensor):
            if not alike(first, last):
                self.walk_apart()
            return slots.value(first)
        if isinstance(first, (int, SymbolicScalar)):
            return first if handle(first) == handle(last) else slots.value(first)
        if not isinstance(first, (str, float, enum.Enum)) or first != last:
            self.walk_apart()
        return first


class Slots:
    """The slots of a name: for a tensor, and for an integer."""

    def __init__(self, name, value):
        self.tensor = self.integer = None
        if isinstance(value, Tensor) and value._recording is not None:
            self.tensor = Tensor(name=name, format=value.format)
            move(self.tensor, value)
            return
        if not isinstance(value, (int, SymbolicScalar)):
            self.tensor = Tensor([1], DataType.DT_FP32, name)  # a move gives it another form
        self.integer = Tensor([1], DataType.DT_INT32, name)
        put(self.integer, 0, 0)

    def take(self, value):
        """What the name means at the end of a path; False for what does not go through a slot."""
        if isinstance(value, Tensor) and value._recording is not None:
            if self.tensor is None or value._is_parameter() or value.format != self.tensor.format:
                return False
            move(self.tensor, value)
        elif isinstance(value, (int, SymbolicScalar)) and self.integer is not None:
            value = int(value) if isinstance(value, bool) else plain(value)
            if isinstance(value, int) and not -2**31 <= value < 2**31:
                return False
            put(self.integer, 0, value)
        return True

    def value(self, example):
        """The value of the name after the `if`."""
        return self.tensor if isinstance(example, Tensor) else read_element(self.integer, [0])


def _walk_apart(recording):
    """A condition stays paths, and so do those around it in the same body: a region has one path a side."""
    for region in recording.regions:
        if region.body is recording.body():
            recording.merging.apart.add(region.place)
    raise WalkAgain()


def alike(one, other):
    """Do two tensors have the same extents, including valid ones?"""
    return str((one.shape, one.valid_shape)) == str((other.shape, other.valid_shape))


def handle(value):
    """The value of an int, a bool or a SymbolicScalar."""
    return handle_of(int(value) if isinstance(value, bool) else value)


def _enter_side(recording):
    """A side of a symbolic condition has settings of its own, until the helper's `leave`."""
    context = _state.context()
    recording.branches.append((context.scope_depth(), _config.mark()))
    context.scope_push()


class MergeHelper:
    """Methods of the free variable of rewritten functions."""

    def sides(self, value, place, names, bound):
        """The test of an `if`, whose sides bind these names; `names` of them are read behind it."""
        recording = _recording.current("a condition")
        merging = recording.merging
        if merging is not None and merging.is_on and isinstance(value, SymbolicScalar) and \
                value._value() is None:
            frame = sys._getframe(1)
            place = (frame.f_code.co_filename,) + place
            if place not in merging.apart:
                known = frame.f_locals
                return Region(recording, value, place,
                              {name: known[name] for name in bound if name in known}, names)
            if recording.regions and recording.regions[-1].body is recording.body():
                _walk_apart(recording)
        return Side(self.test(value))

    def leave_side(self, side):
        """The end of a side."""
        self.leave()
        if side.is_region:
            side.ends(sys._getframe(1).f_locals)

    def close_region(self, side):
        """The values of the names after it."""
        return side.close(sys._getframe(1))


__all__ = ["Merging", "Slots", "UNBOUND", "alike", "handle", "MergeHelper", "WalkAgain", "MOST_PATHS", "SECOND_TRY"]
