"""Guesses that a step is in the wrong place: it should run after an earlier or a later operation, as a bias that is added
after the activation instead of before it."""
from . import changes, remake, replay_ops
from .windows import iteration

_RANK = 20  # two places of the text change
_MOST_STEPS = 24  # operations that may be in the wrong place
_MOST_PLACES = 8  # where one of them may be right
_MOST_DEPTH = 6  # operations between the two places
_MOVED = ("add", "sub", "mul", "div", "maximum", "minimum", "clip", "relu", "exp", "neg", "abs", "sigmoid", "tanh", "sqrt")
_PASSED = ("full", "reshape", "unsqueeze", "transpose", "permute", "concat", "expand_clone", "clone")


class Moved(changes.Repair):
    """The guess that an operation should run after another one. `group`: a TwoPlaces of the two; `position`: of the operand
    that the operation changes; `place`: the record after which it should run; `members`: {iteration: record of the
    operation}."""

    __slots__ = ("place", "_position", "_members")

    def __init__(self, group, position, place, members):
        super().__init__(group, "steps", {}, self._made)
        self.place, self._position, self._members = place, position, members
        self.rank = _RANK

    def _made(self, one, trace, values):
        if not self.group.is_place(one):
            return trace.operands(one, values)[self._position]
        step = remake.known(self._members.get(iteration(one)))
        given = trace.operands(step, values)
        given[self._position] = trace.compute(one, values)
        return replay_ops.run(trace.torch, step, given)


class TwoPlaces(changes.Group):
    """The records of both places."""

    def __init__(self, record, place, index):
        super().__init__(record, 0, None, index)
        self._own, self._other = index.identity(record), index.identity(place)

    def has(self, record):
        return self._index.identity(record) in (self._own, self._other)

    def is_place(self, record):
        """Is it a record after which the operation should run?"""
        return self._index.identity(record) == self._other


class MovedSteps:
    """Part of repairs.Guesses, whose fields it reads."""

    def _moved_steps(self):
        seen = set()
        for record in reversed(self._cone):
            place = record.key() + record.callers + (self._index.ordinal(record),) if record.kind == "op" else None
            if place is None or place in seen or record.op not in _MOVED or record.write or len(seen) == _MOST_STEPS:
                continue
            seen.add(place)
            for position, operand in enumerate(record.operands):
                if operand[0] != "record" or self._trace.records[operand[1]].shape != record.shape:
                    continue
                # The reference may have the result if only other readers of the operand lack the step.
                if record.number not in self._innocent or self._readers.get(operand[1], 0) > 1:
                    yield from self._moves_of(record, position)

    def _moves_of(self, record, position):
        changed = self._trace.records[record.operands[position][1]]
        members = {iteration(self._trace.records[number]): self._trace.records[number]
                   for number in self._index.members[self._index.identity(record)]}
        others = [operand[1] for at, operand in enumerate(record.operands) if operand[0] == "record" and at != position]
        shared = [changed] if self._is_place(changed) and self._readers.get(changed.number, 0) > 1 else []
        for place in shared + self._places_before(changed) + self._places_after(record):
            if not any(self._comes_from(number, place) for number in others):
                yield Moved(TwoPlaces(record, place, self._index), position, place, members)

    def _places_before(self, changed):
        """The records of the same shape and iteration that a tensor comes from, nearest first."""
        return self._walk(changed, lambda one: [self._trace.records[number] for number in one.sources()])

    def _places_after(self, record):
        readers = {}
        for one in self._cone:
            for number in one.sources():
                readers.setdefault(number, []).append(one)
        return self._walk(record, lambda one: readers.get(one.number, ()))

    def _walk(self, start, following):
        found, waiting, seen = [], [(start, 0)], {start.number}
        while waiting:
            record, depth = waiting.pop(0)
            for one in following(record) if depth < _MOST_DEPTH else ():
                if one.number in seen or one.kind != "op" or one.write or iteration(one) != iteration(start):
                    continue
                seen.add(one.number)
                waiting.append((one, depth + 1))
                if one.shape == start.shape and self._is_place(one):
                    found.append(one)
        return found[:_MOST_PLACES]

    def _is_place(self, record):
        """May a step be missing after a record? A step on an input is missing where the input is read."""
        is_input = record.op == "view" and self._trace.records[record.sources()[0]].kind == "parameter"
        return record.kind == "op" and not record.write and record.op not in _PASSED and not is_input

    def _comes_from(self, number, place):
        """Is a record computed from another one of its iteration?"""
        waiting, seen = [number], set()
        while waiting:
            one = waiting.pop()
            if one == place.number:
                return True
            if one > place.number and one not in seen:
                seen.add(one)
                waiting += self._trace.records[one].sources()
        return False
