"""Options of `check`: selection, exit status, formats, output, language, colour."""
import json
import os
import pty
import stat
import subprocess
import unittest

import support

# OL02 (S1) at line 10, OL03 (S1) at 11, OL48 (S0) at 8; no wrapper: OL08 (S1).
BAD = """\
import pypto


@pypto.frontend.jit
def soft_npu(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
             y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
             rows: int):
    pypto.set_vec_tile_shapes(rows, 64)
    for i in pypto.loop(4):
        rows = 3
    return y
"""


class OptionsTest(support.CliTest):
    def setUp(self):
        super().setUp()
        self.write("soft/soft_impl.py", BAD)
        self.write("soft/.orchestrator_state.json", '{"operator_name": "soft", "current_stage": 5}')

    def check(self, *args, **options):
        return support.call("check", "--no-exec", *args, cwd=self.folder, **options)

    def report(self, *args, **options):
        return self.check("--format", "json", *args, **options).json()


def ids(report):
    return sorted({finding["rule"] for finding in report["findings"]})


def considered(report):
    return [entry["id"] for entry in report["rules"]]


class Selection(OptionsTest):
    def test_rules(self):
        report = self.report("--rules", "OL48,OL02", "soft")
        self.assertEqual(considered(report), ["OL02", "OL48"])
        self.assertEqual([(f["rule"], f["line"]) for f in report["findings"]], [("OL48", 8), ("OL02", 10)])
        self.assertEqual(considered(self.report("--rules=OL48", "soft")), ["OL48"])
        self.assertEqual(considered(self.report("--rules", " OL48 , ,OL02", "soft")), ["OL02", "OL48"])
        self.assertEqual(considered(self.report("--rules", "OL48", "--rules", "OL02", "soft")), ["OL02", "OL48"])

    def test_prefixes_and_dimensions(self):
        self.assertTrue({"OL40", "OL45", "OL46", "OL47", "OL48", "OL49"} >=
                        {r for r in considered(self.report("--rules", "OL4", "soft")) if r[3] in "056789"})
        self.assertTrue(all(r.startswith("OL4") for r in considered(self.report("--rules", "OL4", "soft"))))
        self.assertEqual(considered(self.report("--rules", "D3", "soft")), ["OL15", "OL16", "OL17", "OL18"])
        self.assertEqual(ids(self.report("--rules", "D1", "--ignore", "OL0,KS", "soft")), ["OL48"])

    def test_ignore(self):
        report = self.report("--ignore", "OL02,OL03", "soft")
        self.assertNotIn("OL02", considered(report))
        self.assertIn("OL48", ids(report))
        self.assertNotIn("OL03", ids(report))
        self.assertEqual(considered(self.report("--rules", "D3", "--ignore", "OL15", "soft")),
                         ["OL16", "OL17", "OL18"])

    def test_retired_ids_are_answered(self):
        for rule, word in (("OL27", "never assigned"), ("OL38", "OL25")):
            for option in ("--rules", "--ignore"):
                done = self.check(option, f"{rule},OL48", "--format", "json", "soft")
                self.assertIn(word, done.err)
                self.assertIn(done.status, (0, 1))
        self.assertIn("从未分配", self.check("--rules", "OL27", "soft", env={"PYPTO_LINT_LANG": "zh"}).err)

    def test_unknown_rules(self):
        for word in ("OL99", "D6", "S0", "x", "", ","):
            done = self.check("--rules", word, "soft")
            self.assertEqual((done.status, done.out), (2, ""), word)
            self.assertTrue(done.err.strip())
        self.assertIn("OL48", self.check("--rules", "0L48", "soft").err)  # did you mean

    def test_rules_in_small_letters(self):
        self.assertEqual(considered(self.report("--rules", "ol48,Ol02", "soft")), ["OL02", "OL48"])
        self.assertEqual(considered(self.report("--rules", "d3", "soft")), ["OL15", "OL16", "OL17", "OL18"])
        self.assertEqual(considered(self.report("--rules", "OL48,OL02", "--ignore", "ol0", "soft")), ["OL48"])

    def test_stage(self):
        for stage in range(1, 8):
            report = self.report("--stage", stage, "soft")
            self.assertEqual(report["stage"], stage)
        skipped = {e["id"]: e for e in self.report("--stage", "3", "--rules", "OL48", "soft")["rules"]}["OL48"]
        self.assertEqual(skipped["status"], "SKIP")
        self.assertTrue(skipped["reason"])
        for bad in ("0", "8", "-1", "+5", "5.0", "five", "", "05x", "99999999999999999999"):
            self.assertEqual(self.check("--stage", bad, "soft").status, 2, bad)

    def test_stage_of_the_state_file(self):
        self.assertEqual(self.report("soft")["stage"], 5)
        self.write("soft/.orchestrator_state.json", '{"operator_name": "soft", "current_stage": 3}')
        self.assertEqual(self.report("soft")["stage"], 3)
        (self.folder / "soft/.orchestrator_state.json").unlink()
        self.write("soft/README.md", "x")
        self.assertEqual(self.report("soft")["stage"], 5)

    def test_phase_forms(self):
        for good in ("M1", "M2", "M10", "M999"):
            report = self.report("--phase", good, "--op-dir", "soft")
            self.assertEqual((report["phase"], report["stage"]), (good, 5))
        for bad in ("M0", "M01", "M+1", "M-1", "M", "m1", "1", "M1 ", " M1", "M1.0", "M１", "", "MM1", "M1000000000000"):
            self.assertEqual(self.check("--phase", bad, "--op-dir", "soft").status, 2, bad)

    def test_phase_scope(self):
        self.write("soft/modules/soft_module12_impl.py", "import pypto\nfrom pypto import frontend\n")
        report = self.report("--phase", "M2", "--op-dir", "soft", "--rules", "OL07,OL48")
        self.assertEqual([(f["rule"], f["file"]) for f in report["findings"]],
                         [("OL07", "modules/soft_module12_impl.py")])

    def test_file_scope(self):
        self.write("soft/modules/soft_module1_impl.py", "from pypto import frontend\n")
        report = self.report("--op-dir", "soft", "--file", "modules/soft_module1_impl.py")
        self.assertEqual({f["file"] for f in report["findings"]}, {"modules/soft_module1_impl.py"})
        self.assertEqual(self.report("--op-dir", "soft", "--file", "./soft_impl.py", "--rules", "OL48")
                         ["findings"][0]["file"], "soft_impl.py")
        for args in (["--file", "x.py"], ["--op-dir", "soft", "--file", "/etc/passwd"],
                     ["--op-dir", "soft", "--file", "a.py", "--phase", "M1"], ["--op-dir", "soft", "--file", ""]):
            self.assertEqual(self.check(*args).status, 2, args)

    def test_usage_errors(self):
        for args in (["--what"], ["-x"], ["--format"], ["--format", "xml"], ["--jobs=2"], ["-j"], ["-j0"], ["-j", "x"],
                     ["--no-exec=1"], ["--op-dir", "soft", "soft"], ["--op-dir", ""], ["--output", "", "soft"],
                     ["--lang", "fr"], ["--fail-on", "S4"], ["--fail-on", "s1"], ["--color", "maybe"],
                     ["--stdin-filename", "x.py"], ["-", "--fix", "--remove-unused-suppressions"], [""]):
            done = self.check(*args)
            self.assertEqual((done.status, done.out), (2, ""), args)
            self.assertTrue(done.err.startswith("pypto-lint: "), args)

    def test_two_dashes_end_options(self):
        self.write("-odd/-odd_impl.py", BAD)
        self.write("-odd/README.md", "")
        self.assertEqual(self.report("--rules", "OL48", "--", "-odd")["op_name"], "-odd")


class ExitStatus(OptionsTest):
    def test_fail_on(self):
        for rule, severity in (("OL48", 0), ("OL02", 1)):
            for threshold in range(4):
                done = self.check("--rules", rule, "--fail-on", f"S{threshold}", "soft")
                self.assertEqual(done.status, int(severity <= threshold), (rule, threshold))
            self.assertEqual(self.check("--rules", rule, "--fail-on", "never", "soft").status, 0)
            self.assertEqual(self.check("--rules", rule, "soft").status, 1)

    def test_s2_does_not_fail_by_default(self):
        self.write("soft/soft_impl.py", BAD.replace("    for i in pypto.loop(4):\n        rows = 3\n", ""))
        report = self.report("--rules", "OL23", "soft")
        self.assertEqual(ids(report), ["OL23"])
        self.assertEqual(self.check("--rules", "OL23", "soft").status, 0)

    def test_warnings_never_fail(self):
        self.write("soft/soft_impl.py", BAD.replace("[pypto.DYNAMIC, 64], pypto.DT_FP32", "[pypto.DYNAMIC, 64]"))
        report = self.report("--rules", "OL25", "soft")
        self.assertEqual({f["status"] for f in report["findings"]}, {"WARN"})
        self.assertEqual(self.check("--rules", "OL25", "--fail-on", "S3", "soft").status, 0)

    def test_trouble(self):
        self.assertEqual(self.check("nowhere").status, 2)
        self.assertEqual(self.check("--op-dir", "nowhere").status, 2)
        self.assertEqual(self.check("--config", "nowhere.yaml", "soft").status, 2)
        self.write("broken.yaml", "ignore: [\n")
        done = self.check("--config", "broken.yaml", "soft")
        self.assertEqual(done.status, 2)
        self.assertIn("broken.yaml", done.err)

    def test_trouble_beside_findings(self):
        done = self.check("--format", "json", "soft", "nowhere")
        self.assertEqual(done.status, 2)
        self.assertIn("nowhere", done.err)

    @unittest.skipIf(not os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([support.BINARY, "check", "--no-exec", str(self.folder / "soft")], stdout=full,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No space left", done.stderr)

    def test_closed_pipe_is_not_clean(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        done = subprocess.run([support.BINARY, "check", "--no-exec", str(self.folder / "soft")],
                              stdout=write_end, stderr=subprocess.PIPE, check=False)
        os.close(write_end)
        self.assertEqual((done.returncode, done.stderr), (2, b""))


class Output(OptionsTest):
    def test_file(self):
        expected = self.check("--format", "concise", "soft")
        done = self.check("--format", "concise", "--output", "report.txt", "soft")
        self.assertEqual((done.status, done.out), (expected.status, ""))
        self.assertEqual(self.read("report.txt"), expected.out)
        self.assertEqual(sorted(os.listdir(self.folder)), ["report.txt", "soft"])

    def test_replaces_a_file(self):
        self.write("report.json", "old")
        self.check("--format", "json", "--output", "report.json", "soft")
        self.assertIn("findings", json.loads(self.read("report.json")))

    def test_old_file_stays_on_trouble(self):
        self.write("report.json", "old")
        for args in (["nowhere"], ["--config", "nowhere.yaml", "soft"], ["--what"]):
            self.assertEqual(self.check("--output", "report.json", "--format", "json", *args).status, 2)
            self.assertEqual(self.read("report.json"), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["report.json", "soft"])

    def test_unwritable(self):
        for target in ("nowhere/report.txt", "soft"):
            done = self.check("--output", target, "soft")
            self.assertEqual(done.status, 2, target)
            self.assertIn(target, done.err)
        self.assertTrue((self.folder / "soft").is_dir())

    @unittest.skipIf(support.ROOT_MAY_ALL, "root may write anywhere")
    def test_read_only_folder(self):
        self.write("closed/report.txt", "old")
        os.chmod(self.folder / "closed", 0o500)
        done = self.check("--output", "closed/report.txt", "soft")
        os.chmod(self.folder / "closed", 0o700)
        self.assertEqual(done.status, 2)
        self.assertEqual(self.read("closed/report.txt"), "old")

    def test_special_files_are_not_replaced(self):
        os.mkfifo(self.folder / "pipe")
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE)
        done = self.check("--format", "concise", "--output", "pipe", "soft")
        self.assertTrue(stat.S_ISFIFO(os.stat(self.folder / "pipe").st_mode))
        out = reader.communicate(timeout=10)[0].decode()
        self.assertEqual(out, self.check("--format", "concise", "soft").out)
        self.assertEqual(done.status, 1)

    def test_symlink_stays(self):
        self.write("real.txt", "old")
        (self.folder / "link.txt").symlink_to("real.txt")
        self.check("--format", "concise", "--output", "link.txt", "soft")
        self.assertTrue((self.folder / "link.txt").is_symlink())
        self.assertIn("OL48", self.read("real.txt"))

    def test_umask(self):
        subprocess.run(["sh", "-c", f"umask 027; exec {support.BINARY} check --no-exec --output r.txt soft"],
                       cwd=self.folder, check=False)
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "r.txt").st_mode), 0o640)

    def test_private_report_stays_private(self):
        self.write("r.txt", "old").chmod(0o600)
        self.check("--output", "r.txt", "soft")
        self.assertIn("OL48", self.read("r.txt"))
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "r.txt").st_mode), 0o600)


class Formats(OptionsTest):
    def test_json(self):
        report = self.report("soft")
        self.assertEqual(report["schema_version"], 1)
        self.assertEqual(report["tool"]["name"], "pypto-lint")
        self.assertEqual((report["op_name"], report["op_dir"], report["phase"]), ("soft", "soft", None))
        for finding in report["findings"]:
            for key in ("rule", "severity", "dimension", "status", "message", "hint", "file", "line", "column",
                        "end_line", "end_column", "fixable"):
                self.assertIn(key, finding)
        places = [(f["file"], f["line"], f["column"], f["rule"]) for f in report["findings"]]
        self.assertEqual(places, sorted(places))
        statuses = [e["status"] for e in report["rules"]]
        self.assertEqual(report["summary"]["pass"], statuses.count("PASS"))
        self.assertEqual(report["summary"]["skip"], statuses.count("SKIP"))
        self.assertEqual(report["summary"]["fail"], sum(f["status"] == "FAIL" for f in report["findings"]))
        for entry in report["rules"]:
            self.assertEqual("reason" in entry, entry["status"] == "SKIP", entry)

    def test_several_operators(self):
        self.write("other/other_impl.py", BAD)
        self.write("other/README.md", "")
        report = self.report(".")
        self.assertEqual([run["op_name"] for run in report["runs"]], ["other", "soft"])

    def test_every_format(self):
        for form in ("text", "concise", "json", "sarif", "github", "agent"):
            done = self.check("--format", form, "soft")
            self.assertEqual((done.status, done.err), (1, ""), form)
            self.assertIn("OL48", done.out)
            self.assertNotIn("\x1b", done.out)
        self.assertEqual(json.loads(self.check("--format", "sarif", "soft").out)["version"], "2.1.0")
        self.assertIn("soft/soft_impl.py:8:", self.check("--format", "concise", "soft").out)
        self.assertIn("::error file=soft/soft_impl.py,line=8", self.check("--format", "github", "soft").out)

    def test_passed_and_statistics(self):
        plain = self.check("--rules", "OL48,OL07", "soft").out
        passed = self.check("--rules", "OL48,OL07", "--show-passed", "soft").out
        self.assertNotIn("OL07", plain)
        self.assertIn("OL07", passed)
        counted = self.check("--rules", "OL48,OL07", "--statistics", "soft").out
        self.assertTrue(counted.startswith(plain[:200]))
        self.assertGreater(len(counted), len(plain))

    def test_clean_is_quiet_and_zero(self):
        for form in ("concise", "github"):
            done = self.check("--rules", "OL07", "--format", form, "soft")
            self.assertEqual(done.status, 0)
            self.assertNotIn("OL07", done.out)


class Language(OptionsTest):
    def message(self, *args, **env):
        return self.report("--rules", "OL48", *args, "soft", env=env)["findings"][0]["message"]

    def is_chinese(self, text):
        return any("\u4e00" <= c <= "\u9fff" for c in text)

    def test_order_of_sources(self):
        plain = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "PYPTO_LINT_LANG": ""}
        for env, args, chinese in (({}, [], False), ({"LANG": "zh_CN.UTF-8"}, [], True),
                                   ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, [], False),
                                   ({"LC_MESSAGES": "zh_TW"}, [], True), ({"LANG": "de_DE"}, [], False),
                                   ({"PYPTO_LINT_LANG": "zh"}, [], True),
                                   ({"PYPTO_LINT_LANG": "en", "LANG": "zh_CN"}, [], False),
                                   ({"PYPTO_LINT_LANG": "zh"}, ["--lang", "en"], False),
                                   ({}, ["--lang", "zh"], True)):
            self.assertEqual(self.is_chinese(self.message(*args, **{**plain, **env})), chinese, (env, args))

    def test_settings(self):
        self.write("soft/.pypto-lint.yaml", "lang: zh\n")
        self.assertTrue(self.is_chinese(self.message()))
        self.assertFalse(self.is_chinese(self.message("--lang", "en")))
        self.assertFalse(self.is_chinese(self.message("--no-config")))

    def test_same_findings(self):
        places = [[(f["rule"], f["file"], f["line"], f["column"], f["status"])
                   for f in self.report("--lang", lang, "soft")["findings"]] for lang in ("en", "zh")]
        self.assertEqual(places[0], places[1])


class Colour(OptionsTest):
    def on_terminal(self, *args, **env):
        """Output on a pseudo terminal."""
        master, slave = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        environment.update({"LC_ALL": "C.UTF-8", "TERM": "xterm", **env})
        child = subprocess.Popen([support.BINARY, "check", "--no-exec", "--rules", "OL48", *args, "soft"],
                                 cwd=self.folder, stdout=slave, env=environment)
        os.close(slave)
        out = b""
        try:
            while chunk := os.read(master, 65536):
                out += chunk
        except OSError:
            pass
        os.close(master)
        child.wait()
        return out

    def test_terminal(self):
        self.assertIn(b"\x1b[", self.on_terminal())
        self.assertNotIn(b"\x1b[", self.on_terminal(NO_COLOR="1"))
        self.assertIn(b"\x1b[", self.on_terminal(NO_COLOR=""))  # empty means not set
        self.assertNotIn(b"\x1b[", self.on_terminal("--color", "never"))
        self.assertIn(b"\x1b[", self.on_terminal("--color", "always", NO_COLOR="1"))

    def test_pipe(self):
        self.assertNotIn("\x1b[", self.check("soft", env={"NO_COLOR": ""}).out)
        self.assertIn("\x1b[", self.check("--color", "always", "soft").out)

    def test_file(self):
        self.on_terminal("--output", "report.txt")
        self.assertNotIn("\x1b[", self.read("report.txt"))


class Gates(OptionsTest):
    def test_suppressions_do_not_hold_in_gates(self):
        self.write("soft/soft_impl.py", BAD.replace("return y", "return y  # pypto-lint: ignore[OL03] because"))
        self.assertNotIn("OL03", ids(self.report("soft")))
        gate = support.call("--stage", "5", "--op-dir", "soft", "--format", "json", "--no-exec", cwd=self.folder)
        self.assertIn("OL03", ids(gate.json()))
        self.write("soft/.pypto-lint.yaml", "allow-suppressions-in-gates: true\n")
        gate = support.call("--stage", "5", "--op-dir", "soft", "--format", "json", "--no-exec", cwd=self.folder)
        self.assertNotIn("OL03", ids(gate.json()))

    def test_default_command(self):
        self.assertEqual(support.call("--no-exec", "--format", "concise", "soft", cwd=self.folder).out,
                         self.check("--format", "concise", "soft").out)

    def test_working_directory_is_the_default_path(self):
        done = support.call("--no-exec", "--format", "json", cwd=self.folder / "soft")
        self.assertEqual((done.status, done.json()["op_name"]), (1, "soft"))


class Help(support.CliTest):
    def test_every_command(self):
        overview = support.call("--help").out
        for command in ("check", "rules", "explain", "help"):
            self.assertIn(command, overview)
            by_help = support.call("help", command)
            self.assertEqual(by_help.status, 0)
            self.assertIn(f"pypto-lint {command}" if command != "check" else "pypto-lint [check]", by_help.out)
            if command != "help":
                by_option = support.call(command, "--help")
                self.assertEqual((by_option.status, by_option.out), (0, by_help.out), command)
        self.assertEqual(support.call("-h").out, overview)
        self.assertEqual(support.call("help").out, overview)
        self.assertEqual(support.call("help", "nonsense").status, 2)


if __name__ == "__main__":
    support.main()
