#!/usr/bin/env python3
"""Random kernels under the simulator for 64-bit ARM and under that for this machine: the same elements, bit for bit, and the same
refusals.

Usage: test_kernels_aarch64.py NATIVE BUILD [COUNT]

NATIVE is build/dev, BUILD is build/dev-aarch64, whose sysroot has a Python with torch (scripts/sysroot.sh build/sysroot-arm64
python3-torch python3-numpy); without it the status is 77. Kernels and inputs are made here and handed to both, as pseudo-random
numbers of torch are not the same on both machines. One thing is not compared: which of the many NaNs a NaN is.
"""
import collections
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/sim/oracle"))
import needs  # noqa: E402,F401
from compare import bits  # noqa: E402
from generate import generate  # noqa: E402
from python_aarch64 import python_of  # noqa: E402
from reject import rejected  # noqa: E402
from simulator import Simulator  # noqa: E402
from target import Target  # noqa: E402

REJECTED = 15  # percent
VERSIONS = ["9.1", "9.2"]


def sysroot_of(build):
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return pathlib.Path(os.path.realpath(re.search(r"^PYPTO_LINT_SYSROOT:PATH=(.*)$", text, re.M)[1]))


class OfBuild(Target):
    """The target with the simulator of a build."""

    def __init__(self, version, build):
        super().__init__(version)
        self.build = build

    def environment(self):
        return {**super().environment(), "PYTHONPATH": str(self.build / "share/pypto-lint/sim"), "OMP_NUM_THREADS": "1"}


def difference(ours, theirs):
    """What differs between two results, or None."""
    if ours[:2] != theirs[:2] if ours[0] != "ok" else theirs[0] != "ok":
        return f"{ours[:2] if ours[0] != 'ok' else 'ok'}, on ARM {theirs if theirs[0] != 'ok' else 'ok'}"
    if ours[0] != "ok":
        return None if ours[2] == theirs[2] else f"{ours[2]}, on ARM {theirs[2]}"
    for number, (here, there) in enumerate(zip(ours[1], theirs[1])):
        wrong = (bits(here) != bits(there)).any(-1)
        if here.shape != there.shape or wrong.any():
            return f"tensor {number}: {int(wrong.sum())} of {wrong.size} elements differ"
    return None


def compare(version, native, build, python, seeds, tally):
    ours = Simulator(OfBuild(version, native))
    theirs = Simulator(OfBuild(version, build), python)
    wrong = 0
    for seed in seeds:
        kernel = (rejected if seed * 7919 % 100 < REJECTED else generate)(seed, ours.target)
        theirs.start(kernel)
        here = ours.run(kernel)
        found = difference(here, theirs.finish())
        tally[here[0]] += 1
        tally["elements"] += sum(array.size for array in here[1]) if here[0] == "ok" else 0
        if found:
            wrong += 1
            print(f"{version}, seed {seed}: {found}", flush=True)
    ours.close()
    theirs.close()
    return wrong


def main():
    native, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    python = python_of(sysroot_of(build))
    if python is None:
        print("no Python with torch for ARM: no kernel was run there")
        return 77
    tally, wrong = collections.Counter(), 0
    for number, version in enumerate(VERSIONS):
        wrong += compare(version, native, build, python, range(1 + number, count + 1, len(VERSIONS)), tally)
    print(f"{tally['ok'] + tally['error']} kernels, {tally['error']} refused, {tally['elements']} elements compared, "
          f"{wrong} kernels differ")
    return 1 if wrong or tally["crash"] or tally["ok"] < count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
