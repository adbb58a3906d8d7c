"""Chains of 16-bit operations: those that the device computes in F32 hand each other the unrounded
result within one piece of a body. Each chip has its own list."""
from value import Value
from rounding import from_f32

import numpy as np

BF16_A2 = set("add sub mul div maximum minimum fmod remainder floor_div exp log sqrt rsqrt reciprocal "
           "abs neg sign relu lrelu prelu sinh cosh copysign where logical_not logical_and tril "
           "triu expand_exp_dif index_add sum amax amin prod argmax argmin".split())
F16_A2 = set("add sub mul fmod index_add".split())
BF16_950 = set("add sub mul div fmod remainder exp sqrt rsqrt reciprocal abs relu lrelu prelu logical_not "
               "logical_and expand_exp_dif index_add sum amax amin prod argmax argmin".split())
F16_950 = set("add sub mul index_add".split())
OWN_DTYPE = ("logical_not", "logical_and", "argmax", "argmin")  # results that are no floats


def lists(target):
    """16-bit dtype: the ops that compute on it in F32. In 9.2 lrelu has casts of its own around it."""
    wide = {"BF16": BF16_950 if target.is_950 else BF16_A2, "F16": F16_950 if target.is_950 else F16_A2}
    return wide if target.pypto == "9.1" else {dtype: ops - {"lrelu"} for dtype, ops in wide.items()}


def wide_dtype(op, operands, wide):
    """The 16-bit dtype of the operands that the op computes on in F32, or None."""
    for v in operands:
        if isinstance(v, Value) and op in wide.get(v.dtype, ()):
            return v.dtype
    return None


def _as_f32(value, dtype, piece):
    if not isinstance(value, Value) or value.dtype != dtype:
        return value
    kept = value.wide is not None and value.wide[1] == piece
    data = value.wide[0] if kept else value.data.astype(np.float32)
    return Value("F32", data, value.defined, value.valid)


def compute(function, op, operands, piece, wide):
    """The result of function(operands), a Value; as the device chains it."""
    dtype = wide_dtype(op, operands, wide)
    if dtype is None:
        return function(operands)
    result = function([_as_f32(v, dtype, piece) for v in operands])
    if op in OWN_DTYPE:
        return result
    rounded = Value(dtype, from_f32(result.data, dtype), result.defined, result.valid)
    rounded.wide = (result.data, piece)
    return rounded
