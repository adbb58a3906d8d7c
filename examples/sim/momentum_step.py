"""PyPTO 9.2: parameters that are bound anew hold the result: steps of a gradient descent."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 16
WIDTH = 64
RATE, DECAY, MOMENTUM = 0.1, 0.01, 0.9


@pypto.jit
def momentum_kernel(
    weight: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    velocity: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    gradient: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    nesterov: bool,
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    slope = gradient + weight * DECAY
    velocity = velocity * MOMENTUM + slope
    if nesterov:
        weight = weight - (velocity * MOMENTUM + slope) * RATE
    else:
        weight = weight - velocity * RATE


def main():
    torch.manual_seed(11)
    checks = Checks("momentum_step")
    for nesterov in (False, True):
        start = torch.randn(ROWS, WIDTH)
        weight = start.to(DEVICE)
        velocity = torch.zeros(ROWS, WIDTH, device=DEVICE)
        reference = torch.nn.Parameter(start.clone())
        optimizer = torch.optim.SGD([reference], lr=RATE, momentum=MOMENTUM, weight_decay=DECAY,
                                    nesterov=nesterov)
        for _ in range(3):
            gradient = torch.randn(ROWS, WIDTH)
            momentum_kernel(weight, velocity, gradient.to(DEVICE), nesterov)
            reference.grad = gradient
            optimizer.step()
        name = "nesterov" if nesterov else "plain"
        checks.close(f"{name}, weight", weight, reference.detach())
        checks.close(f"{name}, velocity", velocity,
                     optimizer.state[reference]["momentum_buffer"])
    checks.finish()


if __name__ == "__main__":
    main()
