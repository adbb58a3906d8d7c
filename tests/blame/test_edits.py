#!/usr/bin/env python3
"""Edits of a kernel's text, and kernels that run again with them.

Usage: test_edits.py SHARE [UNITTEST_ARGUMENTS…]     SHARE: …/share/pypto-lint of a build
Status 77 (skipped) without torch.
"""
import ast
import importlib.util
import os
import signal
import sys
import tempfile
import time
import unittest

import operators
import seeded

if importlib.util.find_spec("torch") is None:
    sys.exit(77)

HEAD = """\
import pypto
ROWS, COLS = 16, 32

def helper(x, y):
    return pypto.add(x, y)

def kernel(x, weight, other_weight, out):
    rows = x.shape[0]
    for step in pypto.loop(rows // ROWS):
        start = step * ROWS
        left = pypto.min(rows - start, ROWS)
        part = pypto.view(x, [ROWS, COLS], [start, 0], valid_shape=[left, COLS])
        total = pypto.full([ROWS, 1], 0.0, pypto.DT_FP32)
"""
REST = """\
        pypto.assemble(result, [start, 0], out)
"""


def with_line(line, head=HEAD, rest=REST):
    return head + "        " + line + "\n" + rest


class Edits(unittest.TestCase):
    def edits(self, text, operations=()):
        from pypto_lint_worker import edit_source, text_edits
        source = edit_source.Source(text.encode())
        return {edit.apply(source.data).decode(): edit for edit in text_edits.TextEdits(source, operations).all()}

    def check(self, wrong, right, line=14, kind="edited", operations=()):
        """One edit turns a line into another one."""
        edits = self.edits(with_line(wrong), operations)
        self.assertIn(with_line(right), edits)
        edit = edits[with_line(right)]
        self.assertEqual((edit.line, edit.kind), (line, kind))
        return edit

    def test_names(self):
        edit = self.check("result = pypto.mul(part, weight)", "result = pypto.mul(part, other_weight)")
        self.assertEqual((edit.now, edit.then), ("weight", "other_weight"))
        self.check("result = pypto.view(part, [ROWS, 1], [start, 0])", "result = pypto.view(part, [ROWS, 1], [step, 0])")
        self.check("result = helper(part, weight)", "result = helper(weight, part)", kind="reordered")

    def test_what_nothing_reads_is_likeliest(self):
        edits = self.edits(with_line("result = pypto.mul(part, weight)"))
        costs = {then: edits[with_line("result = pypto.mul(part, %s)" % then)].cost
                 for then in ("other_weight", "total", "out")}
        self.assertLess(costs["other_weight"], costs["total"])
        self.assertLess(costs["other_weight"], costs["out"])

    def test_what_stands_beside_it_elsewhere_is_likelier(self):
        """`[start, 0]` stands in another line, `[rows, 0]` nowhere."""
        edits = self.edits(with_line("result = pypto.view(part, [ROWS, 1], [left, 0])"))
        costs = [edits[with_line("result = pypto.view(part, [ROWS, 1], [%s, 0])" % name)].cost for name in ("start", "rows")]
        self.assertLess(*costs)

    def test_numbers(self):
        for then in ("0", "2", "start"):
            self.check("result = pypto.view(part, [ROWS, 1], [start, 1])",
                       "result = pypto.view(part, [ROWS, 1], [start, %s])" % then)
        self.check("result = pypto.sum(part, -1, keepdim=True)", "result = pypto.sum(part, -1, keepdim=False)")

    def test_expressions(self):
        self.check("result = pypto.view(part, [ROWS, 1], [start + ROWS, 0])",
                   "result = pypto.view(part, [ROWS, 1], [start - ROWS, 0])")
        self.check("result = pypto.view(part, [ROWS, 1], [(start + 1) * ROWS, 0])",
                   "result = pypto.view(part, [ROWS, 1], [(start + 1) // ROWS, 0])")
        self.check("result = pypto.cast(part, pypto.DT_BF16)", "result = part")
        self.check("result = pypto.cast(part, pypto.DT_BF16)", "result = pypto.cast(part, pypto.DT_FP32)")
        self.check("result = part * pypto.sigmoid(part * total)", "result = (part * pypto.sigmoid(part) * total)")
        self.check("result = pypto.add(pypto.rsqrt(total), 1e-6)", "result = pypto.rsqrt(pypto.add(total, 1e-6))")
        self.check("result = pypto.matmul(part, weight, b_trans=True)", "result = pypto.matmul(part, other_weight)")

    def test_missing_functions(self):
        """Only those of the reference."""
        self.check("result = pypto.add(part, total)", "result = pypto.add(part, pypto.log(total))", operations=["logsumexp"])
        self.assertNotIn(with_line("result = pypto.add(part, pypto.log(total))"),
                         self.edits(with_line("result = pypto.add(part, total)")))

    def test_statements(self):
        """Within a block, out of a loop and into one."""
        line = "        result = pypto.add(part, total)\n"
        edits = self.edits(HEAD + REST + line)
        self.assertEqual(edits[HEAD + line + REST].kind, "moved")
        text = "def kernel(x):\n    for i in pypto.loop(4):\n        a = x\n        b[:] = a\n"
        outside = "def kernel(x):\n    a = x\n    for i in pypto.loop(4):\n        b[:] = a\n"
        self.assertEqual(self.edits(text)[outside].line, 3)
        self.assertEqual(self.edits(outside)[text].line, 2)

    def test_carried(self):
        self.check("total[:] = pypto.sum(part)", "total[:] = pypto.add(total, pypto.sum(part))")

    def test_every_edit_parses(self):
        for name in ("flash_attention", "gru_cell", "attention_backward"):
            with tempfile.TemporaryDirectory() as folder:
                path = operators.implementation(*operators.make(name, folder))
                with open(path, encoding="utf-8") as file:
                    edits = self.edits(file.read(), ["exp"])
            self.assertGreater(len(edits), 500)
            for text in edits:
                ast.parse(text)

    def test_unpacked_results(self):
        self.check("result, total = helper(part)", "total, result = helper(part)", kind="reordered")

    def test_long_texts(self):
        """Their number is bounded, and so is the time."""
        for body in ("    y = [%s]\n" % ",".join("x" * 9000), "    x = f(x)\n" * 4000,
                     "".join("    a%d = f(a%d)\n" % (i, i - 1) for i in range(1, 2000))):
            with self.subTest(body=body[:20]):
                self.assertLess(len(self.edits("def kernel(x):\n" + body)), 60000)

    def test_files_without_edits(self):
        """Files that do not parse, are nested too deeply or are too long, and files that do not exist."""
        from pypto_lint_worker import edit_source
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.py")
            for text in ("def kernel(", "x = " + "(" * 5000, "def kernel(x):\n    y = x" + " + x" * 9000, "x = 1\n" * 20000):
                with self.subTest(text=text[:20]):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                    self.assertIsNone(edit_source.read(path))
            self.assertIsNone(edit_source.read(os.path.join(folder, "other.py")))

    def test_other_bytes(self):
        """Columns are those of bytes."""
        self.check("result = helper('é', weight)", "result = helper('é', other_weight)")


class Reruns(unittest.TestCase):
    """process.Kernel.rerun, with texts that a hostile edit could make."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.seed = seeded.Seed(("none", "layer_norm", "case0", "import", "import"), folder.name)
        with open(self.seed.job(True)["impl"], encoding="utf-8") as file:
            self.text = file.read()

    def test_no_answer(self):
        """A kernel's process that is gone is an error, not a wait."""
        from pypto_lint_worker import backend, process
        packages = backend.load("sim")
        packages.kernel = process.Kernel(self.seed.job(True), packages)
        self.addCleanup(packages.kernel.close)
        os.kill(packages.kernel._pid, signal.SIGKILL)
        os.waitpid(packages.kernel._pid, 0)
        packages.kernel._pid = None
        with self.assertRaises(OSError):
            packages.kernel.rerun([self.text], 0.5, [])

    def rerun(self, *batches):
        """For each batch whether the outputs of each text are the reference's, or None if a text ended the process."""
        from pypto_lint_worker import backend, case, process, result, structure
        job, found = self.seed.job(True), []
        packages = backend.load("sim")
        packages.kernel = process.Kernel(job, packages)
        self.addCleanup(packages.kernel.close)
        packages.open()
        one = case.Case(job, result.Result(None), packages)
        reference = one.load(job["golden"], job["golden_function"])
        truth = structure.outputs(one.call(reference, reference.function))
        one.ask(blame=True)
        for texts in batches:
            made = packages.kernel.rerun(texts, 0.5, truth)
            found.append(None if made is None else [
                len(leaves) == 1 and bool(packages.torch.allclose(leaves[0].float(), truth[0].float(), atol=0.02))
                for leaves in made])
        return found

    def test_texts(self):
        """Right, wrong, not Python, raising, and right again after all of these."""
        wrong = self.text.replace("* gamma", "+ gamma")
        raising = self.text + "\nraise SystemExit(3)\n"
        self.assertNotEqual(wrong, self.text)
        self.assertEqual(self.rerun([self.text, wrong, "def", raising, self.text]), [[True, False, False, False, True]])

    def test_death(self):
        """A text that ends the process takes its batch with it, not the next one."""
        dying = self.text + "\nimport os\nos._exit(1)\n"
        self.assertEqual(self.rerun([self.text, dying], [dying], [self.text]), [None, None, [True]])

    def test_endless(self):
        endless = self.text + "\nwhile True:\n    pass\n"
        since = time.monotonic()
        self.assertEqual(self.rerun([endless, self.text]), [[False, True]])
        self.assertLess(time.monotonic() - since, 30)

    def test_modules_of_another_text(self):
        """A text does not see the modules that an earlier one has made."""
        leaving = self.text + "\nimport sys, types\nsys.modules['left'] = types.ModuleType('left')\n"
        asking = "import sys\nif 'left' in sys.modules:\n    raise ValueError\n" + self.text
        self.assertEqual(self.rerun([leaving, asking]), [[True, True]])


if __name__ == "__main__":
    seeded.prepare(sys.argv.pop(1))
    unittest.main()
