#!/usr/bin/env python3
"""Plain kernels, those outside of operator directories: what is right in any PyPTO code has no finding, and
what is wrong in any has one.

The programs of examples/sim, and of tests/examples/plain: several kernels a file, configurations, wrappers,
registered operators, references, tests and `__main__` beside them. All of them run in the simulator
(tests/runtime/test_examples.py), so each finding would be a false alarm.
The edits below are mistakes, and the rule that is named has to notice each of them.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIM, PLAIN = ROOT / "examples" / "sim", ROOT / "tests" / "examples" / "plain"
# What is wrong in any PyPTO code; the others are about the workflow.
RULES = "OL02,OL03,OL04,OL05,OL06,OL26,OL28,OL48,OL52,OL57,OL62,KS"
CHIP = {"mx_product.py": "950PR", "online_softmax.py": "950PR"}  # operations of another chip
BINARY = None

DIV = "    pypto.set_vec_tile_shapes(min(rows, 16), cols)\n"
RELU_ROWS = "    pypto.set_vec_tile_shapes(Block.ROWS, Block.COLS)\n    rows = x.shape[0]\n"
GELU = "    y = torch.empty_like(x)\n    gelu_kernel(x.contiguous(), y)\n    return y\n"
# (file, old, new, rule, status)
MISTAKES = [
    ("activations.py", RELU_ROWS, "    rows = x.shape[0]\n    pypto.set_vec_tile_shapes(rows, Block.COLS)\n", "OL48", "FAIL"),
    ("activations.py", RELU_ROWS, "    rows = x.shape[0]\n    half = (rows + 1) // 2\n"
     "    pypto.set_vec_tile_shapes(half, Block.COLS)\n", "OL48", "FAIL"),
    ("activations.py", RELU_ROWS, "    rows, _ = x.shape\n    pypto.set_vec_tile_shapes(min(rows, 16), 64)\n", "OL48", "FAIL"),
    ("activations.py", "        left = min(rows - step * 16, 16)\n",
     "        left = min(rows - step * 16, 16)\n        pypto.set_vec_tile_shapes(left, WIDTH)\n", "OL48", "FAIL"),
    ("experts_and_quantisation.py", "        part = pypto.view(x, [1, WIDTH], [row, 0])\n",
     "        pypto.set_vec_tile_shapes(row + 1, WIDTH)\n        part = pypto.view(x, [1, WIDTH], [row, 0])\n", "OL48", "FAIL"),
    ("matmuls.py", "[16, 32], [16, 64, 64], [16, 32]", "[32, 16], [16, 64, 64], [16, 32]", "OL48", "FAIL"),
    ("matmuls.py", "[16, 32], [16, 64, 64], [16, 32]", "[16, 32, 32], [16, 64, 64], [16, 32]", "OL48", "FAIL"),
    ("elementwise_ops.py", "out[:] = pypto.add(a, b)", "out[:] = max(a, b)", "OL06", "FAIL"),
    ("elementwise_ops.py", "out[:] = pypto.add(a, b)", "c = a * 2.0\n    out[:] = min(c[0:32, :], 1.0)", "OL06", "FAIL"),
    ("activations.py", "    positive = pypto.exp(x * 2.0)\n", "    positive = min(pypto.exp(x * 2.0), 1.0)\n", "OL06", "FAIL"),
    ("activations.py", "    positive = pypto.exp(x * 2.0)\n", "    positive = pypto.exp(min(x, 1.0) * 2.0)\n", "OL06", "FAIL"),
    ("reductions_and_norms.py", "pypto.amax(x, -1, keepdim=True)", "max(x)", "OL06", "FAIL"),
    ("elementwise_ops.py", "def add_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), b", "def add_kernel(a, b", "OL05", None),
    ("elementwise_ops.py", "def div_kernel(a: pypto.Tensor(SHAPE, pypto.DT_FP32), b", "def div_kernel(a, b", "OL05", "FAIL"),
    ("older_and_newer.py", "def slices_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)",
     "def slices_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y", "OL05", "FAIL"),
    ("activations.py", "wide * pypto.sigmoid(wide), pypto", "wide * pypto.sigmoid(x), pypto", "OL28", "WARN"),
    ("reductions_and_norms.py", "pypto.softmax(wide, -1)", "pypto.softmax(x[:, :], -1)", "OL28", "WARN"),
    ("reductions_and_norms.py", "    wide = pypto.cast(x, pypto.DT_FP32)\n", "    wide = pypto.view(x, [32, 64], [0, 0])\n",
     "OL28", "WARN"),
    ("activations.py", GELU, GELU.replace("return y", "return torch.nn.functional.gelu(x)"), "OL62", "FAIL"),
    ("activations.py", GELU, GELU.replace("return y", "result = torch.tanh(x)\n    return result.to(x.dtype)"), "OL62", "FAIL"),
    ("experts_and_quantisation.py", "    chosen, experts = torch.topk(weights, top, -1)\n",
     "    chosen, experts = torch.topk(torch.softmax(logits, -1), top, -1)\n", "OL62", "FAIL"),
    ("reductions_and_norms.py", "        return y.view_as(x)\n", "        return x * torch.rsqrt(x.pow(2).mean(-1))\n", "OL62", None),
    ("older_and_newer.py", "    for factor in [0.5, 0.25]:\n", "    for factor in (v for v in (0.5, 0.25)):\n", "OL57", "WARN"),
]


def edited(text, old, new):
    if text.count(old) != 1:
        raise AssertionError(f"the text to replace occurs {text.count(old)} times: {old!r}")
    return text.replace(old, new)


class Plain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def findings(self, path, *options):
        done = subprocess.run([BINARY, "check", str(path), "--rules", RULES, "--no-exec", "--format", "json", *options],
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return [(f["rule"], f["status"], f["line"], f["message"]) for f in json.loads(done.stdout)["findings"]]

    def copy(self, folder):
        for path in sorted(folder.glob("*.py")):
            shutil.copy(path, self.folder)
        return sorted(self.folder.glob("*.py"))

    def test_kernels_enough(self):
        text = "".join(path.read_text(encoding="utf-8") for path in PLAIN.glob("*.py"))
        self.assertGreaterEqual(len(re.findall(r"^ *@pypto\.frontend\.jit", text, re.M)), 40)

    def test_samples_of_the_simulator(self):
        for path in self.copy(SIM):
            if path.name in CHIP:
                (self.folder / ".pypto-lint.yaml").write_text(f"soc: {CHIP[path.name]}\n", encoding="utf-8")
            self.assertEqual(self.findings(path, "--pypto", "9.2"), [], path.name)
            (self.folder / ".pypto-lint.yaml").unlink(missing_ok=True)

    def test_kernels_as_they_ship(self):
        for path in self.copy(PLAIN):
            self.assertEqual(self.findings(path, "--pypto", "9.2"), [], path.name)
            unnamed = [f[:2] for f in self.findings(path)]
            self.assertEqual(unnamed, [("OL57", "WARN")] if path.name == "older_and_newer.py" else [], path.name)

    def test_mistakes(self):
        for name, old, new, rule, status in MISTAKES:
            with self.subTest(name=name, new=new):
                text = (PLAIN / name).read_text(encoding="utf-8")
                self.copy(PLAIN)
                (self.folder / name).write_text(edited(text, old, new), encoding="utf-8")
                told = [f for f in self.findings(self.folder / name) if f[0] == rule]
                if name == "older_and_newer.py":
                    told = [f for f in told if "enumerate" not in f[3]]
                self.assertEqual({f[1] for f in told}, {status} if status else set(), told)

    def test_a_long_way_from_the_kernel_to_the_result(self):
        """Each step needs the one before: `t0.copy_(y)`, `u0 = t0 * 2`, `t1.copy_(u0)` …"""
        for steps in (8, 80):
            body = "    y = torch.empty_like(x)\n    gelu_kernel(x.contiguous(), y)\n"
            for k in range(steps):
                source = "y" if k == 0 else f"u{k - 1}"
                body += f"    t{k} = torch.empty_like(x)\n    t{k}.copy_({source})\n    u{k} = t{k} * 2\n"
            text = edited((PLAIN / "activations.py").read_text(encoding="utf-8"), GELU,
                          body + f"    return torch.tanh(u{steps - 1})\n")
            (self.folder / "activations.py").write_text(text, encoding="utf-8")
            told = self.findings(self.folder / "activations.py")
            self.assertEqual([f for f in told if f[0] == "OL62"], [], steps)

    def test_files_of_an_operator_are_judged_as_before(self):
        op = self.folder / "custom" / "rowscale"
        op.mkdir(parents=True)
        text = (PLAIN / "elementwise_ops.py").read_text(encoding="utf-8")
        (op / "rowscale_impl.py").write_text(text, encoding="utf-8")
        told = {f[0] for f in self.findings(op / "rowscale_impl.py", "--stage", "5")}
        self.assertLessEqual({"OL05", "OL06", "OL48", "OL62"}, told)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    arguments, rest = parser.parse_known_args()
    BINARY = str(pathlib.Path(arguments.binary).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
