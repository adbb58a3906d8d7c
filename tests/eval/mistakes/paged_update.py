"""Rows written to pages of a cache: symbolic sizes, elements as offsets, conditions, unrolled loops."""
import torch
import torch_npu  # noqa: F401

import pypto

PAGE, WIDTH = 8, 64
ROWS = pypto.frontend.dynamic("ROWS")


def rotate(x, cos, sin):
    half = x.shape[1] // 2
    left = pypto.view(x, [x.shape[0], half], [0, 0])
    right = pypto.view(x, [x.shape[0], half], [0, half])
    return pypto.concat([left * cos - right * sin, right * cos + left * sin], -1)


def clear(out, rows, width):
    for page in range(2):
        out[page * rows:(page + 1) * rows, :] = pypto.full([rows, width], 0.0, out.dtype)


@pypto.frontend.jit(runtime_options={"run_mode": 1})
def update_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    cos: pypto.Tensor([ROWS, WIDTH // 2], pypto.DT_FP32),
    sin: pypto.Tensor([ROWS, WIDTH // 2], pypto.DT_FP32),
    slots: pypto.Tensor([ROWS], pypto.DT_INT32),
    cache: pypto.Tensor([4 * PAGE, WIDTH], pypto.DT_FP16),
):
    rows = x.shape[0]
    pypto.set_vec_tile_shapes(PAGE, WIDTH)
    for row in pypto.loop(rows, name="WRITE", idx_name="row", unroll_list=[2, 1]):
        slot = slots[row]
        one = pypto.view(x, [1, WIDTH], [row, 0])
        turned = rotate(one, cos[row:row + 1, :], sin[row:row + 1, :])
        pypto.assemble(pypto.cast(turned, pypto.DT_FP16), [slot, 0], cache)


@pypto.frontend.jit
def mean_kernel(
    cache: pypto.Tensor([4 * PAGE, WIDTH], pypto.DT_FP16),
    used: pypto.Tensor([4], pypto.DT_INT32),
    mean: pypto.Tensor([4, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(PAGE, WIDTH)
    total = pypto.tensor([1, WIDTH], pypto.DT_FP32, "total")
    for page in pypto.loop(4, name="PAGES", idx_name="page"):
        count = used[page]
        rows = pypto.view(cache, [PAGE, WIDTH], [page * PAGE, 0], valid_shape=[count, WIDTH])
        summed = pypto.sum(pypto.cast(rows, pypto.DT_FP32), 0, keepdim=True)
        if pypto.cond(page == 0):
            total[:] = summed
        else:
            total[:] = total + summed
        mean[page:page + 1, :] = total * 0.25


@pypto.frontend.jit
def gather_kernel(
    table: pypto.Tensor([32, WIDTH], pypto.DT_FP32),
    index: pypto.Tensor([4, 8], pypto.DT_INT32),
    out: pypto.Tensor([32, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(8, WIDTH)
    for i in pypto.loop(4):
        line = pypto.reshape(pypto.view(index, [1, 8], [i, 0]), [8])
        rows = pypto.index_select(table, 0, line)
        out[i * 8:(i + 1) * 8, :] = rows


def run(rows):
    x = torch.rand(rows, WIDTH)
    angle = torch.rand(rows, WIDTH // 2)
    slots = torch.arange(rows, dtype=torch.int32)
    cache = torch.zeros(4 * PAGE, WIDTH, dtype=torch.half)
    update_kernel(x, angle.cos(), angle.sin(), slots, cache)
    used = torch.full((4,), PAGE, dtype=torch.int32)
    mean = torch.empty((4, WIDTH))
    mean_kernel(cache, used, mean)
    gather_kernel(x[:32], torch.arange(32, dtype=torch.int32).reshape(4, 8), torch.zeros(32, WIDTH))
    return mean


if __name__ == "__main__":
    run(32)
