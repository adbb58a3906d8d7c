"""Guesses about what loops carry: where it begins, what it is multiplied by, which of its values is read."""
from . import changes, regroupings, remake, replay_ops

_MOST_DEPTH = 3  # operations between a write and the product of what is carried


class Readers(changes.Group):
    """The operations of an iteration that read what the iteration of an outer loop before left in carried tensors.
    `starts`: by the number of a record, {position: number of the record that the tensor began with}."""

    def __init__(self, record, starts):
        super().__init__(record, 0)
        self.starts = starts

    def has(self, record):
        return record.number in self.starts


class LoopStates:
    """Part of repairs.Guesses, whose fields it reads."""

    def _writes(self):
        """{place: [record]} of the writes into carried tensors of the launch."""
        found = {}
        for record in self._trace.records:
            if regroupings.is_carried(record) and record.launch == self._cone[-1].launch:
                found.setdefault(record.key(), []).append(record)
        return found

    # ---- where it begins

    def _beginnings(self):
        """Tensors that begin once where they should in each iteration of an outer loop, or in each where they should once."""
        writes = self._writes()
        yield from self._begins_again(writes)
        groups = [group for group in (self._late_readers(members) for members in writes.values()) if group]
        if len(groups) > 1:
            merged = {}
            for group in groups:
                for number, places in group.starts.items():
                    merged.setdefault(number, {}).update(places)
            groups.insert(0, Readers(groups[0].record, merged))
        for group in groups:
            def also(one, group=group):
                return list(group.starts.get(one.number, {}).values())
            yield changes.Repair(group, "begins_once", {}, self._begun(group), also=also)

    def _begins_again(self, writes):
        for members in writes.values():
            record = members[0]
            source = self._trace.records[record.sources()[0]]
            if not record.loops or (source.op != "full" and len(source.loops) >= len(record.loops)):
                continue
            first = {}
            for one in self._trace.records:  # the very first one of a tensor without elements carries nothing
                if one.write and one.key() == record.key() and one.launch == record.launch:
                    first.setdefault(tuple(one.loops[:-1]), one.number)
            first = set(first.values())
            group = changes.Group(record, 0)

            def also(one, group=group, first=first):
                return [one.target] if group.has(one) and one.number not in first else []

            def make(one, trace, values, first=first):
                return None if one.number in first else trace.read(one.target, values)
            yield changes.Repair(group, "begins_again", {}, make, also=also)

    def _late_readers(self, members):
        """Readers of what these writes left in another iteration of the loop around the innermost one."""
        record = members[0]
        start = self._trace.records[regroupings.start(self._trace, record.number)]
        depth = len(record.loops) - 1
        if depth < 1 or start.write or start.kind != "op" or len(start.loops) >= depth + 1 or start.loops[:depth] == \
                record.loops[:depth]:
            return None
        numbers, starts = {one.number: one for one in members}, {}
        for reader in self._trace.records:
            if reader.kind != "op" or reader.write or len(reader.loops) <= depth:
                continue
            for position, operand in enumerate(reader.operands):
                left = numbers.get(operand[1]) if operand[0] == "record" else None
                if left is not None and left.loops[:depth] != reader.loops[:depth]:
                    starts.setdefault(reader.number, {})[position] = start.number
        return Readers(start, starts) if starts else None

    def _begun(self, group):
        def make(one, trace, values):
            given = trace.operands(one, values)
            for position, number in group.starts[one.number].items():
                given[position] = replay_ops.wide(self._torch, trace.value(number, values))
            return remake.run(self._torch, one, given)
        return make

    def _other_beginnings(self):
        """Tensors that begin with a constant where they should with another tensor, which nothing reads as it is."""
        seen, read = set(), {number for record in self._trace.records for number in record.sources()}
        for members in self._writes().values():
            start = self._trace.records[regroupings.start(self._trace, members[0].number)]
            if start.op != "full" or start.key() in seen:
                continue
            seen.add(start.key())
            group = changes.Group(start, 0)
            for identity, other in self._alternatives(start, start.shape):
                def also(one, group=group, identity=identity):
                    number = self._index.before(identity, one.number) if group.has(one) else None
                    return [] if number is None else [number]
                if other.number not in read and other.op != "full" and other.shape == start.shape:
                    yield changes.Repair(group, "operand", {"tensor": other.number},
                                         regroupings.replaced(self._torch, self._index, identity), also=also)

    # ---- what is read of it

    def _late_reads(self):
        """Operations that read what a loop carries after it was replaced, and should before."""
        replaced = {one.number: one for members in self._writes().values() for one in members}
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
        def earlier(one):
            operand = one.operands[position]
            write = replaced.get(operand[1]) if operand[0] == "record" else None
            return None if write is None or write.loops != one.loops else write.target

        def also(one):
            number = earlier(one) if group.has(one) else None
            return [] if number is None else [number]

        def make(one, trace, values):
            number = earlier(one)
            if number is None:
                return None
            given = trace.operands(one, values)
            given[position] = replay_ops.wide(self._torch, trace.read(number, values))
            return remake.run(self._torch, one, given)
        return changes.Repair(group, "operand", detail, make, also=also)

    # ---- what it is multiplied by

    def _fades(self):
        """A sum that is not multiplied by what another sum of the same loop is multiplied by."""
        writes = [members[-1] for members in self._writes().values()]
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
                step = self._combining("mul", self._index.identity(factor))
                yield changes.Repair(changes.Group(adding, 0), "missing_tensor", detail,
                                     self._with_step(position, step))

    def _factors(self, write):
        """The tensors that what a write replaces is multiplied by."""
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
    """Of a record among the operands of another."""
    return next((at for at, operand in enumerate(record.operands) if operand == ["record", number]), None)
