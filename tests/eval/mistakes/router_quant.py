"""Routing and a quantised product: top-k, one-hot sums, int8 operands, guards in helpers and wrappers."""
from typing import NamedTuple

import torch
import torch_npu  # noqa: F401

import pypto

TOKENS, EXPERTS, TOP = 16, 32, 8


class Shape(NamedTuple):
    m: int
    k: int
    n: int


def check(size, unit):
    assert size % unit == 0, f"{size} is not divisible by {unit}"
    return size // unit


def quantize(x):
    peak = pypto.amax(pypto.abs(x), -1, keepdim=True)
    scale = peak / 127.0
    whole = pypto.cast(pypto.round(x / scale), pypto.DT_FP16)
    return pypto.cast(whole, pypto.DT_INT8), scale


@pypto.frontend.jit
def route_kernel(
    logits: pypto.Tensor([TOKENS, EXPERTS], pypto.DT_FP32),
    bias: pypto.Tensor([1, EXPERTS], pypto.DT_FP32),
    weights: pypto.Tensor([TOKENS, TOP], pypto.DT_FP32),
    chosen: pypto.Tensor([TOKENS, TOP], pypto.DT_INT32),
):
    pypto.set_vec_tile_shapes(TOKENS, EXPERTS)
    scores = pypto.sigmoid(logits)
    biased = scores + bias
    _, index = pypto.topk(biased, TOP, -1)
    picked = pypto.gather(scores, 1, index)
    weights[:] = picked / pypto.sum(picked, -1, keepdim=True)
    chosen[:] = index


def quant_matmul(shape):
    m, k, n = shape
    turns = check(m, 16)

    @pypto.frontend.jit
    def quant_kernel(
        x: pypto.Tensor([m, k], pypto.DT_FP32),
        w: pypto.Tensor([k, n], pypto.DT_INT8),
        w_scale: pypto.Tensor([1, n], pypto.DT_FP32),
        y: pypto.Tensor([m, n], pypto.DT_FP32),
    ):
        for turn in pypto.loop(turns, name="M", idx_name="turn"):
            pypto.set_vec_tile_shapes(16, k)
            rows = pypto.view(x, [16, k], [turn * 16, 0])
            q, scale = quantize(rows)
            pypto.set_cube_tile_shapes([16, 16], [64, 128], [64, 64])
            product = pypto.matmul(q, w, pypto.DT_INT32)
            pypto.set_vec_tile_shapes(16, n)
            real = pypto.cast(product, pypto.DT_FP32) * scale * w_scale
            y[turn * 16:(turn + 1) * 16, :] = real

    return quant_kernel


def quant_linear(x, w, w_scale):
    if x.dim() != 2 or w.dim() != 2:
        raise ValueError("two axes")
    shape = Shape(x.shape[0], x.shape[1], w.shape[1])
    y = x.new_zeros(shape.m, shape.n)
    quant_matmul(shape)(x, w, w_scale, y)
    return y


def test_route():
    logits = torch.rand(TOKENS, EXPERTS)
    weights = torch.zeros(TOKENS, TOP)
    chosen = torch.zeros(TOKENS, TOP, dtype=torch.int32)
    route_kernel(logits, torch.rand(1, EXPERTS), weights, chosen)


def test_quant():
    w = torch.randint(-8, 8, (128, 64)).to(torch.int8)
    y = quant_linear(torch.rand(32, 128), w, torch.rand(64).unsqueeze(0))
    assert tuple(y.shape) == (32, 64)


if __name__ == "__main__":
    test_route()
    test_quant()
