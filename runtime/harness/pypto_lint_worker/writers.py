"""Which line wrote the worst element of each wrong output: a fact of the run, where blame.py says what
it suspects. No element of a tensor leaves this module."""
from . import claims

_MOST_WRITES = 4000  # looked at, newest first
_MOST_OUTPUTS = 8


def of_worst(trace, outputs, leaves, job, text):
    """[{"output", "file", "line", "operation", "iteration", "loops"}]; an output without an entry was not
    written there, or by something that is not understood."""
    found = []
    for output in outputs:
        worst = (leaves[output.leaf].get("where") or {}).get("worst")
        if worst is None or len(found) == _MOST_OUTPUTS or not bool(output.wrong.any()):
            continue
        record = _writer(trace, output.end, _index_in(worst, leaves[output.leaf]["shape"],
                                                      output.end.shape))
        file, line = (None, 0) if record is None else claims.place(record.file, record.line, job)
        if file is not None:
            found.append({"output": output.leaf, "file": file, "line": line,
                          "operation": record.op, "iteration": list(record.loops),
                          "loops": text.loop_names(record.line, record.callers, len(record.loops))})
    return found


def _index_in(index, shape, other):
    """The same element in another shape of as many elements."""
    if list(shape) == list(other):
        return list(index)
    flat = 0
    for place, extent in zip(index, shape):
        flat = flat * extent + place
    found = []
    for extent in reversed(other):
        found.insert(0, flat % extent if extent else 0)
        flat //= extent or 1
    return found


def _writer(trace, end, index):
    """The last write that covers an element of a parameter, or None."""
    number = end.target
    for _ in range(_MOST_WRITES):
        record = trace.records[number] if number >= 0 else None
        if record is None or not record.write or record.partial or not record.sources():
            return None
        if record.op == "move":
            return record
        if record.op != "assemble":
            return None
        offsets = record.attributes["offsets"]
        extents = trace.records[record.sources()[0]].shape
        if len(offsets) != len(index) or len(extents) != len(index):
            return None
        if all(low <= place < low + size for place, low, size in zip(index, offsets, extents)):
            return record
        number = record.target
    return None
