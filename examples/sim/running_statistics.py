"""PyPTO 9.2: Welford's mean and variance, three carried names that a helper moves on."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
BLOCK = 8
WIDTH = 64


def merged(mean, spread, count, rows):
    """Mean, sum of squared distances and number after another block of rows."""
    block_mean = pypto.sum(rows, 0, keepdim=True) / float(BLOCK)
    distances = rows - block_mean
    block_spread = pypto.sum(distances * distances, 0, keepdim=True)
    both = count + float(BLOCK)
    delta = block_mean - mean
    share = float(BLOCK) / both
    return (mean + delta * share, spread + block_spread + delta * delta * (count * share), both)


@pypto.jit
def statistics_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    mean_out: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    variance_out: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(BLOCK, WIDTH)
    mean = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)
    spread = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)
    count = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)
    for block in pypto.loop(x.shape[0] // BLOCK, name="blocks", idx_name="block"):
        rows = pypto.view(x, [BLOCK, WIDTH], [block * BLOCK, 0])
        mean, spread, count = merged(mean, spread, count, rows)
    mean_out[:] = mean
    variance_out[:] = spread / count


def main():
    torch.manual_seed(9)
    checks = Checks("running_statistics")
    for rows in (8, 72):
        x = torch.randn(rows, WIDTH) + 300  # the sum of squares would lose the variance
        mean, variance = (torch.zeros(1, WIDTH, device=DEVICE) for _ in range(2))
        statistics_kernel(x.to(DEVICE), mean, variance)
        exact = x.double()
        checks.close(f"{rows} rows, mean", mean, exact.mean(0, keepdim=True).float(), 0.0, 1e-6)
        checks.close(f"{rows} rows, variance", variance,
                     exact.var(0, unbiased=False, keepdim=True).float(), 1e-4, 1e-3)
    checks.finish()


if __name__ == "__main__":
    main()
