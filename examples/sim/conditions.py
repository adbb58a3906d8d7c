"""Conditions on loop indexes: every branch is recorded, the run takes the one that applies."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
BLOCK = 4
WIDTH = 24


@pypto.frontend.jit
def conditions_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    scale: float = 2.0,
):
    pypto.set_vec_tile_shapes(BLOCK, WIDTH)
    blocks = x.shape[0] // BLOCK
    for block in pypto.loop(blocks, name="blocks", idx_name="block"):
        part = pypto.view(x, [BLOCK, WIDTH], [block * BLOCK, 0])
        if pypto.is_loop_begin(block):
            part = part * scale
        elif block % 3 == 1:
            part = -part
        else:
            part = part + 1.0
        if pypto.is_loop_end(block):
            part = part * 10.0
        pypto.assemble(part, [block * BLOCK, 0], y)


def reference(x, scale):
    blocks = []
    for block in range(x.shape[0] // BLOCK):
        part = x[block * BLOCK:(block + 1) * BLOCK]
        part = part * scale if block == 0 else -part if block % 3 == 1 else part + 1.0
        blocks.append(part * 10.0 if block == x.shape[0] // BLOCK - 1 else part)
    return torch.cat(blocks)


def main():
    torch.manual_seed(13)
    checks = Checks("conditions")
    for blocks in (1, 2, 9):
        x = torch.randn(blocks * BLOCK, WIDTH)
        for scale in (2.0, -3.0):
            y = torch.zeros(blocks * BLOCK, WIDTH, device=DEVICE)
            conditions_kernel(x.to(DEVICE), y, scale)
            checks.equal(f"{blocks} blocks, scale {scale}", y, reference(x, scale))
    checks.finish()


if __name__ == "__main__":
    main()
