#!/usr/bin/env python3
"""Bugs seeded into a copy of examples/custom/attention_backward: category, boundary and fingerprint
of each are what seeded_bugs/bugs.py derives, and the phase without the bug still passes.

Usage: test_seeded_bugs.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "seeded_bugs"))

import harness_support as support  # noqa: E402
from bugs import BOUNDARY, BUGS, M1, M2  # noqa: E402

OPERATOR = os.path.join(HERE, "../../examples/custom/attention_backward")
FAKE_NPU = os.pathsep.join([os.path.join(HERE, "seeded_bugs/fake_npu"), support.FAKE_NPU])
BLOCKING = ("S0", "S1")


class Copy:
    """The operator in a folder of its own, with the edits of a bug."""

    def __init__(self, folder, edits):
        self.folder = os.path.join(folder, "custom/attention_backward")
        shutil.copytree(OPERATOR, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.report_path = os.path.join(self.folder, "eval/evaluation_report.json")
        for name, old, new in edits:
            path = os.path.join(self.folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if text.count(old) != 1:
                raise AssertionError("%s: %d times: %r" % (name, text.count(old), old))
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))

    def flags(self, name, *more):
        return ["--impl", os.path.join(self.folder, name), "--up-to-module", str(BOUNDARY[name]),
                "--suite", os.path.join(self.folder, "eval/adversarial_suite.json"),
                "-j", "1", *more]


class SeededBugs(support.HarnessTest):
    WARM = True

    def copy(self, bug):
        return Copy(self.folder, [(bug.file, old, new) for old, new in bug.edits])

    def lint(self, copy):
        """Rules of S0 and S1 that fail at the gate of stage 5."""
        done = subprocess.run([support.BINARY, "--stage", "5", "--op-dir", copy.folder, "--format",
                               "json"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              env=self.environment({}), check=False)
        rules = json.loads(done.stdout)["rules"]
        return tuple(rule["id"] for rule in rules
                     if rule["status"] == "FAIL" and rule["severity"] in BLOCKING)

    def look(self, bug):
        copy = self.copy(bug)
        self.assertEqual(self.lint(copy), bug.lint)
        innocent = M2 if bug.file == M1 else M1
        done = self.verify(copy, copy.flags(innocent, "--modes", "sim", "--case", "L2_canonical"))
        self.expect(done, "PASS")
        done = self.verify(copy, copy.flags(bug.file, "--modes", "sim", "--levels", bug.levels))
        report = self.expect(done, bug.status, bug.category, bug.verdict, bug.fingerprint,
                             BOUNDARY[bug.file], bug.first if bug.status == "FAIL" else None)
        if bug.status == "ERROR":
            self.assertEqual({check["per_mode_status"]["sim"] for check in report["checks"]},
                             {"SKIPPED"}, done)
            if bug.verdict == "layout":
                rules = tuple(rule["id"] for rule in report["lint"]["rules"])
                self.assertEqual(rules, bug.lint, done)
            return
        for case in bug.fails:
            self.assertEqual(done.check(case)["per_mode_status"]["sim"], bug.state,
                             (case, str(done)))
        for case in bug.passes:
            self.assertEqual(done.check(case)["per_mode_status"]["sim"], "PASS", (case, str(done)))
        if bug.leaves:
            self.look_at_leaves(bug, done)

    def look_at_leaves(self, bug, done):
        """Of the first failing case exactly the leaves of the bug are not close."""
        outputs = {M1: ("lse", "delta"), M2: ("dq", "dk", "dv")}[bug.file]
        leaves = done.check(bug.first)["per_tensor"]
        self.assertEqual([leaf["name"] for leaf in leaves],
                         ["out%d" % index for index in range(len(outputs))], done)
        wrong = tuple(name for name, leaf in zip(outputs, leaves) if not leaf["all_close"])
        self.assertEqual(wrong, bug.leaves, done)

    def test_of_one_kind_each(self):
        self.assertEqual(len({bug.name for bug in BUGS}), len(BUGS))

    def test_without_a_bug(self):
        copy = Copy(self.folder, [])
        self.assertEqual(self.lint(copy), ())
        for name in (M1, M2):
            done = self.verify(copy, copy.flags(name, "--modes", "sim", "--levels", "L1,L5"))
            self.expect(done, "PASS")

    def on_both(self, copy, name, fault):
        """One case in both modes; the fake device has this fault."""
        return self.verify(copy, copy.flags(name, "--case", "L2_canonical"), PYTHONPATH=FAKE_NPU,
                           ASCEND_HOME_PATH=self.folder, FAKE_NPU=fault)

    def test_on_the_device_alone(self):
        """The device does not turn the left matrix of a product: phase M1 turns none."""
        copy = Copy(self.folder, [])
        for name in (M1, M2):
            done = self.on_both(copy, name, "layout")
            if name == M1:
                self.expect(done, "PASS")
            else:
                self.expect(done, "FAIL", "precision", "precision", "kernel_ok_npu_only", 2,
                            "L2_canonical")
            self.assertEqual(done.report["per_mode_status"],
                             {"sim": "PASS", "npu": "FAIL" if name == M2 else "PASS"}, done)

    def test_in_the_simulator_alone_and_in_both(self):
        """A device that rounds nothing hides the bug; one that does as it is told has it, too."""
        copy = self.copy([bug for bug in BUGS if bug.name == "wrong_rounding"][0])
        for fault, fingerprint, npu in (("wide", "ir_divergence", "PASS"),
                                        ("", "all_fail", "FAIL")):
            done = self.on_both(copy, M2, fault)
            report = self.expect(done, "FAIL", "precision", "precision", fingerprint, 2,
                                 "L2_canonical")
            self.assertEqual(report["per_mode_status"], {"sim": "FAIL", "npu": npu}, done)
            self.assertEqual(report["first_failure"]["fingerprint_basis"], ["sim", "npu"], done)


def add_tests():
    for bug in BUGS:
        def test(self, bug=bug):
            self.look(bug)
        setattr(SeededBugs, "test_" + bug.name, test)


add_tests()

if __name__ == "__main__":
    support.main()
