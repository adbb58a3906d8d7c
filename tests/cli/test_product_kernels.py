#!/usr/bin/env python3
"""Kernels under the version that counts: what only one of them takes, plain kernels, and runs.

Usage: test_product_kernels.py BINARY [unittest options]
"""
import os
import shutil
import unittest

import support
from product_support import OLD, ProductTest
from support import call


class Constructs(ProductTest):
    """What only the front end of 9.2 takes."""

    KERNEL = """\
import pypto


@DECORATOR
def k_kernel(x: pypto.Tensor([16, 16], pypto.DT_FP32), y: pypto.Tensor([16, 16], pypto.DT_FP32)) \\
        -> None:
    pypto.set_vec_tile_shapes(16, 16)
    n = 0
    while n < 3:
        n += 1
    y[:] = x
"""

    def statuses(self, *more, decorator="pypto.frontend.jit", **environment):
        self.write("project/k_impl.py", self.KERNEL.replace("DECORATOR", decorator))
        done = call("check", "--rules", "KS", "--format", "json", *more, "project/k_impl.py", cwd=self.folder,
                    env={**self.environment, **environment})
        return [(finding["rule"], finding["line"], finding["status"]) for finding in self.findings(done)]

    def test_by_version(self):
        def both(status):
            return [("KS14", 6, status), ("KS13", 9, status)]
        beta = str(self.install(number="9.1.0", files={
            "frontend/parser/entry.py": "def jit(f=None, *, new_ir: bool = False): pass\n"}))
        old = "pypto.frontend.jit(new_ir=False)"
        self.assertCountEqual(self.statuses(), both("WARN"))
        self.assertCountEqual(self.statuses("--pypto", "9.1"), both("FAIL"))
        self.assertEqual(self.statuses("--pypto", "9.2"), [])
        self.assertCountEqual(self.statuses("--pypto", "9.2", decorator=old), both("FAIL"))
        self.assertCountEqual(self.statuses(PYTHONPATH=beta), both("FAIL"))
        self.assertEqual(self.statuses(PYTHONPATH=beta, decorator=old.replace("False", "True")), [])

    def test_short_decorator(self):
        self.assertEqual(self.statuses("--pypto", "9.2", decorator="pypto.jit"), [])
        self.assertCountEqual(self.statuses("--pypto", "9.1", decorator="pypto.jit"),
                              [("KS14", 6, "FAIL"), ("KS13", 9, "FAIL")])
        done = call("check", "--rules", "OL01", "project/k_impl.py", cwd=self.folder, env=self.environment)
        self.assertIn("'@pypto.jit' on 'k_kernel' is the same decorator since PyPTO 9.2", done.out)


class PlainKernels(ProductTest):
    """Outside of operator directories the version that counts says what a kernel may have."""

    KERNEL = """\
import pypto


@DECORATOR
def k(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

    def twice(t):
        return t * 2.0
    while True:
        break
    for i, part in enumerate([x, x]):
        y[:] = twice(part)
    y = x + 1.0
"""

    def statuses(self, *more, place="project/k_impl.py", decorator="pypto.frontend.jit"):
        self.write(place, self.KERNEL.replace("DECORATOR", decorator))
        done = call("check", "--rules", "OL02,OL03,OL57,KS13", "--format", "json", *more, place, cwd=self.folder,
                    env=self.environment)
        return sorted((finding["line"], finding["rule"], finding["status"]) for finding in self.findings(done))

    def told(self, status, loop="KS13"):
        """The loop over enumerate is KS13's where the older front end surely reads it."""
        return [(8, "KS13", status), (9, "OL03", status), (10, "KS13", status), (11, "KS13", status),
                (12, loop, status), (14, "OL02", status)]

    def test_a_parameter_that_is_not_a_tensor(self):
        for parameter, found in (("tile: Optional[Tile] = None", 0), ("tile: int = 0", 0), ("tile", 1)):
            self.write("project/n_impl.py", "import pypto\n\n\n@pypto.frontend.jit\ndef k(x: pypto.Tensor([8, 8], pypto.DT_FP32), "
                       f"{parameter}):\n    pypto.set_vec_tile_shapes(8, 8)\n    tile = 3\n    x[:] = x + 1.0\n")
            done = call("check", "--rules", "OL02", "--pypto", "9.1", "--format", "json", "project/n_impl.py",
                        cwd=self.folder, env=self.environment)
            self.assertEqual(len(self.findings(done)), found, parameter)

    def test_by_version(self):
        self.assertEqual(self.statuses("--pypto", "9.2"), [])
        self.assertEqual(self.statuses("--pypto", "9.1"), self.told("FAIL"))
        self.assertEqual(self.statuses("--pypto", "9.2", decorator="pypto.frontend.jit(new_ir=False)"),
                         self.told("FAIL"))
        self.assertEqual(self.statuses(), self.told("WARN", loop="OL57"))

    def test_workflow(self):
        """In an operator directory the rules of the workflow keep their verdicts."""
        place = "project/custom/k/k_impl.py"
        workflow = [(9, "OL03", "FAIL"), (10, "OL57", "FAIL"), (12, "OL57", "FAIL"), (14, "OL02", "FAIL")]
        self.assertEqual(self.statuses("--pypto", "9.2", place=place), workflow)
        self.assertEqual(self.statuses("--pypto", "9.1", place=place),
                         sorted(workflow + [(8, "KS13", "FAIL"), (11, "KS13", "FAIL")]))


@unittest.skipIf(shutil.which("python3") is None, "needs python3")
class Run(ProductTest):
    PROGRAM = "import pypto\nprint(hasattr(pypto, 'isnan'), pypto._version.new_front_end)\n"

    def run_it(self, *more, **environment):
        self.write("project/p.py", self.PROGRAM)
        done = call("run", *more, "project/p.py", cwd=self.folder,
                    env={**self.environment, "PATH": os.environ["PATH"], **environment})
        if done.status != 0 and "asan" in done.err.lower():
            self.skipTest("the interpreter does not have the sanitizer's runtime")
        return done.out

    def test_version_of_the_project(self):
        self.assertEqual(self.run_it(), "True True\n")
        site = str(self.install(number="9.1.0", files=OLD))
        self.assertEqual(self.run_it(PYTHONPATH=site), "False False\n")
        beta = str(self.install(site="beta", number="9.1.0", files={
            "frontend/parser/entry.py": "def jit(f=None, *, new_ir: bool = False): pass\n"}))
        self.assertEqual(self.run_it(PYTHONPATH=beta), "True False\n")
        self.write("project/.pypto-lint.yaml", 'pypto: "9.1"\n')
        self.assertEqual(self.run_it(), "False False\n")
        self.assertEqual(self.run_it("--pypto", "9.2"), "True True\n")
        self.write("project/.pypto-lint.yaml", 'pypto: "9"\n')
        self.assertEqual(self.run_it(), "True True\n")


if __name__ == "__main__":
    support.main()
