"""Rows of several sequences one after the other: bounds of a loop that are read from a tensor."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 64
TILE = 4


@pypto.frontend.jit
def sums_kernel(
    ends: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TILE, WIDTH)
    for sequence in pypto.loop(y.shape[0], name="sequences", idx_name="sequence"):
        first = ends[sequence]
        last = ends[sequence + 1]
        total = pypto.zeros(1, WIDTH)
        for row in pypto.loop(first, last, TILE, name="rows", idx_name="row"):
            left = pypto.min(last - row, TILE)
            part = pypto.view(x, [TILE, WIDTH], [row, 0], valid_shape=[left, WIDTH])
            total[:] = total + pypto.sum(part, 0, keepdim=True)
        pypto.assemble(total, [sequence, 0], y)


def main():
    torch.manual_seed(14)
    checks = Checks("ragged_rows")
    for ends in ([0, 3, 3, 12], [0, 17]):
        x = torch.randn(ends[-1], WIDTH)
        y = torch.zeros(len(ends) - 1, WIDTH, device=DEVICE)
        sums_kernel(torch.tensor(ends, dtype=torch.int32, device=DEVICE), x.to(DEVICE), y)
        expected = torch.stack([x[a:b].sum(0) for a, b in zip(ends, ends[1:])])
        checks.close(f"{len(ends) - 1} sequences", y, expected, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
