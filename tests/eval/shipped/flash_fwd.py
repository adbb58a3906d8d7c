"""Flash attention forward over a paged cache with actual lengths."""
import math
import os
from collections import namedtuple

import torch
import torch_npu  # noqa: F401

import pypto

AttnTile = namedtuple("AttnTile", ["g_tile", "s2_tile", "cube_qk", "cube_pv", "v_qk", "v_pv"])

TILE = AttnTile(g_tile=16, s2_tile=64, cube_qk=[[16, 16], [64, 64], [64, 64]], cube_pv=[[16, 16], [64, 64], [64, 64]],
                v_qk=[16, 64], v_pv=[16, 64])
BLOCK = 32
NEG = -3.4e38


def attention_paged(query, key_cache, value_cache, block_table, actual_seqs, out, block_size, scale, tile):
    dtype = query.dtype
    batch = actual_seqs.shape[0]
    nq = query.shape[1]
    dim = query.shape[2]
    blocks_per_tile = tile.s2_tile // block_size
    q_2d = pypto.reshape(query, [query.shape[0] * nq, dim], inplace=True)
    for b in pypto.loop(0, batch, 1, name="LOOP_B", idx_name="b"):
        cur_seq = actual_seqs[b]
        s2_loop = (cur_seq + tile.s2_tile - 1) // tile.s2_tile
        for g in pypto.loop(nq // tile.g_tile, name="LOOP_G", idx_name="g"):
            oi = pypto.tensor([tile.g_tile, dim], pypto.DT_FP32, "oi_update")
            li = pypto.tensor([tile.g_tile, 1], pypto.DT_FP32, "li_update")
            mi = pypto.tensor([tile.g_tile, 1], pypto.DT_FP32, "mi_update")
            for s2 in pypto.loop(0, s2_loop, 1, name="LOOP_S2", idx_name="s2"):
                valid_s2 = (cur_seq - s2 * tile.s2_tile).min(tile.s2_tile)
                qi = pypto.view(q_2d, [tile.g_tile, dim], [b * nq + g * tile.g_tile, 0])
                kj = pypto.tensor([tile.s2_tile, dim], dtype, "kj")
                vj = pypto.tensor([tile.s2_tile, dim], dtype, "vj")
                for i in range(blocks_per_tile):
                    block = block_table[b, s2 * blocks_per_tile + i]
                    pypto.set_vec_tile_shapes(block_size, dim)
                    kj[i * block_size:(i + 1) * block_size, :] = pypto.view(key_cache, [block_size, dim],
                                                                          [block * block_size, 0]) + 0.0
                    pypto.assemble(pypto.view(value_cache, [block_size, dim], [block * block_size, 0]) * 1.0,
                                   [i * block_size, 0], vj)
                kj = pypto.view(kj, [tile.s2_tile, dim], [0, 0], valid_shape=[valid_s2, dim])
                vj = pypto.view(vj, [tile.s2_tile, dim], [0, 0], valid_shape=[valid_s2, dim])
                pypto.set_cube_tile_shapes(*tile.cube_qk)
                sij = pypto.matmul(qi, kj, pypto.DT_FP32, a_trans=False, b_trans=True)
                pypto.set_vec_tile_shapes(*tile.v_qk)
                sij = sij * scale
                m_cur = pypto.amax(sij, -1, keepdim=True)
                pij = pypto.exp(sij - m_cur)
                l_cur = pypto.sum(pij, -1, keepdim=True)
                pij16 = pypto.cast(pij, dtype)
                pypto.set_cube_tile_shapes(*tile.cube_pv)
                if pypto.cond(pypto.is_loop_begin(s2)):
                    o_tmp = pypto.matmul(pij16, vj, pypto.DT_FP32)
                    pypto.set_vec_tile_shapes(tile.v_pv[0], tile.v_pv[1])
                    if pypto.cond(pypto.is_loop_end(s2)):
                        result = pypto.cast(o_tmp / l_cur, dtype)
                        pypto.assemble(result, [b * nq + g * tile.g_tile, 0], out)
                    else:
                        oi[:] = o_tmp
                    li[:] = l_cur
                    mi[:] = m_cur
                else:
                    m_new = pypto.maximum(mi, m_cur)
                    t1 = pypto.exp(mi - m_new)
                    t2 = pypto.exp(m_cur - m_new)
                    l_new = t1 * li + t2 * l_cur
                    o_tmp = pypto.matmul(pij16, vj, pypto.DT_FP32)
                    pypto.set_vec_tile_shapes(tile.v_pv[0], tile.v_pv[1])
                    o_new = oi * t1 + o_tmp * t2
                    if pypto.cond(pypto.is_loop_end(s2)):
                        pypto.assemble(pypto.cast(o_new / l_new, dtype), [b * nq + g * tile.g_tile, 0], out)
                    else:
                        oi[:] = o_new
                    li[:] = l_new
                    mi[:] = m_new


def build(nq, dim, block_size, max_blocks, scale, tile=TILE):
    if dim % 16 != 0:
        raise ValueError(f"dim must be a multiple of 16, got {dim}")
    assert tile.s2_tile % block_size == 0, "s2 tile must hold whole blocks"

    @pypto.frontend.jit
    def paged_attention_kernel(
        query: pypto.Tensor([pypto.DYNAMIC, nq, dim], pypto.DT_FP16),
        key_cache: pypto.Tensor([pypto.DYNAMIC, dim], pypto.DT_FP16),
        value_cache: pypto.Tensor([pypto.DYNAMIC, dim], pypto.DT_FP16),
        block_table: pypto.Tensor([pypto.DYNAMIC, max_blocks], pypto.DT_INT32),
        actual_seqs: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
        out: pypto.Tensor([pypto.DYNAMIC, dim], pypto.DT_FP16),
    ):
        attention_paged(query, key_cache, value_cache, block_table, actual_seqs, out, block_size, scale, tile)

    return paged_attention_kernel


class PagedAttention(torch.nn.Module):
    def __init__(self, nq, dim, max_blocks):
        super().__init__()
        self.nq, self.dim = nq, dim
        self.kernel = build(nq, dim, BLOCK, max_blocks, 1.0 / math.sqrt(dim))

    def forward(self, query, key_cache, value_cache, block_table, actual_seqs):
        out = torch.empty(query.shape[0] * self.nq, self.dim, dtype=query.dtype, device=query.device)
        self.kernel(query, key_cache.reshape(-1, self.dim), value_cache.reshape(-1, self.dim), block_table, actual_seqs,
                    out)
        return out.reshape(-1, self.nq, self.dim)


def main():
    torch.manual_seed(3)
    device = "npu:" + os.environ.get("TILE_FWK_DEVICE_ID", "0")
    batch, nq, dim, max_blocks = 2, 16, 64, 4
    seqs = [100, 37]
    query = torch.randn(batch, nq, dim, dtype=torch.float16, device=device)
    key = torch.randn(8, BLOCK, dim, dtype=torch.float16, device=device)
    value = torch.randn(8, BLOCK, dim, dtype=torch.float16, device=device)
    table = torch.arange(8, dtype=torch.int32, device=device).reshape(batch, max_blocks)
    actual = torch.tensor(seqs, dtype=torch.int32, device=device)
    out = PagedAttention(nq, dim, max_blocks)(query, key, value, table, actual)
    for b in range(batch):
        k = key[table[b].long()].reshape(-1, dim)[:seqs[b]].float()
        v = value[table[b].long()].reshape(-1, dim)[:seqs[b]].float()
        want = torch.softmax(query[b].float() @ k.t() / math.sqrt(dim), -1) @ v
        assert torch.allclose(out[b].float().cpu(), want.cpu(), atol=2e-2), b


if __name__ == "__main__":
    main()
