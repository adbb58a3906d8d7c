"""The stand-in for torch_npu: functions of autograd."""
import os
import unittest

os.environ["PTOSIM_RUN_MODE"] = "SIM"  # as `pypto-lint run` does

import support  # noqa: E402  (ends with 77 without torch)
import torch  # noqa: E402
import torch_npu  # noqa: E402,F401

import pypto  # noqa: E402


@pypto.frontend.jit
def double_kernel(x: pypto.Tensor([8, 16], pypto.DT_FP32), y: pypto.Tensor([8, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 16)
    y[:] = x + x


class Scaled(torch.autograd.Function):
    """Gives two outputs, and saves an output and an input."""

    @staticmethod
    def forward(ctx, x, factor):
        y = x * factor
        ctx.save_for_backward(y, x)
        return y, y + 1

    @staticmethod
    def backward(ctx, first, second):
        places = [tensor.device.type for tensor in (first, second) + ctx.saved_tensors]
        ctx.saved_tensors[1].places.extend(places)
        return first + second, None


class Gradients(unittest.TestCase):
    """Gradients and saved tensors are on the device of the tensors they belong to."""

    def test_devices_in_backward(self):
        for device in ("npu", "cpu"):
            x = torch.ones(2, 8, device=device, requires_grad=True)
            x.places = []
            a, b = Scaled.apply(x, 3.0)
            (a.view(16).sum() + b.reshape(8, 2).sum()).backward()
            self.assertEqual(x.places, [device] * 4)
            self.assertEqual((x.grad.device.type, x.grad.unique().tolist()), (device, [2.0]))

    def test_without_gradients(self):
        with torch.no_grad():
            a, b = Scaled.apply(torch.ones(2, device="npu"), 3.0)
        self.assertEqual((a.tolist(), b.tolist(), a.device.type), ([3, 3], [4, 4], "npu"))

    def test_kernels_of_both_ways(self):
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(_ctx, x):
                y = torch.empty_like(x)
                double_kernel(x, y)
                return y

            @staticmethod
            def backward(_ctx, gradient):
                result = torch.empty(8, 16, device="npu")
                double_kernel(gradient.contiguous(), result)
                return result
        x = torch.ones(8, 16, device="npu", requires_grad=True)
        Doubled.apply(x).view(2, 64).sum().backward()
        self.assertEqual(x.grad.unique().tolist(), [2])


if __name__ == "__main__":
    support.main()
