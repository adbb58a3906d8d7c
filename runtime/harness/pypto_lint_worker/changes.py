"""One guess about a kernel: the records that it changes, and which operation of the text a record is."""
import bisect


class Repair:
    """One guess: `group` says which records it changes, `kind` of COSTS, words for people in `detail`
    (names of operations, numbers of axes, never values), and `make(record, trace, values)`, which
    gives the new result. `also`, unless it is None, gives the numbers of the records on which a record
    depends because of the guess."""

    __slots__ = ("group", "kind", "detail", "_make", "rounds", "confirmed", "also", "is_rough", "number", "step", "rank",
                 "dropped")

    def __init__(self, group, kind, detail, make, rounds=True, also=None):
        self.also = also
        self.group, self.kind, self.detail, self._make, self.rounds = \
            group, kind, detail, make, rounds
        self.confirmed = False  # the reference has what it makes
        self.number = None  # the scalar that it adds or multiplies by
        self.step = None  # function (record, tensor, trace, values): the missing step alone
        self.dropped = ()  # positions of the operands that nothing replaces
        self.rank = 0  # lower for a likelier guess of the same kind
        self.is_rough = False  # repaired outputs are within the tolerance, but not close to the reference

    @property
    def record(self):
        """The first one that it changes."""
        return self.group.record

    def __call__(self, record, trace, values):
        if not self.group.has(record):
            return None
        made = self._make(record, trace, values)
        return trace.rounded(record, made) if self.rounds and made is not None else made


def reads(group, find):
    """The `also` of a Repair under which each record of the group also depends on record `find(record)`, if that is not
    None."""
    def also(one):
        number = find(one) if group.has(one) else None
        return [] if number is None else [number]
    return also


class Group:
    """Records that one place of the kernel's text makes. `depth`: how many callers must be the same, so that a line of
    a helper stands for all its calls (0) or for one of them; `ordinal`: which of several operations of one name
    there, None = all; `line`: the line to name if it is another one, such as that of a definition."""

    def __init__(self, record, depth, ordinal=None, index=None, line=None):
        self.record, self.depth, self._ordinal, self._index, self._line = record, depth, ordinal, index, line
        self._path = record.callers[:depth]

    def has(self, record):
        """Is it one of them?"""
        return record.write == self.record.write and record.kind == "op" and record.key() == self.record.key() and \
            record.callers[:self.depth] == self._path and \
            (self._ordinal is None or self._index.ordinal(record) == self._ordinal)

    def line(self):
        """The line of the text that they have in common and others do not."""
        if self._line is not None:
            return self.record.file, self._line
        return (self.record.file,
                self.record.callers[self.depth - 1] if self.depth else self.record.line)


class Call(Group):
    """The operations of some names that one line makes, as softmax does of reductions along one axis."""

    def __init__(self, record, names):
        super().__init__(record, 0)
        self._names = names

    def has(self, record):
        return record.kind == "op" and not record.write and record.op in self._names and \
            (record.file, record.line) == (self.record.file, self.record.line)


class Shared(Group):
    """The operations that get a number from one definition in the text. `positions`: {(key, ordinal) of an operation: position
    of the number among its operands}."""

    def __init__(self, record, line, positions, index):
        super().__init__(record, 0, None, index, line)
        self.positions = positions

    def position(self, record):
        """The position of the number among the operands, or None if the record is another operation."""
        return self.positions.get((record.key(), self._index.ordinal(record))) if record.kind == "op" else None

    def has(self, record):
        return self.position(record) is not None


class Exchange(Repair):
    """The guess that two operations made each other's tensors."""

    __slots__ = ("identities", "_index")

    def __init__(self, index, identities, record, make, depth=0):
        super().__init__(Group(record, depth), "exchanged", {}, make)
        self._index, self.identities = index, identities

    def __call__(self, record, trace, values):
        if self._index.identity(record) not in self.identities:
            return None
        return self._make(record, trace, values)


class Index:
    """Operations by identity: the place in the kernel's text, its callers, and which of the operations there in one
    iteration."""

    def __init__(self, records):
        self._identities, self.members, self._least = {}, {}, {}
        counts = {}
        for record in records:
            if record.kind == "end":
                continue
            if record.kind == "op":
                depth = len(record.callers)
                self._least[record.launch] = min(depth, self._least.get(record.launch, depth))
            place = (record.kind, record.parameter if record.kind == "parameter" else -1) + \
                record.key() + record.callers
            here = (record.launch, tuple(record.loops)) + place
            ordinal = counts[here] = counts.get(here, -1) + 1
            self._identities[record.number] = (place, ordinal)
            self.members.setdefault((place, ordinal), []).append(record.number)

    def helpers(self, record):
        """The lines of the helper calls around a record, without the calls that launched the kernel."""
        return record.callers[:len(record.callers) - self._least.get(record.launch, 0)]

    def identity(self, record):
        """The same for all iterations."""
        return self._identities.get(record.number)

    def ordinal(self, record):
        """Which of the operations of its place in one iteration it is, from 0."""
        return self._identities[record.number][1]

    def before(self, identity, number):
        """The last record of that identity before `number`, or None."""
        members = self.members[identity]
        at = bisect.bisect_left(members, number)
        return members[at - 1] if at else None

    def finder(self, identity):
        """`before` as a function of a record."""
        return lambda record: self.before(identity, record.number)

    def relation(self, record, other):
        """`before` as a function of a record, for the tensor that is to that record what `other` is to `record`. In a helper that
        several lines call, it belongs to the same call."""
        (place, ordinal), mine = self._identities[other.number], record.callers
        shared = next((depth for depth, (one, two) in enumerate(zip(mine[::-1], other.callers[::-1])) if one != two),
                      min(len(mine), len(other.callers)))
        inner, left = place[:len(place) - shared], len(mine) - shared

        def find(one):
            there = inner + one.callers[left:], ordinal
            return self.before(there if there in self.members else (place, ordinal), one.number)
        return find
