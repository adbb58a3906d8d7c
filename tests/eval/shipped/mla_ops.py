"""Steps that several kernels share."""
import pypto


def rms_norm_step(x, gamma, eps=1e-6):
    rank = len(x.shape)
    dtype = x.dtype
    x_fp32 = pypto.cast(x, pypto.DT_FP32)
    square = pypto.mul(x_fp32, x_fp32)
    mean = pypto.sum(square * (1.0 / x.shape[rank - 1]), -1, keepdim=True)
    inv = pypto.div(pypto.full(mean.shape, 1.0, pypto.DT_FP32, valid_shape=mean.shape), pypto.sqrt(pypto.add(mean, eps)))
    gamma_shape = [1] * (rank - 1) + [x.shape[rank - 1]]
    gamma_2d = pypto.cast(pypto.reshape(gamma, gamma_shape), pypto.DT_FP32)
    return pypto.cast(x_fp32 * inv * gamma_2d, dtype)


def rotate_half(x):
    half = x.shape[-1] // 2
    shape = list(x.shape)
    shape[-1] = half
    zeros = [0] * (len(shape) - 1)
    left = pypto.view(x, shape, zeros + [0])
    right = pypto.view(x, shape, zeros + [half])
    return pypto.concat([right * (-1.0), left], -1)


def rope_2d(x, cos, sin):
    x32 = pypto.cast(x, pypto.DT_FP32)
    cos32, sin32 = pypto.cast(cos, pypto.DT_FP32), pypto.cast(sin, pypto.DT_FP32)
    return pypto.cast(x32 * cos32 + rotate_half(x32) * sin32, x.dtype)


def quant_per_token(x):
    x32 = pypto.cast(x, pypto.DT_FP32)
    top = pypto.amax(pypto.abs(x32), -1, keepdim=True)
    scale = pypto.div(pypto.full(top.shape, 127.0, pypto.DT_FP32), top)
    q = pypto.cast(x32 * scale, pypto.DT_INT32, pypto.CastMode.CAST_RINT)
    q16 = pypto.cast(q, pypto.DT_FP16, pypto.CastMode.CAST_ROUND)
    return pypto.cast(q16, pypto.DT_INT8, pypto.CastMode.CAST_TRUNC), pypto.div(
        pypto.full(top.shape, 1.0, pypto.DT_FP32), scale)


def dequant(x, scale_row, scale_col):
    return pypto.cast(x, pypto.DT_FP32) * scale_row * scale_col
