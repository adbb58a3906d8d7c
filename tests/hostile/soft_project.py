"""A small project with the operator `soft`, which the tests of this folder spoil."""
import os
import pathlib
import subprocess
import tempfile
import unittest


class SoftProject(unittest.TestCase):
    """`self.top` holds custom/soft, `self.op`; `self.folder`, around it, is outside the project."""
    BINARY = None
    KERNEL = ""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name).resolve()
        self.top = self.folder / "project"
        self.op = self.top / "custom/soft"
        (self.op / "eval").mkdir(parents=True)
        (self.op / "SPEC.md").write_text("# soft\n")
        (self.op / ".orchestrator_state.json").write_text('{"current_stage": 5}')
        (self.op / "soft_impl.py").write_text(self.KERNEL)

    def repository(self):
        (self.top / ".git").mkdir()
        (self.top / ".git/HEAD").write_text("ref: refs/heads/main\n")

    def run_tool(self, *args, stdin="", **env):
        return subprocess.run([self.BINARY, *map(str, args)], cwd=self.top, capture_output=True, encoding="utf-8",
                              check=False, input=stdin, timeout=60, env=os.environ | env)
