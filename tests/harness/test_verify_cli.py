"""The command line of `verify`: flags, defaults, exit statuses, what goes where."""
import json
import os
import pty
import select
import shutil
import subprocess
import sys

import harness_support
from harness_support import HarnessTest
from operators import case

IMPL2 = "modules/duet_module12_impl.py"
ONE = [case("L2_only", "L2", atol=1e-4, rtol=1e-4)]
VALIDATOR = os.path.join(harness_support.HERE, os.pardir, "sarif", "validate.py")


class Usage(HarnessTest):
    def test_wrong(self):
        """Status 2, a message on standard error, nothing on standard output, no report."""
        duet = self.operator(cases=ONE)
        for wrong in (["--no-such-flag"], ["--up-to-module", "0"], ["--up-to-module", "two"],
                      ["--up-to-module", "-1"], ["--up-to-module", "4294967297"],
                      ["--modes", "gpu"], ["--modes", ""], ["--modes", "sim,,npu"],
                      ["--modes", "sim,gpu"], ["--timeout", "0"], ["--timeout", "soon"],
                      ["--timeout", "-5"], ["--timeout", "99999999999999999999"],
                      ["--mem-limit", "0"], ["--mem-limit", "4X"], ["--mem-limit", "-1G"],
                      ["--mem-limit", "99999999999999999G"], ["-j", "many"], ["-j", "-1"],
                      ["--format", "xml"], ["--lang", "fr"], ["a_word"], ["--impl"],
                      ["--levels", ""], ["--case", ""], ["--report", ""],
                      ["--sanitize=race"], ["--sanitize="], ["--sanitize", "--no-sanitize"],
                      ["--soc", "no-such-soc"], ["--python", "/no/such/python"]):
            with self.subTest(wrong):
                done = self.verify(duet, duet.flags(2, *wrong))
                self.assertEqual((done.status, done.stdout, done.report), (2, "", None), done)
                self.assertIn("pypto-lint", done.stderr)
                self.assertLess(done.stderr.count("\n"), 5, done.stderr)

    def test_missing_things(self):
        """Status 2 whether or not there is a report; never a PASS."""
        duet = self.operator(cases=ONE)
        for flags in (["--up-to-module", "3"], ["--impl", duet.path("none.py")],
                      ["--impl", duet.path("modules")],
                      ["--suite", duet.path("eval/none.json")], ["--suite", duet.path("eval")],
                      ["--suite", "/none/eval/adversarial_suite.json"]):
            with self.subTest(flags):
                done = self.verify(duet, duet.flags(2, *flags))
                self.assertEqual(done.status, 2, done)
                if done.report is not None:
                    self.assertEqual(self.valid(done)["status"], "ERROR")

    def test_help(self):
        for arguments in (["verify", "--help"], ["help", "verify"], ["verify", "-h"]):
            done = subprocess.run([harness_support.BINARY] + arguments, capture_output=True,
                                  text=True, timeout=20)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for flag in ("--impl", "--up-to-module", "--suite", "--case", "--levels",
                         "--self-test", "--report", "--modes", "--inspect", "--timeout",
                         "--mem-limit", "--jobs", "--reuse-workers", "--scheduler",
                         "--no-lint-gate", "--format", "--lang"):
                self.assertIn(flag, done.stdout)


class Defaults(HarnessTest):
    WARM = True

    def test_suite_report_module_and_modes(self):
        """Started in eval/ with nothing but --impl: phase 1, both modes."""
        duet = self.operator(cases=ONE)
        done = self.verify(duet, ["--impl", "../modules/duet_module1_impl.py"],
                           folder=duet.path("eval"))
        report = self.expect(done, "PASS")
        self.assertEqual((report["impl_file"], report["up_to_module"]),
                         ("../modules/duet_module1_impl.py", 1))
        self.assertEqual(report["per_mode_status"], {"sim": "PASS", "npu": "SKIPPED"})
        self.assertEqual(self.summary(done)[:4], ("PASS", "1", "1", "sim:PASS,npu:SKIPPED"))

    def test_tolerances(self):
        """1e-3 each: a difference of 9e-4 near one passes at |t| of 2.5, not at 1e-4."""
        duet = self.operator(cases=[case("wide", "L2"), case("narrow", "L2", atol=1e-4,
                                                             rtol=1e-5)])
        duet.edit("modules/duet_module1_impl.py", (
            "    pypto.assemble(s_tile", "    s_tile = pypto.add(s_tile, 0.0009)\n"
            "    pypto.assemble(s_tile"))
        done = self.verify(duet, duet.flags(1))
        self.expect(done, "FAIL", "precision", "precision", "all_fail", 1, "narrow")
        self.assertEqual([c["all_close"] for c in done.report["checks"]], [True, False])

    def test_suite_dialects(self):
        """`cases` for `test_cases`, dtype as an object, comments, no total_modules."""
        duet = self.operator()
        suite = {"_note": "a comment", "op_name": "duet", "cases": [
            dict(ONE[0], _why="because", dtype={"default": "float32"}, seed=7),
            dict(ONE[0], id="other", level="2", dtype_mode="plain")]}
        duet.write("eval/adversarial_suite.json", json.dumps(suite))
        report = self.expect(self.verify(duet, duet.flags(2)), "PASS")
        self.assertEqual([c["level"] for c in report["checks"]], ["L2", "L2"])
        self.assertEqual(report["total_modules"], 2)  # from the YAML

    def test_report_elsewhere(self):
        duet = self.operator(cases=ONE)
        path = os.path.join(self.folder, "elsewhere.json")
        done = self.verify(duet, duet.flags(2, "--report", "elsewhere.json"), report=path)
        self.expect(done, "PASS")
        self.assertEqual(self.summary(done)[4], "elsewhere.json")
        self.assertFalse(os.path.exists(duet.report_path))

    def test_files_of_the_operator_are_not_overwritten(self):
        duet = self.operator(cases=ONE)
        os.symlink(duet.path("eval/test_inputs.py"), os.path.join(self.folder, "link"))
        for flag, name in (("--report", duet.path(duet.impl(2))),
                           ("--report", duet.path("eval/adversarial_suite.json")),
                           ("--output", duet.path("eval/module_interfaces.yaml")),
                           ("--report", "link")):
            with self.subTest([flag, name]):
                place = os.path.join(self.folder, name)
                with open(place, "rb") as file:
                    before = file.read()
                done = self.verify(duet, duet.flags(2, flag, name))
                self.assertEqual((done.status, done.stdout, done.report), (2, "", None), done)
                with open(place, "rb") as file:
                    self.assertEqual(file.read(), before)

    def test_nothing_else_is_written(self):
        """Neither in the operator's folder nor in the current or the temporary one."""
        duet = self.operator(cases=ONE)
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)

        def files():
            return {os.path.join(at, name) for at, _, names in os.walk(self.folder)
                    for name in names}
        before = files()
        done = self.verify(duet, duet.flags(2), TMPDIR=temporary)
        self.expect(done, "PASS")
        self.assertEqual(files() - before,
                         {duet.report_path, duet.path("eval/evaluation_report.log")})


class Formats(HarnessTest):
    WARM = True

    def failing(self):
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, ("0.25", "0.26"))
        return duet

    def test_text(self):
        duet = self.failing()
        done = self.verify(duet, duet.flags(2))
        self.assertEqual(self.summary(done)[:4], ("FAIL", "0", "1", "sim:FAIL,npu:SKIPPED"))
        for word in ("L2_only", "precision", "all_fail", "out1"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\x1b", done.stdout)

    def test_chinese(self):
        duet = self.failing()
        english = self.verify(duet, duet.flags(2))
        chinese = self.verify(duet, duet.flags(2, "--lang", "zh"))
        self.assertRegex(chinese.stdout, "sim: FAIL .*与参考不符")
        self.assertNotIn("differs on", chinese.stdout)
        self.assertEqual(self.summary(english), self.summary(chinese))
        # the report is the same in any language
        self.assertEqual(dict(english.report, timing=0), dict(chinese.report, timing=0))

    def test_json(self):
        duet = self.failing()
        done = self.verify(duet, duet.flags(2, "--format", "json"))
        verdict = json.loads(done.stdout, parse_constant=harness_support.no_constant)
        self.assertEqual(verdict["status"], "FAIL")
        self.assertEqual(done.status, 1)
        self.assertRegex(done.stderr, "status=FAIL cases=0/1")

    def sarif(self, done):
        log = json.loads(done.stdout)
        self.assertEqual(log["version"], "2.1.0")
        self.assertEqual(len(log["runs"]), 1)
        if os.path.isdir(os.path.join(os.path.dirname(VALIDATOR), "node_modules")):
            path = os.path.join(self.folder, "log.sarif")
            with open(path, "w") as file:
                file.write(done.stdout)
            checked = subprocess.run([sys.executable, VALIDATOR, path], capture_output=True,
                                     text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return log["runs"][0]

    def test_sarif(self):
        duet = self.failing()
        done = self.verify(duet, duet.flags(2, "--format", "sarif"))
        run = self.sarif(done)
        self.assertEqual(len(run["results"]), 1)
        result = run["results"][0]
        place = result["locations"][0]["physicalLocation"]
        line = duet.read(IMPL2).split("\n").index("def duet_module12_wrapper(x, y):") + 1
        self.assertEqual(place["region"]["startLine"], line)
        self.assertTrue(place["artifactLocation"]["uri"].endswith(IMPL2))
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        self.assertEqual((result["ruleId"], rule["id"], rule["name"]),
                         ("PLV03", "PLV03", "VerifyPrecision"))
        self.assertIn("L2_only", result["message"]["text"])
        self.assertEqual(done.status, 1)
        duet.edit(IMPL2, ("0.26", "0.25"))
        done = self.verify(duet, duet.flags(2, "--format", "sarif"))
        self.assertEqual((self.sarif(done)["results"], done.status), ([], 0))

    def test_sarif_of_an_error(self):
        """A run that could not take place is no clean log."""
        duet = self.failing()
        duet.remove("modules/duet_module12_golden.py")
        done = self.verify(duet, duet.flags(2, "--format", "sarif"))
        run = self.sarif(done)
        self.assertEqual(done.status, 2)
        failed = [i for i in run.get("invocations", []) if not i["executionSuccessful"]]
        self.assertTrue(run["results"] or failed, run)

    def test_output_file(self):
        duet = self.failing()
        done = self.verify(duet, duet.flags(2, "--format", "sarif", "--output", "log.sarif"))
        self.assertEqual(done.status, 1, done)
        with open(os.path.join(self.folder, "log.sarif")) as file:
            self.assertEqual(json.load(file)["version"], "2.1.0")

    def test_progress_on_a_terminal_only(self):
        duet = self.failing()
        ours, theirs = pty.openpty()
        process = subprocess.Popen([harness_support.BINARY, "verify"] + duet.flags(2),
                                   cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=theirs,
                                   env=self.environment({"TERM": "xterm"}))
        os.close(theirs)
        shown = b""
        while True:
            if select.select([ours], [], [], 60)[0]:
                try:
                    chunk = os.read(ours, 4096)
                except OSError:
                    break
                if not chunk:
                    break
                shown += chunk
        stdout = process.communicate()[0]
        os.close(ours)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"L2_only", shown)
        self.assertIn(b"status=FAIL", stdout)


class SelfTest(HarnessTest):
    WARM = True

    def flags(self, duet, *more):
        return ["--self-test", "--suite", duet.path("eval/adversarial_suite.json")] + list(more)

    def test_passes_without_an_implementation(self):
        duet = self.operator()
        for module in (1, 2):
            duet.remove(duet.impl(module))
        done = self.verify(duet, self.flags(duet))
        self.assertEqual((done.status, done.report), (0, None), done)

    def test_report_on_demand(self):
        duet = self.operator()
        path = os.path.join(self.folder, "self.json")
        done = self.verify(duet, self.flags(duet, "--report", path), report=path)
        self.assertEqual(done.status, 0, done)
        self.assertEqual((done.report["status"], len(done.report["checks"])), ("PASS", 1))
        done = self.verify(duet, self.flags(duet, "--report", path, "--levels", "L1,L2"),
                           report=path)
        self.assertEqual(len(done.report["checks"]), 4)

    def test_fails(self):
        duet = self.operator()
        duet.edit("duet_golden.py", ("x + y * 2.0", "x + y * 2.5"))
        done = self.verify(duet, self.flags(duet))
        self.assertEqual((done.status, done.report), (1, None), done)

    def test_reference_missing(self):
        duet = self.operator()
        duet.remove("duet_golden.py")
        self.assertEqual(self.verify(duet, self.flags(duet)).status, 2)


class Changed(HarnessTest):
    """What a verdict rests on is not to change before the last case."""
    WARM = True

    CASES = [case(name, "L2", atol=1e-4, rtol=1e-4) for name in ("L2_first", "L2_second")]

    def run_with(self, *lines):
        duet = self.operator(cases=self.CASES)
        name = "def duet_module12_wrapper("
        head, _, rest = duet.read(duet.impl(2)).partition(name)
        parameters, _, rest = rest.partition(":\n")
        duet.write(duet.impl(2), head + name + parameters + ":\n" + "".join(
            "    %s\n" % line for line in ("import os, pathlib",
                                          "here = pathlib.Path(%r)" % duet.folder) + lines) + rest)
        return duet, self.verify(duet, duet.flags(2) + ["--no-lint-gate"])

    def test_by_the_kernel(self):
        for lines in (("p = here / 'modules/duet_module12_golden.py'",
                       "p.write_text(p.read_text() + '\\n')"),
                      ("p = here / 'eval/test_inputs.py'", "t = p.stat().st_mtime_ns",
                       "p.write_bytes(p.read_bytes())", "os.utime(p, ns=(t, t))"),
                      ("p = here / 'modules/colorsys.py'", "p.write_text('')"),
                      ("p = here / 'eval/_ptosim.abi3.so'", "p.write_text('')"),
                      ("p = here / 'colorsys/__init__.py'",
                       "p.parent.mkdir(exist_ok=True)", "p.write_text('')"),
                      ("p = here / 'eval/adversarial_suite.json'",
                       "os.replace(str(p), str(p) + 'x')", "os.replace(str(p) + 'x', str(p))")):
            with self.subTest(lines[0]):
                duet, done = self.run_with(*lines)
                self.assertEqual(done.status, 2, done)
                first = self.valid(done)["first_failure"]
                self.assertIn("changed while the cases ran", first["summary"], done)
                self.assertIn(lines[0].split("'")[1], first["summary"])

    def test_other_files(self):
        """A kernel may write what nobody imports."""
        _, done = self.run_with("(here / 'eval/data.json').write_text('{}')",
                                "(here / 'output').mkdir(exist_ok=True)")
        self.expect(done, "PASS")


class Surroundings(HarnessTest):
    """What lies about must not matter."""

    def test_odd_folder(self):
        folder = os.path.join(self.folder, "a folder, 'quoted' $HOME \u00fc\u4e2d;&")
        os.mkdir(folder)
        self.folder, outer = folder, self.folder
        try:
            duet = self.operator(cases=ONE)
            self.expect(self.verify(duet, duet.flags(2)), "PASS")
        finally:
            self.folder = outer

    def test_folder_is_no_unicode(self):
        folder = os.fsdecode(os.path.join(os.fsencode(self.folder), b"bytes-\xff\xfe"))
        os.mkdir(folder)
        duet = harness_support.Operator(folder, "duet", ONE)
        done = self.verify(duet, duet.flags(2))
        self.assertIn(done.status, (0, 2), done)
        self.valid(done)

    def test_modules_beside_the_current_folder(self):
        """Python files in the current folder and in the operator's do not shadow modules."""
        duet = self.operator(cases=ONE)
        here = os.path.join(self.folder, "here")
        os.mkdir(here)
        for name in ("json", "torch", "pypto", "faulthandler", "pypto_lint_worker"):
            for folder in (here, duet.folder, duet.path("eval"), duet.path("modules")):
                with open(os.path.join(folder, name + ".py"), "w") as file:
                    file.write("raise SystemExit('shadowed')\n")
        self.expect(self.verify(duet, duet.flags(2), folder=here), "PASS")

    def test_environment(self):
        duet = self.operator(cases=ONE)
        harmless = {"PYTHONOPTIMIZE": "2", "PYTHONSTARTUP": "/none", "PTOSIM_RUN_MODE": "NPU",
                    "PYTHONINSPECT": "1", "PYTHONUNBUFFERED": "1", "TILE_FWK_DEVICE_ID": "7",
                    "LC_ALL": "C", "LANG": "C"}
        self.expect(self.verify(duet, duet.flags(2), **harmless), "PASS")

    def test_python_does_not_start(self):
        duet = self.operator(cases=ONE)
        done = self.verify(duet, duet.flags(2), PYTHONHOME="/none")
        self.assertIn(done.status, (0, 2), done)
        if done.status == 2:
            self.assertEqual(self.valid(done)["first_failure"]["failure_category"], "infra")

    def test_closed_descriptors(self):
        duet = self.operator(cases=ONE)
        for closed in ((0,), (0, 2)):
            with self.subTest(closed):
                process = subprocess.Popen(
                    [harness_support.BINARY, "verify"] + duet.flags(2), cwd=self.folder,
                    env=self.environment({}), stdout=subprocess.PIPE,
                    preexec_fn=lambda: [os.close(number) for number in closed])
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0)
                with open(duet.report_path) as file:
                    self.assertEqual(json.load(file)["status"], "PASS")

    def test_program_without_its_simulator(self):
        """A binary that was copied alone says so; it does not call the kernel wrong."""
        duet = self.operator(cases=ONE)
        lonely = os.path.join(self.folder, "bin", "pypto-lint")
        os.mkdir(os.path.dirname(lonely))
        shutil.copy2(harness_support.BINARY, lonely)
        done = subprocess.run([lonely, "verify"] + duet.flags(2), cwd=self.folder,
                              capture_output=True, text=True, timeout=60,
                              env=self.environment({}))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        if os.path.exists(duet.report_path):
            with open(duet.report_path) as file:
                self.assertEqual(json.load(file)["first_failure"]["failure_category"], "infra")

    def test_python_without_torch(self):
        duet = self.operator(cases=ONE)
        python = os.path.join(self.folder, "python")
        with open(python, "w") as file:
            # without its site-packages
            file.write("#!/bin/sh\nexec %s -S \"$@\"\n" % harness_support.PYTHON)
        os.chmod(python, 0o755)
        done = self.verify(duet, duet.flags(2, "--python", python))
        self.assertEqual(done.status, 2, done)
        if done.report is not None:
            self.valid(done)
            self.assertEqual(done.failure["failure_category"], "infra")


if __name__ == "__main__":
    harness_support.main()
