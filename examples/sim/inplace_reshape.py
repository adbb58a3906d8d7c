"""An output of three axes that is filled through a description of two: the same memory."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
HEADS = 4
WIDTH = 32


@pypto.frontend.jit
def scale_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, HEADS, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(HEADS, WIDTH)
    tokens = y.shape[0]
    for _ in pypto.loop(1, name="shape", idx_name="once"):
        flat = pypto.reshape(y, [tokens * HEADS, WIDTH], inplace=True)
    for token in pypto.loop(tokens, name="tokens", idx_name="token"):
        start = token * HEADS
        heads = pypto.view(x, [HEADS, WIDTH], [start, 0])
        pypto.assemble(heads * 3.0, [start, 0], flat)


def main():
    torch.manual_seed(11)
    checks = Checks("inplace_reshape")
    for tokens in (1, 5):
        x = torch.randn(tokens * HEADS, WIDTH)
        y = torch.zeros(tokens, HEADS, WIDTH, device=DEVICE)
        scale_kernel(x.to(DEVICE), y)
        checks.close(f"{tokens} tokens", y, (x * 3).reshape(tokens, HEADS, WIDTH))
    checks.finish()


if __name__ == "__main__":
    main()
