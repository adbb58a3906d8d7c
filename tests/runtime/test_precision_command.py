"""`pypto-lint run --precision`: the table, the file, and what cannot be.

Usage: test_precision_command.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os

import test_trace

KERNEL = '''
@pypto.frontend.jit
def kernel(x: pypto.Tensor([16, 16], F32), y: pypto.Tensor([16, 16], F32)):
    pypto.set_vec_tile_shapes(16, 16)
    c = pypto.cos(x)
    y[:] = c - 1.0

kernel(torch.full((16, 16), 1e-3), torch.zeros(16, 16))
'''
LINE = 1 + (test_trace.PROGRAM + KERNEL).split("\n").index("    y[:] = c - 1.0")


class Command(test_trace.TraceTest):
    def test_table(self):
        lines = self.run_program(KERNEL, "--precision").splitlines()
        self.assertIn("beyond the tolerance", lines[0])
        self.assertIn("program.py:%d, sub" % LINE, lines[1])
        self.assertTrue(lines[3].endswith("program.py:%d cancellation" % LINE), lines[3])
        self.assertEqual(os.listdir(self.folder), ["program.py"])

    def test_file(self):
        self.run_program(KERNEL, "--precision=found.json")
        found = self.trace("found.json")
        self.assertEqual((found["runs"], found["unchecked"]), (1, 0))
        first = found["precision"][0]
        self.assertEqual((first["line"], first["operation"], first["flags"], first["accused"]),
                         (LINE, "sub", ["cancellation"], True))
        self.assertIsNone(first["iteration"])
        self.assertEqual(found["first_beyond"]["line"], LINE)
        self.assertEqual(sorted(os.listdir(self.folder)), ["found.json", "program.py"])
        # Relative errors and places only: every number is one of these.
        self.assertEqual(set(first), {"file", "line", "operation", "iteration", "executions",
                                      "added", "inherited", "share", "tolerance", "flags",
                                      "harmless", "accused"})
        json.dumps(found, allow_nan=False)

    def test_part_that_is_left_over(self):
        """What a killed process of the same number left does not stop the report; a link is not followed."""
        for leave in ("open(part, 'w').close()", "os.symlink('kept.txt', part)"):
            with self.subTest(leave), open(os.path.join(self.folder, "kept.txt"), "w") as file:
                file.write("kept")
                file.close()
                self.run_program("\nimport os\npart = 'found.json.%d.part' % os.getpid()\n" + leave +
                                 "\n" + KERNEL, "--precision=found.json")
                self.assertEqual(self.trace("found.json")["runs"], 1)
                self.assertEqual(sorted(os.listdir(self.folder)),
                                 ["found.json", "kept.txt", "program.py"])
                with open(os.path.join(self.folder, "kept.txt")) as kept:
                    self.assertEqual(kept.read(), "kept")

    def test_without(self):
        self.assertEqual(self.run_program(KERNEL),
                         "pypto-lint run: 1 launch, 3 ops, 0 warnings\n")

    def test_file_that_cannot_be_written(self):
        self.assertIn("pypto: precision: ",
                      self.run_program(KERNEL, "--precision=none/found.json"))

    def test_not_on_a_device(self):
        self.assertIn("--precision",
                      self.run_program(KERNEL, "--precision", "--mode", "npu", status=2))


if __name__ == "__main__":
    test_trace.main()
