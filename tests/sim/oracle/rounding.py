"""Number formats of the oracle: how each dtype is stored in NumPy, and every rounding step.

BF16 lives in a float32 array whose values are all representable in bfloat16; everything else is
NumPy's own type. Nothing here knows of kernels.
"""
import numpy as np

FLOATS = ("F32", "F16", "BF16")
INTEGERS = ("I8", "U8", "I16", "I32", "I64")
STORAGE = {"F32": np.float32, "F16": np.float16, "BF16": np.float32, "I8": np.int8, "U8": np.uint8,
           "I16": np.int16, "I32": np.int32, "I64": np.int64, "BOOL": np.bool_}
BYTES = {"F32": 4, "F16": 2, "BF16": 2, "I8": 1, "U8": 1, "I16": 2, "I32": 4, "I64": 8, "BOOL": 1}
# precision in bits, exponent of the smallest subnormal, largest finite value
_FORMAT = {"F32": (24, -149, float(np.finfo(np.float32).max)), "F16": (11, -24, 65504.0),
           "BF16": (8, -133, float(np.uint32(0x7F7F0000).view(np.float32)))}


def bf16(x):
    """float32 → nearest bfloat16 (ties to even), by integer arithmetic; NaN stays NaN."""
    bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
    low = bits & np.uint32(0xFFFF)
    high = bits >> np.uint32(16)
    up = (low > 0x8000) | ((low == 0x8000) & ((high & np.uint32(1)) == 1))
    rounded = ((high + up.astype(np.uint32)) << np.uint32(16)).view(np.float32)
    return np.where(np.isnan(x), np.float32(np.nan), rounded).astype(np.float32)


def bf16_from_bits(bits):
    """int16 or uint16 pattern → its value."""
    return (bits.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)


def bf16_to_bits(x):
    """The int16 pattern of representable values."""
    bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
    return (bits >> np.uint32(16)).astype(np.uint16).view(np.int16)


def integral(y, mode):
    """float64 → float64 without a fraction."""
    if mode == "FLOOR":
        return np.floor(y)
    if mode == "CEIL":
        return np.ceil(y)
    if mode == "TRUNC":
        return np.trunc(y)
    if mode == "ROUND":
        whole = np.trunc(y)
        return np.where(np.abs(y - whole) >= 0.5, whole + np.copysign(1.0, y), whole)
    if mode == "ODD":
        whole = np.trunc(y)
        return np.where((whole != y) & (np.fmod(whole, 2) == 0), whole + np.copysign(1.0, y), whole)
    return np.rint(y)


def round_float(x, dtype, mode="RINT"):
    """float64 → dtype's values in its storage type, one rounding. Beyond the largest finite
    value: infinity (meant for RINT and ROUND only)."""
    precision, smallest, largest = _FORMAT[dtype]
    x = np.asarray(x, dtype=np.float64)
    finite = np.isfinite(x) & (x != 0)
    _, exponent = np.frexp(np.where(finite, x, 1.0))
    unit = np.maximum(exponent - precision, smallest)
    y = np.ldexp(integral(np.ldexp(np.where(finite, x, 1.0), -unit), mode), unit)
    y = np.where(np.abs(y) > largest, np.copysign(np.inf, x), y)
    y = np.where(finite, np.copysign(y, x), x)
    return y.astype(STORAGE[dtype])


def from_f32(x, dtype):
    """The one rounding at the end of an op computed in F32."""
    if dtype == "BF16":
        return bf16(x)
    return np.asarray(x, dtype=np.float32).astype(STORAGE[dtype])


def wrap(x, dtype):
    """Low bits of Python or NumPy integers."""
    return np.asarray(x).astype(np.int64).astype(STORAGE[dtype])


def scalar(value, dtype):
    """A Python number as the dtype sees it."""
    if dtype in FLOATS:
        return round_float(np.float64(value), dtype)
    if dtype == "BOOL":
        return np.bool_(bool(value))
    return wrap(np.int64(int(value)), dtype)
