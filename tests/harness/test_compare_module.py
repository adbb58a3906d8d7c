"""detailed_tensor_compare against arithmetic of its own, with the extension and without.

Usage: test_compare_module.py SHARE_FOLDER [UNITTEST_ARGUMENTS…]
"""
import importlib.util
import json
import logging
import math
import os
import subprocess
import sys
import tempfile
import unittest

SHARE = ""
try:
    import torch
except ImportError:
    print("needs torch", file=sys.stderr)
    sys.exit(77)

KEYS = {"total_elements", "out_of_tolerance_count", "out_of_tolerance_ratio", "max_diff",
        "mean_diff", "std_diff", "max_out_of_tolerance_diff", "mean_out_of_tolerance_diff",
        "all_close", "tolerance_mask", "diff_tensor", "outlier_indices", "outlier_values1",
        "outlier_values2", "outlier_diffs", "outlier_relative_diffs"}
INF, NAN = math.inf, math.nan


def load(name="detailed_tensor_compare", with_extension=True):
    """The module, as a file that nothing shares with other loads."""
    path = os.path.join(SHARE, "harness", "detailed_tensor_compare.py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if with_extension:
        assert module._ptosim is not None, "the extension is not found beside the module"
    else:
        module._ptosim = None
    return module


def oracle(one, two, rtol, atol):
    """The definition, in F32, element by element in torch."""
    first, second = one.float(), two.float()
    diff = torch.abs(first - second)
    out = ~(diff <= atol + rtol * torch.abs(second))
    return {"count": int(out.sum()), "mask": ~out, "diff": diff, "max": diff.max().item(),
            "mean": diff.double().mean().item(), "std": diff.double().std(unbiased=True).item(),
            "max_out": diff[out].max().item() if out.any() else 0.0,
            "mean_out": diff[out].double().mean().item() if out.any() else 0.0}


class Both(unittest.TestCase):
    """Every test runs with the extension and with torch alone."""

    def setUp(self):
        os.environ.pop("PYPTO_LINT_COMPARE_LOG", None)
        os.environ.pop("PYPTO_LINT_REDACT", None)

    def each(self):
        for extension in (True, False):
            with self.subTest(extension=extension):
                yield load(with_extension=extension).detailed_tensor_compare

    def check(self, compare, one, two, rtol=1e-3, atol=1e-3):
        result = compare(one, two, "t", rtol=rtol, atol=atol)
        wanted = oracle(one, two, rtol, atol)
        self.assertEqual(set(result), KEYS)
        self.assertEqual(result["total_elements"], one.numel())
        self.assertEqual(result["out_of_tolerance_count"], wanted["count"])
        self.assertEqual(result["all_close"], wanted["count"] == 0)
        self.assertAlmostEqual(result["out_of_tolerance_ratio"], wanted["count"] / one.numel())
        self.assertTrue(torch.equal(result["tolerance_mask"], wanted["mask"]))
        self.assertTrue(torch.equal(result["diff_tensor"], wanted["diff"]))
        for name, key in (("max_diff", "max"), ("mean_diff", "mean"), ("std_diff", "std"),
                          ("max_out_of_tolerance_diff", "max_out"),
                          ("mean_out_of_tolerance_diff", "mean_out")):
            self.assertTrue(math.isclose(result[name], wanted[key], rel_tol=1e-6, abs_tol=1e-12),
                            (name, result[name], wanted[key]))
        if wanted["count"] == 0:
            for name in KEYS:
                if name.startswith("outlier_"):
                    self.assertIsNone(result[name])
            return result
        places = result["outlier_indices"]
        self.assertEqual(len(places), max(1, one.dim()))
        self.assertEqual({len(axis) for axis in places}, {wanted["count"]})
        if one.dim() > 0:
            self.assertTrue(torch.equal(result["outlier_values1"], one.float()[places]))
            self.assertTrue(torch.equal(result["outlier_values2"], two.float()[places]))
            self.assertTrue(torch.equal(result["outlier_diffs"], wanted["diff"][places]))
            self.assertFalse(wanted["mask"][places].any())
        falling = result["outlier_diffs"]
        self.assertTrue((falling[1:] <= falling[:-1]).all())
        reference = result["outlier_values2"].double().abs() + 1e-8
        self.assertTrue(torch.allclose(result["outlier_relative_diffs"].double(),
                                       falling.double() / reference, rtol=1e-6))
        return result


class Values(Both):
    def test_random(self):
        generator = torch.Generator().manual_seed(3)
        for shape in ((1, 2), (7,), (256,), (257,), (3, 5, 7), (2, 1, 4, 1, 3), (64, 65)):
            for dtype in (torch.float32, torch.float16, torch.bfloat16):
                for gap in (0.0, 1e-4, 3e-3, 1.0):
                    one = torch.randn(shape, generator=generator)
                    two = one + gap * torch.randn(shape, generator=generator)
                    for compare in self.each():
                        self.check(compare, one.to(dtype), two.to(dtype))

    def test_mixed_dtypes(self):
        one = torch.arange(12.0).reshape(3, 4)
        for first, second in ((torch.float16, torch.float32), (torch.float32, torch.bfloat16),
                              (torch.bool, torch.float32), (torch.int8, torch.uint8)):
            for compare in self.each():
                self.check(compare, one.to(first), (one + 1).to(second))

    def test_tolerances_are_of_the_reference(self):
        # 100 against 110: the allowed difference is a tenth of 110, the other way of 100.
        one, two = torch.tensor([100.0, 0.0]), torch.tensor([110.5, 0.0])
        for compare in self.each():
            self.assertTrue(compare(one, two, "t", rtol=0.1, atol=0)["all_close"])
            self.assertFalse(compare(two, one, "t", rtol=0.1, atol=0)["all_close"])

    def test_wide_dtypes_are_compared_in_f64(self):
        big = 2 ** 24
        for compare in self.each():
            for dtype in (torch.int32, torch.int64, torch.float64):
                one = torch.tensor([big + 1, 5], dtype=dtype)
                two = torch.tensor([big, 5], dtype=dtype)
                result = compare(one, two, "t", rtol=0, atol=0.5)
                self.assertEqual((result["out_of_tolerance_count"], result["max_diff"]), (1, 1.0))
                self.assertTrue(compare(one, two, "t", rtol=0, atol=1)["all_close"])

    def test_long_integers_are_exact(self):
        compare = load().detailed_tensor_compare
        one = torch.tensor([2 ** 62 + 1, -2 ** 63], dtype=torch.int64)
        two = torch.tensor([2 ** 62, 2 ** 63 - 1], dtype=torch.int64)
        result = compare(one, two, "t", rtol=0, atol=0)
        self.assertEqual(result["out_of_tolerance_count"], 2)
        self.assertEqual(result["diff_tensor"].tolist(), [1.0, 2.0 ** 64])

    def test_views(self):
        one = torch.randn(6, 8)
        for compare in self.each():
            self.check(compare, one.t()[1:, ::2], one.t()[1:, ::2].clone() + 0.01)
            self.check(compare, one.expand(3, 6, 8), one.expand(3, 6, 8) * 1.1)
            self.check(compare, one.clone().requires_grad_(), one)

    def test_arrays_and_lists(self):
        for compare in self.each():
            self.assertTrue(compare([1.0, 2.0], torch.tensor([1.0, 2.0]), "t")["all_close"])


class Edges(Both):
    def test_nan(self):
        one = torch.tensor([1.0, NAN, 3.0, NAN])
        for compare in self.each():
            for two in (torch.tensor([1.0, 2.0, 3.5, NAN]), torch.tensor([1.0, 2.0, 3.5, 4.0])):
                result = compare(one, two, "t")
                self.assertFalse(result["all_close"])
                self.assertEqual(result["out_of_tolerance_count"], 3)
                self.assertEqual(result["tolerance_mask"].tolist(), [True, False, False, False])
                for name in ("max_diff", "mean_diff", "std_diff", "max_out_of_tolerance_diff"):
                    self.assertTrue(math.isnan(result[name]), name)
                # NaN first, by index, then the rest.
                self.assertEqual(result["outlier_indices"][0].tolist(), [1, 3, 2])

    def test_infinities_match_only_themselves(self):
        one = torch.tensor([INF, -INF, INF, 1.0, INF])
        two = torch.tensor([INF, -INF, -INF, INF, 1.0])
        for compare in self.each():
            result = compare(one, two, "t")
            self.assertEqual(result["tolerance_mask"].tolist(), [True, True, False, False, False])
            self.assertEqual(result["diff_tensor"].tolist(), [0.0, 0.0, INF, INF, INF])
            self.assertEqual(result["max_diff"], INF)
            self.assertTrue(compare(one[:2], two[:2], "t", rtol=0.0, atol=0.0)["all_close"])

    def test_no_elements(self):
        for compare in self.each():
            result = compare(torch.zeros(0, 4), torch.zeros(0, 4), "t")
            self.assertIs(result["all_close"], True)
            for name in ("total_elements", "out_of_tolerance_ratio", "max_diff", "mean_diff",
                         "std_diff", "max_out_of_tolerance_diff"):
                self.assertEqual(result[name], 0, name)
            self.assertEqual(result["diff_tensor"].shape, (0, 4))

    def test_one_element(self):
        for compare in self.each():
            for shape in ((), (1,), (1, 1)):
                result = compare(torch.full(shape, 2.0), torch.full(shape, 1.0), "t")
                self.assertEqual((result["max_diff"], result["std_diff"]), (1.0, 0.0))
                self.assertEqual([i.tolist() for i in result["outlier_indices"]],
                                 [[0]] * max(1, len(shape)))

    def test_shapes_must_match(self):
        for compare in self.each():
            for other in ((3, 2), (2,), (1, 3), (2, 3, 1)):
                with self.assertRaises(RuntimeError):
                    compare(torch.zeros(2, 3), torch.zeros(other), "t")

    def test_equal_differences_are_told_by_index(self):
        one, two = torch.zeros(4, 300), torch.ones(4, 300)
        for compare in self.each():
            rows, columns = compare(one, two, "t")["outlier_indices"]
            self.assertEqual((rows * 300 + columns).tolist(), list(range(1200)))


class Printing(Both):
    def lines(self, *arguments, **options):
        with self.assertLogs("detailed_tensor_compare", "INFO") as logs:
            load().detailed_tensor_compare(*arguments, **options)
        self.assertEqual({record.levelno for record in logs.records}, {logging.INFO})
        return [record.getMessage() for record in logs.records]

    def test_report(self):
        one = torch.zeros(2000)
        two = one.clone()
        two[7:32] = torch.arange(1, 26) / 4
        lines = self.lines(one, two, "out0", max_outliers_display=3)
        text = "\n".join(lines)
        self.assertEqual(len(lines[0]), 60)
        self.assertEqual(lines[-1], lines[0])
        self.assertEqual(lines[-2], "Tensor Matching: False")
        self.assertIn("name: out0", lines)
        for part in ("2,000", "25", "0.012500 (1.2500%)", "6.250000", "rtol=0.001 atol=0.001",
                     "(3 shown)", "22 more"):
            self.assertIn(part, text)
        rule = lines.index("-" * 80)
        self.assertEqual([len(line) for line in lines[rule + 1:rule + 5]], [74] * 4)
        self.assertEqual(lines[rule + 2].split(), ["(31)", "0", "6.25", "6.25", "1"])

    def test_match(self):
        lines = self.lines(torch.ones(3), torch.ones(3), "x")
        self.assertIn("Tensor Matching: True", lines)
        self.assertNotIn("-" * 80, lines)

    def test_redaction(self):
        os.environ["PYPTO_LINT_REDACT"] = "1"
        self.addCleanup(os.environ.pop, "PYPTO_LINT_REDACT")
        text = "\n".join(self.lines(torch.zeros(2), torch.tensor([0.0, 123.5]), "x"))
        self.assertIn("withheld", text)
        self.assertEqual(text.count("123.5"), 3)  # the metrics: largest, and of the outliers
        self.assertNotIn("(1)", text)

    def test_printed_results_under_redaction(self):
        import pprint
        for compare in self.each():
            one, two = torch.zeros(2), torch.tensor([0.0, 97531.0])
            result = compare(one, two, "x", verbose=False)
            self.assertIn("97531", str(result))
            os.environ["PYPTO_LINT_REDACT"] = "1"
            try:
                texts = (str(result), repr(result), "%s" % result, "%r" % [result],
                         "{}".format(result), pprint.pformat(result))
            finally:
                del os.environ["PYPTO_LINT_REDACT"]
            for text in texts:
                self.assertIn("'out_of_tolerance_count': 1", text)
                self.assertIn("'outlier_values2': (withheld)", text)
                self.assertNotIn("tensor(", text)
            self.assertEqual(result["outlier_values2"].tolist(), [97531.0])

    def test_silent(self):
        script = ("import sys, torch; sys.path.insert(0, sys.argv[1]); "
                  "from detailed_tensor_compare import detailed_tensor_compare as f; "
                  "f(torch.zeros(2), torch.ones(2), 'x')")
        done = subprocess.run([sys.executable, "-B", "-c", script, os.path.join(SHARE, "harness")],
                              capture_output=True, text=True, check=True)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        with self.assertNoLogs("detailed_tensor_compare", "INFO"):
            load().detailed_tensor_compare(torch.zeros(2), torch.ones(2), "x", verbose=False)


class Recording(Both):
    def record(self, *calls):
        with tempfile.TemporaryDirectory() as folder:
            path = os.environ["PYPTO_LINT_COMPARE_LOG"] = os.path.join(folder, "log")
            self.addCleanup(os.environ.pop, "PYPTO_LINT_COMPARE_LOG", None)
            compare = load().detailed_tensor_compare
            for arguments in calls:
                try:
                    compare(*arguments)
                except RuntimeError:
                    pass
            with open(path, encoding="ascii") as file:
                text = file.read()
        self.assertTrue(text.endswith("\n"))
        for word in ("NaN", "Infinity"):
            self.assertNotIn(word, text)
        return [json.loads(line) for line in text.splitlines()]

    def test_lines(self):
        one = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        lines = self.record((one, one, "same"), (one.half(), one + 1, "näme"),
                            (one, one * NAN, "nan"), (one, one[0], "shape"))
        same, other, nan, shape = lines
        self.assertEqual((same["name"], same["all_close"], same["max_diff"], same["exact"]),
                         ("same", True, 0.0, True))
        self.assertEqual((other["name"], other["all_close"], other["out_of_tolerance_count"],
                          other["max_diff"], other["shape"], other["dtype"],
                          other["reference_dtype"], other["max_rel_diff"]),
                         ("näme", False, 4, 1.0, [2, 2], "float16", "float32", 0.5))
        self.assertEqual((nan["all_close"], nan["max_diff"], nan["nonfinite"]), (False, None, 4))
        self.assertEqual((shape["all_close"], shape["error"], shape["reference_shape"]),
                         (False, "shape", [2]))

    def test_no_values(self):
        value = 1234.4321
        lines = self.record((torch.full((3,), value), torch.full((3,), value + 1), "x"))
        self.assertNotIn("1234", json.dumps(lines))
        self.assertNotIn("1235", json.dumps(lines))

    def test_lines_of_several_processes_stay_whole(self):
        script = ("import sys, torch; sys.path.insert(0, sys.argv[1]); "
                  "from detailed_tensor_compare import detailed_tensor_compare as f\n"
                  "for i in range(200): f(torch.zeros(2), torch.zeros(2), 'x' * 500)")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log")
            runs = [subprocess.Popen([sys.executable, "-B", "-c", script,
                                      os.path.join(SHARE, "harness")],
                                     env=dict(os.environ, PYPTO_LINT_COMPARE_LOG=path))
                    for _ in range(2)]
            self.assertEqual([run.wait() for run in runs], [0, 0])
            with open(path, encoding="ascii") as file:
                lines = [json.loads(line) for line in file]
        self.assertEqual(len(lines), 400)


if __name__ == "__main__":
    SHARE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
