"""PyPTO 9.2: `while` and `break` while the kernel is recorded: as many steps as the precision needs."""
# pypto-lint: ignore-file[OL25] any dtype and shape is what Tensor[...] means
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 24
WIDTH = 64
LIMIT = 10


@pypto.jit
def root_kernel(
    x: pypto.Tensor[...],
    root: pypto.Tensor[...],
    inverse: pypto.Tensor[...],
    tolerance: float,
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    # For x in 0.5 … 2 the estimate 1 of 1 / sqrt(x) is off by 42 percent at most.
    estimate = pypto.full([ROWS, WIDTH], 1.0, pypto.DT_FP32)
    error, steps = 0.42, 0
    while error > tolerance:
        if steps == LIMIT:
            break
        estimate = estimate * (1.5 - x * 0.5 * estimate * estimate)
        error = 1.5 * error * error + 0.5 * error ** 3
        steps += 1
    for exponent in (-1, 0, 1, 2):
        if exponent < 0:
            continue
        if exponent == 1:
            root[:] = x * estimate
            break
        inverse[:] = estimate


def main():
    torch.manual_seed(2)
    checks = Checks("newton_steps")
    x = torch.rand(ROWS, WIDTH) * 1.5 + 0.5
    for tolerance in (1e-2, 1e-6):
        root, inverse = (torch.zeros(ROWS, WIDTH, device=DEVICE) for _ in range(2))
        root_kernel(x.to(DEVICE), root, inverse, tolerance)
        checks.close(f"root to {tolerance:g}", root, x.sqrt(), 0.0, tolerance + 1e-6)
        checks.close(f"its inverse to {tolerance:g}", inverse, x.pow(-0.5), 0.0, tolerance + 1e-6)
    checks.finish()


if __name__ == "__main__":
    main()
