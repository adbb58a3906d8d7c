"""Guesses about a scalar that says where windows begin or end, wherever the kernel uses it: for several views, and for
tensors of ones with as many valid rows."""
import itertools

from . import changes, windows

_STEPS = (1, -1, 2, -2, 3, -3)
_MOST_LINES = 16  # views that are looked at
_MOST_LIKE = 4  # other windows whose extent is tried


class Planned(changes.Group):
    """Records that get other windows. `plan`: {number: (offsets, shape)}."""

    def __init__(self, record, plan):
        super().__init__(record, 0)
        self.plan = plan

    def has(self, record):
        return record.number in self.plan


class SharedWindows:
    """Part of repairs.Guesses, whose fields it reads."""

    def _shared_windows(self):
        seen = set()
        for record in self._cone:
            place = record.key() + record.callers
            if record.op != "view" or place in seen or len(seen) == _MOST_LINES:
                continue
            seen.add(place)
            members = [one for one in self._trace.views if one.key() == record.key() and
                       one.callers == record.callers and one.launch == record.launch][:windows.MOST_MEMBERS]
            for axis in range(len(record.shape)):
                if self._text.has_valid_extent(record.line, axis):
                    yield from self._ends_of(members, axis)

    def _ends_of(self, members, axis):
        """Other places and extents along an axis, each for all windows that have the same in all iterations."""
        alike = self._alike(members, axis)
        tried = {tuple((view.attributes["offsets"][axis], view.shape[axis]) for view in members)}
        for kind, move in itertools.chain(_moves(self._trace, axis), self._like_others(members, axis)):
            moved = [move(view) for view in members]
            if tuple(moved) in tried or any(begin < 0 or extent <= 0 for begin, extent in moved):
                continue
            tried.add(tuple(moved))
            yield self._moved_ends(kind, members, axis, moved, alike)

    def _moved_ends(self, kind, members, axis, moved, alike):
        plan, differing = {}, None
        for view, (begin, extent), others in zip(members, moved, alike):
            now = (view.attributes["offsets"][axis], view.shape[axis])
            if (begin, extent) == now:
                continue
            if differing is None:
                at = 0 if kind == "begin" else 1
                differing = {"axis": axis, "begins": now[at], "right": (begin, extent)[at], "record": view.number}
            for one, along in [(view, axis)] + others:
                shape = list(one.shape)
                shape[along] = extent
                offsets = list(one.attributes["offsets"]) if one.op == "view" else None
                if offsets is not None and offsets[along] == now[0]:
                    offsets[along] = begin
                plan[one.number] = offsets, shape

        def make(one, trace, values):
            offsets, shape = plan[one.number]
            if offsets is None:
                return self._torch.full(shape, one.operands[0][1])
            return trace.read(one.sources()[0], values, offsets, shape)
        return self._guess(Planned(members[0], plan), kind, differing, make)

    def _alike(self, members, axis):
        """For each window [(record, axis)] of the others in its iteration that are as long as it is in all iterations."""
        here = {}
        for one in self._trace.records:
            if one.kind == "op" and (one.op == "view" or (one.op == "full" and one.operands[0][0] == "number")):
                here.setdefault((one.launch, tuple(one.loops), one.callers), []).append(one)
        found = []
        for view in members:
            others = here[view.launch, tuple(view.loops), view.callers]
            found.append({(one.key(), self._index.ordinal(one), along): (one, along) for one in others
                          for along, extent in enumerate(one.shape) if one.key() != view.key() and
                          extent == view.shape[axis]})
        common = set.intersection(*(set(one) for one in found)) if self._varies(members, axis) else set()
        return [[one[place] for place in common] for one in found]

    @staticmethod
    def _varies(members, axis):
        """Is the extent computed in the loop? Else another one may be equal by chance."""
        return len({view.shape[axis] for view in members}) > 1 or any(
            view.attributes["shape"] and view.shape[axis] < view.attributes["shape"][axis] for view in members)

    def _like_others(self, members, axis):
        """Extents of other windows in the same iteration, where they differ."""
        first, found = members[0], []
        for key in dict.fromkeys(other.key() for other in self._trace.views if other.launch == first.launch and
                                 other.loops == first.loops and other.key() != first.key()):
            views = windows.views_of(self._trace, key)
            for along in range(len(next(iter(views.values())).shape)):
                extents = [views[place].shape[along] for place in map(windows.iteration, members) if place in views]
                if len(set(extents)) > 1 and len(extents) == len(members):
                    found.append(("end", _as_in(views, along, axis)))
        return found[:_MOST_LIKE]


def _as_in(views, along, axis):
    return lambda view: (view.attributes["offsets"][axis], views[windows.iteration(view)].shape[along])


def _moves(trace, axis):
    """(kind, function from a view to (begin, extent)): it begins elsewhere and ends where it does, it ends elsewhere, or
    only the windows at an edge do."""
    def reach(view):
        return trace.records[view.sources()[0]].shape[axis]

    def most(view):
        return view.attributes["shape"][axis] if view.attributes["shape"] else view.shape[axis]

    def later(view, step):
        begin = max(view.attributes["offsets"][axis] + step, 0)
        return begin, min(view.shape[axis] + view.attributes["offsets"][axis] - begin, most(view))

    def longer(view, step):
        begin = view.attributes["offsets"][axis]
        return begin, min(view.shape[axis] + step, most(view), reach(view) - begin)

    def longer_at_edge(view, step):
        return longer(view, step) if view.attributes["offsets"][axis] == 0 else longer(view, 0)
    for kind, move in (("begin", later), ("end", longer), ("end", longer_at_edge)):
        for step in _STEPS:
            yield kind, lambda view, move=move, step=step: move(view, step)
    yield "end", lambda view: (view.attributes["offsets"][axis], min(most(view), reach(view) - view.attributes["offsets"][axis]))
