"""Kernels made and launched in the forms that test files have: registries, classes, set-ups, generators."""
import unittest
from abc import ABC, abstractmethod
from collections import OrderedDict
from dataclasses import dataclass, field

import torch
import torch_npu  # noqa: F401
from torch.library import Library, impl

import pypto

LIBRARY = Library("launch_forms", "FRAGMENT")
LIBRARY.define("halve(Tensor x) -> Tensor")
ACTIVATIONS = OrderedDict()
ROWS, WIDTH = 32, 64


def register(name):
    def keep(function):
        ACTIVATIONS[name] = function
        return function
    return keep


@register("silu")
def silu(x):
    return x * pypto.sigmoid(x)


@register("square")
def square(x):
    return x * x


@dataclass
class Sizes:
    rows: int = ROWS
    heads: int = 2
    tile: tuple = (8, WIDTH)
    extra: dict = field(default_factory=dict)


class Builder(ABC):
    def __init__(self, sizes, dtype=pypto.DT_FP32):
        self.sizes = sizes
        self.dtype = dtype

    @abstractmethod
    def body(self, x):
        ...

    def build(self):
        shape = [self.sizes.rows, WIDTH]

        @pypto.frontend.jit(runtime_options={"device_sched_mode": 1}, debug_options={"runtime_debug_mode": 0})
        def built_kernel(x: pypto.Tensor[shape, self.dtype], y: pypto.Tensor[shape, self.dtype]):
            pypto.set_vec_tile_shapes(*self.sizes.tile)
            y[:] = self.body(x)

        return built_kernel


class Activation(Builder):
    def __init__(self, name, **others):
        super().__init__(**others)
        self.name = name

    def body(self, x):
        if self.dtype == pypto.DT_FP32:
            return ACTIVATIONS[self.name](x)
        wide = pypto.cast(x, pypto.DT_FP32)
        return pypto.cast(ACTIVATIONS[self.name](wide), self.dtype)


@pypto.frontend.jit
def halve_kernel(x: pypto.Tensor[[pypto.STATIC, pypto.STATIC], pypto.DT_FP16],
                 y: pypto.Tensor[[pypto.STATIC, ...], pypto.DT_FP16]):
    pypto.set_vec_tile_shapes(x.shape[0] // 2, x.shape[1])
    y[...] = x * 0.5


@impl(LIBRARY, "halve", "CompositeExplicitAutograd")
def halve(x):
    y = torch.empty_like(x)
    halve_kernel(x, y)
    return y


def halves_of(part, count):
    left, right = (pypto.view(part, [8, WIDTH // 2], [0, k * WIDTH // 2], valid_shape=[count, WIDTH // 2])
                   for k in range(2))
    return left, right


@pypto.frontend.jit
def parts_kernel(x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
                 y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32), mode: str = "add", scale=1.0):
    rows = x.shape[0]
    for i in pypto.loop((rows + 7) // 8, name="PARTS", idx_name="i", unroll_list=[2, 1]):
        count = pypto.min(rows - i * 8, 8)
        pypto.set_semantic_label("part")
        pypto.set_vec_tile_shapes(8, WIDTH // 2)
        part = pypto.view(x, [8, WIDTH], [i * 8, 0], valid_shape=[count, WIDTH])
        left, right = halves_of(part, count)
        if mode == "add":
            mixed = left + right
        elif mode == "sub":
            mixed = left - right
        else:
            raise ValueError(mode)
        mixed = mixed * scale
        pypto.assemble(mixed, [i * 8, 0], y)
        pypto.assemble(mixed + 1.0, [i * 8, WIDTH // 2], y)


class Layer(torch.nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.start = torch.nn.Parameter(torch.ones(rows, WIDTH), requires_grad=False)

    def forward(self, device, scale):
        out = torch.zeros(self.start.shape, device=device)
        parts_kernel(self.start.data.to(device), out, scale=scale)
        return out


class TestForms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.npu.set_device(0)
        cls.device = "npu:0"

    def setUp(self):
        self.sizes = Sizes()

    def inputs(self, count, dtype=torch.float32):
        return tuple(torch.rand(self.sizes.rows, WIDTH, device=self.device).to(dtype) for _ in range(count))

    def test_built(self):
        for name in ACTIVATIONS:
            x, y = self.inputs(2)
            Activation(name, sizes=self.sizes).build()(x, y)
        x, y = self.inputs(2, torch.bfloat16)
        Activation("silu", sizes=Sizes(tile=(4, WIDTH)), dtype=pypto.DT_BF16).build()(x, y)

    def test_halve(self):
        x, _ = self.inputs(2, torch.float16)
        self.assertEqual(halve(x).shape, x.shape)
        wide = torch.rand(ROWS, 2 * WIDTH).half().npu()
        halve(wide[:ROWS // 2])
        halve(wide.t().contiguous())

    def test_parts(self):
        x, y = self.inputs(2)
        parts_kernel(x, y)
        parts_kernel(x, y, "sub", 2.0)
        Layer(12)(self.device, 3.0)
        with self.assertRaises(Exception):
            parts_kernel(x, y, "mul")

    @unittest.expectedFailure
    def test_refused(self):
        Activation("silu", sizes=Sizes(tile=(WIDTH,))).build()(*self.inputs(2))


if __name__ == "__main__":
    result = unittest.main(argv=["launch_forms"], exit=False).result
    assert result.wasSuccessful()
