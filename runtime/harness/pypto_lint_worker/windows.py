"""Guesses that a kernel should read a window in another place, with another extent or of another parameter; also guesses
that the number of an operation should be where a window begins."""
import itertools

from . import remake, replay, replay_ops

MOST_MEMBERS = 500  # records of one line that are looked at to tell two guesses apart
_MOST_SIBLINGS = 8  # other windows that are tried for one
_FARTHEST = 1 << 31  # larger numbers are not offsets


class Windows:
    """Part of repairs.Guesses, whose fields it reads."""

    def _members(self, group):
        return [one for one in self._trace.views if group.has(one)][:MOST_MEMBERS]

    def _at(self, group, axis, move, members):
        """The guess that windows begin at the offsets that `move(record)` gives; `axis`: the one to report."""
        def window(one, trace, values):
            return remake.window(trace, one, move(one), values)
        also = self._writes_behind(group, move) if any(self._is_written(one) for one in members) else None
        return self._guess(group, "offset", _moved(axis, members, move), window, also=also)

    def _is_written(self, view):
        return self._trace.records[view.sources()[0]].write

    def _writes_behind(self, group, move):
        """The `also` of a Repair whose windows begin at the offsets of `move`: the writes that they show there."""
        def also(one):
            if not group.has(one) or not self._is_written(one):
                return []
            self._trace.work += replay.VISIT_WORK
            return self._trace.shown(one.sources()[0], move(one), one.shape)
        return also

    def _offsets(self, record, group):
        if record.op != "view":
            return
        extents = record.attributes["shape"] or record.shape
        members = self._members(group)
        seen = {tuple(tuple(one.attributes["offsets"]) for one in members)}
        moves = [(axis, move) for axis in range(len(record.shape))
                 for move in remake.moves(record, axis, extents)]
        moves += self._of_executions(record, members, extents)
        for key in _siblings(self._trace, record):
            move = _offsets_like(self._trace, key)
            apart = [axis for axis, (one, other) in enumerate(zip(
                record.attributes["offsets"], move(record))) if one != other]
            moves.append((apart[0] if apart else 0, move))
        for axis, move in moves:
            moved = tuple(tuple(move(one)) for one in members)
            if moved not in seen:
                seen.add(moved)
                yield self._at(group, axis, move, members)

    def _of_executions(self, record, members, extents):
        """[(axis, function from a record to offsets)] for a line that reads several windows in an iteration, as in a plain
        Python loop: each begins further on than the one before."""
        def moved(axis, step):
            def move(one):
                offsets = list(one.attributes["offsets"])
                offsets[axis] += step * self._index.ordinal(one)
                return offsets
            return axis, move
        if all(self._index.ordinal(one) == 0 for one in members):
            return []
        return [moved(axis, step) for axis in range(len(record.shape)) for step in sorted({1, -1, extents[axis]})]

    def _far_offsets(self, record, group):
        """Windows that begin several windows away, as the parts of a packed tensor do, or where other windows end."""
        if record.op != "view":
            return
        members = self._members(group)
        source = self._trace.records[record.sources()[0]]
        extents = record.attributes["shape"] or record.shape
        for axis in range(len(record.shape)):
            ends = _ends_of_windows(self._trace, record, axis) if source.kind == "op" else ()
            for move in itertools.chain(ends, remake.far_moves(axis, extents[axis], members, source.shape[axis])):
                yield self._at(group, axis, move, members)

    def _sources(self, record, group):
        """A view of another parameter."""
        if record.op != "view":
            return
        for other in self._trace.records:
            if other.kind != "parameter" or other.launch != record.launch:
                continue
            if other.number != record.sources()[0] and len(other.shape) == len(record.shape):
                yield self._of_source(group, other)

    def _of_source(self, group, parameter):
        def window(one, trace, values):
            return trace.read(parameter.number, values, one.attributes["offsets"], one.shape)
        return self._guess(group, "source", {"parameter": parameter.parameter, "name": parameter.name}, window)

    def _extents(self, record, group):
        """A window of one element along an axis that should be as large as another window of the iteration, or a window that
        should be the whole tensor."""
        if record.op != "view":
            return
        for shape in _larger_shapes(self._trace, record) + self._shapes_of_results(record):
            def window(one, trace, values, shape=shape):
                return trace.read(one.sources()[0], values, one.attributes["offsets"], shape)
            yield self._guess(group, "extent", {"axis": _longer(record.shape, shape)}, window)
        source = self._trace.records[record.sources()[0]]
        if source.kind == "op" and _is_part(record.shape, source.shape):
            def whole(one, trace, values):
                return trace.read(one.sources()[0], values)
            yield self._guess(group, "extent", {"axis": _longer(record.shape, source.shape)}, whole)

    def _shapes_of_results(self, record):
        """The shapes that a window with single elements along some axes would need to be combined with another tensor element
        by element, instead of being repeated; also after steps that have its own shape."""
        waiting, found = [record], []
        source = self._trace.records[record.sources()[0]]
        while waiting:
            one = waiting.pop()
            for reader in self._cone:
                if one.number not in reader.sources() or reader.op not in replay_ops.BY_ELEMENT:
                    continue
                if reader.shape == record.shape:
                    waiting.append(reader)
                elif _is_spread(record.shape, reader.shape):
                    found += [shape for shape in _partly(record.shape, reader.shape) if shape not in found and all(
                        begin + extent <= size for begin, extent, size in
                        zip(record.attributes["offsets"], shape, source.shape))]
        return found[:_MOST_SIBLINGS]

    def _numbers_of_windows(self, record, group):
        """A number that should be where a window begins."""
        if record.op not in replay_ops.OPERATIONS or record.op == "clip" or not record.loops:
            return
        for position, operand in enumerate(record.operands):
            if operand[0] == "number" and operand[1].is_integer() and 0 <= operand[1] < _FARTHEST:
                for places in _begins_of_windows(self._trace, record):
                    yield self._guess(group, "number", {"position": position},
                                      remake.with_number_of(self._torch, position, places))


def _moved(axis, members, move):
    """The axis along which windows begin elsewhere, and where: in the first execution that differs."""
    for record in members:
        begins, right = record.attributes["offsets"][axis], move(record)[axis]
        if begins != right:
            return {"axis": axis, "begins": begins, "right": right, "record": record.number}
    return {"axis": axis}


def iteration(record):
    return record.launch, tuple(record.loops)


def views_of(trace, key):
    """{iteration: view} of one line."""
    return {iteration(other): other for other in trace.views if other.key() == key}


def _siblings(trace, record):
    """The keys of views of the same shape in other lines of the same iteration."""
    return list(keys_beside(trace, record, record.shape))[:_MOST_SIBLINGS]


def keys_beside(trace, record, shape=None):
    """The keys of views in other lines of the same iteration, of one shape or of any; a dict keeps their order."""
    return dict.fromkeys(other.key() for other in trace.views if other.launch == record.launch and
                         other.loops == record.loops and other.key() != record.key() and shape in (None, other.shape))


def _offsets_like(trace, key):
    """A function from a view to the offsets of the view `key` in the same iteration."""
    views = views_of(trace, key)
    return lambda one: list(views.get(iteration(one), one).attributes["offsets"])


def _ends_of_windows(trace, record, axis):
    """Functions from a view to offsets that, along an axis, are the valid extent of another window of the iteration, or
    one less: the rows after a tile that is not full begin where its valid rows end."""
    found = []
    for key in keys_beside(trace, record):
        views = views_of(trace, key)
        for of, extents in enumerate(zip(*(view.shape for view in views.values()))):
            if len(set(extents)) > 1:
                found += [_at_end(views, of, axis, before) for before in (0, 1)]
    return found[:_MOST_SIBLINGS]


def _at_end(views, of, axis, before):
    def move(one):
        offsets, view = list(one.attributes["offsets"]), views.get(iteration(one))
        if view is not None:
            offsets[axis] = max(0, view.shape[of] - before)
        return offsets
    return move


def _is_part(shape, larger):
    return len(shape) == len(larger) and shape != larger and all(one <= extent for one, extent in zip(shape, larger))


def _longer(shape, larger):
    """The first axis along which a shape is longer."""
    return next(at for at, (one, extent) in enumerate(zip(shape, larger)) if one < extent)


def _larger_shapes(trace, record):
    """The shapes of windows in the same iteration and call that are larger where this one has one element along an axis,
    and equal along the other axes."""
    found = []
    for other in trace.views:
        if iteration(other) == iteration(record) and other.callers == record.callers and \
                other.shape not in found and _is_spread(record.shape, other.shape):
            found.append(other.shape)
    return found[:_MOST_SIBLINGS]


def _is_spread(shape, larger):
    """Does repeating single elements turn one shape into the larger one?"""
    return len(shape) == len(larger) and \
        all(one in (1, extent) for one, extent in zip(shape, larger)) and \
        any(one == 1 < extent for one, extent in zip(shape, larger))


def _partly(shape, larger):
    """The shapes between two that differ along axes where the first has one element."""
    axes = [axis for axis, (one, extent) in enumerate(zip(shape, larger)) if one < extent]
    for count in range(1, len(axes) + 1):
        for chosen in itertools.combinations(axes, count):
            yield [larger[axis] if axis in chosen else extent for axis, extent in enumerate(shape)]


def _begins_of_windows(trace, record):
    """[{iteration: number}]: where the windows of each line begin along each axis, if that depends on the iteration."""
    found = {}
    for other in trace.views:
        if other.launch == record.launch and len(other.loops) <= len(record.loops):
            for axis, begin in enumerate(other.attributes["offsets"]):
                found.setdefault((other.key(), other.callers, axis), {})[iteration(other)] = float(begin)
    different = {}
    for places in found.values():
        if len(set(places.values())) > 1:
            different.setdefault(tuple(sorted(places.items())), places)
    return list(different.values())[:_MOST_SIBLINGS]
