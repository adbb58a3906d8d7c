"""MLA prolog: down projection, norm, up projection, rope, cache update."""
import os
from dataclasses import dataclass, field

import torch
import torch_npu  # noqa: F401

import pypto
from mla_ops import rms_norm_step, rope_2d, quant_per_token, dequant


@dataclass
class MlaTileConfig:
    tile_b: int = 8
    m_tile: int = 16
    k_tile: int = 64
    n_tile: int = 64
    vec_rows: int = 8
    unroll: list = field(default_factory=lambda: [4, 2, 1])


@dataclass
class MlaParams:
    h: int
    q_rank: int
    kv_rank: int
    rope: int
    heads: int
    nope: int
    quant: bool = False
    eps: float = 1e-5
    tile: MlaTileConfig = field(default_factory=MlaTileConfig)


def q_branch(x, w_dq, gamma, w_uq, params, w_uq_scale=None):
    tile = params.tile
    pypto.set_cube_tile_shapes([tile.m_tile, tile.m_tile], [tile.k_tile, tile.k_tile], [tile.n_tile, tile.n_tile])
    down = pypto.matmul(x, w_dq, x.dtype)
    pypto.set_vec_tile_shapes(tile.vec_rows, params.q_rank)
    normed = rms_norm_step(down, gamma, params.eps)
    if params.quant:
        q8, scale = quant_per_token(normed)
        acc = pypto.matmul(q8, w_uq, pypto.DT_INT32)
        pypto.set_vec_tile_shapes(tile.vec_rows, 64)
        return pypto.cast(dequant(acc, scale, w_uq_scale), x.dtype)
    return pypto.matmul(normed, w_uq, x.dtype)


def mla_prolog_compute(x, w_dq, gamma_q, w_uq, w_dkv, gamma_kv, cos, sin, q_nope, q_pe, kv_out, kpe_out, params,
                       w_uq_scale=None):
    tile = params.tile
    tile_b = tile.tile_b
    batch = x.shape[0]
    q_width = params.nope + params.rope
    for b_idx, factor in pypto.loop_unroll(0, (batch + tile_b - 1) // tile_b, 1, name="MLA_BATCH", idx_name="b_idx",
                                           unroll_list=tile.unroll):
        rows = tile_b * factor
        start = b_idx * tile_b
        valid = (batch - start).min(rows)
        x_tile = pypto.view(x, [rows, params.h], [start, 0], valid_shape=[valid, params.h])
        cos_tile = pypto.view(cos, [rows, params.rope], [start, 0], valid_shape=[valid, params.rope])
        sin_tile = pypto.view(sin, [rows, params.rope], [start, 0], valid_shape=[valid, params.rope])
        pypto.set_semantic_label("query")
        q = q_branch(x_tile, w_dq, gamma_q, w_uq, params, w_uq_scale)
        for head in range(params.heads):
            pypto.set_vec_tile_shapes(tile.vec_rows, q_width)
            nope = pypto.view(q, [rows, params.nope], [0, head * q_width], valid_shape=[valid, params.nope])
            pe = pypto.view(q, [rows, params.rope], [0, head * q_width + params.nope], valid_shape=[valid, params.rope])
            q_nope[start:start + rows, head * params.nope:(head + 1) * params.nope] = nope + 0.0
            pypto.assemble(rope_2d(pe, cos_tile, sin_tile), [start, head * params.rope], q_pe)
        pypto.set_semantic_label("key")
        pypto.set_cube_tile_shapes([tile.m_tile, tile.m_tile], [tile.k_tile, tile.k_tile], [tile.n_tile, tile.n_tile])
        compressed = pypto.matmul(x_tile, w_dkv, x.dtype)
        latent = pypto.view(compressed, [rows, params.kv_rank], [0, 0], valid_shape=[valid, params.kv_rank])
        k_pe = pypto.view(compressed, [rows, params.rope], [0, params.kv_rank], valid_shape=[valid, params.rope])
        pypto.set_vec_tile_shapes(tile.vec_rows, params.kv_rank)
        kv_out[start:, 0:] = rms_norm_step(latent, gamma_kv, params.eps)
        pypto.assemble(rope_2d(k_pe, cos_tile, sin_tile), [start, 0], kpe_out)


def mla_prolog(params):
    h, heads = params.h, params.heads
    w_dtype = pypto.DT_INT8 if params.quant else pypto.DT_BF16

    @pypto.frontend.jit(runtime_options={"stitch_function_inner_memory": 128},
                        pass_options={"cube_l1_reuse_setting": {-1: 2}})
    def mla_prolog_kernel(
        x: pypto.Tensor([pypto.DYNAMIC, h], pypto.DT_BF16),
        w_dq: pypto.Tensor([h, params.q_rank], pypto.DT_BF16),
        gamma_q: pypto.Tensor([params.q_rank], pypto.DT_BF16),
        w_uq: pypto.Tensor([params.q_rank, heads * (params.nope + params.rope)], w_dtype),
        w_uq_scale: pypto.Tensor([1, heads * (params.nope + params.rope)], pypto.DT_FP32),
        w_dkv: pypto.Tensor([h, params.kv_rank + params.rope], pypto.DT_BF16),
        gamma_kv: pypto.Tensor([params.kv_rank], pypto.DT_BF16),
        cos: pypto.Tensor([pypto.DYNAMIC, params.rope], pypto.DT_BF16),
        sin: pypto.Tensor([pypto.DYNAMIC, params.rope], pypto.DT_BF16),
        q_nope: pypto.Tensor([pypto.DYNAMIC, heads * params.nope], pypto.DT_BF16),
        q_pe: pypto.Tensor([pypto.DYNAMIC, heads * params.rope], pypto.DT_BF16),
        kv_out: pypto.Tensor([pypto.DYNAMIC, params.kv_rank], pypto.DT_BF16),
        kpe_out: pypto.Tensor([pypto.DYNAMIC, params.rope], pypto.DT_BF16),
    ):
        pypto.experimental.set_operation_options(combine_axis=True)
        mla_prolog_compute(x, w_dq, gamma_q, w_uq, w_dkv, gamma_kv, cos, sin, q_nope, q_pe, kv_out, kpe_out, params,
                           w_uq_scale)

    return mla_prolog_kernel


def gen_inputs(batch, params, device):
    torch.manual_seed(1)
    width = params.heads * (params.nope + params.rope)
    x = torch.randn([batch, params.h], dtype=torch.bfloat16) / 8
    w_dq = torch.randn([params.h, params.q_rank], dtype=torch.bfloat16) / 8
    gamma_q = torch.rand([params.q_rank], dtype=torch.bfloat16)
    w_uq = torch.randn([params.q_rank, width], dtype=torch.bfloat16) / 8
    w_scale = torch.ones([1, width], dtype=torch.float32)
    if params.quant:
        w_scale = w_uq.float().abs().amax(0, keepdim=True) / 127
        w_uq = (w_uq.float() / w_scale).round().to(torch.int8)
    w_dkv = torch.randn([params.h, params.kv_rank + params.rope], dtype=torch.bfloat16) / 8
    gamma_kv = torch.rand([params.kv_rank], dtype=torch.bfloat16)
    cos, sin = (torch.rand([batch, params.rope], dtype=torch.bfloat16) for _ in range(2))
    return [t.to(device) for t in (x, w_dq, gamma_q, w_uq, w_scale, w_dkv, gamma_kv, cos, sin)]


def run_case(batch, quant):
    device_id = int(os.environ.get("TILE_FWK_DEVICE_ID", 0))
    torch.npu.set_device(device_id)
    device = f"npu:{device_id}"
    params = MlaParams(h=128, q_rank=64, kv_rank=64, rope=32, heads=2, nope=64, quant=quant)
    inputs = gen_inputs(batch, params, device)
    outs = [torch.zeros([batch, n], dtype=torch.bfloat16, device=device)
            for n in (params.heads * params.nope, params.heads * params.rope, params.kv_rank, params.rope)]
    mla_prolog(params)(*inputs, *outs)
    torch.npu.synchronize()
    assert outs[2].float().abs().sum() > 0


def main():
    for batch, quant in ((8, False), (20, False), (16, True)):
        run_case(batch, quant)


if __name__ == "__main__":
    main()
