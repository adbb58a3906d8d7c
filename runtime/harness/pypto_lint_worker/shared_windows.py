"""Guesses about a scalar that determines where windows begin or end, wherever the kernel uses it: for several views, and for
constant tensors of the same length."""
import functools
import itertools

from . import changes, windows

_STEPS = (1, -1, 2, -2, 3, -3)
_MOST_LINES = 16  # of views, or of constant tensors
_MOST_VIEWS = 64  # followed in the text
_MOST_LIKE = 4  # other windows whose extent is tried


class Planned(changes.Group):
    """Records that get other windows. `plan`: {number: (offsets, shape)}; `line`: the line that computes the scalar that they
    share, if the text shows it."""

    def __init__(self, record, plan, line=None):
        super().__init__(record, 0, line=line)
        self.plan = plan

    def has(self, record):
        return record.number in self.plan


class SharedWindows:
    """Part of repairs.Guesses, whose fields it reads."""

    def _shared_windows(self):
        for record, members in self._by_place(lambda one: one.op == "view"):
            for axis in range(len(record.shape)):
                yield from self._ends_of(members, axis, self._text.has_valid_extent(record.line, axis))
        yield from self._lengths_of_constants()
        yield from self._shared_begins()

    def _by_place(self, is_wanted):
        """Yields (record of the cone, records of its place and call), once for each place."""
        seen = set()
        for record in self._cone:
            place = record.key() + record.callers
            if not is_wanted(record) or place in seen or len(seen) == _MOST_LINES:
                continue
            seen.add(place)
            members = (one for one in self._trace.records if one.key() == record.key() and
                       one.callers == record.callers and one.launch == record.launch)
            yield record, list(itertools.islice(members, windows.MOST_MEMBERS))

    def _lengths_of_constants(self):
        """Constant tensors that should be as long as a window of the iteration."""
        for record, members in self._by_place(_is_constant):
            for axis in range(len(record.shape)):
                for _, move in self._like_others(members, axis):
                    moved = [move(one) for one in members]
                    if any(extent > one.shape[axis] for one, (_, extent) in zip(members, moved)) or \
                            all(extent == one.shape[axis] for one, (_, extent) in zip(members, moved)):
                        continue
                    yield self._moved_ends("end", members, axis, moved, [[] for _ in members])

    def _shared_begins(self):
        """Another value of a scalar that determines where the windows of several lines begin: they move by the same step in
        all iterations, or by a step for each iteration of a loop."""
        for line, users in self._users().items():
            members = [(view, axis) for view in self._trace.views for axis in users.get(view.key() + view.callers, ())]
            members = members[:windows.MOST_MEMBERS]
            if not members:
                continue
            moves = itertools.chain(_steps(members) if len(users) > 1 else (), _heads(members))
            for move, is_cut in itertools.product(moves, (False, True)):
                guess = self._begins_by(line, members, move, is_cut)
                if guess is not None:
                    yield guess

    def _users(self):
        """{line of an assignment: {place of a view: [axis]}}: the views whose windows it places."""
        users, seen = {}, set()
        for view in self._trace.views:
            place = view.key() + view.callers
            if place in seen or view.launch != self._cone[-1].launch or len(seen) == _MOST_VIEWS:
                continue
            seen.add(place)
            for axis in range(len(view.shape)):
                for line in self._text.definitions_behind(view.line, self._index.helpers(view), axis):
                    users.setdefault(line, {}).setdefault(place, []).append(axis)
        last = {}  # of the lines that place the same views
        for line in sorted(users):
            last[repr(sorted(users[line].items()))] = line
        return {line: users[line] for line in last.values()}

    def _begins_by(self, line, members, move, is_cut):
        plan, differing = {}, None
        for view, axis in members:
            offsets, shape = list(view.attributes["offsets"]), list(view.shape)
            now, begin = offsets[axis], offsets[axis] + move(view)
            left = self._trace.records[view.sources()[0]].shape[axis] - begin
            shape[axis] = min(_most(view, axis), left) if is_cut else shape[axis]
            if begin < 0 or shape[axis] > left or shape[axis] <= 0:
                return None
            if (begin, shape[axis]) == (now, view.shape[axis]):
                continue
            if differing is None and begin != now:
                differing = view, {"axis": axis, "begins": now, "right": begin, "record": view.number}
            offsets[axis] = begin
            plan[view.number] = offsets, shape
        if differing is None:
            return None
        return self._guess(Planned(differing[0], plan, line), "begin", differing[1], self._planned(plan))

    def _planned(self, plan):
        def make(one, trace, values):
            offsets, shape = plan[one.number]
            if offsets is None:
                return self._torch.full(shape, one.operands[0][1])
            return trace.read(one.sources()[0], values, offsets, shape)
        return make

    def _ends_of(self, members, axis, is_computed):
        """Other begins and extents along an axis, also for windows that have the same extents in all iterations."""
        alike = self._alike(members, axis)
        tried = {tuple(_ends(view, axis) for view in members)}
        moves = _moves(self._trace, axis) if is_computed else ()
        for kind, move in itertools.chain(moves, self._like_others(members, axis)):
            moved = [move(view) for view in members]
            if tuple(moved) in tried or any(begin < 0 or extent <= 0 for begin, extent in moved):
                continue
            tried.add(tuple(moved))
            yield self._moved_ends(kind, members, axis, moved, alike)

    def _moved_ends(self, kind, members, axis, moved, alike):
        plan, differing = {}, None
        for view, (begin, extent), others in zip(members, moved, alike):
            now = _ends(view, axis)
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
        return self._guess(Planned(members[0], plan), kind, differing, self._planned(plan))

    def _alike(self, members, axis):
        """For each window, [(record, axis)] of the others in its iteration that are as long in every iteration."""
        found = []
        for view in members:
            others = self._iterations[view.launch, tuple(view.loops), view.callers]
            found.append({(one.key(), self._index.ordinal(one), along): (one, along) for one in others
                          for along, extent in enumerate(one.shape) if one.key() != view.key() and
                          extent == view.shape[axis]})
        common = set.intersection(*(set(one) for one in found)) if self._varies(members, axis) else set()
        return [[one[place] for place in common] for one in found]

    @functools.cached_property
    def _iterations(self):
        """The views and constant tensors of each iteration and call."""
        found = {}
        for one in self._trace.records:
            if one.op == "view" or _is_constant(one):
                found.setdefault((one.launch, tuple(one.loops), one.callers), []).append(one)
        return found

    @staticmethod
    def _varies(members, axis):
        """Is the extent computed in the loop? Otherwise another one may be equal by chance."""
        return len({view.shape[axis] for view in members}) > 1 or any(
            view.attributes["shape"] and view.shape[axis] < view.attributes["shape"][axis] for view in members)

    def _like_others(self, members, axis):
        """Extents of other windows of the same iteration, if they vary."""
        found = []
        for key in windows.keys_beside(self._trace, members[0]):
            views = windows.views_of(self._trace, key)
            for along in range(len(next(iter(views.values())).shape)):
                extents = [views[place].shape[along] for place in map(windows.iteration, members) if place in views]
                if len(set(extents)) > 1 and len(extents) == len(members):
                    found.append(("end", _as_in(views, along, axis)))
        return found[:_MOST_LIKE]


def _steps(members):
    """Functions from a view to a number to add to its offset: the same for all, or a multiple of a loop's index."""
    extent = members[0][0].shape[members[0][1]]
    for step in (1, -1, 2, -2, extent, -extent):
        yield lambda view, step=step: step
        for depth in range(max(len(view.loops) for view, _ in members)):
            yield lambda view, step=step, depth=depth: step * _index_of(view, depth)


def _index_of(view, depth):
    return view.loops[depth] if depth < len(view.loops) else 0


def _heads(members):
    """Such functions for windows that several iterations share, as heads share keys: placed by index // n where the kernel
    has index % n, and so on."""
    extent = members[0][0].shape[members[0][1]]
    for depth in range(max(len(view.loops) for view, _ in members)):
        count = 1 + max(_index_of(view, depth) for view, _ in members)
        for size in range(2, count // 2 + 1):
            maps = (lambda at, size=size: at % size, lambda at, size=size, of=count // size: at // of, lambda at: at,
                    lambda at: 0)
            for now, wanted in itertools.permutations(maps if count % size == 0 else (), 2):
                if _is_placed_by(members, depth, extent, now):
                    yield lambda view, depth=depth, now=now, wanted=wanted: extent * (
                        wanted(_index_of(view, depth)) - now(_index_of(view, depth)))


def _is_placed_by(members, depth, extent, now):
    """Does this function of one loop's index place the windows, apart from what the other loops add?"""
    begins = {}
    for view, axis in members:
        others = (view.key(), view.callers, axis, tuple(view.loops[:depth]), tuple(view.loops[depth + 1:]))
        begins.setdefault(others, set()).add(view.attributes["offsets"][axis] - extent * now(_index_of(view, depth)))
    return all(len(found) == 1 for found in begins.values())


def _is_constant(record):
    return record.op == "full" and record.operands[0][0] == "number"


def _ends(record, axis):
    """(begin, extent) of a window, or of a constant tensor."""
    return record.attributes["offsets"][axis] if record.op == "view" else 0, record.shape[axis]


def _as_in(views, along, axis):
    return lambda one: (_ends(one, axis)[0], views[windows.iteration(one)].shape[along])


def _most(view, axis):
    return view.attributes["shape"][axis] if view.attributes["shape"] else view.shape[axis]


def _moves(trace, axis):
    """Yields (kind, function from a view to (begin, extent)): windows begin elsewhere and end at the same place, end
    elsewhere, or end elsewhere only at an edge."""
    def reach(view):
        return trace.records[view.sources()[0]].shape[axis]

    def later(view, step):
        begin = max(view.attributes["offsets"][axis] + step, 0)
        return begin, min(view.shape[axis] + view.attributes["offsets"][axis] - begin, _most(view, axis))

    def longer(view, step):
        begin = view.attributes["offsets"][axis]
        return begin, min(view.shape[axis] + step, _most(view, axis), reach(view) - begin)

    def longer_at_edge(view, step):
        return longer(view, step) if view.attributes["offsets"][axis] == 0 else longer(view, 0)
    for kind, move in (("begin", later), ("end", longer), ("end", longer_at_edge)):
        for step in _STEPS:
            yield kind, lambda view, move=move, step=step: move(view, step)
    yield "end", lambda view: longer(view, _most(view, axis))
