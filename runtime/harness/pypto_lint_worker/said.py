"""What is said of a blamed line besides its kind: names of loops and tensors, shapes, which number it should
have, and where its result differs. No element of a tensor and no number of the reference leaves this
module: what only the reference has is said as a factor of the kernel's own number."""
import math

from . import matching, places
from .replay_ops import Unknown

_SIMPLE = (0.0, 1.0, -1.0, 2.0, 0.5)
_MOST_INPUTS = 4
_MOST_LINES = 8


def number(wanted, present, extents):
    """A scalar that makes outputs right, in the words of blame_words.c: {"form", "value" or "extent"}."""
    if wanted in _SIMPLE:
        return {"form": "plain", "value": wanted}
    for extent in sorted(extents):
        for form, value in (("extent", float(extent)), ("one_over", 1.0 / extent),
                            ("root", extent ** 0.5), ("one_over_root", extent ** -0.5),
                            ("one_over_less", 1.0 / (extent - 1) if extent > 1 else 0.0)):
            if extent > 1 and wanted == value:
                return {"form": form, "extent": extent}
    if wanted == -present:
        return {"form": "opposite"}
    if not present or not math.isfinite(wanted / present):
        return {"form": "nonzero"}
    if abs(abs(wanted / present) - 1.0) < 0.05:  # a factor of two digits would be 1
        return {"form": "slightly" if wanted / present > 0 else "opposite"}
    return {"form": "reciprocal"} if wanted * present == 1.0 else \
        {"form": "times", "value": float("%.2g" % (wanted / present))}


def tensor(record):
    """Shape and dtype of a record's tensor."""
    return {"shape": list(record.shape), "dtype": record.dtype}


def inputs(trace, record):
    """Shapes and dtypes of what an operation reads and of what it makes."""
    read = [tensor(trace.records[number]) for number in record.sources()[:_MOST_INPUTS]]
    return {"inputs": read, "made": tensor(record)}


def source(text, trace, record):
    """The tensor that a line makes: the operation, and the name that the line gives it, where it is
    the line's last."""
    found = {"line": record.line, "by": record.op}
    later = trace.records[record.number + 1:record.number + 2]
    is_last = not later or later[0].write or _statement(later[0]) != _statement(record)
    name = text.assigned_name(record.line) if is_last and record.kind == "op" else None
    if name:
        found["name"] = name
    return found


def _statement(record):
    return record.file, record.line, record.callers, record.loops


def difference(torch, made, wanted):
    """Where a result differs from what it should be, as places.of says it; None where that tells
    nothing."""
    if made is None or list(made.shape) != list(wanted.shape) or not made.numel() or not made.dim():
        return None
    slack = 1e-4 * float(torch.nan_to_num(wanted.double()).abs().mean())
    while wanted.dim() > 2 and wanted.shape[0] == 1:  # says nothing of where
        wanted, made = wanted[0], made[0]
    wanted, made = wanted.float().contiguous(), made.float().contiguous()
    return places.of(torch, made, wanted, max(slack, 1e-30), 2e-3)


def repaired(torch, trace, guess, cone):
    """The difference of the first result that a guess changes."""
    try:
        values = trace.replay(cone, guess)
    except Unknown:
        return None
    for record in cone:
        if record.number in values and guess.group.has(record) and record.value is not None:
            return difference(torch, record.value, values[record.number])
    return None


def closest(torch, frontier, record):
    """The difference from the tensor of the reference that has most of a result, where it has enough of
    it for that to be no accident."""
    near = None if record.value is None or not matching.is_telling(record.value) else \
        frontier.pool.nearest(record.value, record.dtype)
    return None if near is None else difference(torch, record.value, near)


def lacking(frontier, cones):
    """[(file, line)] of tensors that the reference has no equal of."""
    found = {record.key()[:2]: None for _, cone in cones for record in cone
             if record.kind == "op" and frontier.known.get(record.number) is False}
    return list(found)[:_MOST_LINES]
