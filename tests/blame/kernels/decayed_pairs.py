"""Linear attention with decay: pairs of tokens within a block, and a state for the blocks before it."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

ROWS = 16
KEY = 32
VALUE = 48


def log_decay(logit):
    """log(sigmoid(logit)) / 4."""
    softplus = pypto.log(pypto.add(pypto.exp(pypto.neg(logit)), 1.0))
    return pypto.div(pypto.neg(softplus), 4.0)


def pairs_within(q, k, age):
    """Attention of each token to itself and the earlier tokens of its block."""
    scores = pypto.matmul(q, k, pypto.DT_FP32, b_trans=True)
    between = pypto.sub(age, pypto.transpose(age, 0, 1))
    fade = pypto.exp(pypto.minimum(between, 0.0))
    return pypto.tril(pypto.mul(scores, fade), 0)


@pypto.frontend.jit
def decayed_pairs_kernel(
    query: pypto.Tensor([pypto.DYNAMIC, KEY], pypto.DT_FP32),
    key: pypto.Tensor([pypto.DYNAMIC, KEY], pypto.DT_FP32),
    value: pypto.Tensor([pypto.DYNAMIC, VALUE], pypto.DT_FP32),
    logits: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    start: pypto.Tensor([2 * KEY, VALUE], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, VALUE], pypto.DT_FP32),
    last: pypto.Tensor([KEY, VALUE], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, 64)
    pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 48])
    state = pypto.tensor([KEY, VALUE], pypto.DT_FP32, "state")
    state[:] = pypto.view(start, [KEY, VALUE], [KEY, 0])
    for block in pypto.loop(query.shape[0] // ROWS, name="blocks", idx_name="block"):
        first = block * ROWS
        queries = pypto.view(query, [ROWS, KEY], [first, 0])
        keys = pypto.view(key, [ROWS, KEY], [first, 0])
        values = pypto.view(value, [ROWS, VALUE], [first, 0])
        decay = log_decay(pypto.view(logits, [ROWS, 1], [first, 0]))
        age = pypto.cumsum(decay, 0)
        whole = pypto.sum(decay, 0, keepdim=True)
        inner = pypto.matmul(pairs_within(queries, keys, age), values, pypto.DT_FP32)
        outer = pypto.matmul(pypto.mul(queries, pypto.exp(age)), state, pypto.DT_FP32)
        pypto.assemble(pypto.add(inner, outer), [first, 0], y)
        left = pypto.exp(pypto.sub(whole, age))
        update = pypto.matmul(pypto.mul(keys, left), values, pypto.DT_FP32, a_trans=True)
        state[:] = pypto.add(pypto.mul(state, pypto.exp(whole)), update)
    pypto.assemble(state, [0, 0], last)
