"""A feed-forward layer with SwiGLU: two projections, a gate, a projection back, in BF16."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 64
HIDDEN = 96
TOKEN_TILE = 16


@pypto.frontend.jit
# the gate is the FP32 result of a product
def swiglu_ffn_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    gate_weight: pypto.Tensor([WIDTH, HIDDEN], pypto.DT_BF16),
    up_weight: pypto.Tensor([WIDTH, HIDDEN], pypto.DT_BF16),
    down_weight: pypto.Tensor([HIDDEN, WIDTH], pypto.DT_BF16),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
):
    pypto.set_vec_tile_shapes(TOKEN_TILE, HIDDEN)
    pypto.set_cube_tile_shapes([16, 16], [32, 32], [32, 32])
    tokens = x.shape[0]
    for step in pypto.loop((tokens + TOKEN_TILE - 1) // TOKEN_TILE, name="tokens", idx_name="step"):
        start = step * TOKEN_TILE
        left = pypto.min(tokens - start, TOKEN_TILE)
        part = pypto.view(x, [TOKEN_TILE, WIDTH], [start, 0], valid_shape=[left, WIDTH])
        gate = pypto.matmul(part, gate_weight, pypto.DT_FP32)
        up = pypto.matmul(part, up_weight, pypto.DT_FP32)
        gated = pypto.cast(gate * pypto.sigmoid(gate) * up, pypto.DT_BF16)
        pypto.assemble(pypto.matmul(gated, down_weight, pypto.DT_BF16), [start, 0], y)


def main():
    torch.manual_seed(7)
    checks = Checks("swiglu_ffn")
    weights = [torch.randn(a, b).bfloat16().to(DEVICE) / 8
               for a, b in ((WIDTH, HIDDEN), (WIDTH, HIDDEN), (HIDDEN, WIDTH))]
    for tokens in (1, 16, 43):
        x = torch.randn(tokens, WIDTH).bfloat16().to(DEVICE)
        y = torch.zeros(tokens, WIDTH, dtype=torch.bfloat16, device=DEVICE)
        swiglu_ffn_kernel(x, *weights, y)
        gate, up = x.float() @ weights[0].float(), x.float() @ weights[1].float()
        gated = (gate * torch.sigmoid(gate) * up).bfloat16()
        checks.close(f"{tokens} tokens", y, (gated.float() @ weights[2].float()).bfloat16(),
                     1e-2, 8e-3)
    checks.finish()


if __name__ == "__main__":
    main()
