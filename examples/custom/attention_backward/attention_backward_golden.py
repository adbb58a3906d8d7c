"""Gradients of causal sliding-window attention in plain torch: the precision baseline.

A query sees its own position and the WINDOW - 1 positions before it. The formulas are those of
SPEC.md; all steps run in the dtype of the inputs.
"""

from typing import Tuple

import torch

WINDOW = 24


def attention_backward_golden(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    scale = q.shape[-1] ** -0.5
    position = torch.arange(q.shape[1], device=q.device)
    distance = position[:, None] - position[None, :]
    hidden = (distance < 0) | (distance >= WINDOW)
    scores = torch.matmul(q, k.transpose(1, 2)) * scale
    prob = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
    prob_grad = torch.matmul(grad_out, v.transpose(1, 2))
    delta = torch.sum(prob * prob_grad, dim=-1, keepdim=True)
    score_grad = prob * (prob_grad - delta) * scale
    dq = torch.matmul(score_grad, k)
    dk = torch.matmul(score_grad.transpose(1, 2), q)
    dv = torch.matmul(prob.transpose(1, 2), grad_out)
    return dq, dk, dv
