#!/usr/bin/env python3
"""The long tests of a release: built twice, in two folders, with the same bytes; used in clean systems; under
qemu and Wine.

Usage: test_release.py ARCHITECTURES [--dist FOLDER] [--only PART,…] [--systems FOLDER]       scripts/release --test

With --dist nothing is built twice; what an earlier release left in that folder is tested. --only names the parts that are
wanted: packages, systems, aarch64, windows, macos; in whole they take hours. The folder of --systems keeps the systems (Debian
12 and 13, made by scripts/clean-system.sh when they are not there) for the next time; without root, or without debootstrap,
they are left out. What was left out, the last line but one says.
"""
import argparse
import os
import pathlib
import platform
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = ["bookworm", "trixie"]


def run(*words, cwd=ROOT):
    print("==", *words, flush=True)
    return subprocess.run([str(word) for word in words], cwd=cwd, check=False).returncode


def clone(folder):
    """A clean checkout of HEAD; only Debian's packages for 64-bit ARM are shared."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    if (ROOT / "build/sysroot-arm64").exists():
        (folder / "build").mkdir()
        (folder / "build/sysroot-arm64").symlink_to((ROOT / "build/sysroot-arm64").resolve())


def build_twice(base, architectures):
    """The folder with the first's files, or None."""
    more = ["--simulator"] if platform.machine() in architectures.split(",") else []
    folders = [base / "a", base / "another place" / "b"]
    for folder in folders:
        clone(folder)
        if run(sys.executable, "-B", folder / "packaging/release.py", "--debian", *more, "--arch", architectures, folder / "dist",
               cwd=folder):
            return None
    return folders[0] / "dist" if run("diff", "-r", *(folder / "dist" for folder in folders)) == 0 else None


def in_systems(systems, dist):
    """Names of the systems in which something went wrong, and of those that were left out."""
    wrong, left_out = [], []
    for suite in SUITES:
        script = ROOT / "scripts/clean-system.sh"
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            left_out.append(suite)
            continue
        bare = systems / f"{suite}-bare"
        if ((not (systems / suite / "usr/bin/python3").exists() and run(script, "make", suite, systems / suite)) or
                (not bare.exists() and run(script, "bare", systems / suite, bare))):
            wrong.append(suite)
            continue
        wrong += [system.name for system in (systems / suite, bare) if run(script, "test", system, dist)]
    return wrong, left_out


def under_qemu(dist):
    if run(ROOT / "scripts/sysroot.sh", ROOT / "build/sysroot-arm64", "python3-torch", "python3-numpy"):
        return 1
    for preset in ("dev", "dev-aarch64"):
        if run("cmake", "--preset", preset) or run("cmake", "--build", "--preset", preset):
            return 1
    return (run(sys.executable, "-B", ROOT / "tests/release/test_aarch64.py", ROOT / "build/dev-aarch64",
                ROOT / "build/dev/bin/pypto-lint", cwd="/") or
            run("/usr/bin/python3", "-B", ROOT / "tests/release/test_kernels_aarch64.py", ROOT / "build/dev",
                ROOT / "build/dev-aarch64", cwd="/") or
            run(sys.executable, "-B", ROOT / "tests/release/test_files_aarch64.py", dist, ROOT / "build/sysroot-arm64", cwd="/"))


def under_wine():
    if run(ROOT / "scripts/foreign-libraries.sh", "windows", ROOT / "build/libraries-windows"):
        return 1
    for preset in ("dev", "release-windows"):
        if run("cmake", "--preset", preset) or run("cmake", "--build", "--preset", preset):
            return 1
    return run(sys.executable, "-B", ROOT / "tests/release/test_windows.py",
               ROOT / "build/release-windows/bin/pypto-lint.exe", ROOT / "build/dev/bin/pypto-lint", cwd="/")


def for_macos():
    """Compiled and linked, and no more: nothing here can start a program for macOS."""
    if run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=ROOT / "packaging/zig"):
        return 1
    for machine, preset, processor in (("aarch64", "release-macos", 0x0100000C), ("x86_64", "release-macos-x86_64", 0x01000007)):
        if (run(ROOT / "scripts/foreign-libraries.sh", f"macos-{machine}", ROOT / f"build/libraries-macos-{machine}") or
                run("cmake", "--preset", preset) or run("cmake", "--build", "--preset", preset)):
            return 1
        head = (ROOT / "build" / preset / "bin/pypto-lint").read_bytes()[:16]
        if struct.unpack("<4I", head)[:2] != (0xFEEDFACF, processor) or head[12] != 2:  # Mach-O, a program
            return 1
    return 0


def packages(dist):
    return run(sys.executable, "-B", ROOT / "tests/release/test_packages.py", "--dist", dist, ROOT / "build/dev", cwd="/")


PARTS = ["packages", "systems", "aarch64", "windows", "macos"]


def read_arguments():
    parser = argparse.ArgumentParser(description="The long tests of a release.")
    parser.add_argument("architectures", type=lambda text: text.split(","))
    parser.add_argument("--dist", type=pathlib.Path, metavar="FOLDER", help="files of a release; not built again")
    parser.add_argument("--only", type=lambda text: text.split(","), default=PARTS, metavar="PART,…", help=", ".join(PARTS))
    parser.add_argument("--systems", type=pathlib.Path, default=pathlib.Path("/var/tmp/pypto-lint-systems"), metavar="FOLDER")
    asked = parser.parse_args()
    if not set(asked.only) <= set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}")
    if asked.dist and not (asked.dist / "SHA256SUMS").is_file():
        parser.error(f"no release in {asked.dist}")
    return asked


def try_parts(asked, dist):
    """Names of what went wrong, and of what was left out."""
    wrong, left_out = [], [part for part in PARTS if part not in asked.only]
    if "packages" in asked.only and packages(dist):
        wrong.append("packages")
    if "systems" in asked.only:
        bad, absent = in_systems(asked.systems, dist)
        wrong += bad
        left_out += absent
    if "aarch64" in asked.only and "aarch64" not in asked.architectures:
        left_out.append("aarch64")
    elif "aarch64" in asked.only and under_qemu(dist):
        wrong.append("aarch64")
    if "windows" in asked.only and under_wine():
        wrong.append("Windows")
    if "macos" in asked.only and for_macos():
        wrong.append("macOS")
    return wrong, left_out


def main():
    asked = read_arguments()
    with tempfile.TemporaryDirectory(prefix="pypto-release-") as base:
        dist = asked.dist.resolve() if asked.dist else build_twice(pathlib.Path(base), ",".join(asked.architectures))
        if dist is None:
            sys.exit("release: not the same bytes twice, or not built")
        wrong, left_out = try_parts(asked, dist)
    left_out += ["two builds"] if asked.dist else []
    print(f"NOT RUN: {', '.join(left_out)}" if left_out else "nothing left out")
    print(f"failed: {', '.join(wrong)}" if wrong else "all well")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
