#!/usr/bin/env python3
"""`check --fix` and `--remove-unused-suppressions`.

Usage: test_fix.py BINARY [unittest options]

The rule fixtures bring files as they are once everything is fixed; where all fixes of a fixture are
safe, --fix must make exactly these.
"""
import json
import os
import shutil
import stat
import subprocess
import unittest

import support
from support import CliTest, call

FIXTURES = support.ROOT / "tests" / "fixtures"
STAGE = ("--stage", "5", "--no-exec")


def fix(folder, *args):
    return call("check", "--op-dir", folder, *STAGE, "--format", "json", "--fix", *args)


def tree_of(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in sorted(folder.rglob("*")) if p.is_file()}


class Fixtures(CliTest):
    def classes(self, rule, folder):
        report = call("check", "--op-dir", folder, *STAGE, "--rules", rule, "--format", "json")
        return {f.get("fix", {}).get("class") for f in report.json()["findings"]}

    def test_safe_fixes_make_the_expected_files(self):
        compared = 0
        for case in sorted(FIXTURES.glob("OL[0-9][0-9]/*/fixed")):
            case = case.parent
            with self.subTest(case=f"{case.parent.name}/{case.name}"):
                target = self.folder / case.parent.name / case.name / "rowscale"
                shutil.copytree(case / "rowscale", target)
                classes = self.classes(case.parent.name, target)
                before = tree_of(target)
                done = fix(target, "--rules", case.parent.name)
                self.assertIn(done.status, (0, 1), done.err)
                if "safe" not in classes:
                    self.assertEqual(tree_of(target), before, "a suggestion was applied")
                elif "suggest" not in classes:
                    compared += 1
                    for path, content in tree_of(case / "fixed").items():
                        self.assertEqual((target / path).read_bytes().decode(), content.decode())
        self.assertGreater(compared, 10)


ALIAS = "import pypto as pp\n\n\ndef rowscale_wrapper(x):\n    return pp.add(x, x)\n"
PLAIN = "import pypto\n\n\ndef rowscale_wrapper(x):\n    return pypto.add(x, x)\n"


class Files(CliTest):
    """OL07 turns an alias of pypto into its name: two edits or more of one finding."""

    def fix_ol07(self, *args):
        return fix(self.folder / "rowscale", "--rules", "OL07", *args)

    def test_counts_go_to_stderr(self):
        self.write("rowscale/rowscale_impl.py", ALIAS)
        done = self.fix_ol07()
        self.assertEqual(self.read("rowscale/rowscale_impl.py"), PLAIN)
        self.assertEqual(done.err, "pypto-lint: 1 finding(s) fixed in 1 file(s)\n")
        self.assertEqual(done.status, 0)
        self.assertEqual(done.json()["findings"], [])

    def test_counts_in_chinese(self):
        self.write("rowscale/rowscale_impl.py", ALIAS)
        done = self.fix_ol07("--lang", "zh")
        self.assertEqual(done.err, "pypto-lint: 修复了 1 个问题，涉及 1 个文件\n")

    def test_several_files_are_fixed(self):
        self.write("rowscale/rowscale_impl.py", ALIAS)
        self.write("rowscale/modules/rowscale_module1_impl.py", ALIAS)
        done = self.fix_ol07()
        self.assertIn("2 finding(s) fixed in 2 file(s)", done.err)
        self.assertEqual(self.read("rowscale/modules/rowscale_module1_impl.py"), PLAIN)

    def test_mode_is_kept(self):
        for mode in (0o755, 0o600, 0o640):
            path = self.write("rowscale/rowscale_impl.py", ALIAS)
            path.chmod(mode)
            self.fix_ol07()
            self.assertEqual(self.read("rowscale/rowscale_impl.py"), PLAIN)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), mode)

    def test_symlink_stays_and_its_target_changes(self):
        """Within a repository; tests/hostile/test_links.py has those that lead out of it."""
        self.write(".git/HEAD", "ref: refs/heads/main\n")
        target = self.write("elsewhere/real.py", ALIAS)
        (self.folder / "rowscale").mkdir()
        link = self.folder / "rowscale" / "rowscale_impl.py"
        link.symlink_to("../elsewhere/real.py")
        self.fix_ol07()
        self.assertTrue(link.is_symlink())
        self.assertEqual(os.readlink(link), "../elsewhere/real.py")
        self.assertEqual(target.read_text(encoding="utf-8"), PLAIN)

    def test_no_temporary_file_is_left(self):
        self.write("rowscale/rowscale_impl.py", ALIAS)
        self.fix_ol07()
        self.assertEqual(os.listdir(self.folder / "rowscale"), ["rowscale_impl.py"])

    def test_a_clean_file_is_not_rewritten(self):
        path = self.write("rowscale/rowscale_impl.py", PLAIN)
        before = path.stat()
        done = self.fix_ol07()
        after = path.stat()
        self.assertIn("0 finding(s) fixed in 0 file(s)", done.err)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_without_fix_nothing_changes(self):
        path = self.write("rowscale/rowscale_impl.py", ALIAS)
        call("check", "--op-dir", self.folder / "rowscale", *STAGE)
        self.assertEqual(path.read_text(encoding="utf-8"), ALIAS)

    def test_crlf_and_bom_are_kept(self):
        text = "\ufeff" + ALIAS.replace("\n", "\r\n")
        self.write("rowscale/rowscale_impl.py", text)
        self.fix_ol07()
        self.assertEqual(self.read("rowscale/rowscale_impl.py"),
                         "\ufeff" + PLAIN.replace("\n", "\r\n"))

    def test_inserted_lines_end_as_the_file_does(self):
        text = '"""Row scale."""\r\n\r\n\r\ndef rowscale_wrapper(x):\r\n    return pypto.add(x, x)\r\n'
        self.write("rowscale/rowscale_impl.py", text)
        self.fix_ol07()
        fixed = self.read("rowscale/rowscale_impl.py")
        self.assertIn("import pypto\r\n", fixed)
        self.assertEqual(fixed.count("\n"), fixed.count("\r\n"))

    def test_loose_file_is_fixed_in_place(self):
        path = self.write("notes/scale.py", ALIAS)
        done = call("check", path, "--fix", "--rules", "OL07", "--no-exec")
        self.assertIn("1 finding(s) fixed in 1 file(s)", done.err)
        self.assertEqual(path.read_text(encoding="utf-8"), PLAIN)

    def test_relative_loose_file(self):
        path = self.write("notes/scale.py", ALIAS)
        call("check", "notes/scale.py", "--fix", "--rules", "OL07", "--no-exec", cwd=self.folder)
        self.assertEqual(path.read_text(encoding="utf-8"), PLAIN)

    @unittest.skipIf(support.ROOT_MAY_ALL, "root may write everything")
    def test_a_read_only_file_is_an_error(self):
        path = self.write("rowscale/rowscale_impl.py", ALIAS)
        path.chmod(0o444)
        done = self.fix_ol07()
        self.assertEqual(done.status, 2)
        self.assertIn("cannot write the fixes", done.err)
        self.assertEqual(path.read_text(encoding="utf-8"), ALIAS)

    def test_syntax_error_is_left_alone(self):
        text = "import pypto as pp\ndef broken(:\n    return pp.add\n"
        path = self.write("rowscale/rowscale_impl.py", text)
        done = self.fix_ol07()
        self.assertEqual(path.read_text(encoding="utf-8"), text)
        self.assertEqual(done.status, 1)

    def test_standard_input_with_its_fixes(self):
        name = str(self.folder / "custom/rowscale/rowscale_impl.py")
        done = call("check", "-", "--fix", "--rules", "OL07", "--stdin-filename", name, stdin=ALIAS.encode())
        self.assertEqual((done.status, done.out, done.err), (0, PLAIN, ""))
        for text in ("def broken(:\n", "", PLAIN, "import pypto as pp\r\nx = pp.a\r\n"):
            done = call("check", "-", "--fix", "--rules", "OL07", "--stdin-filename", name, stdin=text.encode())
            self.assertEqual(done.out, text.replace(" as pp", "").replace("pp.a", "pypto.a"))
        done = call("check", "-", "--remove-unused-suppressions", stdin=ALIAS.encode())
        self.assertEqual((done.status, done.out), (2, ""))

    def test_two_wrong_imports_become_one(self):
        for before, after in (
                ("import pypto as p\nfrom pypto import op\nx = p.exp, op\n", "import pypto\nx = pypto.exp, pypto.op\n"),
                ("from pypto import a; from pypto import b\nx = a(b)\n", "import pypto\nx = pypto.a(pypto.b)\n"),
                ("import pypto as p, pypto.op as q\nx = p.a, q\n", "import pypto\nx = pypto.a, pypto.op\n"),
                ("import pypto as p\nimport pypto.op as q, pypto.x as r\nx = p, q, r\n",
                 "import pypto\nx = pypto, pypto.op, pypto.x\n"),
                ("import os, pypto.op as o\nfrom pypto import c\nimport pypto\nx = o, c, pypto.d\n",
                 "import os, pypto\nx = pypto.op, pypto.c, pypto.d\n"),
                ("import pypto\nfrom pypto import a\nx = a\n", "import pypto\nx = pypto.a\n")):
            with self.subTest(before):
                path = self.write("rowscale/rowscale_impl.py", before)
                self.fix_ol07()
                self.assertEqual(path.read_text(encoding="utf-8"), after)

    def test_diff(self):
        path = self.write("custom/rowscale/rowscale_impl.py", ALIAS)
        done = call("--rules", "OL07", "--diff", "custom", cwd=self.folder)
        self.assertEqual(done.status, 1, done.err)
        self.assertTrue(done.out.startswith("diff --git a/custom/rowscale/rowscale_impl.py b/custom/"), done.out)
        self.assertIn("-import pypto as pp\n+import pypto\n", done.out)
        self.assertEqual(path.read_text(encoding="utf-8"), ALIAS)
        call("--rules", "OL07", "--fix", "custom", cwd=self.folder)
        done = call("--rules", "OL07", "--diff", "custom", cwd=self.folder)
        self.assertEqual((done.status, done.out), (0, ""))
        self.assertEqual(call("--diff", "--stage", "5", "--op-dir", "custom/rowscale", cwd=self.folder).status, 2)

    def test_diff_is_what_fix_does(self):
        """On the broken sample, with suggestions and without: patch(1) makes of it what --fix writes."""
        if shutil.which("patch") is None:
            self.skipTest("no patch")
        for extra in ((), ("--suggestions",)):
            for place in ("one", "two"):
                shutil.copytree(support.ROOT / "examples/broken/custom", self.folder / place / "custom")
            options = ("--stage", "5", "--no-exec", *extra)
            done = call("check", "custom", *options, "--diff", cwd=self.folder / "one")
            self.assertEqual(done.status, 1, done.err)
            subprocess.run(["patch", "-p1", "-s"], input=done.out.encode(), cwd=self.folder / "one", check=True)
            call("check", "custom", *options, "--fix", cwd=self.folder / "two")
            self.assertEqual(tree_of(self.folder / "one"), tree_of(self.folder / "two"))
            shutil.rmtree(self.folder / "one")
            shutil.rmtree(self.folder / "two")

    def test_suggestions_need_a_fix(self):
        self.assertEqual(call("--suggestions", "custom", cwd=self.folder).status, 2)

    def test_a_gate_changes_nothing(self):
        path = self.write("rowscale/rowscale_impl.py", ALIAS)
        done = call("--stage", "5", "--op-dir", self.folder / "rowscale", "--fix")
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertEqual(path.read_text(encoding="utf-8"), ALIAS)


LOOP = ("import pypto\n\n\n@pypto.frontend.jit\ndef rowscale_kernel(x):\n"
        "    for i in pypto.loop(8, unroll_list=[2]):\n"
        "        for j in pypto.loop(8):\n            pypto.sqrt(x)\n")
KERNEL = "\n\n@pypto.frontend.jit\ndef rowscale_kernel(x):\n    pypto.set_vec_tile_shapes(8, 8)\n"


class Suppressions(CliTest):
    def test_suppressed_findings_are_not_fixed(self):
        kept = LOOP.replace("[2]):\n", "[2]):  # pypto-lint: ignore[OL49] measured\n")
        path = self.write("rowscale/rowscale_impl.py", LOOP)
        self.assertIn("1 finding(s) fixed", fix(self.folder / "rowscale", "--rules", "OL49").err)
        self.assertEqual(path.read_text(encoding="utf-8"), LOOP.replace(", unroll_list=[2]", ""))
        path = self.write("rowscale/rowscale_impl.py", kept)
        self.assertIn("0 finding(s) fixed", fix(self.folder / "rowscale", "--rules", "OL49").err)
        self.assertEqual(path.read_text(encoding="utf-8"), kept)

    def remove(self, text, *args):
        self.write("rowscale/rowscale_impl.py", text)
        done = call("check", "--op-dir", self.folder / "rowscale", *STAGE,
                    "--remove-unused-suppressions", *args)
        return done, self.read("rowscale/rowscale_impl.py")

    def test_unused_comments_go(self):
        text = ("import pypto  # pypto-lint: ignore[OL02] nothing here\n"
                "# pypto-lint: ignore[OL06] neither here\n"
                "x = 1  # noqa  # pypto-lint: ignore[OL06]\n")
        done, fixed = self.remove(text + KERNEL)
        self.assertEqual(fixed, "import pypto\nx = 1  # noqa\n" + KERNEL)
        self.assertIn("3 unused suppression(s) removed", done.err)

    def test_used_ones_and_reasons_stay(self):
        text = ("import pypto\n" + KERNEL +
                "    y = min(x, 1)  # pypto-lint: ignore[OL06, OL02] both sizes are small\n")
        done, fixed = self.remove(text)
        self.assertEqual(fixed, text.replace("OL06, OL02", "OL06"))
        self.assertIn("1 unused suppression(s) removed", done.err)

    def test_rules_that_did_not_run_say_nothing(self):
        text = "import pypto  # pypto-lint: ignore[OL02]\n" + KERNEL
        done, fixed = self.remove(text, "--rules", "OL06")
        self.assertEqual(fixed, text)
        self.assertIn("0 unused suppression(s) removed", done.err)

    def test_a_part_of_an_operator_says_nothing(self):
        text = "import pypto  # pypto-lint: ignore[OL02]\n" + KERNEL
        done, fixed = self.remove(text, "--file", "rowscale_impl.py")
        self.assertEqual(fixed, text)
        self.assertIn("only a part", done.err)


if __name__ == "__main__":
    support.main()
