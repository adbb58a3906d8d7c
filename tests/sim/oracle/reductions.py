"""Reductions, scans, sorting and matmul of the oracle. They look at the valid extents only."""
import numpy as np

from elementwise import binary, cast, unary
from rounding import FLOATS, STORAGE, from_f32, round_float, wrap
from value import Unsure, Value


def _lines(value, axis):
    """Yields (position without the axis, valid elements of the line, their marks)."""
    extent = max(value.valid[axis], 0)
    data = np.moveaxis(value.data, axis, -1)
    marks = np.moveaxis(value.defined, axis, -1)
    for position in np.ndindex(data.shape[:-1]):
        yield position, data[position][:extent], marks[position][:extent]


def _total(line, dtype):
    if dtype in FLOATS:
        total = np.float64(0)
        for x in line.astype(np.float64):
            total = total + x
        return round_float(total, dtype)
    return wrap(line.astype(np.int64).sum(), dtype)


def _product(line, dtype):
    if dtype in FLOATS:
        raise Unsure("order and precision of a float product")
    result = 1
    for x in line.tolist():
        result *= x
    return wrap((result + 2 ** 31) % 2 ** 32 - 2 ** 31, dtype)


def _extreme(line, dtype, sign):
    if dtype in FLOATS and np.isnan(line.astype(np.float32)).any():
        return STORAGE[dtype](np.nan)
    return line.max() if sign > 0 else line.min()


def _extreme_open(line, result):
    """+0 and −0 together as the extreme value: either may come out."""
    zeros = line[line == 0]
    return result == 0 and len(zeros) and np.signbit(zeros).any() != np.signbit(zeros).all()


REDUCE = {"sum": _total, "prod": _product, "amax": lambda l, d: _extreme(l, d, 1),
          "amin": lambda l, d: _extreme(l, d, -1)}


def reduce(op, value, axis, keepdim):
    axis %= value.data.ndim
    rest = tuple(n for i, n in enumerate(value.shape) if i != axis)
    if not rest and not keepdim:
        raise Unsure("a reduction to rank 0")
    arg = op in ("argmax", "argmin")
    dtype = "I32" if arg else value.dtype
    out, marks = np.zeros(rest, STORAGE[dtype]), np.zeros(rest, bool)
    with np.errstate(all="ignore"):
        for position, line, known in _lines(value, axis):
            if not len(line) or not known.all():
                continue
            marks[position] = True
            if arg:
                out[position] = line.argmax() if op == "argmax" else line.argmin()
                marks[position] = not np.isnan(line.astype(np.float32)).any()
            else:
                out[position] = REDUCE[op](line, dtype)
                if op in ("amax", "amin") and dtype in FLOATS:
                    marks[position] = not _extreme_open(line, out[position])
    valid = tuple(n for i, n in enumerate(value.valid) if i != axis)
    if keepdim:
        out, marks = np.expand_dims(out, axis), np.expand_dims(marks, axis)
        valid = valid[:axis] + (1,) + valid[axis:]
    return Value(dtype, out, marks, valid)


def softmax(value, axis):
    x = cast(value, "F32")
    e = unary("exp", binary("sub", x, reduce("amax", x, axis, True)))
    return cast(binary("div", e, reduce("sum", e, axis, True)), value.dtype)


def cumsum(value, axis):
    """I16 and I32 give I64. Floats: only sums that are exact in every step have one answer, and the
    sign of zero depends on what the first element is added to."""
    axis %= value.data.ndim
    dtype = value.dtype if value.dtype in FLOATS else "I64"
    out = np.zeros(np.moveaxis(value.data, axis, -1).shape, STORAGE[dtype])
    marks = np.zeros(out.shape, bool)
    for position, line, known in _lines(value, axis):
        known = np.logical_and.accumulate(known)
        if dtype == "I64":
            sums = np.add.accumulate(line.astype(np.int64)) if len(line) else line
        else:
            with np.errstate(all="ignore"):
                wide = np.add.accumulate(line.astype(np.float64))
                narrow = [np.float32(0)]
                for x in line:
                    narrow.append(from_f32(narrow[-1] + np.float32(x), "F32"))
            known = known & (wide == np.array(narrow[1:], np.float64)) & (wide != 0)
            sums = round_float(wide, dtype)
            if dtype != "F32":
                known = known & np.logical_and.accumulate(sums.astype(np.float64) == wide)
        out[position][:len(line)] = sums
        marks[position][:len(line)] = known
    return Value(dtype, np.moveaxis(out, -1, axis), np.moveaxis(marks, -1, axis), value.valid)


def cumprod(value, axis):
    """Only products that are exact in every step have one answer, and of 0 the sign is left open."""
    axis %= value.data.ndim
    out = np.zeros(np.moveaxis(value.data, axis, -1).shape, STORAGE[value.dtype])
    marks = np.zeros(out.shape, bool)
    for position, line, known in _lines(value, axis):
        with np.errstate(all="ignore"):
            wide = np.multiply.accumulate(line.astype(np.float64))
            exact = (round_float(wide, value.dtype).astype(np.float64) == wide) & (wide != 0)
        out[position][:len(line)] = round_float(wide, value.dtype)
        marks[position][:len(line)] = np.logical_and.accumulate(known & exact & np.isfinite(wide))
    return Value(value.dtype, np.moveaxis(out, -1, axis), np.moveaxis(marks, -1, axis), value.valid)


def _exact(values):
    return values.astype(np.float32).astype(np.float64) == values


def var(value, dim, correction, keepdim):
    """Mean of the squared distances from the mean. Known where every step is exact in F32, so that the order
    of the additions does not matter."""
    if not value.fully_valid():
        raise Unsure("variance of a partly valid tensor")
    axes = tuple(sorted(a % value.data.ndim for a in (dim if isinstance(dim, list) else [dim])))
    count = int(np.prod([value.shape[a] for a in axes]))
    x = value.data.astype(np.float64)
    with np.errstate(all="ignore"):
        size = np.abs(x).sum(axes, keepdims=True)  # bounds every partial sum
        mean = x.sum(axes, keepdims=True) / count
        squares = (x - mean) ** 2
        total = squares.sum(axes, keepdims=True)
        result = (total / max(0, count - correction)).astype(np.float32)
        grain = 2.0 ** -12  # multiples of it that are small enough add up exactly
        fine = all((np.floor(v / grain) == v / grain).all() for v in (x, mean, squares))
        known = _exact(mean) & (size < 2 ** 11) & (total < 2 ** 11) & fine & (count > correction)
        known &= _exact(total / max(1, count - correction))
    known = known & value.defined.all(axes, keepdims=True)
    if not keepdim:
        result, known = result.squeeze(axes), known.squeeze(axes)
    return Value(value.dtype, from_f32(result, value.dtype), known)


def mrgsort(value, size):
    """Up to four neighbouring runs of `size` pairs become one; of equal ones the first run's come first."""
    if not value.defined.all():
        raise Unsure("the order of what is not known")
    pairs = value.data.reshape(value.shape[:-1] + (-1, 2))
    out = pairs.copy()
    for position in np.ndindex(value.shape[:-1]):
        for first in range(0, pairs.shape[-2], 4 * size):
            part = pairs[position][first:first + 4 * size]
            out[position][first:first + 4 * size] = part[np.argsort(-part[:, 0], kind="stable")]
    return Value("F32", out.reshape(value.shape))


def _order(line, descending):
    """Stable: equal keys keep their order."""
    return sorted(range(len(line)), key=lambda i: -line[i] if descending else line[i])


def topk(value, k, largest):
    shape = value.shape[:-1] + (k,)
    values = np.zeros(shape, STORAGE[value.dtype])
    indices, marks = np.zeros(shape, np.int32), np.zeros(shape, bool)
    for position, line, known in _lines(value, -1):
        if not known.all() or np.isnan(line).any():
            continue
        order = _order(line.tolist(), largest)[:k]
        values[position][:len(order)] = line[order]
        indices[position][:len(order)] = order
        marks[position][:len(order)] = True
    valid = value.valid[:-1] + (min(max(value.valid[-1], 0), k),)
    return Value(value.dtype, values, marks, valid), Value("I32", indices, marks, valid)


def argsort(value, axis, descending):
    axis %= value.data.ndim
    out = np.zeros(np.moveaxis(value.data, axis, -1).shape, np.int32)
    marks = np.zeros(out.shape, bool)
    for position, line, known in _lines(value, axis):
        if known.all() and not np.isnan(line.astype(np.float32)).any():
            out[position][:len(line)] = _order(line.tolist(), descending)
            marks[position][:len(line)] = True
    return Value("I32", np.moveaxis(out, -1, axis), np.moveaxis(marks, -1, axis), value.valid)


def matmul(a, b, out_dtype, a_trans=False, b_trans=False, bias=None):
    """Leading axes broadcast; every element adds its products in increasing k."""
    if a_trans:
        a = swapped(a)
    if b_trans:
        b = swapped(b)
    if a.valid[-1] != b.valid[-2]:
        raise Unsure("valid K differs")
    depth = max(a.valid[-1], 0)
    lead = tuple(max(x, y) for x, y in zip(a.shape[:-2], b.shape[:-2]))
    shape = lead + (a.shape[-2], b.shape[-1])
    wide = np.int32 if a.dtype == "I8" else np.float32
    left = np.broadcast_to(a.data.astype(wide), lead + a.shape[-2:])
    right = np.broadcast_to(b.data.astype(wide), lead + b.shape[-2:])
    marks = np.ones(shape, bool)
    marks &= np.broadcast_to(a.defined[..., :depth].all(-1, keepdims=True), shape)
    marks &= np.broadcast_to(b.defined[..., :depth, :].all(-2, keepdims=True), shape)
    total = np.zeros(shape, wide)
    with np.errstate(all="ignore"):
        for k in range(depth):
            product = left[..., :, k:k + 1] * right[..., k:k + 1, :]
            total = product if k == 0 else total + product
        if bias is not None:
            total = total + bias.data.astype(wide)
            marks &= np.broadcast_to(bias.defined, shape)
    marks &= (total != 0) | ~np.signbit(total)  # -0: not if the sum starts from +0
    data = total if out_dtype == "I32" else from_f32(total, out_dtype)
    batch = tuple(min(x, y) if m == n else (y if m == 1 else x) for x, y, m, n in
                  zip(a.valid[:-2], b.valid[:-2], a.shape[:-2], b.shape[:-2]))
    if any(x != y and m == n for x, y, m, n in
           zip(a.valid[:-2], b.valid[:-2], a.shape[:-2], b.shape[:-2])):
        raise Unsure("valid batch differs")
    rows = 0 if depth <= 0 else a.valid[-2]
    return Value(out_dtype, data, marks, batch + (rows, b.valid[-1]))


def swapped(value):
    """The last two axes exchanged."""
    valid = value.valid[:-2] + (value.valid[-1], value.valid[-2])
    return Value(value.dtype, value.data.swapaxes(-1, -2), value.defined.swapaxes(-1, -2), valid)


def sort32(value):
    """Groups of 32, largest first, equal ones in order: the number, then the bits of its index."""
    columns = value.shape[-1]
    data = np.zeros(value.shape[:-1] + (2 * columns,), np.float32)
    for position in np.ndindex(value.shape[:-1]):
        line = value.data[position]
        if not value.defined[position].all() or np.isnan(line).any():
            raise Unsure("the order of what is not known")
        for first in range(0, columns, 32):
            part = line[first:first + 32]
            order = np.argsort(-part, kind="stable")
            data[position][2 * first:2 * (first + len(part)):2] = part[order]
            data[position][2 * first + 1:2 * (first + len(part)):2] = (
                (order + first).astype(np.int32).view(np.float32))
    return Value("F32", data)


def rms_norm(value, epsilon):
    """In F32 from the first to the last step."""
    x = cast(value, "F32")
    total = reduce("sum", binary("mul", x, x), -1, True)
    mean = binary("div", total, float(value.shape[-1]))
    root = unary("sqrt", binary("add", mean, epsilon))
    return cast(binary("div", x, root), value.dtype)
