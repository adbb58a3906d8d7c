"""RoPE of BF16 heads, then int8 codes with one step for each head of each token."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

TOKENS = 8
LEAST = 1e-6


def rotate(first, second, c, s):
    left = pypto.sub(pypto.mul(first, c), pypto.mul(second, s))
    right = pypto.add(pypto.mul(second, c), pypto.mul(first, s))
    return left, right


def step_of(left, right):
    left_most = pypto.amax(pypto.abs(left), -1, keepdim=True)
    right_most = pypto.amax(pypto.abs(right), -1, keepdim=True)
    most = pypto.clip(pypto.maximum(left_most, right_most), LEAST)
    return pypto.mul(most, 1.0 / 127.0)


def encode(part, step):
    scaled = pypto.div(part, step)
    whole = pypto.round(scaled)
    return whole, pypto.cast(pypto.cast(whole, pypto.DT_FP16), pypto.DT_INT8)


@pypto.frontend.jit
def rope_int8_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_BF16),
    cos: pypto.Tensor([pypto.DYNAMIC, 1, pypto.STATIC], pypto.DT_FP32),
    sin: pypto.Tensor([pypto.DYNAMIC, 1, pypto.STATIC], pypto.DT_FP32),
    codes: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_INT8),
    scale: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, 1], pypto.DT_FP32),
    back: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_BF16),
):
    tokens, heads, width = x.shape[0], x.shape[1], x.shape[2]
    half = width // 2
    pypto.set_vec_tile_shapes(TOKENS, 4, 32)
    for block in pypto.loop((tokens + TOKENS - 1) // TOKENS, name="tokens", idx_name="block"):
        start = block * TOKENS
        left = pypto.min(tokens - start, TOKENS)
        first = pypto.view(x, [TOKENS, heads, half], [start, 0, 0], valid_shape=[left, heads, half])
        second = pypto.view(x, [TOKENS, heads, half], [start, 0, half],
                            valid_shape=[left, heads, half])
        c = pypto.view(cos, [TOKENS, 1, half], [start, 0, 0], valid_shape=[left, 1, half])
        s = pypto.view(sin, [TOKENS, 1, half], [start, 0, 0], valid_shape=[left, 1, half])
        first_wide = pypto.cast(first, pypto.DT_FP32)
        second_wide = pypto.cast(second, pypto.DT_FP32)
        low, high = rotate(first_wide, second_wide, c, s)
        step = step_of(low, high)
        low_whole, low_codes = encode(low, step)
        high_whole, high_codes = encode(high, step)
        low_back = pypto.cast(pypto.mul(low_whole, step), pypto.DT_BF16)
        high_back = pypto.cast(pypto.mul(high_whole, step), pypto.DT_BF16)
        pypto.assemble(step, [start, 0, 0], scale)
        pypto.assemble(low_codes, [start, 0, 0], codes)
        pypto.assemble(high_codes, [start, 0, half], codes)
        pypto.assemble(low_back, [start, 0, 0], back)
        pypto.assemble(high_back, [start, 0, half], back)
