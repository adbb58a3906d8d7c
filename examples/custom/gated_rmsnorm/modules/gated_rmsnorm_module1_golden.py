# Derived from module_interfaces.yaml — do not hand-edit. On YAML changes, regenerate.
"""Reference of phase M1: RMSNorm over the rows of x."""

import torch

EPSILON = 1e-6


def gated_rmsnorm_module1_golden(x: torch.Tensor, weight: torch.Tensor):
    x32 = x.to(torch.float32)
    mean_square = torch.mean(x32 * x32, dim=-1, keepdim=True)
    normed = x32 * torch.rsqrt(mean_square + EPSILON) * weight.to(torch.float32)
    return (normed,)
