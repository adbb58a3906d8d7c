"""Chains of concat, transpose, reshape and cast."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"


@pypto.frontend.jit
def heads_kernel(
    left: pypto.Tensor([12, 20], pypto.DT_FP16),
    right: pypto.Tensor([12, 28], pypto.DT_FP16),
    out: pypto.Tensor([4, 12, 12], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(12, 48)
    joined = pypto.concat([left, right], 1)
    heads = pypto.reshape(joined, [12, 4, 12])
    pypto.set_vec_tile_shapes(12, 4, 12)
    out[:] = pypto.cast(pypto.transpose(heads, 0, 1), pypto.DT_FP32)


@pypto.frontend.jit
def casts_kernel(
    x: pypto.Tensor([9, 33], pypto.DT_FP32),
    whole: pypto.Tensor([9, 33], pypto.DT_INT32),
    small: pypto.Tensor([33, 9], pypto.DT_INT8),
    wide: pypto.Tensor([9, 33], pypto.DT_INT64),
):
    pypto.set_vec_tile_shapes(9, 64)
    rounded = pypto.cast(x, pypto.DT_INT32, pypto.CastMode.CAST_RINT)
    whole[:] = rounded
    wide[:] = pypto.cast(rounded, pypto.DT_INT64)
    half = pypto.cast(rounded, pypto.DT_FP16)
    clamped = pypto.cast(half, pypto.DT_INT8, pypto.CastMode.CAST_TRUNC, pypto.SaturationMode.ON)
    small[:] = pypto.transpose(clamped, 0, 1)


@pypto.frontend.jit
def insert_axis_kernel(
    x: pypto.Tensor([6, 10], pypto.DT_FP32),
    out: pypto.Tensor([6, 3, 10], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(6, 3, 16)
    out[:] = pypto.expand_clone(pypto.unsqueeze(x, 1), [6, 3, 10])


def main():
    torch.manual_seed(15)
    checks = Checks("shape_chain")
    left, right = torch.randn(12, 20).half(), torch.randn(12, 28).half()
    out = torch.zeros(4, 12, 12, device=DEVICE)
    heads_kernel(left.to(DEVICE), right.to(DEVICE), out)
    checks.equal("concat, reshape, transpose, cast", out,
                 torch.cat([left, right], 1).reshape(12, 4, 12).transpose(0, 1).float())
    x = torch.randn(9, 33) * 100
    whole = torch.zeros(9, 33, dtype=torch.int32, device=DEVICE)
    small = torch.zeros(33, 9, dtype=torch.int8, device=DEVICE)
    wide = torch.zeros(9, 33, dtype=torch.int64, device=DEVICE)
    casts_kernel(x.to(DEVICE), whole, small, wide)
    rounded = torch.round(x)
    checks.equal("to int32", whole, rounded.int())
    checks.equal("to int64", wide, rounded.long())
    checks.equal("to int8, clamped", small, rounded.clamp(-128, 127).to(torch.int8).t())
    x = torch.randn(6, 10)
    out = torch.zeros(6, 3, 10, device=DEVICE)
    insert_axis_kernel(x.to(DEVICE), out)
    checks.equal("insert an axis and repeat it", out, x[:, None, :].expand(6, 3, 10))
    checks.finish()


if __name__ == "__main__":
    main()
