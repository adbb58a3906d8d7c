"""Softmax over rows; the number of rows is known only when the kernel is called."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
COLUMNS = 96
ROW_TILE = 16


@pypto.frontend.jit
def softmax_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROW_TILE, COLUMNS)
    rows = x.shape[0]
    for step in pypto.loop((rows + ROW_TILE - 1) // ROW_TILE, name="rows", idx_name="step"):
        start = step * ROW_TILE
        left = pypto.min(rows - start, ROW_TILE)
        part = pypto.view(x, [ROW_TILE, COLUMNS], [start, 0], valid_shape=[left, COLUMNS])
        shifted = part - pypto.amax(part, -1, keepdim=True)
        powers = pypto.exp(shifted)
        pypto.assemble(powers / pypto.sum(powers, -1, keepdim=True), [start, 0], y)


def main():
    torch.manual_seed(3)
    checks = Checks("softmax")
    for rows in (1, 16, 37, 130):
        x = torch.randn(rows, COLUMNS) * 5
        y = torch.zeros(rows, COLUMNS, device=DEVICE)
        softmax_kernel(x.to(DEVICE), y)
        checks.close(f"{rows} rows", y, torch.softmax(x, -1))
    checks.finish()


if __name__ == "__main__":
    main()
