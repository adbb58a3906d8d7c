"""`pypto-lint test`: the test functions of a file, without pytest.

Usage: test_test_command.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import os
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from harness_support import scaled, warm_variables

BINARY = ""
HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL = """
import os
import sys
import pypto
import torch
from detailed_tensor_compare import detailed_tensor_compare


@pypto.frontend.jit
def kernel(x: pypto.Tensor([16, 16], pypto.DT_FP32), y: pypto.Tensor([16, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    y.move(x + 1.0)


def launch():
    x = torch.randn(16, 16, device="npu:0")
    y = torch.zeros(16, 16, device="npu:0")
    kernel(x, y)
    return x, y


def compare(wrong=0.0, name="out0"):
    x, y = launch()
    return detailed_tensor_compare(y, x + 1 + wrong, tensor_name=name)
"""


class TestCommand(unittest.TestCase):
    WARM = True

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, text, name="test_op.py", kernel=True):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write((KERNEL if kernel else "") + textwrap.dedent(text))
        return path

    def run_tests(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON", "ASCEND_"))}
        environment.update({**(warm_variables("program") if self.WARM else {}), **variables})
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return subprocess.run([BINARY, "test"] + list(arguments or ("test_op.py",)),
                              cwd=self.folder, timeout=scaled(200), capture_output=True, text=True,
                              env=environment, stdin=subprocess.DEVNULL)


    def verdicts(self, done):
        """[(verdict, name)] of the lines."""
        words = [line.split(None, 2) for line in done.stdout.splitlines()]
        return [(w[0], w[1].rstrip(":")) for w in words if w and w[0] in ("PASS", "FAIL",
                                                                          "SKIPPED")]


class Verdicts(TestCommand):
    def test_order_and_summary(self):
        self.write("""
            def test_b():
                compare()
            def helper():
                raise AssertionError
            def test_a():
                compare()
                compare(name="out1")
            class test_none:
                pass
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.verdicts(done), [("PASS", "test_b"), ("PASS", "test_a")])
        self.assertRegex(done.stdout, r"test_a: 2 comparisons, max_diff 0, \d+\.\d\d s\n")
        self.assertTrue(done.stdout.endswith("pypto-lint test: 2 passed, 0 failed, 0 skipped; "
                                             "3 launches, 6 ops, 0 warnings\n"), done.stdout)
        self.assertEqual(done.stderr, "")

    def test_ignored_comparison(self):
        self.write("""
            def test_wrong():
                compare(name="good")
                compare(2.0, "bad")
                compare(1e-5)
            def test_good():
                compare()
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.verdicts(done), [("FAIL", "test_wrong"), ("PASS", "test_good")])
        self.assertRegex(done.stdout, r"FAIL +test_wrong: bad: 256 of 256 elements beyond the "
                                      r"tolerance, max_diff (2|1\.99999|2\.00000)")

    def test_swallowed_shape_mismatch(self):
        self.write("""
            def test_it():
                x, y = launch()
                try:
                    detailed_tensor_compare(y, x[0], "out0")
                except RuntimeError:
                    pass
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 1)
        self.assertIn("out0: shapes [16, 16] and [16]", done.stdout)

    def test_exceptions(self):
        self.write("""
            def test_assertion():
                compare()
                assert 1 == 2, "one is not two\\nindeed"
            def test_exit():
                sys.exit(0)
            def test_kernel():
                kernel(torch.zeros(3, 3), torch.zeros(3, 3))
            def test_good():
                compare()
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 1)
        self.assertEqual([v for v, _ in self.verdicts(done)], ["FAIL"] * 3 + ["PASS"])
        self.assertIn("test_assertion: AssertionError: one is not two\n", done.stdout)
        self.assertIn('File "', done.stderr)
        self.assertIn("in test_assertion", done.stderr)
        self.assertNotIn("pypto_lint_test.py", done.stderr)
        self.assertIn("test_exit: SystemExit: 0\n", done.stdout)

    def test_no_kernel_was_launched(self):
        self.write("""
            def test_fallback():
                detailed_tensor_compare(torch.ones(3), torch.ones(3), "out0")
            def test_nothing_launched():
                assert len("ab") == 2
            def test_nothing_compared():
                launch()
            def test_nothing_at_all():
                pass
            def test_own_assert():
                x, y = launch()
                assert (y - x - 1).abs().max() < 1e-6
            def check(x, y):
                if not (x + 1 == y).all():
                    raise ValueError("other")
            def test_own_helper():
                check(*launch())
            def test_of_torch():
                x, y = launch()
                torch.testing.assert_close(y, x + 1)
            def test_of_numpy():
                import numpy
                x, y = launch()
                numpy.testing.assert_allclose(y.cpu().numpy(), x.cpu().numpy() + 1)
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL    test_fallback: it compared, but no kernel was launched "
                      "(--allow-empty)\n", done.stdout)
        self.assertIn("FAIL    test_nothing_launched: no kernel was launched (--allow-empty)\n",
                      done.stdout)
        for name in ("compared", "at_all"):
            self.assertIn("FAIL    test_nothing_%s: it compared nothing: " % name, done.stdout)
        for name in ("own_assert", "own_helper", "of_torch", "of_numpy"):
            self.assertIn("PASS    test_" + name, done.stdout)
        done = self.run_tests("--allow-empty", "test_op.py")
        self.assertEqual((done.returncode, {v for v, _ in self.verdicts(done)}), (0, {"PASS"}),
                         done)

    def test_helpers_compare(self):
        """In other files and behind decorators; an operator's own checks are no comparison."""
        self.write("""
            def close(x, y):
                assert (y - x - 1).abs().max() < 1e-6
            def show(x, y):
                print(tuple(y.shape))
        """, "helpers.py", kernel=False)
        self.write("""
            def op_wrapper(x, y):
                if x.dim() != 2:
                    raise ValueError("two axes")
                return y
        """, "op_impl.py", kernel=False)
        self.write("""
            import functools
            import helpers
            from helpers import close
            from op_impl import op_wrapper
            def twice(function):
                def both():
                    function()
                    function()
                return both
            def named(function):
                @functools.wraps(function)
                def same(*args):
                    return function(*args)
                return same
            def test_imported():
                close(*launch())
            def test_of_module():
                helpers.close(*launch())
            @twice
            def test_closed_over():
                x, y = launch()
                assert bool((y - x - 1).abs().max() < 1e-6)
            @named
            def test_wrapped():
                close(*launch())
            def test_only_shown():
                helpers.show(*launch())
            def test_wrapper_alone():
                op_wrapper(*launch())
            @twice
            def test_launched_twice():
                launch()
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 1, done)
        for name in ("imported", "of_module", "closed_over", "wrapped"):
            self.assertIn("PASS    test_" + name, done.stdout)
        for name in ("only_shown", "wrapper_alone", "launched_twice"):
            self.assertIn("FAIL    test_%s: it compared nothing: " % name, done.stdout)

    def test_results_of_the_import_may_be_compared(self):
        self.write("""
            X, Y = launch()
            def test_it():
                detailed_tensor_compare(Y, X + 1, "out0")
        """)
        self.assertEqual(self.run_tests().returncode, 0)

    def test_comparisons_of_children(self):
        self.write("""
            import multiprocessing
            def test_it():
                compare()
                child = multiprocessing.get_context("fork").Process(target=compare, args=(3.0,))
                child.start()
                child.join()
        """)
        done = self.run_tests()
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("256 of 256", done.stdout)

    def test_own_module_of_the_tests_is_ours(self):
        """A copy of the module on the tests' own path does not record: it is not used."""
        self.write("def detailed_tensor_compare(*a, **k): return {'all_close': True}\n",
                   "scripts/detailed_tensor_compare.py", kernel=False)
        self.write("import sys; sys.path.insert(0, 'scripts')\n" + KERNEL +
                   "def test_it():\n    compare(1.0)\n", kernel=False)
        self.assertEqual(self.run_tests().returncode, 1)

    def test_log_of_the_user(self):
        self.write("def test_it():\n    compare(1.0)\n")
        path = os.path.join(self.folder, "log.jsonl")
        with open(path, "w", encoding="ascii") as file:
            file.write('{"all_close": false}\n')
        done = self.run_tests(PYPTO_LINT_COMPARE_LOG=path)
        self.assertEqual(done.returncode, 1)
        with open(path, encoding="ascii") as file:
            self.assertEqual(len(file.readlines()), 2)
        self.write("def test_it():\n    compare()\n")
        self.assertEqual(self.run_tests(PYPTO_LINT_COMPARE_LOG=path).returncode, 0)

    def test_fixtures_generators_marks(self):
        self.write("""
            class Mark:
                def __init__(self, name, *args, **kwargs):
                    self.name, self.args, self.kwargs = name, args, kwargs
            def mark(name, *args, **kwargs):
                def decorate(function):
                    marks = getattr(function, "pytestmark", [])
                    function.pytestmark = marks + [Mark(name, *args, **kwargs)]
                    return function
                return decorate
            def test_fixture(tmp_path, x=1):
                pass
            async def test_coroutine():
                pass
            @mark("skip", reason="not today")
            def test_skipped():
                raise AssertionError
            @mark("skipif", False, reason="no")
            @mark("parametrize", "a,b", [(1, 2), (3, 4)])
            @mark("parametrize", "c", [(5, 6)])
            def test_rows(a, b, c):
                assert (a + 1, c) == (b, (5, 6))
            def test_raised_skip():
                import unittest
                raise unittest.SkipTest("later")
        """)
        done = self.run_tests("--allow-empty", "test_op.py")
        self.assertEqual(self.verdicts(done), [
            ("FAIL", "test_fixture"), ("FAIL", "test_coroutine"), ("SKIPPED", "test_skipped"),
            ("PASS", "test_rows[0]"), ("PASS", "test_rows[1]"), ("SKIPPED", "test_raised_skip")])
        self.assertIn("it takes tmp_path: fixtures are pytest's", done.stdout)
        self.assertIn("not today", done.stdout)

    def test_all_skipped_is_no_success(self):
        self.write("import unittest\ndef test_it():\n    raise unittest.SkipTest('later')\n")
        self.assertEqual(self.run_tests().returncode, 2)


class Endings(TestCommand):
    """Programs that end before their tests do."""
    WARM = False

    def test_status_zero_by_another_way(self):
        for way in ("os._exit(0)", "import atexit; atexit.register(os._exit, 0)"):
            self.write("def test_a():\n    %s\ndef test_b():\n    assert False\n" % way)
            self.assertEqual(self.run_tests().returncode, 1, way)
        self.write("def test_a():\n    os._exit(0)\n")
        self.assertIn("a test ended the program with status 0", self.run_tests().stderr)

    def test_crash(self):
        self.write("def test_a():\n    os.kill(os.getpid(), 11)\n")
        done = self.run_tests()
        self.assertEqual(done.returncode, 1)
        self.assertIn("ended by signal 11", done.stderr)

    def test_time_is_over(self):
        self.write("def test_a():\n    while True: pass\n")
        start = time.monotonic()
        done = self.run_tests("--timeout", str(scaled(4)), "test_op.py")
        self.assertEqual(done.returncode, 1)
        self.assertLess(time.monotonic() - start, scaled(30))
        self.assertIn("after %d seconds" % scaled(4), done.stderr)

    def test_memory(self):
        self.write("def test_a():\n    bytes(2 ** 36)\n")
        done = self.run_tests("--mem-limit", "8G", "test_op.py")
        self.assertEqual(done.returncode, 1)
        self.assertIn("MemoryError", done.stdout)


class Selection(TestCommand):
    def test_names_and_patterns(self):
        self.write("\n".join("def test_%s():\n    pass" % name for name in
                             ("m1_l0", "m1_l1", "m12_l0")))
        for arguments, wanted in ((("test_op.py", "test_m12_l0", "test_m1_l0"),
                                   ["test_m1_l0", "test_m12_l0"]),
                                  (("-k", "l0", "test_op.py"), ["test_m1_l0", "test_m12_l0"]),
                                  (("test_op.py", "-k", "test_m1_*"),
                                   ["test_m1_l0", "test_m1_l1"]),
                                  (("-k", "l0", "test_op.py", "test_m1_l0", "test_m1_l1"),
                                   ["test_m1_l0"])):
            done = self.run_tests("--allow-empty", *arguments)
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual([name for _, name in self.verdicts(done)], wanted)

    def test_trouble(self):
        self.write("def test_a():\n    pass\n")
        self.write("print(1 / 0)\n", "broken.py", kernel=False)
        self.write("X = 1\n", "empty.py", kernel=False)
        self.write("def test_a(:\n", "syntax.py", kernel=False)
        self.write("import sys; sys.exit(0)\n", "leaves.py", kernel=False)
        for arguments, text in ((("test_op.py", "test_b"), "no test is named test_b"),
                                (("-k", "nope", "test_op.py"), "no test selected"),
                                (("empty.py",), "no test_* function"),
                                (("nothing.py",), "nothing.py"),
                                (("broken.py",), "ZeroDivisionError"),
                                (("syntax.py",), "SyntaxError"),
                                (("leaves.py",), "SystemExit"),
                                (("--mode", "x", "test_op.py"), "sim or npu"),
                                (("--nonsense",), "unknown option"),
                                (("--timeout", "9"), "needs a file")):
            done = self.run_tests(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(text, done.stderr)

    def test_device(self):
        self.write("import pypto\ndef test_a():\n    print(pypto.__file__)\n", kernel=False)
        fake = os.path.join(HERE, "fake_npu")
        arguments = ("--mode", "npu", "--allow-empty", "test_op.py")
        self.assertEqual(self.run_tests(*arguments, PYTHONPATH=fake).returncode, 2)
        self.assertEqual(self.run_tests(*arguments, ASCEND_HOME_PATH="/none").returncode, 2)
        done = self.run_tests(*arguments, ASCEND_HOME_PATH="/none", PYTHONPATH=fake)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("fake_npu/pypto", done.stdout)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    try:
        import torch  # noqa: F401  (the tests' programs need it)
    except ImportError:
        print("needs torch", file=sys.stderr)
        sys.exit(77)
    unittest.main()
