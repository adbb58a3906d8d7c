"""Gated delta rule in chunks, and the recurrent form for decode."""
import math
import os

import torch
import torch_npu  # noqa: F401

import pypto

CHUNK, DK, DV = 32, 64, 64


def l2norm(x, eps=1e-6):
    """x / |x| of the last axis."""
    return x * pypto.rsqrt(pypto.sum(x * x, -1, keepdim=True) + eps)


def decay_matrix(g_cum, mask):
    """exp(g_i - g_j) below the diagonal."""
    rows = pypto.reshape(g_cum, [CHUNK, 1])
    cols = pypto.reshape(g_cum, [1, CHUNK])
    return pypto.exp((rows - cols) * mask) * mask


def inverse_of_unit_lower(a, eye, steps):
    """(I + A)^-1 by repeated squaring; A is strictly lower triangular."""
    result = eye - a
    power = a
    for _ in range(steps):
        power = pypto.matmul(power, power, pypto.DT_FP32)
        result = result + pypto.matmul(power, result, pypto.DT_FP32)
    return result


def chunk_step(q, k, v, beta, g_cum, mask, strict, eye, state):
    kb = k * beta
    decay = decay_matrix(g_cum, mask)
    a = pypto.matmul(kb, k, pypto.DT_FP32, b_trans=True) * decay * strict
    t = inverse_of_unit_lower(a, eye, int(math.log2(CHUNK)))
    u = pypto.matmul(t, v * beta, pypto.DT_FP32)
    e = pypto.exp(pypto.reshape(g_cum, [CHUNK, 1]))
    w = pypto.matmul(t, kb * e, pypto.DT_FP32)
    v_new = u - pypto.matmul(w, state, pypto.DT_FP32)
    inter = pypto.matmul(q * e, state, pypto.DT_FP32)
    intra = pypto.matmul(pypto.matmul(q, k, pypto.DT_FP32, b_trans=True) * decay, v_new, pypto.DT_FP32)
    g_last = pypto.view(g_cum, [1, 1], [0, CHUNK - 1])
    k_decay = k * pypto.exp(g_last - pypto.reshape(g_cum, [CHUNK, 1]))
    new_state = state * pypto.exp(g_last) + pypto.matmul(k_decay, v_new, pypto.DT_FP32, a_trans=True)
    return inter + intra, new_state


@pypto.frontend.jit(pass_options={"vec_nbuffer_setting": {-1: 2}})
def chunk_gated_delta_rule_kernel(
    query: pypto.Tensor([pypto.DYNAMIC, DK], pypto.DT_FP32),
    key: pypto.Tensor([pypto.DYNAMIC, DK], pypto.DT_FP32),
    value: pypto.Tensor([pypto.DYNAMIC, DV], pypto.DT_FP32),
    beta: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    gate: pypto.Tensor([pypto.DYNAMIC, CHUNK], pypto.DT_FP32),
    mask: pypto.Tensor([CHUNK, CHUNK], pypto.DT_FP32),
    strict: pypto.Tensor([CHUNK, CHUNK], pypto.DT_FP32),
    eye: pypto.Tensor([CHUNK, CHUNK], pypto.DT_FP32),
    state_out: pypto.Tensor([DK, DV], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, DV], pypto.DT_FP32),
):
    seq = query.shape[0]
    pypto.set_cube_tile_shapes([32, 32], [64, 64], [64, 64])
    pypto.set_vec_tile_shapes(CHUNK, 64)
    state = pypto.tensor([DK, DV], pypto.DT_FP32, "state")
    state[:] = pypto.full([DK, DV], 0.0, pypto.DT_FP32)
    for c in pypto.loop(seq // CHUNK, name="LOOP_CHUNK", idx_name="c"):
        off = c * CHUNK
        q = l2norm(pypto.view(query, [CHUNK, DK], [off, 0])) * (DK ** -0.5)
        k = l2norm(pypto.view(key, [CHUNK, DK], [off, 0]))
        v = pypto.view(value, [CHUNK, DV], [off, 0])
        b = pypto.view(beta, [CHUNK, 1], [off, 0])
        pypto.set_vec_tile_shapes(1, CHUNK)
        g_cum = pypto.cumsum(pypto.view(gate, [1, CHUNK], [c, 0]), 1)
        pypto.set_vec_tile_shapes(CHUNK, 64)
        o, new_state = chunk_step(q, k, v, b, g_cum, mask, strict, eye, state)
        state[:] = new_state
        pypto.assemble(o, [off, 0], out)
        if pypto.cond(pypto.is_loop_end(c)):
            state_out[:] = new_state


@pypto.frontend.jit
def recurrent_delta_rule_kernel(
    q: pypto.Tensor([pypto.STATIC, DK], pypto.DT_FP32),
    k: pypto.Tensor([pypto.STATIC, DK], pypto.DT_FP32),
    v: pypto.Tensor([pypto.STATIC, DV], pypto.DT_FP32),
    beta: pypto.Tensor([pypto.STATIC, 1], pypto.DT_FP32),
    decay: pypto.Tensor([pypto.STATIC, 1], pypto.DT_FP32),
    state: pypto.Tensor([pypto.STATIC, DK, DV], pypto.DT_FP32),
    state_out: pypto.Tensor([pypto.STATIC, DK, DV], pypto.DT_FP32),
    out: pypto.Tensor([pypto.STATIC, DV], pypto.DT_FP32),
):
    batch = q.shape[0]
    pypto.set_vec_tile_shapes(64, 64)
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
    for b in pypto.loop(batch, parallel=True):
        s = pypto.reshape(pypto.view(state, [1, DK, DV], [b, 0, 0]), [DK, DV])
        kb, qb = k[b:b + 1, :], q[b:b + 1, :]
        s = s * decay[b:b + 1, :]
        old = pypto.matmul(kb, s, pypto.DT_FP32)
        delta = (v[b:b + 1, :] - old) * beta[b:b + 1, :]
        s = s + pypto.matmul(kb, delta, pypto.DT_FP32, a_trans=True)
        out[b:b + 1, :] = pypto.matmul(qb, s, pypto.DT_FP32)
        pypto.set_vec_tile_shapes(1, 64, 64)
        pypto.assemble(pypto.reshape(s, [1, DK, DV]) + 0.0, [b, 0, 0], state_out)


def chunk_gated_delta_rule(query, key, value, beta, gate):
    tokens, dk = query.shape
    if tokens % CHUNK:
        raise ValueError("pad the sequence to whole chunks")
    assert dk == DK and value.shape[-1] == DV
    device = query.device
    ones = torch.ones(CHUNK, CHUNK, device=device)
    out = torch.empty(tokens, DV, dtype=query.dtype, device=device)
    state = query.new_zeros(DK, DV)
    chunk_gated_delta_rule_kernel(query, key, value, beta.unsqueeze(-1), gate.view(-1, CHUNK), torch.tril(ones),
                                  torch.tril(ones, -1), torch.eye(CHUNK, device=device), state, out)
    return out, state


def test_chunk():
    device = os.getenv("DEVICE", "npu:0")
    for tokens in (32, 128):
        q, k, v = (torch.randn(tokens, 64, device=device) for _ in range(3))
        beta = torch.rand(tokens, device=device)
        gate = torch.nn.functional.logsigmoid(torch.randn(tokens)).to(device)
        out, state = chunk_gated_delta_rule(q, k, v, beta, gate)
        assert out.shape == v.shape


def test_recurrent():
    for batch in range(1, 4, 2):
        q, k, v = [torch.randn(batch, 64, device="npu") for _ in range(3)]
        beta, decay = torch.rand(batch, 1, device="npu"), torch.rand(batch, 1, device="npu")
        state = torch.zeros(batch, DK, DV, device="npu")
        recurrent_delta_rule_kernel(q, k, v, beta, decay, state, torch.zeros_like(state), torch.zeros_like(v))


if __name__ == "__main__":
    test_chunk()
    test_recurrent()
