"""Row softmax, first attempt. Wrong on purpose: ../../README.md lists what is wrong where."""

import pypto
import torch
import torch.nn.functional as F
from softmax_broken_golden import softmax_broken_golden

ROWS = 64
COLS = 512
out_probs = torch.empty(ROWS, COLS)


def pypto_shift(x_tile):
    row_max = pypto.amax(x_tile, -1, keepdim=True)
    return pypto.sub(x_tile, row_max)


def pypto_row_sum(numerator):
    parts = [pypto.view(numerator, [ROWS, 128], [0, col]) for col in range(0, COLS, 128)]
    total = pypto.sum(parts[0], -1, keepdim=True)
    for part in parts[1:]:
        total = pypto.add(total, pypto.sum(part, -1, keepdim=True))
    return total


def softmax_broken_kernel_impl(x, y, block):
    pypto.set_vec_tile_shapes(8, 512)
    for _ in pypto.loop(1):
        x_tile = pypto.view(x, [ROWS, COLS], [block * ROWS])
        numerator = pypto.exp(pypto_shift(x_tile))
        y_tile = pypto.div(numerator, pypto_row_sum(numerator))
        for half in pypto.loop(2, name="halves"):
            pypto.assemble(y_tile, [block * ROWS + half * 32, 0], y)


@pypto.frontend.jit
def softmax_broken_kernel(
    x: pypto.Tensor([64, 512], pypto.DT_BF16),
    scale: float,
    y: pypto.Tensor([], pypto.DT_FP32),
    row_block,
):
    rows = x.shape[0]
    pypto.set_vec_tile_shapes(rows, COLS)
    blocks = max(rows // row_block, 1)
    while blocks > 8:
        blocks -= 1
    x = pypto.mul(x, scale)
    for block in pypto.loop(blocks, name="blocks", unroll_list=[8, 1]):
        for part in pypto.loop(2, name="parts"):
            softmax_broken_kernel_impl(x, y, block)
    probs = pypto.softmax(x, -1)
    y = probs
    return y


def softmax_broken_wrapper(x, scale=1.0):
    y = pypto.empty([x.shape[0], COLS])
    x = x - torch.amax(x, dim=-1, keepdim=True)
    for start in range(0, x.shape[0], ROWS):
        softmax_broken_kernel(x[start : start + ROWS], scale, y[start : start + ROWS], ROWS)
    return y / y.sum(-1, keepdim=True)


def launch_softmax(x):
    softmax_broken_kernel(x, 1.0, out_probs, ROWS)
    return out_probs


def softmax_broken_fast(x):
    return F.softmax(x, dim=-1)
