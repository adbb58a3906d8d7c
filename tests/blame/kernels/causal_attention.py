"""Attention with a mask that is added, heads below one another, an online softmax over blocks of keys."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

HEADS = 2
TOKENS = 40
HEAD = 32
TILE = 16


@pypto.frontend.jit
def causal_attention_kernel(
    query: pypto.Tensor([HEADS * TOKENS, HEAD], pypto.DT_FP32),
    key: pypto.Tensor([HEADS * TOKENS, HEAD], pypto.DT_FP32),
    value: pypto.Tensor([HEADS * TOKENS, HEAD], pypto.DT_FP32),
    mask: pypto.Tensor([TOKENS, TOKENS], pypto.DT_FP32),
    out: pypto.Tensor([HEADS * TOKENS, HEAD], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TILE, HEAD)
    pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 32])
    blocks = (TOKENS + TILE - 1) // TILE
    for head in pypto.loop(HEADS, name="heads", idx_name="head"):
        for i in pypto.loop(blocks, name="rows", idx_name="i"):
            q_first = i * TILE
            q_rows = pypto.min(TOKENS - q_first, TILE)
            q = pypto.view(query, [TILE, HEAD], [head * TOKENS + q_first, 0],
                           valid_shape=[q_rows, HEAD])
            highest = pypto.full([TILE, 1], -1e30, pypto.DT_FP32)
            weight = pypto.full([TILE, 1], 0.0, pypto.DT_FP32)
            mixed = pypto.full([TILE, HEAD], 0.0, pypto.DT_FP32)
            for j in pypto.loop(blocks, name="columns", idx_name="j"):
                k_first = j * TILE
                k_rows = pypto.min(TOKENS - k_first, TILE)
                k = pypto.view(key, [TILE, HEAD], [head * TOKENS + k_first, 0],
                               valid_shape=[k_rows, HEAD])
                v = pypto.view(value, [TILE, HEAD], [head * TOKENS + k_first, 0],
                               valid_shape=[k_rows, HEAD])
                hidden = pypto.view(mask, [TILE, TILE], [q_first, k_first],
                                    valid_shape=[q_rows, k_rows])
                raw = pypto.matmul(q, k, pypto.DT_FP32, b_trans=True)
                scores = pypto.mul(raw, HEAD ** -0.5) + hidden
                peak = pypto.maximum(highest, pypto.amax(scores, -1, keepdim=True))
                powers = pypto.exp(scores - peak)
                decay = pypto.exp(highest - peak)
                weight[:] = weight * decay + pypto.sum(powers, -1, keepdim=True)
                part = pypto.matmul(powers, v, pypto.DT_FP32)
                mixed[:] = mixed * decay + part
                highest[:] = peak
            rows = pypto.view(mixed / weight, [TILE, HEAD], [0, 0], valid_shape=[q_rows, HEAD])
            pypto.assemble(rows, [head * TOKENS + q_first, 0], out)
