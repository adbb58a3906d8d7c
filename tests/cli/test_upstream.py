#!/usr/bin/env python3
"""The command line of the Python linter: flags, JSON, exit status.

Usage: test_upstream.py BINARY [unittest options]
"""
import json
import subprocess

import catalogue
import support
from support import CliTest, call

MODES = ["--lint-impl", "--lint-golden", "--lint-test", "--lint-consistency", "--check-gate",
         "--check-phase-gate", "--check-design-gate"]
KEYS = ["rule_id", "severity", "dimension", "fix_effort", "status", "message", "file", "line"]
EXTRA = ["column", "end_line", "end_column", "hint"]
RANK = ["SKIP", "PASS", "INFO", "WARN", "FAIL"]

GOLDEN_PASSES = """\
{
  "passed": true,
  "findings": [
    {
      "rule_id": "OL15",
      "severity": "S1",
      "dimension": "D3",
      "fix_effort": "E1",
      "status": "PASS",
      "message": "passed",
      "file": "",
      "line": 0
    }
  ],
  "summary": {
    "pass": 1,
    "warn": 0,
    "info": 0,
    "fail": 0,
    "skip": 0,
    "has_error_fail": false
  }
}
"""

NOTHING = """\
{
  "passed": true,
  "findings": [],
  "summary": {
    "pass": 0,
    "warn": 0,
    "info": 0,
    "fail": 0,
    "skip": 0,
    "has_error_fail": false
  }
}
"""


def distinct(findings):
    """The rule ids in their order, each once; fails when those of a rule are not together."""
    result = []
    for finding in findings:
        if not result or result[-1] != finding["rule_id"]:
            result.append(finding["rule_id"])
    assert len(result) == len(set(result)), f"not together: {result}"
    return result


def upstream(rules):
    """Those that the Python linter has: the rules KS run with its flags only when asked for."""
    return [rule for rule in rules if not rule.startswith("KS")]


class Upstream(CliTest):
    def run_mode(self, *args, op="rowscale", **options):
        """Runs it and asserts what holds for every answer."""
        done = call(*args, "--op-dir", self.folder / op, **options)
        self.assertEqual(done.err, "")
        report = done.json()
        self.assertEqual(done.out, json.dumps(report, indent=2, ensure_ascii=False) + "\n")
        self.assertEqual(list(report), ["passed", "findings", "summary"])
        self.check(report)
        self.assertEqual(done.status, 2 if report["summary"]["has_error_fail"] else 0)
        return report

    def check(self, report):
        statuses = {}
        for finding in report["findings"]:
            rule = catalogue.BY_ID[finding["rule_id"]]
            self.assertEqual(list(finding)[:len(KEYS)], KEYS)
            self.assertIn(list(finding)[len(KEYS):], ([], EXTRA))
            self.assertEqual((finding["severity"], finding["dimension"], finding["fix_effort"]),
                             (rule.severity, rule.dimension, rule.effort))
            self.assertTrue(finding["message"])
            statuses.setdefault(rule.id, []).append(finding["status"])
            if finding["status"] in ("PASS", "SKIP"):
                self.assertEqual((finding["file"], finding["line"]), ("", 0))
        for rule, found in statuses.items():
            self.assertEqual(found, sorted(found, key=RANK.index, reverse=True), rule)
            if found[0] in ("PASS", "SKIP"):
                self.assertEqual(len(found), 1, rule)
        worst = [found[0] for found in statuses.values()]
        blocking = any(found[0] == "FAIL" and catalogue.BY_ID[rule].severity in ("S0", "S1")
                       for rule, found in statuses.items())
        self.assertEqual(report["summary"], {
            "pass": worst.count("PASS"), "warn": worst.count("WARN"), "info": worst.count("INFO"),
            "fail": worst.count("FAIL"), "skip": worst.count("SKIP"), "has_error_fail": blocking})
        self.assertEqual(report["passed"], "FAIL" not in worst)

    # --- output

    def test_exact_text_of_a_pass(self):
        self.write("rowscale/rowscale_golden.py", "import torch\n")
        done = call("--lint-golden", "--op-dir", self.folder / "rowscale")
        self.assertEqual((done.status, done.out, done.err), (0, GOLDEN_PASSES, ""))

    def test_exact_text_without_rules(self):
        done = call("--check-gate", "--op-dir", self.folder / "rowscale", "--stage", "9")
        self.assertEqual((done.status, done.out, done.err), (0, NOTHING, ""))

    def test_one_element_for_each_violation(self):
        self.write("rowscale/rowscale_golden.py",
                   "import torch\nimport pypto\n\n\ndef rowscale_golden(x):\n    return x.T\n")
        report = self.run_mode("--lint-golden")
        self.assertEqual([(f["file"], f["line"], f["column"], f["status"])
                          for f in report["findings"]],
                         [("rowscale_golden.py", 2, 1, "FAIL"),
                          ("rowscale_golden.py", 6, 14, "FAIL")])
        self.assertEqual(report["summary"]["fail"], 1)
        self.assertTrue(report["summary"]["has_error_fail"])

    def test_fail_without_blocking(self):
        self.write("rowscale/GOLDEN_PERF_REPORT.md", "| op | count | mean_duration | total |\n")
        report = self.run_mode("--check-gate", "--stage", "2")
        failed = {f["rule_id"] for f in report["findings"] if f["status"] == "FAIL"}
        self.assertIn("OL11", failed)  # S2: the golden is missing
        self.assertIn("OL24", failed)  # S1: the state file is missing
        self.write("rowscale/.orchestrator_state.json",
                   '{"operator_name": "rowscale", "current_stage": 2, "stage_status": {}}')
        report = self.run_mode("--check-gate", "--stage", "2")
        self.assertEqual((report["passed"], report["summary"]["has_error_fail"]), (False, False))
        self.assertEqual(report["summary"]["fail"], 1)

    def test_chinese_messages_are_not_escaped(self):
        self.write("rowscale/rowscale_golden.py", "import torch\n")
        report = self.run_mode("--lint-golden", env={"PYPTO_LINT_LANG": "zh"})
        self.assertEqual(report["findings"][0]["message"], "通过")

    def test_special_characters(self):
        self.write('row"\\\t/rowscale_golden.py', "import torch\n")
        report = self.run_mode("--lint-golden", op='row"\\\t')
        self.assertEqual(report["findings"][0]["status"], "SKIP")

    def test_a_syntax_error_is_no_finding_of_its_own(self):
        self.write("rowscale/rowscale_impl.py", "def broken(:\n")
        report = self.run_mode("--lint-impl")
        self.assertEqual(distinct(report["findings"]), upstream(catalogue.IMPL))

    def test_suppressions_do_not_count(self):
        self.write("rowscale/rowscale_golden.py", "import pypto  # pypto-lint: ignore[OL15]\n")
        self.assertFalse(self.run_mode("--lint-golden")["passed"])

    # --- sets and stages

    def same_rules(self, report, expected, name):
        found = distinct(report["findings"])
        self.assertEqual(found, upstream(expected), catalogue.differ(found, upstream(expected), name))

    def test_sets(self):
        for mode, expected in (("--lint-impl", catalogue.IMPL), ("--lint-golden", catalogue.GOLDEN),
                               ("--lint-test", catalogue.TEST),
                               ("--lint-consistency", catalogue.CONSISTENCY)):
            for stage in ((), ("--stage", "3"), ("--stage", "-1"), ("--stage", "0")):
                with self.subTest(mode=mode, stage=stage):
                    report = self.run_mode(mode, *stage, op="missing")
                    self.same_rules(report, expected, f"the set of {mode}")

    def test_settings_may_ask_for_more(self):
        self.write("rowscale/.pypto-lint.yaml", "kernel-semantics: warn\n")
        report = self.run_mode("--lint-impl")
        self.assertEqual(distinct(report["findings"]), catalogue.IMPL)

    def test_members_out_of_stage_are_skipped(self):
        self.write("rowscale/rowscale_golden.py", "import pypto\n")
        for stage, status in ((1, "SKIP"), (2, "FAIL"), (6, "FAIL"), (7, "SKIP")):
            report = self.run_mode("--lint-golden", "--stage", stage)
            self.assertEqual(report["findings"][0]["status"], status, stage)

    def test_stage_is_not_taken_from_the_state_file(self):
        self.write("rowscale/.orchestrator_state.json",
                   '{"operator_name": "rowscale", "current_stage": 1, "stage_status": {}}')
        report = self.run_mode("--check-gate")
        self.assertEqual(distinct(report["findings"]), upstream(catalogue.STAGES[5]))

    def test_gate_of_every_stage(self):
        for stage, expected in catalogue.STAGES.items():
            with self.subTest(stage=stage):
                report = self.run_mode("--check-gate", "--stage", stage)
                self.same_rules(report, expected, f"STAGES[{stage}]")

    def test_stage_table_agrees_with_itself(self):
        for stage, expected in catalogue.STAGES.items():
            self.assertEqual([r.id for r in catalogue.RULES if stage in r.stages], expected,
                             f"table and STAGES of tests/cli/catalogue.py differ in stage {stage}")
        self.assertEqual([catalogue.WORKFLOW_COUNTS[n] for n in (5, 6)], [52, 50],
                         "rules OL of the stages 5 and 6, counted by hand; a new one counts here, too")

    def test_it_knows_chinese_headings_only(self):
        self.write("rowscale/API_REPORT.md", "# rowscale\n## API mapping\n## Constraints\n## Tiling\n")
        report = self.run_mode("--check-gate", "--stage", "1")
        found = [f["message"] for f in report["findings"] if f["rule_id"] == "OL10"]
        self.assertEqual(len(found), 2)
        self.write("rowscale/API_REPORT.md", "# rowscale\n## API 映射\n## 约束\n## Tiling\n")
        report = self.run_mode("--check-gate", "--stage", "1")
        self.assertEqual([f["status"] for f in report["findings"] if f["rule_id"] == "OL10"], ["PASS"])

    def test_missing_directory_has_missing_files(self):
        report = self.run_mode("--check-gate", op="missing")
        failed = {f["rule_id"] for f in report["findings"] if f["status"] == "FAIL"}
        self.assertIn("OL13", failed)
        self.assertIn("OL24", failed)

    def test_phase_gate(self):
        report = self.run_mode("--check-phase-gate", "--phase", "M2")
        self.same_rules(report, catalogue.PHASE_GATE, "PHASE_GATE")
        # Nothing to scan: only the self-review can fail.
        self.assertEqual({f["rule_id"] for f in report["findings"] if f["status"] == "FAIL"},
                         {"OL54"})

    def test_phase_gate_sees_the_phase_only(self):
        self.write("rowscale/modules/rowscale_module12_impl.py", "import pypto as p\n")
        self.write("rowscale/rowscale_impl.py", "import pypto as p\n")
        for phase, files in (("M1", set()), ("M2", {"modules/rowscale_module12_impl.py"})):
            report = self.run_mode("--check-phase-gate", "--phase", phase)
            found = {f["file"] for f in report["findings"] if f["rule_id"] == "OL07"}
            self.assertEqual(found - {""}, files)

    def test_design_gate(self):
        for stage in ((), ("--stage", "4"), ("--stage", "5")):
            report = self.run_mode("--check-design-gate", *stage)
            self.assertEqual(distinct(report["findings"]), upstream(catalogue.DESIGN_GATE))
        report = self.run_mode("--check-design-gate", "--stage", "6")
        self.assertEqual(distinct(report["findings"]), ["OL56", "OL55"])
        report = self.run_mode("--check-design-gate", "--stage", "3")
        self.assertEqual(distinct(report["findings"]), ["OL12"])

    def test_first_flag_counts(self):
        for first, mode in enumerate(MODES[:5]):
            expected = distinct(self.run_mode(mode)["findings"])
            for other in MODES[first + 1:]:
                report = self.run_mode(other, "--phase", "M1", mode)
                self.assertEqual(distinct(report["findings"]), expected, (mode, other))
        report = self.run_mode("--check-design-gate", "--check-phase-gate", "--phase", "M1")
        self.same_rules(report, catalogue.PHASE_GATE, "PHASE_GATE")

    # --- usage

    def assert_usage_error(self, *args, **options):
        done = call(*args, **options)
        self.assertEqual((done.status, done.out), (2, ""), args)
        self.assertTrue(done.err.startswith("pypto-lint: "), args)

    def test_op_dir_is_required(self):
        self.write("rowscale/.orchestrator_state.json", "{}")
        for mode in MODES:
            self.assert_usage_error(mode, "--phase", "M1", cwd=self.folder / "rowscale")
            self.assert_usage_error(mode, "--phase", "M1", "--op-dir", "")
            self.assert_usage_error(mode, "--phase", "M1", "--op-dir")
            self.assert_usage_error(mode, "--phase", "M1", "--op-dir", "--stage", "5")

    def test_stage_is_an_integer(self):
        for stage in ("", "x", "5.0", "5x", "1e1", "-", "0x5"):
            self.assert_usage_error("--check-gate", "--op-dir", self.folder, "--stage", stage)
        for stage in ("+5", " 5 ", "05", "=5"):
            argument = ["--stage" + stage] if stage[0] == "=" else ["--stage", stage]
            report = self.run_mode("--check-gate", *argument)
            self.assertEqual(distinct(report["findings"]), upstream(catalogue.STAGES[5]))
        for stage in ("99999999999999999999", "-99999999999999999999", "37"):
            self.assertEqual(self.run_mode("--check-gate", "--stage", stage)["findings"], [])

    def test_phase_names(self):
        for phase in ("", "M", "m1", "M0", "M01", "M 1", "M-1", "1", "M1x", "Mk", "M1000"):
            self.assert_usage_error("--check-phase-gate", "--op-dir", self.folder, "--phase", phase)
        self.assert_usage_error("--check-phase-gate", "--op-dir", self.folder)
        self.run_mode("--check-phase-gate", "--phase", "M10")
        self.run_mode("--check-gate", "--phase", "nonsense")  # not asked for

    def test_unknown_arguments(self):
        for argument in ("--lint-everything", "--format=json", "extra", "-x", "--fix"):
            self.assert_usage_error("--check-gate", "--op-dir", self.folder, argument)

    def test_help(self):
        """As with argparse: anywhere, before what is missing, but not before what is wrong to its left."""
        for flags in (["--lint-impl", "--help"], ["--help", "--check-gate"], ["-h", "--hook", "stop"],
                      ["--hook", "stop", "-h"], ["--check-gate", "--op-dir", "nowhere", "--hel"],
                      ["--check-gate", "--bad", "--help"], ["--hook", "stop", "--bad", "--help"],
                      ["--check-gate", "--help", "--stage", "x"]):
            done = call(*flags, cwd=self.folder)
            self.assertEqual((done.status, done.err), (0, ""), flags)
            self.assertTrue(done.out.startswith("Usage: pypto-lint FLAG --op-dir DIR"), done.out)
        for mode in [*MODES, "--hook EVENT", "--op-dir DIR", "--stage N", "--phase Mk", "-h, --help"]:
            self.assertIn(f"\n  {mode} ", done.out)
        zh = call("--check-gate", "--help", cwd=self.folder, env={"PYPTO_LINT_LANG": "zh"})
        self.assertIn("用法：pypto-lint FLAG", zh.out)
        for flags in (["--check-gate", "--stage", "x", "--help"], ["--check-gate", "--op-dir", "--help"],
                      ["--check-gate", "--op-dir", "-h"], ["--hook", "never", "--help"]):
            done = call(*flags, cwd=self.folder)
            self.assertEqual((done.status, done.out), (2, ""), flags)

    def test_options_with_equals_sign_and_order(self):
        done = call(f"--op-dir={self.folder}/rowscale", "--stage=2", "--check-gate")
        self.assertEqual(distinct(done.json()["findings"]), catalogue.STAGES[2])

    # --- what could not be checked

    def test_too_large_file_is_never_clean(self):
        self.write("rowscale/rowscale_golden.py", "import torch\n" * 10)
        self.write("rowscale/.pypto-lint.yaml", "max-file-size: 100 B\n")
        done = call("--lint-golden", "--op-dir", self.folder / "rowscale")
        self.assertEqual(done.status, 2)
        self.assertIn("rowscale_golden.py", done.err)
        self.assertIn("100 bytes", done.err)

    def test_broken_settings(self):
        self.write("rowscale/.pypto-lint.yaml", "selct: [OL01]\n")
        self.assert_usage_error("--lint-golden", "--op-dir", self.folder / "rowscale")

    def test_standard_output_cannot_be_written(self):
        # The report is lost: the status must not say that all is well.
        self.write("rowscale/rowscale_golden.py", "import torch\n")
        with open("/dev/full", "wb") as full:
            process = subprocess.run([support.BINARY, "--lint-golden", "--op-dir",
                                      self.folder / "rowscale"], stdout=full,
                                     stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"standard output", process.stderr)


if __name__ == "__main__":
    support.main()
