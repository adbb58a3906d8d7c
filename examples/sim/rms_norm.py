"""RMSNorm in BF16 over rows, by hand and by pypto.rms_norm, with a dynamic number of rows."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 80
ROW_TILE = 16
EPSILON = 1e-6


@pypto.frontend.function
def normalise(part: pypto.Tensor([], pypto.DT_FP32), out: pypto.Tensor([], pypto.DT_FP32)):
    mean_square = pypto.sum(part * part, -1, keepdim=True) * (1.0 / WIDTH)
    out[:] = part / pypto.sqrt(mean_square + EPSILON)


@pypto.frontend.jit
def rms_norm_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
    gamma: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_BF16),
):
    pypto.set_vec_tile_shapes(ROW_TILE, WIDTH)
    rows = x.shape[0]
    for step in pypto.loop((rows + ROW_TILE - 1) // ROW_TILE, name="rows", idx_name="step"):
        start = step * ROW_TILE
        left = pypto.min(rows - start, ROW_TILE)
        half = pypto.view(x, [ROW_TILE, WIDTH], [start, 0], valid_shape=[left, WIDTH])
        normal = pypto.tensor([ROW_TILE, WIDTH], pypto.DT_FP32, "normal")
        normalise(pypto.cast(half, pypto.DT_FP32), normal)
        pypto.assemble(pypto.cast(normal * gamma, pypto.DT_BF16), [start, 0], y)


@pypto.frontend.jit
def built_in_kernel(
    x: pypto.Tensor([24, WIDTH], pypto.DT_FP32),
    gamma: pypto.Tensor([WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([24, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(8, WIDTH)
    y[:] = pypto.rms_norm(x, gamma, EPSILON)


def main():
    def reference(x, gamma):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPSILON) * gamma

    torch.manual_seed(5)
    checks = Checks("rms_norm")
    gamma = torch.rand(1, WIDTH) + 0.5
    for rows in (1, 16, 45):
        x = torch.randn(rows, WIDTH).bfloat16()
        y = torch.zeros(rows, WIDTH, dtype=torch.bfloat16, device=DEVICE)
        rms_norm_kernel(x.to(DEVICE), gamma.to(DEVICE), y)
        checks.close(f"{rows} rows", y, reference(x.float(), gamma).bfloat16(), 1e-2, 8e-3)
    x = torch.randn(24, WIDTH)
    y = torch.zeros(24, WIDTH, device=DEVICE)
    built_in_kernel(x.to(DEVICE), gamma[0].to(DEVICE), y)
    checks.close("pypto.rms_norm", y, reference(x, gamma))
    checks.finish()


if __name__ == "__main__":
    main()
