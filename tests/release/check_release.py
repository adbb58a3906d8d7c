#!/usr/bin/env python3
"""Builds the release binary in two folders and compares.

Usage: check_release.py [KEPT]

The two copies of the tree have paths of different lengths. The binaries must be the same to the
byte, be static programs (no loader is asked for), hold no path of the machine, and lint. One of the
two is taken from the folder KEPT if it has one of the same sources: test_pre_commit.py builds it there
in its own way, in a cache.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from release_tree import BUILT_FROM, ROOT, kept_program

PT_DYNAMIC, PT_INTERP = 2, 3


def build(folder):
    for part in BUILT_FROM:
        source, target = ROOT / part, folder / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for command in (["cmake", "--preset", "release"],
                    ["cmake", "--build", "--preset", "release", "--target", "pypto-lint",
                     "-j", str(os.cpu_count() or 2)]):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
    return (folder / "build/release/bin/pypto-lint").read_bytes()


def segment_types(elf):
    assert elf[:5] == b"\x7fELF\x02", "not a 64-bit ELF file"
    offset, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    return {struct.unpack_from("<I", elf, offset + i * size)[0] for i in range(count)}


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix="pypto-release-") as base:
        folders = [pathlib.Path(base, "a"), pathlib.Path(base, "another place", "b")]
        for folder in folders:
            folder.mkdir(parents=True)
        kept = kept_program(sys.argv[1]) if len(sys.argv) > 1 else None
        first = build(folders[0])
        second = kept.read_bytes() if kept and kept.is_file() else build(folders[1])
        if first != second:
            at = next((i for i, (a, b) in enumerate(zip(first, second)) if a != b), min(map(len, (first, second))))
            problems.append(f"the binaries differ ({len(first)} and {len(second)} bytes), first at {at}")
        if segment_types(first) & {PT_DYNAMIC, PT_INTERP}:
            problems.append("the binary is not static")
        for path in (base, str(ROOT) + "/"):
            if path.encode() in first:
                problems.append(f"the binary holds the path {path}")
        done = subprocess.run([folders[0] / "build/release/bin/pypto-lint", ROOT / "examples/custom"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            problems.append(f"the binary lints badly: exit status {done.returncode}")
        print(f"{len(first)} bytes")
    print("\n".join(problems) or "reproducible and static")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
