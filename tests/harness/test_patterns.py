#!/usr/bin/env python3
"""The words of each pattern: kernels with one mistake each, and what `verify` says of them. One operator has all
the kernels, and the case says which one runs.

Usage: test_patterns.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import shutil

import harness_support as support

HEAD = '''"""Kernels with one mistake each."""
import pypto
import torch

BLOCK = 16
ROWS, COLS = 64, 64
F = pypto.DT_FP32


@pypto.frontend.jit
def right(x: pypto.Tensor([ROWS, COLS], F), y: pypto.Tensor([ROWS, COLS], F)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(ROWS // BLOCK):
        t = pypto.view(x, [BLOCK, COLS], [i * BLOCK, 0])
        pypto.assemble(pypto.exp(t) * 0.5, [i * BLOCK, 0], y)


'''
KERNEL = '''@pypto.frontend.jit
def k_{name}(x: pypto.Tensor([ROWS, COLS], F), y: pypto.Tensor([ROWS, COLS], F)):
    pypto.set_vec_tile_shapes(16, 64)
{body}

'''
LOOP = '''    for i in pypto.loop(ROWS // BLOCK):
        t = pypto.view(x, [BLOCK, COLS], [i * BLOCK, 0])
'''
# What computes `wanted`, exp(x) / 2 unless said otherwise, but for a mistake.
BODIES = {
    "last": '''    for i in pypto.loop(ROWS // BLOCK - 1):
        t = pypto.view(x, [BLOCK, COLS], [i * BLOCK, 0])
        pypto.assemble(pypto.exp(t) * 0.5, [i * BLOCK, 0], y)
    for i in pypto.loop(1):
        t = pypto.view(x, [BLOCK, COLS], [48, 0])
        pypto.assemble(pypto.exp(t * t) * 0.5, [48, 0], y)
''',
    "rows": LOOP + '''        pypto.assemble(pypto.exp(pypto.view(t, [8, COLS], [0, 0])) * 0.5, [i * BLOCK, 0], y)
        pypto.assemble(pypto.tanh(pypto.view(t, [8, COLS], [8, 0])), [i * BLOCK + 8, 0], y)
''',
    "columns": '''    for i in pypto.loop(COLS // BLOCK):
        t = pypto.view(x, [ROWS, BLOCK], [0, i * BLOCK])
        pypto.assemble(pypto.exp(pypto.view(t, [ROWS, 8], [0, 0])) * 0.5, [0, i * BLOCK], y)
        pypto.assemble(pypto.tanh(pypto.view(t, [ROWS, 8], [0, 8])), [0, i * BLOCK + 8], y)
''',
    "tile": '''    for i in pypto.loop(ROWS // BLOCK):
        for j in pypto.loop(COLS // BLOCK):
            t = pypto.view(x, [BLOCK, BLOCK], [i * BLOCK, j * BLOCK])
            e = pypto.exp(t) * 0.5
            if pypto.cond(i * 4 + j == 6):
                e[:] = pypto.tanh(t)
            pypto.assemble(e, [i * BLOCK, j * BLOCK], y)
''',
    "transposed": LOOP + '''        pypto.assemble(pypto.transpose(pypto.exp(t) * 0.5, 0, 1), [0, i * BLOCK], y)
''',
    "axis": LOOP + '''        m = pypto.sum(t, 0, keepdim=True)
        pypto.assemble(t * m, [i * BLOCK, 0], y)
''',
    "shifted": '''    for i in pypto.loop(1):
        a = pypto.view(x, [62, COLS], [2, 0])
        b = pypto.view(x, [2, COLS], [62, 0])
        pypto.assemble(pypto.exp(a) * 0.5, [0, 0], y)
        pypto.assemble(pypto.exp(b) * 0.5, [62, 0], y)
''',
    "factor": LOOP + '''        pypto.assemble(pypto.exp(t) * 0.25, [i * BLOCK, 0], y)
''',
    "eps": LOOP + '''        pypto.assemble(pypto.exp(t) * 0.5 + 0.01, [i * BLOCK, 0], y)
''',
    "never": '''    for i in pypto.loop(ROWS // BLOCK - 1):
        t = pypto.view(x, [BLOCK, COLS], [i * BLOCK, 0])
        pypto.assemble(pypto.exp(t) * 0.5, [i * BLOCK, 0], y)
''',
    "narrow": LOOP + '''        part = pypto.view(t, [BLOCK, 48], [0, 0])
        pypto.assemble(pypto.exp(part) * 0.5, [i * BLOCK, 0], y)
''',
    "infinite": LOOP + '''        far = pypto.log(pypto.maximum(t, 0.0))
        gone = far - far
        pypto.assemble(pypto.exp(t) * 0.5 + gone, [i * BLOCK, 0], y)
''',
    "first": '''    total = pypto.tensor([BLOCK, COLS], F)
    for i in pypto.loop(ROWS // BLOCK):
        t = pypto.view(x, [BLOCK, COLS], [i * BLOCK, 0])
        if pypto.is_loop_begin(i):
            total[:] = t * 3.0
        else:
            total[:] = t * 1.0
        pypto.assemble(pypto.exp(total) * 0.5, [i * BLOCK, 0], y)
''',
    "drift": '''    total = pypto.tensor([BLOCK, COLS], F)
    for i in pypto.loop(ROWS // BLOCK):
        t = pypto.view(x, [BLOCK, COLS], [i * BLOCK, 0])
        if pypto.is_loop_begin(i):
            total[:] = t * 1.0
        else:
            total[:] = total * 0.5 + t
        pypto.assemble(total * 1.0, [i * BLOCK, 0], y)
''',
    "swapped": LOOP + '''        pypto.assemble(t - 2.0, [i * BLOCK, 0], y)
''',
}
WRAPPER = '''
def patterns_module1_wrapper(x, kind):
    y, z = torch.empty_like(x), torch.empty_like(x)
    KERNELS[kind](x, y)
    right(x, z)
    return y, z
'''
# Sums of the blocks, a product with a sum, and the second output for "swapped".
GOLDEN = '''import torch


def patterns_module1_golden(x, kind):
    y = torch.exp(x) * 0.5
    if kind == "axis":
        return x * x.sum(-1, keepdim=True), y
    if kind == "drift":
        return x.view(4, 16, 64).cumsum(0).view(64, 64), y
    if kind == "swapped":
        return y, x - 2.0
    return y, y
'''
INPUTS = '''import torch

PRIMARY_INPUT_ORDER = ["x", "kind"]


def make_inputs(case):
    torch.manual_seed(case.get("seed", 42))
    return {"x": torch.randn(64, 64).to("npu:0"), "kind": case["kind"]}
'''
# What must be said of each kernel: of where, of what the output looks like, or by blame.
WORDS = {
    "last": "only the last rows: rows 48..63 of 64",
    "rows": "at regular distances among the rows",
    "columns": "at regular distances among the columns",
    "tile": "in one block only: rows 16..31 of 64, columns 32..47 of 64",
    "transposed": "it is the reference with axes 0 and 1 swapped",
    "axis": "sum: the outputs are right when it computes along axis 1",
    "shifted": "each place has what belongs 2 rows further on",
    "factor": "it is the reference times 0.5",
    "eps": "it is the reference plus 0.01",
    "never": "no launch has written",
    "narrow": "no write covers the wrong elements",
    "infinite": "it makes NaN from infinities (inf - inf)",
    "first": "only iteration 0 is wrong: look at what the loop begins with",
    "drift": "wrong from iteration 1 on, those before are right: look at what the loop carries",
    "swapped": "it is what out1 should be",
}
NORM = '''"""A norm without epsilon whose loop forgets the tail."""
import pypto
import torch

BLOCK = 16
F = pypto.DT_FP32


@pypto.frontend.jit
def norm(x: pypto.Tensor([pypto.DYNAMIC, 32], F), y: pypto.Tensor([pypto.DYNAMIC, 32], F)):
    pypto.set_vec_tile_shapes(16, 32)
    rows = x.shape[0]
    for i in pypto.loop((rows + BLOCK - 1) // BLOCK):
        left = pypto.min(rows - i * BLOCK, BLOCK)
        t = pypto.view(x, [BLOCK, 32], [i * BLOCK, 0], valid_shape=[left, 32])
        total = pypto.sum(t * t, -1, keepdim=True)
        pypto.assemble(t * pypto.rsqrt(total), [i * BLOCK, 0], y)


def patterns_module1_wrapper(x):
    y = torch.empty_like(x)
    norm(x, y)
    return y
'''
NORM_GOLDEN = '''import torch


def patterns_module1_golden(x):
    return x * torch.rsqrt((x * x).sum(-1, keepdim=True) + 1e-12)
'''
NORM_INPUTS = '''import torch

PRIMARY_INPUT_ORDER = ["x"]


def make_inputs(case):
    torch.manual_seed(case.get("seed", 42))
    x = torch.randn(case["shape"]["rows"], 32)
    if case.get("zeros"):
        x[3] = 0
    return {"x": x.to("npu:0")}
'''


class Operator:
    """One module in a folder of its own."""

    def __init__(self, root, files, cases):
        self.folder = os.path.join(root, "custom/patterns")
        self.report_path = os.path.join(self.folder, "eval/evaluation_report.json")
        suite = json.dumps({"op_name": "patterns", "total_modules": 1, "test_cases": cases})
        impl, golden, inputs = files
        for name, text in (("modules/patterns_module1_impl.py", impl),
                           ("modules/patterns_module1_golden.py", golden),
                           ("eval/test_inputs.py", inputs),
                           ("eval/adversarial_suite.json", suite)):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def flags(self, *more):
        return ["--impl", os.path.join(self.folder, "modules/patterns_module1_impl.py"),
                "--suite", os.path.join(self.folder, "eval/adversarial_suite.json"),
                "--modes", "sim", "-j", "1", "--no-lint-gate", *more]


class Patterns(support.HarnessTest):
    WARM = True

    def test_each(self):
        """Half of the kernels a run: blame looks at eight cases."""
        kernels = "".join(KERNEL.format(name=name, body=body) for name, body in BODIES.items())
        table = "KERNELS = {%s}\n" % ", ".join('"%s": k_%s' % (name, name) for name in BODIES)
        cases = [{"id": name, "level": "L%d" % (2 + number % 2), "kind": name, "dtype": "float32",
                  "shape": {"rows": 64}, "atol": 1e-4, "rtol": 1e-4}
                 for number, name in enumerate(BODIES)]
        text = HEAD + kernels + table + WRAPPER
        operator = Operator(self.folder, (text, GOLDEN, INPUTS), cases)
        for level in ("L2", "L3"):
            done = self.verify(operator, operator.flags("--levels", level, "--blame"))
            parts = done.stdout.split("\n  ")
            for case in done.report["checks"]:
                name = case["id"]
                with self.subTest(pattern=name):
                    start = next(number for number, part in enumerate(parts)
                                 if part.startswith(name + " (L"))
                    end = next((number for number in range(start + 1, len(parts))
                                if " (L" in parts[number][:14]), len(parts))
                    self.assertIn(WORDS[name], "\n".join(parts[start:end]))
                if name == "narrow":  # not the loop over rows, which is right
                    line = case["blame"]["line"]
                    self.assertNotIn("pypto.loop", text.splitlines()[line - 1])

    def test_over_cases(self):
        """What one case cannot show: only those with a tail fail, only those with a row of zeros."""
        cases = [{"id": "%s%d%s" % (level, rows, zeros), "level": level, "dtype": "float32",
                  "shape": {"rows": rows}, "zeros": zeros, "atol": 1e-4, "rtol": 1e-4}
                 for level, rows, zeros in (
                     ("L2", 16, 0), ("L2", 32, 0), ("L2", 48, 0), ("L2", 20, 0), ("L2", 41, 0),
                     ("L3", 16, 0), ("L3", 32, 0), ("L3", 32, 1), ("L3", 20, 0))]
        right = NORM, NORM_GOLDEN, NORM_INPUTS
        cut = NORM.replace("(rows + BLOCK - 1) // BLOCK", "rows // BLOCK"), NORM_GOLDEN, NORM_INPUTS
        for files, level, kind, words in (
                (cut, "L2", "tail", "only with a tail: axis 0 of x is a multiple of 16 in every case with "
                                    "right values (3) and in none with wrong ones (2): look at the last block"),
                (right, "L3", "zero_row", "only with a zero row: x has a row of zeros in every case with "
                                          "wrong values (1) and in none with right ones (3): look at divisions")):
            operator = Operator(self.folder, files, cases)
            done = self.verify(operator, operator.flags("--levels", level, "--no-blame"))
            report = self.expect(done, "FAIL", "precision", "precision")
            self.assertEqual([pattern["kind"] for pattern in report["patterns"]], [kind], done)
            self.assertIn("  pattern: " + words, done.stdout)
        operator = Operator(self.folder, right, cases)
        done = self.verify(operator, operator.flags("--levels", "L2", "--no-blame"))
        self.assertEqual(self.expect(done, "PASS")["patterns"], [])

    def test_own_test(self):
        """An operator that its test_<op>.py runs is blamed, too: the reference is what the test computes. A
        repair that only leaves something out is never sure: softmax is right without its maximum."""
        example = os.path.join(support.HERE, "../../examples/custom/softmax")
        for old, new, case, words in (
                ("pypto.sum(numerator, -1", "pypto.sum(numerator, 0", "test_softmax_l1",
                 r"blame: softmax_impl.py:23: sum: the outputs are right when it computes along axis 1"),
                ("pypto.amax(x_tile, -1", "pypto.amax(x_tile, 0", "test_softmax_l0",
                 r"blame: (softmax_impl.py:20|.*\(suspected\)|not sure)")):
            with self.subTest(new=new):
                folder = os.path.join(self.folder, "custom/softmax")
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(example, folder)
                path = os.path.join(folder, "softmax_impl.py")
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(text.count(old), 1)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new))
                done = self.verify(Softmax(folder), ["--op-dir", folder, "--modes", "sim", "--blame", "-j", "1",
                                                     "--no-lint-gate", "--case", case])
                self.assertRegex(done.stdout, words)


class Softmax:
    """The copy of an example."""

    def __init__(self, folder):
        self.report_path = os.path.join(folder, "eval/evaluation_report.json")


if __name__ == "__main__":
    support.main()
