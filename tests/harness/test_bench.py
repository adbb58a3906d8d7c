#!/usr/bin/env python3
"""The bench of seeded_bugs/bench.py: each bug must be found, with the right output, place and
likeness; each oddity must pass without a warning.

Usage: test_bench.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
The quick part runs; with PYPTO_LINT_BENCH=all in the environment, everything (about four minutes).
"""
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "seeded_bugs"))

import harness_support as support  # noqa: E402
from bench import BUGS, ODDITIES, SOFTMAX  # noqa: E402

EXAMPLES = os.path.join(HERE, "../../examples/custom")
ALL = os.environ.get("PYPTO_LINT_BENCH") == "all"
KEPT = "\n".join(["import torch", "PRIMARY_INPUT_ORDER = ['x']", "", "",
                  "def make_inputs(case):",
                  "    torch.manual_seed(case.get('seed', 42))",
                  "    shape = [case['shape'][name] for name in ('R', 'C')]",
                  "    return {'x': torch.randn(shape) * case.get('scale', 1.0)}", ""])
SOFTMAX_CASES = [
    {"id": "L1_canonical", "level": "L1", "shape": {"R": 192, "C": 64}, "precision": False},
    {"id": "L2_canonical", "level": "L2", "shape": {"R": 192, "C": 64}},
    {"id": "L3_tail", "level": "L3", "shape": {"R": 70, "C": 96}},
    {"id": "L5_large", "level": "L5", "shape": {"R": 5, "C": 64}, "scale": 100.0},
]


class Copy:
    """An operator in a folder of its own, with edits."""

    def __init__(self, folder, phase, edits):
        name, self.module, self.file = phase
        self.folder = os.path.join(folder, "custom", name)
        shutil.copytree(os.path.join(EXAMPLES, name), self.folder,
                        ignore=shutil.ignore_patterns("__pycache__"))
        self.report_path = os.path.join(self.folder, "eval/evaluation_report.json")
        if phase == SOFTMAX:
            self.write("eval/test_inputs.py", KEPT)
            cases = [dict({"dtype": "float32", "atol": 1e-5, "rtol": 1e-3}, **case)
                     for case in SOFTMAX_CASES]
            self.write("eval/adversarial_suite.json", json.dumps(
                {"op_name": "softmax", "total_modules": 1, "test_cases": cases}))
        text = self.text()
        for old, new in edits:
            if text.count(old) != 1:
                raise AssertionError("%s: %d times: %r" % (self.file, text.count(old), old))
            text = text.replace(old, new)
        self.write(self.file, text)

    def text(self):
        with open(os.path.join(self.folder, self.file), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def flags(self, levels, *more):
        return ["--up-to-module", str(self.module), "--modes", "sim", "--levels", levels,
                "--suite", os.path.join(self.folder, "eval/adversarial_suite.json"),
                "-j", "1", *more]


def of_the_case(warning):
    """A suite may hold a case of zeros: its reference, not the kernel, is what the words are about."""
    return "zeros would pass" in warning


class Bench(support.HarnessTest):
    WARM = True

    def find(self, bug):
        copy = Copy(self.folder, bug.phase, bug.edits)
        levels = bug.cases or bug.case[:2]
        done = self.verify(copy, copy.flags(levels, "--no-lint-gate"))
        report = self.valid(done)
        failure = report["first_failure"]
        if bug.warns:
            warnings = [warning for check in report["checks"]
                        for warning in check.get("warnings", []) if warning.get("id") == bug.warns]
            self.assertTrue(warnings, done)
            self.assertIn("[%s]" % bug.warns, done.stdout)
            self.at_line(copy, bug.warns_line, warnings[0])
        if not bug.category:
            return
        self.assertEqual(report["status"], "FAIL", done)
        self.assertEqual((failure["case_id"], failure["failing_module_boundary"],
                          failure["failure_category"], failure["verdict_category"]),
                         (bug.case, bug.phase[1], bug.category, bug.verdict), done)
        self.assertEqual(failure.get("output", ""), bug.output, done)
        self.assertTrue(failure["advice"])
        if bug.category == "precision":
            self.look_where(bug, done)
        if bug.code:
            self.assertEqual(failure["code"], bug.code, done)
            self.assertIn(bug.code, failure["summary"])
        if bug.category == "runtime":
            self.at_line(copy, bug.line, failure)

    def test_a_check_made_a_warning(self):
        """PTOSIM_WARN lets the kernel pass; the report says which check it would have failed."""
        bug, = (bug for bug in BUGS if bug.name == "tile_too_large")
        copy = Copy(self.folder, bug.phase, bug.edits)
        done = self.verify(copy, copy.flags("L1", "--no-lint-gate"), PTOSIM_WARN="ub-capacity")
        report = self.valid(done)
        self.assertEqual(report["status"], "PASS", done)
        told = {w["id"] for check in report["checks"] for w in check.get("warnings", [])}
        self.assertIn("ub-capacity", told, done)
        self.assertIn("[ub-capacity]", done.stdout)

    def look_where(self, bug, done):
        failure = done.failure
        if bug.place:
            self.assertIn(failure["place"], bug.place, done)
        self.assertIn(failure["likeness"], bug.likeness, done)
        if bug.number:
            leaf = [leaf for leaf in done.check(bug.case)["per_tensor"] if not leaf["all_close"]][0]
            key, number = bug.number
            self.assertAlmostEqual(leaf["where"][key], number, delta=abs(number) / 100)

    def at_line(self, copy, text, told):
        if not text:
            return
        self.assertEqual(told["file"], copy.file)
        self.assertIn(text, copy.text().split("\n")[told["line"] - 1], told)

    def accept(self, oddity):
        copy = Copy(self.folder, oddity.phase, oddity.edits)
        done = self.verify(copy, copy.flags("L1,L2,L3,L5") + list(oddity.flags))
        report = self.expect(done, "PASS")
        for check in report["checks"]:
            for warning in check.get("warnings", []):
                self.assertTrue(warning.get("level") == "note" or of_the_case(warning["warning"]),
                                done)
        for line in done.stdout.splitlines():
            self.assertTrue("warning:" not in line or of_the_case(line), done)

    def sarif(self, name, *edits):
        """(results by rule, the copy) of a bug, as code scanning sees it."""
        bug = [bug for bug in BUGS if bug.name == name][0]
        copy = Copy(self.folder, bug.phase, bug.edits + edits)
        log = os.path.join(self.folder, "verify.sarif")
        done = self.verify(copy, copy.flags(bug.case[:2], "--no-lint-gate", "--format", "sarif",
                                            "--output", log))
        with open(log, encoding="utf-8") as file:
            run = json.load(file)["runs"][0]
        return copy, bug, done, run["results"]

    def in_kernel(self, copy, text, result):
        place = result["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith(copy.file), place)
        self.assertIn(text, copy.text().split("\n")[place["region"]["startLine"] - 1])

    def test_warning_in_sarif(self):
        """Each line once, with the number of cases; nothing that the kernel chose."""
        copy, _, done, results = self.sarif("parallel_state", ("name=\"stat_keys\"",
                                                                 "name=\"secret_31415\""))
        every = [result for result in results if result["ruleId"] == "PLV06"]
        told = [result for result in every if "[parallel-accumulation]" in result["message"]["text"]]
        self.assertEqual(len(told), 1, results)
        places = [(result["message"]["text"], result["locations"][0]["physicalLocation"]["region"]["startLine"])
                  for result in every]
        self.assertEqual(len(places), len(set(places)), results)
        for result in every:  # the sanitizer names the lines that hand the tensors over
            self.assertTrue(result in told or "[race]" in result["message"]["text"], result)
        self.assertEqual(told[0]["level"], "warning")
        self.assertEqual(told[0]["properties"]["cases"], 2)
        self.in_kernel(copy, "secret_31415", told[0])
        self.assertEqual(done.report["status"], "PASS")
        self.assertNotIn("secret", json.dumps([done.report, told[0]["message"]]))
        line, prints = self.place_of(told[0]), told[0]["partialFingerprints"]
        shutil.rmtree(os.path.join(self.folder, "custom"))
        _, _, _, results = self.sarif("parallel_state", ("name=\"stat_keys\"",
                                                         "name=\"secret_31415\""),
                                      ("import pypto\n", "import pypto\n\n# Two more lines.\n"))
        moved, = (result for result in results if "[parallel-accumulation]" in result["message"]["text"])
        self.assertEqual(self.place_of(moved), line + 2)
        self.assertEqual(moved["partialFingerprints"], prints)
        self.assertEqual(set(prints), {"primaryLocationLineHash", "verifyWarning/v2"})

    def place_of(self, result):
        return result["locations"][0]["physicalLocation"]["region"]["startLine"]

    def test_error_in_sarif(self):
        copy, bug, _, results = self.sarif("output_offset_by_one")
        self.assertEqual({result["ruleId"] for result in results}, {"PLV02"})
        self.in_kernel(copy, bug.line, results[0])

    def test_places_hold_no_values(self):
        """Beside indices and counts there are differences and ratios only."""
        bug = [bug for bug in BUGS if bug.name == "missing_reciprocal_scale"][0]
        copy = Copy(self.folder, bug.phase, bug.edits)
        done = self.verify(copy, copy.flags("L2", "--no-lint-gate"))
        leaf = done.check("L2_canonical")["per_tensor"][0]
        self.assertEqual(leaf["name"], "out0")
        self.assertEqual(leaf["output"], "dq")
        self.assertLessEqual(set(leaf["where"]), {
            "place", "likeness", "first", "last", "worst", "axes", "factor", "map"})
        self.assertEqual({len(row) for row in leaf["where"]["map"]}, {64})
        self.assertLessEqual(set("".join(leaf["where"]["map"])), set(".123456789nu"))
        self.assertEqual([axis["extent"] for axis in leaf["where"]["axes"]], [2, 64, 64])
        self.assertEqual(leaf["where"]["first"][1], 1)  # the second query
        numbers = [leaf["where"][key] for key in ("first", "last", "worst")]
        self.assertTrue(all(isinstance(n, int) for index in numbers for n in index))

    def test_enough_of_each(self):
        self.assertGreaterEqual(len(BUGS), 40)
        self.assertGreaterEqual(len(ODDITIES), 20)
        names = [item.name for item in BUGS + ODDITIES]
        self.assertEqual(len(set(names)), len(names))


def add_tests():
    for kind, items, look in (("bug", BUGS, Bench.find), ("oddity", ODDITIES, Bench.accept)):
        for item in items:
            def test(self, item=item, look=look):
                look(self, item)
            if item.quick or ALL:
                setattr(Bench, "test_%s_%s" % (kind, item.name), test)


add_tests()

if __name__ == "__main__":
    support.main()
