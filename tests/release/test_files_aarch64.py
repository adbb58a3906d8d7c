#!/usr/bin/env python3
"""The files of a release for 64-bit ARM, installed or unpacked and used under qemu: check, run and verify on the samples.

Usage: test_files_aarch64.py DIST SYSROOT

DIST is what scripts/release made. The Python that runs kernels is that of SYSROOT (scripts/sysroot.sh SYSROOT python3-torch
python3-numpy); the samples stay in a folder of their own. Status 77: there is no such Python.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import symbols  # noqa: E402
from python_aarch64 import python_of  # noqa: E402

DIST = SYSROOT = None
EMULATOR = "qemu-aarch64-static"


def only(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, (pattern, found)
    return found[0]


def unpack(packed, folder):
    with tarfile.open(packed) as archive:
        archive.extractall(folder)


class Aarch64(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pypto-aarch64-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.python = self.folder / "python3"
        self.python.write_text(f'#!/bin/sh\nexec {shlex.join(python_of(SYSROOT))} "$@"\n', encoding="utf-8")
        self.python.chmod(0o755)
        shutil.copytree(ROOT / "examples", self.folder / "examples")

    def must(self, *words, status=0):
        environment = {**os.environ, "PYPTO_LINT_PYTHON": str(self.python), "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
        done = subprocess.run([str(word) for word in words], cwd=self.folder / "examples", env=environment, check=False,
                              capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def check(self, program):
        self.assertTrue(symbols.is_static(program))
        self.must(EMULATOR, program, "check", "custom")
        self.assertIn("OL48", self.must(EMULATOR, program, "check", "broken/custom/softmax_broken", status=1))

    def use(self, prefix):
        """What is installed below a folder."""
        program = prefix / "bin/pypto-lint"
        self.assertEqual(symbols.problems(prefix / "share/pypto-lint/sim/_ptosim.abi3.so"), [])
        self.check(program)
        self.assertIn("softmax: PASS\n", self.must(EMULATOR, program, "run", "sim/softmax.py"))
        # Under qemu torch alone takes a minute to load, and many on a busy machine: the limit of a case is not what is tested.
        said = self.must(EMULATOR, program, "verify", "--op-dir", "custom/gated_rmsnorm", "--up-to-module", "2", "--levels", "L1",
                         "--modes", "sim", "--jobs", "1", "--timeout", "3600")
        self.assertIn("status=PASS", said)

    def pip(self, platform):
        """Installs the wheel as pip does on such a machine."""
        target = self.folder / "target"
        self.must("/usr/bin/python3", "-m", "venv", self.folder / "venv")
        self.must(self.folder / "venv/bin/pip", "--isolated", "install", "--quiet", "--no-index", "--platform", platform,
                  "--only-binary=:all:", "--target", target, only(f"*-{platform}.whl"))
        return target

    def test_wheel(self):
        self.use(self.pip("manylinux_2_34_aarch64"))

    def test_wheel_for_musl(self):
        target = self.pip("musllinux_1_1_aarch64")
        self.assertFalse((target / "share/pypto-lint/sim").exists())
        self.check(target / "bin/pypto-lint")

    def test_plain_archive(self):
        unpack(only("*-linux-aarch64.tar.gz"), self.folder / "archive")
        prefix, = (self.folder / "archive").iterdir()
        self.use(prefix)

    def test_npm(self):
        unpack(only("pypto-lint-linux-arm64-*.tgz"), self.folder / "npm")
        self.use(self.folder / "npm/package")

    def test_image_with_the_linter(self):
        unpack(only("*-oci-aarch64.tar.gz"), self.folder / "layout")
        blobs = sorted((self.folder / "layout/blobs/sha256").iterdir(), key=lambda path: path.stat().st_size)
        self.assertTrue(any(b'"architecture":"arm64"' in path.read_bytes() for path in blobs))
        unpack(blobs[-1], self.folder / "system")
        self.check(self.folder / "system/bin/pypto-lint")


def main():
    global DIST, SYSROOT
    DIST, SYSROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    if python_of(SYSROOT) is None:
        print(f"no Python with torch for ARM in {SYSROOT}: nothing was run there")
        return 77
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
