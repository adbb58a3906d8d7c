#!/usr/bin/env python3
"""Links that lead out of the project: what they lead to is neither read, reported nor written.

Usage: test_links.py BINARY [unittest options]
"""
import json
import os
import sys
import unittest

from soft_project import SoftProject

SECRET = "TOKEN_pV4x9Qz"
KERNEL = """\
import pypto


@pypto.frontend.jit
def {0}_kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    a = min(x, 1)
    return
"""
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "agent")


class Links(SoftProject):
    KERNEL = KERNEL.format("soft")

    def setUp(self):
        super().setUp()
        (self.op / "modules").mkdir()
        self.secret = self.folder / "secret.py"
        self.secret.write_text(f"{SECRET} = 1\nfrom pypto import *\n" + self.KERNEL)

    def run_tool(self, *args, **keywords):
        return super().run_tool(*args, SECRET_VARIABLE=SECRET, **keywords)

    def link(self, name, target):
        path = self.op / name
        path.unlink(missing_ok=True)
        path.symlink_to(target)
        return path

    def assertWithheld(self, done, status=None):
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def targets(self):
        return [self.secret, "/proc/self/environ", "/proc/self/cmdline", "/sys/kernel/notes", "/dev/null", "/dev/zero",
                "/etc/passwd", self.folder / "a/../secret.py"]

    def check_everything(self, name, targets):
        for target in targets:
            self.link(name, target)
            for form in FORMATS:
                done = self.run_tool("check", "--format", form, self.op, PYPTO_LINT_TEST=SECRET)
                self.assertWithheld(done)
                self.assertNotIn("root:x:", done.stdout)
                self.assertNotEqual(done.returncode, 0, (name, target, form))
            done = self.run_tool("check", "--format", "json", self.op)
            self.assertIn("leads out of the project", done.stdout + done.stderr, (name, target))
            self.assertWithheld(self.run_tool("--op-dir", self.op, "--stage", "5", "--no-exec"))
            event = {"tool_name": "Write", "tool_input": {"file_path": str(self.op / name)}, "cwd": str(self.op)}
            for hook in ("post-edit", "stop", "pre-edit"):
                done = self.run_tool("hook", hook, stdin=json.dumps(event))
                self.assertWithheld(done, 0)
                if hook == "post-edit":
                    self.assertIn("block", done.stdout, (name, target))

    def test_implementations(self):
        (self.folder / "a").mkdir()
        self.check_everything("soft_impl.py", self.targets())
        self.repository()
        self.check_everything("soft_impl.py", self.targets())

    def test_goldens_and_tests(self):
        self.repository()
        for name in ("soft_golden.py", "test_soft.py"):
            self.check_everything(name, [self.secret, "/proc/self/environ"])

    def test_files_under_other_names(self):
        """A kernel under another name is reported; whether a file outside is one is not."""
        words = "seems to contain a kernel"
        self.repository()
        (self.op / "draft.py").write_text(KERNEL.format("soft"))
        done = self.run_tool("check", self.op)
        self.assertEqual((done.stdout + done.stderr).count(words), 1, done)
        self.link("draft.py", self.secret)
        self.link("modules/draft.py", self.secret)
        done = self.run_tool("check", self.op)
        self.assertNotIn(words, done.stdout + done.stderr)
        self.assertWithheld(done)

    def test_documents(self):
        self.repository()
        for name in ("SPEC.md", "DESIGN.md"):
            for target in (self.secret, "/proc/self/environ", "/dev/null"):
                self.link(name, target)
                for form in FORMATS:
                    self.assertWithheld(self.run_tool("check", "--format", form, self.op))
                done = self.run_tool("check", "--stage", "4" if name == "DESIGN.md" else "1", self.op)
                self.assertIn("leads out of the project", done.stdout + done.stderr, (name, target))
                self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
            (self.op / name).unlink()
            (self.op / name).write_text("# soft\n")

    def test_state_interfaces_and_settings(self):
        self.repository()
        for name in (".orchestrator_state.json", "eval/module_interfaces.yaml", ".pypto-lint.yaml", "MEMORY.md",
                     "API_REPORT.md", "README.md", ".gitignore"):
            (self.secret).write_text(f"{SECRET}: [\n")
            self.link(name, self.secret)
            for form in FORMATS:
                self.assertWithheld(self.run_tool("check", "--format", form, self.op))
            self.assertWithheld(self.run_tool("doctor", self.op))
            self.assertWithheld(self.run_tool("interfaces", self.op / name))
            (self.op / name).unlink()
        self.link(".pypto-lint.yaml", "/proc/self/environ")
        done = self.run_tool("check", self.op)
        self.assertWithheld(done, 2)
        self.assertIn("leads out of the project", done.stderr)

    def test_a_folder_in_between(self):
        self.repository()
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "soft_module1_impl.py").write_text(f"{SECRET} = (\n")
        (self.op / "modules").rmdir()
        (self.op / "modules").symlink_to(outside)
        for form in FORMATS:
            self.assertWithheld(self.run_tool("check", "--format", form, self.op))

    def test_the_operator_itself(self):
        """A tracked link in place of the operator's folder."""
        self.repository()
        outside = self.folder / "outside/soft"
        outside.mkdir(parents=True)
        for file in self.op.iterdir():
            if file.is_file():
                (outside / file.name).write_text(file.read_text())
        (outside / "soft_impl.py").write_text(f"{SECRET} = (\n")
        away = self.top / "custom/away"
        away.symlink_to(outside)
        for form in FORMATS:
            self.assertWithheld(self.run_tool("check", "--format", form, away))
        self.assertNotEqual(self.run_tool("check", away).returncode, 0)

    def test_the_repository_s_own_folder(self):
        """Credentials lie in `.git/config` of a checkout."""
        self.repository()
        (self.top / ".git/config").write_text(f"[http]\n extraheader = {SECRET}\n(((\n")
        self.link("soft_impl.py", self.top / ".git/config")
        for form in FORMATS:
            self.assertWithheld(self.run_tool("check", "--format", form, self.op))
        self.assertNotEqual(self.run_tool("check", self.op).returncode, 0)

    def test_named_files_and_walks(self):
        self.repository()
        loose = self.top / "loose.py"
        loose.symlink_to(self.secret)
        for form in FORMATS:
            done = self.run_tool("check", "--format", form, loose)
            self.assertWithheld(done)
            self.assertNotEqual(done.returncode, 0)
            self.assertWithheld(self.run_tool("check", "--format", form, self.top))

    def test_fixes_stay_inside(self):
        for repository in (False, True):
            if repository:
                self.repository()
            before = self.secret.read_text()
            for name in ("soft_impl.py", "soft_golden.py", "test_soft.py", "DESIGN.md", "MEMORY.md"):
                self.link(name, self.secret)
                for options in (["--fix"], ["--remove-unused-suppressions"]):
                    self.assertWithheld(self.run_tool("check", *options, self.op))
                    self.assertWithheld(self.run_tool("check", *options, self.op / name))
                self.assertEqual(self.secret.read_text(), before)
                (self.op / name).unlink()
            (self.op / "soft_impl.py").write_text(KERNEL.format("soft"))

    def test_links_within_the_repository_work(self):
        self.repository()
        shared = self.top / "shared"
        shared.mkdir()
        (shared / "kernel.py").write_text("from pypto import *\n" + KERNEL.format("soft"))
        self.link("soft_impl.py", "../../shared/kernel.py")
        done = self.run_tool("check", "--format", "json", self.op)
        self.assertIn("OL07", done.stdout)
        self.assertNotIn("leads out", done.stdout + done.stderr)
        # With the folder of the operator reached over a link, too.
        (self.top / "custom/alias").symlink_to("soft")
        self.assertIn("OL07", self.run_tool("check", "--format", "json", self.top / "custom/alias").stdout)
        before = (shared / "kernel.py").read_text()
        self.run_tool("check", "--fix", self.op)
        self.assertTrue((self.op / "soft_impl.py").is_symlink())
        self.assertNotEqual((shared / "kernel.py").read_text(), before)

    def test_without_a_repository_the_operator_is_the_border(self):
        self.link("soft_impl.py", "modules/kernel.py")
        (self.op / "modules/kernel.py").write_text("from pypto import *\n" + KERNEL.format("soft"))
        self.assertIn("OL07", self.run_tool("check", "--format", "json", self.op).stdout)
        self.link("soft_impl.py", "../kernel.py")
        (self.op.parent / "kernel.py").write_text(f"{SECRET} = (\n")
        done = self.run_tool("check", self.op)
        self.assertWithheld(done)
        self.assertNotEqual(done.returncode, 0)

    def test_the_golden_is_not_imported(self):
        self.repository()
        marker = self.folder / "ran"
        self.secret.write_text(f"open({str(marker)!r}, 'w')\n")
        self.link("soft_golden.py", self.secret)
        (self.op / ".orchestrator_state.json").write_text('{"current_stage": 2}')
        done = self.run_tool("--op-dir", self.op, "--stage", "2")
        self.assertFalse(marker.exists())
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    SoftProject.BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
