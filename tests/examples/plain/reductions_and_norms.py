"""Row reductions and norms; the kernels are made for a configuration."""
from collections import namedtuple

import torch

import pypto

NormConfig = namedtuple("NormConfig", "width tile eps")
SMALL = NormConfig(width=64, tile=8, eps=1e-6)
WIDE = SMALL._replace(width=128, tile=4)


def make_rms_norm(config):
    """A kernel for one width."""

    @pypto.frontend.jit
    def rms_norm(x: pypto.Tensor([pypto.DYNAMIC, config.width], pypto.DT_FP32),
                 gamma: pypto.Tensor([1, config.width], pypto.DT_FP32),
                 y: pypto.Tensor([pypto.DYNAMIC, config.width], pypto.DT_FP32)):
        pypto.set_vec_tile_shapes(config.tile, config.width)
        rows = x.shape[0]
        for step in pypto.loop((rows + config.tile - 1) // config.tile, name="rows", idx_name="step"):
            start = step * config.tile
            part = pypto.view(x, [config.tile, config.width], [start, 0],
                              valid_shape=[pypto.min(rows - start, config.tile), config.width])
            square = pypto.sum(part * part, -1, keepdim=True) * (1.0 / config.width)
            pypto.assemble(part * pypto.rsqrt(square + config.eps) * gamma, [start, 0], y)

    return rms_norm


@pypto.frontend.jit
def row_max_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP32), y: pypto.Tensor([32, 1], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(SMALL.tile, SMALL.width)
    y[:] = pypto.amax(x, -1, keepdim=True)


@pypto.frontend.jit
def row_min_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP32), y: pypto.Tensor([32, 1], pypto.DT_FP32)):
    width = 64
    tile = 8 if width > 32 else 16
    pypto.set_vec_tile_shapes(tile, width)
    y[:] = pypto.amin(x, -1, keepdim=True)


@pypto.frontend.jit
def softmax_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP16), y: pypto.Tensor([32, 64], pypto.DT_FP16)):
    pypto.set_vec_tile_shapes(8, 64)
    wide = pypto.cast(x, pypto.DT_FP32)
    y[:] = pypto.cast(pypto.softmax(wide, -1), pypto.DT_FP16)


@pypto.frontend.jit
def mean_variance_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP32), mean: pypto.Tensor([32, 1], pypto.DT_FP32),
                         variance: pypto.Tensor([32, 1], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    average = pypto.sum(x, -1, keepdim=True) * (1.0 / 64)
    mean[:] = average
    centred = x - average
    variance[:] = pypto.sum(centred * centred, -1, keepdim=True) * (1.0 / 64)


@pypto.frontend.jit
def pyramid_kernel(x: pypto.Tensor([32, 64], pypto.DT_FP32), y: pypto.Tensor([32, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    total = x * 1.0
    for weight in range(1, 4):
        total = total + x * (1.0 / weight)
    y[:] = total


class RmsNorm(torch.nn.Module):
    """What a model uses."""

    def __init__(self, config, device):
        super().__init__()
        self.config = config
        self.kernel = make_rms_norm(config)
        self.gamma = torch.nn.Parameter(torch.ones(1, config.width, device=device), requires_grad=False)

    def forward(self, x):
        flat = x.reshape(-1, self.config.width)
        y = torch.empty_like(flat)
        self.kernel(flat, self.gamma.data, y)
        return y.view_as(x)


def golden_rms_norm(x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def main():
    torch.manual_seed(3)
    for config in (SMALL, WIDE):
        x = torch.randn(3, 7, config.width)
        got = RmsNorm(config, "npu:0")(x.npu())
        assert torch.allclose(got.cpu(), golden_rms_norm(x, config.eps), atol=1e-4)
    x = torch.randn(32, 64)
    y = torch.empty(32, 1, device="npu:0")
    row_max_kernel(x.npu(), y)
    assert torch.equal(y.cpu(), x.max(-1, keepdim=True).values)
    row_min_kernel(x.npu(), y)
    assert torch.equal(y.cpu(), x.min(-1, keepdim=True).values)
    half = torch.empty(32, 64, dtype=torch.float16, device="npu:0")
    softmax_kernel(x.half().npu(), half)
    assert torch.allclose(half.cpu().float(), torch.softmax(x.half().float(), -1), atol=1e-2)
    variance = torch.empty(32, 1, device="npu:0")
    mean_variance_kernel(x.npu(), y, variance)
    assert torch.allclose(y.cpu(), x.mean(-1, keepdim=True), atol=1e-5)
    assert torch.allclose(variance.cpu(), x.var(-1, unbiased=False, keepdim=True), atol=1e-4)
    out = torch.empty(32, 64, device="npu:0")
    pyramid_kernel(x.npu(), out)
    assert torch.allclose(out.cpu(), x + x * (1 + 1 / 2 + 1 / 3), atol=1e-4)


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    main()
