# Derived from module_interfaces.yaml — do not hand-edit. On YAML changes, regenerate.
"""Reference of phase M2: row statistics (module 1), then the gradients (module 2)."""

import torch

WINDOW = 24


def masked_scores(q, k):
    position = torch.arange(q.shape[1], device=q.device)
    distance = position[:, None] - position[None, :]
    hidden = (distance < 0) | (distance >= WINDOW)
    scores = torch.matmul(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5
    return scores.masked_fill(hidden, float("-inf"))


def row_statistics(q, k, v, grad_out):
    scores = masked_scores(q, k)
    lse = torch.logsumexp(scores, dim=-1, keepdim=True)
    prob_grad = torch.matmul(grad_out, v.transpose(1, 2))
    delta = torch.sum(torch.softmax(scores, dim=-1) * prob_grad, dim=-1, keepdim=True)
    return lse, delta


def gradients(q, k, v, grad_out, lse, delta):
    prob = torch.exp(masked_scores(q, k) - lse)
    prob_grad = torch.matmul(grad_out, v.transpose(1, 2))
    score_grad = prob * (prob_grad - delta) * q.shape[-1] ** -0.5
    dq = torch.matmul(score_grad, k)
    dk = torch.matmul(score_grad.transpose(1, 2), q)
    dv = torch.matmul(prob.transpose(1, 2), grad_out)
    return dq, dk, dv


def attention_backward_module12_golden(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor
):
    lse, delta = row_statistics(q, k, v, grad_out)
    return gradients(q, k, v, grad_out, lse, delta)
