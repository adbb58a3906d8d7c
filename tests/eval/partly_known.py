#!/usr/bin/env python3
"""Operations and sequences of which only a part is known: each check asks for what it needs.

    partly_known.py EVAL_DRIVE
"""
import sys

import assumptions

HEAD = """import pypto
from nowhere_to_be_found import kind, size, items


@pypto.frontend.jit
def kernel(any: pypto.Tensor([8, 4]), flag: pypto.Tensor([8, 4], pypto.DT_BOOL),
           deep: pypto.Tensor([2, 2, 2, 2, 2]), bytes_: pypto.Tensor([21], pypto.DT_UINT8),
           open: pypto.Tensor([64]), some: pypto.Tensor([size], pypto.DT_UINT8),
           half: pypto.Tensor([8], pypto.DT_FP16), o: pypto.Tensor([8, 4], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8)
"""

# (what is tried, body, {line of the body: rule})
CASES = (
    ("bytes of a data type that is not known", """
    raw = pypto.pack(any)
    x = pypto.reshape(raw, [2, 16])
""", {}),
    ("lists of different length, whatever the tensor is", """
    pypto.view(kind, [2, 2], [0])
    pypto.view(kind, [2, size], [0, size])
    pypto.view(kind, [2, *items], [0])
    pypto.view(kind, items, [0])
""", {1: "KS09"}),
    ("the edges of a loop are symbols, whatever its bounds are", """
    for i in pypto.loop(size):
        if pypto.is_loop_begin(i):
            pypto.assemble(pypto.cast(half, pypto.DT_FP32), [0], half)
        if pypto.is_loop_end(i):
            pypto.assemble(pypto.cast(half, pypto.DT_FP32), [0], half)
        if i * size == 8:
            pypto.assemble(pypto.cast(half, pypto.DT_FP32), [0], half)
""", {3: "KS09", 5: "KS09"}),
    ("bytes of bools", """
    pypto.pack(flag)
""", {1: "KS09"}),
    ("bytes of five axes", """
    pypto.pack(deep)
""", {1: "KS09"}),
    ("packed bytes have one axis, whatever they were", """
    raw = pypto.pack(any)
    pypto.view(raw, [2, 2], [0, 0])
""", {2: "KS09"}),
    ("elements of a data type that is not known", """
    pypto.unpack(bytes_, kind)
    pypto.unpack(some, pypto.DT_FP16)
    pypto.unpack(open, pypto.DT_FP16)
""", {}),
    ("a data type that nothing unpacks to", """
    pypto.unpack(open, pypto.DT_BOOL)
""", {1: "KS09"}),
    ("half numbers unpacked to something", """
    pypto.unpack(half, kind)
""", {1: "KS09"}),
    ("two axes unpacked to something", """
    pypto.unpack(any, kind)
""", {1: "KS09"}),
    ("bytes that are no whole elements", """
    pypto.unpack(bytes_, pypto.DT_FP16)
""", {1: "KS09"}),
    ("a tile that is no whole element", """
    pypto.set_vec_tile_shapes(9)
    pypto.unpack(some, pypto.DT_FP32)
""", {2: "KS09"}),
    ("a tile and nothing else that is known", """
    pypto.set_vec_tile_shapes(9)
    pypto.unpack(pypto.view(some, items, items), pypto.DT_FP32)
""", {2: "KS09"}),
    ("the first items of a list that is not known", """
    first, *rest = items
    o[:] = pypto.add(o, first)
""", {}),
    ("the tail of a list that is known", """
    first, *rest = [1, 2, half]
    o[:] = pypto.add(o, rest[1])
""", {2: "KS04"}),
    ("a list with something unknown in the middle", """
    x, y, z = [half, size, o]
    o[:] = pypto.add(z, x)
""", {2: "KS04"}),
    ("a list of unknown length in a list", """
    first, *rest = [half, *items]
    o[:] = pypto.add(o, first)
""", {}),
    ("a dict built from others: the last entry wins", """
    sizes = {"rows": 4, "a": half}
    more = {**sizes, "a": o, **{"b": half, "c": o}}
    pypto.set_vec_tile_shapes(8, 8)
    o[:] = pypto.add(more["a"], more["c"])
    o[:] = pypto.add(more["a"], more["b"])
""", {5: "KS04"}),
    ("a dict with one that is not known", """
    more = {"a": half, **items}
    o[:] = pypto.add(o, more["a"])
""", {}),
    ("two functions that exist only as methods", """
    pypto.set_vec_tile_shapes(8, 8)
    o.fill_(1.0)
    o.tril_(1.5)
""", {3: "KS04"}),
    ("arguments from a list of which one item is not known", """
    pypto.add(*[o, size])
    pypto.add(*[o, half])
""", {2: "KS04"}),
)


if __name__ == "__main__":
    sys.exit(assumptions.main(HEAD, CASES))
