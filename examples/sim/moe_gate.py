"""The gate of a mixture of experts: groups of experts are chosen first, then experts inside them."""
# The sigmoid is of a tensor in F32.
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
EXPERTS = 64
GROUPS = 8
MEMBERS = 8  # of each group
BEST_GROUPS, BEST = 3, 6
FACTOR = 2.5
TILE = 8


@pypto.frontend.jit
def gate_kernel(
    logits: pypto.Tensor([pypto.DYNAMIC, EXPERTS], pypto.DT_FP32),
    bias: pypto.Tensor([1, EXPERTS], pypto.DT_FP32),
    weights: pypto.Tensor([pypto.DYNAMIC, BEST], pypto.DT_FP32),
    experts: pypto.Tensor([pypto.DYNAMIC, BEST], pypto.DT_INT32),
):
    tokens = logits.shape[0]
    for block in pypto.loop((tokens + TILE - 1) // TILE, name="tokens", idx_name="block"):
        start = block * TILE
        left = pypto.min(tokens - start, TILE)
        pypto.set_vec_tile_shapes(TILE, EXPERTS)
        rows = pypto.view(logits, [TILE, EXPERTS], [start, 0], valid_shape=[left, EXPERTS])
        scores = pypto.sigmoid(rows)
        biased = scores + bias
        # A group is as good as its two best members together.
        pypto.set_vec_tile_shapes(TILE, GROUPS, MEMBERS)
        grouped = pypto.reshape(biased, [TILE, GROUPS, MEMBERS],
                                valid_shape=[left, GROUPS, MEMBERS])
        best_two, _ = pypto.topk(grouped, 2, -1)
        group_scores = pypto.sum(best_two, -1)
        pypto.set_vec_tile_shapes(TILE, GROUPS)
        _, groups = pypto.topk(group_scores, BEST_GROUPS, -1)
        none = pypto.full([TILE, GROUPS], 0.0, pypto.DT_FP32, valid_shape=[left, GROUPS])
        open_groups = pypto.scatter(none, 1, groups, 1.0)
        pypto.set_vec_tile_shapes(TILE, GROUPS, MEMBERS)
        mask = pypto.expand_clone(
            pypto.reshape(open_groups, [TILE, GROUPS, 1], valid_shape=[left, GROUPS, 1]),
            [TILE, GROUPS, MEMBERS], valid_shape=[left, GROUPS, MEMBERS])
        masked = pypto.where(mask > 0.5, grouped, -1e30)
        pypto.set_vec_tile_shapes(TILE, EXPERTS)
        _, best = pypto.topk(pypto.reshape(masked, [TILE, EXPERTS], valid_shape=[left, EXPERTS]),
                             BEST, -1)
        # The bias helps to choose; the weights are the scores without it.
        chosen = pypto.gather(scores, 1, best)
        shares = chosen / pypto.sum(chosen, -1, keepdim=True) * FACTOR
        pypto.assemble(shares, [start, 0], weights)
        pypto.assemble(best, [start, 0], experts)


def main():
    def reference(logits, bias):
        """One token after the other."""
        weights, experts = [], []
        for scores in 1 / (1 + torch.exp(-logits)):
            biased = scores + bias[0]
            strength = [sum(sorted(group.tolist())[-2:]) for group in biased.split(MEMBERS)]
            allowed = sorted(range(GROUPS), key=lambda g: -strength[g])[:BEST_GROUPS]
            members = [g * MEMBERS + i for g in allowed for i in range(MEMBERS)]
            best = sorted(members, key=lambda e: -biased[e].item())[:BEST]
            share = scores[best]
            weights.append(share / share.sum() * FACTOR)
            experts.append(best)
        return torch.stack(weights), torch.tensor(experts, dtype=torch.int32)

    torch.manual_seed(3)
    checks = Checks("moe_gate")
    bias = torch.randn(1, EXPERTS) / 10
    for tokens in (1, 8, 21):
        logits = torch.randn(tokens, EXPERTS)
        weights = torch.zeros(tokens, BEST, device=DEVICE)
        experts = torch.zeros(tokens, BEST, dtype=torch.int32, device=DEVICE)
        gate_kernel(logits.to(DEVICE), bias.to(DEVICE), weights, experts)
        want_weights, want_experts = reference(logits, bias)
        checks.equal(f"{tokens} tokens, experts", experts, want_experts)
        checks.close(f"{tokens} tokens, weights", weights, want_weights)
    checks.finish()


if __name__ == "__main__":
    main()
