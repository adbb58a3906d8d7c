"""A convolution with stride, padding, groups, a bias and a relu, as the first layer of a network."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
BATCH, INPUTS, OUTPUTS, GROUPS = 2, 32, 64, 2
HEIGHT, WIDTH = 13, 17
OUT_HEIGHT, OUT_WIDTH = 7, 9


@pypto.frontend.jit
def conv_kernel(
    image: pypto.Tensor([BATCH, INPUTS, HEIGHT, WIDTH], pypto.DT_FP16),
    weight: pypto.Tensor([OUTPUTS, INPUTS // GROUPS, 3, 3], pypto.DT_FP16),
    bias: pypto.Tensor([OUTPUTS], pypto.DT_FP16),
    y: pypto.Tensor([BATCH, OUTPUTS, OUT_HEIGHT, OUT_WIDTH], pypto.DT_FP16),
):
    pypto.set_conv_tile_shapes(pypto.pypto_impl.TileL1Info(1, 9, 16, 16))
    pypto.set_vec_tile_shapes(1, 16, 8, 16)
    features = pypto.conv(image, weight, pypto.DT_FP16, [2, 2], [1, 1, 1, 1], [1, 1], groups=GROUPS,
                          extend_params={"bias_tensor": bias})
    y[:] = pypto.relu(features)


def main():
    torch.manual_seed(25)
    checks = Checks("convolution")
    image = torch.randn(BATCH, INPUTS, HEIGHT, WIDTH).to(torch.float16)
    weight = (torch.randn(OUTPUTS, INPUTS // GROUPS, 3, 3) / 12).to(torch.float16)
    bias = torch.randn(OUTPUTS).to(torch.float16)
    y = torch.zeros(BATCH, OUTPUTS, OUT_HEIGHT, OUT_WIDTH, dtype=torch.float16, device=DEVICE)
    conv_kernel(image.to(DEVICE), weight.to(DEVICE), bias.to(DEVICE), y)
    layer = torch.nn.functional.conv2d(image.float(), weight.float(), bias.float(), stride=2,
                                       padding=1, groups=GROUPS)
    checks.close("features", y, layer.clamp(min=0).to(torch.float16), 1e-3, 2e-3)
    checks.finish()


if __name__ == "__main__":
    main()
