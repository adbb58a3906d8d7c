"""Two of E experts for each token: gate, top-2 softmax, GELU MLP of each expert, weighted sum."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

T_BLOCK = 16
BEST = 2
ROOT = 0.7978845608028654
CUBIC = 0.044715


def gelu(x):
    cube = pypto.mul(pypto.mul(x, x), x)
    inner = pypto.mul(pypto.add(x, pypto.mul(cube, CUBIC)), ROOT)
    return pypto.mul(pypto.mul(x, 0.5), pypto.add(pypto.tanh(inner), 1.0))


def top_two(logits, left, experts):
    best, which = pypto.topk(logits, BEST, -1)
    most = pypto.amax(best, -1, keepdim=True)
    powers = pypto.exp(pypto.sub(best, most))
    share = pypto.div(powers, pypto.sum(powers, -1, keepdim=True))
    none = pypto.full([T_BLOCK, experts], 0.0, pypto.DT_FP32, valid_shape=[left, experts])
    return pypto.scatter(none, 1, which, share)


@pypto.frontend.jit
def gated_experts_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16),
    gate: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32),
    w1: pypto.Tensor([pypto.STATIC, pypto.STATIC, pypto.STATIC], pypto.DT_FP16),
    b1: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32),
    w2: pypto.Tensor([pypto.STATIC, pypto.STATIC, pypto.STATIC], pypto.DT_FP16),
    y: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16),
    weights: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
):
    tokens, width = x.shape[0], x.shape[1]
    experts, hidden = b1.shape[0], b1.shape[1]
    pypto.set_vec_tile_shapes(16, 32)
    pypto.set_cube_tile_shapes([16, 16], [32, 32], [32, 32])
    for block in pypto.loop((tokens + T_BLOCK - 1) // T_BLOCK, name="tokens", idx_name="block"):
        start = block * T_BLOCK
        left = pypto.min(tokens - start, T_BLOCK)
        tile = pypto.view(x, [T_BLOCK, width], [start, 0], valid_shape=[left, width])
        logits = pypto.matmul(pypto.cast(tile, pypto.DT_FP32), gate, pypto.DT_FP32)
        shares = top_two(logits, left, experts)
        pypto.assemble(shares, [start, 0], weights)
        mixed = pypto.full([T_BLOCK, width], 0.0, pypto.DT_FP32)
        for e in pypto.loop(experts, name="experts", idx_name="e"):
            up = pypto.reshape(pypto.view(w1, [1, width, hidden], [e, 0, 0]), [width, hidden])
            down = pypto.reshape(pypto.view(w2, [1, hidden, width], [e, 0, 0]), [hidden, width])
            offset = pypto.view(b1, [1, hidden], [e, 0])
            inside = pypto.add(pypto.matmul(tile, up, pypto.DT_FP32), offset)
            active = pypto.cast(gelu(inside), pypto.DT_FP16)
            outside = pypto.matmul(active, down, pypto.DT_FP32)
            share = pypto.view(shares, [T_BLOCK, 1], [0, e], valid_shape=[left, 1])
            mixed[:] = pypto.add(mixed, pypto.mul(outside, share))
        done = pypto.view(mixed, [T_BLOCK, width], [0, 0], valid_shape=[left, width])
        pypto.assemble(pypto.cast(done, pypto.DT_FP16), [start, 0], y)
