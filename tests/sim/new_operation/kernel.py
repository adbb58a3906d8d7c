"""A kernel with the operations that check_new_operation.py added."""
import ctypes
import importlib.util
import math

_find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "torch" else _find_spec(name, *rest)

import pypto  # noqa: E402


class Array:
    """Four rows of sixteen numbers, with the array interface."""

    def __init__(self, values):
        self.numbers = (ctypes.c_float * 64)(*values)
        self.__array_interface__ = {"data": (ctypes.addressof(self.numbers), False),
                                    "typestr": "<f4", "shape": (4, 16), "version": 3}


TENSOR = pypto.Tensor([4, 16], pypto.DT_FP32)


@pypto.frontend.jit
def kernel(x: TENSOR, signs: TENSOR, gammas: TENSOR):
    pypto.set_vec_tile_shapes(4, 16)
    signs[:] = pypto.test_sign(x)
    gammas[:] = pypto.operation.test_gamma(input=x)


x, signs, gammas = Array([(i + 1) / 8 for i in range(64)]), Array([]), Array([])
kernel(x, signs, gammas)
for i, value in enumerate(x.numbers):
    assert abs(signs.numbers[i] - value / (1 + abs(value))) < 1e-6, (i, signs.numbers[i])
    assert math.isclose(gammas.numbers[i], math.gamma(value), rel_tol=1e-6), (i, gammas.numbers[i])
assert pypto.test_sign.__doc__ == "test_sign(input)\n\nx / (1 + |x|)."
try:
    pypto.test_sign(1.0)
except Exception as error:
    assert "test_sign(): 'input' must be a tensor, not float" in str(error), error
else:
    raise AssertionError("a number was taken for a tensor")
print("both operations run")
