"""References of operations in NumPy, written from the description of PyPTO alone: they share no code with
the simulator. Each takes arrays and gives the arrays of the results; 16-bit results come as F32 numbers
that are rounded to what the dtype can hold."""
import numpy as np

F32, F64 = np.float32, np.float64


def to_bf16(values):
    """F32 numbers rounded to BF16: nearest, ties to even."""
    bits = np.asarray(values, F32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(F32)
    return np.where(np.isnan(values), F32(np.nan), rounded).astype(F32)


def to_f16(values):
    """F32 numbers rounded to F16."""
    with np.errstate(over="ignore"):
        return np.asarray(values, F32).astype(np.float16).astype(F32)


ROUND = {"F32": lambda values: np.asarray(values, F32), "F16": to_f16, "BF16": to_bf16}


def small_values(exponent_bits, mantissa_bits, has_infinity):
    """The 256 values of an 8-bit floating-point format, by the definition of its bits."""
    bias = 2 ** (exponent_bits - 1) - 1
    values = np.zeros(256)
    for code in range(256):
        sign = -1.0 if code & 0x80 else 1.0
        exponent = code >> mantissa_bits & (2 ** exponent_bits - 1)
        mantissa = code & (2 ** mantissa_bits - 1)
        last = exponent == 2 ** exponent_bits - 1
        if last and has_infinity:
            values[code] = sign * np.inf if mantissa == 0 else np.nan
        elif last and mantissa == 2 ** mantissa_bits - 1:
            values[code] = np.nan
        elif exponent == 0:
            values[code] = sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
        else:
            values[code] = sign * (1 + mantissa / 2 ** mantissa_bits) * 2.0 ** (exponent - bias)
    return values


E4M3, E5M2 = small_values(4, 3, False), small_values(5, 2, True)


def four_bits(magnitudes):
    """The 16 values of a 4-bit format, of those without a sign."""
    return np.array(magnitudes + [-m for m in magnitudes])


E2M1 = four_bits([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
E1M2 = four_bits([0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75])


def pack_pairs(codes):
    """Two codes of 4 bits in a byte, the first in its low half."""
    return (codes[..., 0::2] | codes[..., 1::2] << 4).astype(np.uint8)


def unpack_pairs(pairs):
    """The inverse."""
    return np.stack([pairs & 15, pairs >> 4], -1).reshape(*pairs.shape[:-1], -1)


def hf8_values():
    """HiFloat8: a prefix says how many bits the exponent has (0 to 4); its first bit is the sign, its
    leading 1 is not stored; the rest is mantissa. A prefix of zeros: 2^(m − 23)."""
    values = np.zeros(256)
    for code in range(256):
        sign, bits = (-1.0 if code & 0x80 else 1.0), format(code & 0x7F, "07b")
        for prefix, size in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0), ("0000", None)):
            if bits.startswith(prefix):
                break
        rest = bits[len(prefix):]
        if size is None:
            values[code] = 0.0 if rest == "000" else sign * 2.0 ** (int(rest, 2) - 23)
        else:
            field, mantissa = rest[:size], rest[size:]
            exponent = 0
            if size:
                exponent = int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1)
            values[code] = sign * (1 + int(mantissa, 2) / 2 ** len(mantissa)) * 2.0 ** exponent
    values[0x80] = np.nan
    values[0x6F], values[0xEF] = np.inf, -np.inf
    return values


HF8 = hf8_values()


def e8m0(codes):
    """Powers of two with a bias of 127."""
    codes = np.asarray(codes, np.int64)
    return np.where(codes == 255, np.nan, np.ldexp(1.0, codes - 127))


def online_softmax(scores, scale):
    """Columns are queries."""
    x = (scores * F32(scale)).astype(F32)
    most = x.max(0, keepdims=True)
    e = np.exp((x - most).astype(F32).astype(F64)).astype(F32)
    return to_bf16(e), most, e.sum(0, keepdims=True, dtype=F64).astype(F32)


def online_softmax_update(prev_max, prev_sum, prev_out, cur_max, cur_sum, cur_out):
    """Two states of columns become one."""
    most = np.maximum(prev_max, cur_max)
    a, b = np.exp(prev_max.astype(F64) - most), np.exp(cur_max.astype(F64) - most)
    return (most, (prev_sum * a + cur_sum * b).astype(F32),
            (prev_out * a + cur_out * b).astype(F32))


def scaled_mm(a, b, scale_a, scale_b):
    """a [M, K] and b [K, N] are values, the scales [M, K/64, 2] and [K/64, N, 2] codes of E8M0; all
    with the same leading axes, if any."""
    block = np.arange(a.shape[-1]) // 32
    left = a * e8m0(scale_a)[..., :, block // 2, block % 2]
    # Advanced subscripts on both sides of a slice come first: back to [..., K, N].
    right = b * np.moveaxis(e8m0(scale_b), -2, -1)[..., block // 2, block % 2, :]
    return left @ right


def nearest(values, grid, sign):
    """Codes of the nearest numbers of a grid of magnitudes, whose code i is the i-th; ties to even, none
    beyond the largest. `sign` is the bit of negative numbers."""
    size = np.minimum(np.abs(values), grid[-1])
    above = np.clip(np.searchsorted(grid, size), 0, len(grid) - 1)
    below = np.maximum(above - 1, 0)
    up, down = grid[above] - size, size - grid[below]
    code = np.where(up < down, above, np.where(up > down, below, np.where(above % 2 == 0, above, below)))
    code = np.where(grid[above] == size, above, code)
    return (code | np.where(np.signbit(values), sign, 0)).astype(np.uint8)


# Of a format: its magnitudes, its sign bit, the exponent of its largest number.
MX = {"E4M3": (E4M3[:127], 0x80, 8), "E2M1": (E2M1[:8], 8, 2)}


def quant_mx(values, axis, round_up, to="E4M3"):
    """Codes of the format, and those of E8M0 with pairs of blocks as the last axis."""
    grid, sign, top = MX[to]
    lines = np.moveaxis(values.astype(F64), axis, -1)
    blocks = lines.reshape(lines.shape[:-1] + (-1, 32))
    most = np.abs(blocks).max(-1)
    exponent = np.full(most.shape, -127, np.int64)
    for at in np.ndindex(most.shape):
        if most[at] > 0:
            e = -140
            while 2.0 ** (e + 1) <= most[at]:
                e += 1
            exponent[at] = e - top
            if round_up and most[at] / 2.0 ** (e - top) > grid[-1]:
                exponent[at] += 1
    exponent = np.clip(exponent, -127, 127)
    elements = nearest(blocks / np.ldexp(1.0, exponent)[..., None], grid, sign).reshape(lines.shape)
    scales = (exponent + 127).astype(np.uint8).reshape(most.shape[:-1] + (-1, 2))
    return np.moveaxis(elements, -1, axis), np.moveaxis(scales, -2, axis - 1)


def sort32(values, index=None):
    """Lines of (value, index) pairs: arrays of both."""
    if index is None:
        index = np.broadcast_to(np.arange(values.shape[-1], dtype=np.int32), values.shape)
    found, where = values.copy(), index.copy()
    for first in range(0, values.shape[-1], 32):
        part = slice(first, first + 32)
        order = np.argsort(-values[..., part], -1, kind="stable")
        found[..., part] = np.take_along_axis(values[..., part], order, -1)
        where[..., part] = np.take_along_axis(index[..., part], order, -1)
    return found, where


def philox(count, key, counter):
    """The first `count` words of Philox4x32-10, in plain integers."""
    words = []
    for block in range(-(-count // 4)):
        x = [block % 2 ** 32, block >> 32, counter % 2 ** 32, counter >> 32]
        k = [key % 2 ** 32, key >> 32]
        for _ in range(10):
            a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
            x = [(b >> 32) ^ x[1] ^ k[0], b % 2 ** 32, (a >> 32) ^ x[3] ^ k[1], a % 2 ** 32]
            k = [(k[0] + 0x9E3779B9) % 2 ** 32, (k[1] + 0xBB67AE85) % 2 ** 32]
        words += x
    return np.array(words[:count], np.uint64)


MANTISSA = {"F32": 23, "F16": 10, "BF16": 7}


def uniform(shape, key, counter, dtype):
    """As many low bits of each word as the mantissa has."""
    count = int(np.prod(shape))
    scale = 2 ** MANTISSA[dtype]
    return (philox(count, key, counter) % scale / scale).reshape(shape)


def normal(shape, key, counter):
    """Box and Muller of neighbouring words."""
    count = int(np.prod(shape))
    u = uniform((count + count % 2, ), key, counter, "F32").reshape(-1, 2)
    radius = np.sqrt(-2 * np.log(np.maximum(u[:, 0], 1e-7)))
    angle = 2 * np.pi * u[:, 1]
    pairs = np.stack([np.sin(angle) * radius, np.cos(angle) * radius], -1)
    return pairs.reshape(-1)[:count].reshape(shape)


def conv(values, weight, strides, paddings, dilations, groups):
    """Every element of the result as the sum over its window of the padded input. `paddings` has a pair
    for each axis."""
    padded = np.pad(values.astype(F64), [(0, 0), (0, 0)] + [tuple(p) for p in paddings])
    kernel = weight.shape[2:]
    space = [(n - d * (k - 1) - 1) // s + 1
             for n, k, s, d in zip(padded.shape[2:], kernel, strides, dilations)]
    result = np.zeros((values.shape[0], weight.shape[0], *space))
    inner, outer = weight.shape[1], weight.shape[0] // groups
    for at in np.ndindex(*space):
        window = tuple(slice(a * s, a * s + d * (k - 1) + 1, d)
                       for a, s, d, k in zip(at, strides, dilations, kernel))
        for channel in range(weight.shape[0]):
            first = channel // outer * inner
            part = padded[(slice(None), slice(first, first + inner)) + window]
            result[(slice(None), channel) + at] = (part * weight[channel]).reshape(
                len(values), -1).sum(1)
    return result
