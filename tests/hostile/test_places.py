#!/usr/bin/env python3
"""Odd things in a project's folders: pipes, devices, huge and sparse files, links in the place of outputs.

Usage: test_places.py BINARY [unittest options]
"""
import json
import os
import sys
import time
import unittest

from soft_project import SoftProject

KERNEL = "import pypto\n\n\n@pypto.frontend.jit\ndef soft_kernel(x):\n    a = min(x, 1)\n"
READ = ("soft_impl.py", "soft_golden.py", "test_soft.py", "SPEC.md", "DESIGN.md", "MEMORY.md", ".gitignore",
        ".orchestrator_state.json", ".pypto-lint.yaml", "eval/module_interfaces.yaml")


class Places(SoftProject):
    KERNEL = KERNEL

    def setUp(self):
        super().setUp()
        self.repository()

    def run_tool(self, *args, **keywords):
        start = time.monotonic()
        done = super().run_tool(*args, **keywords)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        self.assertLess(time.monotonic() - start, 30)
        return done

    def everything(self, name):
        self.run_tool("check", self.op)
        self.run_tool("check", self.top)
        self.run_tool("--op-dir", self.op, "--stage", "5", "--no-exec")
        self.run_tool("doctor", self.op)
        event = {"tool_name": "Write", "tool_input": {"file_path": str(self.op / name)}, "cwd": str(self.op)}
        for hook in ("pre-edit", "post-edit", "stop"):
            self.assertEqual(self.run_tool("hook", hook, stdin=json.dumps(event)).returncode, 0)

    def replaced(self, spoil):
        for name in READ:
            path = self.op / name
            before = path.read_bytes() if path.exists() else None
            path.unlink(missing_ok=True)
            spoil(path)
            self.everything(name)
            path.unlink()
            if before is not None:
                path.write_bytes(before)

    def test_pipes(self):
        self.replaced(os.mkfifo)

    def test_sparse_files(self):
        def sparse(path):
            with open(path, "wb") as file:
                file.truncate(1 << 40)
        self.replaced(sparse)

    def test_endless_devices(self):
        self.replaced(lambda path: path.symlink_to("/dev/zero"))

    def test_settings_that_cannot_be_read_are_not_passed_over(self):
        os.mkfifo(self.op / ".pypto-lint.yaml")
        self.assertEqual(self.run_tool("check", self.op).returncode, 2)

    def test_many_entries(self):
        for number in range(20000):
            (self.op / f"file{number}").touch()
        self.everything("soft_impl.py")

    def test_odd_names(self):
        for name in (b"a\nb_impl.py", b"\xff\xfe_impl.py", b"-x_impl.py", b"::error::_impl.py", b"\x1b[2J_impl.py"):
            (self.op / os.fsdecode(name)).write_bytes(KERNEL.encode())
        for form in ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "agent"):
            out = self.run_tool("check", "--format", form, self.op, self.top).stdout
            self.assertNotIn("\x1b[2J", out)
            for line in out.splitlines():
                self.assertFalse(line.startswith("::error::"), (form, line))

    def test_outputs_do_not_go_through_links(self):
        """A project that holds a link in the place where CI writes its report."""
        victim = self.folder / "victim"
        for repository in (True, False):
            for name in ("report.sarif", "deep/report.sarif"):
                victim.write_text("mine")
                path = self.top / name
                path.parent.mkdir(exist_ok=True)
                path.symlink_to(victim)
                done = self.run_tool("check", "--format", "sarif", "--output", path, self.op)
                self.assertEqual((done.returncode, victim.read_text()), (2, "mine"), done.stderr)
                self.assertIn("leads out of the project", done.stderr)
                done = self.run_tool("check", "--baseline", path, "--update-baseline", self.op)
                self.assertEqual((done.returncode, victim.read_text()), (2, "mine"), done.stderr)
                path.unlink()
            if repository:
                (self.top / ".git/HEAD").unlink()
        outside = self.folder / "outside"
        outside.mkdir()
        (self.top / ".git/HEAD").write_text("x")
        (self.top / "reports").symlink_to(outside)
        done = self.run_tool("check", "--format", "sarif", "--output", "reports/a.sarif", self.op)
        self.assertEqual((done.returncode, list(outside.iterdir())), (2, []), done.stderr)

    def test_outputs_that_are_fine(self):
        for path in ("/dev/stdout", "/dev/null", str(self.folder / "new.json"), "here.json"):
            done = self.run_tool("check", "--format", "json", "--output", path, self.op)
            self.assertEqual(done.returncode, 1, (path, done.stderr))
        (self.top / "inside.json").symlink_to("here.json")
        self.assertEqual(self.run_tool("check", "--format", "json", "--output", "inside.json", self.op).returncode, 1)
        self.assertTrue((self.top / "inside.json").is_symlink())

    def test_programs_in_the_project(self):
        """Relative entries of PATH are the project's."""
        marker = self.folder / "ran"
        (self.op / "test_soft.py").write_text("x = 1\n")
        for name in ("git", "npu-smi", "python3", "python"):
            for folder in (self.top, self.op):
                (folder / name).write_text(f"#!/bin/sh\ntouch '{marker}'\n")
                (folder / name).chmod(0o755)
        for path in (".", "", "custom/soft:.", f"./:{os.environ['PATH']}"):
            self.run_tool("check", self.op, PATH=path)
            self.run_tool("--op-dir", self.op, "--stage", "5", PATH=path)
            self.run_tool("--op-dir", self.op, "--stage", "2", PATH=path)
            self.run_tool("doctor", self.op, PATH=path)
        self.assertFalse(marker.exists())

    def test_sizes_in_settings_are_capped(self):
        """A project's settings may not have a hook read a file of hundreds of megabytes."""
        (self.op / ".pypto-lint.yaml").write_text("max-file-size: 1 GiB\n")
        (self.op / "soft_impl.py").write_text(KERNEL + "# x\n" * (5 * 1024 * 1024 // 4))
        event = {"tool_name": "Write", "tool_input": {"file_path": str(self.op / "soft_impl.py")}, "cwd": str(self.op)}
        done = self.run_tool("hook", "post-edit", stdin=json.dumps(event))
        answer = json.loads(done.stdout)
        self.assertEqual(answer["decision"], "block")
        self.assertIn("larger than 4194304 bytes", answer["reason"])
        done = self.run_tool("check", "--format", "json", self.op)
        self.assertIn("counts as 64 MiB", done.stdout + done.stderr)
        self.assertNotIn("larger than", done.stdout)
        with open(self.op / "soft_impl.py", "wb") as file:
            file.truncate(65 * 1024 * 1024)
        self.assertIn("larger than 67108864 bytes", self.run_tool("check", "--format", "json", self.op).stdout)


if __name__ == "__main__":
    SoftProject.BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
