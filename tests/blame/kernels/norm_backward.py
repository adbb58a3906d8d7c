"""Gradients of a layer norm: dx row by row, dgamma and dbeta summed over all blocks of rows."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

ROWS = 16
EPS = 1e-5


def row_mean(x, width):
    return pypto.mul(pypto.sum(x, -1, keepdim=True), 1.0 / width)


def normalise(x, width):
    centred = pypto.sub(x, row_mean(x, width))
    variance = row_mean(pypto.mul(centred, centred), width)
    rstd = pypto.rsqrt(pypto.add(variance, EPS))
    return pypto.mul(centred, rstd), rstd


@pypto.frontend.jit
def norm_backward_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16),
    gamma: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32),
    grad: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    dx: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    dgamma: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32),
    dbeta: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32),
):
    rows, width = x.shape[0], x.shape[1]
    pypto.set_vec_tile_shapes(16, 64)
    gamma_sum = pypto.full([1, width], 0.0, pypto.DT_FP32)
    beta_sum = pypto.full([1, width], 0.0, pypto.DT_FP32)
    for block in pypto.loop((rows + ROWS - 1) // ROWS, name="rows", idx_name="block"):
        start = block * ROWS
        left = pypto.min(rows - start, ROWS)
        half = pypto.view(x, [ROWS, width], [start, 0], valid_shape=[left, width])
        outer = pypto.view(grad, [ROWS, width], [start, 0], valid_shape=[left, width])
        normal, rstd = normalise(pypto.cast(half, pypto.DT_FP32), width)
        weighted = pypto.mul(outer, gamma)
        along = row_mean(pypto.mul(weighted, normal), width)
        level = row_mean(weighted, width)
        flat = pypto.sub(weighted, level)
        slope = pypto.mul(normal, along)
        pypto.assemble(pypto.mul(pypto.sub(flat, slope), rstd), [start, 0], dx)
        gamma_part = pypto.sum(pypto.mul(outer, normal), 0, keepdim=True)
        gamma_sum[:] = pypto.add(gamma_sum, gamma_part)
        beta_sum[:] = pypto.add(beta_sum, pypto.sum(outer, 0, keepdim=True))
    dgamma[:] = gamma_sum
    dbeta[:] = beta_sum
