#!/usr/bin/env python3
"""Every template of `pypto-lint new`, run and verified against its golden in the simulator.

    test_new.py PYPTO_LINT

With modules, the suite of `scaffold eval`, the composed references and the tests of the phases are run,
too. A kernel that is changed must fail: else the test would prove nothing. Skipped without torch
(status 77).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import warm_python

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
CHANGES = {"attention": ("pypto.div(mixed, total)", "pypto.mul(mixed, total)"),
           "elementwise": ("pypto.mul(row_part, pypto.sigmoid(row_part))", "pypto.sigmoid(row_part)"),
           "matmul": ("pypto.matmul(row_part, b, pypto.DT_FP32)",
                      "pypto.mul(pypto.matmul(row_part, b, pypto.DT_FP32), 1.1)"),
           "moe-routing": ("pypto.topk(token_part, BEST, -1)", "pypto.topk(token_part, BEST, -1, False)"),
           "row-reduction": ("1.0 / columns", "2.0 / columns"),
           "scan": ("carried[:] = pypto.add(carried, pypto.sum(row_part, 0, keepdim=True))",
                    "carried[:] = pypto.add(carried, 0.0)")}


def call(*arguments, folder, warm=True):
    """`warm`: what it starts are forks of interpreters that have imported torch."""
    return subprocess.run([BINARY, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", timeout=240, check=False,
                          env={**os.environ, **(warm_python.both(sys.executable) if warm else {})})


class Templates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=".")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def good(self, *arguments):
        done = call(*arguments, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def verify(self, op):
        done = call("verify", "--op-dir", f"custom/{op}", "--modes", "sim", folder=self.folder)
        return done.stdout.splitlines()[-1] if done.stdout else ""

    def test_list_is_known(self):
        names = [line.split()[0] for line in self.good("new", "--list").splitlines()]
        self.assertEqual(names, sorted(CHANGES))

    def test_each(self):
        for template, (right, wrong) in CHANGES.items():
            with self.subTest(template):
                op = "op_" + template.replace("-", "_")
                self.good("new", "--template", template, op)
                self.assertIn("status=PASS cases=2/2", self.verify(op))
                self.assertIn(" 2 passed, 0 failed", self.good("test", f"custom/{op}/test_{op}.py"))
                path = self.folder / f"custom/{op}/{op}_impl.py"
                text = path.read_text(encoding="utf-8")
                self.assertEqual(text.count(right), 1)
                path.write_text(text.replace(right, wrong), encoding="utf-8")
                self.assertIn("status=FAIL", self.verify(op))

    def test_modules(self):
        self.good("new", "--modules", 2, "--template", "row-reduction", "--lang", "zh", "chain")
        for suffix in ("1", "12"):
            self.assertIn(" 2 passed, 0 failed",
                          self.good("test", f"custom/chain/modules/test_chain_module{suffix}.py"))
        self.assertIn("status=PASS", self.good("compose", "--op", "chain"))
        self.assertRegex(self.verify("chain"), r"status=PASS cases=(\d+)/\1 ")

    def test_the_table_of_runs(self):
        for lang in ("en", "zh"):
            op = f"op_{lang}"
            self.good("new", "--lang", lang, op)
            memory = self.folder / f"custom/{op}/MEMORY.md"
            before = memory.read_text(encoding="utf-8").splitlines()
            self.good("verify", "--op-dir", f"custom/{op}", "--modes", "sim", "--memory")
            added = [line for line in memory.read_text(encoding="utf-8").splitlines() if line not in before]
            self.assertEqual(len(added), 1)
            self.assertIn("| PASS | 2/2 |", added[0])

    def at_stage_5(self, op):
        state = self.folder / f"custom/{op}/.orchestrator_state.json"
        state.write_text(state.read_text(encoding="utf-8").replace('"current_stage": 1', '"current_stage": 5'),
                         encoding="utf-8")
        self.assertIn('"current_stage": 5', state.read_text(encoding="utf-8"))

    def last(self, op):
        done = call("next", "--op", op, "--format", "json", "--no-exec", folder=self.folder)
        return json.loads(done.stdout)["last_verification"]

    def test_next_knows_the_last_run(self):
        self.good("new", "op")
        self.at_stage_5("op")
        for path in (self.folder / "custom/op").rglob("*.*"):
            path.write_text(path.read_text(encoding="utf-8").replace("FILL IN: ", ""), encoding="utf-8")
        self.assertEqual(self.last("op"), "none")
        self.assertIn("there is no suite (eval/adversarial_suite.json): the operator's tests ran",
                      self.good("verify", "--op-dir", "custom/op", "--modes", "sim"))
        self.assertEqual(self.last("op"), "passed")
        self.assertNotIn("Gates do not run", call("next", "--op", "op", "--no-exec", folder=self.folder).stdout)
        state = (self.folder / "custom/op/.orchestrator_state.json").read_bytes()
        self.assertIn("op: stage 6 of 7\n", self.good("next", "--op", "op", "--done", "--no-exec"))
        (self.folder / "custom/op/.orchestrator_state.json").write_bytes(state)
        right, wrong = CHANGES["elementwise"]
        impl = self.folder / "custom/op/op_impl.py"
        impl.write_text(impl.read_text(encoding="utf-8").replace(right, wrong), encoding="utf-8")
        self.assertEqual(self.last("op"), "other-kernel")
        self.assertIn("status=FAIL", self.verify("op"))
        self.assertEqual(self.last("op"), "failed")
        impl.write_text(impl.read_text(encoding="utf-8").replace(wrong, right), encoding="utf-8")
        self.assertEqual(self.last("op"), "other-kernel")
        self.good("scaffold", "eval", "--op", "op")
        self.assertNotIn("there is no suite", self.good("verify", "--op-dir", "custom/op", "--modes", "sim",
                                                        "--case", "L2_canonical"))
        self.assertEqual(self.last("op"), "partial")

    def test_the_gate_that_runs_the_golden(self):
        self.good("new", "--template", "attention", "op")
        done = call("--stage", "2", "--op-dir", "custom/op", folder=self.folder, warm=False)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    looks = "import importlib.util as u, sys; sys.exit(not u.find_spec('torch'))"
    if subprocess.run([sys.executable, "-c", looks], check=False).returncode:
        print("torch is not installed: skipped")
        sys.exit(77)
    unittest.main()
