"""Elementwise operations, each in a kernel of its own, with a small runner."""
import argparse
import os
import sys
from dataclasses import dataclass

import torch

import pypto


@dataclass
class VecConfig:
    rows: int = 16
    cols: int = 64
    unroll: tuple = (1,)


CFG = VecConfig()
BIG = VecConfig(rows=32)
TILES = {"small": (8, 64), "large": (32, 64)}
SHAPE = [32, 64]


@pypto.frontend.jit
def add_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), b: pypto.Tensor(SHAPE, pypto.DT_FP32),
               out: pypto.Tensor(SHAPE, pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(CFG.rows, CFG.cols)
    out[:] = pypto.add(a, b)


@pypto.frontend.jit
def sub_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), b: pypto.Tensor(SHAPE, pypto.DT_FP32),
               out: pypto.Tensor(SHAPE, pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(BIG.rows, BIG.cols // 2)
    out[:] = a - b


@pypto.frontend.jit
def mul_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), b: pypto.Tensor(SHAPE, pypto.DT_FP32),
               out: pypto.Tensor(SHAPE, pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(*TILES["small"])
    out[:] = a * b


@pypto.frontend.jit
def div_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), b: pypto.Tensor(SHAPE, pypto.DT_FP32),
               out: pypto.Tensor(SHAPE, pypto.DT_FP32)):
    rows, cols = a.shape
    pypto.set_vec_tile_shapes(min(rows, 16), cols)
    out[:] = a / b


@pypto.frontend.jit
def scale_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), out: pypto.Tensor(SHAPE, pypto.DT_FP32), factor=2.0):
    pypto.set_vec_tile_shapes(a.shape[0] // 2, a.shape[-1])
    out[:] = a * factor


@pypto.frontend.jit
def clamp_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), out: pypto.Tensor(SHAPE, pypto.DT_FP32), low: float,
                 high: float):
    pypto.set_vec_tile_shapes(max(8, CFG.rows), 64)
    out[:] = pypto.minimum(pypto.maximum(a, max(low, -10.0)), min(high, 10.0))


OPS = {
    "add": (add_kernel, torch.add),
    "sub": (sub_kernel, torch.sub),
    "mul": (mul_kernel, torch.mul),
    "div": (div_kernel, torch.div),
}


def run_binary(name, device):
    kernel, reference = OPS[name]
    a, b = torch.rand(SHAPE) + 0.5, torch.rand(SHAPE) + 0.5
    out = torch.empty(SHAPE, device=device)
    kernel(a.to(device), b.to(device), out)
    want = reference(a, b)
    difference = (out.cpu() - want).abs().max()
    print(name, float(difference))
    return bool(difference < 1e-4)


def run_scalar(device):
    a = torch.randn(SHAPE)
    out = torch.empty(SHAPE, device=device)
    scale_kernel(a.to(device), out)
    good = torch.allclose(out.cpu(), a * 2.0)
    clamp_kernel(a.to(device), out, -0.5, 0.5)
    return good and torch.allclose(out.cpu(), a.clamp(-0.5, 0.5))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ops", nargs="*", default=sorted(OPS))
    options = parser.parse_args()
    device = f"npu:{int(os.environ.get('TILE_FWK_DEVICE_ID', 0))}"
    results = [run_binary(name, device) for name in options.ops] + [run_scalar(device)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    main()
