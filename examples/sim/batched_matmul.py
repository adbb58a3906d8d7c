"""Batched matrix products in three and four dimensions, one side with a batch of one."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"


@pypto.frontend.jit
def three_axes_kernel(
    a: pypto.Tensor([5, 20, 33], pypto.DT_FP32),
    b: pypto.Tensor([1, 33, 18], pypto.DT_FP32),
    c: pypto.Tensor([5, 20, 18], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 32], [16, 48], [16, 32])
    pypto.set_vec_tile_shapes(1, 16, 32)
    c[:] = pypto.matmul(a, b, pypto.DT_FP32)


@pypto.frontend.jit
def four_axes_kernel(
    a: pypto.Tensor([2, 3, 17, 24], pypto.DT_BF16),
    b: pypto.Tensor([2, 3, 40, 24], pypto.DT_BF16),
    c: pypto.Tensor([2, 3, 17, 40], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 32], [16, 32], [16, 48])
    pypto.set_vec_tile_shapes(1, 1, 16, 48)
    c[:] = pypto.matmul(a, b, pypto.DT_FP32, b_trans=True)


def main():
    torch.manual_seed(9)
    checks = Checks("batched_matmul")
    a, b = torch.randn(5, 20, 33), torch.randn(1, 33, 18)
    c = torch.zeros(5, 20, 18, device=DEVICE)
    three_axes_kernel(a.to(DEVICE), b.to(DEVICE), c)
    checks.close("one right side for five left sides", c, a @ b, 1e-4, 1e-4)
    a, b = torch.randn(2, 3, 17, 24).bfloat16(), torch.randn(2, 3, 40, 24).bfloat16()
    c = torch.zeros(2, 3, 17, 40, device=DEVICE)
    four_axes_kernel(a.to(DEVICE), b.to(DEVICE), c)
    checks.close("four axes, b transposed", c, a.float() @ b.float().transpose(-1, -2), 1e-4, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
