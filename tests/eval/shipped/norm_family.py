"""RMSNorm with residual, layer norm, gated norm, group norm: kernels of one model file."""
import argparse
import os
from enum import Enum
from types import SimpleNamespace
from typing import NamedTuple, Optional

import torch
import torch_npu  # noqa: F401

import pypto

EPS = 1e-6
CFG = SimpleNamespace(rows=8, cols=256, groups=4)
ROW_DIM = pypto.frontend.dynamic("ROW_DIM")


class NormKind(Enum):
    RMS = "rms"
    LAYER = "layer"


class NormTile(NamedTuple):
    rows: int = 8
    cols: int = 256

    def as_tile(self):
        return self.rows, self.cols


def mean_of(x, width):
    return pypto.sum(x, -1, keepdim=True) / float(width)


def normalize(x, kind, width, eps=EPS):
    if kind is NormKind.RMS:
        centred = x
    elif kind == NormKind.LAYER:
        centred = x - mean_of(x, width)
    else:
        raise NotImplementedError(kind)
    var = mean_of(centred * centred, width)
    return centred * pypto.rsqrt(var + eps)


@pypto.frontend.jit
def add_rms_norm_kernel(
    x: pypto.Tensor([ROW_DIM, CFG.cols], pypto.DT_BF16),
    residual: pypto.Tensor([ROW_DIM, CFG.cols], pypto.DT_BF16),
    gamma: pypto.Tensor([CFG.cols], pypto.DT_BF16),
    y: pypto.Tensor([ROW_DIM, CFG.cols], pypto.DT_BF16),
    residual_out: pypto.Tensor([ROW_DIM, CFG.cols], pypto.DT_BF16),
):
    tile = NormTile()
    bs = x.shape[0]
    loops = (bs + tile.rows - 1) // tile.rows
    pypto.set_vec_tile_shapes(*tile.as_tile())
    gamma_2d = pypto.cast(pypto.reshape(gamma, [1, CFG.cols], inplace=True), pypto.DT_FP32)
    for i in pypto.loop(0, loops, 1, name="LOOP_ROWS", idx_name="i"):
        off = i * tile.rows
        cur = (bs - off).min(tile.rows)
        xt = pypto.view(x, [tile.rows, CFG.cols], [off, 0], valid_shape=[cur, CFG.cols])
        rt = pypto.view(residual, [tile.rows, CFG.cols], [off, 0], valid_shape=[cur, CFG.cols])
        total = pypto.cast(xt, pypto.DT_FP32) + pypto.cast(rt, pypto.DT_FP32)
        out = normalize(total, NormKind.RMS, CFG.cols) * gamma_2d
        y[off:off + tile.rows, :] = pypto.cast(out, y.dtype)
        pypto.assemble(pypto.cast(total, pypto.DT_BF16), [off, 0], residual_out)


@pypto.frontend.jit(runtime_options={"stitch_function_num_initial": 32})
def layer_norm_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, ...], pypto.DT_FP32),
    weight: pypto.Tensor([pypto.STATIC], pypto.DT_FP32),
    bias: pypto.Tensor([pypto.STATIC], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, ...], pypto.DT_FP32),
    tile: Optional[NormTile] = None,
):
    if tile is None:
        tile = NormTile()
    hidden = x.shape[1]
    assert hidden % 64 == 0, "hidden must be a multiple of 64"
    pypto.set_vec_tile_shapes(tile.rows, tile.cols)
    w = pypto.reshape(weight, [1, hidden])
    b = pypto.reshape(bias, [1, hidden])
    for i in pypto.loop((x.shape[0] + tile.rows - 1) // tile.rows, name="rows"):
        rows = x[i * tile.rows:(i + 1) * tile.rows, :]
        y[i * tile.rows:(i + 1) * tile.rows, :] = normalize(rows, NormKind.LAYER, hidden) * w + b


def gated(kind):
    table = {"silu": lambda g: g * pypto.sigmoid(g), "sigmoid": pypto.sigmoid, "relu": pypto.relu}
    return table[kind]


def make_gated_norm(kind, cols, rows=16):
    activation = gated(kind)

    @pypto.frontend.jit()
    def gated_norm_kernel(
        x: pypto.Tensor([rows, cols], pypto.DT_FP16),
        gate: pypto.Tensor([rows, cols], pypto.DT_FP16),
        out: pypto.Tensor([rows, cols], pypto.DT_FP16),
    ):
        pypto.set_vec_tile_shapes(8, cols)
        for _ in pypto.loop(1):
            x32 = pypto.cast(x, pypto.DT_FP32)
            g32 = pypto.cast(gate, pypto.DT_FP32)
            result = normalize(x32, NormKind.RMS, cols) * activation(g32)
            out[:] = pypto.cast(result, pypto.DT_FP16)

    return gated_norm_kernel


@pypto.frontend.jit
def group_norm_kernel(x: pypto.Tensor([4, 64, 32], pypto.DT_FP32), out: pypto.Tensor([4, 64, 32], pypto.DT_FP32)):
    n, c, l = x.shape
    groups = CFG.groups
    pypto.set_vec_tile_shapes(1, 2, 512)
    grouped = pypto.reshape(x, [n, groups, c // groups * l])
    mean = pypto.sum(grouped, -1, keepdim=True) * (1.0 / (c // groups * l))
    centred = grouped - mean
    var = pypto.sum(pypto.mul(centred, centred), dim=-1, keepdim=True) * (1.0 / (c // groups * l))
    normed = centred / pypto.sqrt(var + EPS)
    pypto.set_vec_tile_shapes(1, 16, 32)
    out[:] = pypto.reshape(normed, [n, c, l])


class AddRmsNorm:
    """What models call."""

    def __init__(self, cols=CFG.cols):
        self.cols = cols
        self.weight = torch.rand(cols, dtype=torch.bfloat16)

    def __call__(self, x, residual):
        if x.dim() != 2 or x.shape[-1] != self.cols:
            raise ValueError("x must be [rows, %d]" % self.cols)
        if x.dtype != torch.bfloat16:
            raise TypeError("x must be bfloat16")
        y, added = torch.empty_like(x), torch.empty_like(x)
        add_rms_norm_kernel(x, residual, self.weight.to(x.device), y, added)
        return y, added


def test_add_rms_norm(device="npu:0"):
    norm = AddRmsNorm()
    for rows in (1, 8, 19):
        x = torch.randn(rows, CFG.cols, device=device).to(torch.bfloat16)
        norm(x, torch.randn_like(x))


def test_layer_norm(device="npu:0"):
    for hidden in [128, 256]:
        x = torch.randn((16, hidden), dtype=torch.float32, device=device)
        y = torch.zeros_like(x)
        weight, bias = torch.ones(hidden, device=device), torch.zeros(hidden, device=device)
        layer_norm_kernel(x, weight, bias, y, NormTile(cols=hidden))
        layer_norm_kernel(x, weight, bias, y)


def test_gated(device="npu:0"):
    for kind in ("silu", "sigmoid", "relu"):
        x = torch.randn(16, 128).half().to(device)
        make_gated_norm(kind, 128)(x, x.clone(), torch.zeros_like(x))


def test_group_norm(device="npu:0"):
    x = torch.randn(4, 64, 32, device=device)
    group_norm_kernel(x, torch.zeros_like(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--example")
    parser.add_argument("--run_mode", default="npu", choices=["npu", "sim"])
    args, _ = parser.parse_known_args()
    examples = {"add": test_add_rms_norm, "layer": test_layer_norm, "gated": test_gated, "group": test_group_norm}
    device_id = int(os.environ.get("TILE_FWK_DEVICE_ID", 0))
    torch.npu.set_device(device_id)
    for name, function in examples.items():
        if args.example in (None, name):
            function(f"npu:{device_id}")


if __name__ == "__main__":
    main()
