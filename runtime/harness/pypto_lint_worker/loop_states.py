"""Guesses about loop-carried tensors: where they are initialized, whether they are read too late, and what they are
multiplied by."""
import functools

from . import changes, regroupings, remake, replay_ops

_MOST_DEPTH = 3  # operations between a write and the product of the carried tensor


class LateReaders(changes.Group):
    """Operations that read what an earlier iteration of the outer loop left in a carried tensor.
    `starts`: {number of such a record: {position of the operand: number of the record that initialized the tensor}}."""

    def __init__(self, record, starts):
        super().__init__(record, 0)
        self.starts = starts

    def has(self, record):
        return record.number in self.starts

    def starts_of(self, record):
        """The numbers of the records that initialized the operands of a record."""
        return list(self.starts.get(record.number, {}).values())


class LoopStates:
    """Part of repairs.Guesses, whose fields it reads."""

    @functools.cached_property
    def _writes(self):
        """{place: [record]} of the writes into carried tensors of the launch."""
        found = {}
        for record in self._trace.records:
            if regroupings.is_carried(record) and record.launch == self._cone[-1].launch:
                found.setdefault(record.key(), []).append(record)
        return found

    # ---- where it is initialized

    def _beginnings(self):
        """Tensors that are initialized once instead of in each iteration of the outer loop, or the other way round."""
        yield from self._begins_again()
        groups = [group for group in map(self._late_readers, self._writes.values()) if group]
        if len(groups) > 1:
            merged = {}
            for group in groups:
                for number, places in group.starts.items():
                    merged.setdefault(number, {}).update(places)
            groups.insert(0, LateReaders(groups[0].record, merged))
        for group in groups:
            make = remake.with_operands(self._torch, lambda one, group=group: group.starts[one.number])
            yield changes.Repair(group, "begins_once", {}, make, also=group.starts_of)

    def _begins_again(self):
        for members in self._writes.values():
            record = members[0]
            source = self._trace.records[record.sources()[0]]
            if not record.loops or (source.op != "full" and len(source.loops) >= len(record.loops)):
                continue
            first, group = self._first_writes(record), changes.Group(record, 0)

            def find(one, first=first):
                return None if one.number in first else one.target

            def make(one, trace, values, find=find):
                number = find(one)
                return None if number is None else trace.read(number, values)
            yield changes.Repair(group, "begins_again", {}, make, also=changes.reads(group, find))

    def _first_writes(self, record):
        """The numbers of the first write of a line in each run of its innermost loop. Before the very first one the
        tensor may have no elements that could be kept."""
        first = {}
        for one in self._trace.records:
            if one.write and one.key() == record.key() and one.launch == record.launch:
                first.setdefault(tuple(one.loops[:-1]), one.number)
        return set(first.values())

    def _late_readers(self, members):
        """The readers of what these writes left in another iteration of the loop around the innermost one, or None."""
        record = members[0]
        start = self._trace.records[regroupings.start(self._trace, record.number)]
        depth = len(record.loops) - 1
        if depth < 1 or start.write or start.kind != "op" or len(start.loops) > depth or \
                start.loops[:depth] == record.loops[:depth]:
            return None
        written, starts = {one.number: one for one in members}, {}
        for reader in self._trace.records:
            if reader.kind != "op" or reader.write or len(reader.loops) <= depth:
                continue
            for position, operand in enumerate(reader.operands):
                left = written.get(operand[1]) if operand[0] == "record" else None
                if left is not None and left.loops[:depth] != reader.loops[:depth]:
                    starts.setdefault(reader.number, {})[position] = start.number
        return LateReaders(start, starts) if starts else None

    def _other_beginnings(self):
        """Tensors that are initialized with a constant although a tensor for that exists, which nothing reads."""
        seen, read = set(), {number for record in self._trace.records for number in record.sources()}
        for members in self._writes.values():
            start = self._trace.records[regroupings.start(self._trace, members[0].number)]
            if start.op != "full" or start.key() in seen:
                continue
            seen.add(start.key())
            group = changes.Group(start, 0)
            for _, other in self._alternatives(start, start.shape):
                if other.number not in read and other.op != "full" and other.shape == start.shape:
                    find = self._index.relation(start, other)
                    yield changes.Repair(group, "operand", {"tensor": other.number},
                                         regroupings.replaced(find), also=changes.reads(group, find))

    # ---- when it is read

    def _late_reads(self):
        """Operations that read a carried tensor after it was replaced instead of before."""
        replaced = {one.number: one for members in self._writes.values() for one in members}
        seen = set()
        for record in self._trace.records:
            if record.kind != "op" or record.write or record.op not in replay_ops.OPERATIONS:
                continue
            for position, operand in enumerate(record.operands):
                write = replaced.get(operand[1]) if operand[0] == "record" else None
                if write is None or write.loops != record.loops or self._is_reset(write.number) or \
                        (record.key(), position) in seen:
                    continue
                seen.add((record.key(), position))
                detail = {"position": position, "tensor": write.number, "earlier": True}
                yield self._read_before(changes.Group(record, 0), position, detail, replaced)

    def _read_before(self, group, position, detail, replaced):
        def find(one):
            operand = one.operands[position]
            write = replaced.get(operand[1]) if operand[0] == "record" else None
            return None if write is None or write.loops != one.loops else write.target
        return changes.Repair(group, "operand", detail, remake.with_operand(self._torch, position, find),
                              also=changes.reads(group, find))

    # ---- what it is multiplied by

    def _missing_factors(self):
        """Sums that are not multiplied by the factor of another sum of the same loop."""
        writes = [members[-1] for members in self._writes.values()]
        factors = [(write, factor) for write in writes for factor in self._factors(write)]
        for write in writes:
            adding = self._trace.records[write.sources()[0]]
            position = _position(adding, write.target)
            if adding.op != "add" or position is None:
                continue
            for other, factor in factors:
                if other.loops != write.loops:
                    continue
                detail = {"also": "mul", "position": position, "tensor": factor.number}
                yield self._step_guess(changes.Group(adding, 0), "missing_tensor", detail,
                                       self._combining("mul", self._index.relation(adding, factor)))

    def _factors(self, write):
        """The tensors by which the old value of a carried tensor is multiplied on the way to its next one."""
        waiting = [(write.sources()[0], 0)]
        while waiting:
            number, depth = waiting.pop()
            record = self._trace.records[number]
            position = _position(record, write.target)
            if record.op == "mul" and position is not None and record.operands[1 - position][0] == "record":
                yield self._trace.records[record.operands[1 - position][1]]
            elif depth < _MOST_DEPTH and not record.write and record.kind == "op":
                waiting += [(source, depth + 1) for source in record.sources()]


def _position(record, number):
    """The position of record `number` among the operands of `record`, or None."""
    return next((at for at, operand in enumerate(record.operands) if operand == ["record", number]), None)
