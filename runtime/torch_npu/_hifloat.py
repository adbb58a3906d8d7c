"""torch_npu.hifloat8: torch has no such dtype, its tensors are uint8. Only casts know the format."""
import torch

_INFINITY, _NAN = 0x6F, 0x80


class _HiFloat8:
    """The name of the format, for npu_dtype_cast."""

    itemsize = 1
    is_floating_point = True

    def __repr__(self):
        return "torch_npu.hifloat8"


hifloat8 = _HiFloat8()


def _value(code):
    """The value of the seven bits below the sign: the longer the prefix of zeros, the fewer bits of exponent."""
    if code < 8:
        return 0.0 if code == 0 else 2.0 ** (code - 23)
    width, fraction_bits = next(pair for first, pair in (
        (0x60, (4, 1)), (0x40, (3, 2)), (0x20, (2, 3)), (0x10, (1, 3)), (0x08, (0, 3)))
        if code >= first)
    fraction = code & ((1 << fraction_bits) - 1)
    exponent = 0
    if width:
        field, leading = code >> fraction_bits & ((1 << width) - 1), 1 << (width - 1)
        exponent = -field if field & leading else field + leading
    return (1 + fraction / (1 << fraction_bits)) * 2.0 ** exponent


_VALUES = [_value(code) for code in range(0x80)]  # of infinity: where it would lie
_ORDER = sorted(range(0x80), key=_VALUES.__getitem__)


def _decoded():
    values = torch.tensor(_VALUES + [-value for value in _VALUES])
    values[_INFINITY], values[0x80 | _INFINITY] = float("inf"), float("-inf")
    values[_NAN] = float("nan")
    return values


def decode(codes):
    """uint8 → F32."""
    return _decoded()[codes.long()]


def encode(values):
    """Floats → uint8: to the nearest, ties away from zero; beyond the largest, infinity."""
    ordered = torch.tensor(sorted(_VALUES), dtype=torch.float64)
    size = values.double().abs()
    place = torch.searchsorted((ordered[1:] + ordered[:-1]) / 2, size.nan_to_num(0.0, 1e9), right=True)
    codes = torch.tensor(_ORDER)[place.clamp(max=_ORDER.index(_INFINITY))]
    codes = torch.where((values < 0) & (codes != 0), codes | 0x80, codes)
    return codes.masked_fill(values.isnan(), _NAN).to(torch.uint8)
