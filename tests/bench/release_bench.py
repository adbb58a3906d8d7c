#!/usr/bin/env python3
"""Sizes of the files of a release, packed and unpacked, and what a start of the program costs.

Usage: release_bench.py DIST [ROUNDS]

DIST is what scripts/release made. Sizes are for this machine's architecture, in bytes. A start is given as the shortest elapsed
time and the median of processor time, in milliseconds; npm's launcher, where there is a Node.js, gets a fourth of the rounds.
"""
import io
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINE = platform.machine()
CPU = {"x86_64": "x64", "aarch64": "arm64"}[MACHINE]
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}[MACHINE]
FILES = [("plain archive", f"pypto-lint-*-linux-{MACHINE}.tar.gz"), ("wheel with the simulator", f"*manylinux*{MACHINE}.whl"),
         ("wheel for musl", f"*musllinux*{MACHINE}.whl"), ("npm: launcher", "pypto-lint-[0-9]*.tgz"),
         ("npm: platform", f"pypto-lint-linux-{CPU}-*.tgz"), ("image with the linter alone", f"*-oci-{MACHINE}.tar.gz"),
         ("image with the simulator", f"*-oci-simulator-{MACHINE}.tar.gz"),
         ("source archive", "pypto_lint-*.tar.gz"), ("Debian package", f"pypto-lint_*_{DEBIAN}.deb")]


def only(dist, pattern):
    found = sorted(dist.glob(pattern))
    return found[0] if len(found) == 1 else None


def unpacked_layer(blob):
    """Bytes of the files in it; 0 for a blob that is not a layer, which is gzipped."""
    gzipped = blob.read(2) == b"\x1f\x8b"
    blob.seek(0)
    if not gzipped:
        return 0
    with tarfile.open(fileobj=blob, mode="r|gz") as layer:
        return sum(member.size for member in layer)


def unpacked(path):
    """Bytes of all files in it; of an image, those in its layers."""
    if path.suffix == ".deb":
        listed = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True).stdout
        archive = tarfile.open(fileobj=io.BytesIO(listed))
    elif path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return sum(entry.file_size for entry in wheel.infolist())
    else:
        archive = tarfile.open(path)
    with archive:
        if "-oci-" not in path.name:
            return sum(member.size for member in archive if member.isfile())
        return sum(unpacked_layer(archive.extractfile(member)) for member in archive if member.name.startswith("blobs/"))


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(words, rounds, **how):
    elapsed, busy = [], []
    for _ in range(rounds):
        began, before = time.perf_counter(), processor_time()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True, **how)
        elapsed.append(time.perf_counter() - began)
        busy.append(processor_time() - before)
    return min(elapsed) * 1000, statistics.median(busy) * 1000


def starts(dist, folder, rounds):
    with tarfile.open(only(dist, FILES[0][1])) as archive:
        archive.extractall(folder)
    program, = folder.glob("*/bin/pypto-lint")
    print(f"| program alone, static | | {program.stat().st_size} |\n\n| start | elapsed, ms | processor time, ms |\n| --- | --- | --- |")
    calls = [("pypto-lint --version", [program, "--version"], rounds),
             ("pypto-lint check of the sample softmax", [program, "check", ROOT / "examples/custom/softmax"], rounds)]
    launcher, platform_package = only(dist, FILES[3][1]), only(dist, FILES[4][1])
    if shutil.which("npm") and launcher and platform_package:
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
        subprocess.run(["npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", launcher, platform_package],
                       cwd=folder, check=True, env={**os.environ, "npm_config_cache": str(folder / "cache")})
        calls += [("the same through npm's launcher", [folder / "node_modules/.bin/pypto-lint", "--version"], rounds // 4),
                  ("the same through npx", ["npx", "--offline", "pypto-lint", "--version"], rounds // 4)]
    for name, words, count in calls:
        elapsed, busy = start(words, max(count, 1), cwd=folder)
        print(f"| {name} | {elapsed:.1f} | {busy:.1f} |")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    dist, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) == 3 else 21
    print("| file | packed | unpacked |\n| --- | --- | --- |")
    for name, pattern in FILES:
        path = only(dist, pattern)
        if path is not None:
            print(f"| {name} | {path.stat().st_size} | {unpacked(path)} |")
    with tempfile.TemporaryDirectory(prefix="pypto-lint-bench-") as folder:
        starts(dist, pathlib.Path(folder), rounds)


if __name__ == "__main__":
    main()
