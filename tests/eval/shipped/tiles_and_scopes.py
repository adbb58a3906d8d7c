"""Tiles of scopes, settings of callers, lists that helpers change, early returns, guards."""
import contextlib

import torch
import torch_npu  # noqa: F401

import pypto

ROWS, COLS = 16, 128
SHAPE = []


def use_wide_tile(x):
    with pypto.options(vec_tile_shapes=[8, COLS]):
        return pypto.exp(x * 0.5)


@pypto.options(vec_tile_shapes=[4, COLS])
def use_narrow_tile(x):
    return pypto.log(pypto.abs(x) + 1.0)


def quiet(x):
    with torch.no_grad(), pypto.options(name="inner", cube_tile_shapes=[[16, 16], [64, 128], [64, 64]]):
        return pypto.matmul(x, x, pypto.DT_FP32, b_trans=True)


@pypto.frontend.jit
def scopes_kernel(x: pypto.Tensor([ROWS, COLS], pypto.DT_FP32), y: pypto.Tensor([ROWS, COLS], pypto.DT_FP32),
                  z: pypto.Tensor([ROWS, ROWS], pypto.DT_FP32)):
    a = use_wide_tile(x)
    b = use_narrow_tile(a)
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = a + b
    z[:] = quiet(x)


@pypto.frontend.jit
def inherited_kernel(x: pypto.Tensor([ROWS, COLS], pypto.DT_FP32), y: pypto.Tensor([ROWS, COLS], pypto.DT_FP32)):
    for _ in pypto.loop(1):
        y[:] = x * 3.0


def collect(parts, tile):
    parts.append(tile + 1.0)
    parts.append(tile * 2.0)


@pypto.frontend.jit
def collected_kernel(x: pypto.Tensor([ROWS, COLS], pypto.DT_FP16), y: pypto.Tensor([2 * ROWS, COLS], pypto.DT_FP16)):
    pypto.set_vec_tile_shapes(8, COLS)
    parts = []
    collect(parts, x)
    y[:] = pypto.concat(parts, 0)


def resize(shape, rows):
    shape[:] = [rows, COLS]


def make(shape):
    rows, cols = shape

    @pypto.frontend.jit
    def sized_kernel(x: pypto.Tensor([rows, cols], pypto.DT_FP32), y: pypto.Tensor([rows, cols], pypto.DT_FP32)):
        pypto.set_vec_tile_shapes(rows, cols)
        y[:] = x - 1.0

    return sized_kernel


def guarded(x):
    if x.dim() != 2:
        raise ValueError("two axes are needed")
    if x.dtype not in (torch.float32,):
        raise TypeError(x.dtype)
    rows, cols = x.shape
    if rows == 0:
        return x
    assert cols % 16 == 0, cols
    y = torch.empty_like(x)
    resize(SHAPE, rows)
    make(SHAPE)(x, y)
    return y


@contextlib.contextmanager
def tile(*entries):
    with pypto.options(vec_tile_shapes=list(entries)):
        yield


def main():
    device = "npu:0"
    x = torch.rand(ROWS, COLS, device=device)
    scopes_kernel(x, torch.zeros_like(x), torch.zeros(ROWS, ROWS, device=device))
    with pypto.options(vec_tile_shapes=[16, COLS]):
        inherited_kernel(x, torch.zeros_like(x))
    half = x.half()
    collected_kernel(half, torch.zeros(2 * ROWS, COLS, dtype=half.dtype, device=device))
    for rows in (16, 32):
        guarded(torch.rand(rows, COLS, device=device))


if __name__ == "__main__":
    main()
