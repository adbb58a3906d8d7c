"""Phase M2 of gated_rmsnorm: RMSNorm (module 1), then SiLU gate and residual (module 2).

The letters name the layers of a kernel file: H one step of the maths on a tile,
I one block of rows, J the JIT entry with the loop, K the host wrapper.
"""

import pypto
import torch

EPSILON = 1e-6
ROW_BLOCK = 32  # rows that one loop iteration views and writes back
ROW_TILE = 4
COL_TILE = 1024


# H: sub-kernels, one for each module; both compute in float32


def pypto_rms_norm(x_tile, weight, inv_width):
    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)
    x_wide = pypto.cast(x_tile, pypto.DT_FP32)
    weight_wide = pypto.cast(weight, pypto.DT_FP32)
    square = pypto.mul(x_wide, x_wide)
    mean_square = pypto.mul(pypto.sum(square, -1, keepdim=True), inv_width)
    inv_rms = pypto.rsqrt(pypto.add(mean_square, EPSILON))
    return pypto.mul(pypto.mul(x_wide, inv_rms), weight_wide)


def pypto_gate_and_add(normed_tile, gate_tile, residual_tile):
    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)
    gate_wide = pypto.cast(gate_tile, pypto.DT_FP32)
    residual_wide = pypto.cast(residual_tile, pypto.DT_FP32)
    swish = pypto.mul(gate_wide, pypto.sigmoid(gate_wide))
    gated = pypto.mul(normed_tile, swish)
    return pypto.cast(pypto.add(gated, residual_wide), pypto.DT_BF16)


# I: one block of rows


def view_rows(source, row_start, valid_rows, col_count):
    return pypto.view(
        source, [ROW_BLOCK, col_count], [row_start, 0], valid_shape=[valid_rows, col_count]
    )


def gated_rmsnorm_kernel_impl(
    x, weight, gate, residual, y, row_start, valid_rows, col_count, inv_width
):
    x_tile = view_rows(x, row_start, valid_rows, col_count)
    gate_tile = view_rows(gate, row_start, valid_rows, col_count)
    residual_tile = view_rows(residual, row_start, valid_rows, col_count)
    normed_tile = pypto_rms_norm(x_tile, weight, inv_width)
    y_tile = pypto_gate_and_add(normed_tile, gate_tile, residual_tile)
    pypto.assemble(y_tile, [row_start, 0], y)


# J: JIT entry


@pypto.frontend.jit
def gated_rmsnorm_module12_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    weight: pypto.Tensor([1, pypto.STATIC], pypto.DT_BF16),
    gate: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    residual: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
):
    row_count = x.shape[0]
    col_count = x.shape[1]
    inv_width = 1.0 / col_count
    block_count = row_count // ROW_BLOCK
    for block in pypto.loop(block_count, name="row_blocks", idx_name="block"):
        row_start = block * ROW_BLOCK
        valid_rows = pypto.min(row_count - row_start, ROW_BLOCK)
        gated_rmsnorm_kernel_impl(
            x, weight, gate, residual, y, row_start, valid_rows, col_count, inv_width
        )


# K: host wrapper


def gated_rmsnorm_module12_wrapper(
    x: torch.Tensor, weight: torch.Tensor, gate: torch.Tensor, residual: torch.Tensor
) -> torch.Tensor:
    y = torch.empty(x.shape, dtype=torch.bfloat16, device=x.device)
    gated_rmsnorm_module12_kernel(
        x.contiguous(),
        weight.reshape(1, -1).contiguous(),
        gate.contiguous(),
        residual.contiguous(),
        y,
    )
    return y
