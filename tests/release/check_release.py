#!/usr/bin/env python3
"""Two release binaries, built in different folders, must be the same to the byte.

Usage: check_release.py [KEPT]

They must be static programs (no loader is asked for), too, hold no path of the machine, and lint. One
is taken from the folder KEPT if it has one of the same sources: test_pre_commit.py of tests/clients lets the
hook build it in a copy of the tree. The other is built here, and its objects may come from ccache, which has
them from builds in further folders; the copies of the tree have paths of different lengths.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

from release_tree import ROOT, build, kept_program

PT_DYNAMIC, PT_INTERP = 2, 3


def segment_types(elf):
    assert elf[:5] == b"\x7fELF\x02", "not a 64-bit ELF file"
    offset, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    return {struct.unpack_from("<I", elf, offset + i * size)[0] for i in range(count)}


def complaints(program, code, places):
    found = []
    if segment_types(code) & {PT_DYNAMIC, PT_INTERP}:
        found.append("is not static")
    found += [f"holds the path {path}" for path in places if path.encode() in code]
    done = subprocess.run([program, ROOT / "examples/custom"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        found.append(f"lints badly: exit status {done.returncode}")
    return [f"{program} {what}" for what in found]


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix="pypto-release-") as base:
        kept = kept_program(sys.argv[1], "hook") if len(sys.argv) > 1 else None
        if kept is None or not kept.is_file():
            kept = build(pathlib.Path(base, "a"))
        programs = [kept, build(pathlib.Path(base, "another place/b"), "-DPYPTO_LINT_CCACHE=ON")]
        for program in programs:
            print(f"{program}: {program.stat().st_size} bytes")
        first, second = (program.read_bytes() for program in programs)
        if first != second:
            at = next((i for i, (a, b) in enumerate(zip(first, second)) if a != b), min(map(len, (first, second))))
            problems.append(f"the binaries differ ({len(first)} and {len(second)} bytes), first at {at}")
        for program, code in zip(programs, (first, second)):
            problems += complaints(program, code, (base, str(ROOT) + "/"))
    print("\n".join(problems) or "reproducible and static")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
