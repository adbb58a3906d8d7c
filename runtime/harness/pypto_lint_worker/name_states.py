"""Guesses about loops that carry a name, as in `state = step(state)`: an operation reads what the name was before the loop
instead of the last iteration's result, or the name is never assigned. loop_states.py has tensors that are written in place."""
import collections
import itertools

from . import changes, regroupings, remake, replay_ops

_MOST_STARTS = 12  # tensors from outside a loop that its iterations read
_MOST_RESULTS = 16  # results of one iteration that a name may carry


class StartReaders(changes.Group):
    """The operations of a loop that read a tensor from outside the loop. `starts`: the numbers of the tensor, one for each time
    that the loop begins; `is_one`: only the operations of the record's place and call; `line`: as in Group."""

    def __init__(self, record, depth, starts, is_one, line=None):
        super().__init__(record, depth, line=line)
        self.starts, self._is_one = starts, is_one

    def has(self, record):
        return record.kind == "op" and not record.write and \
            not self.starts.isdisjoint(record.sources()) and \
            (not self._is_one or super().has(record))


class NameStates:
    """Part of repairs.Guesses, whose fields it reads."""

    def _name_states(self):
        """An operation reads the start of a state instead of the state, or all of them do and nothing is carried."""
        states = {}
        for members in self._writes.values():
            start = regroupings.start(self._trace, members[0].number)
            for number in (start, *self._trace.records[start].sources()):
                states.setdefault(number, []).append(members[0])
        for start, readers in self._starts():
            for write in states.get(start.number, ()):
                yield from self._of_state(start, readers, write)
            is_state = start.number in states and not start.write
            for result in () if is_state else self._results_of_loop(readers[0], start):
                for is_last in (False, True):
                    yield self._of_start(StartReaders(readers[0], 0, self._same(start), False, result.line), start, result, is_last)

    def _same(self, start):
        """The numbers of a tensor and of the same one in other iterations of the loops around it."""
        return set(self._index.members[self._index.identity(start)])

    def _of_state(self, start, readers, write):
        """Operations that read the start of a state which a loop carries, one place and call of a helper after the other."""
        chain = [before for state, before in regroupings.chains(self._trace, readers[-1], write.shape.__eq__)
                 if regroupings.start(self._trace, state.number) == regroupings.start(self._trace, write.number)]
        places = {}
        for reader in readers:
            places.setdefault(reader.key() + self._index.helpers(reader), reader)
        for before, reader in itertools.product(chain, places.values()):
            depth = 1 if self._index.helpers(reader) else 0
            group = StartReaders(reader, depth, {start.number}, True)
            position = next(at for at, operand in enumerate(reader.operands) if operand == ["record", start.number])
            yield self._guess(group, "operand", {"position": position, "tensor": write.number, "earlier": True},
                              remake.with_state(self._torch, position, before),
                              also=changes.reads(group, lambda one, before=before: before(one.number)))

    def _of_start(self, group, start, result, is_last):
        """`is_last`: the state is replaced at the end of an iteration, not when the result is made."""
        identity = self._index.identity(result)

        def number_for(one):
            number = self._index.before(identity, one.number)
            if is_last and number is not None and self._trace.records[number].loops == one.loops:
                number = self._index.before(identity, number)
            if number is None or self._trace.records[number].launch != one.launch:
                return None
            # Operations after the loop read what the last iteration leaves.
            return number if self._trace.records[number].loops[:-1] in (one.loops[:-1], one.loops) else None

        def make(one, trace, values):
            number = number_for(one)
            instead = {position: number for position, operand in enumerate(one.operands)
                       if operand[0] == "record" and operand[1] in group.starts}
            return None if number is None else remake.with_operands(self._torch, lambda _: instead)(one, trace, values)
        detail = {"tensor": start.number}
        return changes.Repair(group, "not_carried", detail, make, also=changes.reads(group, number_for))

    def _starts(self):
        """[(tensor, operations)]: tensors from outside a loop that several of its iterations read unchanged."""
        readers, launch = {}, self._cone[-1].launch
        keys = {record.key() for record in self._cone if record.loops and record.op in replay_ops.OPERATIONS}
        for record in self._trace.records:
            if record.key() in keys and record.launch == launch and record.kind == "op" and not record.write:
                for number in set(record.sources()):
                    if self._is_start(self._trace.records[number], record):
                        readers.setdefault(number, []).append(record)
        several = [(number, found) for number, found in readers.items()
                   if max(collections.Counter(one.key() + one.callers for one in found).values()) > 1]
        first = {self._index.identity(self._trace.records[number]): (self._trace.records[number], found)
                 for number, found in reversed(several)}
        return list(first.values())[::-1][:_MOST_STARTS]

    @staticmethod
    def _is_start(start, reader):
        """Does a tensor come from outside the reader's loop, or did an earlier iteration write it in place?"""
        if start.write:
            return start.op == "move" and not start.partial and start.loops[:-1] == reader.loops[:-1] and \
                start.loops < reader.loops
        return len(start.loops) < len(reader.loops)

    def _results_of_loop(self, reader, start):
        """The results of a reader's iteration that have the shape of a tensor."""
        found, seen = [], set()
        for one in self._trace.records:
            if one.kind == "op" and not one.write and one.launch == reader.launch and one.loops == reader.loops and \
                    one.shape == start.shape and one.op not in ("view", "full") and self._index.identity(one) not in seen:
                seen.add(self._index.identity(one))
                found.append(one)
        return found[-_MOST_RESULTS:]
