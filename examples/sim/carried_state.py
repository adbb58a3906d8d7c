"""State carried by names, as the front end of PyPTO 9.2 has it: a scan, and a helper with conditions."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 8
WIDTH = 16


def clipped(value, step):
    """Part of the kernel that calls it."""
    if step > 1:
        value = value - 2.0
    return value


@pypto.frontend.jit(new_ir=True)
def scan_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, ROWS, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, ROWS, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, ROWS, WIDTH)
    state = pypto.full([1, ROWS, WIDTH], 1.0, pypto.DT_FP32)
    place = 0
    for step in pypto.loop(x.shape[0], name="steps", idx_name="step"):
        state = clipped(state * 2.0 + pypto.view(x, [1, ROWS, WIDTH], [step, 0, 0]), step)
        pypto.assemble(state, [place, 0, 0], y)
        place += 1


@pypto.frontend.jit(new_ir=True)
def bytes_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    data: pypto.Tensor([ROWS * WIDTH * 4], pypto.DT_UINT8),
    again: pypto.Tensor([ROWS * WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    data[:] = pypto.pack(x * 16.0)
    pypto.set_vec_tile_shapes(128)
    again[:] = pypto.unpack(data, pypto.DT_FP32)


def main():
    torch.manual_seed(92)
    checks = Checks("carried_state")
    for steps in (1, 4):
        x = torch.randint(-4, 5, (steps, ROWS, WIDTH)).float()
        y = torch.zeros(steps, ROWS, WIDTH, device=DEVICE)
        scan_kernel(x.to(DEVICE), y)
        state, expected = torch.ones(ROWS, WIDTH), []
        for step in range(steps):
            state = state * 2 + x[step] - (2.0 if step > 1 else 0.0)
            expected.append(state)
        checks.equal(f"{steps} steps", y, torch.stack(expected))
    x = torch.randint(-9, 9, (ROWS, WIDTH)).float()
    data = torch.zeros(ROWS * WIDTH * 4, dtype=torch.uint8, device=DEVICE)
    again = torch.zeros(ROWS * WIDTH, device=DEVICE)
    bytes_kernel(x.to(DEVICE), data, again)
    checks.equal("packed", data, torch.frombuffer(bytearray((x * 16).numpy().tobytes()),
                                                  dtype=torch.uint8))
    checks.equal("unpacked", again, x.reshape(-1) * 16)
    checks.finish()


if __name__ == "__main__":
    main()
