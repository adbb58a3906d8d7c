#!/usr/bin/env python3
"""What a language server asks: the innermost fact at a byte of a kernel; and what is known after calls,
operators and loops whose rules are easily got wrong.

    facts.py EVAL_DRIVE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = """import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([64, 48], pypto.DT_FP32), y: pypto.Tensor([64, 48], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 48)
    rows = x.shape[0]
    half = pypto.exp(pypto.view(x, [rows, 48], [0, 0]))
    y[:] = half
"""
# (text, occurrence of its first byte, what is known there)
EXPECTED = (("rows =", "int   64"), ("half =", "tensor [64, 48] DT_FP32"),
            ("pypto.exp", "tensor [64, 48] DT_FP32"), ("pypto.view", "tensor [64, 48] DT_FP32"),
            ("pypto.set_vec", "None   None"))


HEAD = """import pypto
import torch


@pypto.frontend.jit
def kernel(x: pypto.Tensor([64, 48], pypto.DT_FP32), y: pypto.Tensor([64, 48], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 48)
"""
# Code of the kernel above; what is known of names, worked out by hand. None: must not be known.
KERNELS = (
    ("a statistic drops its axes, or keeps them as 1", """
    first = pypto.var(x, 0)
    last = pypto.var(x, -1)
    listed = pypto.var(x, [1])
    kept = pypto.var(x, [0, 1], keepdim=True)
""", {"first": "tensor [48] DT_FP32", "last": "tensor [64] DT_FP32", "listed": "tensor [64] DT_FP32",
      "kept": "tensor [1, 1] DT_FP32"}),
    ("a method that only sets how a tensor is kept", """
    pypto.get_vec_tile_shapes()
    window = x[:16, :] + 1.0
    window.set_cache_policy(pypto.CachePolicy.NONE_CACHEABLE, True)
    after = pypto.exp(window)
""", {"after": "tensor [16, 48] DT_FP32"}),
    ("functions of submodules", """
    one = pypto.operation.exp(x)
    two = pypto.op.math.exp(x)
""", {"one": "tensor [64, 48] DT_FP32", "two": "tensor [64, 48] DT_FP32"}),
    ("nobody knows whether the axis is kept", """
    open = pypto.var(x, 0, keepdim=torch.kept)
""", {"open": None}),
    ("nobody knows the second axis", """
    open = pypto.var(x, [1, torch.which])
""", {"open": None}),
    ("nobody knows whether they are equal", """
    open = 3 if [torch.kept] == [1] else 4
    other = 3 if [1] == [torch.kept] else 4
""", {"open": None, "other": None}),
    ("numbers of a range", """
    upto = pypto.arange(6)
    steps = pypto.arange(2, 9, 3)
    reals = pypto.arange(0, 1.0, 0.25)
""", {"upto": "tensor [6] DT_INT32", "steps": "tensor [3] DT_INT32", "reals": "tensor [4] DT_FP32"}),
    ("starred arguments", """
    both = (x, 1)
    spread = pypto.var(*both, keepdim=True)
""", {"spread": "tensor [64, 1] DT_FP32"}),
    ("behind a star of unknown length no argument has a known place", """
    both = (x, 1)
    open = pypto.var(*torch.parts, *both)
""", {"open": None}),
    ("plain functions of the package", """
    trips = pypto.ceildiv(70, 16)
    size = pypto.bytes_of(pypto.DT_FP16)
    named = pypto.ceildiv(a=trips, b=2)
    after = pypto.exp(x)
""", {"trips": "int 5", "size": "int 2", "named": "int 3", "after": "tensor [64, 48] DT_FP32"}),
    ("equal values", """
    floats = 3 if 0.5 == 0.5 else 4
    nested = 3 if [1, "a", (2, None)] == [1, "a", (2, None)] else 4
    longer = 3 if [1, 2] == [1, 2, 3] else 4
    texts = 3 if "a" == "b" else 4
    none = 3 if None == 0 else 4
    members = 3 if x.dtype == pypto.DT_FP32 else 4
""", {"floats": "int 3", "nested": "int 3", "longer": "int 4", "texts": "int 4", "none": "int 4",
      "members": "int 3"}),
    ("the factor 1 alone, and behind another", """
    for i, k in pypto.loop_unroll(0, 64, 16, unroll_list=[1]):
        once = pypto.exp(pypto.view(x, [16, 48], [i, 0]))
        one = k + 4
        y[i:i + 16, :] = once
    for i, k in pypto.loop_unroll(0, 64, 16, unroll_list=[2, 1]):
        twice = k + 4
        y[i:i + 16, :] = pypto.exp(pypto.view(x, [16, 48], [i, 0]))
    after = 2 + 3
""", {"once": "tensor [16, 48] DT_FP32", "one": "int 5", "twice": "int 6 | 5", "after": "int 5"}),
)
HOST = """import pypto
import torch


@pypto.frontend.jit
def kernel(x: pypto.Tensor([], pypto.DT_FP32), y: pypto.Tensor([], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 48)
    seen = pypto.exp(x)
    y[:] = seen


def wrapper():
    whole = torch.empty(4, 3, dtype=torch.int32)
    a = %s
    kernel(a, torch.empty(4, 3))
"""
WRONG = "argument 'x': it is DT_INT32"
# What a wrapper gives the kernel; what is known of it there; is it certainly of the wrong type?
OPERATORS = (
    ("torch.empty(4, 3) * 2", "tensor [4, 3] DT_FP32", False),
    ("2 - torch.empty(4, 3)", "tensor [4, 3] DT_FP32", False),
    ("torch.empty(4, 3) ** 0.5", "tensor [4, 3] DT_FP32", False),
    ("torch.empty(4, 3) / torch.empty(4, 3)", "tensor [4, 3] DT_FP32", False),
    ("torch.empty(4, 1) + torch.empty(1, 5)", "tensor [4, 5] DT_FP32", False),
    ("torch.empty(4, 3) @ torch.empty(3, 6)", "tensor [4, 6] DT_FP32", False),
    ("whole", None, True),
    ("whole * whole", None, True),
    ("whole + 1", None, True),
    ("whole + 1.5", None, False),  # torch makes float32 of it
    ("whole / whole", None, False),
    ("whole / 2", None, False),
)


def ask(program, text):
    """(what is known by byte, everything that was printed)"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel_impl.py")
        path.write_text(text, encoding="utf-8")
        out = subprocess.run([program, "--facts", str(path)], stdout=subprocess.PIPE, encoding="utf-8",
                             check=True).stdout
    known = {}
    for line in out.splitlines()[1:]:
        place, what = line.strip().split(": ", 1)
        known[place] = " ".join(what.split())
    return known, out


def misjudged(program):
    """What is wrong with KERNELS and OPERATORS."""
    for why, code, names in KERNELS:
        text = HEAD + code.strip("\n") + "\n"
        known, out = ask(program, text)
        for name, fact in names.items():
            got = known.get(str(text.index(f" {name} = ") + 1), "")
            if got != fact if fact is not None else re.search(r"\d", got):
                yield f"{why}: {name}: {got!r}, not {fact!r}\n{out}"
    for code, fact, wrong in OPERATORS:
        text = HOST % code
        known, out = ask(program, text)
        got = known.get(str(text.index("seen = ")), "")
        if fact is not None and got != fact:
            yield f"{code}: {got!r}, not {fact!r}\n{out}"
        if (WRONG in out) != wrong:
            yield f"{code}: wrong type {WRONG in out}, not {wrong}\n{out}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel_impl.py")
        path.write_text(PROGRAM, encoding="utf-8")
        out = subprocess.run([sys.argv[1], "--facts", str(path)], stdout=subprocess.PIPE, encoding="utf-8",
                             check=True).stdout
    found = dict(line.strip().split(": ", 1) for line in out.splitlines()[1:])
    wrong = [(text, found.get(str(PROGRAM.index(text)))) for text, known in EXPECTED
             if found.get(str(PROGRAM.index(text)), "").strip() != known]
    for text, got in wrong:
        print(f"{text}: {got}")
    # After the inner call the outer one counts again.
    if str(PROGRAM.index(", [rows") + len(", [rows, 48], [0, 0])")) not in found:
        wrong.append("the end of the inner call")
        print(out)
    for line in misjudged(sys.argv[1]):
        print(line)
        wrong.append(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
