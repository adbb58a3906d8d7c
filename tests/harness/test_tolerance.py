"""`pypto-lint tolerance`: kernels beyond the tolerance, innocent and guilty; the orders of summation.

Usage: test_tolerance.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest

from harness_support import scaled, warm_variables

BINARY = ""
try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("needs torch", file=sys.stderr)
    sys.exit(77)

COLUMNS = 256
KERNEL = '''"""Phase 1 of gap."""

import pypto
import torch

ROWS = 16
COLUMNS = %(columns)d


@pypto.frontend.jit
def gap_module1_kernel(
    x: pypto.Tensor([16, COLUMNS], pypto.DT_FP32),
    y: pypto.Tensor([16, COLUMNS], pypto.DT_FP32),
    out: pypto.Tensor([16, %(width)s], pypto.DT_%(dtype)s),
):
    pypto.set_vec_tile_shapes(ROWS, COLUMNS)
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [16, 16])
    out.move(%(body)s)


def gap_module1_wrapper(x, y):
    out = torch.zeros(16, %(width)s, dtype=torch.%(torch)s, device=x.device)
    gap_module1_kernel(x, y, out)
    return out
'''
INPUTS = '''"""Inputs for the suite of gap."""

import torch

DEVICE = torch.device("npu:0")
PRIMARY_INPUT_ORDER = ["x", "y"]


def make_inputs(case):
    """Sums of x and y nearly cancel when the case asks for it."""
    torch.manual_seed(case.get("seed", 42))
    scale = case.get("scale", 1.0)
    x = torch.randn(16, %d, device=DEVICE) * scale
    y = torch.randn(16, %d, device=DEVICE) * scale
    if case.get("cancels"):
        y[:, 0] += x.double().sum(-1).float() - y.double().sum(-1).float()
    return {"x": x, "y": y}
''' % (COLUMNS, COLUMNS)
DIFFERENCE = "x.sum(-1, keepdim=True) - y.sum(-1, keepdim=True)"
KERNEL_DIFFERENCE = "pypto.sum(x, -1, keepdim=True) - pypto.sum(y, -1, keepdim=True)"
CASES = [
    {"id": "plain", "level": "L2"},
    {"id": "cancels", "level": "L5", "scale": 1e5, "cancels": True},
    {"id": "exact", "level": "L2", "atol": 0, "rtol": 0},
    {"id": "mild", "level": "L2", "atol": 2e-4, "rtol": 0},
]


class Gap(unittest.TestCase):
    """An operator of one module in a folder of its own."""
    WARM = True

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "custom", "gap")
        self.write("eval/test_inputs.py", INPUTS)
        self.write("eval/adversarial_suite.json",
                   json.dumps({"op_name": "gap", "total_modules": 1, "test_cases": CASES}))

    def write(self, relative, text):
        path = os.path.join(self.folder, relative)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def operator(self, golden, body, width="1", dtype="FP32", before=""):
        self.write("modules/gap_module1_golden.py",
                   "import torch\n\n\ndef gap_module1_golden(x, y):\n%s    return %s\n"
                   % (before, golden))
        self.write("modules/gap_module1_impl.py", KERNEL % {
            "columns": COLUMNS, "width": width, "dtype": dtype, "body": body,
            "torch": {"FP32": "float32", "BF16": "bfloat16", "INT32": "int32"}[dtype]})

    def run_tolerance(self, *arguments, stderr=subprocess.PIPE, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON", "ASCEND_"))}
        environment.update({**(warm_variables() if self.WARM else {}), **variables})
        return subprocess.run([BINARY, "tolerance"] + list(arguments), timeout=scaled(300),
                              cwd=os.path.join(self.folder, "eval"), stdout=subprocess.PIPE,
                              stderr=stderr, text=True, env=environment, stdin=subprocess.DEVNULL)

    def verdict(self, case, *arguments):
        """The document of a run, whose status must fit."""
        done = self.run_tolerance("--format", "json", case, *arguments)
        self.assertIn(done.returncode, (0, 1), done)
        told = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if told["verdict"] == "innocent" else 1)
        self.assertEqual(told["verdict"], told["modes"][0]["verdict"])
        return told["verdict"], told["modes"][0]["leaves"][0]["reason"], told


class Verdicts(Gap):
    def test_cancellation_is_innocent(self):
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        verdict, reason, told = self.verdict("cancels")
        self.assertEqual((verdict, reason), ("innocent", "explained"), told)
        mode = told["modes"][0]
        self.assertEqual(mode["reductions"], {"sum": 2})
        leaf = mode["leaves"][0]
        self.assertGreater(leaf["out_of_tolerance"], 0)
        self.assertGreater(leaf["orders_worst"], 1)
        self.assertEqual(leaf["elements"], 16)
        self.assertEqual([order["name"] for order in mode["orders"]],
                         ["reversed", "pairwise", "one by one", "blocks of 16", "blocks of 128",
                          "permuted 1", "permuted 2", "F64",
                          "reciprocals", "ties away"])

    def test_wrong_constant_is_guilty(self):
        for case in ("plain", "mild"):
            self.operator(DIFFERENCE, "(%s) * 1.01" % KERNEL_DIFFERENCE)
            verdict, reason, told = self.verdict(case)
            self.assertEqual((verdict, reason), ("guilty", "orders_agree"), told)

    def test_wrong_constant_under_cancellation_is_guilty(self):
        """The orders fail, too, but the kernel is far beyond what they show."""
        self.operator(DIFFERENCE, "%s + 5000.0" % KERNEL_DIFFERENCE)
        verdict, reason, told = self.verdict("cancels")
        self.assertEqual((verdict, reason), ("guilty", "unexplained"), told)

    def test_no_reductions(self):
        self.operator("x * 2.0 + y", "x * 2.01 + y", "COLUMNS")
        verdict, reason, told = self.verdict("plain")
        self.assertEqual((verdict, reason), ("guilty", "orders_agree"))
        self.assertEqual(told["modes"][0]["reductions"], {})
        for order in told["modes"][0]["orders"]:
            self.assertEqual(order["leaves"][0]["max_abs_diff"], 0.0)

    def test_within(self):
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        self.assertEqual(self.verdict("plain")[:2], ("innocent", "within"))

    def test_tolerance_below_the_last_bit(self):
        self.operator("(x @ y.t())", "pypto.matmul(x, y, pypto.DT_FP32, b_trans=True)", "16")
        verdict, _, told = self.verdict("exact")
        self.assertEqual(verdict, "innocent", told)  # exact on the virtual device
        self.operator("x.softmax(-1)", "pypto.exp(x - pypto.amax(x, -1, keepdim=True)) / pypto.sum("
                      "pypto.exp(x - pypto.amax(x, -1, keepdim=True)), -1, keepdim=True)",
                      "COLUMNS")
        verdict, reason, told = self.verdict("exact")
        self.assertEqual((verdict, reason), ("innocent", "explained"), told)
        self.assertIsNone(told["modes"][0]["leaves"][0]["worst"])  # nothing is allowed

    def test_structure(self):
        self.operator("x.sum(-1)", "pypto.sum(x, -1, keepdim=True)")
        self.assertEqual(self.verdict("plain")[:2], ("guilty", "structure"))

    def test_sixteen_bits(self):
        """Rounding to BF16 either way is nobody's fault, a bit more is."""
        self.operator("(x @ y.t()).bfloat16()", "pypto.cast(pypto.matmul(x, y, pypto.DT_FP32, "
                      "b_trans=True) * 1.0001, pypto.DT_BF16)", "16", "BF16")
        verdict, reason, told = self.verdict("exact")
        self.assertIn((verdict, reason), (("innocent", "explained"), ("undecided", "near")), told)
        self.operator("(x @ y.t()).bfloat16()", "pypto.cast(pypto.matmul(x, y, pypto.DT_FP32, "
                      "b_trans=True) * 1.05, pypto.DT_BF16)", "16", "BF16")
        self.assertEqual(self.verdict("exact")[0], "guilty")


class Progress(Gap):
    def test_line_on_a_terminal_only(self):
        """The line says which case runs and is taken away again; without colours, and never in a pipe."""
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        ours, theirs = pty.openpty()
        done = self.run_tolerance("plain", stderr=theirs, TERM="xterm", NO_COLOR="1")
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(shown, rb"\r\[\d/1\] sim [^\r]*plain")
        self.assertRegex(shown, rb"\r +\r$")
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn("\r", self.run_tolerance("plain").stderr)


class NoDigits(Gap):
    """What is within the tolerance proves nothing where any kernel would be."""

    def nothing(self, golden, body, case="plain", **more):
        self.operator(golden, body, **more)
        done = self.run_tolerance("--format", "json", case)
        self.assertEqual(done.returncode, 2, done)
        told = json.loads(done.stdout)
        leaf = told["modes"][0]["leaves"][0]
        self.assertEqual((told["verdict"], leaf["verdict"], leaf["reason"]),
                         ("none", "none", "no_digits"), told)

    def test_zero_and_constant(self):
        self.nothing("(x - x).sum(-1, keepdim=True)", "pypto.sum(x - x, -1, keepdim=True)")
        self.nothing("x * 0.0 + 3.0", "y * 0.0 + 3.0", width="COLUMNS")
        done = self.run_tolerance("plain", "--lang", "en")
        self.assertEqual(done.stdout.splitlines()[-1], "verdict=none")
        self.assertIn("out0: no verdict — this case has no digits", done.stdout)

    def test_integers(self):
        """Comparisons are the same in every order: being right is no matter of digits."""
        self.nothing("(x > y).int()", "pypto.cast(pypto.where(x > y, x * 0.0 + 1.0, x * 0.0), "
                     "pypto.DT_INT32)", width="COLUMNS", dtype="INT32")

    def test_wrong_is_guilty_all_the_same(self):
        self.operator("x * 0.0 + 3.0", "y * 0.0 + 3.5", "COLUMNS")
        self.assertEqual(self.verdict("plain")[0], "guilty")


# Rows are quantised to 8 bits by their largest element. Every 16th element is half of a step: it
# flips with the last bit of the quotient, and with the direction in which ties go.
QUANTISED = """    scale = x.abs().amax(-1, keepdim=True) / 127.0
    q = torch.round(x / scale).clamp(-128, 127)
"""


class Flips(Gap):
    """A quantised element is off by a whole step when a quotient is off by its last bit."""

    INPUTS = INPUTS.replace('    return {"x": x', '''    x = x.clamp(-3, 3)
    x[:, 0] = torch.linspace(3.1, 4.0, 16, device=DEVICE)
    step = x.abs().amax(-1, keepdim=True) / 127.0
    x[:, 16::16] = (torch.arange(15, device=DEVICE) + 0.5) * step
    return {"x": x''')

    def quantised(self, quotient, more=""):
        self.write("eval/test_inputs.py", self.INPUTS)
        self.operator("q", "pypto.round(%s)%s" % (quotient, more), "COLUMNS", before=QUANTISED)
        return self.verdict("plain")

    def test_another_order_is_innocent(self):
        verdict, reason, told = self.quantised(
            "x * (127.0 / pypto.amax(pypto.abs(x), -1, keepdim=True))")
        leaf = told["modes"][0]["leaves"][0]
        self.assertGreater(leaf["out_of_tolerance"], 0, told)  # there are flips
        self.assertEqual(leaf["max_abs_diff"], 1.0)            # of one step each
        flips = {order["name"]: order["leaves"][0]["out_of_tolerance"]
                 for order in told["modes"][0]["orders"]}
        # Sums have no part in it: only the quotient and the direction of ties tell.
        self.assertEqual({name for name in flips if flips[name]}, {"reciprocals", "ties away"})
        self.assertIn((verdict, reason), (("innocent", "explained"), ("innocent", "alike")), told)

    def test_another_scale_is_not(self):
        verdict, _, told = self.quantised(
            "x * (120.0 / pypto.amax(pypto.abs(x), -1, keepdim=True))")
        self.assertEqual(verdict, "guilty", told)
        verdict, _, told = self.quantised(
            "x * (127.0 / pypto.amax(pypto.abs(x), -1, keepdim=True))", " + 1.0")
        self.assertEqual(verdict, "guilty", told)


class Output(Gap):
    def test_text(self):
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        done = self.run_tolerance("cancels", "--lang", "en")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "case cancels (sim, atol=0.001 rtol=0.001): innocent")
        self.assertTrue(lines[1].startswith("  out0: innocent — the reference itself"))
        self.assertRegex(lines[2], r"^    kernel +max_abs_diff \d")
        self.assertEqual(lines[-2:], ["  reductions of the reference: sum 2", "verdict=innocent"])
        done = self.run_tolerance("cancels", "--lang", "zh")
        self.assertIn("无责", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "verdict=innocent")

    def test_same_again(self):
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        first, second = (self.run_tolerance("cancels", "--format", "json") for _ in range(2))
        self.assertEqual(first.stdout, second.stdout)

    def test_redaction(self):
        """What the reference prints, its source and its values stay inside."""
        secret = 7654321.25
        self.operator("(x * 0 + %r).sum(-1, keepdim=True) * 1" % secret,
                      "pypto.sum(x, -1, keepdim=True)", before="    print('SECRET', x)\n")
        for arguments in (("plain",), ("plain", "--format", "json")):
            done = self.run_tolerance(*arguments)
            self.assertEqual(done.returncode, 1)
            for word in ("SECRET", "tensor(", "7654321", "keepdim"):
                self.assertNotIn(word, done.stdout + done.stderr)


class Trouble(Gap):
    WARM = False

    def expect(self, text, *arguments, **variables):
        done = self.run_tolerance(*arguments, **variables)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn(text, done.stderr)
        return done

    def test_usage(self):
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        self.expect("needs the id of a case")
        self.expect("no case is called 'nothing'; the cases are: plain, ", "nothing")
        self.expect("one argument too many", "plain", "exact")
        self.expect("--format takes text or json", "plain", "--format", "sarif")
        self.expect("--up-to-module", "plain", "--up-to-module", "7")
        self.expect("ASCEND_HOME_PATH", "plain", "--modes", "npu")
        self.expect("no hardware named", "plain", "--soc", "nope")

    def test_kernel_that_does_not_run(self):
        self.operator(DIFFERENCE, "pypto.sum(x, -7, keepdim=True)")
        self.expect("sim: ", "plain")
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        self.write("modules/gap_module1_impl.py",
                   "import os\n\n\ndef gap_module1_wrapper(x, y):\n    os._exit(3)\n")
        self.expect("sim: ", "plain")

    def test_no_kernel(self):
        """The reference in the wrapper's place is no innocent kernel."""
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        self.write("modules/gap_module1_impl.py",
                   "def gap_module1_wrapper(x, y):\n    return %s\n" % DIFFERENCE)
        self.expect("no kernel was launched", "plain")

    def test_device(self):
        """Mode npu: the installed packages, here fakes. Launches are not counted there."""
        fake = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_npu")
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE)
        self.write("modules/gap_module1_impl.py",
                   "def gap_module1_wrapper(x, y):\n    return %s + 1.0\n" % DIFFERENCE)
        done = self.run_tolerance("plain", "--modes", "npu", "--format", "json",
                                  ASCEND_HOME_PATH="/none", PYTHONPATH=fake)
        self.assertEqual(done.returncode, 1, done)
        self.assertEqual(json.loads(done.stdout)["modes"][0]["mode"], "npu")

    def test_reference_that_raises(self):
        self.operator("x.no_such_thing(SECRET)", KERNEL_DIFFERENCE)
        done = self.expect("sim: ", "plain")
        self.assertNotIn("SECRET", done.stderr)

    def test_time_is_over(self):
        self.operator(DIFFERENCE, KERNEL_DIFFERENCE, before="    while True: pass\n")
        self.expect("sim: ", "plain", "--timeout", str(scaled(3)))

    def test_reference_that_knows_its_order(self):
        """An order in which the reference raises is left out."""
        self.operator("%s if calls else None" % DIFFERENCE, KERNEL_DIFFERENCE,
                      before="    calls = [1]\n    s = float((x * x).sum(-1)[0])\n"
                             "    t = float((x.cpu() ** 2).sum(-1)[0])\n    del s, t\n")
        verdict, _, told = self.verdict("cancels")
        self.assertEqual(verdict, "innocent", told)


X = torch.randn(4, 5, 600, generator=torch.Generator().manual_seed(1))
W = torch.randn(7, 600, generator=torch.Generator().manual_seed(2))
OPERATORS = {
    "sum": lambda x, w: x.sum(), "sum of axes": lambda x, w: x.sum((0, 2)),
    "sum of none": lambda x, w: x[..., :0].sum(-1), "sum to F64": lambda x, w: x.sum(
        dtype=torch.float64), "sum of a scalar": lambda x, w: x[0, 0, 0].sum(),
    "sum of bool": lambda x, w: (x > 0).sum(-1), "nansum": lambda x, w: torch.nansum(x, -1),
    "mean": lambda x, w: x.mean(), "mean of axis": lambda x, w: x.mean(-1, keepdim=True),
    "trace": lambda x, w: torch.trace(x[0]), "bmm": lambda x, w: x @ x.transpose(1, 2),
    "linear": lambda x, w: F.linear(x, w, w[:, 0]), "einsum": lambda x, w: torch.einsum(
        "bij,kj->bik", x, w), "dot": lambda x, w: torch.dot(x[0, 0], x[0, 1]),
    "mv": lambda x, w: torch.mv(x[0], w[0]), "addmv": lambda x, w: torch.addmv(
        x[0, :, 0], x[0], w[0], beta=2), "addmm": lambda x, w: torch.addmm(
            w[:, 0], x[0], w.t(), beta=2, alpha=3), "baddbmm": lambda x, w: torch.baddbmm(
                x[:, :, :5], x, x.transpose(1, 2)), "addbmm": lambda x, w: torch.addbmm(
                    x[0, :, :5], x, x.transpose(1, 2)),
    "softmax": lambda x, w: x.softmax(1), "log_softmax": lambda x, w: F.log_softmax(x, -1),
    "softmax of nothing": lambda x, w: x.masked_fill(x > -9, -float("inf")).softmax(-1),
    "logsumexp": lambda x, w: torch.logsumexp(x, -1), "logsumexp of axes":
    lambda x, w: torch.logsumexp(x, (0, 2)), "cumsum": lambda x, w: x.cumsum(1),
    "cumsum_": lambda x, w: x.clone().cumsum_(-1), "var": lambda x, w: x.var(-1),
    "std": lambda x, w: x.std((0, 1), unbiased=False, keepdim=True),
    "var_mean": lambda x, w: torch.cat(torch.var_mean(x, (0, 1))),
    "norm": lambda x, w: x.norm(dim=-1), "norm 1": lambda x, w: x.norm(p=1),
    "norm inf": lambda x, w: x.norm(p=float("inf")), "norm 3": lambda x, w: torch.linalg.norm(
        x[0], 3, dim=-1), "layer_norm": lambda x, w: F.layer_norm(x, (600,), w[0], w[1]),
    "group_norm": lambda x, w: F.group_norm(x, 5, w[0, :5], w[1, :5]),
}


class Orders(unittest.TestCase):
    """Every operator in every order, against torch's own in F64."""

    def test_operators(self):
        from pypto_lint_worker import summation
        for order in summation.ORDERS:
            counts = summation.Counts()
            for name, operator in OPERATORS.items():
                with self.subTest(order=order.name, operator=name), torch.no_grad():
                    wanted = operator(X.double(), W.double())
                    with summation.active(order, counts):
                        found = operator(X, W)
                    self.assertEqual(found.dtype, operator(X, W).dtype)
                    self.assertEqual(found.shape, wanted.shape)
                    self.assertTrue(torch.allclose(found.double(), wanted.double(), rtol=1e-4,
                                                   atol=1e-4, equal_nan=True))
            self.assertGreaterEqual(sum(counts.replaced.values()), len(OPERATORS) - 3)
        # Afterwards torch is as before.
        self.assertTrue(torch.equal(X.sum(-1), X.clone().sum(-1)))

    def test_orders_differ(self):
        from pypto_lint_worker import summation
        results = []
        with torch.no_grad():
            for order in summation.ORDERS:
                with summation.active(order, summation.Counts()):
                    results.append(((X @ W.t()).clone(), X.sum(-1), X.cumsum(-1)))
        for index in range(3):
            different = {tuple(r[index].reshape(-1).tolist()) for r in results}
            self.assertGreaterEqual(len(different), 3 if index == 2 else 6)

    def test_one_by_one_is_what_it_says(self):
        from pypto_lint_worker import summation
        # 1e8 swallows each 1 alone, but not their sum.
        terms = torch.tensor([1e8] + [1.0] * 400)
        found = {order.name: order.total(terms.to(order.dtype(torch, terms.dtype))).item()
                 for order in summation.ORDERS}
        self.assertEqual(found["one by one"], 1e8)
        self.assertEqual(found["F64"], 100000400.0)
        self.assertGreater(found["pairwise"], 100000300.0)

    def test_what_is_not_reordered_is_told(self):
        from pypto_lint_worker import summation
        counts = summation.Counts()
        with torch.no_grad(), summation.active(summation.ORDERS[0], counts):
            F.conv1d(X[:, :, :20], torch.ones(2, 5, 3))
        self.assertEqual(counts.kept, {"convolution"})

    def test_rule(self):
        from pypto_lint_worker import tolerance
        numbers = dict(worst=5.0, orders_worst=0.5, unexplained=0, unexplained_worst=0.0,
                       orders_unexplained=0, orders_unexplained_worst=0.0)
        for changes, verdict in (
                ({}, ("undecided", "near")),
                ({"orders_worst": 1.1}, ("innocent", "explained")),
                ({"unexplained": 1, "unexplained_worst": 5.0}, ("guilty", "orders_agree")),
                ({"unexplained": 3, "unexplained_worst": 5.0, "orders_worst": 2.0},
                 ("undecided", "few")),
                ({"unexplained": 4, "unexplained_worst": 5.0, "orders_worst": 2.0},
                 ("guilty", "unexplained")),
                ({"unexplained": 1, "unexplained_worst": 6.1, "orders_worst": 2.0},
                 ("guilty", "unexplained")),
                ({"unexplained": 9, "unexplained_worst": 5.0, "orders_worst": 2.0,
                  "orders_unexplained": 3, "orders_unexplained_worst": 2.0},
                 ("innocent", "alike"))):
            self.assertEqual(tolerance.decide(False, dict(numbers, **changes)), verdict, changes)
        self.assertEqual(tolerance.decide(True, numbers), ("innocent", "within"))


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    sys.path.insert(0, re.sub("bin/[^/]*$", "share/pypto-lint/harness", BINARY))
    unittest.main()
