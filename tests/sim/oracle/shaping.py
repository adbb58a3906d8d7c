"""Ops of the oracle that move elements: views, reshape, concat, gather, scatter and the like."""
import numpy as np

from rounding import STORAGE, round_float, scalar, wrap
from value import Unsure, Value, inside


def view(value, shape, offsets, valid=None):
    """Window; what lies outside the source has valid extent 0 there."""
    if any(o < 0 for o in offsets):
        raise Unsure("negative offset")
    limits = [min(n, max(v - o, 0)) for n, v, o in zip(shape, value.valid, offsets)]
    if valid is None:
        valid = limits
    elif any(v > n for v, n in zip(valid, limits)):
        raise Unsure("explicit extents exceed the source's")
    data = np.zeros(shape, STORAGE[value.dtype])
    defined = np.zeros(shape, bool)
    taken = [max(0, min(n, size - o)) for n, size, o in zip(shape, value.shape, offsets)]
    if all(taken):
        target = tuple(slice(0, n) for n in taken)
        source = tuple(slice(o, o + n) for o, n in zip(offsets, taken))
        data[target], defined[target] = value.data[source], value.defined[source]
    return Value(value.dtype, data, defined, valid)


def reshape(value, shape, valid=None):
    """Compact reading if the valid counts agree, physical positions otherwise."""
    shape = list(shape)
    if -1 in shape:
        rest = int(np.prod([n for n in shape if n != -1]))
        shape[shape.index(-1)] = value.data.size // rest
    out_valid = tuple(shape if valid is None else valid)
    region = value.region()
    count = int(np.prod([max(n, 0) for n in value.valid]))
    if count == int(np.prod([max(n, 0) for n in out_valid])):
        mask = inside(shape, out_valid)
        data, defined = np.zeros(shape, STORAGE[value.dtype]), np.zeros(shape, bool)
        data[mask] = value.data[region].reshape(-1)
        defined[mask] = value.defined[region].reshape(-1)
        return Value(value.dtype, data, defined, out_valid)
    if valid is not None:
        raise Unsure("valid counts of a reshape differ")
    return Value(value.dtype, value.data.reshape(shape), value.defined.reshape(shape), out_valid)


def permute(value, axes):
    return Value(value.dtype, value.data.transpose(axes), value.defined.transpose(axes),
                 tuple(value.valid[a] for a in axes))


def transpose(value, a, b):
    axes = list(range(value.data.ndim))
    axes[a], axes[b] = axes[b], axes[a]
    return permute(value, axes)


def unsqueeze(value, axis):
    axis = axis % (value.data.ndim + 1)
    valid = value.valid[:axis] + (1,) + value.valid[axis:]
    return Value(value.dtype, np.expand_dims(value.data, axis),
                 np.expand_dims(value.defined, axis), valid)


def expand(value, shape, valid=None):
    if valid is None:
        valid = [n if m == 1 and n != 1 else v for n, m, v in zip(shape, value.shape, value.valid)]
    return Value(value.dtype, np.broadcast_to(value.data, shape).copy(),
                 np.broadcast_to(value.defined, shape), valid)


def concat(values, axis):
    """The result's extents are the full shape."""
    axis %= values[0].data.ndim
    for v in values:
        if v.valid[axis] != v.shape[axis]:
            raise Unsure("concat of a partly valid tensor")
    return Value(values[0].dtype, np.concatenate([v.data for v in values], axis),
                 np.concatenate([v.defined for v in values], axis))


def interleave(a, b):
    """Element by element; the first and the second half of that."""
    half = a.shape[-1] // 2

    def shuffle(x, y):
        both = np.stack([x, y], -1).reshape(*x.shape[:-1], -1)
        return both[..., :2 * half], both[..., 2 * half:]
    return tuple(Value(a.dtype, data, defined) for data, defined in
                 zip(shuffle(a.data, b.data), shuffle(a.defined, b.defined)))


def deinterleave(value):
    return tuple(Value(value.dtype, value.data[..., first::2], value.defined[..., first::2])
                 for first in (0, 1))


def pad(value, amounts, fill):
    """amounts: (left, right) of the last axis, then (top, bottom); left and top are 0."""
    grow = [0] * value.data.ndim
    grow[-1] = amounts[1]
    if len(amounts) == 4:
        grow[-2] = amounts[3]
    if not value.fully_valid():
        raise Unsure("where the padding of a partly valid tensor starts")
    shape = tuple(n + g for n, g in zip(value.shape, grow))
    data = np.full(shape, scalar(fill, value.dtype), STORAGE[value.dtype])
    defined = np.ones(shape, bool)
    data[value.region()] = value.data
    defined[value.region()] = value.defined
    return Value(value.dtype, data, defined)


def fillpad(value, fill):
    data = np.full(value.shape, scalar(fill, value.dtype), STORAGE[value.dtype])
    defined = np.ones(value.shape, bool)
    data[value.region()] = value.data[value.region()]
    defined[value.region()] = value.defined[value.region()]
    return Value(value.dtype, data, defined)


def triangle(value, diagonal, lower):
    rows, columns = value.shape[-2:]
    i, j = np.ogrid[:rows, :columns]
    keep = np.broadcast_to(j - i <= diagonal if lower else j - i >= diagonal, value.shape)
    data = np.where(keep, value.data, STORAGE[value.dtype](0)).astype(STORAGE[value.dtype])
    defined = np.where(keep, value.defined, True)
    return Value(value.dtype, data, defined, value.valid)


def full(shape, fill, dtype, valid=None):
    return Value(dtype, np.full(shape, scalar(fill, dtype), STORAGE[dtype]), None, valid)


def arange(start, end, step):
    numbers, count = [], 0
    while (start + count * step < end) if step > 0 else (start + count * step > end):
        numbers.append(start + count * step)
        count += 1
    if any(isinstance(x, float) for x in (start, end, step)):
        return Value("F32", round_float(np.array(numbers, np.float64), "F32"))
    return Value("I32", np.array(numbers, np.int32))


def one_hot(value, classes):
    shape = value.shape + (classes,)
    data = (value.data[..., None] == np.arange(classes)).astype(np.int64)
    defined = np.broadcast_to(value.defined[..., None], shape)
    return Value("I64", data, defined, value.valid + (classes,))


def _checked(index, size):
    known = index.data[index.region()][index.defined[index.region()]]
    if known.size and (known.min() < 0 or known.max() >= size):
        raise Unsure("index out of range")


def gather(value, axis, index):
    axis %= value.data.ndim
    _checked(index, value.shape[axis])
    data, defined = np.zeros(index.shape, STORAGE[value.dtype]), np.zeros(index.shape, bool)
    for position in np.ndindex(index.shape):
        if index.defined[position]:
            source = list(position)
            source[axis] = int(index.data[position])
            data[position] = value.data[tuple(source)]
            defined[position] = value.defined[tuple(source)]
    return Value(value.dtype, data, defined, index.valid)


def index_select(value, axis, index):
    axis %= value.data.ndim
    _checked(index, value.shape[axis])
    safe = np.where(index.defined, index.data, 0)
    marks = index.defined.reshape((1,) * axis + index.shape + (1,) * (value.data.ndim - axis - 1))
    valid = value.valid[:axis] + index.valid + value.valid[axis + 1:]
    return Value(value.dtype, np.take(value.data, safe, axis),
                 np.take(value.defined, safe, axis) & marks, valid)


def scatter(value, axis, index, source, reduction):
    """Duplicates without a reduction have no defined winner: those elements are left open."""
    axis %= value.data.ndim
    _checked(index, value.shape[axis])
    data, defined = value.data.copy(), value.defined.copy()
    seen = np.zeros(value.shape, bool)
    for position in np.ndindex(*[max(n, 0) for n in index.valid]):
        if not index.defined[position]:
            raise Unsure("unknown index")
        target = list(position)
        target[axis] = int(index.data[position])
        target = tuple(target)
        new, known = source, True
        if isinstance(source, Value):
            new, known = source.data[position], source.defined[position]
        else:
            new = scalar(source, value.dtype)
        if reduction == "multiply":
            with np.errstate(all="ignore"):
                new = _product(data[target], new, value.dtype)
            known = known and defined[target] and not seen[target]
        elif reduction == "add":
            if value.dtype in ("F16", "BF16", "F32") and seen[target]:
                raise Unsure("rounding of several additions to one element")
            new = _sum(data[target], new, value.dtype)
            known = known and defined[target]
        elif seen[target]:
            known = False
        data[target], defined[target], seen[target] = new, known, True
    return Value(value.dtype, data, defined, value.valid)


def _sum(a, b, dtype):
    if dtype in ("F16", "BF16", "F32"):
        return round_float(np.asarray(a, np.float64) + np.asarray(b, np.float64), dtype)
    return wrap(np.asarray(a, np.int64) + np.asarray(b, np.int64), dtype)


def _product(a, b, dtype):
    if dtype in ("F16", "BF16", "F32"):
        return round_float(np.asarray(a, np.float64) * np.asarray(b, np.float64), dtype)
    return wrap(np.asarray(a, np.int64) * np.asarray(b, np.int64), dtype)


def index_put(value, values, indices, accumulate):
    """Lines at the positions that the index tensors name together; no position twice."""
    for axis, index in enumerate(indices):
        _checked(index, value.shape[axis])
    at = tuple(index.data.astype(np.int64) for index in indices)
    if len(set(zip(*[a.tolist() for a in at]))) < len(at[0]):
        raise Unsure("a position twice")
    data, defined = value.data.copy(), value.defined.copy()
    with np.errstate(all="ignore"):
        data[at] = _sum(data[at], values.data, value.dtype) if accumulate else values.data
    defined[at] = values.defined & defined[at] if accumulate else values.defined
    return Value(value.dtype, data, defined, value.valid)


def paged(value, indices, table, size, columns=None):
    """Row i of the cache lies in block table[i // size]."""
    rows = indices.data.reshape(-1)
    blocks = table.data.reshape(-1)[rows // size]
    at = blocks * size + rows % size
    return Value(value.dtype, value.data[at][:, :columns], value.defined[at][:, :columns])


def strided(value, pattern):
    """1, 2: even or odd elements of the last axis; 3 to 6: every fourth; 7: all."""
    first, step = {1: (0, 2), 2: (1, 2), 7: (0, 1)}.get(pattern, (pattern - 3, 4))
    if not value.fully_valid():
        raise Unsure("strided pick of a partly valid tensor")
    return Value(value.dtype, value.data[..., first::step], value.defined[..., first::step])


def index_add(value, axis, index, source, alpha):
    """Lines of the source added at the index's positions; one addition to each line at most."""
    axis %= value.data.ndim
    if not value.fully_valid() or not source.fully_valid() or alpha != 1:
        raise Unsure("index_add of a partly valid tensor")
    _checked(index, value.shape[axis])
    data = np.moveaxis(value.data.copy(), axis, 0)
    defined = np.moveaxis(value.defined.copy(), axis, 0)
    lines, marks = np.moveaxis(source.data, axis, 0), np.moveaxis(source.defined, axis, 0)
    for i, at in enumerate(index.data.tolist()):
        with np.errstate(all="ignore"):
            data[at] = _sum(data[at], lines[i], value.dtype)
        defined[at] &= marks[i]
    return Value(value.dtype, np.moveaxis(data, 0, axis), np.moveaxis(defined, 0, axis))
