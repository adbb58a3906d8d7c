#!/usr/bin/env python3
"""Windows that leave their tensors, in random programs: views of views, valid parts, loops and conditions.

    windows.py PYPTO_LINT --pypto 9.1|9.2 [--programs N] [--seed N] [--list]

All sizes are known. A program that the simulator refuses must have a failing finding with the same code (up to one in
twenty may be missed); a program that runs must have none. Lines are not compared: a loop may have several such windows.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from verdicts import checked, refusals

PROGRAM = """\
import torch
import torch_npu
import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([%(axis)s, 64], pypto.DT_FP32), y: pypto.Tensor([%(axis)s, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    n = x.shape[0]
%(body)s

kernel(torch.zeros(72, 64), torch.zeros(72, 64))
"""


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.indexes = []

    def line(self, text, indent):
        self.lines.append("    " * indent + text)

    def offset(self, room):
        """A row offset that mostly stays within `room` rows."""
        rng = self.rng
        terms = ["%s * %d" % (index, rng.choice([0, 4, 8, 12, 16, 24])) for index in self.indexes]
        first = rng.choice([0, 0, 0, 4, 8, max(room, 0), max(room, 0) // 2])
        if terms and rng.random() < 0.1:
            terms[-1] = "%d - %s" % (rng.choice([16, 24, 32]), terms[-1])
        return " + ".join(terms + ([str(first)] if first or not terms else []))

    def loops(self):
        """Opens loops and conditions; the indent of what is inside."""
        rng, indent = self.rng, 1
        for index in "ij"[:rng.choice([0, 1, 1, 1, 2, 2])]:
            trips = rng.choice([2, 3, 4])
            self.line("for %s in pypto.loop(%s):" % (index, rng.choice([str(trips), "0, %d, 1" % trips, "(n + 23) // 24"])),
                      indent)
            indent += 1
            self.indexes.append(index)
            if rng.random() < 0.35:
                self.line("if %s %s %d:" % (index, rng.choice(["<", "==", ">", ">=", "<=", "!="]), rng.randrange(trips)),
                          indent)
                indent += 1
        return indent

    def text(self):
        rng = self.rng
        outside = rng.random() < 0.25
        source, rows = "x", 72
        if outside:  # a view that the loops share
            self.line("t = pypto.view(x, [%d, 64], [%d, 0])" % (40, rng.choice([0, 16, 32, 40])), 1)
            source, rows = "t", 40
        indent = self.loops()
        for name in "uvw"[:rng.randrange(3)]:
            less = rng.choice([size for size in (48, 40, 32, 24, 16) if size <= rows])
            self.line("%s = pypto.view(%s, [%d, 64], [%s, 0])%s" % (
                name, source, less, self.offset(rows - less), rng.choice(["", "", "", "", " * 2.0"])), indent)
            source, rows = name, less
            if rng.random() < 0.1:
                self.line("pypto.assemble(pypto.full([8, 64], 1.0, pypto.DT_FP32), [0, 0], x)", indent)
        valid = rng.choice(["16", "16", "8", "12", "pypto.min(16, %d)" % rows, "pypto.min(n - %d, 16)" % rng.choice([56, 60, 66])])
        self.line("z = pypto.view(%s, [16, 64], [%s, 0], valid_shape=[%s, 64])" % (source, self.offset(rows - 16), valid),
                  indent)
        self.line("pypto.assemble(z * 2.0, [%s, 0], y)" % self.offset(56), indent)
        return PROGRAM % {"axis": rng.choice(["72", "pypto.STATIC", "pypto.DYNAMIC"]),
                          "body": "".join("    " * bool(line) + line[4:] + "\n" for line in self.lines)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--pypto", default="9.2")
    parser.add_argument("--programs", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="programs that are missed")
    options = parser.parse_args()
    names = ["w%d" % (options.seed + i) for i in range(options.programs)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        texts = {one: Program(random.Random(one)).text() for one in names}
        for one, text in texts.items():
            (folder / (one + ".py")).write_text(text, encoding="utf-8")
        refused = refusals(options.binary, folder, names, options.pypto)
        found = checked(options.binary, folder, options.pypto)
    wrong, missed, count = [], [], 0
    for one in names:
        code, said = refused[one]
        fails = found.get(one, [])
        count += code is not None
        if code is None and fails:
            wrong.append("%s: it runs, and the linter says %s\n%s" % (one, fails, texts[one]))
        elif code is not None and not any(code in text for text in fails):
            (wrong if fails else missed).append("%s: the simulator says %s, the linter %s\n%s\n%s" % (
                one, code, fails or "nothing", said[-300:], texts[one]))
    print("\n".join(wrong[:5] + missed * options.list))
    print("%d programs, %d refused, %d of them missed, %d wrong" % (len(names), count, len(missed), len(wrong)))
    return 1 if wrong or len(missed) * 20 > count or count * 5 < len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
