"""The worker when other people's code fails: what is told, whose fault it is, and what must not get
out.

Usage: test_worker_failures.py SHARE [UNITTEST_ARGUMENTS…]
"""
import json
import os
import signal

import worker_support
from worker_support import WorkerTest, run_job

VALUE = "31337.5"  # of an input and of the reference
WORD = "zanzibar"  # in their sources
WRAPPER = """
    def double_module1_wrapper(x):
        y = torch.empty_like(x)
        kernel(x, y)
%s
        return y
"""


def wrapper(*lines):
    return WRAPPER % "\n".join("        " + line for line in lines)


class Wrappers(WorkerTest):
    def fails(self, *lines):
        self.implementation(wrapper(*lines))
        return self.run_case()

    def test_exceptions(self):
        for line, kind, name, message in (
                ("raise ValueError('some trouble')", None, "ValueError", "some trouble"),
                ("raise SystemExit(3)", None, "SystemExit", "3"),
                ("raise KeyboardInterrupt", None, "KeyboardInterrupt", ""),
                ("exit()", None, "SystemExit", "None"),
                ("raise MemoryError('much')", "memory", "MemoryError", "much"),
                ("return double_module1_wrapper(x)", None, "RecursionError", "recursion"),
                ("torch.empty(1 << 60)", "memory", "RuntimeError", "memory"),
                ("raise type('Own', (KeyError,), {})('key')", None, "KeyError", "key"),
                ("class Mute(Exception):\n            def __str__(self):\n"
                 "                raise ValueError\n        raise Mute", None, "Exception", "")):
            with self.subTest(line):
                told = self.fails(line)
                self.assert_raised(told, "wrapper", kind, name, message)
                self.assertEqual(told.leaves, [])
                self.assertGreater(told.launches, 0)
                self.assertIn("double_module1_impl.py", told.log)
                self.assertNotIn("pypto_lint_worker", told.log)

    def test_what_a_kernel_raises(self):
        self.implementation("""
            @pypto.frontend.jit
            def wrong(x: pypto.Tensor([32, 16], pypto.DT_FP32),
                      y: pypto.Tensor([32, 16], pypto.DT_FP32)):
                y[:] = x + 1

            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                wrong(x, y)
                return y
        """)
        told = self.run_case()
        self.assert_raised(told, "wrapper", None, "FeError", "ErrCode: F21003")
        self.assertEqual((told.error["code"], told.launches), ("F21003", 0))
        self.assertIn('File "modules/double_module1_impl.py", line', told.error["message"])
        self.assertIn("double_module1_impl.py", told.log)
        self.assertNotIn("_jit.py", told.log)
        for call, part in (("kernel(x.half(), y)", "The dtype of 1st input tensor"),
                           ("kernel(x.t().contiguous(), y)", "The shape of 1st input tensor"),
                           ("kernel(x)", "at least 2 tensor argument")):
            with self.subTest(call):
                self.implementation("""
                    def double_module1_wrapper(x):
                        y = torch.empty_like(x)
                        %s
                        return y
                """ % call)
                self.assert_raised(self.run_case(), "wrapper", "shape", "FeError", part)

    def test_long_and_odd_messages(self):
        told = self.fails("raise ValueError('x' * 100000)")
        self.assertLess(len(told.error["message"]), 3000)
        told = self.fails("raise ValueError('a\\x00b\\udc80c\\n' + str(x))")
        self.assertTrue(told.error["message"].startswith("a\ufffdb\ufffdc\ntensor(…"), told)
        self.assertNotIn("[", told.error["message"])

    def test_names(self):
        self.write("modules/double_module1_impl.py", "def double_wrapper(x):\n    return x\n")
        told = self.run_case()
        self.assert_contract(told, "implementation", "double_module1_impl.py has no function "
                                                     "double_module1_wrapper")
        os.remove(self.path("modules/double_module1_impl.py"))
        self.assert_contract(self.run_case(), "implementation", "no file double_module1_impl.py")

    def test_imports(self):
        for line, kind, name in (("import no_such_package", None, "ModuleNotFoundError"),
                                 ("import torch_npu.no_such", None, "ModuleNotFoundError"),
                                 ("import ctypes; ctypes.CDLL('libno_such.so')", "infra",
                                  "OSError"),
                                 ("raise ImportError(\"No module named 'x'\")", None,
                                  "ImportError"),
                                 ("raise SystemExit", None, "SystemExit"),
                                 ("def broken(:", None, "SyntaxError")):
            with self.subTest(line):
                self.write("modules/double_module1_impl.py", line + "\n")
                self.assert_raised(self.run_case(), "implementation", kind, name)

    def test_deaths(self):
        for line, signal_number, status in (
                ("import os; os._exit(3)", 0, 3),
                ("import os; os.abort()", signal.SIGABRT, 0),
                ("import ctypes; ctypes.string_at(0)", signal.SIGSEGV, 0)):
            with self.subTest(line):
                self.implementation(wrapper(line))
                told = run_job(self.job())
                self.assertIsNone(told.result)
                self.assertEqual(told.stages[-1], "wrapper")
                self.assertEqual((told.status & 0x7f, told.status >> 8), (signal_number, status))
                if signal_number:
                    self.assertIn("double_module1_impl.py", told.log)  # faulthandler's

    def test_at_the_time_limit(self):
        """Asked to end, it says where it was."""
        self.implementation(wrapper("import subprocess",
                                    "subprocess.Popen(['sh', '-c', 'sleep 0.2; kill $PPID'])",
                                    "while True:", "    pass"))
        told = run_job(self.job())
        self.assertEqual((told.result, told.status & 0x7f), (None, signal.SIGTERM), told)
        self.assertRegex(told.log, r'File ".*double_module1_impl\.py", line \d+ in double_module1')

    def test_out_of_memory_in_a_kernel(self):
        told = self.fails("import pypto.error", "raise pypto.error.FeError(MemoryError('much'))")
        self.assert_raised(told, "wrapper", "memory", "FeError", "much")

    def test_what_it_prints_is_in_the_log_in_order(self):
        told = self.fails("import sys, os, subprocess", "print('first')",
                          "print('second', file=sys.stderr)", "os.write(1, b'third\\n')",
                          "subprocess.run(['echo', 'fourth'])", "print(x)")
        self.assertEqual(told.end, "compared", told)
        lines = told.log.splitlines()
        self.assertEqual(lines[:4], ["first", "second", "third", "fourth"])
        self.assertTrue(lines[4].startswith("tensor("))  # its author's own

    def test_streams_that_are_gone(self):
        for line in ("import sys; sys.stdout = None", "import sys; sys.stdout.close()",
                     "import os; os.close(1); os.close(2)",
                     "import sys; sys.stderr = object(); y += 1"):
            with self.subTest(line):
                told = self.fails(line)
                self.assertEqual(told.end, "compared", told)
                told = self.fails(line + "; raise ValueError('some trouble')")
                self.assert_raised(told, "wrapper", None, "ValueError", "some trouble")


class Interference(WorkerTest):
    def test_the_pipe_is_out_of_reach(self):
        for line in ("import os; os.write(3, b'rubbish')", "import os; os.close(3)",
                     "import os; os.close(4)" if os.path.exists("/proc/self/fd/4") else "pass",
                     "import os; os.closerange(3, 100)", "open('/dev/fd/3', 'w').write('{}')"):
            with self.subTest(line):
                self.implementation(wrapper("try:", "    " + line, "except OSError:", "    pass"))
                told = self.run_case()
                self.assertEqual(told.end, "compared", told)

    def test_a_fork_that_comes_back(self):
        self.implementation(wrapper("import os", "os.fork()"))
        told = self.run_case()
        self.assertEqual((told.end, told.results), ("compared", 1), told)

    def test_a_thread_that_goes_on(self):
        self.implementation(wrapper(
            "import threading, time", "threading.Thread(target=time.sleep, args=(600,)).start()",
            "import atexit", "atexit.register(time.sleep, 600)"))
        self.assertEqual(self.run_case().end, "compared")

    def test_the_reference_is_not_among_the_modules(self):
        self.implementation(wrapper(
            "import sys",
            "for name, module in list(sys.modules.items()):",
            "    assert 'module1_golden' not in (getattr(module, '__file__', None) or ''), name"))
        self.assertEqual(self.run_case().end, "compared")

    def test_an_implementation_that_imports_it(self):
        self.implementation("""
            def double_module1_wrapper(x):
                from double_module1_golden import double_module1_golden
                return double_module1_golden(x)[0]
        """)
        told = self.run_case()
        self.assertEqual((told.launches, told.imported_references),
                         (0, ["double_module1_golden"]))


class Contracts(WorkerTest):
    """Inputs and references without the names and forms that they must have."""

    def test_inputs(self):
        good = worker_support.INPUTS
        for text, part in (
                (good.replace("PRIMARY_INPUT_ORDER", "ORDER"), "no list PRIMARY_INPUT_ORDER"),
                (good.replace('["x"]', '"x"'), "no list PRIMARY_INPUT_ORDER"),
                (good.replace('["x"]', "[1]"), "no list PRIMARY_INPUT_ORDER"),
                (good.replace('["x"]', '["y"]'), "none of the names"),
                (good.replace("make_inputs", "inputs"), "no function make_inputs"),
                (good + "make_inputs = 3\n", "no function make_inputs"),
                (good + "def make_inputs(case):\n    return None\n", "a dict, not NoneType"),
                (good + "def make_inputs(case):\n    return [1]\n", "a dict, not list"),
                (good + "def make_inputs(case):\n    return {}\n", "none of the names")):
            with self.subTest(part):
                self.inputs(text)
                self.assert_contract(self.run_case(), "inputs", part)
        os.remove(self.path("eval/test_inputs.py"))
        self.assert_contract(self.run_case(), "inputs", "no file test_inputs.py")

    def test_reference(self):
        good = worker_support.GOLDEN
        for text, part in (
                (good.replace("module1_golden", "golden"), "no function double_module1_golden"),
                (good.replace("(x * 2.0,)", "None"), "output 0 is of type NoneType"),
                (good.replace("(x * 2.0,)", "x, 3"), "output 1 is of type int"),
                (good.replace("(x * 2.0,)", "[x]"), "output 0 is of type list"),
                (good.replace("(x * 2.0,)", "()"), "returns no tensor"),
                (good.replace("(x * 2.0,)", "(x,) * 5000"), "returns 5000 tensors")):
            with self.subTest(part):
                self.golden(text)
                self.assert_contract(self.run_case(), "golden", part)
        os.remove(self.path("modules/double_module1_golden.py"))
        self.assert_contract(self.run_case(), "golden", "no file double_module1_golden.py")


class Redaction(WorkerTest):
    """VALUE and WORD are in inputs and reference; nothing that the worker tells may hold them."""

    LOUD = """
        import atexit, logging, os, subprocess, sys, warnings
        logging.basicConfig(level=logging.DEBUG)
        def shout(x):  # zanzibar
            print("zanzibar", x, 31337.5, flush=True)
            print("zanzibar without an end", end="")
            print("zanzibar", x, file=sys.stderr)
            os.write(1, b"31337.5 zanzibar"); os.write(2, b"31337.5 zanzibar")
            os.system("echo zanzibar 31337.5; echo zanzibar 31337.5 >&2")
            subprocess.Popen(["sh", "-c", "sleep 0.2; echo zanzibar"])
            logging.getLogger("zanzibar").error("zanzibar %s", x)
            warnings.warn("zanzibar 31337.5")
            sys.__stdout__.write("zanzibar 31337.5")
            import ctypes
            ctypes.CDLL(None).printf(b"zanzibar 31337.5")
            atexit.register(print, "zanzibar 31337.5")
        shout(31337.5)
    """

    def assert_nothing(self, told):
        for word in (VALUE, "31337", WORD):
            self.assertNotIn(word.encode(), told.all_bytes)
        self.assertEqual(told.status, 0)

    def plant(self, inputs_end="", golden_end="return x * 2.0"):
        self.inputs(self.LOUD + """
        import torch
        PRIMARY_INPUT_ORDER = ["x"]
        def make_inputs(case):
            shout(torch.tensor([31337.5]))
            %s
            return {"x": torch.full((16, 16), 31337.5, device="npu")}
        """ % (inputs_end or "pass"))
        self.golden(self.LOUD + """
        class Zanzibar(RuntimeError):
            pass
        def double_module1_golden(x):
            shout(x)
            %s
        """ % golden_end)

    def test_streams(self):
        self.plant()
        self.implementation(wrapper("print('heard')", "y += 31337.5 * 2 ** -8"))
        told = self.run_case()
        self.assertEqual((told.end, told.leaf["all_close"]), ("compared", False), told)
        self.assertEqual(told.log, "heard\n")
        self.assert_nothing(told)

    def test_exceptions_of_the_reference(self):
        for line, name in (("raise ValueError('zanzibar %s' % x)", "ValueError"),
                           ("raise Zanzibar(x)", "RuntimeError"),
                           ("raise type('v31337_5', (ArithmeticError,), {})", "ArithmeticError"),
                           ("sys.exit(str(x))", "SystemExit"),
                           ("return zanzibar(x)", "NameError"),
                           ("x.reshape(31337, 3)", "RuntimeError"),
                           ("assert not x.any(), x", "AssertionError")):
            with self.subTest(line):
                self.plant(golden_end=line)
                told = self.run_case()
                self.assert_raised(told, "golden", None, name)
                self.assertRegex(told.error["message"], r"^double_module1_golden\.py, line \d+$")
                self.assert_nothing(told)

    def test_exceptions_of_the_inputs(self):
        self.plant(inputs_end="raise ValueError('zanzibar 31337.5')")
        told = self.run_case()
        self.assert_raised(told, "inputs", None, "ValueError")
        self.assertRegex(told.error["message"], r"^test_inputs\.py, line \d+$")
        self.assert_nothing(told)

    def test_broken_sources(self):
        self.golden("zanzibar = 31337.5 +\n")
        told = self.run_case()
        self.assert_raised(told, "golden", None, "SyntaxError")
        self.assert_nothing(told)
        self.inputs("zanzibar = 31337.5 +\n")
        told = self.run_case()
        self.assert_raised(told, "inputs", None, "SyntaxError")
        self.assert_nothing(told)

    def test_a_reference_that_dies(self):
        for line in ("os._exit(3)", "import ctypes; ctypes.string_at(0)"):
            with self.subTest(line):
                self.plant(golden_end=line)
                told = run_job(self.job())
                self.assertEqual((told.result, told.stages), (None, ["inputs", "golden"]))
                for word in (VALUE, WORD):
                    self.assertNotIn(word.encode(), told.all_bytes)

    def test_variables_of_our_frames(self):
        """Some tracebacks print those of all callers."""
        self.golden("""
            def double_module1_golden(x):
                return x * 0 + 31337.5,
            def module_1_inspect(x):
                return {"state": x.reshape(1, 1, 1, -1) * 0 + 31337.5}
        """)
        self.implementation("""
            import sys, traceback
            def double_module1_wrapper(x, **inspected):
                frame = sys._getframe()
                while frame is not None:
                    if "pypto_lint_worker" in frame.f_code.co_filename:
                        print(frame.f_code.co_name, frame.f_locals)
                    frame = frame.f_back
                return x
        """)
        for inspect in (None, "state"):
            told = self.run_case(inspect=inspect)
            self.assertEqual(told.end, "compared", told)
            self.assertTrue("call_wrapper" in told.log and VALUE not in told.log)

    def test_names_that_hold_values(self):
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["x"]
            def make_inputs(case):
                return {"x": torch.ones(16, 16, device="npu"), 31337.5: 1, "31337.5": 2}
        """)
        told = self.run_case()
        self.assertEqual(told.warnings[:1], ["make_inputs() gives something, something, which "
                                             "PRIMARY_INPUT_ORDER does not list"])
        self.assertNotIn("31337", str(told.warnings))
        self.golden("def double_module1_golden(x):\n    return type('v31337_5', (), {})()\n")
        told = self.run_case()
        self.assert_contract(told, "golden", "is of type object")
        self.inputs("""
            PRIMARY_INPUT_ORDER = ["x"]
            def make_inputs(case):
                return type('v31337_5', (list,), {})()
        """)
        self.assert_contract(self.run_case(), "inputs", "a dict, not list")

    def test_a_wrapper_that_calls_the_reference(self):
        """Its exception passes through the wrapper, with a cause of its own."""
        self.plant(golden_end="raise Zanzibar(x) if x.device.type == 'cpu' else x * 2.0"
                   .replace("raise", "return x * 2.0 if x.device.type == 'npu' else fail(x)  #"))
        with open(self.path("modules/double_module1_golden.py"), "a", encoding="utf-8") as file:
            file.write("def fail(x):\n    raise Zanzibar(x)\n")
        for lines in (["g(x.cpu())"],
                      ["try:", "    g(x.cpu())", "except Exception as error:",
                       "    raise ValueError('second') from error"],
                      ["try:", "    g(x.cpu())", "except Exception:",
                       "    raise ValueError('second')"],
                      ["try:", "    g(x.cpu())", "except Exception as error:",
                       "    raise ValueError(str(error)) from None"]):
            with self.subTest(lines):
                self.implementation(wrapper(
                    "import sys, os, io, contextlib",
                    "with contextlib.redirect_stdout(io.StringIO()), "
                    "contextlib.redirect_stderr(io.StringIO()):",
                    "    pass",
                    "saved = [os.dup(1), os.dup(2)]",
                    "null = os.open('/dev/null', 1)",
                    "os.dup2(null, 1); os.dup2(null, 2)",
                    "from double_module1_golden import double_module1_golden as g",
                    "sys.stdout, sys.stderr = io.StringIO(), io.StringIO()",
                    "import logging; logging.disable()",
                    "try:",
                    *["    " + line for line in lines],
                    "finally:",
                    "    os.dup2(saved[0], 1); os.dup2(saved[1], 2)",
                    "    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__"))
                told = self.run_case()
                self.assertEqual((told.end, told.stage), ("raised", "wrapper"), told)
                self.assertRegex(told.error["message"], r"golden\.py, line \d+$|in the reference")
                self.assertIn("message withheld", told.log)
                text = json.dumps(told.result) + told.log[told.log.index("Traceback"):]
                self.assertNotIn(WORD, text)
                self.assertNotIn(VALUE, text)


if __name__ == "__main__":
    worker_support.main()
