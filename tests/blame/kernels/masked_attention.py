"""Attention of decoded heads over keys with an additive bias; maximum and sums run over key blocks."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

K_BLOCK = 32
LOWEST = -1.0e30


def weigh(scores, most_before):
    most = pypto.maximum(most_before, pypto.amax(scores, -1, keepdim=True))
    fade = pypto.exp(pypto.sub(most_before, most))
    powers = pypto.exp(pypto.sub(scores, most))
    return most, fade, powers


@pypto.frontend.jit
def masked_attention_kernel(
    q: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_BF16),
    k: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    v: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16),
    bias: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC, pypto.STATIC], pypto.DT_BF16),
):
    batch, heads, width = q.shape[0], q.shape[1], q.shape[2]
    keys = k.shape[1]
    blocks = (keys + K_BLOCK - 1) // K_BLOCK
    pypto.set_vec_tile_shapes(1, 8, 32)
    pypto.set_cube_tile_shapes([16, 16], [32, 64], [32, 64])
    for b in pypto.loop(batch, name="batch", idx_name="b"):
        queries = pypto.view(q, [1, heads, width], [b, 0, 0])
        most = pypto.full([1, heads, 1], LOWEST, pypto.DT_FP32)
        total = pypto.full([1, heads, 1], 0.0, pypto.DT_FP32)
        mixed = pypto.full([1, heads, width], 0.0, pypto.DT_FP32)
        for block in pypto.loop(blocks, name="keys", idx_name="block"):
            start = block * K_BLOCK
            left = pypto.min(keys - start, K_BLOCK)
            k_tile = pypto.view(k, [1, K_BLOCK, width], [b, start, 0], valid_shape=[1, left, width])
            v_tile = pypto.view(v, [1, K_BLOCK, width], [b, start, 0], valid_shape=[1, left, width])
            flat = pypto.view(bias, [1, K_BLOCK], [b, start], valid_shape=[1, left])
            added = pypto.reshape(flat, [1, 1, K_BLOCK], valid_shape=[1, 1, left])
            product = pypto.matmul(queries, k_tile, pypto.DT_FP32, b_trans=True)
            scores = pypto.add(pypto.mul(product, width**-0.5), added)
            new_most, fade, powers = weigh(scores, most)
            narrow = pypto.cast(powers, pypto.DT_BF16)
            part = pypto.matmul(narrow, v_tile, pypto.DT_FP32)
            total[:] = pypto.add(pypto.mul(total, fade), pypto.sum(powers, -1, keepdim=True))
            mixed[:] = pypto.add(pypto.mul(mixed, fade), part)
            most[:] = new_most
        result = pypto.div(mixed, total)
        pypto.assemble(pypto.cast(result, pypto.DT_BF16), [b, 0, 0], out)
