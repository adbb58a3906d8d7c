# Derived from module_interfaces.yaml — do not hand-edit. On YAML changes, regenerate.
"""Reference of phase M2: RMSNorm (module 1), then SiLU gate and residual (module 2)."""

import torch

EPSILON = 1e-6


def rms_norm(x, weight):
    x32 = x.to(torch.float32)
    mean_square = torch.mean(x32 * x32, dim=-1, keepdim=True)
    return x32 * torch.rsqrt(mean_square + EPSILON) * weight.to(torch.float32)


def gate_and_add(normed, gate, residual):
    gate32 = gate.to(torch.float32)
    gated = normed * (gate32 * torch.sigmoid(gate32))
    return (gated + residual.to(torch.float32)).to(torch.bfloat16)


def gated_rmsnorm_module12_golden(
    x: torch.Tensor, weight: torch.Tensor, gate: torch.Tensor, residual: torch.Tensor
):
    return (gate_and_add(rms_norm(x, weight), gate, residual),)
