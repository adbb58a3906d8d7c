"""A causal convolution over the rows of two sequences, then SiLU. The last rows of a block are kept for the next block, and
those of the sequence are returned as its new state."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

ROWS = 16
WIDTH = 32
PAST = 2


def summed(window, taps):
    """The weighted sum of each row and the PAST rows before it."""
    total = pypto.mul(pypto.view(window, [ROWS, WIDTH], [0, 0]), taps[0])
    for tap in range(1, PAST + 1):
        total = pypto.add(total, pypto.mul(pypto.view(window, [ROWS, WIDTH], [tap, 0]), taps[tap]))
    return total


@pypto.frontend.jit
def past_rows_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    state: pypto.Tensor([2 * PAST, WIDTH], pypto.DT_FP32),
    weights: pypto.Tensor([PAST + 1, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    new_state: pypto.Tensor([2 * PAST, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    rows = x.shape[0] // 2
    for row in pypto.loop(2, name="sequences", idx_name="row"):
        old = pypto.view(state, [PAST, WIDTH], [row * PAST, 0])
        past = pypto.fillpad(old, "constant", 0.0)
        taps = []
        for tap in range(PAST + 1):
            taps.append(pypto.fillpad(pypto.view(weights, [1, WIDTH], [tap, 0]), "constant", 0.0))
        for block in pypto.loop((rows + ROWS - 1) // ROWS, name="blocks", idx_name="block"):
            start = row * rows + block * ROWS
            count = pypto.min(rows - block * ROWS, ROWS)
            part = pypto.view(x, [ROWS, WIDTH], [start, 0], valid_shape=[count, WIDTH])
            fresh = pypto.fillpad(pypto.cast(part, pypto.DT_FP32), "constant", 0.0)
            window = pypto.concat([past, fresh], 0)
            total = summed(window, taps)
            active = pypto.mul(total, pypto.sigmoid(total))
            narrow = pypto.view(pypto.cast(active, pypto.DT_BF16), [ROWS, WIDTH], [0, 0], valid_shape=[count, WIDTH])
            pypto.assemble(narrow, [start, 0], y)
            past[:] = pypto.view(window, [PAST, WIDTH], [count, 0])
        pypto.assemble(past, [row * PAST, 0], new_state)
