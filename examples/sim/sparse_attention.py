"""Attention to chosen tokens of a paged cache, which gather_in_l1 and gather_in_ub fetch."""
# The softmax is of a tensor in F32.
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
BATCH = 3
HEADS = 16
BLOCKS, BLOCK_SIZE, PAGES = 12, 16, 3
CHOSEN = 32
LATENT = 64
WIDTH = 96  # of a row: the latent part, and one for the position
SCALE = WIDTH ** -0.5


@pypto.frontend.jit
def sparse_kernel(
    query: pypto.Tensor([BATCH * HEADS, WIDTH], pypto.DT_BF16),
    cache: pypto.Tensor([BLOCKS * BLOCK_SIZE, WIDTH], pypto.DT_BF16),
    chosen: pypto.Tensor([BATCH, CHOSEN], pypto.DT_INT32),
    pages: pypto.Tensor([BATCH, PAGES], pypto.DT_INT32),
    y: pypto.Tensor([BATCH * HEADS, LATENT], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [32, 96], [32, 64])
    for row in pypto.loop(BATCH, name="batch", idx_name="row"):
        q = pypto.view(query, [HEADS, WIDTH], [row * HEADS, 0])
        places = pypto.view(chosen, [1, CHOSEN], [row, 0])
        table = pypto.view(pages, [1, PAGES], [row, 0])
        pypto.set_vec_tile_shapes(CHOSEN, WIDTH)
        keys = pypto.experimental.gather_in_ub(cache, places, table, BLOCK_SIZE, -2)
        scores = pypto.matmul(q, keys, pypto.DT_FP32, b_trans=True)
        pypto.set_vec_tile_shapes(HEADS, CHOSEN)
        weights = pypto.cast(pypto.softmax(scores * SCALE, -1), pypto.DT_BF16)
        # The values are the first columns of the same rows.
        values = pypto.experimental.gather_in_l1(cache, places, table, BLOCK_SIZE, LATENT, True,
                                                 False)
        pypto.assemble(pypto.matmul(weights, values, pypto.DT_FP32), [row * HEADS, 0], y)


def main():
    torch.manual_seed(7)
    checks = Checks("sparse_attention")
    query = torch.randn(BATCH, HEADS, WIDTH).to(torch.bfloat16)
    cache = torch.randn(BLOCKS, BLOCK_SIZE, WIDTH).to(torch.bfloat16)
    pages = torch.randperm(BLOCKS)[:BATCH * PAGES].reshape(BATCH, PAGES)
    chosen = torch.stack([torch.randperm(PAGES * BLOCK_SIZE)[:CHOSEN] for _ in range(BATCH)])
    y = torch.zeros(BATCH * HEADS, LATENT, device=DEVICE)
    sparse_kernel(query.reshape(-1, WIDTH).to(DEVICE), cache.reshape(-1, WIDTH).to(DEVICE),
                  chosen.to(torch.int32).to(DEVICE), pages.to(torch.int32).to(DEVICE), y)
    for row in range(BATCH):
        tokens = cache[pages[row]].flatten(0, 1)[chosen[row]].float()
        weights = (query[row].float() @ tokens.t() / WIDTH ** 0.5).softmax(-1)
        checks.close(f"sequence {row}", y[row * HEADS:(row + 1) * HEADS],
                     weights @ tokens[:, :LATENT], 1e-2, 1e-2)
    checks.finish()


if __name__ == "__main__":
    main()
