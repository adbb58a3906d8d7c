"""Activations with a registered operator for each, and their references in the same file."""
import torch
import torch.nn.functional as F
from torch import Tensor

import pypto
from tiling import Block, ceil_div, rows_left

WIDTH = 64
LIBRARY = torch.library.Library("samples", "DEF")
LIBRARY.define("gelu_tanh(Tensor x) -> Tensor")


def tanh(x):
    """tanh by exp: no such operation on this chip."""
    positive = pypto.exp(x * 2.0)
    return (positive - 1.0) / (positive + 1.0)


@pypto.frontend.jit
def relu_kernel(x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
                y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(Block.ROWS, Block.COLS)
    rows = x.shape[0]
    for step in pypto.loop(ceil_div(rows, 16), name="rows", idx_name="step"):
        part = pypto.view(x, [16, WIDTH], [step * 16, 0], valid_shape=[rows_left(rows, step * 16, 16), WIDTH])
        pypto.assemble(pypto.maximum(part, 0.0), [step * 16, 0], y)


@pypto.frontend.jit
def leaky_kernel(x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
                 y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32), slope: float = 0.1):
    pypto.set_vec_tile_shapes(16, WIDTH)
    rows = x.shape[0]
    for step in pypto.loop(0, (rows + 15) // 16, 1, name="rows", idx_name="step"):
        left = min(rows - step * 16, 16)
        part = pypto.view(x, [16, WIDTH], [step * 16, 0], valid_shape=[left, WIDTH])
        pypto.assemble(pypto.maximum(part, part * slope), [step * 16, 0], y)


@pypto.frontend.jit
def gelu_kernel(x: pypto.Tensor([32, WIDTH], pypto.DT_FP32), y: pypto.Tensor([32, WIDTH], pypto.DT_FP32)):
    tile = (8, WIDTH)
    pypto.set_vec_tile_shapes(*tile)
    inner = (x + x * x * x * 0.044715) * 0.7978845608
    y[:] = x * 0.5 * (tanh(inner) + 1.0)


@pypto.frontend.jit
def silu_kernel(x: pypto.Tensor([32, WIDTH], pypto.DT_BF16), y: pypto.Tensor([32, WIDTH], pypto.DT_BF16)):
    pypto.set_vec_tile_shapes(8, WIDTH)
    wide = pypto.cast(x, pypto.DT_FP32)
    y[:] = pypto.cast(wide * pypto.sigmoid(wide), pypto.DT_BF16)


@pypto.frontend.jit
def swiglu_kernel(x: pypto.Tensor([32, WIDTH], pypto.DT_FP16), gate: pypto.Tensor([32, WIDTH], pypto.DT_FP32),
                  y: pypto.Tensor([32, WIDTH], pypto.DT_FP32)):
    # The sigmoid is of the gate; x is another matter.
    pypto.set_vec_tile_shapes(8, WIDTH)
    y[:] = pypto.cast(x, pypto.DT_FP32) * gate * pypto.sigmoid(gate)


def gelu(x):
    y = torch.empty_like(x)
    gelu_kernel(x.contiguous(), y)
    return y


@torch.library.impl(LIBRARY, "gelu_tanh", "NPU")
def gelu_npu(x: Tensor) -> Tensor:
    return gelu(x)


def gelu_reference(x: Tensor) -> Tensor:
    return 0.5 * x * (1.0 + torch.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))


def silu_reference(x):
    return F.silu(x.float()).to(x.dtype)


def test_relu():
    x = torch.randn(40, WIDTH)
    y = torch.empty_like(x, device="npu:0")
    relu_kernel(x.npu(), y)
    expected = torch.relu(x)
    assert torch.equal(y.cpu(), expected)
    leaky_kernel(x.npu(), y)
    assert torch.allclose(y.cpu(), F.leaky_relu(x, 0.1))


def test_silu():
    x = torch.randn(32, WIDTH).bfloat16()
    y = torch.empty_like(x, device="npu:0")
    silu_kernel(x.npu(), y)
    error = (y.cpu().float() - silu_reference(x).float()).abs()
    assert error.max() < 0.1, error
    gate = torch.randn(32, WIDTH)
    out = torch.empty(32, WIDTH, device="npu:0")
    swiglu_kernel(x.half().npu(), gate.npu(), out)
    assert torch.allclose(out.cpu(), x.half().float() * F.silu(gate), atol=1e-3)


def test_gelu():
    x = torch.randn(32, WIDTH)
    got = torch.ops.samples.gelu_tanh(x.npu()).cpu()
    want = gelu_reference(x)
    print("largest difference", torch.max(torch.abs(got - want)))
    assert torch.allclose(got, want, atol=1e-4)


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    torch.manual_seed(0)
    test_relu()
    test_silu()
    test_gelu()
