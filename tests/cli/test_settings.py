"""Settings and what changes the choice of rules: pyproject.toml, profiles, severity, options, exclude; and the options
that show or write something: --show-settings, --show-files, --add-suppressions, --quiet, --exit-zero, --watch."""
import os
import re
import signal
import subprocess
import time

import support

KERNEL = """\
import pypto
import pypto.frontend


@pypto.frontend.jit
def soft_npu(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
             y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    a = max(x, y)
    y[:] = pypto.add(x, y)
    return y
"""


class SettingsTest(support.CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()  # a fence: nothing above is looked at
        self.write(".git/HEAD", "ref: refs/heads/main\n")
        self.write("k.py", KERNEL)

    def check(self, *args, **options):
        return support.call("check", "--no-exec", *args, cwd=self.folder, **options)

    def ids(self, *args, **options):
        done = self.check("--format", "json", *args, **options)
        self.assertIn(done.status, (0, 1), done.err)
        report = done.json()
        return sorted({f["rule"] for run in report.get("runs", [report]) for f in run["findings"]})

    def severities(self, *args):
        return {f["rule"]: f["severity"] for f in self.check("--format", "json", *args).json()["findings"]}


class Pyproject(SettingsTest):
    def test_table_counts(self):
        self.assertIn("OL03", self.ids("k.py"))
        self.write("pyproject.toml", '[project]\nname = "x"\n\n[tool.pypto-lint]\nignore = ["return-in-kernel"]\n')
        self.assertNotIn("OL03", self.ids("k.py"))
        self.assertIn("OL03", self.ids("k.py", "--no-config"))

    def test_yaml_in_the_same_folder_wins(self):
        self.write("pyproject.toml", '[tool.pypto-lint]\nignore = ["OL03"]\n')
        self.write(".pypto-lint.yaml", "ignore: [OL06]\n")
        found = self.ids("k.py")
        self.assertIn("OL03", found)
        self.assertNotIn("OL06", found)

    def test_without_the_table_the_search_goes_on(self):
        self.write(".pypto-lint.yaml", "ignore: [OL03]\n")
        self.write("sub/k.py", KERNEL)
        for text in ("", '[project]\ndependencies = ["pypto-lint"]\n', "not toml = = \n", "[tool.ruff]\nselect = []\n"):
            self.write("sub/pyproject.toml", text)
            self.assertNotIn("OL03", self.ids("sub"), text)

    def test_named_by_config(self):
        self.write("other/settings.toml", '[tool.pypto-lint]\nignore = ["OL03"]\n')
        self.assertNotIn("OL03", self.ids("k.py", "--config", "other/settings.toml"))

    def test_mistakes_have_a_line(self):
        for text, line, words in (
                ("[tool.pypto-lint]\nselct = 1\n", 2, 'unknown key "selct"; did you mean "select"?'),
                ("[tool.pypto-lint]\n\nselect = 'OL03'\n", 3, '"select" must be a list'),
                ("[tool.pypto-lint]\nselect = ['OL03'\n", 3, "not valid TOML: a list is not closed"),
                ("[tool.pypto-lint]\nlang = 'en'\nlang = 'zh'\n", 3, "a key is repeated"),
                ("[tool.pypto-lint]\nfail-on = 1\n", 2, '"fail-on" must be one of'),
                ("[tool]\npypto-lint = 3\n", 2, "the settings must be a mapping"),
                ("[tool.pypto-lint.severity]\nOL03 = 'S9'\n", 2, '"OL03" must be one of S0, S1, S2, S3'),
                ("[tool.pypto-lint.severity]\nOL99 = 'S1'\n", 2, 'no rule is named "OL99"'),
                ("[tool.pypto-lint.options]\nOL03 = {x = 1}\n", 2, 'no rule "OL03" has options'),
                ("[tool.pypto-lint.options]\nall = {factor = 4}\n", 2, 'no rule "all" has options'),
                ("[tool.pypto-lint.options]\nD5 = {factor = 4}\n", 2, 'no rule "D5" has options'),
                ("[tool.pypto-lint.options]\nOL3 = {factor = 4}\n", 2, 'no rule "OL3" has options'),
                ("[tool.pypto-lint.options.OL32]\nfacto = 1\n", 2, 'did you mean "factor"?'),
                ("[tool.pypto-lint.options.OL32]\nfactor = 'x'\n", 2, "must be a number from 1 to 1000"),
                ("[tool.pypto-lint.options.OL32]\nfactor = nan\n", 2, "must be a number from 1 to 1000"),
                ("[tool.pypto-lint]\nexclude = ['!a']\n", 2, "not a usable pattern"),
                ("[tool.pypto-lint]\nprofile = 'x'\n", 2, '"profile" must be one of operator, kernel')):
            self.write("pyproject.toml", text)
            done = self.check("k.py")
            self.assertEqual(done.status, 2, text)
            self.assertIn(f"pyproject.toml:{line}: ", done.err, text)
            self.assertIn(words, done.err, text)

    def test_hostile_files(self):
        head = b"[tool.pypto-lint]\n"
        for text in (head + b"a = " + b"[" * 30000, head + b"a = " + b"{a=" * 10000, head + b"a." * 20000 + b"b = 1",
                     head + b"a = '" + b"\xff'\n", head + b"a = \"\\ud800\"\n", head + b"\x00", b"\xef\xbb\xbf" + head + b"x",
                     head + b"".join(b"k%d = 1\n" % i for i in range(50000)), head + b"#" * (1 << 21),
                     head + b"select = ['\x1b[2J\x1b]0;x\x07']\n"):
            self.write("pyproject.toml", text)
            done = self.check("k.py")
            self.assertEqual(done.status, 2, text[:60])
            self.assertNotIn("\x1b", done.out + done.err)
            self.assertLess(len(done.err), 2000)

    def test_links_out_of_the_project(self):
        with open(self.folder.parent / f"{self.folder.name}.toml", "w", encoding="utf-8") as file:
            file.write("[tool.pypto-lint]\nsecret = 1\n")
        self.addCleanup(os.unlink, file.name)
        (self.folder / "pyproject.toml").symlink_to(file.name)
        done = self.check("k.py")
        self.assertEqual(done.status, 2)
        self.assertNotIn("secret", done.out + done.err)


class Choice(SettingsTest):
    def test_select_and_extend_select(self):
        self.assertEqual(self.ids("k.py", "--select", "OL03"), ["OL03"])
        self.assertEqual(self.ids("k.py", "--select", "OL03", "--extend-select", "python-min-max-in-kernel"),
                         ["OL03", "OL06"])
        self.write(".pypto-lint.yaml", "select: [OL03]\nignore: [OL06]\n")
        self.assertEqual(self.ids("k.py"), ["OL03"])
        self.assertEqual(self.ids("k.py", "--select", "OL06,OL07"), ["OL07"])  # `ignore` holds
        self.assertEqual(self.ids("k.py", "--rules", "OL06"), ["OL06"])
        self.write(".pypto-lint.yaml", "extend-select: [irregular-pypto-import]\n")
        self.assertIn("OL07", self.ids("k.py"))
        self.assertEqual(self.check("k.py", "--select", "nothing").status, 2)

    def test_profiles(self):
        kernel, operator = (set(self.ids("k.py", "--profile", p)) for p in ("kernel", "operator"))
        self.assertEqual(set(self.ids("k.py")), kernel)
        self.assertEqual(operator - kernel, {"OL07", "OL08", "OL23"})
        self.assertLessEqual(kernel, operator)
        self.write(".pypto-lint.yaml", "profile: operator\n")
        self.assertEqual(set(self.ids("k.py")), operator)
        self.assertEqual(self.check("k.py", "--profile", "x").status, 2)

    def test_the_kernel_profile_knows_no_operators(self):
        self.write("custom/soft/soft_impl.py", KERNEL)
        self.write("custom/soft/test_soft.py", KERNEL)
        self.assertIn("OL08", self.ids("custom"))
        self.write(".pypto-lint.yaml", "profile: kernel\n")
        report = self.check("custom", "--format", "json").json()
        self.assertEqual(report["op_name"], "")
        self.assertEqual({f["file"] for f in report["findings"]},
                         {"custom/soft/soft_impl.py", "custom/soft/test_soft.py"})
        self.assertNotIn("OL08", {f["rule"] for f in report["findings"]})
        for path in ("custom/soft/soft_impl.py", "custom/soft"):
            self.assertNotIn("OL08", self.ids(path))
        done = self.check("-", "--stdin-filename", "custom/soft/soft_impl.py", "--format", "json", stdin=KERNEL.encode())
        self.assertNotIn("OL08", {f["rule"] for f in done.json()["findings"]})

    def test_one_chip(self):
        """104 rows of 256 floats fit the 950's buffer only: 2 * 106,496 bytes of 196,608, or of 253,952."""
        text = ("import pypto\n\n\n@pypto.frontend.jit\ndef k(x: pypto.Tensor([128, 256], {dtype}),\n"
                "      y: pypto.Tensor([128, 256], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(104, 256)\n"
                "    y[:] = pypto.exp({x})\n")
        self.write("k.py", text.format(dtype="pypto.DT_FP32", x="x"))
        found = self.check("k.py", "--format", "json").json()["findings"]
        self.assertEqual([(f["rule"], f["status"]) for f in found], [("KS08", "WARN")])
        self.assertIn("on 910B1; runs on 950PR", found[0]["message"])
        # A float of 8 bits says which chip is meant.
        self.write("k.py", text.format(dtype="pypto.DT_FP8E4M3", x="pypto.cast(x, pypto.DT_FP32)"))
        self.assertEqual(self.ids("k.py"), [])
        self.write(".pypto-lint.yaml", "soc: 910B1\n")
        self.assertNotEqual(self.ids("k.py"), [])

    def test_the_repository_of_the_product(self):
        self.write("custom/soft/soft_impl.py", KERNEL)
        self.assertIn("OL08", self.ids("."))
        self.write("python/pypto/__init__.py", "")
        self.assertNotIn("OL08", self.ids("."))
        self.assertIn("OL08", self.ids(".", "--profile", "operator"))

    def test_gates_keep_the_workflow(self):
        self.write("custom/soft/soft_impl.py", KERNEL)
        self.write(".pypto-lint.yaml", "profile: kernel\n")
        done = support.call("--stage", "5", "--op-dir", "custom/soft", "--no-exec", "--format", "json", cwd=self.folder)
        self.assertIn("OL08", {f["rule"] for f in done.json()["findings"]})

    def test_options_of_rules(self):
        """The fixtures of each rule: what its standard value finds, another one does not."""
        fixtures = support.ROOT / "tests" / "fixtures"
        for rule, case, setting, status in (("OL47", "one_setting_two_sub_kernels", "calls: 100", "PASS"),
                                            ("OL37", "one_common_name", "design-names: 100", "SKIP"),
                                            ("OL37", "one_common_name", "common-names: 1", "PASS")):
            with self.subTest(rule=rule, setting=setting):
                folder = fixtures / rule / case / "rowscale"
                args = ("check", "--op-dir", folder, "--stage", "5", "--no-exec", "--rules", rule, "--format", "json", "--no-config")
                self.assertNotEqual(support.call(*args).json()["findings"], [])
                self.write("other.yaml", f"options: {{{rule}: {{{setting}}}}}\n")
                done = support.call(*args[:-1], "--config", self.folder / "other.yaml")
                self.assertEqual([one["status"] for one in done.json()["rules"] if one["id"] == rule], [status])

    def test_severity(self):
        self.assertEqual(self.severities("k.py")["OL03"], "S1")
        self.write(".pypto-lint.yaml", "severity: {D1: S3, return-in-kernel: S2, OL00: S3}\n")
        found = self.severities("k.py")
        self.assertEqual((found["OL03"], found["OL06"]), ("S2", "S3"))
        self.assertEqual(self.check("k.py").status, 0)
        self.assertEqual(self.check("k.py", "--fail-on", "S2").status, 1)
        self.write("k.py", "import pypto\n@pypto.frontend.jit\ndef f(:\n")
        self.assertEqual(self.severities("k.py"), {"OL00": "S0"})
        self.assertEqual(self.check("k.py").status, 1)

    def test_severity_is_not_the_python_linters(self):
        self.write("soft/soft_impl.py", KERNEL)
        calls = []
        for text in ("lang: en\n", "lang: en\nseverity: {OL03: S3}\noptions: {OL32: {factor: 9}}\nprofile: kernel\n"):
            self.write(".pypto-lint.yaml", text)
            calls.append(support.call("--lint-impl", "--op-dir", "soft", cwd=self.folder).out)
        self.assertEqual(calls[0], calls[1])
        self.assertNotIn("return-in-kernel", calls[0])

    def test_names_in_comments(self):
        self.write("k.py", KERNEL.replace("    return y", "    return y  # pypto-lint: ignore[return-in-kernel] why"))
        self.assertNotIn("OL03", self.ids("k.py"))
        self.write("k.py", KERNEL.replace("    return y", "    return y  # pypto-lint: ignore[no-such-rule] why"))
        self.assertIn("OL03", self.ids("k.py"))


class Exclude(SettingsTest):
    def setUp(self):
        super().setUp()
        for name in ("a/k.py", "a/b/k.py", "node_modules/k.py", ".hidden/k.py"):
            self.write(name, KERNEL)

    def files(self, *args):
        done = self.check("--show-files", *(args or (".",)))
        self.assertEqual((done.status, done.err), (0, ""))
        return done.out.splitlines()

    def test_keys(self):
        self.assertEqual(self.files(), ["a/b/k.py", "a/k.py", "k.py"])
        self.write(".pypto-lint.yaml", "extend-exclude: [b/, /k.py]\n")
        self.assertEqual(self.files(), ["a/k.py"])
        self.assertEqual(self.files("a/b"), ["a/b/k.py"])  # named
        self.assertEqual(self.files("k.py", "a/k.py"), ["a/k.py", "k.py"])
        self.assertEqual(self.files("--whole-operators", "k.py", "a/k.py", "a/b/k.py"), ["a/k.py"])
        self.write(".pypto-lint.yaml", "exclude: [a]\n")
        self.assertEqual(self.files(), [".hidden/k.py", "k.py", "node_modules/k.py"])
        self.write(".git/k.py", KERNEL)
        self.write(".pypto-lint.yaml", "exclude: []\n")
        self.assertNotIn(".git/k.py", self.files())

    def test_nearest_settings(self):
        self.write("a/.pypto-lint.yaml", "extend-exclude: [k.py]\n")
        self.assertEqual(self.files(), ["k.py"])
        self.write("a/.pypto-lint.yaml", "extend-exclude: [/k.py]\n")
        self.assertEqual(self.files(), ["a/b/k.py", "k.py"])


class Shows(SettingsTest):
    def test_show_settings_is_a_settings_file(self):
        self.write("pyproject.toml", "[tool.pypto-lint]\nselect = ['OL0', 'tile-not-constant']\nfail-on = 'S2'\n"
                   "extend-exclude = ['a b/']\nseverity = {OL03 = 'S3'}\noptions.OL32.factor = 2.5\n"
                   "per-path = {'x\"y/' = ['ALL']}\npypto = '9.1'\n")
        first = self.check("--show-settings", "--ignore", "OL48").out
        self.assertIn('select: ["OL0", "tile-not-constant"]\n', first)
        self.assertIn('ignore: ["OL48"]\n', first)
        self.assertIn("    factor: 2.5\n", first)
        self.write("shown.yaml", first)
        again = self.check("--show-settings", "--config", "shown.yaml").out
        self.assertEqual(again.splitlines()[1:], first.splitlines()[1:])
        self.write("pyproject.toml", "[tool.pypto-lint]\nx = 1\n")
        self.assertEqual(self.check("--show-settings").status, 2)

    def test_quiet_and_verbose(self):
        self.write("k.py", KERNEL + "# pypto-lint: ignore[OL06] nothing\n")
        loud = self.check("k.py", "--format", "concise").out.splitlines()
        quiet = self.check("k.py", "--format", "concise", "-q").out.splitlines()
        self.assertEqual(quiet, [line for line in loud if line.startswith("k.py")])
        self.assertRegex(loud[-1], r"^\d+ errors?, (\d+ warnings?, )?\d+ fixable with --fix, 1 more with --fix --suggestions$")
        done = self.check("k.py", "--verbose")
        self.assertRegex(done.err, r"profile kernel, stage 5, settings none, \d+ rules ran")
        self.assertEqual(self.check("k.py", "-q", "-v").status, 2)
        self.assertEqual(self.check("k.py", "-q", "--select", "OL52").out, "")

    def test_tally(self):
        fixable = sum(f["fixable"] for f in self.check("k.py", "--format", "json").json()["findings"])
        for form in ("text", "concise", "agent"):
            self.assertIn(f", {fixable} fixable with --fix, 1 more with --fix --suggestions\n", self.check("k.py", "--format", form).out)
        self.assertIn("个可用 --fix 修复，另有 1 个可用 --fix --suggestions 修复", self.check("k.py", "--lang", "zh").out)

    def test_statuses(self):
        self.assertEqual(self.check("k.py").status, 1)
        self.assertEqual(self.check("k.py", "--exit-zero").status, 0)
        self.assertEqual(self.check("missing.py", "--exit-zero").status, 2)
        mild = ("k.py", "--fail-on", "never")
        count = len(self.check("k.py", "--format", "json").json()["findings"])
        self.assertEqual(self.check(*mild, "--max-warnings", count).status, 0)
        done = self.check(*mild, "--max-warnings", count - 1)
        self.assertEqual(done.status, 1)
        self.assertIn(f"{count} warning(s), more than --max-warnings {count - 1}", done.err)
        self.assertEqual(self.check(*mild, "--max-warnings", "x").status, 2)
        self.write("custom/soft/soft_impl.py", KERNEL)
        gate = ("--stage", "5", "--op-dir", "custom/soft", "--no-exec")
        self.assertEqual(support.call(*gate, "--exit-zero", cwd=self.folder).status, 2)

    def test_nothing_there(self):
        (self.folder / "empty").mkdir()
        done = self.check("empty")
        self.assertEqual(done.status, 0)
        self.assertIn("no PyPTO files below empty: nothing was checked", done.err)
        self.assertIn("empty 之下没有 PyPTO 文件", self.check("empty", "--lang", "zh").err)

    def test_one_syntax_error_is_one_finding(self):
        for text in ("def f(:\n    pass\n", "x = (1\ny = 2\nz = )\n", "if x\n    y = [\n", "import pypto\n@pypto.frontend.jit\ndef f(x:\n  y\n z\n"):
            self.write("k.py", text)
            self.assertEqual([f["rule"] for f in self.check("k.py", "--format", "json").json()["findings"]], ["OL00"])


class AddSuppressions(SettingsTest):
    def add(self, *args):
        return self.check("k.py", "--add-suppressions", "--reason", "known since 2024", *args)

    def test_comments_take_the_findings_out(self):
        before = self.severities("k.py", "--profile", "operator")
        self.assertIn("S0", before.values())
        done = self.add("--profile", "operator")
        text = self.read("k.py")
        self.assertIn("    # pypto-lint: ignore[OL03] known since 2024\n    return y\n", text)
        after = self.severities("k.py", "--profile", "operator")
        self.assertEqual(after, {rule: severity for rule, severity in before.items() if severity == "S0"})
        self.assertEqual(done.status, 1)
        self.assertIn("1 finding(s) stay", done.err)
        self.add("--profile", "operator")
        self.assertEqual(self.read("k.py"), text)  # nothing is written twice
        stripped = "".join(line for line in text.splitlines(True) if "pypto-lint:" not in line)
        self.assertEqual(stripped, KERNEL)

    def test_line_ends_and_places(self):
        self.write("k.py", ("#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n" + KERNEL.replace("    return y", "    return (\n        y)")
                            ).replace("\n", "\r\n"))
        self.add("--profile", "operator")
        text = (self.folder / "k.py").read_bytes()
        self.assertEqual(text.count(b"\n"), text.count(b"\r\n"))
        self.assertTrue(text.startswith(b"#!/usr/bin/env python3\r\n# -*- coding"))
        self.assertNotIn("OL03", self.ids("k.py"))

    def test_refusals(self):
        for args in (("--add-suppressions",), ("--reason", "x"), ("--add-suppressions", "--reason", " "),
                     ("--add-suppressions", "--reason", "a\nb"), ("--add-suppressions", "--reason", "x", "--fix"),
                     ("--add-suppressions", "--reason", b"\xff".decode("utf-8", "surrogateescape"))):
            done = self.check("k.py", *args)
            self.assertEqual(done.status, 2, args)
        self.assertEqual(self.read("k.py"), KERNEL)
        self.write("k.py", "def f(:\n")
        self.assertIn("1 finding(s) stay", self.add().err)
        self.assertEqual(self.read("k.py"), "def f(:\n")


class Watch(SettingsTest):
    def test_a_change_is_linted(self):
        process = subprocess.Popen([support.BINARY, "check", "--no-exec", "--watch", "--format", "concise", "."],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "LC_ALL": "C.UTF-8"})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        self.assertIn("watching", process.stderr.readline())
        self.write("k.py", KERNEL.replace("    return y\n", ""))
        self.assertIn("watching", process.stderr.readline())
        self.write("new/k.py", KERNEL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 1)
        reports = re.split(r"fixable with --fix.*\n", out)
        self.assertIn("error[OL03]", reports[0])
        self.assertNotRegex(reports[1], r"(?m)^k.py.*OL03")
        self.assertIn("new/k.py", reports[-2])

    def test_what_it_does_not_go_with(self):
        for args in (("-",), ("--show-files", "."), ("--show-settings", ".")):
            self.assertEqual(self.check("--watch", *args).status, 2)


class JobSummary(SettingsTest):
    def github(self, summary, *args):
        return self.check("k.py", "--format", "github", *args, env={"GITHUB_STEP_SUMMARY": str(summary)})

    def test_table(self):
        summary = self.folder / "summary.md"
        self.github(summary)
        self.github(summary)
        text = summary.read_text(encoding="utf-8")
        self.assertEqual(text.count("### pypto-lint\n"), 2)  # appended
        self.assertIn("| S1 | FAIL | OL03 return-in-kernel | k&#46;py&#58;11&#58;5 | ", text)

    def test_text_is_no_markup(self):
        self.write("k.py", KERNEL.replace("return y", "return '@me | <b> [x](http://e.org) `' "))
        self.github(self.folder / "summary.md", "--select", "OL03")
        row = [line for line in self.read("summary.md").splitlines() if "OL03" in line][0]
        self.assertEqual(row.count("|"), 6)
        for mark in "<>[]()@`*_":
            self.assertNotIn(mark, row)

    def test_links_are_refused(self):
        target = self.write("target", "before")
        (self.folder / "link").symlink_to(target)
        os.link(target, self.folder / "hard")
        for name in ("link", "hard", "."):
            done = self.github(self.folder / name)
            self.assertEqual(done.status, 1)
            self.assertIn("GITHUB_STEP_SUMMARY", done.err)
        self.assertEqual(self.read("target"), "before")

    def test_ten_of_a_kind_and_s0_first(self):
        body = "".join(f"    a{i} = max(x, y)\n" for i in range(30))
        self.write("k.py", KERNEL.replace("    a = max(x, y)\n", body).replace("shapes(16", "shapes(x.shape[0]"))
        lines = self.check("k.py", "--format", "github").out.splitlines()
        kinds = [line.split(" ")[0] for line in lines if line.startswith("::")]
        self.assertLessEqual(max(kinds.count(kind) for kind in kinds), 10)
        count = len(self.check("k.py", "--format", "json").json()["findings"])
        self.assertIn(f"pypto-lint: {count - len(kinds)} more without an annotation", lines[-1])
        self.assertIn("OL48", lines[0])


if __name__ == "__main__":
    support.main()
