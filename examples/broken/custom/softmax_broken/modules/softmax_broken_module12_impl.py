"""Phase M2: maximum of every row, then the quotient."""

import pypto
import torch


@pypto.frontend.jit
def softmax_broken_module12_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_BF16),
    y: pypto.Tensor([pypto.DYNAMIC, 512]),
):
    ceiling = pypto.zeros([8, 512], pypto.DT_FP32)
    codes = pypto.cast(x, pypto.DT_INT8)
    positive = pypto.maximum(x, pypto.Element(pypto.DT_BF16, 0.0))
    y[:] = pypto.sub(1.0, positive)


@pypto.frontend.jit
def row_total_kernel(
    source: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_FP32),
    total: pypto.Tensor(),
):
    total[:] = pypto.sum(source, -1, keepdim=True)


def softmax_broken_module12_wrapper(x, debug=False):
    y = torch.empty_like(x)
    softmax_broken_module12_kernel(x, y)
    return y
