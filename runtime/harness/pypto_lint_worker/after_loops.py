"""Guesses that a statement after a loop, which only reads what the last iteration made, should run in each iteration."""
import collections

from . import changes
from .replay_ops import Unknown


class AfterLoops:
    """Part of repairs.Guesses, whose fields it reads."""

    def _after_loops(self):
        lines = {loop.node.lineno for loop in self._loops}
        for members in self._writes.values():
            statements = {one.number: _Statement(self._trace, self._index, one, lines) for one in members}
            if not any(statement.made_in_loop for statement in statements.values()):
                continue

            def make(one, trace, values, statements=statements):
                return statements[one.number].repeated(values)

            def also(one, statements=statements):
                statement = statements.get(one.number)
                return [] if statement is None else statement.read()
            yield changes.Repair(changes.Group(members[0], 0), "in_loop", {}, make, also=also)


class _Statement:
    """The statement of a write into a carried tensor. `made_in_loop`: {number: record} of what it reads from the last iteration
    of a loop. A tensor that leaves a loop under its name is moved in the loop's own line, which is one of `lines`."""

    def __init__(self, trace, index, write, lines):
        self._trace, self._index, self._write = trace, index, write
        self.made_in_loop, self._records = {}, []
        seen, waiting = set(), list(write.sources()[:1])
        while waiting:
            record = trace.records[waiting.pop()]
            is_moved = record.write and record.op == "move" and record.line in lines
            if record.number in seen or record.kind != "op" or (record.write and not is_moved):
                continue
            seen.add(record.number)
            if len(record.loops) > len(write.loops) and record.loops[:len(write.loops)] == write.loops:
                self.made_in_loop[record.number] = trace.records[record.sources()[0]] if is_moved else record
            elif record.key()[:2] == write.key()[:2] or write.line in record.callers:
                self._records.append(record)
                waiting += record.sources()
        self._records.sort(key=lambda record: record.number)

    def _iterations(self):
        """[{number that the statement reads: number of the same operation in an iteration}] of all iterations."""
        found = collections.defaultdict(dict)
        for read, record in self.made_in_loop.items():
            for number in self._index.members[self._index.identity(record)]:
                one = self._trace.records[number]
                if one.launch == record.launch and one.loops[:len(self._write.loops)] == self._write.loops and \
                        number <= record.number:
                    found[tuple(one.loops)][read] = number
        return [found[loops] for loops in sorted(found)]

    def read(self):
        """The numbers of all records that the statement would read in the loop."""
        return [number for numbers in self._iterations() for number in numbers.values()]

    def repeated(self, values):
        """What the statement leaves if it runs in each iteration."""
        trace, write = self._trace, self._write
        state = trace.read(write.target, values)
        for numbers in self._iterations():
            if len(numbers) != len(self.made_in_loop):
                raise Unknown("no such tensor")
            made = {write.target: state, **{number: trace.value(other, values) for number, other in numbers.items()}}
            for record in self._records:
                made[record.number] = trace.rounded(record, trace.compute(record, collections.ChainMap(made, values)))
            state = collections.ChainMap(made, values)[write.sources()[0]]
        return state
