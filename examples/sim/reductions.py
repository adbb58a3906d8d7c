"""Sums and extremes along every axis of a three-dimensional tensor."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
SHAPE = [3, 21, 50]


def reduction(operation, dim, dtype):
    """A kernel that reduces one axis and keeps it with length 1."""
    kept = [1 if axis == dim else size for axis, size in enumerate(SHAPE)]

    @pypto.frontend.jit
    def reduction_kernel(x: pypto.Tensor(SHAPE, dtype), y: pypto.Tensor(kept, dtype)):
        pypto.set_vec_tile_shapes(1, 8, 64)
        y[:] = operation(x, dim, keepdim=True)
    return reduction_kernel, kept


@pypto.frontend.jit
def mean_square_kernel(
    x: pypto.Tensor(SHAPE, pypto.DT_FP32),
    y: pypto.Tensor(SHAPE[:2], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 8, 64)
    y[:] = pypto.sum(x * x, -1) / float(SHAPE[2])


def main():
    torch.manual_seed(2)
    checks = Checks("reductions")
    kinds = [(pypto.DT_FP32, torch.float32), (pypto.DT_BF16, torch.bfloat16),
             (pypto.DT_INT32, torch.int32), (pypto.DT_INT16, torch.int16)]
    for kind, dtype in kinds:
        x = (torch.randn(SHAPE) * 20).to(dtype)
        exact = x.double()
        for dim in range(3):
            wanted = [(pypto.sum, exact.sum(dim, keepdim=True)),
                      (pypto.amax, exact.amax(dim, keepdim=True)),
                      (pypto.amin, exact.amin(dim, keepdim=True))]
            for operation, want in wanted:
                kernel, kept = reduction(operation, dim, kind)
                y = torch.zeros(kept, dtype=dtype, device=DEVICE)
                kernel(x.to(DEVICE), y)
                rtol = {torch.float32: 1e-5, torch.bfloat16: 1e-2}.get(dtype, 0.0)
                checks.close(f"{operation.__name__} over axis {dim}, {dtype}", y, want.to(dtype),
                             atol=1e-4 if rtol else 0.0, rtol=rtol)
    x = torch.randn(SHAPE)
    y = torch.zeros(SHAPE[:2], device=DEVICE)
    mean_square_kernel(x.to(DEVICE), y)
    checks.close("mean square", y, x.square().mean(-1))
    checks.finish()


if __name__ == "__main__":
    main()
