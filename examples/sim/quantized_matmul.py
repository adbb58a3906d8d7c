"""Int8 product: rows are quantised on the fly, the int32 sums scaled back per row and column."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS, DEPTH, COLUMNS = 19, 96, 48


@pypto.frontend.jit
def quantized_matmul_kernel(
    x: pypto.Tensor([ROWS, DEPTH], pypto.DT_FP32),
    weight: pypto.Tensor([DEPTH, COLUMNS], pypto.DT_INT8),
    weight_scale: pypto.Tensor([1, COLUMNS], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 96)
    pypto.set_cube_tile_shapes([16, 32], [32, 96], [32, 64])
    largest = pypto.amax(pypto.abs(x), -1, keepdim=True)
    scaled = x * (127.0 / largest)
    whole = pypto.cast(scaled, pypto.DT_INT32, pypto.CastMode.CAST_RINT)
    half = pypto.cast(whole, pypto.DT_FP16)
    small = pypto.cast(half, pypto.DT_INT8, pypto.CastMode.CAST_RINT)
    sums = pypto.matmul(small, weight, pypto.DT_INT32)
    y[:] = pypto.cast(sums, pypto.DT_FP32) * (largest / 127.0) * weight_scale


def main():
    torch.manual_seed(10)
    checks = Checks("quantized_matmul")
    x = torch.randn(ROWS, DEPTH)
    weight = torch.randint(-127, 128, (DEPTH, COLUMNS)).to(torch.int8)
    weight_scale = torch.rand(1, COLUMNS) / 50
    y = torch.zeros(ROWS, COLUMNS, device=DEVICE)
    quantized_matmul_kernel(x.to(DEVICE), weight.to(DEVICE), weight_scale.to(DEVICE), y)
    largest = x.abs().amax(-1, keepdim=True)
    small = torch.round(x * ((1.0 / largest) * 127.0))
    want = (small.double() @ weight.double()).float() * (largest / 127.0) * weight_scale
    checks.close("against the same quantisation", y, want, 1e-4, 1e-5)
    exact = x @ (weight.float() * weight_scale)
    checks.close("against the product without quantisation", y, exact, 0.5, 0.0)
    checks.finish()


if __name__ == "__main__":
    main()
