"""The reference of the row softmax."""

import torch


def median_golden(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, dim=-1)
