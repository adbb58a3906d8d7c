"""Axes with a name: the same number of tokens in three tensors, and kernels called from a scope."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 64
TILE = 8
TOKENS = pypto.frontend.dynamic("tokens")


@pypto.frontend.jit
def mix_kernel(
    x: pypto.Tensor([TOKENS, WIDTH], pypto.DT_FP32),
    residual: pypto.Tensor([TOKENS, WIDTH], pypto.DT_FP32),
    scale: pypto.Tensor([pypto.STATIC], pypto.DT_FP32),
    y: pypto.Tensor([TOKENS, WIDTH], pypto.DT_FP32),
    share: float = 0.5,
    rounds: int = 1,
):
    weights = pypto.reshape(scale, [1, WIDTH])
    for block in pypto.loop(0, x.shape[0], TILE, name="blocks", idx_name="start"):
        left = pypto.min(x.shape[0] - block, TILE)
        pypto.set_vec_tile_shapes(TILE, WIDTH)
        rows = pypto.view(x, [TILE, WIDTH], [block, 0], valid_shape=[left, WIDTH])
        rest = pypto.view(residual, [TILE, WIDTH], [block, 0], valid_shape=[left, WIDTH])
        for _ in range(rounds):
            rows = rows * share + rest * weights
        pypto.assemble(rows, [block, 0], y)


@pypto.options(pass_options={"cube_nbuffer_setting": {-1: 4}})
def launch(*arguments, **keywords):
    """Options of a scope apply to the kernels that are called in it."""
    mix_kernel(*arguments, **keywords)


def main():
    torch.manual_seed(26)
    checks = Checks("named_axes")
    scale = torch.rand(WIDTH)
    for tokens, keywords in ((5, {}), (24, {"share": 0.25}), (37, {"share": -1.5, "rounds": 3})):
        x, residual = torch.randn(tokens, WIDTH), torch.randn(tokens, WIDTH)
        y = torch.zeros(tokens, WIDTH, device=DEVICE)
        launch(x.to(DEVICE), residual.to(DEVICE), scale.to(DEVICE), y, **keywords)
        share, rounds = keywords.get("share", 0.5), keywords.get("rounds", 1)
        # A geometric series, written out.
        series = sum(share ** power for power in range(rounds))
        checks.close(f"{tokens} tokens, {keywords}", y,
                     x * share ** rounds + torch.einsum("tw,w->tw", residual, scale) * series)
    try:
        mix_kernel(*[torch.zeros(rows, WIDTH, device=DEVICE) for rows in (4, 5)],
                   scale.to(DEVICE), torch.zeros(4, WIDTH, device=DEVICE))
        message = "nothing"
    except pypto.PyptoError as error:
        message = str(error)
    checks.equal("two numbers of tokens", torch.tensor("multiple concrete values" in message),
                 torch.tensor(True))
    checks.finish()


if __name__ == "__main__":
    main()
