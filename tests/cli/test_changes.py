#!/usr/bin/env python3
"""`--changed-since`, `--staged` and `--new-only`, with a real git.

Usage: test_changes.py BINARY [unittest options]
"""
import os
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import CliTest, call

BAD = "    pypto.set_vec_tile_shapes(x.shape[0], 128)\n"  # OL48, S0
LEAST = "    a = min(y, 1)\n"  # OL06, S1
MOST = "    b = max(y, 1)\n"


def kernel(name, lines):
    header = f"def {name}_kernel(x: pypto.Tensor([pypto.DYNAMIC, 128]), y: pypto.Tensor):\n"
    return f"import pypto\n\n\n@pypto.frontend.jit\n{header}{lines}    y[:] = x\n"


@unittest.skipIf(shutil.which("git") is None, "git is not there")
class Changes(CliTest):
    def setUp(self):
        super().setUp()
        self.git("init", "-q")
        for name in ("alpha", "beta"):
            self.write(f"custom/{name}/{name}_impl.py", kernel(name, BAD))
            for document in ("SPEC.md", "README.md"):
                self.write(f"custom/{name}/{document}", f"# {name}\n")
        self.write("tools/loose.py", kernel("loose", BAD))
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")

    def git(self, *args, cwd=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        for who in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{who}_NAME": "Test", f"GIT_{who}_EMAIL": "test@example.org"}
        done = subprocess.run(["git", *args], cwd=cwd or self.folder, env=environment, check=True,
                              capture_output=True, encoding="utf-8")
        return done.stdout.strip()

    def lint(self, *args, cwd=None, rules="OL48,OL06", env=None):
        done = call("check", "--rules", rules, "--stage", "5", *args, "--format", "json",
                    cwd=cwd or self.folder, env=env)
        self.assertIn(done.status, (0, 1), done.err)
        return done

    def found(self, *args, **named):
        """(operator, file, line) of every finding."""
        report = self.lint(*args, **named).json()
        runs = report["runs"] if "runs" in report else [report]
        return [(r["op_name"], f["file"], f["line"]) for r in runs for f in r["findings"]]

    def test_nothing_changed(self):
        for args in (("--staged",), ("--changed-since", "HEAD")):
            done = self.lint(*args, ".")
            self.assertEqual((done.status, done.json()["runs"]), (0, []))
            self.assertEqual(done.json()["notices"][0]["message"],
                             "nothing to check: no operator and no kernel file changed")

    def test_a_parent_that_ignores_its_children(self):
        """SIGCHLD stays ignored across exec, and then nobody learns how git ended."""
        done = subprocess.run([support.BINARY, "check", "--staged", "."], cwd=self.folder, check=False,
                              capture_output=True, timeout=60,
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_touched_operators_are_linted_whole(self):
        self.write("custom/beta/SPEC.md", "# beta, again\n")
        expected = [("beta", "beta_impl.py", 6)]
        self.assertEqual(self.found("--changed-since", "HEAD", "."), expected)
        self.assertEqual(self.found("--staged", "."), [])
        self.git("add", ".")
        self.assertEqual(self.found("--staged", "."), expected)

    def test_deleted_files_touch_their_operator(self):
        (self.folder / "custom/alpha/SPEC.md").unlink()
        self.assertEqual(self.found("--changed-since", "HEAD", "."), [("alpha", "alpha_impl.py", 6)])

    def test_loose_files(self):
        self.write("tools/loose.py", kernel("loose", BAD) + "# end\n")
        self.assertEqual(self.found("--changed-since", "HEAD", "."), [("", "tools/loose.py", 6)])

    def test_untracked_files_count_unless_ignored(self):
        self.write("custom/gamma/gamma_impl.py", kernel("gamma", BAD))
        self.write("custom/gamma/SPEC.md", "# gamma\n")
        expected = [("gamma", "gamma_impl.py", 6)]
        self.assertEqual(self.found("--changed-since", "HEAD", "."), expected)
        self.assertEqual(self.found("--changed-since", "HEAD", ".", "--new-only"), expected)
        self.assertEqual(self.found("--staged", "."), [])
        self.write(".gitignore", "gamma/\n")
        self.assertEqual(self.found("--changed-since", "HEAD", "custom/gamma"), [])

    def test_tracked_files_count_although_ignored(self):
        """For git they are changed; a pull request could not be seen otherwise."""
        self.write("custom/alpha/README.md", "other\n")
        self.write("tools/loose.py", kernel("loose", BAD + "\n"))
        self.write("custom/gamma/gamma_impl.py", kernel("gamma", BAD))
        self.write("custom/gamma/SPEC.md", "# gamma\n")
        for pattern in ("*", "custom/\ntools/", "*.py"):
            self.write(".gitignore", pattern + "\n")
            self.assertEqual([(name, file) for name, file, _ in
                              self.found("--changed-since", "HEAD", "custom/alpha", "custom", "tools")
                              if name != "gamma"],
                             [("alpha", "alpha_impl.py"), ("", "tools/loose.py")], pattern)
        self.write(".gitignore", "*\n")
        self.git("add", "-u")
        self.assertNotIn("gamma", [found[0] for found in self.found("--staged", ".")])
        self.assertIn("alpha", [found[0] for found in self.found("--staged", ".")])

    def test_older_revisions_branches_and_tags(self):
        self.git("tag", "start")
        self.git("branch", "base")
        self.write("custom/alpha/SPEC.md", "# new\n")
        self.git("commit", "-q", "-am", "second")
        for rev in ("HEAD~1", "start", "base", self.git("rev-parse", "start")):
            self.assertEqual(self.found("--changed-since", rev, "."), [("alpha", "alpha_impl.py", 6)])
        self.assertEqual(self.found("--changed-since=HEAD", "."), [])

    def test_named_places_outside_the_change(self):
        self.write("custom/beta/SPEC.md", "# beta, again\n")
        self.assertEqual(self.found("--changed-since", "HEAD", "custom/alpha"), [])
        self.assertEqual(self.found("--changed-since", "HEAD", "--op-dir", "custom/alpha"), [])
        self.assertEqual(self.found("--changed-since", "HEAD", "--op-dir", "custom/beta"),
                         [("beta", "beta_impl.py", 6)])
        self.assertEqual(self.found("--changed-since", "HEAD", "custom/beta/beta_impl.py"), [])

    def test_from_a_folder_below(self):
        self.write("custom/beta/SPEC.md", "# beta, again\n")
        self.assertEqual(self.found("--changed-since", "HEAD", "..", cwd=self.folder / "custom/alpha"),
                         [("beta", "beta_impl.py", 6)])

    def test_a_similar_name_is_another_operator(self):
        self.write("custom/alpha-2/alpha-2_impl.py", kernel("a", BAD))
        self.assertEqual(self.found("--changed-since", "HEAD", "custom/alpha"), [])

    def test_names_with_odd_characters(self):
        name = 'we "i\trd\n\\名 '
        path = f"custom/{name}/x_impl.py"
        impl = self.write(path, kernel("x", LEAST))
        self.git("add", ".")
        self.git("commit", "-q", "-m", "odd")
        impl.write_text(kernel("x", LEAST) + "# end\n", encoding="utf-8")
        self.assertEqual([f[2] for f in self.found("--changed-since", "HEAD", path)], [6])
        self.assertEqual(self.found("--changed-since", "HEAD", path, "--new-only"), [])
        impl.write_text(kernel("x", LEAST.replace("y, 1", "y, 2")), encoding="utf-8")
        self.assertEqual([f[2] for f in self.found("--changed-since", "HEAD", path, "--new-only")], [6])

    # --- --new-only

    def new_only(self, before, after, rules="OL06"):
        """Lines of the findings after the change from `before` to `after`."""
        impl = self.write("custom/alpha/alpha_impl.py", before)
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "before")
        impl.write_bytes(after.encode())
        self.git("add", ".")
        everything = [f[2] for f in self.found("custom/alpha", rules=rules)]
        new = [f[2] for f in self.found("custom/alpha", "--changed-since", "HEAD", "--new-only", rules=rules)]
        staged = [f[2] for f in self.found("custom/alpha", "--staged", "--new-only", rules=rules)]
        self.assertEqual(new, staged)
        return everything, new

    def test_only_findings_on_changed_lines(self):
        both = kernel("alpha", LEAST + MOST)
        self.assertEqual(self.new_only(both, both.replace("max(y, 1)", "max(y, 2)")), ([6, 7], [7]))
        self.assertEqual(self.new_only(both, "\n" + both), ([7, 8], []))
        with_more = kernel("alpha", "    c = y\n" + LEAST + MOST)
        self.assertEqual(self.new_only(with_more, both), ([6, 7], [6]))  # the line after a deletion
        spread = kernel("alpha", "    a = min(\n        y,\n        1)\n" + MOST)
        self.assertEqual(self.new_only(spread, spread.replace("        1)", "        2)")), ([6, 9], [6]))

    def test_whole_files_stay_and_s0_is_counted(self):
        self.write("custom/alpha/alpha_impl.py", kernel("alpha", BAD) + "\n# end\n")
        done = self.lint("--changed-since", "HEAD", "--new-only", ".")
        self.assertEqual(done.json()["findings"], [])
        self.assertIn("1 finding(s) of severity S0 on lines that did not change",
                      [notice["message"] for notice in done.json()["notices"]][0])
        found = self.found("--changed-since", "HEAD", "--new-only", ".", rules="OL13")
        self.assertTrue(found)
        self.assertEqual({line for _, _, line in found}, {0})

    def test_text_that_looks_like_a_patch(self):
        before = '"""\n-- a\n+++ b/custom/beta/beta_impl.py\n@@ -1 +1,99 @@\n"""\n' + kernel("alpha", LEAST)
        after = before.replace("-- a\n", "-- b\n++ b/x\n@ -1 +1,9 @\n")
        self.assertEqual(self.new_only(before, after), ([13], []))

    def test_no_line_end_at_the_end(self):
        text = kernel("alpha", LEAST)
        self.assertEqual(self.new_only(text[:-1], text + "# end"), ([6], []))
        self.assertEqual(self.new_only(text + MOST[:-1], text + MOST), ([6, 8], [8]))

    # --- git and its settings

    def test_settings_of_git_start_nothing_and_change_nothing(self):
        marker = self.folder / "started"
        script = self.write("evil.sh", f"#!/bin/sh\ntouch '{marker}'\n")
        script.chmod(0o755)
        for key in ("diff.external", "diff.kernel.command", "diff.kernel.textconv", "core.fsmonitor", "core.pager"):
            self.git("config", key, str(script))
        for key, value in (("diff.noprefix", "true"), ("diff.mnemonicPrefix", "true"), ("diff.renames", "copies"),
                           ("color.ui", "always"), ("diff.context", "5"), ("diff.interHunkContext", "9"),
                           ("diff.relative", "true")):
            self.git("config", key, value)
        self.write(".gitattributes", "*_impl.py diff=kernel\n*.py -diff\n")
        before = kernel("alpha", LEAST + MOST)
        self.git("-c", "core.fsmonitor=false", "add", ".")
        marker.unlink(missing_ok=True)
        impl = self.write("custom/alpha/alpha_impl.py", before)
        self.git("-c", "core.fsmonitor=false", "add", ".")
        self.git("-c", "core.fsmonitor=false", "commit", "-q", "-m", "x")
        impl.write_text(before.replace("max(y, 1)", "max(y, 2)"), encoding="utf-8")
        marker.unlink(missing_ok=True)
        env = {"GIT_EXTERNAL_DIFF": str(script)}
        self.assertEqual(self.found("--changed-since", "HEAD", "--new-only", ".", rules="OL06", env=env),
                         [("alpha", "alpha_impl.py", 7)])
        self.assertFalse(marker.exists(), "git started a program of the repository")

    def fail(self, *args, part=None, env=None, cwd=None):
        if part is None:
            return super().fail(*args)
        done = call("check", *args, cwd=cwd or self.folder, env=env)
        self.assertEqual(done.status, 2, done.out)
        self.assertIn(part, done.err)
        return done

    def test_unknown_revisions(self):
        for rev in ("no-such", "HEAD..HEAD", "HEAD:custom", "HEAD^{tree}x", "$(touch x)"):
            self.fail("--changed-since", rev, ".", part=f"git knows no revision '{rev}'")
        self.fail("--changed-since", "--output=x", ".", part="--changed-since needs a revision")
        self.fail("--changed-since", "", ".", part="--changed-since needs a revision")
        self.assertFalse((self.folder / "x").exists())

    def test_outside_a_repository(self):
        shutil.rmtree(self.folder / ".git")
        env = {"GIT_CEILING_DIRECTORIES": str(self.folder.parent)}
        self.fail("--staged", ".", part="not a git repository", env=env)

    def test_places_of_another_repository(self):
        self.write("other/custom/delta/delta_impl.py", kernel("delta", BAD))
        self.write("other/custom/delta/SPEC.md", "# delta\n")
        other = self.folder / "other"
        self.git("init", "-q", cwd=other)
        self.fail("--staged", "other", ".", part="not in the git repository")

    def test_without_git(self):
        self.fail("--staged", ".", part="cannot start git", env={"PATH": str(self.folder)})

    def test_a_git_that_fails_or_hangs(self):
        fake = self.write("bin/git", "#!/bin/sh\necho 'fatal: out of luck' >&2\nexit 3\n")
        fake.chmod(0o755)
        path = {"PATH": f"{fake.parent}:{os.environ['PATH']}"}
        self.fail("--staged", ".", part="git: out of luck", env=path)

    @unittest.skipUnless(os.environ.get("PYPTO_LINT_TEST_SLOW"), "takes half a minute: PYPTO_LINT_TEST_SLOW=1")
    def test_the_time_limit(self):
        fake = self.write("bin/git", "#!/bin/sh\nsleep 100 & wait\n")
        fake.chmod(0o755)
        start = time.monotonic()
        process = subprocess.run([support.BINARY, "check", "--staged", "."], cwd=self.folder, check=False,
                                 env={"PATH": f"{fake.parent}:{os.environ['PATH']}"}, capture_output=True, timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"longer than 30 s", process.stderr)
        self.assertLess(time.monotonic() - start, 35)

    def test_before_the_first_commit(self):
        shutil.rmtree(self.folder / ".git")
        self.git("init", "-q")
        self.git("add", "custom/alpha")
        self.assertEqual(self.found("--staged", "."), [("alpha", "alpha_impl.py", 6)])
        self.fail("--changed-since", "HEAD", ".", part="git knows no revision 'HEAD'")

    def test_wrong_usage(self):
        self.fail("--new-only", part="--new-only needs")
        self.fail("--staged", "--changed-since", "HEAD", part="exclude each other")
        self.fail("--staged", "-", part="'-'")
        done = call("--stage", "5", "--op-dir", "custom/alpha", "--staged", cwd=self.folder)
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("a gate checks everything", done.err)

    def test_with_a_baseline(self):
        self.lint("custom", "--baseline", "b.json", "--update-baseline")
        self.write("custom/alpha/alpha_impl.py", kernel("alpha", BAD + BAD))
        self.assertEqual(self.found("--changed-since", "HEAD", "custom", "--baseline", "b.json"),
                         [("alpha", "alpha_impl.py", 7)])


class WholeOperators(CliTest):
    """`--whole-operators`: what a hook that is given changed files asks for."""

    def setUp(self):
        super().setUp()
        for document in ("SPEC.md", "DESIGN.md"):
            self.write(f"custom/alpha/{document}", "# alpha\n")
        self.write("custom/alpha/alpha_impl.py", kernel("alpha", BAD))
        self.write("custom/alpha/modules/alpha_module1_impl.py", kernel("alpha", BAD))

    def found(self, *paths, option=("--whole-operators",)):
        done = call("check", "--rules", "OL48", "--stage", "5", *option, "--format", "json", *paths, cwd=self.folder)
        report = done.json()
        runs = report["runs"] if "runs" in report else [report]
        return ([f"{r['op_dir']}/{f['file']}" for r in runs for f in r["findings"]],
                [n["message"] for n in report.get("notices", [])])

    def test_files_stand_for_their_operator(self):
        whole = ["custom/alpha/alpha_impl.py", "custom/alpha/modules/alpha_module1_impl.py"]
        for paths in (["custom/alpha/SPEC.md"], ["custom/alpha/modules/alpha_module1_impl.py"], whole,
                      ["custom/alpha/DESIGN.md", "custom/alpha"]):
            self.assertEqual(self.found(*paths), (whole, []), paths)
        self.assertEqual(self.found(whole[0], option=())[0], whole[:1])

    def test_others_only_with_a_kernel(self):
        self.write("notes/README.md", "# notes\n")
        self.write("notes/tool.py", "import pypto\npypto.set_vec_tile_shapes(f(), 1)\n")
        self.write("notes/loose.py", kernel("loose", BAD))
        paths = ["notes/README.md", "notes/tool.py", "notes/loose.py"]
        self.assertEqual(self.found(*paths), (["./notes/loose.py"], []))
        self.assertEqual(self.found(*paths, option=())[1],
                         ["not checked: not a Python file and in no operator directory"])

    def test_a_named_document_is_no_python(self):
        for name in ("SPEC.md", "DESIGN.md"):
            report = call("check", f"custom/alpha/{name}", "--stage", "4", "--format", "json", cwd=self.folder).json()
            self.assertNotIn("OL00", {f["rule"] for f in report["findings"]})


if __name__ == "__main__":
    support.main()
