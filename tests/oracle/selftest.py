#!/usr/bin/env python3
"""Checks the oracle against hand-derived expectations; prints the failures."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import oracle  # noqa: E402
import selftest_artifacts  # noqa: E402
import selftest_impl  # noqa: E402
from markdown import Section, python_blocks  # noqa: E402

IMPL, TEST, GOLDEN = "rowscale_impl.py", "test_rowscale.py", "rowscale_golden.py"
KERNEL = "J\ndef k(a): pass\n"
HEAD = "# M\n\n## Experience Preflight\n\n"
NOTE = "> \u2705 \u5df2\u77e5\u98ce\u9669\n"
VERIFY = "> \u26a0\ufe0f \u5f85\u9a8c\u8bc1\n"

# rule, expected, files, run options
CASES = [
    ("OL15", "FAIL 1 2 4 4", {GOLDEN: "import torch, pypto.x\nfrom pypto_t import y\n"
                              "def f(a):\n  a.T = a.t(d=1)\n  a.t(1), a.t, t(), a.mT\n"}, {}),
    ("OL15", "PASS", {GOLDEN: "from . import pypto\nimport pyptox\nif 1:\n  import pypto\n"}, {}),
    ("OL15", "SKIP", {GOLDEN: ""}, {}),
    ("OL15", "SKIP", {GOLDEN: "import pypto\n"}, {"stage": 1}),
    ("OL17", "FAIL 2 4", {TEST: "J\ndef a(): pass\nJ()\ndef b(): pass\n@F.jit\n"
         "def c(): pass\n"}, {}),
    ("OL18", "FAIL 2 2", {TEST: "import os\nfrom p import rowscale_impl\nimport xrowscale_golden\n"
                          .replace("\nimport x", "\nif 1:\n  import x")}, {}),
    ("OL18", "FAIL 1", {TEST: "def f():\n  from .rowscale_impl import *\n"}, {}),
    ("OL18", "PASS", {TEST: "import a.rowscale_impl as i\nfrom b.rowscale_golden import z\n"}, {}),
    # scan set
    ("OL01", "SKIP", {IMPL: "# PYPTO_PENDING_STUB\n"}, {}),
    ("OL01", "FAIL 1", {IMPL: "#" + "x" * 494 + "PYPTO_PENDING_STUB\n"}, {}),
    ("OL01", "SKIP", {IMPL: "#" + "\u4e2d" * 493 + "PYPTO_PENDING_STUB\n"}, {}),
    ("OL45", "SKIP", {IMPL: "# PYPTO_PENDING_STUB\n"}, {}),
    ("OL45", "PASS", {IMPL: "def f(:\n"}, {}),
    ("OL01", "SKIP", {IMPL: "x = 1\n"}, {"phase": "M2"}),
    ("OL01", "FAIL 1", {"modules/rowscale_module12_impl.py": "x = 1\n", IMPL: KERNEL},
     {"phase": "M2"}),
    ("OL01", "FAIL 1", {"modules/rowscale_module12_impl.py": "x = 1\n", IMPL: KERNEL}, {}),
    ("OL01", "PASS", {"modules/rowscale_module12_impl.py": "x = 1\n", IMPL: KERNEL},
     {"file": IMPL}),
    ("OL23", "FAIL", {IMPL: "x = '\0'\n"}, {}),
    ("OL23", "WARN 2", {IMPL: "\ufeffJ\r\ndef k(a): pass\r"}, {}),
    # OL55, OL56 and DESIGN.md
    ("OL55", "SKIP", {}, {}),
    ("OL55", "PASS", {IMPL: "def f(:\n"}, {}),
    ("OL55", "SKIP", {IMPL: "pypto.nope\n", "DESIGN.md": "x\n"}, {"file": TEST}),
    ("OL55", "FAIL 3 1", {IMPL: "pypto.nope # PYPTO_PENDING_STUB\n",
                          "DESIGN.md": "a\n```PY x\npypto.nope\n```\n"}, {"phase": "M1"}),
    ("OL56", "PASS", {"DESIGN.md": "x\n"}, {}),
    ("OL56", "SKIP", {IMPL: "x = 1\n"}, {}),
    ("OL56", "FAIL 3", {"DESIGN.md": "```\nimport pypto as p\n"
                        "for i in p.loop(1, unroll_list=[1, 2]): pass\n```"}, {"stage": 4}),
    # OL60
    ("OL60", "FAIL 2", {IMPL: "def f(): pass\n", TEST: "from rowscale_impl import f\nf()\n"}, {}),
    ("OL60", "FAIL 4", {IMPL: KERNEL + "def f(): g()\ndef g(): f(); m.k(1)\n",
                        TEST: "def t():\n  from .rowscale_impl import f, k\n  k(1)\n"
                             "  f(); f()\n"}, {}),
    ("OL60", "PASS", {IMPL: KERNEL + "async def f(): pass\nclass C: pass\ndef r(): pass\n",
                      TEST: "from rowscale_impl import f, C, r as q\nf(); C(); q()\n"}, {}),
    ("OL60", "SKIP", {IMPL: KERNEL, TEST: "from m.rowscale_impl import f\nf()\n"}, {}),
    ("OL60", "SKIP", {IMPL: KERNEL, TEST: "from rowscale_impl import f\nx(f)\n"}, {}),
    ("OL60", "PASS", {IMPL: "def f(:\n", TEST: "from rowscale_impl import f\nf()\n"}, {}),
    ("OL60", "PASS", {IMPL: KERNEL + "".join("def f%d(): f%d()\n" % (i, i + 1) for i in range(12))
                      + "def f12(): k(1)\n", TEST: "from rowscale_impl import f0\nf0()\n"}, {}),
    ("OL60", "FAIL 2", {"modules/rowscale_module1_impl.py": "x = 1\n",
                        "modules/test_rowscale_module1.py":
                        "from rowscale_module1_impl import x\nx()\n"}, {"stage": 7}),
    # OL61
    ("OL61", "FAIL 1", {IMPL: "pypto.add(1, x)\n"}, {}),
    ("OL61", "FAIL 0", {"DESIGN.md": "x\n"}, {}),
    ("OL61", "PASS", {"DESIGN.md": "x\n"}, {"stage": 6}),
    ("OL61", "FAIL 1", {"DESIGN.md": "x\n", "MEMORY.md": "## Other\n"}, {}),
    ("OL61", "FAIL 3", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "# End\n- [x] a\n"}, {"stage": 6}),
    ("OL61", "FAIL 3", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "* [x] star\n"}, {}),
    ("OL61", "FAIL 5 6 7", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "|ab|\n||||\n|--|\n- [x] a\n"
         "|a|\n"}, {}),
    ("OL61", "PASS", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "- [x] a\n" * 20}, {}),
    ("OL61", "FAIL 3", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "- [x] a\n" * 21}, {}),
    ("OL61", "PASS", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "- [-] a\n\n" + NOTE}, {}),
    ("OL61", "FAIL 5", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "- [-] a\n" + VERIFY}, {}),
    ("OL61", "PASS", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "- [-] a\n" + VERIFY}, {"stage": 6}),
    ("OL61", "FAIL 5 5 6", {"DESIGN.md": "x\n", "MEMORY.md": HEAD + "- [-] a\n"
         "- [-] b\n" + VERIFY}, {}),
    ("OL61", "FAIL 3 6", {"DESIGN.md": "x\n", "MEMORY.md": HEAD
                          + "no placeholder content needed here\n- [-] b\n"}, {}),
    ("OL61", "FAIL 6", {"DESIGN.md": "x\n", "MEMORY.md": 
                        "---\na: 1\n---\n\n\n# EXPERIENCE PREFLIGHT"}, {}),
]


def verdict(result, rule):
    status = next(r["status"] for r in result["rules"] if r["id"] == rule)
    found = [f for f in result["findings"] if f["rule"] == rule]
    return " ".join([status] + [str(f["line"]) for f in found if f["tag"] != "parse"])


def contents(files):
    """The files of a case as bytes, with the JIT decorator written out."""
    found = {}
    for rel, text in files.items():
        if rel.endswith(".py"):
            text = "\n".join("@pypto.frontend.jit" + line[1:] if line in ("J", "J()", "J()()",
                             "J\r") else line.replace("    J", "    @pypto.frontend.jit")
                             .replace("\ufeffJ", "\ufeff@pypto.frontend.jit")
                             for line in text.split("\n"))
        found[rel] = text.encode("utf-8")
    return found


def all_cases():
    """(rule, expected, files, run options) of every case."""
    return ([(r, e, {IMPL: s}, {"file": IMPL} if r == "OL61" else {})
             for r, e, s in selftest_impl.CASES] + CASES + selftest_artifacts.CASES)


def run(rule, files, options):
    with tempfile.TemporaryDirectory() as parent:
        root = os.path.join(parent, "rowscale")
        os.makedirs(root)
        for rel, data in contents(files).items():
            os.makedirs(os.path.dirname(os.path.join(root, rel)), exist_ok=True)
            with open(os.path.join(root, rel), "wb") as handle:
                handle.write(data)
        return verdict(oracle.check(root, **options), rule)


def documents():
    """Failures of the Markdown readers."""
    def blocks(text):
        return [b.tree.body[0].lineno for b in python_blocks("D", text)]
    expectations = [
        (blocks("```\na\n```\n```py\nb\n```"), [2, 5]),
        (blocks(" ```\na\n```\nb = 1\n```\n"), [4]),
        (blocks("````python\n```\na\n```\n"), []),
        (blocks("```\n```\na\n```\n"), []),
        (blocks("```python\na\n"), []),
        (blocks("```cpp\na\n```\n```python3\n\nb\n``` \t\n"), [6]),
        (blocks("```python\na\n````\n```x\n```\n"), []),
        (Section("# x\n## Experience preflight log\n\n a \n### d\nb\n##  \n"
             "c", "experience preflight")
         .text, "a \n### d\nb"),
        (Section("---\n# experience preflight\n---\nx", "experience preflight").heading, 0),
        (Section("---\n---\n# experience preflight\nx", "experience preflight").heading, 3),
    ]
    return ["document case %d: got %r, expected %r" % (i, got, want)
            for i, (got, want) in enumerate(expectations) if got != want]


def main():
    cases = all_cases()
    failures = documents()
    for rule, expected, files, options in cases:
        got = run(rule, files, options)
        if got != expected:
            failures.append("%s expected %s, got %s\n%s" % (rule, expected, got, "\n".join(
                "# %s %s\n%s" % (rel, options, text) for rel, text in files.items())))
    print("\n".join(failures))
    print("%d cases, %d failures" % (len(cases) + 10, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
