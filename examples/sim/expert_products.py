"""Products with the matrix of each row's expert; how many rows an expert has is in a tensor."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
EXPERTS = 4
ROWS = 16
WIDTH = 64


@pypto.frontend.jit
def expert_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    counts: pypto.Tensor([EXPERTS], pypto.DT_INT32),
    order: pypto.Tensor([EXPERTS, ROWS], pypto.DT_INT32),
    weights: pypto.Tensor([EXPERTS * WIDTH, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, WIDTH)
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
    for expert in pypto.loop(EXPERTS, name="experts", idx_name="expert"):
        weight = pypto.view(weights, [WIDTH, WIDTH], [expert * WIDTH, 0])
        for place in pypto.loop(counts[expert], name="rows", idx_name="place"):
            row = order[expert, place]
            part = pypto.view(x, [1, WIDTH], [row, 0])
            pypto.assemble(pypto.matmul(part, weight, pypto.DT_FP32), [row, 0], y)


def main():
    torch.manual_seed(15)
    checks = Checks("expert_products")
    x, weights = torch.randn(ROWS, WIDTH), torch.randn(EXPERTS, WIDTH, WIDTH) / 8
    for name, experts in (("all experts", torch.arange(ROWS) % EXPERTS),
                          ("one without rows", torch.arange(ROWS) % 3)):
        counts = torch.bincount(experts, minlength=EXPERTS).to(torch.int32)
        order = torch.zeros(EXPERTS, ROWS, dtype=torch.int32)
        for expert in range(EXPERTS):
            rows = (experts == expert).nonzero().flatten()
            order[expert, :len(rows)] = rows.to(torch.int32)
        y = torch.zeros(ROWS, WIDTH, device=DEVICE)
        expert_kernel(x.to(DEVICE), counts.to(DEVICE), order.to(DEVICE),
                      weights.reshape(-1, WIDTH).to(DEVICE), y)
        checks.close(name, y, torch.einsum("rk,rkn->rn", x, weights[experts]), 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
