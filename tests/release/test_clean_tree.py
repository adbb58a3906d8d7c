#!/usr/bin/env python3
"""A release has what its commit has: scripts/release refuses other files, and packs them as a trial that says so.

Works in a small checkout with the packaging scripts of this tree; nothing is compiled: the build is a stub that fails.
"""
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = {f"GIT_{who}_{what}": "test@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class CleanTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pypto-clean-tree-")
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name).resolve() / "tree"
        self.out = self.tree.parent / "dist"
        shutil.copytree(ROOT / "packaging", self.tree / "packaging",
                        ignore=shutil.ignore_patterns("node_modules", "__pycache__", "commit"))
        for name in ("CMakeLists.txt", "README.md", "LICENSE", ".gitignore"):
            shutil.copy(ROOT / name, self.tree)
        (self.tree / "scripts").mkdir()
        (self.tree / "scripts/build-release.sh").write_text("#!/bin/sh\necho the build begins; exit 1\n", encoding="utf-8")
        (self.tree / "scripts/build-release.sh").chmod(0o755)
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a commit")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.tree, env={**os.environ, **NAMES}, check=True,
                              capture_output=True, encoding="utf-8").stdout.strip()

    def release(self, *words, **how):
        """What it says at its end: why it refuses the tree, or, where it does not, that the build begins."""
        done = subprocess.run([sys.executable, "-B", self.tree / "packaging/release.py", *words, self.out],
                              capture_output=True, encoding="utf-8", check=False, **how)
        self.assertEqual(done.returncode, 1 if "the build begins" in done.stderr else 2, done.stderr)
        return done.stderr

    def commit_in_source_archive(self):
        subprocess.run([sys.executable, "-B", "-c", "import pathlib, sdist; sdist.write(pathlib.Path('..'))"],
                       cwd=self.tree / "packaging", check=True)
        with tarfile.open(next(self.tree.glob("pypto_lint-*.tar.gz"))) as archive:
            inside = next(name for name in archive.getnames() if name.endswith("packaging/commit"))
            return archive.extractfile(inside).read().decode().strip(), archive.getnames()

    def assert_refused(self, name):
        said = self.release()
        self.assertIn("--trial", said)
        self.assertIn(name, said)
        self.assertFalse(self.out.exists(), "something is written")
        self.assertIn("the build begins", self.release("--trial"))

    def test_a_commit_as_it_is(self):
        (self.tree / "packaging/__pycache__").mkdir()
        (self.tree / "packaging/__pycache__/tree.cpython-311.pyc").write_bytes(b"ignored by git")
        self.assertIn("the build begins", self.release())
        commit, names = self.commit_in_source_archive()
        self.assertEqual(commit, self.git("rev-parse", "HEAD"))
        self.assertFalse([name for name in names if name.endswith(".pyc")])

    def test_a_changed_file(self):
        with open(self.tree / "README.md", "a", encoding="utf-8") as file:
            file.write("more\n")
        self.assert_refused("README.md")
        self.assertEqual(self.commit_in_source_archive()[0], self.git("rev-parse", "HEAD") + "+")

    def test_a_file_that_git_does_not_know(self):
        (self.tree / "packaging/more.py").write_text("", encoding="utf-8")
        self.assert_refused("packaging/more.py")
        commit, names = self.commit_in_source_archive()
        self.assertEqual(commit[-1], "+")
        self.assertTrue([name for name in names if name.endswith("packaging/more.py")])

    def test_no_commit_at_all(self):
        shutil.rmtree(self.tree / ".git")
        self.assertIn("the commit is not known", self.release())
        (self.tree / "packaging/commit").write_text("0123abc\n", encoding="utf-8")  # an unpacked source archive
        self.assertIn("the build begins", self.release())

    def test_programs_that_were_built_before(self):
        """Nobody knows which commit they were built from."""
        self.assertIn("--installed needs --trial", self.release("--installed", self.tree))
        self.assertIn("nothing is installed", self.release("--installed", self.tree, "--trial"))

    def test_the_image_with_torch(self):
        """What it needs is asked for before anything is built."""
        other, = {"x86_64", "aarch64"} - {platform.machine()}
        self.assertIn(f"for {platform.machine()} only", self.release("--simulator", "--arch", other))
        self.assertIn("apt install mmdebstrap", self.release("--simulator", env={**os.environ, "PATH": "/nonexistent"}))

    def test_the_earlier_release_stays_when_the_build_fails(self):
        self.out.mkdir()
        names = ["SHA256SUMS", "pypto-lint-0.1.0-linux-x86_64.tar.gz"]
        for name in names:
            (self.out / name).write_text("earlier", encoding="utf-8")
        self.assertIn("the build begins", self.release())
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), names)
        (self.out / "notes.txt").write_text("not ours", encoding="utf-8")
        said = self.release()
        self.assertIn("notes.txt", said)
        self.assertNotIn("the build begins", said)


if __name__ == "__main__":
    unittest.main()
