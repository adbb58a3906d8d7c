"""Guesses about the arguments of a helper's call: another tensor, or two of them swapped, in every operation of the call that
reads them. Guesses about what a single operation reads are in other_tensors.py."""
import itertools

from . import changes, remake

_MOST_PATHS = 24  # calls
_MOST_OTHERS = 24  # tensors tried for one argument


class Reads(changes.Group):
    """The operations in one call that read certain tensors. `path`: the line of the call, then the lines of its callers;
    `instead`: {identity of a tensor: identity of the tensor to read}."""

    def __init__(self, record, path, instead, index, trace):
        super().__init__(record, len(record.callers) - len(path) + 1)
        self._path, self._instead, self._index, self._trace = path, instead, index, trace

    def has(self, record):
        return is_inside(record, self._path) and bool(self.replaced(record))

    def replaced(self, record):
        """{position of an operand: number of the record to read}."""
        found = {}
        for position, operand in enumerate(record.operands):
            if operand[0] == "record":
                other = self._instead.get(self._index.identity(self._trace.records[operand[1]]))
                if other is not None:
                    found[position] = self._index.before(other, record.number)
        return found

    def also(self, record):
        """The numbers of the records to read instead."""
        return [number for number in self.replaced(record).values() if number is not None] if self.has(record) else []


def is_inside(record, path):
    """Was a record made in the call with this path?"""
    return record.kind == "op" and not record.write and record.callers[-len(path):] == path


class CallArguments:
    """Part of repairs.Guesses, whose fields it reads."""

    def _arguments(self):
        for path, inside in self._calls_of_cone():
            read = self._read_in(path, inside)
            given = [record for record, *_ in read]
            for record, identity, count in read:
                others = self._other_arguments(path, inside[0], record)
                for other in others:
                    theirs = self._index.identity(other)
                    if count > 1:
                        yield self._of_call(inside, path, {identity: theirs}, "argument", other)
                    if other in given and other.number > record.number and other.shape == record.shape:
                        yield self._of_call(inside, path, {identity: theirs, theirs: identity}, "arguments", other)

    def _calls_of_cone(self):
        """[(path, records)] of the calls in which something may be wrong, with the records of their first iterations."""
        found = {}
        for record in self._cone:
            is_made = record.kind == "op" and not record.write
            for depth in range(len(self._index.helpers(record)) if is_made else 0):
                key = record.callers[depth:], record.launch, tuple(record.loops)
                found.setdefault(key[0], {}).setdefault(key, []).append(record)
        firsts = [(path, next(iter(iterations.values()))) for path, iterations in found.items()]
        return [(path, inside) for path, inside in firsts
                if any(record.number not in self._innocent for record in inside)][:_MOST_PATHS]

    def _read_in(self, path, inside):
        """[(record, identity, count)]: tensors made outside a call, and how many operations in it read them."""
        counts = {}
        for record in inside:
            for number in dict.fromkeys(record.sources()):
                if not is_inside(self._trace.records[number], path):
                    counts[number] = counts.get(number, 0) + 1
        return [(self._trace.records[number], self._index.identity(self._trace.records[number]), count)
                for number, count in counts.items()]

    def _other_arguments(self, path, first, present):
        """Tensors made before the call that have the same shape as the present argument, or that contain it or are a part of
        it, such as a tile and its valid rows."""
        outside = (other for identity, other in self._made_before(first)
                   if identity != self._index.identity(present) and not is_inside(other, path) and
                   len(other.loops) <= len(first.loops))
        like = (other for other in outside if len(other.shape) == len(present.shape) and other.dtype == present.dtype and
                (other.shape == present.shape or self._is_part(other, present) or self._is_part(present, other)))
        return list(itertools.islice(like, _MOST_OTHERS))

    def _is_part(self, one, other):
        return any(form is other for form in self._trace.forms(one.number))

    def _of_call(self, inside, path, instead, kind, other):
        reader = next(record for record in inside if any(
            self._index.identity(self._trace.records[number]) in instead for number in record.sources()))
        group = Reads(reader, path, instead, self._index, self._trace)
        make = remake.with_operands(self._torch, group.replaced)
        return changes.Repair(group, kind, {"tensor": other.number}, make, also=group.also)
