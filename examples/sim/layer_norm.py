"""Layer norm over rows in F16, computed in F32, with a dynamic number of rows."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 72
ROW_TILE = 8
EPSILON = 1e-5


@pypto.frontend.jit
def layer_norm_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP16),
    gamma: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    beta: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP16),
):
    pypto.set_vec_tile_shapes(ROW_TILE, WIDTH)
    rows = x.shape[0]
    for step in pypto.loop((rows + ROW_TILE - 1) // ROW_TILE, name="rows", idx_name="step"):
        start = step * ROW_TILE
        left = pypto.min(rows - start, ROW_TILE)
        half = pypto.view(x, [ROW_TILE, WIDTH], [start, 0], valid_shape=[left, WIDTH])
        part = pypto.cast(half, pypto.DT_FP32)
        mean = pypto.sum(part, -1, keepdim=True) * (1.0 / WIDTH)
        centred = part - mean
        variance = pypto.sum(centred * centred, -1, keepdim=True) * (1.0 / WIDTH)
        normal = centred * pypto.rsqrt(variance + EPSILON)
        pypto.assemble(pypto.cast(normal * gamma + beta, pypto.DT_FP16), [start, 0], y)


def main():
    torch.manual_seed(4)
    checks = Checks("layer_norm")
    gamma, beta = torch.rand(1, WIDTH) + 0.5, torch.randn(1, WIDTH)
    for rows in (1, 8, 29):
        x = torch.randn(rows, WIDTH).half()
        y = torch.zeros(rows, WIDTH, dtype=torch.float16, device=DEVICE)
        layer_norm_kernel(x.to(DEVICE), gamma.to(DEVICE), beta.to(DEVICE), y)
        want = torch.nn.functional.layer_norm(x.float(), [WIDTH], gamma[0], beta[0], EPSILON)
        checks.close(f"{rows} rows", y, want.half(), atol=1e-3, rtol=1e-3)
    checks.finish()


if __name__ == "__main__":
    main()
