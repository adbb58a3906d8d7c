#!/usr/bin/env python3
"""Guards say something of sizes that nobody knows: multiples, bounds, equality.

    guards.py EVAL_DRIVE
"""
import sys

import assumptions

HEAD = """import os

import pypto
import torch

STATIC = pypto.STATIC


def test_kernel():
    kernel(torch.empty((int(os.environ["N"]), 64)), torch.empty((int(os.environ["M"]), 64)),
           torch.empty((int(os.environ["N"]), 32)), torch.empty((int(os.environ["N"]), 64)),
           int(os.environ["K"]))


@pypto.frontend.jit
def kernel(x: pypto.Tensor([STATIC, 64], pypto.DT_FP32), y: pypto.Tensor([STATIC, 64], pypto.DT_FP32),
           w: pypto.Tensor([STATIC, 32], pypto.DT_FP32), o: pypto.Tensor([STATIC, 64], pypto.DT_FP32),
           k: int):
    n = x.shape[0]
    m = y.shape[0]
    pypto.set_vec_tile_shapes(16, 64, 64)
"""

# (what is tried, body, {line of the body: rule})
CASES = (
    ("nothing is said", """
    o[:] = pypto.reshape(x, [n // 16 * 8, 64])
""", {}),
    ("as many elements, as the guard says", """
    assert n % 16 == 0 and n > 0
    o[:] = pypto.reshape(pypto.reshape(x, [n // 16, 16, 64]), [n, 64])
""", {}),
    ("half as many elements", """
    assert n % 16 == 0 and n > 0
    o[:] = pypto.reshape(pypto.reshape(x, [n // 16, 8, 64]), [n, 64])
""", {2: "KS09"}),
    ("half of nothing is nothing", """
    assert n % 16 == 0
    o[:] = pypto.reshape(pypto.reshape(x, [n // 16, 8, 64]), [n, 64])
""", {}),
    ("the guard raises", """
    if n % 16 != 0 or n < 1:
        raise ValueError("rows")
    o[:] = pypto.reshape(pypto.reshape(x, [n // 16, 8, 64]), [n, 64])
""", {3: "KS09"}),
    ("a remainder by itself", """
    if n % 16:
        raise ValueError("rows")
    assert 1 <= n
    o[:] = pypto.reshape(pypto.reshape(x, [n // 16, 8, 64]), [n, 64])
""", {4: "KS09"}),
    ("two sizes that only guards tell apart", """
    assert n % 16 == 0 and m == 24
    o[:] = x + y
""", {2: "KS05"}),
    ("two sizes that guards do not tell apart", """
    assert n % 8 == 0 and m == 24
    o[:] = x + y
""", {}),
    ("sizes that a guard makes equal", """
    assert n == m and n > 1
    o[:] = x + pypto.view(y, [n + 1, 64], [0, 0])
""", {2: "KS05"}),
    ("one row goes with any number of rows", """
    assert n == m
    o[:] = x + pypto.view(y, [n + 1, 64], [0, 0])
""", {}),
    ("a size that a guard fixes", """
    assert n == 32
    o[:] = x + pypto.full([16, 64], 0.0, pypto.DT_FP32)
""", {2: "KS05"}),
    ("a size that a guard fixes, reshaped", """
    assert n + 16 == 24
    z = pypto.reshape(x, [n, 1, 64])
    z = pypto.reshape(x, [n // 8 * 4, 1, 128])
    o[:] = x + x
""", {}),
    ("the condition is asked again", """
    assert n % 32 == 0
    if n % 16 != 0:
        o[:] = x + w
    else:
        o[:] = x + x
""", {}),
    ("an assert that the guard before it makes fail", """
    assert n % 32 == 0
    assert n % 8 == 4
    o[:] = x + x
""", {2: "KS20"}),
    ("a multiple of two numbers", """
    assert n % 16 == 0 and n % 24 == 0
    assert n % 48 == 0
    assert n // 16 % 3 == 1
    o[:] = x + x
""", {3: "KS20"}),
    ("an int parameter that may be negative", """
    assert k % 16 == 0
    assert k // 16 * 16 == k
    assert (k + 16) // 8 * 8 != k + 16
    o[:] = x + x
""", {3: "KS20"}),
    ("what a multiple leaves", """
    assert k % 16 == 0 and k >= 0
    assert (k + 4) % 16 == 4 and (k + 36) // 16 == k // 16 + 2
    assert (k + 4) % 8 == 3
    o[:] = x + x
""", {3: "KS20"}),
    ("floors of a negative number", """
    assert k // 4 * 4 + k % 4 == k
    assert k % 4 < 4
    assert k % 4 > 3
    o[:] = x + x
""", {3: "KS20"}),
    ("only one side of a condition says it", """
    if k > 8:
        assert n % 16 == 0 and n > 0
    o[:] = pypto.reshape(pypto.reshape(x, [n // 16, 8, 64]), [n, 64])
""", {}),
    ("what a loop says is not said before it", """
    o[:] = x + x
    for i in pypto.loop(4):
        z = pypto.reshape(x, [n // 16, 8, 64])
        if pypto.cond(i == 0):
            assert n % 16 == 0 and n > 0
            pypto.reshape(x, [n // 16, 8, 64])
        o[:] = x + x
""", {6: "KS09"}),
)


if __name__ == "__main__":
    sys.exit(assumptions.main(HEAD, CASES))
