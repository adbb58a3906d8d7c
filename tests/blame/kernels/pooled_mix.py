"""Means of overlapping windows of tokens, mixed and gated, and the total share of each column."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

WIDTH = 64
MIXED = 32
WINDOW = 5
STRIDE = 3
PADDING = 1
ROWS = 8  # windows of a block
DEPTH = 16  # columns of one step of the product


def pool_window(x, row, tokens):
    """Mean of the tokens in the window of one row; the padding does not count."""
    begin = pypto.max(row * STRIDE - PADDING, 0)
    end = pypto.min(row * STRIDE - PADDING + WINDOW, tokens)
    size = end - begin
    window = pypto.view(x, [WINDOW, WIDTH], [begin, 0], valid_shape=[size, WIDTH])
    total = pypto.sum(window, 0, keepdim=True)
    ones = pypto.full([WINDOW, 1], 1.0, pypto.DT_FP32, valid_shape=[size, 1])
    members = pypto.sum(ones, 0, keepdim=True)
    return pypto.div(total, members)


def probabilities(given):
    largest = pypto.amax(given, -1, keepdim=True)
    power = pypto.exp(pypto.sub(given, largest))
    return pypto.div(power, pypto.sum(power, -1, keepdim=True))


def gated(normed, gate):
    swish = pypto.mul(gate, pypto.sigmoid(gate))
    return pypto.mul(normed, swish)


@pypto.frontend.jit
def pooled_mix_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    matrix: pypto.Tensor([MIXED, WIDTH], pypto.DT_FP32),
    bias: pypto.Tensor([1, 2 * MIXED], pypto.DT_FP32),
    gates: pypto.Tensor([pypto.DYNAMIC, MIXED], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, MIXED], pypto.DT_FP32),
    shares: pypto.Tensor([1, MIXED], pypto.DT_FP32),
):
    tokens = x.shape[0]
    windows = y.shape[0]
    pypto.set_vec_tile_shapes(8, 64)
    pypto.set_cube_tile_shapes([16, 16], [16, 16], [32, 32])
    sums = pypto.full([1, MIXED], 0.0, pypto.DT_FP32)
    for block in pypto.loop((windows + ROWS - 1) // ROWS, name="blocks", idx_name="block"):
        first = block * ROWS
        valid = pypto.min(windows - first, ROWS)
        pooled = pypto.full([ROWS, WIDTH], 0.0, pypto.DT_FP32)
        for place in pypto.loop(valid, name="windows", idx_name="place"):
            mean = pool_window(x, first + place, tokens)
            pypto.assemble(mean, [place, 0], pooled)
        mixed = pypto.full([ROWS, MIXED], 0.0, pypto.DT_FP32)
        for step in pypto.loop(WIDTH // DEPTH, name="depth", idx_name="step", submit_before_loop=True):
            column = step * DEPTH
            part = pypto.view(pooled, [ROWS, DEPTH], [0, column])
            rows = pypto.view(matrix, [MIXED, DEPTH], [0, column])
            product = pypto.matmul(part, rows, pypto.DT_FP32, b_trans=True)
            mixed[:] = pypto.add(mixed, product)
        moved = pypto.add(mixed, pypto.view(bias, [1, MIXED], [0, MIXED]))
        seen = pypto.view(moved, [ROWS, MIXED], [0, 0], valid_shape=[valid, MIXED])
        gate = pypto.view(gates, [ROWS, MIXED], [first, 0], valid_shape=[valid, MIXED])
        sums[:] = pypto.add(sums, pypto.sum(probabilities(seen), 0, keepdim=True))
        pypto.assemble(gated(seen, gate), [first, 0], y)
    shares[:] = sums
