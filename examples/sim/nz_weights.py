"""INT8 products with weights in NZ format: int32 sums, and half precision through a scale tensor."""
import torch
import torch_npu

import pypto
from checking import Checks

DEVICE = "npu:0"
NZ_FORMAT = 29
ROWS = 24
DEPTH = 128
COLUMNS = 96


@pypto.frontend.jit
def dequantized_kernel(
    x: pypto.Tensor([ROWS, DEPTH], pypto.DT_INT8),
    weight: pypto.Tensor([DEPTH, COLUMNS], pypto.DT_INT8, format=pypto.TileOpFormat.TILEOP_NZ),
    scales: pypto.Tensor([1, COLUMNS], pypto.DT_INT64),
    bias: pypto.Tensor([1, COLUMNS], pypto.DT_INT32),
    row_scale: pypto.Tensor([ROWS, 1], pypto.DT_FP32),
    sums: pypto.Tensor([ROWS, COLUMNS], pypto.DT_INT32),
    y: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, COLUMNS)
    pypto.set_cube_tile_shapes([16, 32], [64, 128], [32, 96])
    sums[:] = pypto.matmul(x, weight, pypto.DT_INT32, extend_params={"bias_tensor": bias})
    half = pypto.matmul(x, weight, pypto.DT_FP16, extend_params={
        "scale_tensor": scales, "relu_type": pypto.ReLuType.RELU})
    y[:] = pypto.cast(half, pypto.DT_FP32) * row_scale


def main():
    torch.manual_seed(29)
    checks = Checks("nz_weights")
    x = torch.randint(-127, 128, (ROWS, DEPTH)).to(torch.int8)
    weight = torch.randint(-127, 128, (DEPTH, COLUMNS)).to(torch.int8)
    bias = torch.randint(-5000, 5000, (1, COLUMNS), dtype=torch.int32)
    row_scale = torch.rand(ROWS, 1) + 0.5
    # A scale is a float whose 13 last bits are zero; powers of two and their quarters are.
    scale = torch.tensor([1.0, 1.25, 1.5, 1.75]).repeat(COLUMNS // 4)[None] / 1024
    # The low half of each 64-bit entry holds the bits of the float.
    packed = scale.numpy().view("uint32").astype("int64")
    nz_weight = torch_npu.npu_format_cast(weight.to(DEVICE), NZ_FORMAT)
    sums = torch.zeros(ROWS, COLUMNS, dtype=torch.int32, device=DEVICE)
    y = torch.zeros(ROWS, COLUMNS, device=DEVICE)
    dequantized_kernel(x.to(DEVICE), nz_weight,
                       torch.from_numpy(packed).to(DEVICE), bias.to(DEVICE),
                       row_scale.to(DEVICE), sums, y)
    exact = torch.einsum("mk,kn->mn", x.double(), weight.double())
    checks.equal("sums with a bias", sums, (exact + bias).to(torch.int32))
    half = (exact * scale).clamp(min=0).to(torch.float16)
    checks.close("scaled rows", y, half.float() * row_scale, 1e-3, 1e-3)
    checks.finish()


if __name__ == "__main__":
    main()
