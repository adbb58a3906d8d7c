"""Elements of an input that no window of a kernel reads, because a loop over them ends too early: a suspicion
where no change of one operation explains wrong outputs."""


class Unread:
    """`view`: one of the windows; along `axis` the last of them ends at `reach` of `extent` elements of `parameter`."""

    __slots__ = ("view", "parameter", "axis", "reach", "extent")

    def __init__(self, view, parameter, axis, reach, extent):
        self.view, self.parameter, self.axis, self.reach, self.extent = view, parameter, axis, reach, extent


def find(trace, cones, text):
    """[Unread] of the parameters that wrong outputs are computed from. A kernel that reads less than half of one
    probably does so on purpose, unless the loop runs a single iteration although the text places the windows by its index."""
    sources = {}
    for number in {record.number for _, cone in cones for record in cone if record.op == "view"}:
        view = trace.records[number]
        parameter = trace.records[view.sources()[0]]
        if parameter.kind == "parameter" and view.loops:
            sources.setdefault(parameter.number, parameter)
    found = []
    for parameter in sources.values():
        views = [view for view in trace.views if view.sources()[0] == parameter.number]
        for axis, extent in enumerate(parameter.shape):
            last = max(views, key=lambda view: view.attributes["offsets"][axis] + view.shape[axis])
            reach = last.attributes["offsets"][axis] + last.shape[axis]
            is_moved = extent <= 2 * reach and _is_moved(views, axis) or _is_stopped(views, axis, text)
            if reach < extent and is_moved and _is_even(views, axis):
                found.append(Unread(last, parameter, axis, reach, extent))
    return found


def unused(trace, cones):
    """[(record, reader)]: a tensor that nothing reads, and a reader of another tensor that the same line made in the same
    iteration. That is what a loop leaves behind when it ends before its list of tensors does."""
    read, cone = {}, {record.number: record for _, cone in cones for record in cone}
    for record in trace.records:
        for number in record.sources():
            read.setdefault(number, record)
    found = {}
    for record in trace.records:
        if record.kind != "op" or record.write or record.number in read or record.key() in found:
            continue
        readers = [read[one.number] for one in cone.values() if one.key() == record.key() and one.loops == record.loops and
                   one.callers == record.callers and one.launch == record.launch and one.number in read]
        if readers:
            found[record.key()] = record, readers
    return [(record, reader) for record, readers in found.values() for reader in readers]


def _is_moved(views, axis):
    """Do the windows of one line begin at more than one place, each where another ends?"""
    places = {(view.line, view.attributes["offsets"][axis], view.shape[axis]) for view in views}
    return any(line == other and start + size == begin for line, start, size in places
               for other, begin, _ in places)


def _is_stopped(views, axis, text):
    """Does the index of their loop place the windows, although the loop never reaches its second iteration?"""
    ran = {}
    for view in views:
        ran.setdefault((view.key(), view.callers), set()).add(tuple(view.loops[-1:]))
    return all(loops == {(0,)} for loops in ran.values()) and \
        any(text.is_moved_by_loop(line, callers, axis) for (_, line, *_), callers in ran)


def _is_even(views, axis):
    """Do the windows of each line move in equal steps? Windows placed by a table need not reach the end."""
    before, steps = {}, {}
    for view in views:
        place = view.key(), view.callers, view.launch, tuple(view.loops[:-1])
        begin = view.attributes["offsets"][axis]
        steps.setdefault(view.key(), set()).add(begin - before.get(place, begin))
        before[place] = begin
    return all(len(found - {0}) <= 1 and min(found) >= 0 for found in steps.values()) and not _is_ragged(views, axis)


def _is_ragged(views, axis):
    """Do runs of the innermost loop that begin at the same place end at different ones? Then data, such as lengths,
    determine how far they read."""
    rows, ends = {}, {}
    for view in views:
        begin, row = view.attributes["offsets"][axis], (view.key(), view.launch, tuple(view.loops[:-1]))
        low, high = rows.get(row, (begin, 0))
        rows[row] = min(low, begin), max(high, begin + view.shape[axis])
    for (key, _, _), (low, high) in rows.items():
        ends.setdefault((key, low), set()).add(high)
    return any(len(found) > 1 for found in ends.values())
