"""Phase M1 of gated_rmsnorm: RMSNorm over rows, bfloat16 in, float32 out.

The letters name the layers of a kernel file: H one step of the maths on a tile,
I one block of rows, J the JIT entry with the loop, K the host wrapper.
"""

import pypto
import torch

EPSILON = 1e-6
ROW_BLOCK = 32  # rows that one loop iteration views and writes back
ROW_TILE = 4
COL_TILE = 1024


# H: sub-kernel of module 1


def pypto_rms_norm(x_tile, weight, inv_width):
    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)
    x_wide = pypto.cast(x_tile, pypto.DT_FP32)
    weight_wide = pypto.cast(weight, pypto.DT_FP32)
    square = pypto.mul(x_wide, x_wide)
    mean_square = pypto.mul(pypto.sum(square, -1, keepdim=True), inv_width)
    inv_rms = pypto.rsqrt(pypto.add(mean_square, EPSILON))
    return pypto.mul(pypto.mul(x_wide, inv_rms), weight_wide)


# I: one block of rows


def rms_norm_kernel_impl(x, weight, normed, row_start, valid_rows, col_count, inv_width):
    x_tile = pypto.view(
        x, [ROW_BLOCK, col_count], [row_start, 0], valid_shape=[valid_rows, col_count]
    )
    normed_tile = pypto_rms_norm(x_tile, weight, inv_width)
    pypto.assemble(normed_tile, [row_start, 0], normed)


# J: JIT entry


@pypto.frontend.jit
def gated_rmsnorm_module1_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    weight: pypto.Tensor([1, pypto.STATIC], pypto.DT_BF16),
    normed: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
):
    row_count = x.shape[0]
    col_count = x.shape[1]
    inv_width = 1.0 / col_count
    block_count = (row_count + ROW_BLOCK - 1) // ROW_BLOCK
    for block in pypto.loop(block_count, name="row_blocks", idx_name="block"):
        row_start = block * ROW_BLOCK
        valid_rows = pypto.min(row_count - row_start, ROW_BLOCK)
        rms_norm_kernel_impl(x, weight, normed, row_start, valid_rows, col_count, inv_width)


# K: host wrapper


def gated_rmsnorm_module1_wrapper(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    normed = torch.empty(x.shape, dtype=torch.float32, device=x.device)
    gated_rmsnorm_module1_kernel(x.contiguous(), weight.reshape(1, -1).contiguous(), normed)
    return normed
