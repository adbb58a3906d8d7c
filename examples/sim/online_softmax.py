"""Ascend 950: attention over blocks of keys with online_softmax, queries in the columns."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
QUERIES = 32
WIDTH = 64
BLOCK = 64
SCALE = WIDTH ** -0.5


@pypto.frontend.jit
def attention_kernel(
    query: pypto.Tensor([QUERIES, WIDTH], pypto.DT_BF16),
    key: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    value: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    y: pypto.Tensor([WIDTH, QUERIES], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(BLOCK, QUERIES)
    pypto.set_cube_tile_shapes([32, 64], [64, 64], [32, 32])
    most = pypto.tensor([1, QUERIES], pypto.DT_FP32, "most")
    total = pypto.tensor([1, QUERIES], pypto.DT_FP32, "total")
    result = pypto.tensor([WIDTH, QUERIES], pypto.DT_FP32, "result")
    for block in pypto.loop(key.shape[0] // BLOCK, name="keys", idx_name="block"):
        keys = pypto.view(key, [BLOCK, WIDTH], [block * BLOCK, 0])
        values = pypto.view(value, [BLOCK, WIDTH], [block * BLOCK, 0])
        scores = pypto.matmul(keys, query, pypto.DT_FP32, b_trans=True)
        weights, block_most, block_total = pypto.experimental.online_softmax(scores, SCALE)
        part = pypto.matmul(values, weights, pypto.DT_FP32, a_trans=True)
        if pypto.is_loop_begin(block):
            most[:] = block_most
            total[:] = block_total
            result[:] = part
        else:
            new_most, new_total, new_result = pypto.experimental.online_softmax_update(
                most, total, result, block_most, block_total, part)
            most[:] = new_most
            total[:] = new_total
            result[:] = new_result
        if pypto.is_loop_end(block):
            y[:] = result / total


def main():
    torch.manual_seed(950)
    checks = Checks("online_softmax")
    for keys in (BLOCK, 5 * BLOCK):
        query, key, value = (torch.randn(rows, WIDTH).to(torch.bfloat16)
                             for rows in (QUERIES, keys, keys))
        key[keys // 2:] *= 3  # so that the largest score changes on the way
        y = torch.zeros(WIDTH, QUERIES, device=DEVICE)
        attention_kernel(query.to(DEVICE), key.to(DEVICE), value.to(DEVICE), y)
        weights = torch.softmax(query.double() @ key.double().t() * SCALE, -1)
        checks.close(f"{keys} keys", y, (weights @ value.double()).t().float(), 1e-2, 1e-2)
    checks.finish()


if __name__ == "__main__":
    main()
