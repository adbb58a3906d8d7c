"""Chains of 16-bit operations: rounded once at the end, or after each where something stands between."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 24
WIDTH = 96


@pypto.frontend.jit
def chain_kernel(
    a: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
    b: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    y[:] = ((a * (a + b)) - b) * b


@pypto.frontend.jit
def broken_chain_kernel(
    a: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
    b: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP16),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    added = pypto.reshape(pypto.reshape(a + b, [ROWS * WIDTH]), [ROWS, WIDTH])  # sees it rounded
    y[:] = added * a


@pypto.frontend.jit
def gate_kernel(
    a: pypto.Tensor([ROWS, WIDTH], pypto.DT_BF16),
    b: pypto.Tensor([ROWS, WIDTH], pypto.DT_BF16),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_BF16),
):
    pypto.set_vec_tile_shapes(ROWS, WIDTH)
    y[:] = a / (pypto.exp(-a) + 1.0) * b


def main():
    torch.manual_seed(94)
    checks = Checks("half_chains")
    a, b = torch.randn(ROWS, WIDTH).to(torch.float16), torch.randn(ROWS, WIDTH).to(torch.float16)
    wide_a, wide_b = a.float(), b.float()

    def launch(kernel, dtype):
        y = torch.zeros(ROWS, WIDTH, dtype=dtype, device=DEVICE)
        kernel(a.to(dtype).to(DEVICE), b.to(dtype).to(DEVICE), y)
        return y.cpu()
    exact = b.double() * (a.double() ** 2 + a.double() * b.double() - b.double())
    y = launch(chain_kernel, torch.float16)
    # One rounding is at most 2^-11 of the result; four would be more.
    checks.close("one rounding", y.double(), exact, 1e-6, 1.001 * 2 ** -11)
    in_steps = ((a * (a + b)) - b) * b
    differ = (y != in_steps).float().mean().item()
    checks.close("it differs from a rounding after each step",
                 torch.tensor(differ > 0.2), torch.tensor(True))
    twice = (wide_a + wide_b).to(torch.float16).float() * wide_a
    checks.equal("two roundings", launch(broken_chain_kernel, torch.float16),
                 twice.to(torch.float16))
    wide_a, wide_b = a.to(torch.bfloat16).float(), b.to(torch.bfloat16).float()
    gated = torch.nn.functional.silu(wide_a) * wide_b
    checks.close("a gate in BF16", launch(gate_kernel, torch.bfloat16),
                 gated.to(torch.bfloat16), 1e-6, 2 ** -7)
    checks.finish()


if __name__ == "__main__":
    main()
