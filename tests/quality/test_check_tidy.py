#!/usr/bin/env python3
"""check_tidy.py asks clang-tidy again whenever a byte that matters has changed, and only then.

Usage: test_check_tidy.py CLANG_TIDY [unittest options]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().with_name("check_tidy.py")
NINJA = """rule cc
  command = gcc $flags -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
build a.o: cc ../src/a.c
  flags = {flags}
"""
CLEAN = '#include "a.h"\n\nint twice(int x)\n{\n    return DOUBLE(x);\n}\n'
CLEAN_HEADER = "int twice(int x);\n#define DOUBLE(x) (2 * (x))\n"
BAD_HEADER = "int twice(int x);\n#define DOUBLE(x) 2 * x\n"  # bugprone-macro-parentheses
SETTINGS = "Checks: '-*,bugprone-*'\nWarningsAsErrors: '*'\nHeaderFilterRegex: '/src/.*'\n"


class Verdicts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tidy-")
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name).resolve()
        self.root = self.tree("first")

    def tree(self, name):
        root = self.base / name
        for path, text in (("src/a.c", CLEAN), ("src/a.h", CLEAN_HEADER), (".clang-tidy", SETTINGS)):
            self.write(root / path, text)
        return root

    @staticmethod
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def judged(self, root=None, *options, status=0, flags="-O1"):
        """How many files were judged anew, after a build."""
        root = root or self.root
        build = root / "build"
        self.write(build / "build.ninja", NINJA.format(flags=flags))
        self.write(build / "compile_commands.json", json.dumps([{
            "directory": str(build), "file": str(root / "src/a.c"),
            "command": f"gcc {flags} -o a.o -c {root}/src/a.c"}]))
        subprocess.run(["ninja", "-C", build], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([sys.executable, "-B", CHECK, PROGRAM, build, "--root", root, *options],
                              env={**os.environ, "CCACHE_DIR": str(self.base / "cache")}, capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return int(done.stdout.split()[-5])

    def test_the_same_bytes_are_not_judged_again(self):
        self.assertEqual(self.judged(), 1)
        self.assertEqual(self.judged(), 0)
        self.assertEqual(self.judged(self.tree("a folder elsewhere")), 0)
        self.assertEqual(self.judged(None, "--anew"), 1)

    def test_whatever_matters_asks_again(self):
        self.judged()
        self.assertEqual(self.judged(None, "--no-analyzer"), 1)
        self.assertEqual(self.judged(flags="-O1 -DX"), 1)
        self.write(self.root / "src/a.c", CLEAN + "// NOLINT\n")
        self.assertEqual(self.judged(), 1)
        self.write(self.root / "src/.clang-tidy", SETTINGS + "CheckOptions: []\n")
        self.assertEqual(self.judged(), 1)

    def test_a_finding_in_a_header_is_never_kept(self):
        self.judged()
        self.write(self.root / "src/a.h", BAD_HEADER)
        for _ in range(2):
            self.assertEqual(self.judged(status=1), 1)
        self.write(self.root / "src/a.h", CLEAN_HEADER)
        self.assertEqual(self.judged(), 0)

    def test_a_source_that_was_not_built_is_judged(self):
        self.judged()
        (self.root / "build/.ninja_deps").unlink()
        (self.root / "build/a.o").unlink()
        self.write(self.root / "build/build.ninja", "")
        done = subprocess.run([sys.executable, "-B", CHECK, PROGRAM, self.root / "build", "--root", self.root],
                              env={**os.environ, "CCACHE_DIR": str(self.base / "cache")}, capture_output=True,
                              encoding="utf-8", check=True)
        self.assertIn("1 files, 1 of them judged anew", done.stdout)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
