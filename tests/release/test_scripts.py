#!/usr/bin/env python3
"""What the scripts of a release refuse: a program that does not train, a name space that would hide the tree, and
archives that are not those of a release. Stubs take the place of the compiler; nothing is built.
"""
import io
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import simulator_image  # noqa: E402

OWN_MNT = ["unshare", "--user", "--map-root-user", "--mount"]
HAS_OWN_MNT = not subprocess.run([*OWN_MNT, "setarch", "-R", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=False,
                                 capture_output=True).returncode if shutil.which("unshare") else False


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pypto-scripts-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def program(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def say(self, *words, **how):
        """Exit status and what it says on stderr."""
        done = subprocess.run([str(word) for word in words], check=False, capture_output=True, encoding="utf-8", **how)
        return done.returncode, done.stderr


class Training(ScriptTest):
    def train(self, check, hook):
        """Trains a program whose commands end with these statuses."""
        program = self.program("program", "mkdir -p profile; echo heard >&2\n"
                               f"case $1 in check) exit {check} ;; hook) cat >/dev/null; exit {hook} ;; esac")
        place = self.folder / "place"
        place.mkdir()
        return self.say(ROOT / "scripts/train.sh", program, place)

    def test_findings(self):
        self.assertEqual(self.train(check=1, hook=2), (0, ""))

    def test_check_fails(self):
        status, said = self.train(check=2, hook=0)
        self.assertEqual(status, 1)
        self.assertRegex(said, "train: pypto-lint check .*status 2\nheard\n")

    def test_hook_crashes(self):
        status, said = self.train(check=0, hook=139)
        self.assertEqual(status, 1)
        self.assertRegex(said, "train: pypto-lint hook post-edit.*status 139\nheard\n")


@unittest.skipUnless(HAS_OWN_MNT, "the system allows no mount name space with an own /mnt")
class NameSpace(ScriptTest):
    def test_tree_in_mnt_behind_a_link(self):
        """A file system of its own at /mnt would hide the tree, whatever path leads there."""
        scripts = self.folder / "scripts"
        scripts.mkdir()
        shutil.copy(ROOT / "scripts/build-release.sh", scripts)
        for name in ("scripts/setup.sh", "scripts/train.sh", "cmake"):
            self.program(name, "echo started: $0 >&2")
        (self.folder / "link").symlink_to("/mnt/tree")
        inside = ('mount -t tmpfs tmpfs /mnt; mkdir /mnt/tree; cp -r scripts /mnt/tree; PATH="$0:$PATH"\n'
                  'exec link/scripts/build-release.sh --repeatable')
        status, said = self.say(*OWN_MNT, "sh", "-eu", "-c", inside, self.folder, cwd=self.folder)
        self.assertEqual(status, 1)
        self.assertIn("no mount name space", said)
        self.assertNotIn("cmake", said)


class LongTests(ScriptTest):
    """Before anything is built or installed."""

    def test_refused(self):
        (self.folder / "SHA256SUMS").write_text("")
        for words, why in ((["--only", "packages,debian"], "--only takes packages, systems"),
                           (["--dist", self.folder / "none"], f"no release in {self.folder}/none"),
                           (["--dist", self.folder, "--only", ""], "--only takes")):
            with self.subTest(words):
                status, said = self.say(sys.executable, "-B", ROOT / "tests/release/test_release.py", *words, "x86_64")
                self.assertEqual(status, 2)
                self.assertIn(why, said)

    def test_parts_without_test(self):
        for words in (["--only", "packages"], ["--dist", self.folder]):
            with self.subTest(words):
                status, said = self.say(ROOT / "scripts/release", *words)
                self.assertEqual((status, "release --test [--dist FOLDER]" in said), (2, True), said)


class SimulatorImage(ScriptTest):
    def layer(self, *members):
        """The layer made of an archive with these members: (name, type)."""
        with tarfile.open(self.folder / "archive.tar.gz", "w:gz") as archive:
            for name, kind in members:
                member = tarfile.TarInfo(name)
                member.type, member.linkname, member.mode = kind, "/etc/passwd" if kind == tarfile.SYMTYPE else "", 0o755
                archive.addfile(member, io.BytesIO())
        work = self.folder / "work"
        work.mkdir()
        return simulator_image.program_layer(self.folder / "archive.tar.gz", work)

    def test_files(self):
        layer = self.layer(("pypto-lint-1/bin/pypto-lint", tarfile.REGTYPE))
        with tarfile.open(fileobj=io.BytesIO(layer)) as opened:
            modes = {member.name: member.mode for member in opened.getmembers()}
        self.assertEqual(modes["opt/pypto-lint/bin/pypto-lint"], 0o755)

    def test_out_of_the_folder(self):
        for strange in (("pypto-lint-1/../../../outside", tarfile.REGTYPE), (f"{self.folder}/outside", tarfile.REGTYPE),
                        ("pypto-lint-1/link", tarfile.SYMTYPE), ("pypto-lint-1/pipe", tarfile.FIFOTYPE)):
            with self.subTest(strange), self.assertRaisesRegex(SystemExit, strange[0].rpartition("/")[2]):
                self.layer(("pypto-lint-1/bin/pypto-lint", tarfile.REGTYPE), strange)
            self.assertFalse((self.folder / "outside").exists())
            self.assertEqual(list((self.folder / "work").iterdir()), [])
            (self.folder / "work").rmdir()


if __name__ == "__main__":
    unittest.main()
