#!/usr/bin/env python3
"""Arguments of a pypto.frontend.function: number, kind, rank, sizes, data type.

    nested.py EVAL_DRIVE
"""
import sys

import assumptions

HEAD = """import pypto
from nowhere_to_be_found import kind, size


@pypto.frontend.function
def step(a: pypto.Tensor([16, ...], pypto.DT_FP32), out: pypto.Tensor([16, 64]), rows: int, flag: bool):
    out[:] = a + pypto.full([16, 64], 1.0, pypto.DT_FP32) + rows


@pypto.frontend.jit
def kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), h: pypto.Tensor([16, 64], pypto.DT_FP16),
           w: pypto.Tensor([8, 64], pypto.DT_FP32), v: pypto.Tensor([64], pypto.DT_FP32),
           any: pypto.Tensor([16, 64]), open: pypto.Tensor([size, 64], pypto.DT_FP32),
           o: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
"""

# (what is tried, body, {line of the body: rule})
CASES = (
    ("everything fits", "\n    step(x, o, 4, True)\n", {}),
    ("a bool is an int", "\n    step(x, o, True, False)\n", {}),
    ("an argument is missing", "\n    step(x, o, 4)\n", {1: "KS02"}),
    ("one too many", "\n    step(x, o, 4, True, 1)\n", {1: "KS02"}),
    ("by keyword", "\n    step(x, o, 4, flag=True)\n", {1: "KS02"}),
    ("another data type", "\n    step(h, o, 4, True)\n", {1: "KS17"}),
    ("another size", "\n    step(w, o, 4, True)\n", {1: "KS17"}),
    ("another size where no data type is stated", "\n    step(x, w, 4, True)\n", {1: "KS17"}),
    ("too few axes", "\n    step(x, v, 4, True)\n", {1: "KS17"}),
    ("a number for a tensor", "\n    step(1.0, o, 4, True)\n", {1: "KS17"}),
    ("a tensor for a number", "\n    step(x, o, x, True)\n", {1: "KS17"}),
    ("a float for an int", "\n    step(x, o, 4.0, True)\n", {1: "KS17"}),
    ("an int for a bool", "\n    step(x, o, 4, 1)\n", {1: "KS17"}),
    ("nothing is known of them", "\n    step(any, o, size, kind)\n    step(kind, o, 4, True)\n", {}),
    ("one mistake is one finding", "\n    step(h, o, 4, True)\n    x + w\n", {1: "KS17", 2: "KS05"}),
    ("sizes and data types flow into the body", """
    y = pypto.view(x, [16, 32], [0, 0])
    step(y, o, 4, True)
""", {-8: "KS05"}),
)


if __name__ == "__main__":
    sys.exit(assumptions.main(HEAD, CASES))
