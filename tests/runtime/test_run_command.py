"""`pypto-lint run`: a program runs as `python FILE` would run it, with pypto simulated.

Usage: test_run_command.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import py_compile
import re
import subprocess
import sys
import unittest

from run_test import RunTest, main

KERNEL = """
import pypto

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32),
           w: pypto.Tensor([16, 16], pypto.DT_FP32),
           y: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])
    for i in pypto.loop(0, x.shape[0], 16):
        y[i:i + 16, :] = pypto.matmul(x[i:i + 16, :], w, pypto.DT_FP32) + 1.0
"""
TORCH = KERNEL + """
import torch
x, w, y = torch.eye(40, 16), torch.ones(16, 16), torch.zeros(40, 16)
kernel(x, w, y)
assert torch.equal(y, x @ w + 1)
"""
try:
    import torch
except ImportError:
    torch = None


class Copies(RunTest):
    """Compiled copies that say that they need not be checked are not what runs (PEP 552)."""

    def test_copies(self):
        source = self.write("elsewhere/other.py", "NAME = 'copy'\n")
        self.write("lib/other.py", "NAME = 'source'\n")
        self.write("lib/program.py", "import other\nprint(other.NAME)\n")
        copy = "lib/__pycache__/other.%s.pyc" % sys.implementation.cache_tag
        py_compile.compile(source, os.path.join(self.folder, copy), doraise=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        plain = subprocess.run([sys.executable, "lib/program.py"], cwd=self.folder, text=True,
                               capture_output=True, check=True)
        self.assertEqual(plain.stdout, "copy\n")  # or nothing would be shown here
        for arguments in (["lib/program.py"], ["-m", "program"]):
            done = self.run_lint("--python", sys.executable, *arguments,
                                 PYTHONPATH=os.path.join(self.folder, "lib"))
            self.assertEqual((done.returncode, done.stdout), (0, "source\n"), done.stderr)


class Programs(RunTest):
    def test_runs_like_python(self):
        self.write("helper/other.py", "NAME = 'other'\n")
        self.write("helper/program.py", """
            import sys, other
            leftovers = [n for n in globals() if not n.startswith("__")]
            print(__name__, __file__, sys.argv[1:], other.NAME, sorted(leftovers))
            print(sys.modules["__main__"].other is other)
        """)
        done = self.run_lint("helper/program.py", "a", "--stats", "-m")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "__main__ helper/program.py ['a', '--stats', '-m'] other "
                                      "['other', 'sys']\nTrue\n")

    def test_module(self):
        self.write("pkg/__init__.py", "")
        self.write("pkg/part.py", "import sys; print(__name__, __package__, sys.argv[1:])\n")
        done = self.run_lint("-m", "pkg.part", "x")
        self.assertEqual((done.returncode, done.stdout), (0, "__main__ pkg ['x']\n"), done.stderr)

    def test_exit_status(self):
        self.write("p.py", "import sys; sys.exit(int(sys.argv[1]))\n")
        for status in (0, 1, 3, 77):
            self.assertEqual(self.run_lint("p.py", str(status)).returncode, status)
        self.write("q.py", "raise ValueError('x')\n")
        done = self.run_lint("q.py")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ValueError: x", done.stderr)
        self.assertNotIn("ptosim_run.py", done.stderr)
        self.write("r.py", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)\n")
        self.assertEqual(self.run_lint("r.py").returncode, -15)

    def test_stand_in_and_environment(self):
        self.write("p.py", """
            import os, pypto
            print(pypto.__version__.endswith("+ptosim"), os.environ["PTOSIM_RUN_MODE"],
                  os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"], os.environ["PYTHONPATH"])
        """)
        done = self.run_lint("p.py", PYTHONPATH="/somewhere")
        self.assertRegex(done.stdout, r"^True SIM 0 (/.*)/share/pypto-lint/sim:"
                                      r"\1/share/pypto-lint/harness:/somewhere\n$")

    def test_metadata_of_the_package(self):
        self.write("p.py", """
            import importlib.metadata as metadata
            print(metadata.version("pypto"), metadata.metadata("pypto")["X-Run-Version"])
        """)
        self.assertEqual(self.run_lint("p.py").stdout, "0.2.1 9.2.0\n")
        self.assertEqual(self.run_lint("--pypto", "9.1", "p.py").stdout, "0.2.1 9.1.0\n")

    def test_processes_that_the_program_starts(self):
        if torch is None:
            self.skipTest("needs torch")
        for first, second in (("torch", "pypto"), ("pypto", "torch")):
            self.write("child.py", "import %s, %s\nprint(torch.ones(2, device='npu:0').npu().device)\n"
                       % (first, second))
            self.write("p.py", "import subprocess, sys\n"
                       "print(subprocess.run([sys.executable, 'child.py'], check=True, "
                       "stdout=subprocess.PIPE).stdout)\n")
            done = self.run_lint("p.py")
            self.assertEqual(done.stdout, "b'npu:0\\n'\n", done.stderr)

    def test_a_device_is_named(self):
        self.write("p.py", "import os; print(os.environ.get('TILE_FWK_DEVICE_ID'))\n")
        self.assertEqual(self.run_lint("p.py").stdout, "0\n")
        self.assertEqual(self.run_lint("p.py", TILE_FWK_DEVICE_ID="3").stdout, "3\n")

    def test_errors_show_code_place_and_tensors(self):
        self.write("p.py", KERNEL.replace("    pypto.set_vec_tile_shapes(16, 16)\n", "") + """
import sys
class Fake:
    pass
""" + "import torch\nkernel(torch.zeros(16, 16), torch.zeros(16, 16), torch.zeros(16, 16))\n")
        if torch is None:
            self.skipTest("needs torch")
        done = self.run_lint("p.py")
        self.assertEqual(done.returncode, 1)
        for text in ("CHECK FAILED: ErrCode: F21003! Enum: ", "op [ADDS]tile shape not set",
                     "Failed to compile function 'kernel'.", "y[i:i + 16, :] = pypto.matmul",
                     "^^^", "w: DataType.DT_FP32 [16, 16]", 'File "p.py", line 10, in kernel'):
            self.assertIn(text, done.stderr)
        self.assertNotIn("/sim/pypto/", done.stderr)

    def test_missing_file(self):
        done = self.run_lint("nothing.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing.py: No such file", done.stderr)


class Device(RunTest):
    """--mode npu: the installed packages, here the fakes of the harness's tests."""

    FAKE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "harness",
                        "fake_npu")

    def test_no_toolkit(self):
        self.write("p.py", "print('ran')\n")
        done = self.run_lint("--mode", "npu", "p.py", PYTHONPATH=self.FAKE)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("ASCEND_HOME_PATH is not set", done.stderr)

    @unittest.skipIf(torch is None, "needs torch")
    def test_no_packages(self):
        self.write("p.py", "print('ran')\n")
        for variables in ({}, {"PYTHONPATH": self.FAKE, "FAKE_NPU_IMPORT": "hccl"}):
            done = self.run_lint("--mode", "npu", "p.py", ASCEND_HOME_PATH="/none", **variables)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("mode npu cannot run here: import torch_npu: ", done.stderr)

    @unittest.skipIf(torch is None, "needs torch")
    def test_installed_packages(self):
        self.write("p.py", """
            import sys, pypto
            print(__name__, sys.argv, pypto.__file__.split("/")[-3:])
            sys.exit(3)
        """)
        done = self.run_lint("--mode", "npu", "p.py", "x", PYTHONPATH=self.FAKE,
                             ASCEND_HOME_PATH="/none")
        self.assertEqual((done.returncode, done.stdout),
                         (3, "__main__ ['p.py', 'x'] ['fake_npu', 'pypto', '__init__.py']\n"),
                         done.stderr)

    def test_options_of_the_simulator(self):
        self.write("p.py", "")
        for more in (("--stats",), ("--soc", "910C"), ("--pypto", "9.2"), ("--trace", "t.json")):
            done = self.run_lint("--mode", "npu", *more, "p.py", ASCEND_HOME_PATH="/none")
            self.assertEqual(done.returncode, 2)
            self.assertIn("are the simulator's", done.stderr)


class Options(RunTest):
    def test_wrong_options(self):
        self.write("p.py", "")
        for arguments, text in (((), "needs a file"), (("-m",), "needs a file"),
                                (("--soc", "nope", "p.py"), "910B1"),
                                (("--soc", "../x", "p.py"), "no hardware named"),
                                (("--profile", "fast", "p.py"), "device or strict"),
                                (("--pypto", "9.3", "p.py"), "9.1 or 9.2"),
                                (("--nonsense", "p.py"), "unknown option"),
                                (("--trace",), "needs a value"),
                                (("--mode", "fast", "p.py"), "sim or npu"),
                                (("--timeout", "0", "p.py"), "takes seconds"),
                                (("--timeout", "soon", "p.py"), "takes seconds"),
                                (("--timeout", "99999999999", "p.py"), "takes seconds"),
                                (("--mem-limit", "8T", "p.py"), "takes a size"),
                                (("--mem-limit", "0", "p.py"), "takes a size"),
                                (("--mem-limit", "99999999999999G", "p.py"), "takes a size"),
                                (("--python", "/nonexistent/python", "p.py"), "/nonexistent")):
            done = self.run_lint(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)

    def test_help(self):
        done = self.run_lint("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--soc", "--pypto", "--profile", "--stats", "--trace", "--python", "-m MODULE",
                       "--mode", "--timeout", "--mem-limit"):
            self.assertIn(option, done.stdout)

    def test_python(self):
        script = self.write("my-python", "#!/bin/sh\necho mine \"$@\"\n")
        os.chmod(script, 0o755)
        self.write("p.py", "")
        self.assertRegex(self.run_lint("--python", script, "p.py", "x").stdout,
                         r"^mine /.*/ptosim_run.py p.py x\n$")
        self.assertRegex(self.run_lint("p.py", PYPTO_LINT_PYTHON=script).stdout, "^mine ")

    def test_says_what_to_install(self):
        bare = self.write("bare-python", "#!/bin/sh\nexec %s -S \"$@\"\n" % sys.executable)  # no site-packages
        os.chmod(bare, 0o755)
        for name, asked in (("torch", True), ("numpy.linalg", True), ("torchvision", False)):
            done = self.run_lint("--python", bare, self.write("p.py", "import %s\n" % name))
            self.assertEqual(done.returncode, 1)
            self.assertEqual("; install it there (pip install torch numpy; " in done.stderr, asked, done.stderr)

    def test_a_part_that_a_package_lacks_is_nothing_to_install(self):
        self.write("numpy/__init__.py", "")
        for name in ("numpy.no_such_part", "numpy.no_such_part.inner"):
            done = self.run_lint(self.write("p.py", "import %s\n" % name))
            self.assertIn("ModuleNotFoundError: No module named 'numpy.no_such_part'", done.stderr)
            self.assertNotIn("install", done.stderr)

    @unittest.skipIf(torch is None, "needs torch")
    def test_summary_and_stats(self):
        self.write("p.py", TORCH)
        done = self.run_lint("p.py")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        # Three iterations of view, matmul, add and assemble.
        self.assertEqual(done.stderr, "pypto-lint run: 1 launch, 12 ops, 0 warnings\n")
        done = self.run_lint("--stats", "p.py")
        self.assertRegex(done.stderr, r"\n  iterations +3\n")
        self.assertRegex(done.stderr, r"\n  matmul FLOPs +20,480\n")  # 2 · 40 · 16 · 16
        self.assertTrue(re.search(r"\n  time in kernels +0\.\d+ s\n", done.stderr))


@unittest.skipIf(torch is None, "needs torch")
class Answers(RunTest):
    """What options and programs bring about."""
    WARM = True

    def test_a_check_that_only_warns(self):
        self.write("large.py", "import torch, pypto\n"
                   "@pypto.frontend.jit\n"
                   "def kernel(x: pypto.Tensor([512, 512], pypto.DT_FP32)):\n"
                   "    pypto.set_vec_tile_shapes(512, 512)\n"
                   "    x[:] = x + 1.0\n"
                   "x = torch.zeros(512, 512)\n"
                   "kernel(x)\n"
                   "print(float(x.sum()))\n")
        refused = self.run_lint("large.py")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("input 1048576 + result 1048576 = 2097152 of 196608", refused.stderr)
        warned = self.run_lint("--warn", "ub-capacity", "large.py")
        self.assertEqual((warned.returncode, warned.stdout), (0, "262144.0\n"), warned.stderr)
        self.assertIn("[ub-capacity]", warned.stderr)
        wrong = self.run_lint("--warn", "ub", "large.py")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--warn: no check is named 'ub'", wrong.stderr)

    def test_run_mode_of_the_program_is_overruled(self):
        self.write("p.py", TORCH.replace(
            "@pypto.frontend.jit",
            "@pypto.frontend.jit(runtime_options={'run_mode': pypto.RunMode.NPU})"))
        done = self.run_lint("p.py", ASCEND_HOME_PATH="/none")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_soc_and_trace(self):
        self.write("p.py", TORCH + "print(pypto.platform.npuarch)\n"
                                   "import os; os.makedirs('sub'); os.chdir('sub')\n")
        done = self.run_lint("--soc", "950PR", "--trace", "t.json", "p.py")
        self.assertEqual((done.returncode, done.stdout), (0, "DAV_3510\n"), done.stderr)
        with open(os.path.join(self.folder, "t.json"), encoding="utf-8") as file:
            trace = json.load(file)
        self.assertEqual(trace["otherData"]["soc"], "950PR")
        self.assertTrue([e for e in trace["traceEvents"] if e["ph"] == "X"])

    def test_versions(self):
        self.write("p.py", TORCH + "print(hasattr(pypto, 'isnan'), hasattr(pypto, 'jit'))\n")
        for version, answer in (("9.1", "False False\n"), ("9.2", "True True\n")):
            done = self.run_lint("--pypto", version, "p.py")
            self.assertEqual((done.returncode, done.stdout), (0, answer), done.stderr)

    def test_version_is_told(self):
        self.write("p.py", TORCH)
        done = self.run_lint("--stats", "p.py")
        self.assertRegex(done.stderr, r"\n  version of PyPTO +9\.2 \(the newest one described: ")
        done = self.run_lint("--stats", "--pypto", "9.1", "p.py")
        self.assertRegex(done.stderr, r"\n  version of PyPTO +9\.1 \(--pypto\)\n")

    def test_numbers_of_errors(self):
        self.write("p.py", """
            import pypto, torch
            @pypto.frontend.jit
            def kernel(y: pypto.Tensor([16, 16], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(16, 16)
                y[:] = pypto.Tensor([16, 16], pypto.DT_FP32) + 1.0
            try:
                kernel(torch.zeros(16, 16))
            except pypto.error.PyptoError as error:
                print(error.code, str(error).splitlines()[1])
        """)
        for more, number in (((), "F74007"), (("--pypto", "9.1"), "F74007"), (("--pypto", "9.2"), "F74008")):
            done = self.run_lint(*more, "p.py")
            self.assertEqual(done.stdout, "%s CHECK FAILED: ErrCode: %s! Enum: WORKSPACE_ITER_INVALID\n"
                             % (number, number), done.stderr)

    def test_profiles(self):
        # Never written: a warning here, an error in the strict profile.
        self.write("p.py", """
            import pypto, torch
            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([16, 16], pypto.DT_FP32),
                       y: pypto.Tensor([16, 16], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(16, 16)
                x + 1.0
            kernel(torch.zeros(16, 16), torch.zeros(16, 16))
        """)
        done = self.run_lint("p.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: ", done.stderr)
        self.assertNotIn(", 0 warnings", done.stderr)
        done = self.run_lint("--profile", "strict", "p.py")
        self.assertEqual(done.returncode, 1, done.stderr)


if __name__ == "__main__":
    main()
