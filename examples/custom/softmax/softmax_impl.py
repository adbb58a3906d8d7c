"""Row softmax for a 2-D float32 tensor with a run-time number of rows.

The letters name the layers of a kernel file: H one step of the maths on a tile,
I one block of rows, J the JIT entry with the loop, K the host wrapper.
"""

import pypto
import torch

ROW_BLOCK = 64  # rows that one loop iteration views and writes back
ROW_TILE = 8
COL_TILE = 512


# H: sub-kernel


def pypto_row_softmax(x_tile):
    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)
    row_max = pypto.amax(x_tile, -1, keepdim=True)
    shifted = pypto.sub(x_tile, row_max)
    numerator = pypto.exp(shifted)
    row_sum = pypto.sum(numerator, -1, keepdim=True)
    return pypto.div(numerator, row_sum)


# I: one block of rows


def softmax_kernel_impl(x, y, row_start, valid_rows, col_count):
    x_tile = pypto.view(
        x, [ROW_BLOCK, col_count], [row_start, 0], valid_shape=[valid_rows, col_count]
    )
    prob_tile = pypto_row_softmax(x_tile)
    pypto.assemble(prob_tile, [row_start, 0], y)


# J: JIT entry


@pypto.frontend.jit
def softmax_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
):
    row_count = x.shape[0]
    col_count = x.shape[1]
    block_count = (row_count + ROW_BLOCK - 1) // ROW_BLOCK
    for block in pypto.loop(block_count, name="row_blocks", idx_name="block"):
        row_start = block * ROW_BLOCK
        valid_rows = pypto.min(row_count - row_start, ROW_BLOCK)
        softmax_kernel_impl(x, y, row_start, valid_rows, col_count)


# K: host wrapper


def softmax_wrapper(x: torch.Tensor) -> torch.Tensor:
    if x.dim() != 2 or x.dtype != torch.float32:
        raise ValueError(f"expected a 2-D float32 tensor, got {x.dim()}-D {x.dtype}")
    x = x.contiguous()
    y = torch.empty_like(x)
    softmax_kernel(x, y)
    return y
