"""Expressions of the text that compute scalars, and the operations that depend on them (other_scalars.py)."""
from . import changes


class Attribute:
    """What a scalar of the text determines in an operation: `kind` is "begin", "end" (of a slice), "valid", "diagonal" or
    "number" (of the operand `axis`)."""

    __slots__ = ("kind", "axis", "node")

    def __init__(self, kind, axis, node):
        self.kind, self.axis, self.node = kind, axis, node


class Site:
    """An expression of the text. `users`: {place: (sample records, [Attribute])} of the operations that depend on it,
    `loops`: {loop: keys of sample runs} of the loops whose bounds do, `places`: of all records that it affects."""

    def __init__(self, root, line, place):
        self.root, self.line, self.place = root, line, place
        self.users, self.loops, self.places = {}, {}, set()
        self.is_local = True  # in a function


class Computed(changes.Group):
    """The records that an expression affects. `numbers`: of records that other iterations of a loop affect."""

    def __init__(self, site, numbers, trace):
        first = next((samples[0] for samples, _ in site.users.values()), None)
        super().__init__(trace.records[min(numbers)] if first is None else first, 0, line=site.line)
        self._site, self._numbers = site, numbers

    def has(self, record):
        return record.kind == "op" and (record.number in self._numbers or place_of(record) in self._site.users)


def place_of(record):
    return record.key() + record.callers
