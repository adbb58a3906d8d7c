#!/usr/bin/env python3
"""What a report says beside findings: that rules had nothing to look at, that a gate looked past comments.

Usage: test_remarks.py BINARY [unittest options]
"""
import os
import pty
import subprocess
import unittest

import support
from support import CliTest, call

KERNEL = """import pypto


@{decorator}
def rowscale_npu(x: pypto.Tensor([64, 128], pypto.DT_FP32), y: pypto.Tensor([64, 128], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(1, 128)
    y[:] = pypto.exp(x)


def rowscale_wrapper(x):
    return rowscale_npu(x)
"""
MADE = """import pypto


def make_kernel(helper):
    @pypto.frontend.jit
    def made(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
        pypto.set_vec_tile_shapes(8, 64)
        for block in pypto.loop(helper(x)):
            y[:] = pypto.exp(x)

    return made
"""
GOLDEN = "def {name}(x):\n    return x.exp()\n"


def on_a_terminal(*args, cwd):
    """What the program writes when both its streams are one terminal."""
    master, slave = pty.openpty()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "dumb"}
    with subprocess.Popen([support.BINARY, *args], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                          cwd=cwd, env=environment) as process:
        os.close(slave)
        text = b""
        try:
            while chunk := os.read(master, 65536):
                text += chunk
        except OSError:  # EIO: the last writer is gone
            pass
    os.close(master)
    return process.returncode, text.decode("utf-8")


class Remarks(CliTest):
    def make(self, decorator="pypto.frontend.jit", golden="rowscale_golden"):
        self.write("rowscale/rowscale_impl.py", KERNEL.format(decorator=decorator))
        self.write("rowscale/rowscale_golden.py", GOLDEN.format(name=golden))
        self.write("rowscale/README.md", "# rowscale\n")

    def notices(self, *args, env=None):
        done = call(*args, "--no-exec", cwd=self.folder, env=env)
        return [line for line in done.out.splitlines() if line.startswith(("notice: ", "提示："))]

    def test_nothing_to_say(self):
        self.make()
        self.assertEqual(self.notices("rowscale"), [])

    def test_rules_of_later_stages(self):
        """A clean check at an early stage is no passed gate: the rules that were not asked are named."""
        call("new", "early", cwd=self.folder)
        done = call("check", "custom/early", cwd=self.folder)
        line = next(line for line in done.out.splitlines() if line.startswith("not checked at stage 1: "))
        self.assertRegex(line, r"^not checked at stage 1: \d+ rules of later stages \(--stage N checks them\): KS01–")
        self.assertIn("OL01–OL08, ", line)
        self.assertNotIn("OL09", line)  # judges SPEC.md at stage 1
        zh = call("check", "--lang", "zh", "custom/early", cwd=self.folder)
        self.assertIn("阶段 1 未检查后续阶段的", zh.out)
        self.assertIn("not checked at stage 1", call("check", "--format", "agent", "custom/early", cwd=self.folder).out)
        for args in (("check", "custom/early", "--stage", "7"), ("--stage", "1", "--op-dir", "custom/early"),
                     ("check", "custom/early", "--rules", "OL09"), ("check", "custom/early", "-q")):
            self.assertNotIn("not checked at", call(*args, "--no-exec", cwd=self.folder).out, args)
        self.write("custom/early/SPEC.md", "# early\n")
        self.assertNotIn("not checked at", call("check", "custom/early", cwd=self.folder).out)  # it is not clean

    def test_a_kernel_that_a_function_makes(self):
        """What its parameters stand for is not known, so little of the kernel has been judged."""
        self.write("made.py", MADE)
        done = call("check", "made.py", cwd=self.folder)
        self.assertEqual(done.status, 0, done.out)
        self.assertIn("1 kernel could not be followed to its end; mistakes in the rest may go unseen", done.out)
        self.assertIn("1 个 kernel 未能求值到底", call("check", "--lang", "zh", "made.py", cwd=self.folder).out)
        self.assertNotIn("unseen", call("check", "-q", "made.py", cwd=self.folder).out)
        self.make()
        self.assertNotIn("unseen", call("check", "--no-exec", "rowscale", cwd=self.folder).out)

    def test_no_kernel(self):
        self.make(decorator="pypto.compile")
        # Only these three of the rules named need a kernel.
        expected = ["notice: operator 'rowscale': no function is decorated with @pypto.frontend.jit, so the "
                    "rules about kernels (3) did not run"]
        named = ("--rules", "OL02,OL03,OL04,OL07,OL15")
        self.assertEqual(self.notices("rowscale", *named), expected)
        self.assertEqual(self.notices("--stage", "5", "--op-dir", "rowscale", *named), expected)
        self.assertEqual(self.notices("rowscale", "--rules", "OL07"), [])
        self.assertEqual(self.notices("rowscale", *named, env={"PYPTO_LINT_LANG": "zh"}),
                         ["提示：算子 'rowscale'：没有函数使用 @pypto.frontend.jit 装饰，因此关于 kernel 的规则（3 条）未运行"])

    def test_no_kernel_in_a_loose_file(self):
        self.write("loose.py", KERNEL.format(decorator="kernels.jit"))
        self.write("tool.py", "def tool():\n    return 1\n")
        self.assertEqual(self.notices("loose.py", "tool.py", "--rules", "OL02"),
                         ["notice: loose.py: no function is decorated with @pypto.frontend.jit, so the rules "
                          "about kernels (1) did not run"])

    def test_golden_without_its_function(self):
        self.make(golden="reference")
        self.assertEqual(self.notices("rowscale"),
                         ["notice: OL33 did not run: rowscale_golden.py has no top-level function "
                          "'rowscale_golden'"])

    def test_no_remarks_for_the_old_command_line(self):
        self.make(decorator="pypto.jit", golden="reference")
        done = call("--check-gate", "--op-dir", self.folder / "rowscale", "--stage", "5", cwd=self.folder)
        self.assertEqual(done.err, "")
        self.assertEqual(set(done.json()), {"passed", "findings", "summary"})

    def test_gate_counts_what_comments_suppress(self):
        self.make()
        self.write("rowscale/rowscale_golden.py",
                   "import pypto  # pypto-lint: ignore[ol15] only its name\n" + GOLDEN.format(name="rowscale_golden"))
        gate = ("--stage", "5", "--op-dir", "rowscale", "--rules", "OL15")
        self.assertEqual(self.notices(*gate),
                         ["notice: a gate ignores suppressing comments: 1 of the findings have one"])
        self.assertEqual(call(*gate, cwd=self.folder).status, 1)
        self.assertEqual(self.notices("check", *gate), [])
        self.assertEqual(call("check", *gate, cwd=self.folder).status, 0)
        self.write("rowscale/.pypto-lint.yaml", "allow-suppressions-in-gates: true\n")
        self.assertEqual(self.notices(*gate), [])

    def test_trouble_is_told_once_on_a_terminal(self):
        status, text = on_a_terminal("nothere", cwd=self.folder)
        self.assertEqual((status, text.count("nothere")), (2, 1), text)
        status, text = on_a_terminal("nothere", "--format", "json", cwd=self.folder)
        self.assertIn("pypto-lint: nothere", text)
        done = call("nothere", cwd=self.folder)
        self.assertIn("nothere", done.err)
        self.assertIn("nothere", done.out)

    def test_summary_counts_operators(self):
        self.make()
        files = ("rowscale/rowscale_impl.py", "rowscale/rowscale_golden.py")
        self.assertIn("(1 operator, ", call(*files, cwd=self.folder).out)


if __name__ == "__main__":
    support.main()
