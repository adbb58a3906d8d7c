"""Element-wise ops of the oracle: unary, binary, where, clip, casts and composites.

Floats are computed in F32 (transcendentals: double, rounded to F32) and rounded once to the result
dtype; integers wrap. Each op gives (array, doubtful) where `doubtful` marks results the rules leave
open (None = none).
"""
import math

import numpy as np

from rounding import FLOATS, STORAGE, from_f32, integral, round_float, scalar, wrap
from value import Unsure, Value

LARGE = 2.0 ** 31


def libm(function, pole=math.nan):
    """A scalar function of math over an array, in double, rounded to F32. `pole`: the result where
    math refuses a value that is 0 (log) – anything else it refuses is NaN; overflow has x's sign."""
    def one(x):
        try:
            return function(x)
        except OverflowError:
            return math.copysign(math.inf, x)
        except ValueError:
            return pole if x == 0 else math.nan

    def apply(x):
        out = np.array([one(v) for v in x.astype(np.float64).reshape(-1).tolist()], np.float64)
        return out.reshape(x.shape).astype(np.float32)
    return apply


def _log1p(x):
    return -math.inf if x == -1 else math.log1p(x)


def _atanh(x):
    return math.copysign(math.inf, x) if abs(x) == 1 else math.atanh(x)


def _rsqrt(x):
    return math.inf if x == 0 else 1.0 / math.sqrt(x)


FUNCTIONS = {
    "exp": libm(math.exp), "exp2": libm(lambda x: math.pow(2.0, x)), "expm1": libm(math.expm1),
    "log": libm(math.log, -math.inf), "log2": libm(math.log2, -math.inf),
    "log10": libm(math.log10, -math.inf), "log1p": libm(_log1p),
    "rsqrt": libm(_rsqrt), "sin": libm(math.sin), "cos": libm(math.cos), "tanh": libm(math.tanh),
    "erf": libm(math.erf), "erfc": libm(math.erfc), "atan": libm(math.atan),
    "tan": libm(math.tan), "sinh": libm(math.sinh), "cosh": lambda x: libm(math.cosh)(np.abs(x)),
    "asinh": libm(math.asinh), "acosh": libm(math.acosh), "asin": libm(math.asin),
    "acos": libm(math.acos), "atanh": libm(_atanh), "sign": np.sign,
    "cbrt": lambda x: np.cbrt(x.astype(np.float64)).astype(np.float32),
    "sqrt": lambda x: np.sqrt(x), "reciprocal": lambda x: np.float32(1) / x,
    "neg": lambda x: -x, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round": np.rint, "relu": lambda x: np.maximum(x, np.float32(0)),
}


def unary(op, value):
    x, dtype = value.data, value.dtype
    doubtful = None
    if dtype in FLOATS:
        result = from_f32(FUNCTIONS[op](x.astype(np.float32)), dtype)
        if op == "relu":
            doubtful = ~np.isfinite(x.astype(np.float32)) | ((x == 0) & np.signbit(x))
        if op == "rsqrt":
            doubtful = (x == 0) & np.signbit(x)
        if op == "sign":
            doubtful = np.isnan(x) | ((x == 0) & np.signbit(x))
        if op in ("sinh", "cosh") and x.size:
            doubtful = np.isinf(x)
        if op in ("sin", "cos", "tan"):
            doubtful = ~(np.abs(x.astype(np.float32)) <= 65504)
        return Value(dtype, result, _but(value.defined, doubtful), value.valid)
    wide = x.astype(np.int64)
    if op in ("exp2", "expm1"):
        return Value("F32", FUNCTIONS[op](wide.astype(np.float32)), value.defined, value.valid)
    wide = {"neg": -wide, "abs": np.abs(wide), "relu": np.maximum(wide, 0),
            "sign": np.sign(wide)}.get(op, wide)
    return Value(dtype, wrap(wide, dtype), value.defined, value.valid)


def _but(defined, doubtful):
    return defined if doubtful is None else defined & ~doubtful


def sign_bit(value):
    """-0 counts, NaN does not."""
    if value.dtype in FLOATS:
        data = np.signbit(value.data) & ~np.isnan(value.data)
    else:
        data = value.data < 0
    return Value("BOOL", data, value.defined, value.valid)


def is_finite(value):
    data = np.isfinite(value.data.astype(np.float64))
    return Value("BOOL", data, value.defined, value.valid)


def invert(value):
    return Value(value.dtype, ~value.data, value.defined, value.valid)


def logical_not(value):
    return Value("BOOL", value.data == 0, value.defined, value.valid)


def aligned(a, b):
    """Both with the same rank: leading axes of length 1."""
    rank = max(a.data.ndim, b.data.ndim)

    def grow(v):
        lead = rank - v.data.ndim
        shape = (1,) * lead + v.shape
        return Value(v.dtype, v.data.reshape(shape), v.defined.reshape(shape),
                     (1,) * lead + v.valid)
    return grow(a), grow(b)


def binary_valid(a, b):
    """Per axis operand 0's extent, operand 1's where operand 0 is broadcast."""
    return tuple(vb if na == 1 and nb != 1 else va
                 for na, nb, va, vb in zip(a.shape, b.shape, a.valid, b.valid))


def joint_valid(values):
    """Rule of where, maximum, clip: of the operands that are not broadcast. Where those differ the
    answer depends on which of them are constants."""
    rank = values[0].data.ndim
    result = []
    for axis in range(rank):
        size = max(v.shape[axis] for v in values)
        extents = {v.valid[axis] for v in values if v.shape[axis] == size}
        if len(extents) > 1:
            raise Unsure("extents of the operands differ")
        result.append(extents.pop())
    return tuple(result)


def _floored(x, y):
    """Remainder with the sign of the divisor; where it is 0 its sign is left open."""
    result = np.fmod(x, y)
    result = np.where((result != 0) & ((result < 0) != (y < 0)), result + y, result).astype(np.float32)
    return result, (y == 0) | ~np.isfinite(x) | ~np.isfinite(y) | (result == 0)


def _special(op, x, y):
    """→ (result in F32, doubtful), or None for the common ops."""
    if op == "fmod":
        return np.fmod(x, y), ~np.isfinite(y)
    if op == "remainder":
        return _floored(x, y)
    if op == "expand_exp_dif":  # of the difference in F32, or of the exact one?
        exact = x.astype(np.float64) - y
        doubtful = np.isfinite(exact) & (exact.astype(np.float32) != exact)
        return FUNCTIONS["exp"]((x - y).astype(np.float32)), doubtful
    return None


def _arithmetic(op, x, y, dtype):
    """→ (array, doubtful, dtype of the result)."""
    with np.errstate(all="ignore"):
        if dtype in FLOATS:
            x, y = x.astype(np.float32), y.astype(np.float32)
            doubtful = None
            special = _special(op, x, y)
            if special:
                result, doubtful = special
            elif op in ("maximum", "minimum"):
                pick = (x > y) if op == "maximum" else (x < y)
                result = np.where(np.isnan(x) | np.isnan(y), np.float32(np.nan),
                                  np.where(pick, x, y))
                doubtful = (x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))
            elif op == "copysign":
                result = np.copysign(x, y)
                doubtful = np.isnan(x) | np.isnan(y)
            elif op == "hypot":
                result = np.hypot(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
            elif op == "atan2":
                result = np.arctan2(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
            elif op == "floor_div":
                result = np.floor(x / y)  # of the quotient in F32, or of the exact one?
                exact = np.floor(x.astype(np.float64) / y).astype(np.float32)
                doubtful = (y == 0) | ~np.isfinite(x) | ~np.isfinite(y) | (result == 0)
                doubtful |= result != exact
            else:
                result = {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y}[op]
            return from_f32(result, dtype), doubtful, dtype
        if op == "div":
            return x.astype(np.float32) / y.astype(np.float32), None, "F32"
        x, y = x.astype(np.int64), y.astype(np.int64)
        if op == "remainder":
            return wrap(np.mod(x, np.where(y == 0, 1, y)), dtype), y == 0, dtype
        if op == "ceil_div":  # by way of F32: exact for small numbers
            doubtful = (y == 0) | (np.abs(x) >= 1 << 22) | (np.abs(y) >= 1 << 22)
            return wrap(-(-x // np.where(y == 0, 1, y)), dtype), doubtful, dtype
        if op in ("bitwise_left_shift", "bitwise_right_shift"):
            y = np.clip(y, 0, 15)
        result = {"bitwise_left_shift": lambda: x << y, "bitwise_right_shift": lambda: x >> y}.get(
            op, lambda: None)()
        if result is not None:
            return wrap(result, dtype), None, dtype
        result = {"add": x + y, "sub": x - y, "mul": x * y, "maximum": np.maximum(x, y),
                  "minimum": np.minimum(x, y), "bitwise_and": x & y, "bitwise_or": x | y,
                  "bitwise_xor": x ^ y, "gcd": np.gcd(x, y),
                  "copysign": np.where(y < 0, -np.abs(x), np.abs(x))}[op]
        return wrap(result, dtype), None, dtype


COMPARISONS = {"gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal,
               "eq": np.equal, "ne": np.not_equal}


def binary(op, a, b):
    """a, b: Values or Python numbers (at most one of them)."""
    if not isinstance(a, Value) and op == "sub":
        return unary("neg", binary("sub", b, a))
    if not isinstance(a, Value) and op == "div":
        return binary("mul", unary("reciprocal", b), a)
    if not isinstance(a, Value):
        a = Value(b.dtype, np.full((1,) * b.data.ndim, scalar(a, b.dtype), STORAGE[b.dtype]))
    if not isinstance(b, Value):
        b = Value(a.dtype, np.full((1,) * a.data.ndim, scalar(b, a.dtype), STORAGE[a.dtype]))
    a, b = aligned(a, b)
    valid = joint_valid([a, b]) if op in ("maximum", "minimum") else binary_valid(a, b)
    defined = a.defined & b.defined
    if op in COMPARISONS:
        return Value("BOOL", COMPARISONS[op](a.data, b.data), defined, valid)
    data, doubtful, dtype = _arithmetic(op, a.data, b.data, a.dtype)
    return Value(dtype, data, _but(defined, doubtful), valid)


def power(value, exponent):
    """Scalar exponents with a short form; each step in F32."""
    x = value.data.astype(np.float32)
    one = np.float32(1)
    with np.errstate(all="ignore"):
        if exponent == 0:
            result = np.ones_like(x)
        elif exponent in (0.5, -0.5):
            return unary("sqrt" if exponent > 0 else "rsqrt", value)
        elif exponent in (1, -1):
            result = x if exponent > 0 else one / x
        elif exponent in (2, -2):
            result = x * x if exponent > 0 else one / (x * x)
        elif exponent == 3:
            result = x * x * x
        else:
            result = libm(lambda v: math.pow(v, exponent))(x)
    return Value(value.dtype, from_f32(result, value.dtype), value.defined, value.valid)


def lrelu(value, slope):
    """x, or slope · x where x is negative; the slope is an F32 number."""
    x = value.data.astype(np.float32)
    result = np.where(x >= 0, x, x * np.float32(slope))
    return Value(value.dtype, from_f32(result, value.dtype), value.defined, value.valid)


def prelu(value, weight):
    """One weight for each element of the second axis."""
    shape = [1] * value.data.ndim
    shape[1 if value.data.ndim > 1 else 0] = weight.data.size
    x, w = value.data.astype(np.float32), weight.data.astype(np.float32).reshape(shape)
    defined = value.defined & weight.defined.reshape(shape)
    return Value(value.dtype, from_f32(np.where(x >= 0, x, x * w), value.dtype), defined, value.valid)


def axpy(y, x, alpha):
    """Known where the product is exact in F32: whether it is rounded is not laid down."""
    product = x.data.astype(np.float64) * alpha
    narrow = product.astype(np.float32)
    total = y.data.astype(np.float32) + narrow
    exact = (narrow == product) | ~np.isfinite(product)
    return Value(y.dtype, from_f32(total, y.dtype), y.defined & x.defined & exact, y.valid)


def is_nan(value):
    return Value("BOOL", np.isnan(value.data.astype(np.float32)), value.defined, value.valid)


def logical_and(a, b):
    return Value("BOOL", (a.data != 0) & (b.data != 0), a.defined & b.defined, binary_valid(a, b))


def where(condition, a, b):
    """Scalars are F32."""
    dtype = a.dtype if isinstance(a, Value) else b.dtype if isinstance(b, Value) else "F32"
    rank = condition.data.ndim

    def tensor(v):
        if isinstance(v, Value):
            return v
        return Value(dtype, np.full((1,) * rank, scalar(v, dtype), STORAGE[dtype]))
    a, b = tensor(a), tensor(b)
    valid = joint_valid([condition, a, b])
    data = np.where(condition.data, a.data, b.data)
    defined = condition.defined & np.where(condition.data, a.defined, b.defined)
    return Value(dtype, data.astype(STORAGE[dtype]), defined, valid)


def clip(value, low, high):
    """max first, min second, so low > high gives high."""
    result = value
    if low is not None:
        result = binary("maximum", result, low)
    if high is not None:
        result = binary("minimum", result, high)
    return result


def cast(value, dtype, mode="NONE", saturate=False):
    source, x = value.dtype, value.data
    doubtful = None
    if source == dtype:
        return value.copy()
    if source in FLOATS and dtype in FLOATS:
        widening = dtype == "F32"
        how = "RINT" if mode == "NONE" or widening else mode
        wide = x.astype(np.float64)
        result = round_float(wide, dtype, how)
        if how not in ("RINT", "ROUND"):
            doubtful = np.isinf(result.astype(np.float32)) & np.isfinite(wide)
    elif source in FLOATS:
        result, doubtful = _to_integer(x.astype(np.float64), dtype, mode, saturate)
    elif dtype in FLOATS:
        exact = x.astype(np.int64)
        result = from_f32(exact.astype(np.float32), dtype)
    else:
        wide = x.astype(np.int64)
        result = _clamp(wide, dtype) if saturate else wrap(wide, dtype)
    return Value(dtype, result, _but(value.defined, doubtful), value.valid)


def _clamp(wide, dtype):
    info = np.iinfo(STORAGE[dtype])
    return np.clip(wide, info.min, info.max).astype(STORAGE[dtype])


def _to_integer(x, dtype, mode, saturate):
    whole = integral(x, "TRUNC" if mode == "NONE" else mode)
    nan = np.isnan(whole)
    if dtype in ("I32", "I64"):
        info = np.iinfo(STORAGE[dtype])
        low, high = whole < float(info.min), whole >= -float(info.min)
        plain = np.where(nan | low | high, 0, whole).astype(np.int64)
        plain = np.where(low, info.min, np.where(high, info.max, plain))
        return plain.astype(STORAGE[dtype]), None
    if saturate:
        info = np.iinfo(STORAGE[dtype])
        plain = np.where(nan, 0, np.clip(whole, info.min, info.max)).astype(np.int64)
        return plain.astype(STORAGE[dtype]), nan
    doubtful = nan | (np.abs(whole) >= LARGE)
    return wrap(np.where(doubtful, 0, whole).astype(np.int64), dtype), doubtful


def sigmoid(value):
    x = cast(value, "F32")
    e = unary("exp", binary("mul", x, -1.0))
    total = binary("add", e, 1.0)
    one = Value("F32", np.ones(x.shape, np.float32), None, x.valid)
    return cast(binary("div", one, total), value.dtype)
