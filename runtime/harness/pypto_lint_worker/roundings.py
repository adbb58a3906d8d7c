"""Guesses that the results of one operation, or of all operations that round to 16 bits, should not be rounded, as in a loop
that sums in FP16."""
from . import changes, regroupings

NARROW = ("DT_BF16", "DT_FP16")
_RANK = 20  # several places of the text change
_PASSED = ("view", "reshape", "unsqueeze", "transpose", "permute", "concat", "expand_clone", "clone")


class Narrow(changes.Group):
    """All operations that round their results to one type. `first`: the one to name."""

    def __init__(self, first, records):
        super().__init__(first, 0)
        self.lines = list(dict.fromkeys(one.line for one in records))
        self._keys = {one.key() for one in records}

    def has(self, record):
        return record.kind == "op" and not record.write and record.key() in self._keys and record.dtype == self.record.dtype


class Roundings:
    """Part of repairs.Guesses, whose fields it reads."""

    def _roundings(self, record, group):
        if record.dtype in NARROW:
            yield self._unrounded(group)

    def _unrounded(self, group):
        return self._guess(group, "rounding", {}, lambda one, trace, values: trace.compute(one, values), rounds=False)

    def _roundings_together(self):
        carried = {number for record in self._cone if regroupings.is_carried(record) for number in record.sources()}
        for dtype in NARROW:
            records = [one for one in self._cone if one.kind == "op" and not one.write and one.dtype == dtype and
                       one.op not in _PASSED]
            adding = [one for one in records if one.number in carried]
            if len({one.key() for one in records}) > 1:
                guess = self._unrounded(Narrow((adding or records)[0], records))
                guess.rank = _RANK
                yield guess
