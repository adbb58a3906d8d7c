"""`pypto-lint tiles`: needs and costs that are worked out by hand here.

Usage: test_tiles.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BINARY = ""
KERNEL = '''import pypto

F32 = pypto.DT_FP32
F16 = pypto.DT_FP16


@pypto.frontend.jit
def add_kernel(x: pypto.Tensor([64, 512], F32), y: pypto.Tensor([64, 512], F32)):
    pypto.set_vec_tile_shapes(8, 512)
    y[:] = pypto.add(x, 1.0)


@pypto.frontend.jit
def product_kernel(a: pypto.Tensor([64, 64], F16), b: pypto.Tensor([64, 128], F16),
                   c: pypto.Tensor([64, 128], F32)):
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [128, 128])
    c[:] = pypto.matmul(a, b, F32)
'''


class Tiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(os.path.join(self.folder, "kernels.py"), "w", encoding="utf-8") as file:
            file.write(KERNEL)

    def run_it(self, *arguments, status=0):
        done = subprocess.run([BINARY, "tiles", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def operations(self, *arguments):
        return json.loads(self.run_it("--format", "json", *arguments).stdout)["operations"]

    def test_vector(self):
        found, = self.operations("kernels.py:add_kernel")
        self.assertEqual((found["operation"], found["line"], found["sizes"]), ("add", 10, "[64, 512]"))
        self.assertEqual(found["now"]["call"], "pypto.set_vec_tile_shapes(8, 512)")
        # An operand and a result of 8 rows of 512 floats of four bytes.
        self.assertEqual(found["now"]["needs"]["UB"], 2 * 8 * 512 * 4)
        self.assertEqual(found["now"]["tiles"], 8)
        # 10 cycles a tile, and one for each 256 bytes of the result.
        self.assertEqual(found["now"]["cycles"], 8 * 10 + 64 * 512 * 4 / 256)
        self.assertEqual(found["capacity"]["UB"], 192 * 1024)
        best = found["options"][0]
        # Two operands of all 64 rows take 262,144 bytes, too many; 32 rows fit, with all columns or half.
        self.assertEqual(best["tiles"], 2)
        self.assertEqual(best["cycles"], 2 * 10 + 512)
        self.assertIn(best["call"], ("pypto.set_vec_tile_shapes(32, 512)", "pypto.set_vec_tile_shapes(64, 256)"))
        for option in found["options"]:
            self.assertLessEqual(option["needs"]["UB"], found["capacity"]["UB"])
        cycles = [option["cycles"] for option in found["options"]]
        self.assertEqual(cycles, sorted(cycles))
        self.assertNotIn(found["now"]["call"], [option["call"] for option in found["options"]])

    def test_cube(self):
        found, = self.operations("kernels.py:product_kernel")
        self.assertEqual((found["operation"], found["sizes"]), ("matmul", "[64, 64, 128]"))
        now = found["now"]
        # Two bytes for each element of A and B, four for each of the sum.
        self.assertEqual(now["needs"], {"UB": 0, "L1": 2 * (16 * 64 + 64 * 128), "L0A": 2 * 16 * 64,
                                        "L0B": 2 * 64 * 128, "L0C": 4 * 16 * 128, "BT": 0})
        self.assertEqual(now["tiles"], 4)
        # B is loaded for each of the four rows of tiles: 8192 bytes of A and 4 · 16384 of B at 32 a cycle, more
        # than the 4 · 8 · 4 cycles of the cube.
        self.assertEqual(now["cycles"], (8192 + 4 * 16384) / 32 + 4 * 10)
        best = found["options"][0]
        self.assertEqual(best["call"], "pypto.set_cube_tile_shapes([64, 64], [64, 64], [128, 128])")
        self.assertEqual(best["cycles"], (8192 + 16384) / 32 + 10)

    def test_text(self):
        told = self.run_it("kernels.py").stdout
        self.assertIn("kernels.py:10:12: add_kernel: add [64, 512]\n"
                      "  now pypto.set_vec_tile_shapes(8, 512)\n"
                      "  UB 32768 of 196608 (16.7 %); tiles: 8, cycles: 592\n", told)
        self.assertIn("(tiles 8 → 2; UB 16.7 % → 66.7 %)", told)
        self.assertIn("matmul [64, 64, 128]", told)
        self.assertIn("当前 pypto.set_vec_tile_shapes(8, 512)", self.run_it("--lang", "zh", "kernels.py").stdout)

    def test_best_already(self):
        path = os.path.join(self.folder, "best.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(KERNEL.replace("(8, 512)", "(32, 512)"))
        self.assertIn("no legal tile costs less", self.run_it("best.py:add_kernel").stdout)

    def test_nothing_known(self):
        path = os.path.join(self.folder, "open.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(KERNEL.replace("[64, 512]", "[pypto.DYNAMIC, 512]"))
        done = self.run_it("open.py:add_kernel")
        self.assertEqual(done.stdout, "")
        self.assertIn("no operation whose tile and sizes are all known", done.stderr)
        self.assertEqual(self.operations("open.py:no_such_kernel"), [])

    def test_errors(self):
        self.assertIn("nothing.py", self.run_it("nothing.py", status=2).stderr)
        self.assertIn("usage", self.run_it(status=2).stderr)

    def test_files_are_left_alone(self):
        self.run_it("kernels.py")
        with open(os.path.join(self.folder, "kernels.py"), encoding="utf-8") as file:
            self.assertEqual(file.read(), KERNEL)
        self.assertEqual(os.listdir(self.folder), ["kernels.py"])


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
