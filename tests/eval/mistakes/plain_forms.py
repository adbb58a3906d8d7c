"""Right kernels in forms that invite false alarms: sizes from files and the environment, settings kept anywhere."""
from __future__ import division

import functools
import itertools
import json
import logging
import os
import sys
import warnings
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypedDict, TypeVar, Union

import torch

try:
    import torch_npu
    HAS_NPU = True
except ImportError:
    torch_npu = None
    HAS_NPU = False

import pypto

if TYPE_CHECKING:
    from collections.abc import Callable

sys.path.insert(0, str(Path(__file__).resolve().parent))
logger = logging.getLogger(__name__)
T = TypeVar("T")
TILE = int(os.environ.get("KERNEL_TILE", "16"))
DEFAULTS = json.loads('{"rows": 8, "cols": 64}')
QTensor = pypto.Tensor([32, 64], pypto.DT_FP32)
_counter = 0


class Tiling(TypedDict, total=False):
    rows: int
    cols: int


class HasTile(Protocol):
    def tile(self) -> "tuple[int, int]": ...


class Box(Generic[T]):
    def __init__(self, value: T):
        self._value = value

    @property
    def value(self) -> T:
        return self._value

    @value.setter
    def value(self, new: T):
        self._value = new


class Meta(type):
    def __new__(mcs, name, bases, space):
        cls = super().__new__(mcs, name, bases, space)
        cls.registry = []
        return cls


class Registered(metaclass=Meta):
    rows = 8


def count(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        global _counter
        _counter += 1
        return fn(*args, **kwargs)
    return wrapper


@pypto.frontend.jit
def env_tile_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP32), y: pypto.Tensor([32, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(TILE, 64)
    y[:] = pypto.sigmoid(x)


@pypto.frontend.jit
def json_tile_kernel(x: QTensor, y: QTensor):
    pypto.set_vec_tile_shapes(DEFAULTS["rows"], DEFAULTS["cols"])
    y[:] = x * 2.0


def build_box(box):
    @pypto.frontend.jit
    def box_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP16), y: pypto.Tensor([32, 64], pypto.DT_FP16)):
        pypto.set_vec_tile_shapes(box.value, min(64, x.shape[1]))
        t = pypto.cast(x, pypto.DT_FP32)
        t = pypto.softmax(t, -1)
        y[:] = pypto.cast(t, x.dtype)

    return box_kernel


@pypto.frontend.jit
def meta_kernel(x: pypto.Tensor([32, 64], pypto.DT_BF16), y: pypto.Tensor([32, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(Registered.rows, 64)
    z = pypto.cast(x, y.dtype)
    y[:] = pypto.sin(z) + pypto.cos(z)


class Norm:
    eps = 1e-6

    def __call__(self, x):
        return x * pypto.rsqrt(pypto.sum(x * x, -1, keepdim=True) / x.shape[-1] + self.eps)


norm = Norm()


@count
def scaled(x, factor=1.0, *, bias=None):
    out = x * factor
    if bias is not None:
        out = out + bias
    return out


@pypto.frontend.jit
def called_instance_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP32), b: pypto.Tensor([1, 64], pypto.DT_FP32),
                           y: pypto.Tensor([32, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = scaled(norm(x), 0.5, bias=b)


@pypto.frontend.jit
def move_only_kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    for i in pypto.loop(x.shape[0] // 8, name="copy", idx_name="i"):
        part = pypto.view(x, [8, 64], [i * 8, 0])
        pypto.set_vec_tile_shapes(8, 64)
        pypto.assemble(pypto.clone(part), [i * 8, 0], y)


def tiles_of(rows, cols):
    """Sets the tiles for the caller."""
    pypto.set_vec_tile_shapes(max(1, rows // 4), max(cols, 16))
    pypto.set_cube_tile_shapes([16, 16], [max(16, cols), max(16, cols)], [16, 16])


@pypto.frontend.jit
def helper_tiles_kernel(a: pypto.Tensor([32, 64], pypto.DT_FP16), b: pypto.Tensor([64, 32], pypto.DT_FP16),
                        c: pypto.Tensor([32, 32], pypto.DT_FP32)):
    tiles_of(*a.shape)
    prod = pypto.matmul(a, b, pypto.DT_FP32)
    limit = max(len(c.shape), 2)
    for axis in range(min(limit, 2)):
        prod = prod - pypto.amin(prod, axis, keepdim=True)
    c[:] = pypto.sigmoid(prod)


@pypto.frontend.jit
def many_scalars_kernel(
    x: pypto.Tensor([32, 64], pypto.DT_FP32),
    y: pypto.Tensor([32, 64], pypto.DT_FP32),
    alpha, beta=0.0, mode="mul", sizes=(8, 64), flags=None,
):
    pypto.set_vec_tile_shapes(*sizes)
    t = x
    if mode == "mul":
        t = t * alpha
    elif mode == "div":
        t = t / alpha
    else:
        raise ValueError(f"mode {mode}")
    if beta != 0.0:
        t = t + beta
    for flag in (flags or ["none"]):
        if flag == "abs":
            t = pypto.abs(t)
    y[:] = t + 0.0


@pypto.frontend.jit
def min_max_symbol_kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    rows = x.shape[0]
    sizes = [8, 16, 4]
    block = max(sizes)
    pypto.set_vec_tile_shapes(min(sizes), 64)
    for i in pypto.loop((rows + block - 1) // block):
        first = i * block
        n = min(rows - first, block)
        part = pypto.view(x, [block, 64], [max(first, 0), 0], valid_shape=[n, 64])
        pypto.assemble(part + 1.0, [first, 0], y)


def outer_factory(depth):
    tiles = {}

    def inner(rows):
        nonlocal tiles
        tiles = {"rows": rows, **tiles}

        @pypto.frontend.jit
        def deep_kernel(x: pypto.Tensor([rows, 64], pypto.DT_FP32), y: pypto.Tensor([rows, 64], pypto.DT_FP32)):
            pypto.set_vec_tile_shapes(tiles["rows"], 64)
            t = x + 0.0
            for _ in range(depth):
                t = t * 1.5
            y[:] = t

        return deep_kernel

    return inner


def golden(x):
    return torch.softmax(x.float(), -1)


def preprocess(w):
    scale = w.abs().amax(0, keepdim=True) / 127.0
    return (w / scale).round().clamp(-127, 127), scale


def wrapper(x, *, alpha: float = 2.0, **kw):
    assert x.ndim == 2 and x.shape[-1] == 64, f"bad shape {x.shape}"
    if not x.is_contiguous():
        x = x.contiguous()
    y = torch.empty_like(x)
    many_scalars_kernel(x, y, alpha, **kw)
    return y * 1.0


def compare(name, got, want, *, rtol=1e-3, atol=1e-3):
    diff = (got.float().cpu() - want.float().cpu()).abs()
    if not torch.allclose(got.float().cpu(), want.float().cpu(), rtol=rtol, atol=atol):
        raise AssertionError(f"{name}: {diff.max()}")


def main(argv=None):
    global _counter
    dev = "npu:0" if HAS_NPU else "cpu"
    x = torch.rand(32, 64, device=dev)
    y = torch.empty_like(x)
    env_tile_kernel(x, y)
    json_tile_kernel(x, y)
    box = Box(4)
    box.value = 8
    half = x.half()
    out = torch.empty_like(half)
    build_box(box)(half, out)
    compare("softmax", out, golden(half))
    meta_kernel(x.bfloat16(), y)
    called_instance_kernel(x, torch.rand(1, 64).to(dev), y)
    move_only_kernel(x, y)
    c = torch.empty(32, 32, device=dev)
    w, _ = preprocess(torch.rand(64, 32))
    helper_tiles_kernel(half, w.half().to(dev), c)
    for mode, beta in itertools.product(("mul", "div"), (0.0, 1.0)):
        wrapper(x, mode=mode, beta=beta)
    wrapper(x.t().contiguous().t(), alpha=3.0, flags=["abs"])
    many_scalars_kernel(x, y, 1.0, sizes=[16, 64])
    min_max_symbol_kernel(x[:20], torch.empty(20, 64, device=dev))
    kernel = outer_factory(3)(32)
    with ExitStack() as stack:
        stack.enter_context(nullcontext())
        kernel(x, y)
    kernels = {k.__name__: k for k in (env_tile_kernel, json_tile_kernel)}
    for name in sorted(kernels):
        kernels[name](x, y)
    try:
        many_scalars_kernel(x, y, 1.0, mode="pow")
    except Exception as error:
        logger.info("expected: %s", error)
    else:
        warnings.warn("not refused")
    if (n := _counter) > 100:
        print(n)
    return 0


if __name__ == "__main__":
    sys.exit(main())
