#!/usr/bin/env python3
"""Conditions that are not known: a finding counts when it holds whatever they are.

    assumptions.py EVAL_DRIVE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = """import torch

import pypto
from nowhere_to_be_found import config, flag


@pypto.frontend.jit
def kernel(a: pypto.Tensor([16, 64], pypto.DT_FP32), b: pypto.Tensor([64, 32], pypto.DT_FP32),
           half: pypto.Tensor([16, 64], pypto.DT_FP16), o: pypto.Tensor([16, 64], pypto.DT_FP32)):
"""

# Two sides, and then a sum that is wrong whatever `x` is.
SIDES = """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        %s
    else:
        %s
    o[:] = x + half
"""
# (what is tried, body, {line of the body: rule})
CASES = (
    ("both sides are right", """
    if flag:
        pypto.set_vec_tile_shapes(16, 64)
    else:
        pypto.set_vec_tile_shapes(8, 64)
    o[:] = a + a
""", {}),
    ("one side is wrong", """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        o[:] = a + half
    else:
        o[:] = a + a
""", {}),
    ("something is wrong after both sides", SIDES % ("x = a * 2.0", "x = a * 3.0"), {6: "KS04"}),
    ("the tile is set on one side only", """
    if flag:
        pypto.set_vec_tile_shapes(16, 64)
    o[:] = a + a
""", {}),
    ("both sides set a tile of too few entries", """
    if flag:
        pypto.set_vec_tile_shapes(64)
    else:
        pypto.set_vec_tile_shapes(16)
    o[:] = a + a
""", {5: "KS08"}),
    ("the side that would be right raises", """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        raise ValueError("not this")
    o[:] = a + half
""", {4: "KS04"}),
    ("two conditions that exclude each other", """
    pypto.set_vec_tile_shapes(16, 64)
    x = half if flag else pypto.cast(half, pypto.DT_FP32)
    if not flag:
        o[:] = a + x
""", {}),
    ("before the condition something is wrong", """
    pypto.set_vec_tile_shapes(16, 64)
    x = a + half
    if flag:
        o[:] = a + a
""", {2: "KS04"}),
    ("more conditions than there are sets", """
    pypto.set_vec_tile_shapes(16, 64)
    if config.a:
        x = a
    if config.b:
        x = a
    if config.c:
        x = a
    if config.d:
        x = a
    if config.e:
        x = a
    o[:] = a + half
""", {}),
    ("a loop in which the condition is asked", """
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4):
        if flag:
            o[:] = a + a
        else:
            o[:] = a * 2.0
        x = a + half
""", {7: "KS04"}),
    ("unwritten memory is read after the condition", """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        pypto.set_vec_tile_shapes(8, 64)
    for i in pypto.loop(4):
        part = pypto.tensor([16, 64], pypto.DT_FP32)
        o[:] = part + a
""", {6: "KS15"}),
    ("unwritten memory is read after the condition in a loop without iterations", """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        pypto.set_vec_tile_shapes(8, 64)
    for i in pypto.loop(4, 4):
        part = pypto.tensor([16, 64], pypto.DT_FP32)
        o[:] = part + a
""", {}),
    ("a name that two conditions bind, without a last side", """
    pypto.set_vec_tile_shapes(16, 64)
    if config.mode == 0:
        x = a * 2.0
    elif config.mode == 1:
        x = a * 3.0
    o[:] = x + half
""", {6: "KS04"}),
    ("the same, and one of the sides is right", """
    pypto.set_vec_tile_shapes(16, 64)
    if config.mode == 0:
        x = a * 2.0
    elif config.mode == 1:
        x = half * 3.0
    o[:] = x + half
""", {}),
    ("the first side leaves the name unbound", SIDES % ("y = a * 2.0", "x = a * 3.0"), {6: "KS04"}),
    ("the name is not read where nothing binds it", """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        x = a * 2.0
    if flag:
        o[:] = x + half
    else:
        o[:] = a * 2.0
""", {}),
    ("no side binds the name", """
    pypto.set_vec_tile_shapes(16, 64)
    if flag:
        y = a * 2.0
    else:
        y = a * 3.0
    if config.mode == 0:
        o[:] = y + half
    z = x + y
    x = y
""", {8: "KS15"}),
    ("a nested function reads a name that one side binds", """
    pypto.set_vec_tile_shapes(16, 64)
    def scaled(t):
        return t * factor
    if flag:
        factor = 2.0
    x = scaled(a)
    o[:] = x + half
""", {}),
    ("unwritten memory is surely read on one side only", """
    pypto.set_vec_tile_shapes(16, 64)
    n = 0
    if flag:
        n = 4
    for i in pypto.loop(n):
        part = pypto.tensor([16, 64], pypto.DT_FP32)
        o[:] = part + a
""", {}),
)


def main(head, cases):
    """Evaluates each body below the head; 1 when a finding of it is not the expected one."""
    wrong, first = 0, head.count("\n")
    with tempfile.TemporaryDirectory() as name:
        for number, (what, body, expected) in enumerate(cases):
            path = pathlib.Path(name) / f"case_{number}.py"
            path.write_text(head + body[1:], encoding="utf-8")
            done = subprocess.run([sys.argv[1], str(path)], stdout=subprocess.PIPE,
                                  encoding="utf-8", check=True)
            found = {int(line) - first: rule for line, rule in
                     re.findall(r"^  (\d+): (KS\d\d) certain", done.stdout, re.M)}
            if found != expected:
                wrong += 1
                print(f"{what}: expected {expected}, found {found}\n{done.stdout}")
    print(f"{len(cases)} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(HEAD, CASES))
