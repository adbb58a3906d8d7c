"""Nested loops: an inner one with an unroll list, one whose body handles several steps itself."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 16


@pypto.frontend.jit
def unrolled_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 1, WIDTH)
    for group in pypto.loop(x.shape[0], name="groups", idx_name="group"):
        total = pypto.full([1, 1, WIDTH], 0.0, pypto.DT_FP32)
        for item in pypto.loop(x.shape[1], name="items", idx_name="item", unroll_list=[4, 2]):
            total[:] = total + pypto.view(x, [1, 1, WIDTH], [group, item, 0])
        pypto.assemble(pypto.reshape(total, [1, WIDTH]), [group, 0], y)


@pypto.frontend.jit
def by_hand_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    for row, rows in pypto.loop_unroll(x.shape[0], name="rows", idx_name="row",
                                       unroll_list=[8, 4, 1]):
        pypto.set_vec_tile_shapes(8, WIDTH)
        part = pypto.view(x, [rows, WIDTH], [row, 0])
        pypto.assemble(part * part, [row, 0], y)


def main():
    torch.manual_seed(14)
    checks = Checks("nested_loops")
    for groups, items in ((1, 1), (3, 7), (2, 16)):
        x = torch.randint(-9, 9, (groups, items, WIDTH)).float()
        y = torch.zeros(groups, WIDTH, device=DEVICE)
        unrolled_kernel(x.to(DEVICE), y)
        checks.equal(f"{groups} groups of {items}", y, x.sum(1))
    for rows in (1, 4, 15, 29):
        x = torch.randn(rows, WIDTH)
        y = torch.zeros(rows, WIDTH, device=DEVICE)
        by_hand_kernel(x.to(DEVICE), y)
        checks.equal(f"{rows} rows, unrolled by hand", y, x * x)
    checks.finish()


if __name__ == "__main__":
    main()
