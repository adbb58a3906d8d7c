"""Guesses about the windows that a kernel reads: where they begin, how large they are, of which parameter they are."""
import itertools

from . import regroupings, remake, replay_ops

MOST_MEMBERS = 500  # records of one line that are looked at to tell two guesses apart
_FARTHEST = 1 << 31  # a number beyond it is no place


class Windows:
    """Part of repairs.Guesses, whose fields it reads."""

    def _offsets(self, record, group):
        if record.op != "view":
            return
        extents = record.attributes["shape"] or record.shape
        members = [one for one in self._trace.views if group.has(one)][:MOST_MEMBERS]
        seen = {tuple(tuple(one.attributes["offsets"]) for one in members)}
        moves = [(axis, move) for axis in range(len(record.shape))
                 for move in remake.moves(record, axis, extents)]
        for key in regroupings.siblings(self._trace, record):
            move = regroupings.offsets_like(self._trace, key)
            apart = [axis for axis, (one, other) in enumerate(zip(
                record.attributes["offsets"], move(record))) if one != other]
            moves.append((apart[0] if apart else 0, move))
        for axis, move in moves:
            moved = tuple(tuple(move(one)) for one in members)
            if moved in seen:
                continue
            seen.add(moved)

            def window(one, trace, values, move=move):
                return remake.window(trace, one, move(one), values)
            yield self._guess(group, "offset", _moved(axis, members, moved), window)

    def _sources(self, record, group):
        """A view of another parameter."""
        if record.op != "view":
            return
        for other in self._trace.records:
            if other.kind != "parameter" or other.launch != record.launch:
                continue
            if other.number == record.sources()[0] or len(other.shape) != len(record.shape):
                continue

            def window(one, trace, values, number=other.number):
                return trace.read(number, values, one.attributes["offsets"], one.shape)
            yield self._guess(group, "source", {"parameter": other.parameter, "name": other.name},
                              window)

    def _far_offsets(self, record, group):
        """Some windows further on, as the part of a packed tensor that another name stands for, or where others end."""
        if record.op != "view":
            return
        members = [one for one in self._trace.views if group.has(one)][:MOST_MEMBERS]
        source = self._trace.records[record.sources()[0]]
        extents = record.attributes["shape"] or record.shape
        for axis in range(len(record.shape)):
            ends = regroupings.at_ends(self._trace, record, axis) if source.kind == "op" else ()
            moves = itertools.chain(ends,
                                    remake.far_moves(axis, extents[axis], members, source.shape[axis]))
            for move in moves:
                def window(one, trace, values, move=move):
                    return remake.window(trace, one, move(one), values)
                detail = _moved(axis, members, [move(one) for one in members])
                yield self._guess(group, "offset", detail, window)

    def _extents(self, record, group):
        """A window as large as another one, which it meets."""
        if record.op != "view":
            return
        for shape in regroupings.extents_like(self._trace, record):
            def window(one, trace, values, shape=shape):
                return trace.read(one.sources()[0], values, one.attributes["offsets"], shape)
            axis = next(at for at, (one, extent) in enumerate(zip(record.shape, shape)) if one < extent)
            yield self._guess(group, "extent", {"axis": axis}, window)

    def _numbers_of_windows(self, record, group):
        """Where another window begins, as a number."""
        if record.op not in replay_ops.OPERATIONS or record.op == "clip" or not record.loops:
            return
        for position, operand in enumerate(record.operands):
            if operand[0] == "number" and operand[1].is_integer() and 0 <= operand[1] < _FARTHEST:
                for places in regroupings.begins_of_windows(self._trace, record):
                    yield self._guess(group, "number", {"position": position},
                                      remake.with_number_of(self._torch, position, places))


def _moved(axis, members, offsets):
    """The axis along which windows begin elsewhere, and where: in the first execution that differs."""
    for record, begins in zip(members, offsets):
        if begins[axis] != record.attributes["offsets"][axis]:
            return {"axis": axis, "begins": record.attributes["offsets"][axis], "right": begins[axis],
                    "record": record.number}
    return {"axis": axis}
