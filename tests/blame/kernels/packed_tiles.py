"""From packed rows: shifted, scaled and clipped keys, and gated queries; from labels: one-hot rows."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

ROWS = 16
WIDTH = 32
QUERIES = 4
KEYS = 2
BASE = QUERIES * WIDTH


def part_of(packed, start, column):
    """WIDTH columns of the rows of a block, in FP32."""
    return pypto.cast(pypto.view(packed, [ROWS, WIDTH], [start, column]), pypto.DT_FP32)


@pypto.frontend.jit
def packed_tiles_kernel(
    packed: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    shifts: pypto.Tensor([KEYS, WIDTH], pypto.DT_FP32),
    gains: pypto.Tensor([KEYS, WIDTH], pypto.DT_FP32),
    labels: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    keys: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    gates: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    places: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    for block in pypto.loop(packed.shape[0] // ROWS, name="rows", idx_name="block"):
        start = block * ROWS
        label = pypto.view(labels, [ROWS, 1], [start, 0])
        for head in pypto.loop(KEYS, name="heads", idx_name="head"):
            column = head * WIDTH
            part = part_of(packed, start, BASE + column)
            shift = pypto.view(shifts, [1, WIDTH], [head, 0])
            gain = pypto.view(gains, [1, WIDTH], [head, 0])
            limited = pypto.clip(pypto.mul(part - shift, gain), -1.0, 1.0)
            raised = pypto.add(limited, 0.5)
            pypto.assemble(raised, [start, column], keys)
            gate = part_of(packed, start, column)
            value = part_of(packed, start, 2 * WIDTH + column)
            pypto.assemble(pypto.mul(pypto.sigmoid(gate), value), [start, column], gates)
            first = pypto.full([ROWS, 1], column, pypto.DT_FP32)
            counted = pypto.cumsum(pypto.full([ROWS, WIDTH], 1.0, pypto.DT_FP32), 1) - 1.0
            away = pypto.sub(label, pypto.add(counted, first))
            pypto.assemble(pypto.relu(1.0 - pypto.abs(away)), [start, column], places)
