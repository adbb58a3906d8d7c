"""Rows quantised to int8 with a step of their own (quantize), multiplied, and read back (dequantize)."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 24
WIDTH = 64
COLUMNS = 32


@pypto.frontend.jit
def quantize_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    weight: pypto.Tensor([WIDTH, COLUMNS], pypto.DT_INT8),
    weight_scale: pypto.Tensor([1, COLUMNS], pypto.DT_FP32),
    small: pypto.Tensor([ROWS, WIDTH], pypto.DT_INT8),
    scale: pypto.Tensor([ROWS, 1], pypto.DT_FP32),
    again: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    pypto.set_cube_tile_shapes([16, 32], [32, 64], [32, 32])
    largest = pypto.amax(pypto.abs(x), -1, keepdim=True)
    row_scale = largest / 127.0
    quantized = pypto.quantize(x, pypto.reshape(127.0 / largest, [ROWS]), pypto.DT_INT8, -1)
    small[:] = quantized
    scale[:] = row_scale
    again[:] = pypto.dequantize(quantized, pypto.reshape(row_scale, [ROWS]), pypto.DT_FP32, -1)
    sums = pypto.cast(pypto.matmul(quantized, weight, pypto.DT_INT32), pypto.DT_FP32)
    y[:] = sums * row_scale * weight_scale


def main():
    torch.manual_seed(27)
    checks = Checks("int8_activations")
    x = torch.randn(ROWS, WIDTH) * torch.logspace(-2, 2, ROWS)[:, None]
    weight = torch.randint(-127, 128, (WIDTH, COLUMNS)).to(torch.int8)
    weight_scale = torch.rand(1, COLUMNS) / 100
    small = torch.zeros(ROWS, WIDTH, dtype=torch.int8, device=DEVICE)
    scale, again, y = (torch.zeros(ROWS, width, device=DEVICE) for width in (1, WIDTH, COLUMNS))
    quantize_kernel(x.to(DEVICE), weight.to(DEVICE), weight_scale.to(DEVICE), small, scale, again,
                    y)
    steps = torch.stack([row.abs().max() for row in x]) / 127
    checks.close("scales", scale, steps[:, None], 0.0, 1e-6)
    checks.close("int8 rows", small.cpu().int(), (x / steps[:, None]).round().int(), 1.0, 0.0)
    error = (again.cpu() - x).abs() / scale.cpu()
    checks.equal("none is off by more than half a step", error <= 0.501,
                 torch.ones(ROWS, WIDTH, dtype=torch.bool))
    # The product of what the rows were rounded to; in units of a row's step it is an integer.
    whole = small.cpu().double() @ weight.double()
    checks.close("product", y, (whole * scale.cpu() * weight_scale).float(), 1e-6, 1e-5)
    rough = (x @ (weight * weight_scale)) / steps[:, None]
    checks.close("product without rounding", y.cpu() / steps[:, None], rough, 6.0, 0.0)
    checks.finish()


if __name__ == "__main__":
    main()
