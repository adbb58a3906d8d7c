"""Attention forward with an online softmax: running maximum, sum and output are carried from block
to block; the last blocks of queries and keys are partly empty."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
HEAD = 32
Q_TILE = 16
K_TILE = 32
SCALE = HEAD ** -0.5


@pypto.frontend.jit
def flash_attention_kernel(
    query: pypto.Tensor([pypto.DYNAMIC, HEAD], pypto.DT_FP32),
    key: pypto.Tensor([pypto.DYNAMIC, HEAD], pypto.DT_FP32),
    value: pypto.Tensor([pypto.DYNAMIC, HEAD], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, HEAD], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(Q_TILE, HEAD)
    pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 32])
    queries, keys = query.shape[0], key.shape[0]
    for q_step in pypto.loop((queries + Q_TILE - 1) // Q_TILE, name="queries", idx_name="q_step"):
        q_start = q_step * Q_TILE
        q_left = pypto.min(queries - q_start, Q_TILE)
        largest = pypto.tensor([Q_TILE, 1], pypto.DT_FP32, "largest")
        total = pypto.tensor([Q_TILE, 1], pypto.DT_FP32, "total")
        mixed = pypto.tensor([Q_TILE, HEAD], pypto.DT_FP32, "mixed")
        for k_step in pypto.loop((keys + K_TILE - 1) // K_TILE, name="keys", idx_name="k_step"):
            k_start = k_step * K_TILE
            k_left = pypto.min(keys - k_start, K_TILE)
            q = pypto.view(query, [Q_TILE, HEAD], [q_start, 0], valid_shape=[q_left, HEAD])
            k = pypto.view(key, [K_TILE, HEAD], [k_start, 0], valid_shape=[k_left, HEAD])
            v = pypto.view(value, [K_TILE, HEAD], [k_start, 0], valid_shape=[k_left, HEAD])
            scores = pypto.matmul(q, k, pypto.DT_FP32, b_trans=True) * SCALE
            block_largest = pypto.amax(scores, -1, keepdim=True)
            if pypto.is_loop_begin(k_step):
                powers = pypto.exp(scores - block_largest)
                largest[:] = block_largest
                total[:] = pypto.sum(powers, -1, keepdim=True)
                mixed[:] = pypto.matmul(powers, v, pypto.DT_FP32)
            else:
                new_largest = pypto.maximum(largest, block_largest)
                fade = pypto.exp(largest - new_largest)
                powers = pypto.exp(scores - new_largest)
                total[:] = total * fade + pypto.sum(powers, -1, keepdim=True)
                mixed[:] = mixed * fade + pypto.matmul(powers, v, pypto.DT_FP32)
                largest[:] = new_largest
            if pypto.is_loop_end(k_step):
                # What is carried counts as full: say again how many of its rows are queries.
                rows = pypto.view(mixed / total, [Q_TILE, HEAD], [0, 0],
                                  valid_shape=[q_left, HEAD])
                pypto.assemble(rows, [q_start, 0], out)


def main():
    torch.manual_seed(11)
    checks = Checks("flash_attention")
    for queries, keys in ((1, 1), (16, 32), (37, 70), (50, 129)):
        q, k, v = torch.randn(queries, HEAD), torch.randn(keys, HEAD), torch.randn(keys, HEAD)
        out = torch.zeros(queries, HEAD, device=DEVICE)
        flash_attention_kernel(q.to(DEVICE), k.to(DEVICE), v.to(DEVICE), out)
        want = torch.softmax(q.double() @ k.double().t() * SCALE, -1) @ v.double()
        checks.close(f"{queries} queries, {keys} keys", out, want.float(), 1e-5, 1e-5)
    checks.finish()


if __name__ == "__main__":
    main()
