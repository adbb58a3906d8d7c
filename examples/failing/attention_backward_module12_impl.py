"""Phase M2 of attention_backward: row statistics (module 1), then dq, dk and dv (module 2).

The statistics lse and delta lie in memory of the wrapper between the two modules. The letters name
the layers of a kernel file: H steps of the maths on tiles, I one pair of blocks, J the JIT entry
with the loops, K the host wrapper.
"""

import pypto
import torch

WINDOW = 24  # keys that a query sees: its own position and those before it
BLOCK = 16  # queries, or keys, of one tile
REACH = (WINDOW + BLOCK - 2) // BLOCK  # earlier blocks that the windows of a block touch
HIDDEN = -1.0e30  # score of a key outside the window


# H: steps of the maths on tiles


def pypto_scores(q_tile, k_tile, scale):
    pypto.set_vec_tile_shapes(1, 16, 64)
    pypto.set_cube_tile_shapes([16, 16], [32, 64], [16, 64])
    return pypto.mul(pypto.matmul(q_tile, k_tile, pypto.DT_FP32, b_trans=True), scale)


def pypto_visible(distance):
    """1 where the query of a row sees the key of a column, else 0.

    `distance` is how far the first query of the tile lies behind its first key.
    """
    pypto.set_vec_tile_shapes(1, 16, 64)
    ones = pypto.full([1, BLOCK, BLOCK], 1.0, pypto.DT_FP32)
    not_later = pypto.tril(ones, distance - 1)
    return pypto.triu(not_later, distance - (WINDOW - 1))


def pypto_hide(scores, visible):
    pypto.set_vec_tile_shapes(1, 16, 64)
    return pypto.where(pypto.gt(visible, 0.5), scores, HIDDEN)


def pypto_probability_gradient(grad_tile, v_tile):
    pypto.set_cube_tile_shapes([16, 16], [32, 64], [16, 64])
    return pypto.matmul(grad_tile, v_tile, pypto.DT_FP32, b_trans=True)


def pypto_probability(scores, lse_tile, visible):
    pypto.set_vec_tile_shapes(1, 16, 64)
    return pypto.mul(pypto.exp(pypto.sub(scores, lse_tile)), visible)


def pypto_score_gradient(prob, prob_grad, delta_tile, scale):
    pypto.set_vec_tile_shapes(1, 16, 64)
    return pypto.mul(pypto.mul(prob, pypto.sub(prob_grad, delta_tile)), scale)


def pypto_sum_over_keys(weight, k_tile):
    pypto.set_cube_tile_shapes([16, 16], [16, 16], [32, 64])
    return pypto.matmul(weight, k_tile, pypto.DT_FP32)


def pypto_sum_over_queries(weight, q_tile):
    pypto.set_cube_tile_shapes([16, 16], [16, 16], [32, 64])
    return pypto.matmul(weight, q_tile, pypto.DT_FP32, a_trans=True)


# I: one pair of blocks


def view_block(source, head, start, rows, width):
    return pypto.view(source, [1, BLOCK, width], [head, start, 0], valid_shape=[1, rows, width])


def valid_rows(carried, rows, width):
    """What a loop carries counts as full: say again how many of its rows are data."""
    return pypto.view(carried, [1, BLOCK, width], [0, 0, 0], valid_shape=[1, rows, width])


def row_statistics_kernel_impl(
    q_tile, k_tile, v_tile, grad_tile, row_max, row_sum, row_grad, distance, scale
):
    """Takes one block of keys into the running maximum and the sums relative to it."""
    visible = pypto_visible(distance)
    scores = pypto_hide(pypto_scores(q_tile, k_tile, scale), visible)
    new_max = pypto.maximum(row_max, pypto.amax(scores, -1, keepdim=True))
    fade = pypto.exp(pypto.sub(row_max, new_max))
    power = pypto.mul(pypto.exp(pypto.sub(scores, new_max)), visible)
    prob_grad = pypto_probability_gradient(grad_tile, v_tile)
    power_sum = pypto.sum(power, -1, keepdim=True)
    grad_sum = pypto.sum(pypto.mul(power, prob_grad), -1, keepdim=True)
    row_sum[:] = pypto.add(pypto.mul(row_sum, fade), power_sum)
    row_grad[:] = pypto.add(pypto.mul(row_grad, fade), grad_sum)
    row_max[:] = new_max


def score_gradient_kernel_impl(
    q_tile, k_tile, v_tile, grad_tile, lse_tile, delta_tile, distance, scale
):
    """The probabilities of one pair of blocks, and the gradients of its scores."""
    visible = pypto_visible(distance)
    scores = pypto_hide(pypto_scores(q_tile, k_tile, scale), visible)
    prob = pypto_probability(scores, lse_tile, visible)
    prob_grad = pypto_probability_gradient(grad_tile, v_tile)
    return prob, pypto_score_gradient(prob, prob_grad, delta_tile, scale)


# J: JIT entry


@pypto.frontend.jit
def attention_backward_module12_kernel(
    q: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    k: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    v: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    grad_out: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    lse: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, 1], pypto.DT_FP32),
    delta: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, 1], pypto.DT_FP32),
    dq: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    dk: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
    dv: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32),
):
    head_count = q.shape[0]
    row_count = q.shape[1]
    width = q.shape[2]
    scale = width**-0.5
    block_count = (row_count + BLOCK - 1) // BLOCK
    pypto.set_vec_tile_shapes(1, 16, 64)
    for head in pypto.loop(head_count, name="stat_heads", idx_name="stat_head"):
        for q_block in pypto.loop(block_count, name="stat_queries", idx_name="stat_query"):
            q_start = q_block * BLOCK
            q_rows = pypto.min(row_count - q_start, BLOCK)
            q_tile = view_block(q, head, q_start, q_rows, width)
            grad_tile = view_block(grad_out, head, q_start, q_rows, width)
            row_max = pypto.full([1, BLOCK, 1], HIDDEN, pypto.DT_FP32)
            row_sum = pypto.full([1, BLOCK, 1], 0.0, pypto.DT_FP32)
            row_grad = pypto.full([1, BLOCK, 1], 0.0, pypto.DT_FP32)
            first_seen = pypto.max(q_block - REACH, 0)
            for k_block in pypto.loop(first_seen, q_block + 1, name="stat_keys", idx_name="seen"):
                k_start = k_block * BLOCK
                k_rows = pypto.min(row_count - k_start, BLOCK)
                row_statistics_kernel_impl(
                    q_tile,
                    view_block(k, head, k_start, k_rows, width),
                    view_block(v, head, k_start, k_rows, width),
                    grad_tile,
                    row_max,
                    row_sum,
                    row_grad,
                    q_start - k_start,
                    scale,
                )
            lse_tile = pypto.add(row_max, pypto.log(row_sum))
            delta_tile = pypto.div(row_grad, row_sum)
            pypto.assemble(valid_rows(lse_tile, q_rows, 1), [head, q_start, 0], lse)
            pypto.assemble(valid_rows(delta_tile, q_rows, 1), [head, q_start, 0], delta)
    for head in pypto.loop(
        head_count, name="query_heads", idx_name="query_head", submit_before_loop=True
    ):
        for q_block in pypto.loop(block_count, name="queries", idx_name="query"):
            q_start = q_block * BLOCK
            q_rows = pypto.min(row_count - q_start, BLOCK)
            q_tile = view_block(q, head, q_start, q_rows, width)
            grad_tile = view_block(grad_out, head, q_start, q_rows, width)
            lse_tile = view_block(lse, head, q_start, q_rows, 1)
            delta_tile = view_block(delta, head, q_start, q_rows, 1)
            dq_sum = pypto.full([1, BLOCK, width], 0.0, pypto.DT_FP32)
            first_seen = pypto.max(q_block - REACH, 0)
            for k_block in pypto.loop(first_seen, q_block + 1, name="keys", idx_name="key"):
                k_start = k_block * BLOCK
                k_rows = pypto.min(row_count - k_start, BLOCK)
                k_tile = view_block(k, head, k_start, k_rows, width)
                v_tile = view_block(v, head, k_start, k_rows, width)
                distance = q_start - k_start
                prob, score_grad = score_gradient_kernel_impl(
                    q_tile, k_tile, v_tile, grad_tile, lse_tile, delta_tile, distance, scale
                )
                dq_sum[:] = pypto.add(dq_sum, pypto_sum_over_keys(score_grad, k_tile))
            pypto.assemble(valid_rows(dq_sum, q_rows, width), [head, q_start, 0], dq)
    for head in pypto.loop(
        head_count, name="key_heads", idx_name="key_head", submit_before_loop=True
    ):
        for k_block in pypto.loop(block_count, name="key_columns", idx_name="key_column"):
            k_start = k_block * BLOCK
            k_rows = pypto.min(row_count - k_start, BLOCK)
            k_tile = view_block(k, head, k_start, k_rows, width)
            v_tile = view_block(v, head, k_start, k_rows, width)
            dk_sum = pypto.full([1, BLOCK, width], 0.0, pypto.DT_FP32)
            dv_sum = pypto.full([1, BLOCK, width], 0.0, pypto.DT_FP32)
            behind_last = pypto.min(k_block + REACH + 1, block_count)
            for q_block in pypto.loop(k_block, behind_last, name="seen_by", idx_name="seen_from"):
                q_start = q_block * BLOCK
                q_rows = pypto.min(row_count - q_start, BLOCK)
                q_tile = view_block(q, head, q_start, q_rows, width)
                grad_tile = view_block(grad_out, head, q_start, q_rows, width)
                lse_tile = view_block(lse, head, q_start, q_rows, 1)
                delta_tile = view_block(delta, head, q_start, q_rows, 1)
                distance = q_start - k_start
                prob, score_grad = score_gradient_kernel_impl(
                    q_tile, k_tile, v_tile, grad_tile, lse_tile, delta_tile, distance, scale
                )
                dk_sum[:] = pypto.add(dk_sum, pypto_sum_over_queries(score_grad, q_tile))
                dv_sum[:] = pypto.add(dv_sum, pypto_sum_over_queries(prob, grad_tile))
            pypto.assemble(valid_rows(dk_sum, k_rows, width), [head, k_start, 0], dk)
            pypto.assemble(valid_rows(dv_sum, k_rows, width), [head, k_start, 0], dv)


# K: host wrapper


def attention_backward_module12_wrapper(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor
):
    statistic = [q.shape[0], q.shape[1], 1]
    lse = torch.empty(statistic, dtype=torch.float32, device=q.device)
    delta = torch.empty(statistic, dtype=torch.float32, device=q.device)
    dq = torch.empty(q.shape, dtype=torch.float32, device=q.device)
    dk = torch.empty(k.shape, dtype=torch.float32, device=k.device)
    dv = torch.empty(v.shape, dtype=torch.float32, device=v.device)
    attention_backward_module12_kernel(
        q.contiguous(),
        k.contiguous(),
        v.contiguous(),
        grad_out.contiguous(),
        lse,
        delta,
        dq,
        dk,
        dv,
    )
    return dq, dk, dv
