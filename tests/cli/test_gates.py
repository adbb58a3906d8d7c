#!/usr/bin/env python3
"""Our gates: --stage N, --phase Mk and --design without a command.

Usage: test_gates.py BINARY [unittest options]
"""
import shutil
import unittest

import catalogue
import support
from support import CliTest, call

STATE = '{"operator_name": "rowscale", "current_stage": %d, "stage_status": {}, "max_stage": 7}'
BROKEN = "def broken(:\n"


class Gates(CliTest):
    def gate(self, *args, **options):
        done = call(*args, "--op-dir", self.folder / "rowscale", "--format", "json", "--no-exec",
                    **options)
        return done, done.json()

    def rules(self, report):
        return [rule["id"] for rule in report["rules"] if rule["id"] != "OL00"]

    def status_of(self, report, rule):
        return next(r["status"] for r in report["rules"] if r["id"] == rule)

    def setUp(self):
        super().setUp()
        (self.folder / "rowscale").mkdir()

    # --- sets

    def test_stage_gate_has_the_rules_of_its_stage(self):
        for stage, expected in catalogue.STAGES.items():
            _, report = self.gate("--stage", stage)
            found = self.rules(report)
            self.assertEqual(found, expected, catalogue.differ(found, expected, f"STAGES[{stage}]"))
            self.assertEqual(report["stage"], stage)

    def test_phase_gate(self):
        _, report = self.gate("--phase", "M2")
        found = self.rules(report)
        self.assertEqual(found, catalogue.PHASE_GATE, catalogue.differ(found, catalogue.PHASE_GATE, "PHASE_GATE"))
        self.assertEqual((report["stage"], report["phase"]), (5, "M2"))
        failed = {f["rule"] for f in report["findings"] if f["status"] == "FAIL"}
        self.assertEqual(failed, {"OL54"})

    def test_phase_gate_at_stage_six(self):
        _, report = self.gate("--phase", "M1", "--stage", "6")
        expected = [r for r in catalogue.PHASE_GATE if 6 in catalogue.BY_ID[r].stages]
        self.assertEqual(self.rules(report), expected)

    def test_pending_stub_leaves_nothing_to_scan(self):
        self.write("rowscale/modules/rowscale_module1_impl.py",
                   "# PYPTO_PENDING_STUB\nimport pypto as p\n")
        _, report = self.gate("--phase", "M1")
        self.assertEqual(self.status_of(report, "OL07"), "SKIP")
        self.assertEqual({f["rule"] for f in report["findings"]}, {"OL54"})

    def test_design_gate(self):
        for stage in ((), ("--stage", "4"), ("--stage", "5")):
            _, report = self.gate("--design", *stage)
            self.assertEqual(self.rules(report), catalogue.DESIGN_GATE)
            self.assertEqual(report["stage"], 4)

    def test_the_check_command_keeps_rules_of_other_stages_as_skip(self):
        done = call("check", "--op-dir", self.folder / "rowscale", "--stage", "3", "--format", "json")
        report = done.json()
        self.assertEqual(sorted(self.rules(report)), sorted(catalogue.BY_ID))
        for rule in report["rules"]:
            if 3 not in catalogue.BY_ID[rule["id"]].stages:
                self.assertEqual(rule["status"], "SKIP", rule)

    def test_named_rules(self):
        _, report = self.gate("--stage", "5", "--rules", "OL13,OL09")
        self.assertEqual(sorted(self.rules(report)), ["OL09", "OL13"])

    # --- exit status

    def test_status_follows_the_findings(self):
        self.write("rowscale/.orchestrator_state.json", STATE % 7)
        for name in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
            self.write(f"rowscale/{name}", "import torch\n")
        done, report = self.gate("--stage", "7", "--rules", "OL24,OL51")
        self.assertEqual((done.status, report["findings"]), (0, []))
        (self.folder / "rowscale" / ".orchestrator_state.json").unlink()
        done, report = self.gate("--stage", "7", "--rules", "OL24,OL51")
        self.assertEqual((done.status, [f["rule"] for f in report["findings"]]), (1, ["OL24"]))
        done, _ = self.gate("--stage", "7", "--rules", "OL24,OL51", "--fail-on", "S0")
        self.assertEqual(done.status, 0)

    def test_suppressions_count_only_where_settings_say_so(self):
        self.write("rowscale/rowscale_golden.py", "import pypto  # pypto-lint: ignore[OL15] no\n")
        done, report = self.gate("--stage", "3", "--rules", "OL15")
        self.assertEqual((done.status, self.status_of(report, "OL15")), (1, "FAIL"))
        self.write("rowscale/.pypto-lint.yaml", "allow-suppressions-in-gates: true\n")
        done, report = self.gate("--stage", "3", "--rules", "OL15")
        self.assertEqual((done.status, self.status_of(report, "OL15")), (0, "PASS"))

    def test_directory_of_the_working_directory(self):
        self.write("rowscale/.orchestrator_state.json", STATE % 2)
        self.write("rowscale/modules/deep/x.txt", "")
        for below, expected in (("", "."), ("modules", ".."), ("modules/deep", "../..")):
            done = call("--stage", "2", "--format", "json", "--no-exec",
                        cwd=self.folder / "rowscale" / below)
            self.assertEqual(done.json()["op_dir"], expected)

    def test_paths_are_relative_to_the_working_directory(self):
        folder = self.folder.resolve()
        self.write("rowscale/rowscale_golden.py", "import pypto\n")
        for cwd, shown in ((folder / "rowscale", ""), (folder, "rowscale/"), ("/", str(folder)[1:] + "/rowscale/")):
            done = call("--stage", "2", "--op-dir", folder / "rowscale", "--rules", "OL15", "--no-exec",
                        "--format", "concise", cwd=cwd)
            self.assertEqual(done.out.split(":")[0], shown + "rowscale_golden.py")

    # --- what cannot be checked is never clean

    def complete(self):
        """The good sample, which passes every gate."""
        shutil.rmtree(self.folder / "rowscale")
        shutil.copytree(support.ROOT / "examples/custom/softmax", self.folder / "softmax")

    def assertHeldUp(self, stage, why):
        done = call("--stage", stage, "--op-dir", self.folder / "softmax", "--no-exec", "--format", "concise")
        self.assertNotEqual(done.status, 0, (stage, why))
        self.assertIn(why, done.out + done.err)

    def test_the_sample_passes(self):
        self.complete()
        for stage in range(1, 8):
            done = call("--stage", stage, "--op-dir", self.folder / "softmax", "--no-exec")
            self.assertEqual(done.status, 0, (stage, done.out))

    def test_empty_files(self):
        for name, stages in (("softmax_impl.py", (5, 6, 7)), ("softmax_golden.py", (2, 3, 4, 5, 6, 7)),
                             ("test_softmax.py", (5, 6, 7))):
            self.complete()
            self.write(f"softmax/{name}", "")
            for stage in stages:
                self.assertHeldUp(stage, f"{name} is empty")
            done = call("check", self.folder / "softmax", "--format", "concise")
            self.assertEqual(done.status, 1)
            self.assertIn(f"[OL00] syntax-error: {name} is empty", done.out)
            shutil.move(self.folder / "softmax", self.folder / name)
            (self.folder / "rowscale").mkdir()

    def test_missing_files_and_stubs(self):
        for stage in (5, 6, 7):
            for name in ("softmax_impl.py", "softmax_golden.py", "test_softmax.py"):
                self.complete()
                (self.folder / "softmax" / name).unlink()
                self.assertHeldUp(stage, name)
                shutil.rmtree(self.folder / "softmax")
                (self.folder / "rowscale").mkdir()
            self.complete()
            self.write("softmax/softmax_impl.py", "# PYPTO_PENDING_STUB\n")
            self.assertHeldUp(stage, "softmax_impl.py: still a pending stub")
            shutil.rmtree(self.folder / "softmax")
            (self.folder / "rowscale").mkdir()

    def test_no_rule_left(self):
        self.complete()
        self.write(".pypto-lint.yaml", "ignore: [D1, D2, D3, D4, D5]\n")
        self.assertHeldUp(3, "nothing was checked: the settings and the options select no rule")
        self.assertHeldUp(6, "nothing was checked: the settings and the options select no rule")

    def test_no_rule_of_the_stage(self):
        self.complete()
        for arguments in (("--stage", "5", "--rules", "OL09"), ("--design", "--rules", "OL01")):
            done = call(*arguments, "--op-dir", self.folder / "softmax")
            self.assertEqual(done.status, 2, arguments)
            self.assertIn("none of the selected rules belongs to stage", done.err)
            self.assertIn("so nothing was checked", done.err)

    def test_a_gate_that_passes_with_findings_says_so(self):
        self.complete()
        path = self.folder / "softmax/test_softmax.py"
        path.write_text(path.read_text(encoding="utf-8").replace("manual_seed", "seed"), encoding="utf-8")
        line = "the gate passes, with 1 finding(s) that do not block it (--fail-on S1): OL22"
        for form in ("text", "concise", "agent"):
            done = call("--stage", "6", "--op-dir", self.folder / "softmax", "--format", form)
            self.assertEqual((done.status, done.out.splitlines()[-1], done.err), (0, line, ""), form)
        done = call("--stage", "6", "--op-dir", self.folder / "softmax", "--format", "json")
        self.assertEqual((done.status, done.err), (0, f"pypto-lint: {line}\n"))
        done = call("check", self.folder / "softmax")
        self.assertNotIn("the gate passes", done.out + done.err)

    def test_no_operator_directory(self):
        done = call("--stage", "5", cwd=self.folder)
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("--op-dir", done.err)

    def test_missing_directory(self):
        for gate in (("--stage", "5"), ("--phase", "M1"), ("--design",)):
            done = call(*gate, "--op-dir", self.folder / "missing")
            self.assertEqual(done.status, 2)
            self.assertIn("missing", done.err)

    def test_too_large_files(self):
        self.write("rowscale/.orchestrator_state.json", STATE % 3)
        self.write("rowscale/.pypto-lint.yaml", "max-file-size: 60 B\n")
        for name, gate in (("rowscale_golden.py", ("--stage", "3", "--rules", "OL15")),
                           ("DESIGN.md", ("--design", "--rules", "OL56"))):
            self.write("rowscale/" + name, "# text\n" * 20)
            done, report = self.gate(*gate)
            self.assertEqual(done.status, 2)
            self.assertIn(f"{name}: not checked: larger than 60 bytes", done.err)
            self.assertIn("error", {n["level"] for n in report["notices"]})
            (self.folder / "rowscale" / name).unlink()

    def test_document_that_is_not_utf8(self):
        self.write("rowscale/DESIGN.md", b"# Design\n\xff\xfe\n")
        done, _ = self.gate("--design", "--rules", "OL56")
        self.assertEqual(done.status, 2)
        self.assertIn("DESIGN.md: not checked: not UTF-8 at byte 9", done.err)
        done, _ = self.gate("--design", "--rules", "OL56", env={"PYPTO_LINT_LANG": "zh"})
        self.assertIn("未检查", done.err)

    @unittest.skipIf(support.ROOT_MAY_ALL, "root may read everything")
    def test_unreadable_file_and_folder(self):
        path = self.write("rowscale/rowscale_golden.py", "import torch\n")
        path.chmod(0)
        self.assertEqual(self.gate("--stage", "3", "--rules", "OL15")[0].status, 2)
        path.chmod(0o644)
        self.write("rowscale/modules/rowscale_module1_impl.py", "")
        (self.folder / "rowscale" / "modules").chmod(0)
        self.addCleanup((self.folder / "rowscale" / "modules").chmod, 0o755)
        self.assertEqual(self.gate("--stage", "5", "--rules", "OL07")[0].status, 2)

    def test_broken_settings(self):
        self.write("rowscale/.pypto-lint.yaml", "fail-on: S9\n")
        done = call("--stage", "5", "--op-dir", self.folder / "rowscale")
        self.assertEqual(done.status, 2)
        self.assertIn(".pypto-lint.yaml:1:", done.err)

    def test_syntax_errors_fail_every_gate_that_reads_the_file(self):
        self.write("rowscale/rowscale_golden.py", BROKEN)
        self.write("rowscale/rowscale_impl.py", BROKEN)
        self.write("rowscale/modules/rowscale_module1_impl.py", BROKEN)
        for gate, name in ((("--stage", "3", "--rules", "OL15"), "rowscale_golden.py"),
                           (("--stage", "5", "--rules", "OL07"), "rowscale_impl.py"),
                           (("--phase", "M1", "--rules", "OL07"),
                            "modules/rowscale_module1_impl.py")):
            done, report = self.gate(*gate)
            self.assertEqual(done.status, 1)
            found = {f["file"] for f in report["findings"] if f["rule"] == "OL00"}
            self.assertIn(name, found)

    def test_settings_cannot_hide_syntax_errors(self):
        self.write("rowscale/.pypto-lint.yaml", "ignore: [ALL]\n")
        self.write("rowscale/rowscale_impl.py", BROKEN)
        done, report = self.gate("--stage", "5")
        self.assertEqual((done.status, [r["id"] for r in report["rules"]]), (1, ["OL00"]))

    def test_output_file_is_kept_when_something_could_not_be_checked(self):
        self.write("rowscale/DESIGN.md", b"\xff")
        out = self.write("report.json", "old")
        done = call("--design", "--op-dir", self.folder / "rowscale", "--output", out)
        self.assertEqual((done.status, self.read("report.json")), (2, "old"))

    def test_usage(self):
        for args in (("--stage", "0"), ("--stage", "8"), ("--stage", "five"), ("--stage",),
                     ("--phase", "M0"), ("--phase", "m1"), ("--phase", "M01"), ("--phase", ""),
                     ("--design", "--phase", "M1"), ("--design=yes",), ("--stage", "5", "--fix"),
                     ("--nonsense",)):
            done = call(*args, "--op-dir", self.folder / "rowscale")
            self.assertEqual((done.status, done.out), (2, ""), args)
            self.assertTrue(done.err.startswith("pypto-lint: "), args)


if __name__ == "__main__":
    support.main()
