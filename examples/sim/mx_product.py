"""Ascend 950: rows are quantised to FP8 with an exponent for 32 elements, and multiplied as they are."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 40
DEPTH = 256
COLUMNS = 64


@pypto.frontend.jit
def mx_kernel(
    x: pypto.Tensor([ROWS, DEPTH], pypto.DT_BF16),
    weight: pypto.Tensor([COLUMNS, DEPTH], pypto.DT_BF16),
    y: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, DEPTH)
    pypto.set_cube_tile_shapes([16, 32], [64, 256], [32, 64])
    small, small_scale = pypto.quant_mx(x)
    narrow, narrow_scale = pypto.quant_mx(weight)
    y[:] = pypto.scaled_mm(small, narrow, pypto.DT_FP32, small_scale, narrow_scale, b_trans=True,
                           scale_b_trans=True)


def main():
    def reference(values):
        """What is left of the values: 4 significant bits, an exponent that 32 of them share."""
        blocks = values.double().reshape(-1, 32)
        shared = torch.floor(torch.log2(blocks.abs().amax(-1, keepdim=True))) - 8
        scaled = blocks / 2 ** shared
        # Steps of an eighth of the power of two below; 2^-6 is the smallest such power.
        step = 2 ** (torch.floor(torch.log2(scaled.abs().clamp(min=2 ** -6))) - 3)
        rounded = (torch.round(scaled / step) * step).clamp(-448, 448)
        return (rounded * 2 ** shared).reshape(values.shape)

    torch.manual_seed(32)
    checks = Checks("mx_product")
    x = (torch.randn(ROWS, DEPTH) * torch.rand(ROWS, 1) * 8).to(torch.bfloat16)
    weight = (torch.randn(COLUMNS, DEPTH) / 16).to(torch.bfloat16)
    y = torch.zeros(ROWS, COLUMNS, device=DEVICE)
    mx_kernel(x.to(DEVICE), weight.to(DEVICE), y)
    checks.close("against the same quantisation", y,
                 (reference(x) @ reference(weight).t()).float(), 1e-3, 1e-4)
    exact = x.double() @ weight.double().t()
    checks.close("against the product without quantisation", y, exact.float(),
                 0.05 * exact.abs().max().item(), 0.0)
    checks.finish()


if __name__ == "__main__":
    main()
