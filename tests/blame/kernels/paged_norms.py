"""The norms of the columns of sequences whose rows lie in pages: a table has the pages of each sequence, and lengths say how
many rows count."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

PAGE = 8
WIDTH = 32
TINY = 1e-6


@pypto.frontend.jit
def paged_norms_kernel(
    pool: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    table: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_INT32),
    lengths: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
    norms: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(PAGE, WIDTH)
    for item in pypto.loop(table.shape[0], name="items", idx_name="item"):
        length = lengths[item]
        pages = (length + PAGE - 1) // PAGE
        total = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)
        for page in pypto.loop(pages, name="pages", idx_name="page"):
            row = table[item, page] * PAGE
            count = pypto.min(length - page * PAGE, PAGE)
            part = pypto.view(pool, [PAGE, WIDTH], [row, 0], valid_shape=[count, WIDTH])
            total[:] = pypto.add(total, pypto.sum(pypto.mul(part, part), 0, keepdim=True))
        share = pypto.full([1, 1], length, pypto.DT_FP32)
        pypto.assemble(pypto.sqrt(pypto.add(pypto.div(total, share), TINY)), [item, 0], norms)
