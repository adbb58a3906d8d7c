"""Element-wise and broadcast operations in every dtype that they take, on shapes with tails."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS, COLUMNS = 37, 75  # no multiple of the tile


def arithmetic(dtype):
    """A kernel for one dtype: z = (x + y) * x - row, with a row that is broadcast."""
    @pypto.frontend.jit
    def arithmetic_kernel(
        x: pypto.Tensor([ROWS, COLUMNS], dtype),
        y: pypto.Tensor([ROWS, COLUMNS], dtype),
        row: pypto.Tensor([1, COLUMNS], dtype),
        z: pypto.Tensor([ROWS, COLUMNS], dtype),
    ):
        pypto.set_vec_tile_shapes(16, 32)
        z[:] = (x + y) * x - row
    return arithmetic_kernel


def broadcast(dtype):
    """A column repeated along rows, for the dtypes that do no arithmetic, too."""
    @pypto.frontend.jit
    def broadcast_kernel(
        column: pypto.Tensor([ROWS, 1], dtype),
        out: pypto.Tensor([ROWS, COLUMNS], dtype),
    ):
        pypto.set_vec_tile_shapes(16, 32)
        out[:] = pypto.expand_clone(column, [ROWS, COLUMNS])
    return broadcast_kernel


@pypto.frontend.jit
def functions_kernel(
    x: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
    out: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(8, 75)
    larger = pypto.maximum(x, y)
    smaller = pypto.minimum(x, y)
    ratio = pypto.div(smaller, pypto.sqrt(pypto.abs(larger) + 1.0))
    out[:] = pypto.where(x > y, pypto.exp(ratio), pypto.clip(-y, -0.5, 0.5))


def check_arithmetic(checks):
    kinds = [(pypto.DT_FP32, torch.float32), (pypto.DT_FP16, torch.float16),
             (pypto.DT_BF16, torch.bfloat16), (pypto.DT_INT32, torch.int32),
             (pypto.DT_INT16, torch.int16)]
    for kind, dtype in kinds:
        if dtype.is_floating_point:
            x, y, row = (torch.randn(s, 75).to(dtype) for s in (ROWS, ROWS, 1))
            # A chain of operations stays in F32: only the last result is rounded to the dtype.
            t = x.float() + y.float()
            t = t * x.float()
            want = (t.float() - row.float()).to(dtype)
        else:
            x, y, row = (torch.randint(-50, 50, (s, 75)).to(dtype) for s in (ROWS, ROWS, 1))
            want = (x + y) * x - row
        z = torch.zeros(ROWS, COLUMNS, dtype=dtype, device=DEVICE)
        arithmetic(kind)(x.to(DEVICE), y.to(DEVICE), row.to(DEVICE), z)
        checks.equal(f"arithmetic {dtype}", z, want)


def check_broadcast(checks):
    kinds = [(pypto.DT_BOOL, torch.bool), (pypto.DT_INT8, torch.int8),
             (pypto.DT_UINT8, torch.uint8), (pypto.DT_INT16, torch.int16),
             (pypto.DT_INT32, torch.int32), (pypto.DT_FP16, torch.float16),
             (pypto.DT_BF16, torch.bfloat16), (pypto.DT_FP32, torch.float32)]
    for kind, dtype in kinds:
        column = torch.randint(0, 2 if dtype == torch.bool else 100, (ROWS, 1)).to(dtype)
        out = torch.zeros(ROWS, COLUMNS, dtype=dtype, device=DEVICE)
        broadcast(kind)(column.to(DEVICE), out)
        checks.equal(f"broadcast {dtype}", out, column.expand(ROWS, COLUMNS))


def main():
    torch.manual_seed(1)
    checks = Checks("elementwise")
    check_arithmetic(checks)
    check_broadcast(checks)
    x, y = torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS)
    out = torch.zeros(ROWS, COLUMNS, device=DEVICE)
    functions_kernel(x.to(DEVICE), y.to(DEVICE), out)
    ratio = torch.minimum(x, y) / torch.sqrt(torch.maximum(x, y).abs() + 1.0)
    checks.close("functions", out, torch.where(x > y, ratio.exp(), (-y).clamp(-0.5, 0.5)))
    checks.finish()


if __name__ == "__main__":
    main()
