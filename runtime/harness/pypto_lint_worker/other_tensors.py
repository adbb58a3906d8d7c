"""Guesses that an operation should read another tensor or one more, which is from the same iteration or the one before
or is carried by a loop; also guesses that two tensors are swapped."""
import functools
import itertools

from . import changes, regroupings, remake, replay_ops
from .replay_ops import Unknown

_MOST_NEAR = 2000  # records before or after an operation
_MOST_OTHERS = 40  # tensors that are tried instead of an operand
_MOST_UNUSED = 3  # tensors that nothing reads
_JOINING = ("mul", "sub", "add", "div", "maximum")
_MOST_EARLIER = 12  # tensors of the iteration before


class OtherTensors:
    """Part of repairs.Guesses, whose fields it reads."""

    def _alternatives(self, record, shape):
        """[(identity, record)] of tensors made before the record that have this shape or can be repeated to it."""
        fitting = (one for one in self._made_before(record) if _fits(one[1].shape, shape))
        return list(itertools.islice(fitting, _MOST_OTHERS))

    def _made_before(self, record):
        """Yields (identity, record) of the tensors that exist in the iteration of a record, the last ones first."""
        seen = set()
        for number in range(record.number - 1, max(-1, record.number - _MOST_NEAR), -1):
            other = self._trace.records[number]
            identity = self._index.identity(other)
            if identity is None or identity in seen or other.write or other.launch != record.launch or \
                    (other.kind == "op" and not _same_loops(other.loops, record.loops)):
                continue
            seen.add(identity)
            yield identity, other

    def _others(self, record, group):
        if not _is_replayed(record):
            return
        for position, operand in enumerate(record.operands):
            if operand[0] != "record":
                continue
            present = self._trace.records[operand[1]]
            for _, other in self._alternatives(record, present.shape):
                if other.number == operand[1] or len(other.shape) != len(present.shape) or other.dtype != present.dtype or \
                        any(form is other for form in self._trace.forms(operand[1], ("cast",))):  # left to roundings.py
                    continue
                find = self._index.relation(record, other)
                yield self._guess(group, "operand", {"position": position, "tensor": other.number},
                                  remake.with_tensor(self._torch, position, find))
                if record.operands[:2] == [operand, operand] and position == 0:  # a square
                    yield self._guess(group, "operand", {"position": position, "tensor": other.number},
                                      remake.with_both(self._torch, find))

    def _unused(self, groups):
        """Tensors that nothing reads, instead of an operand."""
        for other, record, group in self._near_unused(groups):
            for position, operand in enumerate(record.operands):
                if operand[0] == "record" and self._trace.records[operand[1]].shape == other.shape:
                    yield self._guess(group, "operand", {"position": position, "tensor": other.number},
                                      remake.with_tensor(self._torch, position, self._index.relation(record, other)))

    def _missing_unused(self, groups):
        """Missing steps with tensors that nothing reads."""
        for other, record, group in self._near_unused(groups):
            for position in self._steps(record):
                shape = self._shape_at(record, position)
                if _fits(other.shape, shape):
                    yield from self._combined(group, position, other, self._index.relation(record, other))

    def _near_unused(self, groups):
        """Yields (tensor that nothing reads, record after it in its iteration, its group)."""
        for other in self._unused_tensors:
            for group in groups:
                record = group.record
                if record.number > other.number and record.launch == other.launch and _is_replayed(record) and \
                        _same_loops(other.loops, record.loops):
                    yield other, record, group

    @functools.cached_property
    def _unused_tensors(self):
        """The first record of each result that no operation reads in any iteration."""
        read, found = {number for record in self._trace.records for number in record.sources()}, {}
        for record in self._trace.records:
            if record.kind == "op" and not record.write and computes(record) and record.launch == self._cone[-1].launch:
                found.setdefault(self._index.identity(record), []).append(record)
        return [members[0] for members in found.values() if not any(one.number in read for one in members)][:_MOST_UNUSED]

    def _states(self, record, group):
        """What a loop carries, instead of an operand."""
        if not record.loops or not _is_replayed(record):
            return
        for position, operand in enumerate(record.operands):
            if operand[0] != "record":
                continue
            for state, before in regroupings.chains(self._trace, record, self._trace.records[operand[1]].shape.__eq__):
                if self._is_reset(operand[1]) and regroupings.start(self._trace, operand[1]) == \
                        regroupings.start(self._trace, state.number):
                    continue
                also = changes.reads(group, lambda one, before=before: before(one.number))
                yield self._guess(group, "operand", {"position": position, "tensor": state.number},
                                  remake.with_state(self._torch, position, before), also=also)

    def _is_reset(self, number):
        """Does a write reset a carried tensor to a constant? Then that write is the suspect (loop_states.py)."""
        record = self._trace.records[number]
        return regroupings.is_carried(record) and self._trace.records[record.sources()[0]].op == "full"

    def _earlier(self, record, group):
        """What an operation made in the iteration before, instead of an operand."""
        if not record.loops or not _is_replayed(record):
            return
        for position, operand in enumerate(record.operands):
            if operand[0] != "record":
                continue
            present = self._trace.records[operand[1]]
            if self._is_reset(present.number):
                continue
            for other in self._of_last_iteration(record, present):
                detail, find = {"position": position, "tensor": other.number, "earlier": True}, self._index.relation(record, other)
                yield self._guess(group, "operand", detail, remake.with_operand(self._torch, position, find),
                                  also=changes.reads(group, find))

    def _of_last_iteration(self, record, present):
        found, seen = [], set()
        for number in range(record.number, min(len(self._trace.records), record.number + _MOST_NEAR)):
            other = self._trace.records[number]
            if other.kind != "op" or other.write or other.launch != record.launch or \
                    other.shape != present.shape or other.op in ("view", "full") or \
                    other.loops != record.loops:
                continue
            identity = self._index.identity(other)
            if identity not in seen:
                seen.add(identity)
                found.append(other)
        return found[:_MOST_EARLIER]

    def _missing_tensors(self, record, group):
        for position in self._steps(record):
            shape = self._shape_at(record, position)
            for _, other in self._alternatives(record, shape):
                yield from self._combined(group, position, other, self._index.relation(record, other))

    def _missing_near(self, record, group):
        """A missing step with a tensor that the same call of a function computes."""
        for position in self._steps(record):
            shape = self._shape_at(record, position)
            for _, other in self._alternatives(record, shape):
                if other.callers == record.callers and computes(other) and other.number not in record.sources():
                    yield from self._combined(group, position, other, self._index.relation(record, other))

    def _missing_carried(self, record, group):
        """A missing step with a tensor that a loop carries."""
        yield from self._with_carried(record, group, self._steps(record))

    def _missing_of_result(self, record, group):
        """A missing step with a carried tensor after an operation that reads what a loop left, even if it only moves that."""
        states = [self._trace.records[number] for number in record.sources()]
        if any(regroupings.is_carried(state) and len(state.loops) > len(record.loops) for state in states):
            yield from self._with_carried(record, group, [None])

    def _with_carried(self, record, group, positions):
        for position in positions:
            shape = self._shape_at(record, position)
            for _, before in regroupings.chains(self._trace, record, lambda one, shape=shape: _fits(one, shape)):
                def find(one, before=before):
                    return before(one.number)
                state = self._trace.records[find(record)]
                if state.number not in record.sources():
                    yield from self._combined(group, position, state, find, changes.reads(group, find))

    def _combined(self, group, position, other, find, also=None):
        """Guesses that a step with the tensor of record `find(record)`, such as `other`, is missing."""
        for name in _JOINING:
            detail = {"also": name, "position": position, "tensor": other.number}
            yield self._step_guess(group, "missing_tensor", detail, self._combining(name, find), also)

    def _unread_results(self):
        """A result that nothing reads, instead of an operand or combined with it, even if the reference has the operation's
        result."""
        for result in self._unused_tensors:
            for record, depth in self._readers_of_shape(result):
                group, find = changes.Group(record, depth), self._index.relation(record, result)
                for position, operand in enumerate(record.operands):
                    present = self._trace.records[operand[1]] if operand[0] == "record" else None
                    if present is None or present.shape != result.shape or present.dtype != result.dtype:
                        continue
                    detail = {"position": position, "tensor": result.number}
                    yield self._guess(group, "operand", detail, remake.with_tensor(self._torch, position, find))
                    yield from self._combined(group, position, result, find)

    def _readers_of_shape(self, result):
        """[(record, depth)] of the operations after a result, one for each place and one for each call there."""
        found = {}
        for record in self._cone:
            if record.number > result.number and record.kind == "op" and not record.write and _is_replayed(record):
                for depth in (0, 1):
                    found.setdefault((record.key(), record.callers[:depth]), (record, depth))
        return list(found.values())

    def _combining(self, name, find):
        def step(one, value, trace, values):
            other = replay_ops.wide(self._torch, trace.value(remake.known(find(one)), values))
            return remake.guarded(lambda: getattr(self._torch, name)(value, other))
        return step

    def _exchanges(self, record, group):
        """Two tensors are swapped wherever they are read."""
        if record.op not in ("view", "cast") or group.depth > 1:
            return
        yield from self._exchanges_of(record)

    def _parameters(self):
        """Two parameters are swapped."""
        for record in self._cone:
            if record.kind == "parameter":
                yield from self._exchanges_of(record)

    def _exchanges_of(self, record):
        mine = self._index.identity(record)
        for identity, other in self._alternatives(record, record.shape):
            if (other.kind, other.op) != (record.kind, record.op) or \
                    other.shape != record.shape or other.dtype != record.dtype:
                continue

            def make(one, trace, values, identity=identity):
                return self._exchanged(one, mine, identity)
            yield changes.Exchange(self._index, (mine, identity), record, make, _calls_apart(record, other))

    def _exchanged(self, one, mine, theirs):
        here = self._index.identity(one)
        other = theirs if here == mine else mine
        members = self._index.members[here]
        number = self._index.members[other][min(members.index(one.number),
                                                len(self._index.members[other]) - 1)]
        value = self._trace.records[number].value
        if value is None or list(value.shape) != one.shape:
            raise Unknown("it does not fit")
        return value


def _calls_apart(record, other):
    """How many callers distinguish two calls of one helper; 0 = the records have different lines."""
    if record.key() != other.key():
        return 0
    return next((depth for depth, (one, two) in enumerate(zip(record.callers, other.callers), 1) if one != two), 0)


def computes(record):
    return record.op not in ("view", "reshape", "unsqueeze", "clone", "full", "expand_clone",
                             "transpose", "permute", "concat")


def _is_replayed(record):
    """Can the operation of a record compute something else under a guess?"""
    return computes(record) and record.op in replay_ops.OPERATIONS


def _same_loops(mine, theirs):
    return all(one == other for one, other in zip(mine, theirs))


def _fits(shape, wanted):
    return len(shape) == len(wanted) and all(one in (extent, 1)
                                             for one, extent in zip(shape, wanted))
