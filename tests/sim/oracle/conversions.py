"""Ops of the oracle that read the same bytes as another dtype, and those that quantise."""
import os
import sys

import numpy as np

from rounding import STORAGE, bf16_from_bits, bf16_to_bits, from_f32
from value import Unsure, Value

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime"))
from references import E4M3, E5M2, HF8, uniform as philox_uniform  # noqa: E402


def raw(data, dtype):
    """Elements as an array of their bytes, in a last axis of its own."""
    if dtype == "BF16":
        data = bf16_to_bits(data)
    data = np.ascontiguousarray(data)
    return data.view(np.uint8).reshape(data.shape + (data.dtype.itemsize,))


def cooked(octets, dtype):
    """The inverse: the last axis has the bytes of one element."""
    octets = np.ascontiguousarray(octets)
    kind = np.dtype(np.int16 if dtype == "BF16" else STORAGE[dtype])
    data = octets.reshape(octets.shape[:-1] + (-1,)).view(kind)[..., 0]
    return bf16_from_bits(np.ascontiguousarray(data)) if dtype == "BF16" else data


def reread(value, dtype):
    """view(dtype=…): the last axis scales. The bits of a NaN are anybody's."""
    if not value.fully_valid():
        raise Unsure("another reading of a partly valid tensor")
    octets = raw(value.data, value.dtype)
    known = value.defined
    if value.data.dtype.kind == "f":
        known = known & ~np.isnan(value.data)
    marks = np.broadcast_to(known[..., None], octets.shape)
    lines = octets.reshape(value.shape[:-1] + (-1,))
    size = 2 if dtype == "BF16" else np.dtype(STORAGE[dtype]).itemsize
    shape = value.shape[:-1] + (lines.shape[-1] // size, size)
    return Value(dtype, cooked(lines.reshape(shape), dtype),
                 marks.reshape(shape[:-2] + (-1,)).reshape(shape).all(-1))


def pack(value):
    flat = Value(value.dtype, value.data.reshape(-1), value.defined.reshape(-1))
    if not value.fully_valid():
        raise Unsure("the bytes of a partly valid tensor")
    return reread(flat, "U8")


def _spread(value, axis, rank):
    """Scales and zero points without the axis, as tensors of the input's rank."""
    data, marks = np.expand_dims(value.data, axis), np.expand_dims(value.defined, axis)
    if data.ndim != rank:
        raise Unsure("scale of another rank")
    return data, marks


def quantize(operands, dtype, axis):
    """round(x · scale + zero point), ties to even; what 8 bits cannot hold is left open."""
    value = operands[0]
    scale, marks = _spread(operands[1], axis, value.data.ndim)
    x = (value.data * scale).astype(np.float32)
    defined = value.defined & marks
    if len(operands) > 2:
        zero, marks = _spread(operands[2], axis, value.data.ndim)
        whole = np.rint((x + zero).astype(np.float32))
        defined = defined & marks & (np.rint(x) + zero == whole)  # the sum is rounded, or the product
    else:
        whole = np.rint(x)
    limits = np.iinfo(STORAGE[dtype])
    fits = (whole >= limits.min) & (whole <= limits.max)
    data = np.where(fits, whole, 0).astype(STORAGE[dtype])
    return Value(dtype, data, defined & fits, value.valid)


def dequantize(operands, dtype, axis):
    """(x − zero point) · scale."""
    value = operands[0]
    scale, marks = _spread(operands[1], axis, value.data.ndim)
    x, defined = value.data.astype(np.float32), value.defined & marks
    if len(operands) > 2:
        zero, marks = _spread(operands[2], axis, value.data.ndim)
        x, defined = (x - zero).astype(np.float32), defined & marks
    return Value(dtype, (x * scale).astype(np.float32), defined, value.valid)


FORMATS = {"FP8E4M3": E4M3, "FP8E5M2": E5M2, "HF8": HF8}


def through(value, name):
    """To the nearest number of an 8-bit format and back. Ties go to the even code, those of HF8 away from 0;
    what is beyond the largest number is left open."""
    grid = FORMATS[name][:128]
    codes = np.argsort(grid[np.isfinite(grid)], kind="stable")
    grid = grid[np.isfinite(grid)][codes]
    size = np.abs(value.data.astype(np.float64))
    defined = value.defined & (size <= grid[-1])
    size = np.where(size <= grid[-1], size, 0)
    above = np.clip(np.searchsorted(grid, size), 1, len(grid) - 1)
    below = above - 1
    up, down = grid[above] - size, size - grid[below]
    to_above = (codes[above] % 2 == 0) if name != "HF8" else np.ones(size.shape, bool)
    nearest = np.where((up < down) | ((up == down) & to_above), grid[above], grid[below])
    result = np.copysign(nearest, value.data).astype(np.float32)
    if name == "HF8":  # it has one zero
        result = np.where(nearest == 0, np.float32(0), result)
    return Value("F32", result, defined, value.valid)


def uniform(shape, key, counter, dtype):
    return Value(dtype, from_f32(philox_uniform(tuple(shape), key, counter, dtype).astype(np.float32),
                                 dtype))
