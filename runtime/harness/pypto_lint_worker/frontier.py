"""Which of the kernel's tensors the reference has: it shows some records to be right, and it lacks the results of
the first wrong operations although it has their operands."""
from . import matching
from .golden_record import GoldenTensor

_FEW = 16


class Frontier:
    """What is known of the records of one run. `known`: {number of a record: where the reference has its tensor};
    False if it does not have it, None if that tells nothing."""

    def __init__(self, trace, torch, inputs, tensors):
        self._trace = trace
        self.known, self.written_elsewhere = {}, set()
        self.pool = matching.Pool(torch, [GoldenTensor(None, value) for value in inputs] + tensors)

    def _matches(self, record):
        if record.value is None:
            return None
        value = self._trace.clear_part(record)
        if not matching.is_telling(value):
            return False if self._is_strange(record, value) else None
        return self.pool.find(value, record.dtype) or False

    def _is_strange(self, record, value):
        """Does it have only a few elements, and does the reference have none of them?"""
        return value.is_floating_point() and 0 < value.numel() <= _FEW and bool(value.all()) and \
            not any(self.pool.has(number, record.dtype) for number in value.reshape(-1).tolist())

    def _judged(self, cone):
        """For each record of a cone whether the reference has its tensor; None = not conclusive."""
        for record in cone:
            if record.number not in self.known and record.kind != "end" and not record.write:
                self.known[record.number] = self._matches(record)
        if self.known.get(cone[-1].number):  # it is another tensor than the one to be written
            self.known[cone[-1].number] = False
            self.written_elsewhere.add(cone[-1].number)
        return self.known

    def innocent(self, cone):
        """Records whose tensors the reference has, and records that are only used to compute such tensors. Views are left
        out: the reference has every window of an input, even a wrong one."""
        known = self._judged(cone)
        back = self._comes_back(cone, known)
        return {record.number for record in cone if record.op != "view" and
                (record.number in back or
                 (known.get(record.number) and not self.changes_nothing(record)))}

    def changes_nothing(self, record):
        """Is its tensor in the reference only because an operand is? That happens with a factor of 1, or with an addend too
        small to show."""
        return self.has_operand(record, self.known.get(record.number))

    def has_operand(self, record, found):
        """Is an operand of a record the same tensor of the reference as the one that was found?"""
        theirs = [self.known.get(number) for number in self._trace.needs(record)]
        return any(other and (other.tensor, other.first) == (found.tensor, found.first) for other in theirs)

    def first_lacking(self, cones):
        """Operations whose results the reference lacks although it has all operands, and which do not lead back to a
        tensor that it has."""
        found = {}
        for _, cone in cones[:2]:
            known = self._judged(cone)
            back = self._comes_back(cone, known)
            for record in cone:
                if known.get(record.number) is not False or record.kind != "op" or \
                        record.number in back:
                    continue
                if not any(self._lacks(number) for number in self._trace.needs(record)):
                    found.setdefault(record.key(), record)
        return list(found.values())

    def _lacks(self, number):
        """Does the reference lack the tensor, or the one that a name carries over from the iteration before?"""
        record = self._trace.records[number]
        moved = record.sources() if record.write and record.op == "move" and not record.partial else []
        return self.known.get(moved[0] if moved else number) is False

    def _comes_back(self, cone, known):
        """Records whose every use leads through a later record that the reference has."""
        readers = {record.number: [] for record in cone}
        for record in cone:
            for number in self._trace.needs(record):
                if number in readers:
                    readers[number].append(record)
        back = set()
        for record in reversed(cone):
            if readers[record.number] and all(
                    reader.number in back or
                    (known.get(reader.number) and not self.changes_nothing(reader))
                    for reader in readers[record.number]):
                back.add(record.number)
        return back
