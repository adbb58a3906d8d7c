"""The records of a run as a flow of data: which records an output comes from, and what it would be if
one operation were another. Only what depends on the change is computed again."""
from . import replay_ops
from .replay_ops import Unknown

# Steps through writes into one tensor, and records before one output, that are looked at.
MOST_STEPS = 20000
MOST_CONE = 1500
# What a record costs besides its elements: computed again, and looked at.
RECORD_WORK, VISIT_WORK = 30000, 1000
MOVES = ("cast", "view", "reshape")  # pass on elements of their operand
_WRITES = ("assemble", "move")
_ROUND = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16",
          "DT_DOUBLE": "float64", "DT_BOOL": "bool", "DT_INT32": "int32", "DT_INT16": "int16",
          "DT_INT64": "int64", "DT_INT8": "int8", "DT_UINT8": "uint8"}


class Piece:
    """A box of a tensor that one record wrote: `record`'s operand, whose first element lies at
    `offsets`; with `whole` the tensor of the record itself."""

    __slots__ = ("record", "offsets", "extents", "whole")

    def __init__(self, record, offsets, extents, whole):
        self.record, self.offsets, self.extents, self.whole = record, offsets, extents, whole


class Trace:
    """All records of a run."""

    def __init__(self, torch, records):
        self.torch, self.records = torch, records
        self._pieces = {}
        self._known, self._unclear = {}, {}
        self.work = 0  # what replays have cost, in elements
        self._link_launches()
        self.views = [record for record in records if record.op == "view"]

    def _link_launches(self):
        """What a launch left in a parameter is what a later one finds there."""
        ends, same = [], {}
        for record in self.records:
            for operand in record.operands:
                if operand[0] == "record":
                    operand[1] = same.get(operand[1], operand[1])
            record.target = same.get(record.target, record.target)
            if record.kind == "end" and record.value is not None:
                ends.append(record)
            elif record.kind == "parameter" and record.value is not None:
                for end in reversed(ends):
                    if end.shape == record.shape and end.dtype == record.dtype and \
                            self.torch.equal(end.value, record.value) and end.target >= 0:
                        same[record.number] = end.target
                        break

    def end(self):
        """The record of what the last launch left, or None."""
        return next((record for record in reversed(self.records) if record.kind == "end"), None)

    # ---- what is where

    def pieces(self, number, offsets, extents, values=()):
        """The writes that a window of the tensor of record `number` shows, newest first, down to the
        record that made it or that `values` has. Raises Unknown when there are too many."""
        found, steps = [], 0
        while True:
            record = self.records[number]
            steps += 1
            if steps > MOST_STEPS:
                raise Unknown("too many writes")
            if not record.write or number in values:
                found.append(Piece(record, [0] * len(record.shape), record.shape, True))
                return found
            if record.op not in _WRITES or record.partial or not record.sources():
                raise Unknown(record.op)
            if record.op == "move":
                number = record.sources()[0]
                continue
            source = self.records[record.sources()[0]]
            at = record.attributes["offsets"]
            if meets(at, source.shape, offsets, extents):
                found.append(Piece(record, at, source.shape, False))
                if _covers(at, source.shape, offsets, extents):
                    return found
            if record.target < 0:
                return found
            number = record.target

    def read(self, number, values, offsets=None, extents=None):
        """A window of the tensor of record `number` (None = all of it)."""
        torch, record = self.torch, self.records[number]
        if not record.write or number in values:
            value = self.value(number, values)
            return value if offsets is None else window(value, offsets, extents)
        offsets = [0] * len(record.shape) if offsets is None else offsets
        extents = record.shape if extents is None else extents
        pieces = self.pieces(number, offsets, extents, values)
        if len(pieces) == 1 and pieces[0].whole:
            return window(self.value(pieces[0].record.number, values), offsets, extents)
        made = torch.full(extents, float("nan"))
        for piece in reversed(pieces):
            source = piece.record.number if piece.whole else piece.record.sources()[0]
            paste(made, offsets, self.value(source, values), piece.offsets)
        return made

    def value(self, number, values):
        """The tensor of a record: replayed, else as it was."""
        if number in values:
            return values[number]
        record = self.records[number]
        if record.write:
            return self.read(number, values)
        if record.value is None:
            raise Unknown("no elements")
        return record.value

    def forms(self, number, operations=MOVES):
        """Yields record `number` and the records before it whose tensor it only converts or moves, nearest first."""
        record = self.records[number]
        yield record
        while record.op in operations and record.sources():
            record = self.records[record.sources()[0]]
            yield record

    def needs(self, record):
        """The numbers of the records that a record is computed from."""
        if record.number in self._pieces:
            return self._pieces[record.number]
        found = record.sources()
        if record.write:
            found = self.shown(record.number, [0] * len(record.shape), record.shape)
        elif record.op == "view" and found and self.records[found[0]].write:
            moved = found[:1] if self.records[found[0]].op == "move" else []
            found = self.shown(found[0], record.attributes["offsets"], record.shape) + moved
        self._pieces[record.number] = found
        return found

    def shown(self, number, offsets, extents):
        """The numbers of the records that a window of the tensor of record `number` shows."""
        return [piece.record.number if piece.whole else piece.record.sources()[0]
                for piece in self.pieces(number, offsets, extents)]

    def cone(self, root, also=None):
        """The records that `root` is computed from, and itself, in their order; Unknown when there
        are more than are looked at. `also`: the numbers of further records
        that a record is computed from."""
        seen, waiting = {root}, [root]
        while waiting:
            record = self.records[waiting.pop()]
            for number in self.needs(record) + ([] if also is None else also(record)):
                if number not in seen:
                    seen.add(number)
                    waiting.append(number)
            if len(seen) > MOST_CONE:
                raise Unknown("too many records")
        return [self.records[number] for number in sorted(seen)]

    # ---- doing it again

    def operands(self, record, values):
        """The operands of a record as tensors and numbers."""
        given = []
        for operand in record.operands:
            if operand[0] == "record":
                given.append(replay_ops.wide(self.torch, self.read(operand[1], values)))
            else:
                given.append(operand[1] if operand[0] == "number" else None)
        while given and given[-1] is None:
            given.pop()
        return given

    def compute(self, record, values):
        """The unrounded result of a record."""
        if record.op == "view":
            return self.read(record.sources()[0], values, record.attributes["offsets"],
                             record.shape)
        return replay_ops.run(self.torch, record, self.operands(record, values))

    def rounded(self, record, value):
        """A result in the record's dtype."""
        name = _ROUND.get(record.dtype)
        if name is None or not isinstance(value, self.torch.Tensor):
            raise Unknown(record.dtype)
        return value.to(getattr(self.torch, name))

    def can_replay(self, record):
        """Does torch give what the simulator gave?"""
        if record.number not in self._known:
            self._known[record.number] = self._is_faithful(record)
        return self._known[record.number]

    def _is_faithful(self, record):
        try:
            made = self.rounded(record, self.compute(record, {}))
        except Unknown:
            return False
        if record.value is None or made.shape != record.value.shape:
            return False
        one, other = made.double(), record.value.double()
        loose = 2e-2 if made.is_floating_point() and made.element_size() < 4 else 1e-4
        scale = other.abs()[self.torch.isfinite(other)]
        scale = float(scale.max()) if scale.numel() else 0.0
        near = (one - other).abs() <= loose * other.abs() + loose * 1e-2 * scale
        # What is computed from elements that are not valid may be anything.
        anything = any(replay_ops.is_partial(self.records[number].shape, record.shape)
                       for number in record.sources())
        good = near | (one == other) | (one.isnan() & (other.isnan() | anything))
        if not bool(good.all()) and record.op in replay_ops.BINARY:
            self._unclear[record.number] = axes = self._repeated_axes(record)
            good = _first(good, axes)
        if record.op == "cast":  # what a dtype cannot hold, it may hold under another guess
            good |= replay_ops.is_out_of_range(self.torch, self.operands(record, {})[0], record.dtype)
        return bool(good.all())

    def _repeated_axes(self, record):
        """Axes along which an operand has one valid element and the result more: it is repeated, or, if only so much
        of its tile is valid, all but the first element of the result may be anything."""
        shapes = [self.records[number].shape for number in record.sources()]
        return [axis for axis, extent in enumerate(record.shape) if extent > 1 and any(
            len(shape) == len(record.shape) and shape[axis] == 1 for shape in shapes)]

    def clear_part(self, record):
        """The elements of a record, which has some, without those that may be anything."""
        if record.op in replay_ops.BINARY and self._repeated_axes(record):
            self.can_replay(record)
        return _first(record.value, self._unclear.get(record.number, ()))

    def replay(self, cone, change):
        """The values of a cone under a change: `change(record, trace, values)` gives the tensor of a
        record, or None where it changes nothing. Unknown when something cannot be replayed."""
        values, changed = {}, set()
        self.work += VISIT_WORK * len(cone)
        for record in cone:
            depends = any(number in changed for number in self.needs(record))
            made = change(record, self, values)
            if record.write and made is None:
                changed.update([record.number] if depends else [])
                continue
            if made is None:
                if not depends:
                    continue
                if not self.can_replay(record):
                    raise Unknown(record.op)
                made = self.rounded(record, self.compute(record, values))
            values[record.number] = made
            self.work += RECORD_WORK + made.numel()
            changed.add(record.number)
        return values


def meets(at, extents, offsets, wanted):
    return all(start < low + size and low < start + extent
               for start, extent, low, size in zip(at, extents, offsets, wanted))


def _first(value, axes):
    for axis in axes:
        value = value.narrow(axis, 0, 1)
    return value


def _covers(at, extents, offsets, wanted):
    return all(start <= low and low + size <= start + extent
               for start, extent, low, size in zip(at, extents, offsets, wanted))


def window(value, offsets, extents):
    if value.dim() != len(extents):
        raise Unknown("a window of another rank")
    for axis, (low, size) in enumerate(zip(offsets, extents)):
        if low < 0 or low + size > value.shape[axis]:
            raise Unknown("a window over the edge")
        value = value.narrow(axis, low, size)
    return value


def paste(made, corner, value, at):
    """Puts `value`, which lies at `at`, into a window whose corner is `corner`."""
    if value.dim() != made.dim():
        raise Unknown("a window of another rank")
    for axis in range(made.dim()):
        low = max(at[axis], corner[axis])
        high = min(at[axis] + value.shape[axis], corner[axis] + made.shape[axis])
        if low >= high:
            return
        made = made.narrow(axis, low - corner[axis], high - low)
        value = value.narrow(axis, low - at[axis], high - low)
    made.copy_(value)
