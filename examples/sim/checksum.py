"""PyPTO 9.2: the bytes of a tensor (pack), folded with a carried exclusive or, and read back (unpack)."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 24
WIDTH = 32
BYTES = 1536  # of ROWS × WIDTH halves
FOLD = 64


@pypto.jit
def checksum_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
    data: pypto.Tensor([BYTES], pypto.DT_UINT8),
    total: pypto.Tensor([1, FOLD], pypto.DT_UINT8),
    signs: pypto.Tensor([BYTES // 2], pypto.DT_INT16),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    packed = pypto.pack(x)
    data[:] = packed
    pypto.set_vec_tile_shapes(BYTES)
    words = pypto.unpack(packed, pypto.DT_INT16)
    signs[:] = pypto.bitwise_and(words, -32768)
    rows = pypto.reshape(packed, [BYTES // FOLD, FOLD])
    pypto.set_vec_tile_shapes(1, FOLD)
    folded = pypto.full([1, FOLD], 0, pypto.DT_UINT8)
    for row in pypto.loop(BYTES // FOLD, name="fold", idx_name="row"):
        folded = pypto.bitwise_xor(folded, pypto.view(rows, [1, FOLD], [row, 0]))
    total[:] = folded


def main():
    torch.manual_seed(14)
    checks = Checks("checksum")
    x = torch.randn(ROWS, WIDTH).to(torch.float16)
    data = torch.zeros(BYTES, dtype=torch.uint8, device=DEVICE)
    total = torch.zeros(1, FOLD, dtype=torch.uint8, device=DEVICE)
    signs = torch.zeros(BYTES // 2, dtype=torch.int16, device=DEVICE)
    checksum_kernel(x.to(DEVICE), data, total, signs)
    raw = bytes(x.numpy().tobytes())
    checks.equal("bytes", data, torch.tensor(list(raw), dtype=torch.uint8))
    expected = [0] * FOLD
    for place, byte in enumerate(raw):
        expected[place % FOLD] ^= byte
    checks.equal("checksum", total, torch.tensor([expected], dtype=torch.uint8))
    checks.equal("signs", signs != 0, torch.signbit(x).flatten())
    checks.finish()


if __name__ == "__main__":
    main()
