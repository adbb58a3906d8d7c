"""`pypto-lint run --precision`: the table, the file, and what cannot be.

Usage: test_precision_command.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import warm_python  # noqa: E402

BINARY = ""
PROGRAM = '''
import pypto, torch
F32 = pypto.DT_FP32

@pypto.frontend.jit
def kernel(x: pypto.Tensor([16, 16], F32), y: pypto.Tensor([16, 16], F32)):
    pypto.set_vec_tile_shapes(16, 16)
    c = pypto.cos(x)
    y[:] = c - 1.0

kernel(torch.full((16, 16), 1e-3), torch.zeros(16, 16))
'''


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, *options, text=PROGRAM):
        """Exit status and standard error."""
        path = os.path.join(self.folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON"))}
        environment.update(warm_python.variables("program", sys.executable))
        done = subprocess.run([BINARY, "run", *options, path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                              env=environment, timeout=120, check=False)
        return done.returncode, done.stderr.decode()

    def test_table(self):
        status, text = self.run_program("--precision")
        lines = text.splitlines()
        self.assertEqual(status, 0, text)
        self.assertIn("beyond the tolerance", lines[0])
        self.assertIn("program.py:9, sub", lines[1])
        self.assertTrue(lines[3].endswith("program.py:9 cancellation"), lines[3])
        self.assertEqual(os.listdir(self.folder), ["program.py"])

    def test_file(self):
        status, text = self.run_program("--precision=found.json")
        self.assertEqual(status, 0, text)
        with open(os.path.join(self.folder, "found.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual((found["runs"], found["unchecked"]), (1, 0))
        first = found["precision"][0]
        self.assertEqual((first["line"], first["operation"], first["flags"], first["accused"]),
                         (9, "sub", ["cancellation"], True))
        self.assertIsNone(first["iteration"])
        self.assertEqual(found["first_beyond"]["line"], 9)
        self.assertEqual(sorted(os.listdir(self.folder)), ["found.json", "program.py"])
        # Relative errors and places only: every number is one of these.
        self.assertEqual(set(first), {"file", "line", "operation", "iteration", "executions",
                                      "added", "inherited", "share", "tolerance", "flags",
                                      "harmless", "accused"})

    def test_without(self):
        status, text = self.run_program()
        self.assertEqual((status, text), (0, "pypto-lint run: 1 launch, 3 ops, 0 warnings\n"))

    def test_file_that_cannot_be_written(self):
        status, text = self.run_program("--precision=none/found.json")
        self.assertEqual(status, 0)
        self.assertIn("pypto: precision: ", text)

    def test_not_on_a_device(self):
        status, text = self.run_program("--precision", "--mode", "npu")
        self.assertEqual(status, 2)
        self.assertIn("--precision", text)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    try:
        import torch  # noqa: F401
    except ImportError:
        print("torch is not installed: skipped")
        sys.exit(77)
    unittest.main()
