"""PyPTO 9.2: columns with missing values (isnan): they are filled with the mean of the others."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 32
WIDTH = 64


@pypto.jit
def fill_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    counts: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    missing = pypto.isnan(x)
    present = pypto.where(missing, 0.0, x)
    ones = pypto.where(missing, pypto.zeros(ROWS, WIDTH), pypto.ones(ROWS, WIDTH))
    number = pypto.sum(ones, 0, keepdim=True)
    mean = pypto.sum(present, 0, keepdim=True) / pypto.maximum(number, 1.0)
    y[:] = pypto.where(missing, pypto.expand_clone(mean, [ROWS, WIDTH]), x)
    counts[:] = number


def main():
    torch.manual_seed(12)
    checks = Checks("missing_values")
    x = torch.randn(ROWS, WIDTH)
    x[torch.rand(ROWS, WIDTH) < 0.3] = float("nan")
    x[:, 7] = float("nan")  # nothing to take the mean of
    x[0, 8], x[1, 8] = float("inf"), -0.0  # neither is missing
    y, counts = torch.zeros(ROWS, WIDTH, device=DEVICE), torch.zeros(1, WIDTH, device=DEVICE)
    fill_kernel(x.to(DEVICE), y, counts)
    mean = torch.nanmean(x, 0, keepdim=True)
    mean[0, 7] = 0.0
    expected = torch.where(torch.isnan(x), mean, x)
    finite = torch.isfinite(expected)
    got = y.cpu()
    checks.close("finite values", got[finite], expected[finite])
    checks.equal("where they are", torch.isinf(got), ~finite)
    checks.equal("counts", counts, (x == x).sum(0, keepdim=True).float())
    checks.finish()


if __name__ == "__main__":
    main()
