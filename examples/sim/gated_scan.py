"""A gated recurrence h = a·h + x over time, forwards and backwards: the state is carried in a
tensor that exists before the loop."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
BATCH = 5
WIDTH = 40


@pypto.frontend.jit
def forward_scan_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, BATCH, WIDTH], pypto.DT_FP32),
    gate: pypto.Tensor([pypto.DYNAMIC, BATCH, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, BATCH, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, BATCH, WIDTH)
    state = pypto.full([1, BATCH, WIDTH], 0.0, pypto.DT_FP32)
    for time in pypto.loop(x.shape[0], name="time", idx_name="time"):
        a = pypto.view(gate, [1, BATCH, WIDTH], [time, 0, 0])
        b = pypto.view(x, [1, BATCH, WIDTH], [time, 0, 0])
        state[:] = a * state + b
        pypto.assemble(state, [time, 0, 0], y)


@pypto.frontend.jit
def backward_scan_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, BATCH, WIDTH], pypto.DT_FP32),
    gate: pypto.Tensor([pypto.DYNAMIC, BATCH, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, BATCH, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, BATCH, WIDTH)
    steps = x.shape[0]
    state = pypto.full([1, BATCH, WIDTH], 0.0, pypto.DT_FP32)
    for step in pypto.loop(steps, name="backwards", idx_name="step"):
        time = steps - 1 - step
        a = pypto.view(gate, [1, BATCH, WIDTH], [time, 0, 0])
        b = pypto.view(x, [1, BATCH, WIDTH], [time, 0, 0])
        state[:] = a * state + b
        pypto.assemble(state, [time, 0, 0], y)


def reference(x, gate, times):
    state, y = torch.zeros(BATCH, WIDTH), torch.zeros_like(x)
    for time in times:
        state = gate[time] * state + x[time]
        y[time] = state
    return y


def main():
    torch.manual_seed(12)
    checks = Checks("gated_scan")
    for steps in (1, 13, 64):
        x, gate = torch.randn(steps, BATCH, WIDTH), torch.rand(steps, BATCH, WIDTH)
        for name, kernel, times in (("forwards", forward_scan_kernel, range(steps)),
                                    ("backwards", backward_scan_kernel, range(steps - 1, -1, -1))):
            y = torch.zeros(steps, BATCH, WIDTH, device=DEVICE)
            kernel(x.to(DEVICE), gate.to(DEVICE), y)
            checks.equal(f"{steps} steps {name}", y, reference(x, gate, times))
    checks.finish()


if __name__ == "__main__":
    main()
