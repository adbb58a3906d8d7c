"""Chains of 16-bit operations: those that the device computes in F32 hand each other the unrounded
result within one piece of a body. For the hardware with separate cube and vector cores (A2, A3)."""
from value import Value
from rounding import from_f32

import numpy as np

BF16 = set("add sub mul div maximum minimum fmod remainder floor_div exp log sqrt rsqrt reciprocal "
           "abs neg sign relu lrelu prelu sinh cosh copysign where logical_not logical_and tril "
           "triu expand_exp_dif index_add sum amax amin prod argmax argmin".split())
F16 = set("add sub mul fmod index_add".split())
WIDE = {"BF16": BF16, "F16": F16}
OWN_DTYPE = ("logical_not", "logical_and", "argmax", "argmin")  # results that are no floats


def wide_dtype(op, operands):
    """The 16-bit dtype of the operands that the op computes on in F32, or None."""
    for v in operands:
        if isinstance(v, Value) and op in WIDE.get(v.dtype, ()):
            return v.dtype
    return None


def _as_f32(value, dtype, piece):
    if not isinstance(value, Value) or value.dtype != dtype:
        return value
    kept = value.wide is not None and value.wide[1] == piece
    data = value.wide[0] if kept else value.data.astype(np.float32)
    return Value("F32", data, value.defined, value.valid)


def compute(function, op, operands, piece):
    """The result of function(operands), a Value; as the device chains it."""
    dtype = wide_dtype(op, operands)
    if dtype is None:
        return function(operands)
    result = function([_as_f32(v, dtype, piece) for v in operands])
    if op in OWN_DTYPE:
        return result
    rounded = Value(dtype, from_f32(result.data, dtype), result.defined, result.valid)
    rounded.wide = (result.data, piece)
    return rounded
