#!/usr/bin/env python3
"""`pypto-lint interfaces`: verdict, rule prefixes, JSON, exit statuses.

    test_interfaces.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json

from scaffold_support import CONTRACT, ScaffoldTest, main

PATH = "custom/chunked/eval/module_interfaces.yaml"

# One edit each, and the rule that it breaks.
EDITS = [
    ("{name: k, source: primary}", "{name: kk, source: primary}", 1),
    ("{name: p, source: module_1}", "{name: p, source: module_2}", 2),
    ("{name: p, source: module_1}", "{name: nothing, source: module_1}", 2),
    ("{name: p, source: module_1}", "{name: p, source: elsewhere}", 2),
    ("{name: dq, source: module_2}", "{name: dq, source: module_3}", 3),
    ("{name: dq, source: module_2}", "{name: dk, source: module_2}", 3),
    ("- {name: var, shape", "- {name: dq, shape: [B], dtype: bool}\n      - {name: var, shape", 4),
    ('{name: var, shape: "[B, T]"', '{name: var, shape: "[B, T/2]"', 5),
    ('{name: var, shape: "[B, T]"', '{name: var, shape: "[B, f(T)]"', 5),
    ("dtype: float32}\n  - id: 2", "dtype: float64}\n  - id: 2", 6),
]


class Interfaces(ScaffoldTest):
    def verdict(self, text, *options):
        self.write(PATH, text)
        return self.run_here("interfaces", *options, PATH)

    def test_pass(self):
        done = self.verdict(CONTRACT)
        self.assertEqual((done.status, done.out, done.err), (0, "PASS\n", ""))
        done = self.verdict(CONTRACT, "--json")
        self.assertEqual((done.status, done.json()), (0, {"status": "PASS", "violations": []}))

    def test_every_rule(self):
        for old, new, rule in EDITS:
            self.assertIn(old, CONTRACT)
            text = CONTRACT.replace(old, new, 1)
            with self.subTest(new):
                done = self.verdict(text)
                self.assertEqual((done.status, done.err), (1, ""))
                self.assertRegex(done.out, f"(?m)^rule{rule}: [^(]+.* \\(line [0-9]+\\)$")
                self.assertNotIn("(rule", done.out)
                found = self.verdict(text, "--json")
                self.assertEqual(found.status, 1)
                self.assertEqual(found.json()["status"], "FAIL")
                self.assertEqual(found.json()["violations"], done.out.splitlines())

    def test_all_are_listed(self):
        text = CONTRACT
        for old, new, _ in (EDITS[0], EDITS[4], EDITS[9]):
            text = text.replace(old, new, 1)
        rules = [line[:6] for line in self.verdict(text).out.splitlines()]
        self.assertEqual(rules, ["rule1:", "rule3:", "rule6:"])

    def test_valid_forms(self):
        for shape in ('"[B, T//BT, 2*(K-1)+-3]"', "[4, T]", '"[]"', '"B, T"'):
            text = CONTRACT.replace('{name: var, shape: "[B, T]"', "{name: var, shape: %s" % shape)
            self.assertEqual(self.verdict(text).out, "PASS\n", shape)

    def test_chinese(self):
        self.write(PATH, CONTRACT.replace(*EDITS[0][:2]))
        done = self.run_here("interfaces", PATH, env={"PYPTO_LINT_LANG": "zh"})
        self.assertRegex(done.out, "^rule1: .*（第 [0-9]+ 行）\n$")
        self.assertNotIn("规则", done.out)
        done = self.run_here("interfaces", "--json", PATH, env={"PYPTO_LINT_LANG": "zh"})
        self.assertTrue(json.loads(done.out)["violations"][0].isascii())

    def test_trouble(self):
        for text in ("a: [", "- 1\n", "just text\n", "", b"\xff\xfe\0"):
            done = self.verdict(text)
            self.assertEqual((done.status, done.out), (2, ""), text)
            self.assertIn(PATH, done.err)
        for arguments in (("nothing.yaml",), (".",), (), (PATH, PATH), ("--yaml", PATH)):
            done = self.run_here("interfaces", *arguments)
            self.assertEqual((done.status, done.out), (2, ""), arguments)
            self.assertTrue(done.err)

    def test_escapes(self):
        done = self.verdict(CONTRACT.replace("name: k, source: primary",
                                             'name: "\\e[31mk\\nx", source: primary'))
        self.assertEqual(len(done.out.splitlines()), 1)
        self.assertNotIn("\x1b", done.out)


if __name__ == "__main__":
    main()
