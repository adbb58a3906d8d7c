"""Attention over blocks of keys with running statistics: a configuration class, helpers that set tiles."""
import math

import torch
import torch_npu  # noqa: F401

import pypto

HEADS, DIM, BLOCK = 2, 64, 32


class Tiles:
    cube_m = [16, 16]
    cube_k = [64, 64]

    def __init__(self, rows, block=BLOCK):
        self.rows = rows
        self.block = block
        self.vector = (rows, block)

    def for_scores(self):
        pypto.set_cube_tile_shapes(self.cube_m, self.cube_k, [32, 32])
        pypto.set_vec_tile_shapes(*self.vector)

    def for_output(self):
        pypto.set_cube_tile_shapes(self.cube_m, [32, 32], [64, 64])
        pypto.set_vec_tile_shapes(self.rows, DIM)


def block_scores(q, k, scale):
    return pypto.matmul(q, k, pypto.DT_FP32, b_trans=True) * scale


def attend(q, k, v, out, start, tiles, blocks):
    scale = 1.0 / math.sqrt(DIM)
    rows = tiles.rows
    pypto.set_vec_tile_shapes(rows, DIM)
    top = pypto.full([rows, 1], -1e30, pypto.DT_FP32)
    total = pypto.full([rows, 1], 0.0, pypto.DT_FP32)
    acc = pypto.full([rows, DIM], 0.0, pypto.DT_FP32)
    for index in range(blocks):
        tiles.for_scores()
        key = pypto.view(k, [tiles.block, DIM], [index * tiles.block, 0])
        scores = block_scores(q, key, scale)
        new_top = pypto.maximum(top, pypto.amax(scores, -1, keepdim=True))
        weights = pypto.exp(scores - new_top)
        fade = pypto.exp(top - new_top)
        total = total * fade + pypto.sum(weights, -1, keepdim=True)
        tiles.for_output()
        value = pypto.view(v, [tiles.block, DIM], [index * tiles.block, 0])
        part = pypto.matmul(pypto.cast(weights, q.dtype), value, pypto.DT_FP32)
        acc = acc * fade + part
        top = new_top
    pypto.assemble(pypto.cast(acc / total, out.dtype), [start, 0], out)


@pypto.frontend.jit
def attention_kernel(
    q: pypto.Tensor([pypto.DYNAMIC, DIM], pypto.DT_BF16),
    k: pypto.Tensor([2 * BLOCK, DIM], pypto.DT_BF16),
    v: pypto.Tensor([2 * BLOCK, DIM], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, DIM], pypto.DT_BF16),
):
    tiles = Tiles(16)
    length = q.shape[0]
    for step in pypto.loop(0, length, 16, name="ROWS", idx_name="step"):
        rows = pypto.view(q, [16, DIM], [step, 0])
        attend(rows, k, v, out, step, tiles, 2)


def attention(q, k, v):
    assert q.dtype == torch.bfloat16, q.dtype
    out = torch.empty_like(q)
    attention_kernel(q, k, v, out)
    return out


def test_attention():
    q = torch.randn(32, DIM, dtype=torch.bfloat16)
    k = torch.randn(2 * BLOCK, DIM, dtype=torch.bfloat16)
    v = torch.randn(2 * BLOCK, DIM, dtype=torch.bfloat16)
    out = attention(q, k, v)
    assert out.shape == q.shape


if __name__ == "__main__":
    test_attention()
