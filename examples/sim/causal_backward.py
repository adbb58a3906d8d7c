"""Gradients of causal attention: triangles of scores, and products with transposed operands."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
HEADS = 3
TOKENS = 32
WIDTH = 64
SCALE = 0.125


@pypto.frontend.jit
def backward_kernel(
    query: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
    key: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
    value: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
    gradient: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
    query_gradient: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
    key_gradient: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
    value_gradient: pypto.Tensor([HEADS, TOKENS, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, TOKENS, WIDTH)
    pypto.set_cube_tile_shapes([32, 32], [32, 64], [32, 64])
    scores = pypto.matmul(query, key, pypto.DT_FP32, b_trans=True) * SCALE
    # What lies above the diagonal becomes small enough to vanish.
    little = pypto.full([HEADS, TOKENS, TOKENS], -1e9, pypto.DT_FP32)
    masked = pypto.tril(scores) + pypto.triu(little, 1)
    weights = pypto.softmax(masked, -1)
    value_gradient[:] = pypto.matmul(weights, gradient, pypto.DT_FP32, a_trans=True)
    weight_gradient = pypto.matmul(gradient, value, pypto.DT_FP32, b_trans=True)
    mean = pypto.sum(weight_gradient * weights, -1, keepdim=True)
    score_gradient = weights * (weight_gradient - mean) * SCALE
    query_gradient[:] = pypto.matmul(score_gradient, key, pypto.DT_FP32)
    key_gradient[:] = pypto.matmul(score_gradient, query, pypto.DT_FP32, a_trans=True)


def main():
    torch.manual_seed(24)
    checks = Checks("causal_backward")
    inputs = [torch.randn(HEADS, TOKENS, WIDTH, requires_grad=True) for _ in range(3)]
    gradient = torch.randn(HEADS, TOKENS, WIDTH)
    outputs = [torch.zeros(HEADS, TOKENS, WIDTH, device=DEVICE) for _ in range(3)]
    backward_kernel(*[t.detach().to(DEVICE) for t in inputs], gradient.to(DEVICE), *outputs)
    query, key, value = inputs
    scores = query @ key.transpose(1, 2) * SCALE
    later = torch.arange(TOKENS)[None, :] > torch.arange(TOKENS)[:, None]
    attention = scores.masked_fill(later, float("-inf")).softmax(-1) @ value
    attention.backward(gradient)
    for name, got, tensor in zip(("query", "key", "value"), outputs, inputs):
        checks.close(name, got, tensor.grad, 1e-4, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
