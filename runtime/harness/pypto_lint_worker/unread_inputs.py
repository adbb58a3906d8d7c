"""Guesses that an input that nothing in the kernel reads should replace a constant, or that a step with it is missing."""
import itertools

from . import remake, replay, replay_ops

_STEPS = ("add", "mul", "sub", "div", "maximum")
_MOST_PLACES = 12  # of a window along one axis
_MOST_WINDOWS = 48
_MOST_OPERATIONS = 60


class UnreadInputs:
    """Part of repairs.Guesses, whose fields it reads."""

    def _unread(self, groups):
        groups = sorted(groups, key=lambda group: group.record.op != "full")[:_MOST_OPERATIONS]
        for parameter, group in itertools.product(unread_inputs(self._trace), groups):
            is_first = group.record.op in ("full", "view")  # its readers may be in several cones
            positions = [None] if is_first else self._steps(group.record)
            for position, move in self._windows_at(parameter, group, positions):
                if group.record.op == "full":
                    yield self._guess(group, "unread", {"name": parameter.name}, self._of_window(parameter, move))
                    continue
                for name in _STEPS:
                    detail = {"also": name, "position": position, "name": parameter.name}
                    yield self._step_guess(group, "unread_step", detail, self._with_window(parameter, move, position, name))

    def _unread_sources(self, groups):
        """Windows of another parameter that should be windows of an unread one."""
        for parameter, group in itertools.product(unread_inputs(self._trace), groups):
            record = group.record
            if record.op == "view" and len(parameter.shape) == len(record.shape) and parameter.launch == record.launch and \
                    self._trace.records[record.sources()[0]].kind == "parameter":
                yield self._of_source(group, parameter)

    def _of_window(self, parameter, move):
        return lambda one, trace, values: _window(self._torch, parameter, one.shape, move(one))

    def _with_window(self, parameter, move, position, name):
        def step(one, value, trace, values):
            window = _window(self._torch, parameter, self._shape_at(one, position), move(one))
            return remake.guarded(lambda: getattr(self._torch, name)(value, window))
        return step

    def _shape_at(self, record, position):
        return record.shape if position is None else self._trace.records[record.operands[position][1]].shape

    def _windows_at(self, parameter, group, positions):
        """[(position, function from a record to offsets)] of windows that fit a result or an operand, with one element
        along an axis where the parameter has only one. They begin at the same place in all iterations, move with a
        loop, or begin where another window of the iteration does."""
        ends = [one for one in self._cone if group.has(one)]
        ends = ends[:1] + ends[-1:]
        for position in positions:
            shape, seen = self._shape_at(group.record, position), set()
            if len(parameter.shape) != len(shape):
                continue
            extents = _extents(parameter, shape)
            axes = [self._places_along(parameter, group.record, axis, extent) for axis, extent in enumerate(extents)]
            for places in itertools.product(*(itertools.islice(places, _MOST_PLACES) for places in axes)):
                def move(one, places=places):
                    return [place(one) for place in places]
                offsets = tuple(tuple(move(one)) for one in ends)
                if offsets not in seen and len(seen) < _MOST_WINDOWS and all(
                        begin + extent <= size for begins in offsets
                        for begin, extent, size in zip(begins, extents, parameter.shape)):
                    seen.add(offsets)
                    yield position, move

    def _places_along(self, parameter, record, axis, extent):
        if extent == parameter.shape[axis]:
            yield lambda one: 0
            return
        for depth in reversed(range(len(record.loops))):
            yield lambda one, depth=depth: one.loops[depth] * extent if depth < len(one.loops) else 0
        for other in self._trace.views:
            if other.launch == record.launch and other.loops == record.loops[:len(other.loops)] and other.loops:
                for begin in other.attributes["offsets"]:
                    if begin and begin + extent <= parameter.shape[axis]:
                        yield self._place_of(other, other.attributes["offsets"].index(begin))
        for begin in range(0, parameter.shape[axis] - extent + 1, extent):
            yield lambda one, begin=begin: begin

    def _place_of(self, view, axis):
        find = self._index.finder(self._index.identity(view))

        def place(one):
            number = find(one)
            if number is None:
                return self._trace.records[view.number].attributes["offsets"][axis]
            return self._trace.records[number].attributes["offsets"][axis]
        return place


def unread_inputs(trace):
    """The parameters of the launches that no operation reads or writes."""
    used = {record.target for record in trace.records if record.write}
    used |= {number for record in trace.records if record.kind == "op" for number in record.sources()}
    return [record for record in trace.records if record.kind == "parameter" and record.value is not None and
            record.number not in used]


def _extents(parameter, shape):
    return [1 if size == 1 else extent for size, extent in zip(parameter.shape, shape)]


def _window(torch, parameter, shape, offsets):
    return replay_ops.wide(torch, replay.window(parameter.value, offsets, _extents(parameter, shape)))
