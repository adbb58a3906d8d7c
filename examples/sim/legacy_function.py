"""The older way to record: `pypto.function` over declared tensors, run from host tensors."""
import torch

import pypto
from checking import Checks

HEADS = 5
ROWS = 24
WIDTH = 48
BLOCK = 8


def record():
    """Records a gated sum of blocks of rows; the rows of the first block are halved."""
    x = pypto.tensor([HEADS * ROWS, WIDTH], pypto.DT_FP32, "x")
    gate = pypto.tensor([HEADS * ROWS, WIDTH], pypto.DT_FP32, "gate")
    y = pypto.tensor([HEADS * ROWS, WIDTH], pypto.DT_FP32, "y")
    total = pypto.tensor([1, WIDTH], pypto.DT_FP32, "total")
    with pypto.function("GATED_SUM", x, gate, y, total) as paths:
        for _ in paths:
            pypto.set_vec_tile_shapes(BLOCK, WIDTH)
            for block in pypto.loop(HEADS * ROWS // BLOCK, name="blocks", idx_name="block"):
                rows = pypto.view(x, [BLOCK, WIDTH], [block * BLOCK, 0])
                gates = pypto.view(gate, [BLOCK, WIDTH], [block * BLOCK, 0])
                gated = pypto.mul(rows, pypto.sigmoid(gates))
                sums = pypto.sum(gated, 0, keepdim=True)
                if pypto.cond(pypto.is_loop_begin(block)):
                    pypto.assemble(pypto.mul(gated, 0.5), [block * BLOCK, 0], y)
                    total[:] = sums
                else:
                    pypto.assemble(gated, [block * BLOCK, 0], y)
                    total[:] = pypto.add(total, sums)


def main():
    torch.manual_seed(19)
    checks = Checks("legacy_function")
    record()
    pypto.runtime._device_init()
    for name in ("first", "second"):
        x, gate = torch.randn(HEADS, ROWS, WIDTH), torch.randn(HEADS, ROWS, WIDTH)
        # Only the order of the bytes counts: three axes here, two in the recording.
        y, total = torch.zeros(HEADS, ROWS, WIDTH), torch.zeros(WIDTH)
        pypto.runtime._device_run_once_data_from_host(
            *[pypto.from_torch(t) for t in (x, gate, y, total)])
        gated = x / (1 + torch.exp(-gate))
        checks.close(f"{name} run: total", total, gated.flatten(0, 1).sum(0), 1e-4)
        gated[0, :BLOCK] /= 2
        checks.close(f"{name} run: rows", y, gated)
    pypto.runtime._device_fini()
    checks.finish()


if __name__ == "__main__":
    main()
