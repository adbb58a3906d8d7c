"""Elements of an output that no write covers, and the line of the kernel that leaves them out: of the
valid shape, of the offsets or of the loop's bound."""
from .replay_ops import Unknown
from .windows import iteration


class Gap:
    """`line` (None = that of the write), `kind` and `detail` of the answer."""

    __slots__ = ("line", "kind", "detail")

    def __init__(self, line, kind, detail):
        self.line, self.kind, self.detail = line, kind, detail


def find(output, trace, text):
    """The gap of an output with windows. `text`: the kernel's file (source_lines)."""
    write = output.windows[0].write
    skipped = _skipped(output, trace, text)
    if skipped is not None:
        return Gap(skipped, "never_written", {"output": output.leaf, "how": "skipped"})
    corners = sorted(output.corners)
    for (low, size), (high, _) in zip(corners, corners[1:]):
        for axis in range(len(low)):
            if low[axis] < high[axis] < low[axis] + size[axis]:
                line = text.entry_line(write.line, write.op, ("offsets", 1), axis, write.callers)
                return _gap(output, line, "overlap", axis)
            if high[axis] > low[axis] + size[axis]:
                return _gap(output, _valid_line(output, trace, text, axis), "apart", axis)
    short = too_short(output, trace, text)
    if short is not None:
        return short
    line = text.bound_line(write.line, write.callers)
    for axis, extent in enumerate(output.wrong.shape):
        end = max(low[axis] + size[axis] for low, size in corners)
        if end < extent:
            depth = _moved_by(output, axis)
            if depth is not None:
                line = text.bound_line_of(write.line, write.callers, depth, len(write.loops)) or line
            return _gap(output, line, "few", axis, end, extent, len({low[axis] for low, _ in corners}))
    return Gap(line, "never_written", {"output": output.leaf})


def too_short(output, trace, text):
    """The gap that windows with too small a valid shape leave, or None."""
    short, corners = _cut_short(output, trace, text), sorted(output.corners)
    if short is not None:
        return short
    for axis, extent in enumerate(output.wrong.shape):
        along = {(low[axis], size[axis]) for low, size in corners}
        # Several windows that no loop moves along this axis. A single window shows nothing.
        if corners[0] != corners[-1] and len(along) == 1 and along != {(0, extent)}:
            line = _valid_line(output, trace, text, axis) or output.windows[0].write.line
            return _gap(output, line, "narrow", axis, corners[0][1][axis], extent)
    return None


def _skipped(output, trace, text):
    """The line of the condition around all writes if the loop that places them runs iterations without them, or None."""
    writes = [window.write for window in output.windows]
    places = {(write.line, write.callers) for write in writes}
    lines = {text.condition_line(*place) for place in places}
    if len(lines) != 1 or None in lines or not all(write.loops for write in writes) or not any(
            text.is_moved_by_loop(*place, axis, True) for place in places for axis in range(output.wrong.dim())):
        return None
    inside = {record.key() for record in _cone(trace, output.windows[0]) if record.kind == "op" and
              record.loops == output.windows[0].write.loops}
    ran = {iteration(record) for record in trace.records if record.kind == "op" and record.key() in inside}
    wrote = {iteration(write) for write in writes}
    if ran <= wrote:  # the whole body depends on the condition, so only gaps between indices show skipped iterations
        last = sorted({write.loops[-1] for write in writes})
        return lines.pop() if last != list(range(len(last))) else None
    return lines.pop()


def _moved_by(output, axis):
    """The depth of the only loop whose index determines where the windows of one line begin along an axis, or None."""
    write = output.windows[0].write
    places = [(window.write.loops, window.offsets[axis]) for window in output.windows
              if window.write.key() == write.key() and window.write.callers == write.callers]
    if len({offset for _, offset in places}) < 2:
        return None
    found = [depth for depth in range(len(write.loops))
             if len({(loops[depth], offset) for loops, offset in places}) == len({loops[depth] for loops, _ in places})]
    return found[0] if len(found) == 1 else None


def _gap(output, line, how, axis, written=None, left=None, count=None):
    """`how` the windows miss elements along an axis, and in elements how far they reach of how many."""
    detail = {"output": output.leaf, "how": how, "axis": axis, "written": written, "left": left, "count": count}
    return Gap(line, "never_written", {key: value for key, value in detail.items() if value is not None})


def _cut_short(output, trace, text):
    """The last window along an axis ends before the output does, although the tile that it is the valid
    part of goes on: the loop ran often enough, and the valid shape is too small."""
    for axis, extent in enumerate(output.wrong.shape):
        last = max(output.windows, key=lambda window: window.offsets[axis])
        end = last.offsets[axis] + last.extents[axis]
        view = _source_view(last, trace, axis) if end < extent else None
        if view is None:
            continue
        left = min(extent - last.offsets[axis], view.attributes["shape"][axis])
        line = text.entry_line(view.line, "view", ("valid_shape", None), axis, view.callers)
        if line is not None and left > last.extents[axis]:
            return Gap(line, "cut_short", {"output": output.leaf, "axis": axis,
                                           "written": last.extents[axis], "left": left})
    return None


def _source_view(window, trace, axis):
    """The view of a tile whose valid part along the axis a window has; None where there is none."""
    for record in reversed(_cone(trace, window)):
        tile = record.attributes["shape"]
        if record.op == "view" and len(tile) == len(record.shape) == len(window.extents) and \
                record.shape[axis] == window.extents[axis] < tile[axis]:
            return record
    return None


def _valid_line(output, trace, text, axis):
    for record in reversed(_cone(trace, output.windows[0])):
        line = record.op == "view" and text.entry_line(
            record.line, "view", ("valid_shape", None), axis, record.callers)
        if line:
            return line
    return None


def _cone(trace, window):
    try:
        return trace.cone(window.source)
    except Unknown:
        return []
