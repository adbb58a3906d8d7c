"""Attention: prefill with a causal mask, decode with a sink, cross attention, its backward step, pooling."""
import math

import torch
import torch_npu  # noqa: F401

import pypto

HEADS, DIM, BLOCK = 2, 64, 32
SCALE = 1 / math.sqrt(DIM)


def qk_tile():
    pypto.set_cube_tile_shapes([32, 32], [64, 64], [32, 32])


def softmax_rows(scores):
    top = pypto.amax(scores, -1, True)
    weights = pypto.exp(scores - top)
    return weights, pypto.sum(weights, -1, True), top


@pypto.frontend.jit
def causal_kernel(
    q: pypto.Tensor([pypto.DYNAMIC, HEADS * DIM], pypto.DT_BF16),
    k: pypto.Tensor([pypto.DYNAMIC, HEADS * DIM], pypto.DT_BF16),
    v: pypto.Tensor([pypto.DYNAMIC, HEADS * DIM], pypto.DT_BF16),
    mask: pypto.Tensor([BLOCK, BLOCK], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, HEADS * DIM], pypto.DT_BF16),
):
    blocks = q.shape[0] // BLOCK
    for i in pypto.loop(blocks, name="Q", idx_name="i"):
        for head in range(HEADS):
            pypto.set_vec_tile_shapes(BLOCK, DIM)
            total = pypto.tensor([BLOCK, DIM], pypto.DT_FP32, "total")
            norm = pypto.tensor([BLOCK, 1], pypto.DT_FP32, "norm")
            most = pypto.tensor([BLOCK, 1], pypto.DT_FP32, "most")
            total[:] = pypto.zeros([BLOCK, DIM], dtype=pypto.DT_FP32)
            norm[:] = pypto.full([BLOCK, 1], 0.0, pypto.DT_FP32)
            most[:] = pypto.full([BLOCK, 1], -1e30, pypto.DT_FP32)
            qt = q[i * BLOCK:(i + 1) * BLOCK, head * DIM:(head + 1) * DIM]
            for j in pypto.loop(i + 1, name="K", idx_name="j"):
                kt = pypto.view(k, [BLOCK, DIM], [j * BLOCK, head * DIM])
                vt = pypto.view(v, [BLOCK, DIM], [j * BLOCK, head * DIM])
                qk_tile()
                scores = pypto.matmul(qt, kt, pypto.DT_FP32, b_trans=True) * SCALE
                if pypto.cond(i == j):
                    scores = scores + mask
                weights, cur_sum, cur_most = softmax_rows(scores)
                new_most = pypto.maximum(most, cur_most)
                before, now = pypto.exp(most - new_most), pypto.exp(cur_most - new_most)
                pypto.set_cube_tile_shapes([32, 32], [32, 32], [64, 64])
                part = pypto.matmul(pypto.cast(weights, pypto.DT_BF16), vt, pypto.DT_FP32)
                total[:] = total * before + part * now
                norm[:] = norm * before + cur_sum * now
                most[:] = new_most
            out[i * BLOCK:(i + 1) * BLOCK, head * DIM:(head + 1) * DIM] = pypto.cast(total / norm, pypto.DT_BF16)


@pypto.frontend.jit
def cross_kernel(
    q: pypto.Tensor([4, 32, 64], pypto.DT_FP16),
    k: pypto.Tensor([4, 48, 64], pypto.DT_FP16),
    v: pypto.Tensor([4, 48, 64], pypto.DT_FP16),
    out: pypto.Tensor([4, 32, 64], pypto.DT_FP16),
):
    pypto.set_cube_tile_shapes([32, 32], [64, 64], [48, 48])
    pypto.set_vec_tile_shapes(1, 32, 48)
    scores = pypto.matmul(q, k, pypto.DT_FP32, b_trans=True)
    probs = pypto.softmax(scores * SCALE, -1)
    pypto.set_cube_tile_shapes([32, 32], [48, 48], [64, 64])
    out[:] = pypto.matmul(pypto.cast(probs, pypto.DT_FP16), v, pypto.DT_FP16)


@pypto.frontend.jit
def backward_kernel(
    p: pypto.Tensor([32, 32], pypto.DT_BF16),
    dout: pypto.Tensor([32, 64], pypto.DT_BF16),
    v: pypto.Tensor([32, 64], pypto.DT_BF16),
    dv: pypto.Tensor([32, 64], pypto.DT_FP32),
    ds: pypto.Tensor([32, 32], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([32, 32], [32, 64], [32, 64])
    pypto.set_vec_tile_shapes(32, 32)
    dv[:] = pypto.matmul(p, dout, pypto.DT_FP32, a_trans=True)
    dp = pypto.matmul(dout, v, pypto.DT_FP32, b_trans=True)
    p32 = pypto.cast(p, pypto.DT_FP32)
    delta = pypto.sum(p32 * dp, -1, keepdim=True)
    ds[:] = p32 * (dp - delta)


@pypto.frontend.jit
def sink_kernel(
    q: pypto.Tensor([pypto.DYNAMIC, 16, 64], pypto.DT_FP16),
    k: pypto.Tensor([pypto.DYNAMIC, 32, 64], pypto.DT_FP16),
    sink: pypto.Tensor([16, 1], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, 16, 64], pypto.DT_FP16),
):
    batch = q.shape[0]
    for b in pypto.loop(batch):
        pypto.set_vec_tile_shapes(1, 16, 64)
        qt = pypto.reshape(pypto.view(q, [1, 16, 64], [b, 0, 0]), [16, 64])
        kt = pypto.reshape(pypto.view(k, [1, 32, 64], [b, 0, 0]), [32, 64])
        pypto.set_cube_tile_shapes([16, 16], [64, 64], [32, 32])
        scores = pypto.matmul(qt, kt, pypto.DT_FP32, b_trans=True)
        pypto.set_vec_tile_shapes(16, 32)
        top = pypto.maximum(pypto.amax(scores, -1, keepdim=True), sink)
        weights = pypto.exp(scores - top)
        norm = pypto.sum(weights, -1, keepdim=True) + pypto.exp(sink - top)
        pypto.set_cube_tile_shapes([16, 16], [32, 32], [64, 64])
        result = pypto.matmul(pypto.cast(weights / norm, pypto.DT_FP16), kt, pypto.DT_FP16)
        pypto.set_vec_tile_shapes(1, 16, 64)
        out[b:b + 1, :, :] = pypto.reshape(result, [1, 16, 64])


@pypto.frontend.jit
def pool_kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), lengths: pypto.Tensor([4], pypto.DT_INT32),
                out: pypto.Tensor([4, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for b in pypto.loop(4, name="B", idx_name="b"):
        length = lengths[b]
        acc = pypto.tensor([1, 64], pypto.DT_FP32, "acc")
        acc[:] = pypto.full([1, 64], 0.0, pypto.DT_FP32)
        for t in pypto.loop((length + 15) // 16, name="T", idx_name="t"):
            count = (length - t * 16).min(16)
            part = pypto.view(x, [16, 64], [b * 64 + t * 16, 0], valid_shape=[count, 64])
            acc[:] = acc + pypto.sum(part, 0, keepdim=True)
        out[b:b + 1, :] = acc


def causal(q, k, v):
    tokens = q.shape[0]
    if tokens % BLOCK != 0:
        pad = BLOCK - tokens % BLOCK
        q, k, v = (torch.nn.functional.pad(t, (0, 0, 0, pad)) for t in (q, k, v))
    mask = torch.full((BLOCK, BLOCK), -1e30, device=q.device).triu(1)
    out = torch.empty_like(q)
    causal_kernel(q, k, v, mask, out)
    return out[:tokens]


def main():
    d = "npu:0"
    for tokens in (32, 64):
        causal(*(torch.randn(tokens, HEADS * DIM).to(torch.bfloat16).to(d) for _ in "qkv"))
    q, k, v = (torch.randn(4, n, 64, dtype=torch.float16, device=d) for n in (32, 48, 48))
    cross_kernel(q, k, v, torch.empty_like(q))
    p = torch.rand(32, 32).bfloat16().to(d)
    g, w = (torch.randn(32, 64).bfloat16().to(d) for _ in range(2))
    backward_kernel(p, g, w, torch.zeros(32, 64, device=d), torch.zeros(32, 32, device=d))
    q, k = torch.randn(3, 16, 64).half().to(d), torch.randn(3, 32, 64).half().to(d)
    sink_kernel(q, k, torch.randn(16, 1, device=d), torch.zeros_like(q))
    lengths = torch.tensor([1, 16, 40, 64], dtype=torch.int32, device=d)
    pool_kernel(torch.randn(256, 64, device=d), lengths, torch.zeros(4, 64, device=d))


if __name__ == "__main__":
    main()
