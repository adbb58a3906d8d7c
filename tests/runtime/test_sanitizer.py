"""`pypto-lint run --sanitize`: what it prints, worked out by hand, and what it does not print.

Usage: test_sanitizer.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import warm_python  # noqa: E402

BINARY = ""
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/kernel-authors/sanitizer.md"
HEAD = """import torch
import pypto
F = pypto.DT_FP32
@pypto.frontend.jit
def kernel(x: pypto.Tensor([24, 16], F), y: pypto.Tensor([24, 16], F)):
    pypto.set_vec_tile_shapes(8, 16)
"""
CALL = """
x = torch.arange(384.0).reshape(24, 16)
y = torch.zeros(24, 16)
kernel(x, y)
"""


class SanitizerTest(unittest.TestCase):
    def run_lint(self, body, *arguments, call=CALL, head=HEAD):
        """(exit status, lines about the kernel) of a kernel whose body begins in line 7."""
        with tempfile.TemporaryDirectory() as folder:
            text = head + textwrap.indent(textwrap.dedent(body), "    ") + call
            pathlib.Path(folder, "kernel.py").write_text(text, encoding="utf-8")
            environment = {k: v for k, v in os.environ.items()
                           if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON"))}
            environment.update(warm_python.variables("program", sys.executable))
            done = subprocess.run([BINARY, "run", *arguments, "kernel.py"], cwd=folder, text=True,
                                  capture_output=True, env=environment, timeout=120, check=False,
                                  stdin=subprocess.DEVNULL)
        self.output = done.stderr
        return done.returncode, [line for line in done.stderr.splitlines()
                                 if line.startswith("kernel.py:")]

    def says(self, body, *lines, arguments=("--sanitize",), **more):
        self.assertEqual(self.run_lint(body, *arguments, **more), (0, list(lines)))


LOCAL = """
h = pypto.tensor([24, 16], F)
for i in pypto.loop(2):
    h[i * 8:i * 8 + 8, :] = x[i * 8:i * 8 + 8, :]
for _ in pypto.loop(1):
    y[:] = h * 2.0
"""
LOCAL_SAYS = ("kernel.py:12: warning: F74007 h rows 16-23 of 24 were never written; the last write "
              "was line 10, rows 8-15; what is computed from them reaches y [unwritten-read]")
OVERLAP = """
for i in pypto.loop(3, idx_name="i", parallel=True):
    pypto.assemble(x[i * 8:i * 8 + 8, :] + 1.0, [i * 7, 0], y)
"""
OVERLAP_SAYS = ("kernel.py:9: warning: y row 7 (of 0..23): line 9 (i = 0) writes, line 9 (i = 1) writes; "
                "iterations of a parallel loop have no order [race]")


class Run(SanitizerTest):
    def test_elements_that_nothing_wrote(self):
        self.says(LOCAL, LOCAL_SAYS)
        self.says(LOCAL, LOCAL_SAYS, arguments=("--sanitize=init",))

    def test_a_write_through_a_reshape_in_place(self):
        """Three rows of eight are the last half of row 1 and row 2 of sixteen."""
        self.says("""
            h = pypto.tensor([24, 16], F)
            flat = pypto.reshape(h, [48, 8], inplace=True)
            for _ in pypto.loop(1):
                flat[3:6, :] = x[0:3, 0:8]
            for _ in pypto.loop(1):
                y[:] = h * 2.0
            """, "kernel.py:13: warning: F74007 360 elements of h rows 0-23 of 24 were never written; the last "
            "write was line 11, rows 1-2; what is computed from them reaches y [unwritten-read]")

    def test_what_was_not_asked_for(self):
        quiet = (0, [])
        self.assertEqual(self.run_lint(LOCAL, "--sanitize=races,bounds")[0], 0)
        self.assertNotIn("unwritten-read", self.output)
        self.assertEqual(self.run_lint(OVERLAP, "--sanitize=init,bounds"), quiet)
        self.assertEqual(self.run_lint(OVERLAP), quiet)
        self.assertEqual(self.run_lint(OVERLAP, "--sanitize=none"), quiet)

    def test_races(self):
        self.says(OVERLAP, OVERLAP_SAYS)
        self.says(OVERLAP.replace("i * 7", "i * 8"))
        self.says(OVERLAP.replace(", parallel=True", ""))

    def test_a_shifted_last_tile_is_no_race(self):
        """Rows 14 and 15 are computed twice, to the same bits."""
        self.says("""
            for i in pypto.loop(3, parallel=True):
                start = pypto.min(i * 8, 14)
                y[start:start + 8, :] = x[start:start + 8, :] + 1.0
            for _ in pypto.loop(1):
                y[16:24, :] = x[16:24, :] + 1.0
            """)

    def test_assembles_without_an_order(self):
        body = """
            a, b = x[0:8, :] + 1.0, x[8:16, :] + 1.0
            pypto.assemble([(a, [0, 0]), (b, [4, 0])], y, parallel=True)
            """
        finding = ("kernel.py:9: warning: y rows 4-7 of 24: line 9 writes, line 9 writes; assembles "
                   "with parallel=True have no order [race]")
        self.says(body, finding)
        self.says(body.replace("True", "False"))
        self.says(body.replace("True", "False"), finding.replace(
            "assembles with parallel=True have no", "PyPTO 9.1 gives assembles of one body no"),
            arguments=("--sanitize", "--pypto", "9.1"))

    def test_padding(self):
        """Row 7 of b holds no data; the sum has the rows of a."""
        body = """
            a = pypto.view(x, [8, 16], [0, 0])
            b = pypto.view(x, [8, 16], [8, 0], valid_shape=[7, 16])
            c = a + b
            y[0:8, :] = c
            """
        self.says(body, "kernel.py:10: warning: b is read beyond its valid part: [7, 16] of [8, 16] "
                        "hold data; what is computed from them reaches y in line 11 [padding-read]")
        self.says(body.replace("a + b", "b + a"))

    def test_indices(self):
        head = HEAD.replace("y: pypto.Tensor([24, 16], F)", "n: pypto.Tensor([4], pypto.DT_INT32), "
                                                            "y: pypto.Tensor([24, 16], F)")
        body = """
            where = pypto.tensor([4], pypto.DT_INT32)
            where[0] = n[0]
            for _ in pypto.loop(1):
                y[0:8, :] = pypto.view(x, [8, 16], [pypto.max(pypto.min(where[1], 8), 0), 0])
            """
        call = CALL.replace("kernel(x, y)", "kernel(x, torch.zeros(4, dtype=torch.int32), y)")
        self.says(body, "kernel.py:11: warning: F74007 where element 1 (of 0..3) was never written; the "
                        "last write was line 9, element 0; they are used as indices "
                        "[unwritten-read]", head=head, call=call)

    def test_strict(self):
        for body, code, text in (
                (LOCAL, "F74007", "h rows 16-23 of 24 were never written"),
                (OVERLAP, "F00002", "iterations of a parallel loop have no order [race]"),
                (Outputs.PART, "F74007", "y rows 18-23 of 24 were never written")):
            status, _ = self.run_lint(body, "--sanitize", "--profile", "strict")
            self.assertEqual(status, 1)
            self.assertIn("pypto.error.", self.output)
            self.assertIn(code, self.output)
            self.assertIn(text, self.output)

    def test_unknown_kinds(self):
        status, _ = self.run_lint(LOCAL, "--sanitize=race")
        self.assertEqual(status, 2)
        self.assertIn("--sanitize takes races, init and bounds with commas between them, all or "
                      "none, not 'race'", self.output)
        status, _ = self.run_lint(LOCAL, "--mode", "npu", "--sanitize")
        self.assertEqual(status, 2)


class Outputs(SanitizerTest):
    """What a launch leaves is told when nothing can come any more."""
    PART = """
        for i in pypto.loop(2):
            y[i * 9:i * 9 + 9, :] = x[i * 9:i * 9 + 9, :] + 1.0
        """
    FINDING = ("kernel.py:9: warning: F74007 y rows 18-23 of 24 were never written; the last write "
               "was line 9, rows 9-17%s [unwritten-output]")

    def test_last_rows(self):
        self.says(self.PART, self.FINDING % "")

    def test_memory_without_content(self):
        call = CALL.replace("torch.zeros(24, 16)", "torch.empty(24, 16, device='npu')").replace(
            "kernel(x", "kernel(x.npu()")
        self.says(self.PART, self.FINDING % "; the memory holds what torch.empty left", call=call)

    def test_rows_that_another_launch_writes(self):
        rest = """
@pypto.frontend.jit
def rest(x: pypto.Tensor([24, 16], F), y: pypto.Tensor([24, 16], F)):
    pypto.set_vec_tile_shapes(8, 16)
    y[18:24, :] = x[18:24, :] + 1.0
"""
        for make in ("torch.zeros(24, 16)", "torch.empty(24, 16, device='npu')"):
            call = rest + CALL.replace("torch.zeros(24, 16)", make) + "rest(x, y)\n"
            call = call.replace("x = torch.arange(384.0).reshape(24, 16)",
                                "x = torch.arange(384.0).reshape(24, 16)%s"
                                % (".npu()" if "npu" in make else ""))
            with self.subTest(make):
                self.says(self.PART, call=call)

    def test_rows_that_torch_writes(self):
        for late in ("y[18:] = 1.0", "y[18:] = 1.0\ndel y"):
            call = CALL.replace("torch.zeros(24, 16)", "torch.empty(24, 16, device='npu')").replace(
                "kernel(x", "kernel(x.npu()") + late + "\n"
            self.says(self.PART, call=call)

    def test_a_row_of_a_cache(self):
        self.says("y[5:6, :] = x[5:6, :] + 1.0")


class Page(SanitizerTest):
    def test_the_page_shows_what_is_printed(self):
        page = PAGE.read_text(encoding="utf-8")
        program = re.search(r"^```python\n(.*?)^```$", page, re.M | re.S).group(1)
        shown = re.search(r"^```text\n(.*?)^```$", page, re.M | re.S).group(1)
        self.run_lint("", "--sanitize", head=program, call="")
        told = [line for line in self.output.splitlines() if "warning" in line][0]
        self.assertEqual(told.replace("kernel.py", "scale.py"), " ".join(shown.split()))


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    try:
        import torch  # noqa: F401
    except ImportError:
        print("torch is not installed: skipped")
        sys.exit(77)
    unittest.main()
