"""Rotary position embedding: halves of the head are rotated by the position's angles."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
HEADS = 3
HEAD = 32
HALF = HEAD // 2
TOKEN_TILE = 8


@pypto.frontend.jit
def rope_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, HEADS, HEAD], pypto.DT_FP32),
    cosine: pypto.Tensor([pypto.DYNAMIC, 1, HALF], pypto.DT_FP32),
    sine: pypto.Tensor([pypto.DYNAMIC, 1, HALF], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, HEADS, HEAD], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TOKEN_TILE, HEADS, HEAD)
    tokens = x.shape[0]
    for step in pypto.loop((tokens + TOKEN_TILE - 1) // TOKEN_TILE, name="tokens", idx_name="step"):
        start = step * TOKEN_TILE
        left = pypto.min(tokens - start, TOKEN_TILE)
        first = pypto.view(x, [TOKEN_TILE, HEADS, HALF], [start, 0, 0],
                           valid_shape=[left, HEADS, HALF])
        second = pypto.view(x, [TOKEN_TILE, HEADS, HALF], [start, 0, HALF],
                            valid_shape=[left, HEADS, HALF])
        c = pypto.view(cosine, [TOKEN_TILE, 1, HALF], [start, 0, 0], valid_shape=[left, 1, HALF])
        s = pypto.view(sine, [TOKEN_TILE, 1, HALF], [start, 0, 0], valid_shape=[left, 1, HALF])
        pypto.assemble(first * c - second * s, [start, 0, 0], y)
        pypto.assemble(second * c + first * s, [start, 0, HALF], y)


def main():
    torch.manual_seed(6)
    checks = Checks("rope")
    for tokens in (1, 8, 27):
        x = torch.randn(tokens, HEADS, HEAD)
        frequency = 10000.0 ** (-torch.arange(HALF, dtype=torch.float32) / HALF)
        angle = torch.arange(tokens, dtype=torch.float32)[:, None, None] * frequency
        y = torch.zeros(tokens, HEADS, HEAD, device=DEVICE)
        rope_kernel(x.to(DEVICE), angle.cos().to(DEVICE), angle.sin().to(DEVICE), y)
        first, second = x[..., :HALF], x[..., HALF:]
        want = torch.cat([first * angle.cos() - second * angle.sin(),
                          second * angle.cos() + first * angle.sin()], -1)
        checks.close(f"{tokens} tokens", y, want, 1e-6, 1e-6)
    checks.finish()


if __name__ == "__main__":
    main()
