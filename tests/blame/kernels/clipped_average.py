"""An exponential moving average of gradients, which are clipped by their norm first."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

ROWS, WIDTH = 16, 64
EPSILON = 1e-6
BETA = 0.9


@pypto.frontend.jit
def clipped_average_kernel(
    grad: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    average: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    new_average: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    blocks = grad.shape[0] // ROWS
    total = pypto.full([1, 1], 0.0, pypto.DT_FP32)
    for block in pypto.loop(blocks, name="norm", idx_name="norm_block"):
        g = pypto.view(grad, [ROWS, WIDTH], [block * ROWS, 0])
        squares = pypto.sum(g * g, -1, keepdim=True)
        total[:] = total + pypto.sum(squares, 0, keepdim=True)
    ratio = pypto.reciprocal(pypto.sqrt(total) + EPSILON)
    clip = pypto.expand_clone(pypto.minimum(ratio, 1.0), [ROWS, 1])
    for block in pypto.loop(blocks, name="update", idx_name="block"):
        at = [block * ROWS, 0]
        clipped = pypto.view(grad, [ROWS, WIDTH], at) * clip
        old = pypto.view(average, [ROWS, WIDTH], at)
        pypto.assemble(old * BETA + clipped * (1.0 - BETA), at, new_average)
