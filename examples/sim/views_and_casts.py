"""Windows of windows, the bytes of a tensor as another type, and the ways to round a cast."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 40
WIDTH = 64
PAIRS = 128  # of halves in a row
TOP, LEFT = 3, 5
MODES = ("RINT", "ROUND", "FLOOR", "CEIL", "TRUNC")


@pypto.frontend.jit
def window_kernel(
    x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 32)
    window = pypto.view(x, [24, 48], [TOP, LEFT])
    inner = window[8:16, 8:40]
    for _ in pypto.loop(1, name="copy", idx_name="first"):
        y[:] = x + 0.0
    for _ in pypto.loop(1, name="part", idx_name="second"):
        y[TOP + 8:TOP + 16, LEFT + 8:LEFT + 40] = inner * -2.0


@pypto.frontend.jit
def halves_kernel(
    words: pypto.Tensor([ROWS, WIDTH], pypto.DT_INT32),
    low: pypto.Tensor([ROWS, WIDTH], pypto.DT_INT16),
    high: pypto.Tensor([ROWS, WIDTH], pypto.DT_INT16),
):
    pypto.set_vec_tile_shapes(ROWS, PAIRS)
    halves = pypto.view(words, dtype=pypto.DT_INT16)
    low[:] = pypto.gathermask(halves, 1)
    high[:] = pypto.gathermask(halves, 2)


def rounding_kernel(mode):
    """A kernel that rounds to int32 in one of the modes."""
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
        y: pypto.Tensor([ROWS, WIDTH], pypto.DT_INT32),
    ):
        pypto.set_vec_tile_shapes(ROWS, WIDTH)
        y[:] = pypto.cast(x, pypto.DT_INT32, mode)
    return kernel


def main():
    torch.manual_seed(71)
    checks = Checks("views_and_casts")
    x = torch.randn(ROWS, WIDTH)
    y = torch.zeros(ROWS, WIDTH, device=DEVICE)
    window_kernel(x.to(DEVICE), y)
    inside = torch.zeros(ROWS, WIDTH, dtype=torch.bool)
    inside[11:19, 13:45] = True
    checks.equal("a window of a window", y, torch.where(inside, x * -2, x))

    words = torch.randint(-2 ** 31, 2 ** 31, (ROWS, WIDTH)).to(torch.int32)
    low, high = (torch.zeros(ROWS, WIDTH, dtype=torch.int16, device=DEVICE) for _ in range(2))
    halves_kernel(words.to(DEVICE), low, high)
    checks.equal("low and high halves", high.cpu().int() * 65536 + (low.cpu().int() & 65535), words)

    values = torch.randint(-40, 41, (ROWS, WIDTH)).float() / 4  # halves and quarters
    away = torch.where(values < 0, (values - 0.5).ceil(), (values + 0.5).floor())
    expected = {"RINT": values.round(), "ROUND": away, "FLOOR": values.floor(),
                "CEIL": values.ceil(), "TRUNC": values.trunc()}
    for name in MODES:
        y = torch.zeros(ROWS, WIDTH, dtype=torch.int32, device=DEVICE)
        rounding_kernel(getattr(pypto.CastMode, "CAST_" + name))(values.to(DEVICE), y)
        checks.equal(name, y, expected[name].to(torch.int32))
    checks.finish()


if __name__ == "__main__":
    main()
