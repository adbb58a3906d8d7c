"""The worker's kind `case`: what it compares, and what it tells of it.

Usage: test_worker_case.py SHARE [UNITTEST_ARGUMENTS…]
"""
import json

import worker_support
from worker_support import WorkerTest, run_job


class Comparison(WorkerTest):
    def test_a_right_kernel(self):
        told = self.run_case()
        self.assertEqual((told.end, told.stage, told.error), ("compared", "done", None), told)
        self.assertEqual(told.leaf, {
            "name": "out0", "structure": None, "expected_shape": [32, 16], "shape": [32, 16],
            "expected_dtype": "float32", "dtype": "float32", "all_close": True,
            "max_abs_diff": 0.0, "max_rel_diff": 0.0, "elements": 512, "out_of_tolerance": 0,
            "nonfinite": 0})
        self.assertEqual((told.launches, told.modified_inputs, told.warnings), (1, [], []))
        self.assertGreater(told.ops, 0)
        self.assertEqual(told.stages, ["inputs", "golden", "implementation", "wrapper", "compare"])
        self.assertEqual(set(told.environment), {
            "python", "torch", "pypto", "torch_npu", "backend", "soc", "profile", "sim_values"})
        self.assertEqual((told.environment["backend"], told.environment["soc"],
                          told.environment["profile"], told.environment["sim_values"]),
                         ("ptosim", "910B1", "device", True))
        self.assertEqual(set(told.seconds), {"inputs", "golden", "wrapper", "compare"})
        self.assertFalse(told.exact)  # it calls nothing transcendental

    def test_wrong_values(self):
        self.implementation("""
            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                y[3, 5] += 0.25
                return y
        """)
        told = self.run_case()
        self.assertEqual((told.end, told.leaf["structure"]), ("compared", None), told)
        self.assertEqual((told.leaf["all_close"], told.leaf["out_of_tolerance"],
                          told.leaf["elements"]), (False, 1, 512))
        self.assertAlmostEqual(told.leaf["max_abs_diff"], 0.25, 6)
        self.assertIs(told.golden_deterministic, True)

    def test_without_precision_only_the_structure_counts(self):
        self.implementation("""
            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                return y + 1
        """)
        told = self.run_case(precision=False)
        self.assertEqual((told.leaf["all_close"], told.leaf["structure"],
                          told.leaf["max_abs_diff"], told.leaf["elements"]),
                         (True, None, None, None), told)
        self.assertIsNone(told.golden_deterministic)

    def test_not_finite(self):
        self.implementation("""
            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                y[0, 0], y[0, 1], y[0, 2] = float("nan"), float("inf"), float("-inf")
                return y
        """)
        told = self.run_case()
        self.assertEqual((told.leaf["all_close"], told.leaf["max_abs_diff"],
                          told.leaf["max_rel_diff"], told.leaf["nonfinite"],
                          told.leaf["out_of_tolerance"]), (False, None, None, 3, 3), told)

    def test_structure(self):
        """One leaf for each output of the reference, then those that only the wrapper has."""
        self.golden("""
            def double_module1_golden(x):
                return x * 2, x * 2, x * 2, x * 2, x * 2
        """)
        self.implementation("""
            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                return y, y[:16], y.double(), "y", y
        """)
        told = self.run_case()
        self.assertEqual([leaf["structure"] for leaf in told.leaves],
                         [None, "shape", "dtype", "not a tensor", None])
        self.assertEqual([leaf["all_close"] for leaf in told.leaves],
                         [True, False, False, False, True])
        self.assertEqual([leaf["name"] for leaf in told.leaves],
                         ["out0", "out1", "out2", "out3", "out4"])
        self.assertEqual(told.leaves[1]["shape"], [16, 16])
        self.assertEqual(told.leaves[2]["dtype"], "float64")
        self.assertIsNone(told.leaves[3]["dtype"])
        self.assertIsNone(told.golden_deterministic)  # no values differ

    def test_count(self):
        for returned, structures in (("()", ["missing"]), ("y, y", [None, "extra"]),
                                     ("None", ["not a tensor"]), ("[y]", ["not a tensor"]),
                                     ("{'y': y}", ["not a tensor"]), ("3.5", ["not a tensor"]),
                                     ("y.numpy", ["not a tensor"])):
            with self.subTest(returned):
                self.implementation("""
                    def double_module1_wrapper(x):
                        y = torch.empty_like(x)
                        kernel(x, y)
                        return %s
                """ % returned)
                told = self.run_case()
                self.assertEqual([leaf["structure"] for leaf in told.leaves], structures, told)

    def test_many_dtypes(self):
        dtypes = ["float16", "bfloat16", "float64", "int8", "int16", "int32", "int64", "uint8",
                  "bool", "complex64"]
        self.golden("""
            import torch
            def double_module1_golden(x):
                return tuple((x * 8).to(getattr(torch, name)) for name in %r)
        """ % dtypes)
        for offset in (0, 1):
            self.implementation("""
                def double_module1_wrapper(x):
                    y = torch.empty_like(x)
                    kernel(x, y)
                    parts = [(y * 4).to(getattr(torch, name)) for name in %r]
                    if %d:
                        for part in parts:
                            part[0, 0] = 0
                    return tuple(parts)
            """ % (dtypes, offset))
            told = self.run_case()
            self.assertEqual([leaf["dtype"] for leaf in told.leaves], dtypes)
            self.assertEqual([leaf["all_close"] for leaf in told.leaves],
                             [offset == 0] * len(dtypes), told)

    def test_layouts(self):
        """Views, empty tensors and tensors without axes."""
        self.golden("""
            def double_module1_golden(x):
                return x.t() * 2, x[:0], x.sum(), x.expand(2, *x.shape)
        """)
        self.implementation("""
            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                return y.t(), x[:0], x.sum(), x.expand(2, *x.shape)
        """)
        told = self.run_case()
        self.assertTrue(all(leaf["all_close"] for leaf in told.leaves), told)
        self.assertEqual([leaf["elements"] for leaf in told.leaves], [512, 0, 1, 1024])

    def test_no_kernel_is_launched(self):
        self.implementation("def double_module1_wrapper(x):\n    return x * 2\n")
        told = self.run_case()
        self.assertEqual((told.launches, told.ops), (0, 0), told)
        self.assertTrue(told.leaf["all_close"])

    def test_exact(self):
        self.golden("""
            import torch
            def double_module1_golden(x):
                return (torch.exp(x),)
        """)
        self.implementation("def double_module1_wrapper(x):\n    return torch.exp(x)\n")
        self.assertIs(self.run_case().exact, True)
        self.assertIs(self.run_case(precision=False).exact, False)
        for told in ("x * 0", "torch.exp(x * 0)", "torch.exp(x[:3, :5])", "torch.exp(x).half()",
                     "torch.exp(x), x.bfloat16() * float('inf'), x + 1"):
            with self.subTest(told):
                self.golden("import torch\ndef double_module1_golden(x):\n    return %s\n" % told)
                self.implementation("def double_module1_wrapper(x):\n    return %s\n" % told)
                self.assertIs(self.run_case().exact, told.endswith("+ 1"))
        self.implementation("def double_module1_wrapper(x):\n    return (torch.exp(x), "
                            "x.bfloat16() * float('inf'), x + 1.5)\n")
        self.assertIs(self.run_case().exact, False)

    def test_same_job_same_bytes(self):
        self.implementation("""
            def double_module1_wrapper(x):
                raise ValueError("no %s" % object())
        """)
        results = [self.run_case().result for _ in range(2)]
        for result in results:
            result.pop("seconds")
        self.assertEqual(json.dumps(results[0]), json.dumps(results[1]))
        self.assertIn("object at 0x…", results[0]["error"]["message"])


class Inputs(WorkerTest):
    def test_order(self):
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["b", "absent", "a"]
            def make_inputs(case):
                return {"a": torch.ones(16, 16, device="npu"), "count": 3,
                        "b": torch.full((16, 16), 5.0, device="npu")}
        """)
        self.golden("def double_module1_golden(first, second):\n    return first * 2 - second\n")
        self.implementation("""
            def double_module1_wrapper(first, second):
                y = torch.empty_like(first)
                kernel(first, y)
                return y - second
        """)
        told = self.run_case()
        self.assertTrue(told.leaf["all_close"], told)
        self.assertEqual(told.warnings,
                         ["make_inputs() gives count, which PRIMARY_INPUT_ORDER does not list",
                          "one number would pass out0 of this case: its reference is the same "
                          "everywhere"])

    def phase_of_some_inputs(self, golden, wrapper):
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["a", "x", "b"]
            def make_inputs(case):
                return {name: torch.full((16, 16), value, device="npu")
                        for name, value in (("a", 1.0), ("x", 2.0), ("b", 7.0))}
        """)
        self.golden("def double_module1_golden(%s):\n    return x * 2 - b\n" % golden)
        self.implementation("""
            def double_module1_wrapper(%s):
                y = torch.empty_like(x)
                kernel(x, y)
                return y - b
        """ % wrapper)
        return self.run_case()

    def test_a_phase_of_some_inputs(self):
        self.assertTrue(self.phase_of_some_inputs("x, b", "x, b").leaf["all_close"])
        self.assertTrue(self.phase_of_some_inputs("x, b", "a, x, b").leaf["all_close"])
        self.assertTrue(self.phase_of_some_inputs("a, x, b", "a, x, b").leaf["all_close"])
        self.assertTrue(self.phase_of_some_inputs("x, b, c=1", "x, b").leaf["all_close"])
        self.assertTrue(self.phase_of_some_inputs("x, b", "x, b, c=1").leaf["all_close"])
        self.assertTrue(self.phase_of_some_inputs("x, b", "a, x, b=None").leaf["all_close"])

    def test_a_swapped_wrapper_is_not_helped(self):
        self.assertFalse(self.phase_of_some_inputs("x, b", "b, x").leaf["all_close"])

    def test_a_wrapper_that_forgets_an_input(self):
        told = self.phase_of_some_inputs("a, x, b", "x, b")
        self.assert_raised(told, "wrapper", "naming", "TypeError",
                           "double_module1_wrapper(x, b) cannot be called with (a, x, b)")

    def test_a_reference_that_wants_more(self):
        told = self.phase_of_some_inputs("x, b, more, and_more", "x, b")
        self.assert_contract(told, "golden", "double_module1_golden(x, b, more, and_more)")

    def test_modified_inputs(self):
        wrapper = """
            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                x[0, 0] = %s
                return y
        """
        self.implementation(wrapper % "1.0")
        told = self.run_case()
        self.assertEqual((told.modified_inputs, told.leaf["all_close"]), (["x"], True), told)
        self.implementation(wrapper % "x[0, 0]")
        self.assertEqual(self.run_case().modified_inputs, [])
        self.golden("def double_module1_golden(x):\n    y = x * 2\n    x += 1\n    return y\n")
        self.implementation(wrapper % "1.0")
        self.assertEqual(self.run_case().modified_inputs, [])  # in and out: the reference does it

    def test_the_reference_works_on_copies(self):
        self.golden("""
            def double_module1_golden(x):
                y = x * 2
                x.zero_()
                return y
        """)
        self.assertTrue(self.run_case().leaf["all_close"])

    def test_seed(self):
        """Inputs without a seed of their own are the same in every run."""
        self.inputs(worker_support.INPUTS.replace(
            'torch.manual_seed(case.get("seed", 42))', "pass"))
        self.golden("def double_module1_golden(x):\n    return x\n")
        told = [self.run_case(case={"seed": seed}).leaf["max_abs_diff"] for seed in (1, 1, 2)]
        self.assertEqual(told[0], told[1])
        self.assertNotEqual(told[0], told[2])

    def test_numbers_and_lists(self):
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["x", "parts", "factor"]
            def make_inputs(case):
                x = torch.ones(16, 16, device="npu", requires_grad=True)
                return {"x": x, "parts": [torch.ones(16, 16), (torch.ones(3),)], "factor": 2}
        """)
        self.golden("""
            def double_module1_golden(x, parts, factor):
                parts[0].zero_()
                parts[1][0].zero_()
                return x.detach() * factor
        """)
        self.implementation("""
            def double_module1_wrapper(x, parts, factor):
                y = torch.empty_like(x)
                kernel(x.detach(), y.detach())
                return y.detach() * parts[0] * parts[1][0].sum() / 3
        """)
        self.assertTrue(self.run_case().leaf["all_close"])

    def test_the_case_cannot_be_changed(self):
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["x"]
            def make_inputs(case):
                rows = case["shape"].pop("R")
                return {"x": torch.ones(rows, 16, device="npu") if rows else None}
        """)
        self.assertTrue(self.run_case().leaf["all_close"])


class Determinism(WorkerTest):
    def test_a_reference_that_varies(self):
        self.golden("""
            import random
            def double_module1_golden(x):
                return x * 2 + random.random()
        """)
        told = self.run_case()
        self.assertIs(told.golden_deterministic, False, told)

    def test_known_when_the_wrapper_destroys_its_inputs(self):
        """They are its own: the judge has others."""
        self.implementation("""
            def double_module1_wrapper(x):
                kernel(x, torch.empty_like(x))
                return x.zero_()
        """)
        told = self.run_case()
        self.assertIs(told.golden_deterministic, True)
        self.assertEqual(told.modified_inputs, ["x"])


class Inspection(WorkerTest):
    def setUp(self):
        super().setUp()
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["x"]
            def make_inputs(case):
                return {"x": torch.ones(2, 3, 5, 16, 16, device="npu")}
        """)
        self.golden("""
            def double_module1_golden(x):
                raise AssertionError("not called")
            def module_1_inspect(x):
                return {"state": x * 2, "flat": x.reshape(-1), "number": 3}
        """)
        self.implementation("""
            def double_module1_wrapper(x, inspection_state):
                rows = x.reshape(-1, 16)
                y = torch.empty_like(rows)
                kernel(rows, y)
                assert float(inspection_state.abs().max()) == 0
                assert inspection_state.device.type == "npu"
                inspection_state.copy_(y.reshape(x.shape))
                inspection_state[:, :, 3] += 0.5
                inspection_state[0, 0, 4, 0, 0] = float("nan")
        """)

    def test_iterations(self):
        told = self.run_case(inspect="state")
        self.assertEqual(told.end, "compared", told)
        self.assertEqual(told.leaves, [])
        self.assertEqual(told.inspection["name"], "state")
        steps = told.inspection["per_iter"]
        self.assertEqual([step["iter"] for step in steps], [0, 1, 2, 3, 4])
        self.assertEqual([step["all_close"] for step in steps], [True, True, True, False, False])
        self.assertEqual([step["max_abs_diff"] for step in steps], [0.0, 0.0, 0.0, 0.5, None])
        self.assertEqual([step["max_rel_diff"] for step in steps], [0.0, 0.0, 0.0, 0.25, None])
        self.assertEqual(told.launches, 1)

    def test_names(self):
        self.assert_contract(self.run_case(inspect="other"), "golden", "no buffer 'other'")
        self.assert_contract(self.run_case(inspect="flat"), "golden", "[B, H, NT, …]")
        self.assert_contract(self.run_case(inspect="number"), "golden", "[B, H, NT, …]")
        told = self.run_case(inspect="state", module=2)
        self.assert_contract(told, "golden", "no function module_2_inspect")
        self.implementation("def double_module1_wrapper(x):\n    return x\n")
        self.assert_raised(self.run_case(inspect="state"), "wrapper", "naming", "TypeError",
                           "cannot be called with (x, inspection_state=…)")

    def test_not_asked_for(self):
        self.golden("""
            def double_module1_golden(x):
                return x * 2
            def module_1_inspect(x):
                raise AssertionError("not asked for")
        """)
        self.inputs(worker_support.INPUTS)
        self.write("modules/double_module1_impl.py", worker_support.IMPLEMENTATION)
        told = self.run_case()
        self.assertNotIn("inspection", told.result)
        self.assertTrue(told.leaf["all_close"])


class Jobs(WorkerTest):
    def test_unknown(self):
        told = run_job({"kind": "dance", "mode": "sim"})
        self.assert_contract(told, "setup", "dance")
        self.assertIsNone(told.environment)
        self.assert_contract(run_job({"kind": "case", "mode": "moon"}), "setup", "moon")

    def test_environment_of_the_simulator(self):
        told = run_job(self.job(), PTOSIM_SOC="950PR", PTOSIM_PROFILE="strict")
        self.assertEqual((told.environment["soc"], told.environment["profile"]),
                         ("950PR", "strict"), told)


if __name__ == "__main__":
    worker_support.main()
