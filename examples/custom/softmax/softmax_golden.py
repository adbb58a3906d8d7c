"""Row softmax in plain torch: the precision baseline of the operator.

The row maximum is subtracted first, so large inputs do not overflow in exp.
"""

import torch


def softmax_golden(x: torch.Tensor) -> torch.Tensor:
    row_max = torch.amax(x, dim=-1, keepdim=True)
    numerator = torch.exp(x - row_max)
    row_sum = torch.sum(numerator, dim=-1, keepdim=True)
    return numerator / row_sum
