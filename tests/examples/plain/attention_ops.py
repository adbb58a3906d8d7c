"""Pieces of attention: scores, masks, rotary positions, an online softmax, a wrapper that pads."""
import logging
import math
from typing import Optional

import torch

import pypto
from tiling import ceil_div

HEAD = 32
SCALE = 1.0 / math.sqrt(HEAD)
BLOCK = 16
NEGATIVE = -1.0e30
logger = logging.getLogger(__name__)


def softmax_rows(scores):
    """Of a block of scores, in the kernel that calls it."""
    largest = pypto.amax(scores, -1, keepdim=True)
    powers = pypto.exp(scores - largest)
    return powers / pypto.sum(powers, -1, keepdim=True)


def merge(parts):
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


@pypto.frontend.jit
def scores_kernel(q: pypto.Tensor([BLOCK, HEAD], pypto.DT_FP32), k: pypto.Tensor([BLOCK, HEAD], pypto.DT_FP32),
                  out: pypto.Tensor([BLOCK, BLOCK], pypto.DT_FP32)):
    pypto.set_cube_tile_shapes([BLOCK, BLOCK], [16, HEAD], [BLOCK, BLOCK])
    pypto.set_vec_tile_shapes(BLOCK, BLOCK)
    out[:] = softmax_rows(pypto.matmul(q, k, pypto.DT_FP32, b_trans=True) * SCALE)


@pypto.frontend.jit
def masked_kernel(scores: pypto.Tensor([32, 32], pypto.DT_FP32), mask: pypto.Tensor([32, 32], pypto.DT_FP32),
                  out: pypto.Tensor([32, 32], pypto.DT_FP32)):
    tile = min(32, 2 * BLOCK)
    pypto.set_vec_tile_shapes(tile // 4, tile)
    out[:] = softmax_rows(scores + mask * NEGATIVE)


@pypto.frontend.jit
def rope_kernel(x: pypto.Tensor([32, HEAD], pypto.DT_FP32), cos: pypto.Tensor([32, HEAD], pypto.DT_FP32),
                sin: pypto.Tensor([32, HEAD], pypto.DT_FP32), y: pypto.Tensor([32, HEAD], pypto.DT_FP32)):
    half = x.shape[1] // 2
    pypto.set_vec_tile_shapes(8, half)
    first, second = x[:, :half], x[:, half:]
    y[:, :half] = first * cos[:, :half] - second * sin[:, :half]
    y[:, half:] = second * cos[:, half:] + first * sin[:, half:]


@pypto.frontend.jit
def average_kernel(a: pypto.Tensor([32, HEAD], pypto.DT_FP32), b: pypto.Tensor([32, HEAD], pypto.DT_FP32),
                   c: pypto.Tensor([32, HEAD], pypto.DT_FP32), y: pypto.Tensor([32, HEAD], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, HEAD)
    y[:] = merge([a, b, c]) * (1.0 / 3)


@pypto.frontend.jit
def decode_kernel(q: pypto.Tensor([BLOCK, HEAD], pypto.DT_FP32), k: pypto.Tensor([pypto.DYNAMIC, HEAD], pypto.DT_FP32),
                  v: pypto.Tensor([pypto.DYNAMIC, HEAD], pypto.DT_FP32), y: pypto.Tensor([BLOCK, HEAD], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(BLOCK, HEAD)
    pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 32])
    keys = k.shape[0]
    total = pypto.tensor([BLOCK, 1], pypto.DT_FP32, "total")
    mixed = pypto.tensor([BLOCK, HEAD], pypto.DT_FP32, "mixed")
    for step in pypto.loop(ceil_div(keys, BLOCK), name="keys", idx_name="step"):
        left = pypto.min(keys - step * BLOCK, BLOCK)
        part = pypto.view(k, [BLOCK, HEAD], [step * BLOCK, 0], valid_shape=[left, HEAD])
        value = pypto.view(v, [BLOCK, HEAD], [step * BLOCK, 0], valid_shape=[left, HEAD])
        powers = pypto.exp(pypto.matmul(q, part, pypto.DT_FP32, b_trans=True) * SCALE)
        if pypto.is_loop_begin(step):
            total[:] = pypto.sum(powers, -1, keepdim=True)
            mixed[:] = pypto.matmul(powers, value, pypto.DT_FP32)
        else:
            total[:] = total + pypto.sum(powers, -1, keepdim=True)
            mixed[:] = mixed + pypto.matmul(powers, value, pypto.DT_FP32)
        if pypto.is_loop_end(step):
            y[:] = mixed / total


def rotary_tables(count, base=10000.0):
    inverse = 1.0 / base ** (torch.arange(0, HEAD, 2).float() / HEAD)
    angles = torch.outer(torch.arange(count).float(), inverse)
    angles = torch.cat((angles, angles), -1)
    return angles.cos(), angles.sin()


def decode(q, k, v, out: Optional[torch.Tensor] = None):
    """Pads the queries to a block; scales in advance what the kernel would scale."""
    rows = q.shape[0]
    padded = torch.zeros(BLOCK, HEAD, device=q.device)
    padded[:rows] = q
    result = torch.empty(BLOCK, HEAD, device=q.device) if out is None else out
    decode_kernel(padded, k, v, result)
    logger.debug("decoded %d rows", rows)
    return result[:rows]


def check(name, got, want, tolerance=1e-4):
    error = (got.cpu() - want).abs().max().item()
    print(f"{name}: {error:.2e}")
    if error > tolerance:
        raise SystemExit(f"{name} differs")


def main():
    torch.manual_seed(6)
    q, k = torch.randn(BLOCK, HEAD), torch.randn(BLOCK, HEAD)
    out = torch.empty(BLOCK, BLOCK, device="npu:0")
    scores_kernel(q.npu(), k.npu(), out)
    check("scores", out, torch.softmax(q @ k.t() * SCALE, -1))
    x, mask = torch.randn(32, 32), torch.triu(torch.ones(32, 32), 1)
    out = torch.empty(32, 32, device="npu:0")
    masked_kernel(x.npu(), mask.npu(), out)
    check("masked", out, torch.softmax(x.masked_fill(mask.bool(), -math.inf), -1))
    x = torch.randn(32, HEAD)
    cos, sin = rotary_tables(32)
    y = torch.empty(32, HEAD, device="npu:0")
    rope_kernel(x.npu(), cos.npu(), sin.npu(), y)
    turned = torch.cat((-x[:, HEAD // 2:], x[:, :HEAD // 2]), -1)
    check("rope", y, x * cos + turned * sin)
    average_kernel(x.npu(), cos.npu(), sin.npu(), y)
    check("average", y, (x + cos + sin) / 3)
    for keys in (1, 16, 50):
        k, v = torch.randn(keys, HEAD), torch.randn(keys, HEAD)
        got = decode(x[:5].npu(), k.npu(), v.npu())
        check(f"decode {keys}", got, torch.softmax(x[:5] @ k.t() * SCALE, -1) @ v)


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    main()
