"""GroupNorm over channels, then SiLU: x [N, C, L] in FP16, two passes over L in blocks."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

EPS = 1e-5
GROUPS = 4
L_BLOCK = 32


def silu(x):
    return pypto.mul(x, pypto.sigmoid(x))


def load_block(x, n, group, start, members, left):
    tile = pypto.view(x, [1, members, L_BLOCK], [n, group * members, start],
                      valid_shape=[1, members, left])
    return pypto.cast(tile, pypto.DT_FP32)


@pypto.frontend.jit
def group_norm_silu_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_FP16),
    gamma: pypto.Tensor([1, pypto.STATIC, 1], pypto.DT_FP32),
    beta: pypto.Tensor([1, pypto.STATIC, 1], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_FP16),
):
    batch, channels, length = x.shape[0], x.shape[1], x.shape[2]
    members = channels // GROUPS
    blocks = (length + L_BLOCK - 1) // L_BLOCK
    pypto.set_vec_tile_shapes(1, 8, 32)
    for n in pypto.loop(batch, name="batch", idx_name="n"):
        for group in pypto.loop(GROUPS, name="groups", idx_name="group"):
            total = pypto.full([1, members, 1], 0.0, pypto.DT_FP32)
            squares = pypto.full([1, members, 1], 0.0, pypto.DT_FP32)
            for first in pypto.loop(blocks, name="statistics", idx_name="first"):
                start = first * L_BLOCK
                left = pypto.min(length - start, L_BLOCK)
                part = load_block(x, n, group, start, members, left)
                total[:] = pypto.add(total, pypto.sum(part, -1, keepdim=True))
                squares[:] = pypto.add(squares, pypto.sum(pypto.mul(part, part), -1, keepdim=True))
            for second in pypto.loop(blocks, name="normalise", idx_name="second"):
                count = 1.0 / (length * members)
                begin = second * L_BLOCK
                rest = pypto.min(length - begin, L_BLOCK)
                mean = pypto.mul(pypto.sum(total, 1, keepdim=True), count)
                mean_square = pypto.mul(pypto.sum(squares, 1, keepdim=True), count)
                variance = pypto.sub(mean_square, pypto.mul(mean, mean))
                inverse = pypto.rsqrt(pypto.add(variance, EPS))
                block = load_block(x, n, group, begin, members, rest)
                scale = pypto.view(gamma, [1, members, 1], [0, group * members, 0])
                shift = pypto.view(beta, [1, members, 1], [0, group * members, 0])
                normal = pypto.mul(pypto.sub(block, mean), inverse)
                affine = pypto.add(pypto.mul(normal, scale), shift)
                result = pypto.cast(silu(affine), pypto.DT_FP16)
                pypto.assemble(result, [n, group * members, begin], y)
