"""Routing of tokens to experts: the best scores of each row, and the rows that they point to."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
TOKENS = 11
EXPERTS = 32
BEST = 4


@pypto.frontend.jit
def routing_kernel(
    scores: pypto.Tensor([TOKENS, EXPERTS], pypto.DT_FP32),
    weights: pypto.Tensor([TOKENS, BEST], pypto.DT_FP32),
    experts: pypto.Tensor([TOKENS, BEST], pypto.DT_INT32),
    picked: pypto.Tensor([TOKENS, BEST], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TOKENS, EXPERTS)
    values, indices = pypto.topk(scores, BEST, -1)
    powers = pypto.exp(values - pypto.amax(values, -1, keepdim=True))
    weights[:] = powers / pypto.sum(powers, -1, keepdim=True)
    experts[:] = indices
    picked[:] = pypto.gather(scores, 1, indices)


def main():
    torch.manual_seed(16)
    checks = Checks("expert_routing")
    scores = torch.randn(TOKENS, EXPERTS)
    weights, picked = (torch.zeros(TOKENS, BEST, device=DEVICE) for _ in range(2))
    experts = torch.zeros(TOKENS, BEST, dtype=torch.int32, device=DEVICE)
    routing_kernel(scores.to(DEVICE), weights, experts, picked)
    values, indices = torch.topk(scores, BEST, -1)
    checks.close("weights", weights, torch.softmax(values, -1), 1e-6, 1e-6)
    checks.equal("experts", experts, indices.int())
    checks.equal("picked scores", picked, values)
    checks.finish()


if __name__ == "__main__":
    main()
