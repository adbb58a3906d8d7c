#!/usr/bin/env python3
"""Repositories made to run something: none of their programs may be started by us.

Usage: test_git.py BINARY [unittest options]

Every setting of git's that names a program is planted with a marker: a script that writes down that it ran. Each plant
is proven to be live first, where git itself starts it by a plain command.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY = None
BAD = "import pypto\n\n\n@pypto.frontend.jit\ndef {0}_kernel(x, y):\n    pypto.set_vec_tile_shapes(x.shape[0], 128)\n"
HOOKS = ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "post-index-change", "reference-transaction",
         "pre-auto-gc", "post-checkout", "fsmonitor-watchman", "post-rewrite")


@unittest.skipUnless(shutil.which("git"), "needs git")
class HostileRepository(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name).resolve()
        self.home = self.folder / "home"
        self.top = self.folder / "top"
        self.op = self.top / "custom/rowscale"
        self.op.mkdir(parents=True)
        self.home.mkdir()
        self.marker = self.folder / "ran"
        self.script = self.folder / "evil.sh"
        self.script.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.marker}'\ncat\n", encoding="utf-8")
        self.script.chmod(0o755)

    def environment(self, **more):
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
               "TMPDIR": str(self.folder)}
        for who in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{who}_NAME": "Test", f"GIT_{who}_EMAIL": "test@example.org"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        return env | more

    def git(self, *args, cwd=None, check=True):
        return subprocess.run(["git", *map(str, args)], cwd=cwd or self.top, env=self.environment(), check=check,
                              capture_output=True, encoding="utf-8", timeout=60).stdout.strip()

    def write(self, path, text):
        path = self.top / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def operator(self):
        self.write("custom/rowscale/rowscale_impl.py", BAD.format("rowscale"))
        self.write("custom/rowscale/SPEC.md", "# rowscale\n")
        self.write("custom/rowscale/.orchestrator_state.json", '{"current_stage": 6}')

    def check(self, *args, cwd=None, status=None, **env):
        done = subprocess.run([BINARY, "check", *map(str, args), "--rules", "OL48", "--stage", "5", "--format", "json"],
                              cwd=cwd or self.top, env=self.environment(**env), capture_output=True, encoding="utf-8",
                              check=False, timeout=60)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def found(self, *args, **named):
        done = self.check(*args, **named)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)
        return [f["file"] for run in report.get("runs", [report]) for f in run["findings"]]

    def edit(self, path=None, **env):
        path = path or self.op / "rowscale_impl.py"
        event = {"tool_name": "Write", "tool_input": {"file_path": str(path)}, "cwd": str(path.parent)}
        done = subprocess.run([BINARY, "hook", "pre-edit"], input=json.dumps(event), cwd=path.parent, encoding="utf-8",
                              env=self.environment(**env), capture_output=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def assertNothingRan(self):
        self.assertFalse(self.marker.exists(), self.marker.exists() and self.marker.read_text())
        left = [path for path in self.folder.iterdir() if path.name.startswith("pypto-lint")]
        self.assertEqual(left, [], "temporary folders are left over")

    def everything(self, cwd=None):
        """Each way to have us call git."""
        for place in ((".",), (self.op,), (self.op / "rowscale_impl.py",)):
            for new_only in ((), ("--new-only",)):
                self.check("--staged", *new_only, *place, cwd=cwd)
                self.check("--changed-since", "HEAD", *new_only, *place, cwd=cwd)
        self.edit()
        self.assertNothingRan()

    # --- settings of a real repository

    def plant(self):
        """Whatever names a program, in the repository's settings and attributes."""
        evil = str(self.script)
        for key in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv",
                    "diff.evil.command", "diff.external", "core.fsmonitor", "core.pager", "core.editor",
                    "sequence.editor", "core.sshCommand", "core.askPass", "core.gitProxy", "core.alternateRefsCommand",
                    "credential.helper", "gpg.program", "gpg.ssh.program", "gpg.x509.program", "pager.diff",
                    "pager.rev-parse", "interactive.diffFilter", "merge.evil.driver", "mergetool.evil.cmd",
                    "uploadpack.packObjectsHook", "sendemail.smtpserver", "trailer.evil.command", "remote.evil.vcs",
                    "remote.evil.uploadpack", "remote.evil.receivepack", "guitool.evil.cmd", "web.browser",
                    "browser.evil.cmd", "man.evil.cmd", "help.browser"):
            self.git("config", key, evil)
        for word in ("diff", "rev-parse", "ls-files", "commit", "add", "update-index", "write-tree", "hash-object"):
            self.git("config", f"alias.{word}", f"!{evil}")
        for key, value in (("commit.gpgSign", "true"), ("filter.evil.required", "true"), ("core.hooksPath", "evil"),
                           ("core.attributesFile", str(self.folder / "attributes")), ("core.fsyncMethod", "batch"),
                           ("include.path", str(self.folder / "more")), ("core.worktree", str(self.folder)),
                           ("core.untrackedCache", "true"), ("diff.submodule", "log"), ("status.submoduleSummary", "1"),
                           ("submodule.recurse", "true"), ("log.showSignature", "true")):
            if key != "core.worktree":
                self.git("config", key, value)
        (self.folder / "more").write_text(f"[filter \"more\"]\n\tclean = {evil}\n", encoding="utf-8")
        (self.folder / "attributes").write_text("*.md filter=more\n", encoding="utf-8")
        (self.top / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n", encoding="utf-8")
        (self.top / ".git/info/attributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
        for name in HOOKS:
            for place in (self.top / ".git/hooks", self.top / "evil"):
                place.mkdir(exist_ok=True)
                shutil.copy(self.script, place / name)

    def start(self):
        self.git("init", "-q", "-b", "main")
        self.operator()
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        self.write("custom/rowscale/rowscale_impl.py", BAD.format("rowscale") + "\n# again\n")
        self.write("custom/rowscale/other.py", "x = 1\n")

    def test_settings_of_the_repository(self):
        self.start()
        self.plant()
        self.git("diff", check=False)
        self.assertTrue(self.marker.exists(), "what is planted is not live: the test shows nothing")
        self.marker.unlink()
        self.everything()
        self.assertEqual(self.found("--changed-since", "HEAD~1", self.top), ["rowscale_impl.py"])

    def test_the_backup_is_byte_for_byte(self):
        self.start()
        self.git("config", "core.autocrlf", "true")
        (self.top / ".gitattributes").write_text("*.py text eol=lf ident\n", encoding="utf-8")
        content = b"# $Id$\r\nimport pypto\r\n\xff\n"
        (self.op / "rowscale_impl.py").write_bytes(content)
        (self.op / "rowscale_impl.py").chmod(0o755)
        self.edit()
        shown = subprocess.run(["git", "show", "HEAD:custom/rowscale/rowscale_impl.py"], cwd=self.top, check=True,
                               env=self.environment(), capture_output=True).stdout
        self.assertEqual(shown, content)
        self.assertEqual(self.git("ls-tree", "HEAD", "custom/rowscale/rowscale_impl.py").split()[0], "100755")
        self.assertEqual(self.git("log", "-1", "--format=%s"), "backup: rowscale_impl.py before stage6 attempt 1")
        self.assertEqual(self.git("fsck", "--strict", "--no-dangling"), "")

    def test_who_commits_is_the_only_setting_that_counts(self):
        self.start()
        self.git("config", "user.name", "From The Repository")
        self.git("config", "user.email", "own@example.org")
        nobody = {f"GIT_{who}_{what}": "" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        env = {key: value for key, value in self.environment().items() if key not in nobody}
        event = {"tool_name": "Write", "tool_input": {"file_path": str(self.op / "rowscale_impl.py")}}
        subprocess.run([BINARY, "hook", "pre-edit"], input=json.dumps(event), cwd=self.op, encoding="utf-8", env=env,
                       check=True, timeout=60)
        self.assertEqual(self.git("log", "-1", "--format=%an %ae %cn"),
                         "From The Repository own@example.org From The Repository")

    def test_a_head_on_no_branch(self):
        self.start()
        self.git("checkout", "-q", "--detach")
        before = self.git("rev-parse", "HEAD")
        self.edit()
        self.assertEqual(self.git("rev-parse", "HEAD"), before)
        self.assertIn("# again", self.git("show", "refs/pypto-lint/backup:custom/rowscale/rowscale_impl.py"))
        self.assertEqual(self.git("rev-parse", "refs/pypto-lint/backup~1"), before)

    def test_nothing_is_fetched(self):
        """A promisor remote: an object that is not there would be fetched by way of core.sshCommand."""
        self.start()
        self.script.write_text(f"#!/bin/sh\necho ssh >> '{self.marker}'\nexit 1\n", encoding="utf-8")
        blob = self.git("rev-parse", "HEAD:custom/rowscale/rowscale_impl.py")
        (self.top / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
        for key, value in (("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "evil"),
                           ("remote.evil.url", "ssh://nowhere/x"), ("remote.evil.promisor", "true"),
                           ("remote.evil.partialCloneFilter", "blob:none"), ("core.sshCommand", str(self.script))):
            self.git("config", key, value)
        self.git("diff", "HEAD", check=False)
        self.assertTrue(self.marker.exists(), "what is planted is not live: the test shows nothing")
        self.marker.unlink()
        self.everything()

    # --- a folder that passes for a repository

    def bare(self, folder):
        """Ordinary files that a clone can hold: HEAD, config, objects, refs, and an index that knows no change."""
        self.git("init", "-q", "--bare", folder)
        for hook in (folder / "hooks").iterdir():
            hook.unlink()
        for key, value in (("core.bare", "false"), ("core.worktree", str(folder)), ("core.fsmonitor", self.script),
                           ("filter.evil.clean", self.script), ("filter.evil.required", "true"),
                           ("diff.evil.textconv", self.script), ("diff.external", self.script)):
            self.git(f"--git-dir={folder}", "config", key, value)
        for file in list(folder.rglob("*")):
            if file.is_dir() and not any(file.iterdir()):
                (file / ".keep").touch()
        (folder / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")

    def test_a_bare_repository_as_operator(self):
        self.operator()
        self.bare(self.op)
        self.git("init", "-q", "-b", "main")
        self.git("add", "--all", ".")
        self.git("diff", "HEAD", cwd=self.op, check=False)
        self.marker.unlink(missing_ok=True)
        # What is staged is staged in the repository around, and its mistake is found.
        for cwd, place in ((self.top, "."), (self.op, "."), (self.top, self.op), (self.op, self.op)):
            self.assertEqual(self.found("--staged", place, cwd=cwd), ["rowscale_impl.py"], (cwd, place))
        self.assertEqual(self.check("--staged", self.op).returncode, 1)
        self.git("commit", "-q", "-m", "first")
        self.write("custom/rowscale/rowscale_impl.py", BAD.format("rowscale") + "\n# again\n")
        self.marker.unlink(missing_ok=True)
        self.assertEqual(self.found("--changed-since", "HEAD", ".", cwd=self.op), ["rowscale_impl.py"])
        self.everything()
        self.everything(cwd=self.op)
        self.assertEqual(self.git("log", "-1", "--format=%s"), "backup: rowscale_impl.py before stage6 attempt 1")

    def test_a_bare_repository_in_no_repository(self):
        self.operator()
        self.bare(self.op)
        for place in (".", self.op):
            done = self.check("--staged", place, cwd=self.op, status=2)
            self.assertIn("not a git repository", done.stderr)
        self.edit()
        self.assertNothingRan()
        self.assertEqual(self.git("log", "-1", "--format=%s", cwd=self.top / "custom"), "init: operator workspace")

    def test_a_bare_workspace(self):
        self.operator()
        self.bare(self.top / "custom")
        self.edit()
        self.assertNothingRan()

    # --- a file in place of the folder `.git`

    def test_worktrees_and_submodules(self):
        self.start()
        self.git("add", ".")
        self.git("commit", "-q", "-m", "second")
        other = self.folder / "worktree"
        self.git("worktree", "add", "-q", other, "-b", "side")
        impl = other / "custom/rowscale/rowscale_impl.py"
        impl.write_text(BAD.format("rowscale") + "# side\n", encoding="utf-8")
        self.assertEqual(self.found("--changed-since", "main", ".", cwd=other), ["rowscale_impl.py"])
        self.assertEqual(self.found("--staged", ".", cwd=other), [])
        self.edit(impl)
        self.assertTrue(self.git("log", "-1", "--format=%s", "side").startswith("backup:"))
        self.assertEqual(self.git("log", "-1", "--format=%s", "main"), "second")
        self.assertEqual(self.git("status", "--porcelain", cwd=other), "")
        outer = self.folder / "outer"
        outer.mkdir()
        self.git("init", "-q", cwd=outer)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", self.top, "inner", cwd=outer)
        inner = outer / "inner/custom/rowscale/rowscale_impl.py"
        inner.write_text(BAD.format("rowscale") + "# inner\n", encoding="utf-8")
        self.git("add", ".", cwd=outer / "inner")
        self.assertEqual(self.found("--staged", ".", cwd=outer / "inner"), ["rowscale_impl.py"])

    def test_a_git_file_that_leads_to_a_tracked_folder(self):
        self.operator()
        self.bare(self.top / "evil")
        (self.top / ".git").write_text("gitdir: evil\n", encoding="utf-8")
        self.everything()

    def test_a_git_file_that_leads_nowhere(self):
        self.operator()
        for text in ("gitdir: /nowhere\n", "gitdir:\n", "x", "", "gitdir: " + "a" * 9000):
            (self.top / ".git").write_text(text, encoding="utf-8")
            self.assertIn("not a git repository", self.check("--staged", ".", status=2).stderr)

    # --- what the caller's environment says

    def test_variables_name_no_program_and_no_place(self):
        self.start()
        self.bare(self.folder / "elsewhere")
        evil = str(self.script)
        env = {"GIT_DIR": str(self.folder / "elsewhere"), "GIT_WORK_TREE": str(self.folder / "elsewhere"),
               "GIT_EXTERNAL_DIFF": evil, "GIT_PAGER": evil, "PAGER": evil, "GIT_SSH": evil, "GIT_SSH_COMMAND": evil,
               "GIT_ASKPASS": evil, "SSH_ASKPASS": evil, "GIT_EDITOR": evil, "GIT_SEQUENCE_EDITOR": evil,
               "GIT_PROXY_COMMAND": evil, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor",
               "GIT_CONFIG_VALUE_0": evil, "GIT_CONFIG_PARAMETERS": f"'diff.external'='{evil}'",
               "GIT_TEMPLATE_DIR": str(self.folder), "GIT_OBJECT_DIRECTORY": str(self.folder / "elsewhere/objects"),
               "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(self.folder), "GIT_INDEX_FILE": str(self.folder / "index"),
               "GIT_NAMESPACE": "evil", "GIT_TRACE": str(self.folder / "trace"),
               "GIT_TRACE2_EVENT": str(self.folder / "trace"), "GIT_REDIRECT_STDERR": str(self.folder / "trace"),
               "GIT_CEILING_DIRECTORIES": str(self.top)}
        self.assertEqual(self.found("--changed-since", "HEAD", ".", **env), ["rowscale_impl.py"])
        self.assertEqual(self.found("--staged", ".", **env), [])
        self.edit(**env)
        self.assertTrue(self.git("log", "-1", "--format=%s").startswith("backup:"))
        self.assertNothingRan()
        for name in ("trace", "index"):
            self.assertFalse((self.folder / name).exists(), name)

    def test_the_index_of_a_partial_commit(self):
        """`git commit FILE` tells its hooks of an index of its own, in the folder of the repository."""
        self.start()
        self.git("add", ".")
        hook = self.top / ".git/hooks/pre-commit"
        hook.write_text(f"#!/bin/sh\n'{BINARY}' check --staged . --rules OL48 --stage 5 --format json "
                        f"> '{self.folder}/report'\nexit 1\n", encoding="utf-8")
        hook.chmod(0o755)
        self.git("commit", "-q", "-m", "x", "custom/rowscale/other.py", check=False)
        report = json.loads((self.folder / "report").read_text())
        self.assertEqual([f["file"] for f in report["findings"]], ["rowscale_impl.py"])
        self.write("tools/loose.txt", "x")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "x", "tools/loose.txt", check=False)
        self.assertEqual(json.loads((self.folder / "report").read_text())["runs"], [])

    def test_programs_in_the_working_directory(self):
        self.start()
        (self.top / "git").write_text(f"#!/bin/sh\ntouch '{self.marker}'\n", encoding="utf-8")
        (self.top / "git").chmod(0o755)
        for path in (".", "", ":", "custom:.", "./"):
            self.check("--staged", ".", PATH=f"{path}:{os.environ['PATH']}", status=0)
        self.assertNothingRan()


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
