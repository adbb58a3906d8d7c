"""Guesses that a branch should run in the first or the last iteration of a loop, but runs in another one."""
import bisect
import functools

from . import changes, other_iterations, regroupings, remake
from .replay_ops import Unknown


class Branch(changes.Group):
    """The records of a branch in all runs of its loop. `runs`: {number of a record: key of its run}; `line`: that of the
    condition."""

    def __init__(self, record, runs, line):
        super().__init__(record, 0, line=line)
        self.runs = runs

    def has(self, record):
        return record.number in self.runs


class OtherBranches:
    """Part of repairs.Guesses, whose fields it reads."""

    def _branches(self):
        for line, records in self._conditional().items():
            loop = self._loop_of(records[0])
            run_of = {} if loop is None else {one.number: loop.run_of(one) for one in records}
            indices = {}
            for one in records:
                indices.setdefault(run_of.get(one.number), set()).add(one.loops[-1])
            if None in indices or not all(len(found) == 1 for found in indices.values()):
                continue  # the branch runs in several iterations, and the wrong one is not known
            for choose in (max, min):
                if any(choose(loop.runs[key]) not in found for key, found in indices.items()):
                    yield self._of_branch(line, records, loop, run_of, choose)

    def _conditional(self):
        """{line of the innermost condition: [record]} of the branches that wrong windows depend on."""
        found, lines, wanted = {}, {}, set()
        inside = {record.number for cone in self.cones for record in cone}
        for record in self._trace.records:
            if record.kind != "op" or not record.loops or record.launch != self._cone[-1].launch:
                continue
            place = record.line, self._index.helpers(record)
            if place not in lines:
                lines[place] = self._text.condition_line(*place)
            if lines[place] is not None:
                found.setdefault(lines[place], []).append(record)
                if record.number in inside or (record.write and inside.intersection(record.sources())):
                    wanted.add(lines[place])
        return {line: records for line, records in found.items() if line in wanted}

    def _loop_of(self, record):
        """The innermost loop around a record, or None."""
        return next((loop for loop in self._loops if loop.depth == len(record.loops) - 1 and loop.run_of(record)), None)

    @functools.cached_property
    def _loops(self):
        return other_iterations.loops_of(self._trace, self._text, self._index, self._trace.records)

    def _of_branch(self, line, records, loop, run_of, choose):
        group = Branch(records[0], run_of, line)
        moved = _Moved(self._trace, self._index, records, loop, run_of, choose)
        outside = {number: run_of[one.number] for one in records if one.write
                   for number in one.sources() if moved.is_of_iteration(number)}
        group.runs = {**outside, **run_of}

        def make(one, trace, values):
            if one.number in outside and one.number not in run_of:
                return trace.value(moved.sibling(one, outside[one.number]), values)
            replaced = moved.replaced(one)
            if not replaced or one.write:
                return None
            if one.op == "view":
                return trace.read(replaced[0], values, one.attributes["offsets"], one.shape)
            return remake.with_operands(self._torch, lambda _: replaced)(one, trace, values)

        def also(one):
            if not group.has(one):
                return []
            if one.number not in run_of:
                return [moved.sibling(one, outside[one.number])]
            return list(moved.replaced(one).values())
        return self._guess(group, "branch", {}, make, also=also)


class _Moved:
    """What a branch would read in the first or the last iteration (`choose`: min or max) of its loop."""

    def __init__(self, trace, index, records, loop, run_of, choose):
        self._trace, self._index, self._loop, self._run_of, self._choose = trace, index, loop, run_of, choose
        self._writes = {}  # {what a tensor was before all writes: numbers of its writes outside the branch}
        for one in trace.records:
            if regroupings.is_carried(one) and one.launch == records[0].launch and one.number not in run_of:
                self._writes.setdefault(regroupings.start(trace, one.number), []).append(one.number)

    def is_of_iteration(self, number):
        """Was a tensor made in an iteration of the loop, outside of the branch?"""
        one = self._trace.records[number]
        return number not in self._run_of and one.kind == "op" and not one.write and self._loop.run_of(one) is not None

    def replaced(self, one):
        """{position of an operand: number of the record to read instead}."""
        found, key = {}, self._run_of[one.number]
        run = self._loop.runs[key]
        last = max(record.number for record in run[self._choose(run)])
        for position, operand in enumerate(one.operands):
            if operand[0] != "record" or operand[1] in self._run_of:
                continue
            record = self._trace.records[operand[1]]
            writes = self._writes.get(regroupings.start(self._trace, record.number), [])
            at = bisect.bisect_right(writes, last)
            number = record.number
            if at and (record.write or record.number == regroupings.start(self._trace, record.number)):
                number = writes[at - 1]
            elif self.is_of_iteration(record.number):
                number = self.sibling(record, key)
            if number != record.number:
                found[position] = number
        return found

    def sibling(self, record, key):
        """The number of the record that is the same operation in the other iteration."""
        run = self._loop.runs[key]
        loops = [*key[1], self._choose(run)]
        for number in self._index.members[self._index.identity(record)]:
            one = self._trace.records[number]
            if (one.launch, one.loops) == (record.launch, loops):
                return number
        raise Unknown("no such tensor")
