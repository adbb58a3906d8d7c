"""Gated RMSNorm in plain torch: the precision baseline of the operator.

Inputs are widened to float32 once and the result is rounded to bfloat16 once, so the
reference carries no intermediate rounding.
"""

import torch

EPSILON = 1e-6


def gated_rmsnorm_golden(
    x: torch.Tensor, weight: torch.Tensor, gate: torch.Tensor, residual: torch.Tensor
) -> torch.Tensor:
    x32 = x.to(torch.float32)
    mean_square = torch.mean(x32 * x32, dim=-1, keepdim=True)
    normed = x32 * torch.rsqrt(mean_square + EPSILON) * weight.to(torch.float32)
    gate32 = gate.to(torch.float32)
    gated = normed * (gate32 * torch.sigmoid(gate32))
    return (gated + residual.to(torch.float32)).to(torch.bfloat16)
