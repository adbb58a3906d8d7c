"""The simulator where there is no torch: arrays take the place of tensors. Needs nothing but Python
(3.8 or later), so it also tells whether the extension and the rewriting work with an interpreter:

    PYTHONPATH=BUILD/share/pypto-lint/sim PYTHON test_without_torch.py
"""
import ctypes
import importlib.util
import sys
import unittest

_find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "torch" else _find_spec(name, *rest)

import pypto  # noqa: E402
from pypto import _version  # noqa: E402

_version.new_front_end = False  # these tests are about that of 9.1

F32, I32 = pypto.DT_FP32, pypto.DT_INT32
T = pypto.Tensor


class Array:
    """Numbers in memory, with the array interface."""

    def __init__(self, shape, values=None, kind=ctypes.c_float, read_only=False, strides=None):
        count = 1
        for extent in shape:
            count *= extent
        self.numbers = (kind * count)(*(values if values is not None else [0] * count))
        typestr = {ctypes.c_float: "<f4", ctypes.c_int32: "<i4", ctypes.c_double: "<f8",
                   ctypes.c_char: "|S1"}[kind]
        self.__array_interface__ = {"data": (ctypes.addressof(self.numbers), read_only),
                                    "typestr": typestr, "shape": tuple(shape), "version": 3,
                                    "strides": strides}

    def list(self):
        return list(self.numbers)


def counted(rows, columns=16):
    return Array((rows, columns), [i / 8 for i in range(rows * columns)])


class Kernels(unittest.TestCase):
    def test_a_bit_of_everything(self):
        rows = pypto.frontend.dynamic("rows")

        @pypto.frontend.jit
        def kernel(x: T([rows, 16], F32), index: T([4], I32), y: T([rows, 16], F32), scale: float):
            pypto.set_vec_tile_shapes(16, 16)
            total = pypto.full([1, 16], 0.0, F32)
            pair = (2.0, 3.0)
            low, high = pair
            for i in pypto.loop(0, rows, 1, unroll_list=[4]):
                k = min(i, index[1])
                if pypto.is_loop_begin(i):
                    total[:] = x[k:k + 1, :] * low
                elif i % 2 == 0:
                    total[:] = total + x[k:k + 1, :] * high
                else:
                    total[:] = total - x[k:k + 1, :]
                y[i:i + 1, :] = total * scale
            for step in range(2):
                for name in ["a", "b"]:
                    assert name in f"{name}{step}", "text"

        for count in (1, 5, 9):
            x, y = counted(count), Array((count, 16))
            kernel(x, Array((4,), [9, 3, 0, 0], ctypes.c_int32), y, scale=0.5)
            expected, total = [], [0.0] * 16
            for i in range(count):
                row = x.list()[min(i, 3) * 16:min(i, 3) * 16 + 16]
                if i == 0:
                    total = [v * 2 for v in row]
                elif i % 2 == 0:
                    total = [t + v * 3 for t, v in zip(total, row)]
                else:
                    total = [t - v for t, v in zip(total, row)]
                expected += [t * 0.5 for t in total]
            self.assertEqual(y.list(), expected)

    def test_factories_and_inline_functions(self):
        @pypto.frontend.function
        def scaled(x: T([16, 16], F32), out: T([16, 16], F32), factor):
            out[:] = x * factor

        def make(factor):
            @pypto.frontend.jit()
            def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                scaled(x, y, factor)
                y[:] += x
            return kernel
        for factor in (2.0, 4.0):
            y = Array((16, 16))
            make(factor)(counted(16), y)
            self.assertEqual(y.list(), [v * factor + v for v in counted(16).list()])

    def test_errors(self):
        @pypto.frontend.jit
        def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[:] = x + 1.0

        @pypto.frontend.jit
        def looped(x: T([16, 16], F32)):
            while True:
                pass

        def fails(code, function, *arguments):
            with self.assertRaises(pypto.error.PyptoError) as caught:
                function(*arguments)
            self.assertEqual(caught.exception.code, code, str(caught.exception))
            return str(caught.exception)
        text = fails("F21003", kernel, counted(16), Array((16, 16)))
        self.assertIn("    y[:] = x + 1.0\n", text)
        self.assertIn("^", text)
        self.assertIn("x: DataType.DT_FP32 [16, 16]", text)
        fails("F00005", looped, counted(16))
        fails("F00003", kernel, counted(16), 3)
        self.assertIn("read-only", fails("F00003", kernel, counted(16),
                                         Array((16, 16), read_only=True)))
        self.assertIn("contiguous", fails("F00003", kernel, counted(16),
                                          Array((16, 16), strides=(4, 64))))
        fails("F00002", kernel, counted(16), Array((16, 16), kind=ctypes.c_double))
        fails("F00002", kernel, counted(16), Array((16, 16), [b"a"] * 256, ctypes.c_char))

    def test_nothing_else_is_loaded(self):
        self.assertNotIn("torch", sys.modules)
        self.assertNotIn("numpy", sys.modules)


class Comprehensions(unittest.TestCase):
    def test_what_they_see(self):
        @pypto.frontend.jit
        def kernel(x: T([16, 16], F32)):
            factor = 3
            seen.extend([v * factor for v in (1, 2)])
        seen = []
        if sys.version_info >= (3, 12):
            kernel(counted(16))
            self.assertEqual(seen, [3, 6])
        else:
            with self.assertRaises(pypto.error.PyptoError) as caught:
                kernel(counted(16))
            self.assertEqual(caught.exception.code, "F00004")


if __name__ == "__main__":
    unittest.main()
