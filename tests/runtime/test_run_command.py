"""`pypto-lint run`: a program runs as `python FILE` would run it, with pypto simulated.

Usage: test_run_command.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

BINARY = ""
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


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def run_lint(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON"))}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        environment.update(variables)
        return subprocess.run([BINARY, "run"] + list(arguments), cwd=self.folder, timeout=120,
                              capture_output=True, text=True, env=environment,
                              stdin=subprocess.DEVNULL)


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
        self.assertRegex(done.stdout, r"^True SIM 0 /.*/share/pypto-lint/sim:/somewhere\n$")

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

    def test_run_mode_of_the_program_is_overruled(self):
        if torch is None:
            self.skipTest("needs torch")
        self.write("p.py", TORCH.replace(
            "@pypto.frontend.jit",
            "@pypto.frontend.jit(runtime_options={'run_mode': pypto.RunMode.NPU})"))
        done = self.run_lint("p.py", ASCEND_HOME_PATH="/none")
        self.assertEqual(done.returncode, 0, done.stderr)


class Options(RunTest):
    def test_wrong_options(self):
        self.write("p.py", "")
        for arguments, text in (((), "needs a file"), (("-m",), "needs a file"),
                                (("--soc", "nope", "p.py"), "910B1"),
                                (("--soc", "../x", "p.py"), "no hardware named"),
                                (("--profile", "fast", "p.py"), "device or strict"),
                                (("--nonsense", "p.py"), "unknown option"),
                                (("--trace",), "needs a value"),
                                (("--python", "/nonexistent/python", "p.py"), "/nonexistent")):
            done = self.run_lint(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)

    def test_help(self):
        done = self.run_lint("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--soc", "--profile", "--stats", "--trace", "--python", "-m MODULE"):
            self.assertIn(option, done.stdout)

    def test_python(self):
        script = self.write("my-python", "#!/bin/sh\necho mine \"$@\"\n")
        os.chmod(script, 0o755)
        self.write("p.py", "")
        self.assertRegex(self.run_lint("--python", script, "p.py", "x").stdout,
                         r"^mine /.*/ptosim_run.py p.py x\n$")
        self.assertRegex(self.run_lint("p.py", PYPTO_LINT_PYTHON=script).stdout, "^mine ")

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
    def test_soc_and_trace(self):
        self.write("p.py", TORCH + "print(pypto.platform.npuarch)\n"
                                   "import os; os.makedirs('sub'); os.chdir('sub')\n")
        done = self.run_lint("--soc", "950PR", "--trace", "t.json", "p.py")
        self.assertEqual((done.returncode, done.stdout), (0, "DAV_3510\n"), done.stderr)
        with open(os.path.join(self.folder, "t.json"), encoding="utf-8") as file:
            trace = json.load(file)
        self.assertEqual(trace["otherData"]["soc"], "950PR")
        self.assertTrue([e for e in trace["traceEvents"] if e["ph"] == "X"])

    @unittest.skipIf(torch is None, "needs torch")
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
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
