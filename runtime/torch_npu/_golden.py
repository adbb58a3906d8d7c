"""The torch_npu operators that references use, by their definitions."""
import torch

_INT8_LARGEST = 127.0


def npu_dynamic_quant(x, smooth_scales=None, **_others):
    """(int8, F32 scale of each row): the scale is the row's largest magnitude / 127."""
    wide = x.float()
    if smooth_scales is not None:
        wide = wide * smooth_scales.float()
    scale = wide.abs().amax(-1) / _INT8_LARGEST
    divisor = torch.where(scale == 0, torch.ones_like(scale), scale)
    whole = torch.round(wide / divisor[..., None])
    return whole.clamp(-128, _INT8_LARGEST).to(torch.int8), scale


def npu_quantize(x, scales, zero_points=None, dtype=torch.qint8, axis=1, div_mode=True):
    """round(x / scale + zero point), or x · scale when div_mode is off, clamped to the dtype."""
    shape = [1] * x.dim()
    if scales.numel() > 1:
        shape[axis] = scales.numel()
    scale = scales.float().reshape(shape)
    wide = x.float() / scale if div_mode else x.float() * scale
    if zero_points is not None:
        wide = wide + zero_points.float().reshape(shape if zero_points.numel() > 1
                                                  else [1] * x.dim())
    small, large, kept = {torch.qint8: (-128, 127, torch.int8),
                          torch.int8: (-128, 127, torch.int8),
                          torch.quint8: (0, 255, torch.uint8),
                          torch.uint8: (0, 255, torch.uint8),
                          torch.qint32: (-2 ** 31, 2 ** 31 - 1, torch.int32),
                          torch.int32: (-2 ** 31, 2 ** 31 - 1, torch.int32)}[dtype]
    return torch.round(wide).double().clamp(small, large).to(kept)


def npu_quant_matmul(x1, x2, scale, *, offset=None, pertoken_scale=None, bias=None,
                     output_dtype=None):
    """(int8 product + int32 bias) · scale · per-token scale (+ float bias)."""
    sums = (x1.cpu().double() @ x2.cpu().double())  # exact: below 2^53
    if bias is not None and not bias.is_floating_point():
        sums = sums + bias.cpu().double()
    result = sums.float() * scale.cpu().float()
    if pertoken_scale is not None:
        result = result * pertoken_scale.cpu().float().reshape(-1, 1)
    if bias is not None and bias.is_floating_point():
        result = result + bias.cpu().float()
    if offset is not None:
        result = result + offset.cpu().float()
    wanted = output_dtype or torch.int8
    if wanted == torch.int8:
        result = torch.round(result).clamp(-128, _INT8_LARGEST)
    return result.to(wanted).to(x1.device)


def npu_swiglu(x, dim=-1):
    """silu(first half) · second half."""
    first, second = x.float().chunk(2, dim)
    return (first * torch.sigmoid(first) * second).to(x.dtype)


def npu_rms_norm(x, gamma, epsilon=1e-6):
    """(normalised x · gamma, reciprocal root of the mean square)."""
    wide = x.float()
    scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + epsilon)
    return (wide * scale * gamma.float()).to(x.dtype), scale


def npu_dtype_cast(x, dtype):
    """x.to(dtype)."""
    return x.to(dtype)


def npu_trans_quant_param(scale, offset=None):
    """The scale's F32 bits in the low half of 64-bit integers."""
    del offset
    bits = scale.float().contiguous().cpu().numpy().view("uint32").astype("int64")
    return torch.from_numpy(bits).to(scale.device)
