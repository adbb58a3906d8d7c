"""The worker's other kinds: `tests`, `compose`, `self_test`, `probe`.

Usage: test_worker_kinds.py SHARE [UNITTEST_ARGUMENTS…]
"""
import os

import worker_support
from worker_support import WorkerTest, run_job

TEST = """
import logging
import os
import sys
import numpy as np
import torch
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from detailed_tensor_compare import detailed_tensor_compare
from double_golden import double_golden
from double_impl import double_wrapper

def values():
    x = torch.full((16, 16), 31337.5, device="npu")
    x += torch.arange(256.).reshape(16, 16) / 512  # 62675 and a bit when doubled
    return double_wrapper(x), double_golden(x)

"""


class TestFunctions(WorkerTest):
    def setUp(self):
        super().setUp()
        self.write("double_impl.py", worker_support.IMPLEMENTATION.replace("_module1", ""))
        self.write("double_golden.py", """
            import torch
            print("zanzibar 31337.5")
            def double_golden(x):
                print("zanzibar", x)
                return torch.log(torch.exp(x * 0)) + x * 2  # exactly twice x
        """)

    def run_test(self, *lines, head=TEST):
        body = "".join("    %s\n" % line for line in lines)
        test = self.write("test_double.py", head + "def test_double_l0():\n" + body)
        told = run_job({"kind": "tests", "mode": "sim", "op_dir": self.folder,
                        "op_name": "double", "impl": self.path("double_impl.py"),
                        "test_file": test, "test_function": "test_double_l0"})
        self.assertEqual((told.status, told.results), (0, 1), told)
        for word in (b"31337", b"62675", b"zanzibar"):
            self.assertNotIn(word, told.all_bytes)
        return told

    def test_comparisons(self):
        for line, name in (
                ("detailed_tensor_compare(a, b, 'y')", "y"),
                ("detailed_tensor_compare(a, b, tensor_name='y', rtol=1e-4, atol=1e-4)", "y"),
                ("np.testing.assert_allclose(a.cpu().numpy(), b.cpu().numpy(), rtol=1e-3)", "out0"),
                ("np.testing.assert_allclose(a.cpu(), b.cpu(), 1e-3, 1e-3, err_msg='x')", "out0"),
                ("torch.testing.assert_close(a.cpu(), b.cpu())", "out0"),
                ("torch.testing.assert_close(a.cpu(), b.cpu(), rtol=1e-3, atol=1e-3)", "out0"),
                ("assert torch.allclose(a.cpu(), b.cpu(), rtol=1e-3, atol=1e-3)", "out0"),
                ("assert np.allclose(a.cpu().numpy(), b.cpu().numpy(), rtol=1e-3)", "out0")):
            with self.subTest(line):
                told = self.run_test("a, b = values()", line)
                self.assertEqual((told.end, told.stage, told.error, told.launches),
                                 ("compared", "done", None, 1), told)
                self.assertEqual((told.leaf["name"], told.leaf["all_close"], told.leaf["shape"],
                                  told.leaf["elements"], told.leaf["max_abs_diff"]),
                                 (name, True, [16, 16], 256, 0.0))
                self.assertIs(told.exact, True)
                told = self.run_test("a, b = values()", "a[3, 4] += 100", line, "print(a, b)")
                self.assertEqual((told.end, told.error), ("compared", None), told)
                self.assertEqual((told.leaf["name"], told.leaf["all_close"],
                                  told.leaf["out_of_tolerance"], told.leaf["max_abs_diff"]),
                                 (name, False, 1, 100.0))
                self.assertIs(told.exact, False)

    def test_several(self):
        told = self.run_test(
            "a, b = values()",
            "detailed_tensor_compare(a + 100, b, 'first')",
            "np.testing.assert_allclose(a.cpu(), 62675.0, rtol=1e-3)",
            "detailed_tensor_compare(a.half() * 0, b.double() * 0, 'third')",
            "torch.testing.assert_close(a[0].cpu(), b.cpu())",
            "detailed_tensor_compare(a, b, 'never')")
        self.assertEqual([(leaf["name"], leaf["structure"], leaf["all_close"])
                          for leaf in told.leaves],
                         [("first", None, False), ("out1", None, True), ("third", None, True),
                          ("out3", "shape", False)], told)
        self.assertEqual((told.leaves[2]["dtype"], told.leaves[2]["expected_dtype"]),
                         ("float16", "float64"))
        self.assertEqual((told.leaves[3]["shape"], told.leaves[3]["expected_shape"]),
                         ([16], [16, 16]))

    def test_nan_is_not_close(self):
        told = self.run_test("a, b = values()", "a[0], b[0] = float('nan'), float('nan')",
                             "np.testing.assert_allclose(a.cpu(), b.cpu())")
        self.assertEqual((told.leaf["all_close"], told.leaf["nonfinite"]), (False, 16), told)

    def test_shapes_that_differ(self):
        told = self.run_test("a, b = values()", "detailed_tensor_compare(a[:8], b, 'y')")
        self.assertEqual((told.end, told.leaf["structure"], told.leaf["shape"]),
                         ("compared", "shape", [8, 16]), told)

    def test_other_ways_to_call(self):
        for line in ("np.testing.assert_allclose(actual=a.cpu(), desired=b.cpu(), rtol=1e-3)",
                     "torch.testing.assert_close(actual=a.cpu(), expected=b.cpu())",
                     "torch.testing.assert_close([a.cpu()], [b.cpu()])",
                     "torch.testing.assert_close((a.cpu(), [b.cpu()]), (b.cpu(), [b.cpu()]))",
                     "np.testing.assert_array_equal(a.cpu().numpy().astype('uint16'), "
                     "b.cpu().numpy().astype('uint16'))",
                     "np.testing.assert_array_equal(['a', 'b'], ['a', 'b']); "
                     "assert torch.allclose(input=a.cpu(), other=b.cpu())"):
            with self.subTest(line):
                told = self.run_test("a, b = values()", line)
                self.assertTrue(told.leaves and all(leaf["all_close"] for leaf in told.leaves),
                                told)
                told = self.run_test("a, b = values()", "a[3, 4] += 100", line)
                self.assertEqual([leaf["all_close"] for leaf in told.leaves],
                                 [False, True][:len(told.leaves)], told)

    def test_a_mismatch_that_is_raised(self):
        told = self.run_test("a, b = values()", "a += 100",
                             "if not detailed_tensor_compare(a, b, 'y')['all_close']:",
                             "    raise RuntimeError('zanzibar %s' % a)")
        self.assertEqual((told.end, told.leaf["all_close"]), ("compared", False), told)

    def test_its_own_words(self):
        """Exceptions that the test makes itself hold values."""
        for lines, name in ((["assert a is b, '%s %s' % (a, b)"], "AssertionError"),
                            (["raise AssertionError(str(a))"], "AssertionError"),
                            (["raise ValueError('zanzibar %s' % a)"], "ValueError"),
                            (["sys.exit(str(a))"], "SystemExit")):
            with self.subTest(lines):
                told = self.run_test("a, b = values()", *lines)
                self.assert_raised(told, "wrapper", None, name)
                self.assertRegex(told.error["message"], r"^test_double\.py, line \d+$")

    def test_whose_exception(self):
        self.write("double_impl.py", worker_support.IMPLEMENTATION.replace("_module1", "").replace(
            "    kernel(x, y)\n", "    kernel(x, y)\n    raise ValueError('some trouble')\n"))
        told = self.run_test("values()")
        self.assert_raised(told, "wrapper", None, "ValueError", "some trouble")
        self.assertIn("double_impl.py", told.log)
        self.write("double_golden.py",
                   "def double_golden(x):\n    raise ValueError('zanzibar %s' % x)\n")
        self.write("double_impl.py", worker_support.IMPLEMENTATION.replace("_module1", ""))
        told = self.run_test("values()")
        self.assert_raised(told, "golden", None, "ValueError")
        self.assertRegex(told.error["message"], r"^double_golden\.py, line \d+$")

    def test_only_the_implementation_is_heard(self):
        self.write("double_impl.py", "print('imported')\n" + worker_support.IMPLEMENTATION.replace(
            "_module1", "").replace("    kernel(x, y)\n",
                                    "    kernel(x, y)\n    print('called', x.shape)\n"))
        told = self.run_test(
            "logging.basicConfig(level=logging.DEBUG)", "a, b = values()", "print(a)",
            "print(b, file=sys.stderr)", "os.system('echo 31337.5')", "a += 100",
            "detailed_tensor_compare(a, b, 'y')", "values()")
        self.assertEqual(told.log, "imported\ncalled torch.Size([16, 16])\n"
                                   "called torch.Size([16, 16])\n")

    def test_no_comparison(self):
        told = self.run_test("values()")
        self.assertEqual((told.end, told.leaves), ("compared", []), told)
        self.assertEqual(len(told.warnings), 1)
        self.assertIn("test_double_l0 makes no comparison", told.warnings[0])

    def test_no_kernel(self):
        told = self.run_test("a, b = values()[1], values()[1]",
                             "detailed_tensor_compare(a, b, 'y')")
        self.assertEqual(told.launches, 2)
        told = self.run_test("a = b = double_golden(torch.ones(16, 16))",
                             "detailed_tensor_compare(a, b, 'y')")
        self.assertEqual((told.launches, told.leaf["all_close"]), (0, True))

    def test_what_cannot_run(self):
        told = self.run_test("pass", head="def test_other():\n    pass\nprint(31337.5)\n" +
                             TEST.replace("def values", "def test_double_l1"))
        self.assertEqual(told.end, "compared")
        test = self.write("test_double.py", TEST + "def test_double_l0(shape):\n    pass\n")
        job = {"kind": "tests", "mode": "sim", "op_dir": self.folder, "op_name": "double",
               "impl": self.path("double_impl.py"), "test_file": test,
               "test_function": "test_double_l0"}
        self.assert_contract(run_job(job), "implementation", "takes arguments")
        job["test_function"] = "test_double_l7"
        self.assert_contract(run_job(job), "implementation", "no function test_double_l7")
        os.remove(test)
        self.assert_contract(run_job(job), "implementation", "no file test_double.py")
        self.write("test_double.py", "import double_golden\nraise ValueError(31337.5)\n")
        told = run_job(job)
        self.assertEqual((told.end, told.error["type"]), ("raised", "ValueError"), told)
        self.assertNotIn(b"31337", told.all_bytes)
        self.write("test_double.py", "from double_impl import missing\n")
        self.assert_contract(run_job(job), "implementation",
                             "cannot import name 'missing' from 'double_impl'")
        self.write("test_double.py", "import no_such_package\n")
        self.assert_raised(run_job(job), "implementation", None, "ModuleNotFoundError",
                           "no_such_package")


class Composition(WorkerTest):
    def setUp(self):
        super().setUp()
        self.write("double_golden.py", """
            def double_golden(a, n, flag, factor):
                return a * 2 * factor, n + 1, flag
        """)
        self.write("modules/double_module12_golden.py", """
            def double_module12_golden(a, n, flag, factor):
                return (a + a) * factor, n + 1, flag
        """)

    def compose(self, **changes):
        job = {"kind": "compose", "mode": "sim", "op_dir": self.folder, "op_name": "double",
               "suffix": "12", "module": 2,
               "golden": self.path("modules/double_module12_golden.py"),
               "golden_function": "double_module12_golden",
               "reference": self.path("double_golden.py"), "reference_function": "double_golden",
               "primary_inputs": [
                   {"name": "a", "shape": [4, 4, 9], "dtype": "bfloat16"},
                   {"name": "n", "shape": [4, 3], "dtype": "int32"},
                   {"name": "flag", "shape": [], "dtype": "bool"},
                   {"name": "factor", "shape": [], "dtype": "int"}],
               "seed": 1, "shape": {"B": 4, "T": 9, "BT": 2, "K": 3}, "atol": 1e-2, "rtol": 1e-2}
        job.update(changes)
        told = run_job(job)
        self.assertEqual((told.status, told.results), (0, 1), told)
        return told

    def test_equal(self):
        told = self.compose()
        self.assertEqual((told.end, told.stage, told.launches), ("compared", "done", None), told)
        self.assertEqual([(leaf["shape"], leaf["dtype"], leaf["all_close"])
                          for leaf in told.leaves],
                         [([4, 4, 9], "bfloat16", True), ([4, 3], "int32", True),
                          ([], "bool", True)])
        self.assertEqual(told.stages, ["inputs", "golden", "compare"])

    def test_different(self):
        self.write("modules/double_module12_golden.py", """
            def double_module12_golden(a, n, flag, factor):
                return a + a + 1, n
        """)
        told = self.compose()
        self.assertEqual([(leaf["structure"], leaf["all_close"]) for leaf in told.leaves],
                         [(None, False), (None, False), ("missing", False)], told)
        self.assertIs(told.golden_deterministic, True)

    def test_a_reference_that_varies(self):
        self.write("double_golden.py", """
            import torch
            def double_golden(a, n, flag, factor):
                return a * 2 + torch.rand(1).to(a.dtype), n + 1, flag
        """)
        self.assertIs(self.compose().golden_deterministic, False)

    def test_seeds(self):
        """The same values for the same seed, others for another."""
        self.write("modules/double_module12_golden.py", """
            def double_module12_golden(a, n, flag, factor):
                return a * 0, n * 0, flag
        """)
        told = [self.compose(seed=seed).leaves[0]["max_abs_diff"] for seed in (0, 0, 1)]
        self.assertEqual(told[0], told[1])
        self.assertNotEqual(told[0], told[2])

    def test_inputs_that_cannot_be(self):
        told = self.compose(primary_inputs=[{"name": "a", "shape": [4, 0], "dtype": "float32",
                                             "problem": "the shape [B, Q] needs a number for Q"}])
        self.assert_contract(told, "inputs", "the shape [B, Q] needs a number for Q")
        told = self.compose(primary_inputs=[{"name": "a", "shape": [4], "dtype": "float31"}])
        self.assert_contract(told, "inputs", "no dtype is called float31")

    def test_exceptions(self):
        self.write("modules/double_module12_golden.py", """
            def double_module12_golden(a, n, flag, factor):
                raise ValueError("zanzibar %s" % a)
        """)
        told = self.compose()
        self.assert_raised(told, "golden", None, "ValueError")
        self.assertEqual(told.error["message"], "double_module12_golden.py, line 3")
        self.assertNotIn(b"zanzibar", told.all_bytes)

    def test_self_test(self):
        self.write("double_golden.py", "def double_golden(x):\n    return x * 2\n")
        self.write("modules/double_module12_golden.py",
                   "def double_module12_golden(x):\n    return (x + x,)\n")
        job = self.job(kind="self_test", golden=self.path("modules/double_module12_golden.py"),
                       golden_function="double_module12_golden",
                       reference=self.path("double_golden.py"),
                       reference_function="double_golden")
        told = run_job(job)
        self.assertEqual((told.end, told.leaf["all_close"], told.leaf["expected_shape"],
                          told.launches), ("compared", True, [32, 16], None), told)
        os.remove(self.path("double_golden.py"))
        self.assert_contract(run_job(job), "golden", "no file double_golden.py")


class Probe(WorkerTest):
    def test_simulator(self):
        told = run_job({"kind": "probe", "mode": "sim"})
        self.assertEqual((told.end, told.stage, told.error), ("compared", "done", None), told)
        self.assertEqual(told.environment["backend"], "ptosim")


if __name__ == "__main__":
    worker_support.main()
