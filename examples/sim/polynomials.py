"""PyPTO 9.2: nested functions, a lambda, a comprehension and enumerate in the body of a kernel."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 20
WIDTH = 48
SERIES = {"exp": (1.0, 1.0, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040),
          "sin": (0.0, 1.0, 0.0, -1 / 6, 0.0, 1 / 120, 0.0, -1 / 5040)}


@pypto.jit
def series_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([len(SERIES) * ROWS, WIDTH], pypto.DT_FP32),
):
    def horner(point, coefficients):
        result = pypto.full([ROWS, WIDTH], coefficients[-1], pypto.DT_FP32)
        for coefficient in reversed(coefficients[:-1]):
            result = result * point + coefficient
        return result

    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    place = lambda number: number * ROWS  # noqa: E731
    values = [horner(x, coefficients) for coefficients in SERIES.values()]
    for number, value in enumerate(values):
        pypto.assemble(value, [place(number), 0], y)


def main():
    torch.manual_seed(5)
    checks = Checks("polynomials")
    x = torch.rand(ROWS, WIDTH) - 0.5
    y = torch.zeros(len(SERIES) * ROWS, WIDTH, device=DEVICE)
    series_kernel(x.to(DEVICE), y)
    checks.close("exp", y[:ROWS], torch.exp(x), 1e-6)
    checks.close("sin", y[ROWS:], torch.sin(x), 1e-6)
    checks.finish()


if __name__ == "__main__":
    main()
