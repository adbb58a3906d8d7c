"""Phase M1: maximum of every row."""

import torch
import pypto as pp
from pypto import DT_FP32


@pp.frontend.jit
def row_max_kernel(
    x: pp.Tensor([pp.DYNAMIC, 512], DT_FP32),
    row_max: pp.Tensor([pp.DYNAMIC, 1], DT_FP32),
):
    pp.set_vec_tile_shapes(8, 512)
    row_max[:] = pp.amax(x, -1, keepdim=True)


def row_max_entry(x):
    row_max = torch.empty(x.shape[0], 1, dtype=torch.float32, device=x.device)
    row_max_kernel(x, row_max)
    return row_max
