"""A tensor made in a loop of one iteration and used by the loop behind it."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
GROUPS = 3
ROWS = 8
WIDTH = 32


@pypto.frontend.jit
def product_kernel(
    a: pypto.Tensor([GROUPS * ROWS, WIDTH], pypto.DT_FP16),
    b: pypto.Tensor([WIDTH, WIDTH], pypto.DT_FP16),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, ROWS, WIDTH)
    pypto.set_cube_tile_shapes([16, 16], [32, 32], [32, 32])
    product = pypto.matmul(a, b, pypto.DT_FP32)
    for _ in pypto.loop(1, name="shape", idx_name="once"):
        groups = pypto.reshape(product, [GROUPS, ROWS, WIDTH], inplace=True)
    total = pypto.zeros(1, ROWS, WIDTH)
    for group in pypto.loop(GROUPS, name="groups", idx_name="group"):
        total[:] = total + groups[group:group + 1, :, :]
    for _ in pypto.loop(1, name="result", idx_name="last"):
        y[:] = pypto.reshape(total, [ROWS, WIDTH])


def main():
    torch.manual_seed(16)
    checks = Checks("loop_locals")
    a = torch.randn(GROUPS * ROWS, WIDTH).to(torch.float16)
    b = torch.randn(WIDTH, WIDTH).to(torch.float16)
    y = torch.zeros(ROWS, WIDTH, device=DEVICE)
    product_kernel(a.to(DEVICE), b.to(DEVICE), y)
    expected = (a.float() @ b.float()).reshape(GROUPS, ROWS, WIDTH).sum(0)
    checks.close("three groups", y, expected, 1e-4, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
