"""MoE: gate with top-k, routing counts, expert feed-forward with int8 weights, combine."""
import dataclasses
import functools
import logging

import torch
import torch_npu  # noqa: F401

import pypto
from mla_ops import dequant, quant_per_token

logging.basicConfig(level=logging.INFO)


@dataclasses.dataclass(frozen=True)
class MoeConfig:
    hidden: int = 64
    inter: int = 128
    experts: int = 16
    top_k: int = 4
    tile_t: int = 16
    route_scale: float = 2.5

    @property
    def cube_up(self):
        return [self.tile_t, self.tile_t], [64, 64], [64, 64]

    def tiles(self, rows):
        return {"m": [rows, rows], "k": [64, 64], "n": [64, 64]}


CONFIG = MoeConfig()


def gate_topk(logits, bias, config):
    scores = pypto.sigmoid(logits)
    biased = scores + bias
    _, index = pypto.topk(biased, config.top_k, -1, True)
    picked = pypto.gather(scores, 1, index)
    denominator = pypto.sum(picked, -1, True)
    return picked / denominator * config.route_scale, index


@pypto.frontend.jit
def moe_gate_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, CONFIG.hidden], pypto.DT_BF16),
    w: pypto.Tensor([CONFIG.hidden, CONFIG.experts], pypto.DT_BF16),
    bias: pypto.Tensor([1, CONFIG.experts], pypto.DT_FP32),
    weight: pypto.Tensor([pypto.DYNAMIC, CONFIG.top_k], pypto.DT_FP32),
    index: pypto.Tensor([pypto.DYNAMIC, CONFIG.top_k], pypto.DT_INT32),
):
    tile_t = CONFIG.tile_t
    tokens = x.shape[0]
    for t_idx in pypto.loop(0, (tokens + tile_t - 1) // tile_t, 1, name="LOOP_T", idx_name="t_idx",
                            unroll_list=[4, 1]):
        start = t_idx * tile_t
        act = (tokens - start).min(tile_t)
        pypto.set_cube_tile_shapes([16, 16], [64, 64], [16, 16])
        xt = pypto.view(x, [tile_t, CONFIG.hidden], [start, 0], valid_shape=[act, CONFIG.hidden])
        logits = pypto.matmul(xt, w, pypto.DT_FP32)
        pypto.set_vec_tile_shapes(tile_t, CONFIG.experts)
        wt, idx = gate_topk(logits, bias, CONFIG)
        weight[start:start + tile_t, 0:] = wt
        pypto.assemble(idx, [start, 0], index)


@functools.lru_cache(maxsize=None)
def build_ffn(rows, hidden, inter):
    @pypto.frontend.jit(pass_options={"cube_l1_reuse_setting": {-1: 4}}, host_options={"only_codegen": True})
    def ffn_int8_kernel(
        x: pypto.Tensor([rows, hidden], pypto.DT_BF16),
        w13: pypto.Tensor([hidden, inter * 2], pypto.DT_INT8),
        s13: pypto.Tensor([1, inter * 2], pypto.DT_FP32),
        w2: pypto.Tensor([inter, hidden], pypto.DT_INT8),
        s2: pypto.Tensor([1, hidden], pypto.DT_FP32),
        y: pypto.Tensor([rows, hidden], pypto.DT_BF16),
    ):
        pypto.set_vec_tile_shapes(8, 64)
        for r in pypto.loop(rows // 16, name="LOOP_R"):
            xt = pypto.view(x, [16, hidden], [r * 16, 0])
            xq, xs = quant_per_token(xt)
            pypto.set_cube_tile_shapes(**CONFIG.tiles(16))
            up = dequant(pypto.matmul(xq, w13, pypto.DT_INT32), xs, s13)
            left, right = (pypto.view(up, [16, inter], [0, 0]), pypto.view(up, [16, inter], [0, inter]))
            act = left * pypto.sigmoid(left) * right
            pypto.set_vec_tile_shapes(8, 128)
            aq, a_scale = quant_per_token(act)
            down = dequant(pypto.matmul(aq, w2, pypto.DT_INT32), a_scale, s2)
            y[r * 16:(r + 1) * 16, :] = pypto.cast(down, pypto.DT_BF16)

    return ffn_int8_kernel


def quant_weight(w):
    scale = w.float().abs().amax(dim=0, keepdim=True).clamp(min=1e-8) / 127.0
    return torch.round(w.float() / scale).to(torch.int8), scale


@pypto.frontend.jit
def moe_combine_kernel(
    expanded: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16),
    weight: pypto.Tensor([pypto.DYNAMIC, 4], pypto.DT_FP32),
    place: pypto.Tensor([pypto.DYNAMIC, 4], pypto.DT_INT32),
    y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16),
):
    pypto.set_vec_tile_shapes(1, 64)
    for t in pypto.loop(weight.shape[0], name="token", idx_name="t"):
        acc = pypto.full([1, 64], 0.0, pypto.DT_FP32)
        for k in range(4):
            row = place[t, k]
            part = pypto.cast(pypto.view(expanded, [1, 64], [row, 0]), pypto.DT_FP32)
            factor = pypto.view(weight, [1, 1], [t, k])
            acc = acc + part * factor
        y[t:t + 1, :] = pypto.cast(acc, pypto.DT_BF16)


@pypto.frontend.jit
def expert_tokens_kernel(
    index: pypto.Tensor([32, 4], pypto.DT_INT32),
    counts: pypto.Tensor([1, 16], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(32, 4, 16)
    hot = pypto.one_hot(index, 16)
    hot32 = pypto.cast(pypto.cast(hot, pypto.DT_INT32), pypto.DT_FP32) if hot.dtype == pypto.DT_INT64 else hot
    flat = pypto.reshape(hot32, [128, 16])
    pypto.set_vec_tile_shapes(128, 16)
    counts[:] = pypto.sum(flat, 0, keepdim=True)


def run_moe(tokens, device):
    cfg = MoeConfig()
    x = torch.randn([tokens, cfg.hidden], dtype=torch.bfloat16, device=device)
    w = torch.randn([cfg.hidden, cfg.experts]).to(dtype=torch.bfloat16, device=device)
    bias = torch.zeros([1, cfg.experts], dtype=torch.float32, device=device)
    weight = torch.empty([tokens, cfg.top_k], dtype=torch.float32, device=device)
    index = torch.empty([tokens, cfg.top_k], dtype=torch.int32, device=device)
    moe_gate_kernel(x, w, bias, weight, index)
    logging.info("gate %s", tuple(weight.shape))
    flat = index.reshape(-1).cpu()
    order = torch.argsort(flat, stable=True)
    expanded = x.cpu()[order // cfg.top_k].to(device)
    place = torch.empty_like(order)
    place[order] = torch.arange(order.numel())
    y = torch.empty_like(x)
    moe_combine_kernel(expanded, weight, place.reshape(tokens, cfg.top_k).to(torch.int32).to(device), y)
    return y


def main():
    device = "npu:0"
    for tokens in (16, 70):
        run_moe(tokens, device)
    w13, s13 = quant_weight(torch.randn(64, 256))
    w2, s2 = quant_weight(torch.randn(128, 64))
    x = torch.randn(32, 64, dtype=torch.bfloat16, device=device)
    y = torch.zeros_like(x)
    build_ffn(32, 64, 128)(x, w13.to(device), s13.to(device), w2.to(device), s2.to(device), y)
    counts = torch.zeros(1, 16, device=device)
    expert_tokens_kernel(torch.randint(0, 16, (32, 4), dtype=torch.int32, device=device), counts)
    assert counts.sum().item() == 128


if __name__ == "__main__":
    main()
