#!/usr/bin/env python3
"""Axes that an annotation lists, although the rank is not known without a launch.

    listed_axes.py EVAL_DRIVE
"""
import sys

import assumptions

HEAD = """import pypto
from nowhere_to_be_found import change, rows, kind


@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16),
           r: pypto.Tensor([pypto.STATIC, ...], pypto.DT_FP16),
           sized: pypto.Tensor([rows, 64], pypto.DT_FP32),
           untyped: pypto.Tensor([rows, 64], kind),
           four: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP4_E2M1X2),
           o: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16)):
    pypto.set_vec_tile_shapes(8, 64)
"""

# (what is tried, body, {line of the body: rule})
CASES = (
    ("a dynamic axis is a symbol", """
    for i in range((x.shape[0] + 7) // 8):
        pass
""", {1: "KS12"}),
    ("a fixed one is a number", """
    for i in range(x.shape[1] // 64):
        part = pypto.view(x, [8, 64], [0, 0])
        part.no_such_method()
""", {3: "KS01"}),
    ("both by unpacking", """
    rows, columns = x.shape
    pypto.view(x, [rows, columns], [0, 0])
    for i in range(columns):
        pass
""", {2: "KS09"}),
    ("the last axis of four-bit numbers is twice as long", """
    assert four.shape[1] == 128
""", {}),
    ("another number of names is the rank that it may have", """
    first, second, third = x.shape
    for i in range(third):
        pass
    for i in range((first + 7) // 8):
        pass
""", {4: "KS12"}),
    ("fewer names than axes", """
    (rows,) = x.shape
    for i in range(rows):
        pass
""", {}),
    ("an axis that is not listed may be anything", """
    for i in range(x.shape[2]):
        pass
    for i in range(x.shape[-1]):
        pass
    for i in range(r.shape[1]):
        pass
""", {}),
    ("a move may change the shape", """
    part = pypto.view(x, [8, 64], [0, 0])
    x[:] = part
    for i in range((x.shape[0] + 7) // 8):
        pass
""", {}),
    ("so may a method that works in place", """
    x.move(o)
    for i in range((x.shape[0] + 7) // 8):
        pass
""", {}),
    ("so may one that exists only as a method", """
    x.fill_(1.0)
    for i in range((x.shape[0] + 7) // 8):
        pass
""", {}),
    ("so may a function that is not known", """
    change(x)
    for i in range((x.shape[0] + 7) // 8):
        pass
""", {}),
    ("the last of more axes than those listed", """
    last = x.shape.pop()
    assert last == 128
""", {}),
    ("an item from the end", """
    s = x.shape
    s[-1] = 32
    pypto.add(pypto.view(o, [8, 64], [0, 0]), pypto.view(o, [8, s[1]], [0, 0]))
""", {}),
    ("an item after those listed", """
    s = x.shape
    s.append(3)
    assert s[2] == 128
    s = x.shape
    s += [3]
    assert s[2] == 128
""", {}),
    ("an order from the end", """
    s = x.shape
    s.insert(-1, 3)
    assert s[1] == 128
    s = x.shape
    s.reverse()
    assert s[0] == 128
""", {}),
    ("a size beside one that is not known", """
    assert sized.shape[1] == 64
    assert sized.shape[1] == 32
""", {2: "KS20"}),
    ("its data type", """
    pypto.add(pypto.full([8, 64], 1.0, sized.dtype), pypto.full([8, 64], 1.0, pypto.DT_FP16))
""", {1: "KS04"}),
    ("the size that is not known", """
    assert sized.shape[0] == 64
    for i in range(sized.shape[0]):
        pass
    for i in range(sized.shape[2]):
        pass
""", {}),
    ("four-bit numbers, perhaps", """
    assert untyped.shape[1] == 128
    pypto.add(pypto.full([8, 64], 1.0, untyped.dtype), pypto.full([8, 64], 1.0, pypto.DT_FP16))
""", {}),
    ("the list is a copy", """
    s = x.shape
    s[0] = 4
    for i in range((x.shape[0] + 7) // 8):
        pass
""", {3: "KS12"}),
)

if __name__ == "__main__":
    sys.exit(assumptions.main(HEAD, CASES))
