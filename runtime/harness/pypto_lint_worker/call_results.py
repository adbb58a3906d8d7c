"""Guesses that two results of a helper are swapped: in one call, which binds them in the wrong order, or in all calls, because
the helper returns them in the wrong order."""
import functools
import itertools

from . import call_arguments, changes, remake

_MOST_RESULTS = 6  # of one call


class SwappedResults(changes.Group):
    """The operations outside of a helper's calls that read one of two results. `pair`: the keys and ordinals of the two;
    `path`: the line of the call and the lines of its callers, None for all calls; `line`: the line of the guess."""

    def __init__(self, reader, line, pair, path, finder):
        super().__init__(reader, 0, line=line)
        self._pair, self._path, self._finder = pair, path, finder

    def has(self, record):
        return record.kind == "op" and not record.write and bool(self.replaced(record))

    def replaced(self, record):
        """{position of an operand: number of the other result}."""
        found = {}
        for position, operand in enumerate(record.operands):
            other = self._finder.other(operand[1], self._pair, self._path) if operand[0] == "record" else None
            if other is not None and not call_arguments.is_inside(record, self._finder.path_of(other)):
                found[position] = other
        return found

    def also(self, record):
        return list(self.replaced(record).values()) if self.has(record) else []


class _Finder:
    """Finds the other one of two results in the same call and iteration. `depth`: the number of calls between the helper's
    own call and its results."""

    def __init__(self, trace, index, depth):
        self._trace, self._index, self._depth = trace, index, depth

    @functools.cached_property
    def _members(self):
        return {(self._place(record), self.sign(record)): record.number for record in self._trace.records
                if record.kind == "op" and not record.write and len(record.callers) > self._depth}

    @staticmethod
    def _place(record):
        return record.launch, tuple(record.loops), record.callers

    def sign(self, record):
        """Which operation of the helper a record is, in any of its calls."""
        return record.key(), self._index.ordinal(record)

    def path_of(self, number):
        return self._trace.records[number].callers[self._depth:]

    def other(self, number, pair, path):
        """The number of the other result, or None if a record is neither of the two."""
        record = self._trace.records[number]
        if record.kind != "op" or record.write or (path is not None and record.callers[self._depth:] != path):
            return None
        mine = self.sign(record)
        if mine not in pair:
            return None
        return self._members.get((self._place(record), pair[1 - pair.index(mine)]))


class CallResults:
    """Part of repairs.Guesses, whose fields it reads."""

    def _results(self):
        calls, finders = self._calls_of_cone(), {}
        for path, inside in calls:
            depth = len(inside[0].callers) - len(path)
            if depth not in finders:
                finders[depth] = _Finder(self._trace, self._index, depth)
            finder = finders[depth]
            name = self._text.function_name(inside[0].line)
            is_one = sum(self._text.function_name(other[0].line) == name for _, other in calls) == 1
            for one, other in self._pairs_of_results(path, inside):
                pair = finder.sign(one), finder.sign(other)
                reader = next(reader for reader in self._cone if one.number in reader.sources())
                yield self._of_results(SwappedResults(reader, path[0], pair, path, finder))
                if not is_one:
                    line = self._text.return_line(name) or one.line
                    yield self._of_results(SwappedResults(reader, line, pair, None, finder))

    def _pairs_of_results(self, path, inside):
        """Pairs of results of a call that have the same shape and dtype and are read outside of it."""
        inner = {record.number: record for record in inside}
        read = {number for record in self._cone if not call_arguments.is_inside(record, path) and not record.write
                for number in record.sources() if number in inner}
        results = [inner[number] for number in sorted(read)][-_MOST_RESULTS:]
        return [(one, other) for one, other in itertools.combinations(results, 2)
                if (one.shape, one.dtype) == (other.shape, other.dtype)]

    def _of_results(self, group):
        make = remake.of_same_shape(remake.with_operands(self._torch, group.replaced))
        return changes.Repair(group, "results", {}, make, also=group.also)
