"""The torch_npu operators that references use, by their definitions."""
import torch

from ._hifloat import decode, encode, hifloat8

__all__ = ["npu_add_rms_norm", "npu_anti_quant", "npu_bmmV2", "npu_dtype_cast", "npu_dynamic_quant",
           "npu_fast_gelu", "npu_gelu", "npu_linear", "npu_quant_matmul", "npu_quantize",
           "npu_rms_norm", "npu_scatter_nd_update", "npu_scatter_nd_update_", "npu_silu", "npu_swiglu",
           "npu_trans_quant_param", "npu_transpose"]

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
                     output_dtype=None, group_sizes=None):
    """(int8 product + int32 bias) · scale · per-token scale (+ float bias)."""
    if group_sizes:
        raise NotImplementedError("npu_quant_matmul with group_sizes is not simulated")
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


def npu_add_rms_norm(x1, x2, gamma, epsilon=1e-6):
    """(rms_norm(x1 + x2), reciprocal root, x1 + x2)."""
    total = (x1.float() + x2.float()).to(x1.dtype)
    normalised, scale = npu_rms_norm(total, gamma, epsilon)
    return normalised, scale, total


def npu_gelu(x, *, approximate="none"):
    """gelu in F32."""
    return torch.nn.functional.gelu(x.float(), approximate=approximate).to(x.dtype)


def npu_fast_gelu(x):
    """x / (1 + exp(-1.702·|x|)) · exp(0.851·(x - |x|))"""
    wide = x.float()
    size = wide.abs()
    return (wide / (1 + torch.exp(-1.702 * size)) * torch.exp(0.851 * (wide - size))).to(x.dtype)


def npu_silu(x):
    """x · sigmoid(x)"""
    return (x.float() * torch.sigmoid(x.float())).to(x.dtype)


def npu_transpose(x, perm, require_contiguous=True):
    """The axes in another order."""
    moved = x.permute(*perm)
    return moved.contiguous() if require_contiguous else moved


def npu_bmmV2(x, mat2, output_sizes):
    """torch.matmul, and a reshape when sizes are given."""
    product = torch.matmul(x, mat2)
    return product.reshape(output_sizes) if output_sizes else product


def npu_linear(x, weight, bias=None):
    """x · weight transposed + bias"""
    return torch.nn.functional.linear(x, weight, bias)


def npu_scatter_nd_update_(x, indices, updates):
    """x[indices[i]] = updates[i], in place; the last axis of indices counts leading axes of x."""
    places = tuple(indices.long().unbind(-1))
    x[places] = updates.to(x.dtype)
    return x


def npu_scatter_nd_update(x, indices, updates):
    """The same into a copy."""
    return npu_scatter_nd_update_(x.clone(), indices, updates)


def npu_anti_quant(x, scale, *, offset=None, dst_dtype=None, src_dtype=None):
    """(x + offset) · scale"""
    del src_dtype
    wide = x.float()
    if offset is not None:
        wide = wide + offset.float()
    return (wide * scale.float()).to(dst_dtype or torch.float16)


def npu_dtype_cast(x, dtype, input_dtype=None):
    """x.to(dtype), also to hifloat8 (in uint8) and, with `input_dtype`, from there."""
    if input_dtype is hifloat8:
        x = decode(x.cpu()).to(x.device)
    return encode(x.cpu()).to(x.device) if dtype is hifloat8 else x.to(dtype)


def npu_trans_quant_param(scale, offset=None):
    """The scale's F32 bits in the low half of 64-bit integers."""
    del offset
    bits = scale.float().contiguous().cpu().numpy().view("uint32").astype("int64")
    return torch.from_numpy(bits).to(scale.device)
