"""Layer norm of a sum: x + residual is normalised, and handed on beside the result."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

WIDTH = 96
TILE = 8
EPSILON = 1e-6


@pypto.frontend.jit
def residual_norm_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    residual: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    gamma: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    beta: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    total: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
):
    pypto.set_vec_tile_shapes(TILE, WIDTH)
    rows = x.shape[0]
    for block in pypto.loop((rows + TILE - 1) // TILE, name="blocks", idx_name="block"):
        begin = block * TILE
        count = pypto.min(rows - begin, TILE)
        one = pypto.view(x, [TILE, WIDTH], [begin, 0], valid_shape=[count, WIDTH])
        other = pypto.view(residual, [TILE, WIDTH], [begin, 0], valid_shape=[count, WIDTH])
        added = pypto.cast(one, pypto.DT_FP32) + pypto.cast(other, pypto.DT_FP32)
        mean = pypto.sum(added, -1, keepdim=True) / WIDTH
        shifted = added - mean
        spread = pypto.sum(shifted * shifted, -1, keepdim=True) / WIDTH
        normal = shifted * pypto.rsqrt(spread + EPSILON)
        scaled = normal * gamma
        pypto.assemble(scaled + beta, [begin, 0], y)
        pypto.assemble(pypto.cast(added, pypto.DT_BF16), [begin, 0], total)
