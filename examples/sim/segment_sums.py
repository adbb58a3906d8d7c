"""PyPTO 9.2: a sum carried from row to row, which a flag in a tensor ends: one row for each segment."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 48


@pypto.jit
def segment_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    ends: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
    sums: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, WIDTH)
    total = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)
    segment = 0
    for step in pypto.loop(x.shape[0], name="steps", idx_name="step"):
        total = total + pypto.view(x, [1, WIDTH], [step, 0])
        if ends[step] == 1:
            pypto.assemble(total, [segment, 0], sums)
            total = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)
            segment += 1


def main():
    torch.manual_seed(8)
    checks = Checks("segment_sums")
    for lengths in ((1,), (3, 1, 4, 1, 5), (9, 2, 6)):
        x = torch.randn(sum(lengths), WIDTH)
        ends = torch.zeros(len(x), dtype=torch.int32)
        ends[torch.tensor(lengths).cumsum(0) - 1] = 1
        sums = torch.zeros(len(lengths), WIDTH, device=DEVICE)
        segment_kernel(x.to(DEVICE), ends.to(DEVICE), sums)
        expected = torch.stack([part.sum(0) for part in x.split(lengths)])
        checks.close(f"lengths {lengths}", sums, expected)
    checks.finish()


if __name__ == "__main__":
    main()
