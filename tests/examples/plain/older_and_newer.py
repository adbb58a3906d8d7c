"""Python in kernels that only the front end of 9.2 takes, and scalars in many forms."""
import torch

import pypto

SHAPE = (16, 64)
FACTORS = {"first": 0.5, "second": 0.25}


@pypto.frontend.jit
def listed_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    total = x * 1.0
    for factor in [0.5, 0.25]:
        total = total + x * factor
    y[:] = total


@pypto.frontend.jit
def pairs_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    total = x * 1.0
    for place, factor in enumerate((0.5, 0.25)):
        total = total + x * (factor + place)
    y[:] = total


@pypto.frontend.jit
def named_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32), mode="half", bias=1):
    pypto.set_vec_tile_shapes(max(4, 8), SHAPE[1])
    if mode == "half":
        y[:] = x * 0.5 + bias
    else:
        y[:] = x + bias


@pypto.frontend.jit
def slices_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(min(SHAPE), 64)
    parts = [x[:, 0:32], x[:, 32:64]]
    y[:, 0:32] = parts[0] * 2.0
    y[:, 32:64] = parts[1] * 3.0


@pypto.frontend.jit
def shapes_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    tile_rows, tile_cols = 8, x.shape[1]
    pypto.set_vec_tile_shapes(tile_rows, tile_cols)
    y[:] = pypto.exp(x)


def launch(kernel, *scalars):
    x = torch.rand(SHAPE)
    y = torch.empty(SHAPE, device="npu:0")
    kernel(x.npu(), y, *scalars)
    return x, y.cpu()


def main():
    x, y = launch(listed_kernel)
    assert torch.allclose(y, x * 1.75)
    x, y = launch(pairs_kernel)
    assert torch.allclose(y, x * 2.75)
    x, y = launch(named_kernel)
    assert torch.allclose(y, x * 0.5 + 1)
    x, y = launch(named_kernel, "whole", 2)
    assert torch.allclose(y, x + 2)
    x, y = launch(slices_kernel)
    assert torch.allclose(y, torch.cat((x[:, :32] * 2, x[:, 32:] * 3), -1))
    x, y = launch(shapes_kernel)
    assert torch.allclose(y, x.exp())


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    main()
