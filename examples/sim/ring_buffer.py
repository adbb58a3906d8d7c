"""PyPTO 9.2: a carried place that starts again at the end of a buffer, and a carried number of laps."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
SLOTS = 6
WIDTH = 32


@pypto.jit
def ring_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    ring: pypto.Tensor([SLOTS, WIDTH], pypto.DT_FP32),
    state: pypto.Tensor([1, 2], pypto.DT_INT32),
):
    pypto.set_vec_tile_shapes(1, WIDTH)
    place, laps = 0, 0
    for step in pypto.loop(x.shape[0], name="steps", idx_name="step"):
        row = pypto.view(x, [1, WIDTH], [step, 0])
        pypto.assemble(row * 2.0, [place, 0], ring)
        place += 1
        if place == SLOTS:
            place = 0
            laps += 1
    state[0, 0] = place
    state[0, 1] = laps


def main():
    torch.manual_seed(6)
    checks = Checks("ring_buffer")
    for steps in (1, 6, 20):
        x = torch.randn(steps, WIDTH)
        ring = torch.zeros(SLOTS, WIDTH, device=DEVICE)
        state = torch.zeros(1, 2, dtype=torch.int32, device=DEVICE)
        ring_kernel(x.to(DEVICE), ring, state)
        expected = torch.zeros(SLOTS, WIDTH)
        for slot in range(min(SLOTS, steps)):
            last = (steps - 1 - slot) // SLOTS * SLOTS + slot  # the last step that came here
            expected[slot] = x[last] * 2
        checks.equal(f"{steps} steps", ring, expected)
        checks.equal(f"{steps} steps, state", state,
                     torch.tensor([[steps % SLOTS, steps // SLOTS]], dtype=torch.int32))
    checks.finish()


if __name__ == "__main__":
    main()
