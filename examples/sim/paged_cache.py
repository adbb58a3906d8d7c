"""New rows are written into a paged cache at the places that an index names; the rest stays."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
CACHE_ROWS = 64
WIDTH = 48
BATCH = 3
TOKENS = 2


@pypto.frontend.jit
def paged_cache_kernel(
    cache: pypto.Tensor([CACHE_ROWS, WIDTH], pypto.DT_FP16),
    rows: pypto.Tensor([BATCH * TOKENS, WIDTH], pypto.DT_FP16),
    places: pypto.Tensor([BATCH, TOKENS], pypto.DT_INT32),
    out: pypto.Tensor([CACHE_ROWS, WIDTH], pypto.DT_FP16),
):
    pypto.set_vec_tile_shapes(TOKENS, WIDTH)
    out[:] = pypto.scatter_update(cache, -2, places, rows)


def main():
    torch.manual_seed(17)
    checks = Checks("paged_cache")
    cache = torch.randn(CACHE_ROWS, WIDTH).half()
    rows = torch.randn(BATCH * TOKENS, WIDTH).half()
    places = torch.randperm(CACHE_ROWS)[:BATCH * TOKENS].reshape(BATCH, TOKENS).int()
    want = cache.clone()
    want[places.flatten().long()] = rows
    device_cache = cache.to(DEVICE)
    out = torch.zeros(CACHE_ROWS, WIDTH, dtype=torch.float16, device=DEVICE)
    paged_cache_kernel(device_cache, rows.to(DEVICE), places.to(DEVICE), out)
    checks.equal("returned cache", out, want)
    checks.equal("cache itself", device_cache, want)
    checks.finish()


if __name__ == "__main__":
    main()
