"""Lightning indexer: scores over a paged key cache with top-k, for prefill and decode."""
from dataclasses import dataclass, replace

import torch
import torch_npu  # noqa: F401

import pypto


@dataclass
class IndexerConfig:
    heads: int = 16
    dim: int = 64
    block: int = 32
    max_blocks: int = 4
    top_k: int = 32
    s2_tile: int = 128
    quant: bool = False

    def __post_init__(self):
        assert self.s2_tile % self.block == 0
        self.width = self.block * self.max_blocks


class Dims:
    """Sizes that come from tensors, collected once."""

    def __init__(self, query, config):
        self.tokens = query.shape[0]
        self.heads = config.heads
        self.dim = config.dim

    def flat(self):
        return [self.tokens * self.heads, self.dim]


def indexer_compute(query, key_cache, weights, lengths, table, index_out, value_out, config):
    dims = Dims(query, config)
    q2d = pypto.reshape(query, dims.flat(), inplace=True)
    top_k, width = config.top_k, config.width
    for t in pypto.loop(dims.tokens, name="INDEX_LOOP_T", idx_name="t"):
        pypto.set_vec_tile_shapes(16, 128)
        length = lengths[t]
        scores = pypto.tensor([1, width], pypto.DT_FP32, "scores")
        pypto.set_vec_tile_shapes(1, width)
        scores[:] = pypto.full([1, width], -3.0e38, pypto.DT_FP32)
        blocks = (length + config.block - 1) // config.block
        for blk in pypto.loop(blocks, name="INDEX_LOOP_BLOCK", idx_name="blk"):
            page = table[t, blk]
            valid = (length - blk * config.block).min(config.block)
            q = pypto.view(q2d, [config.heads, config.dim], [t * config.heads, 0])
            k = pypto.view(key_cache, [config.block, config.dim], [page * config.block, 0],
                           valid_shape=[valid, config.dim])
            pypto.set_cube_tile_shapes([16, 16], [64, 64], [32, 32])
            mm = pypto.matmul(q, k, pypto.DT_FP32, a_trans=False, b_trans=True)
            pypto.set_vec_tile_shapes(config.heads, config.block)
            act = pypto.maximum(mm, pypto.full(mm.shape, 0.0, pypto.DT_FP32))
            w = pypto.reshape(pypto.view(weights, [1, config.heads], [t, 0]), [config.heads, 1])
            weighted = pypto.mul(act, pypto.cast(w, pypto.DT_FP32))
            part = pypto.sum(weighted, 0, keepdim=True)
            pypto.assemble(part, [0, blk * config.block], scores)
        pypto.set_vec_tile_shapes(1, width)
        values, index = pypto.topk(scores, top_k, dim=-1, largest=True)
        pypto.set_vec_tile_shapes(1, top_k)
        valid_k = length.min(top_k)
        pad = pypto.full([1, top_k], -1, pypto.DT_INT32)
        pypto.assemble(pad, [t, 0], index_out)
        pypto.assemble(pypto.view(index, [1, top_k], [0, 0], valid_shape=[1, valid_k]) + 0, [t, 0], index_out)
        value_out[t:t + 1, :] = values


def make_indexer(config):
    @pypto.frontend.jit(runtime_options={"stitch_function_inner_memory": 256, "stitch_function_outcast_memory": 256})
    def indexer(
        query: pypto.Tensor([pypto.DYNAMIC, config.heads, config.dim], pypto.DT_BF16),
        key_cache: pypto.Tensor([pypto.DYNAMIC, config.dim], pypto.DT_BF16),
        weights: pypto.Tensor([pypto.DYNAMIC, config.heads], pypto.DT_BF16),
        lengths: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
        table: pypto.Tensor([pypto.DYNAMIC, config.max_blocks], pypto.DT_INT32),
        index_out: pypto.Tensor([pypto.DYNAMIC, config.top_k], pypto.DT_INT32),
        value_out: pypto.Tensor([pypto.DYNAMIC, config.top_k], pypto.DT_FP32),
    ):
        indexer_compute(query, key_cache, weights, lengths, table, index_out, value_out, config)

    return indexer


BASE = IndexerConfig()


def test_indexer(tokens, lengths, top_k):
    config = replace(BASE, top_k=top_k)
    device = "npu:0"
    query = torch.randn(tokens, config.heads, config.dim).bfloat16().to(device)
    cache = torch.randn(16, config.block, config.dim, dtype=torch.bfloat16).to(device)
    weights = torch.rand(tokens, config.heads).to(device=device, dtype=torch.bfloat16)
    table = torch.arange(tokens * config.max_blocks, dtype=torch.int32).view(tokens, -1).to(device)
    actual = torch.tensor(lengths).int().to(device)
    index = torch.full((tokens, top_k), -7, dtype=torch.int32).to(device)
    value = torch.empty((tokens, top_k), dtype=torch.float32).to(device)
    make_indexer(config)(query, cache.flatten(0, 1), weights, actual, table, index, value)
    for t, n in enumerate(lengths):
        assert (index[t] >= 0).sum() == min(n, top_k)


if __name__ == "__main__":
    test_indexer(2, [100, 33], 32)
    test_indexer(3, [1, 64, 128], 64)
