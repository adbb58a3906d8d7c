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


DEEP = '''import pypto

F32 = pypto.DT_FP32
F16 = pypto.DT_FP16


@pypto.frontend.jit
def deep_kernel(a: pypto.Tensor([64, 1024], F16), b: pypto.Tensor([1024, 64], F16),
                c: pypto.Tensor([64, 64], F32)):
    pypto.set_cube_tile_shapes([64, 64], [256, 256], [64, 64])
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
        # One operand is loaded for each of 8 tiles, then for each of 2.
        self.assertIn("  1. pypto.set_vec_tile_shapes(32, 512): 532 cycles: 8 → 32 quarters the MTE2 transactions "
                      "(8 → 2); UB 16.7 % → 66.7 %\n", told)
        self.assertIn("8 → 16 halves the MTE2 transactions (8 → 4); UB 16.7 % → 33.3 %\n", told)
        # A and B once instead of A and B for each of four rows; B four times as often: 8192 + 4 · 16384 bytes.
        self.assertIn("m 16 → 64 quarters the MTE2 transactions (8 → 2); loads 73728 → 24576 bytes; "
                      "L1 3.5 % → 4.7 %; L0A 3.1 % → 12.5 %; L0C 6.2 % → 25.0 %\n", told)
        self.assertIn("：8 → 32 使 MTE2 传输次数减为四分之一（8 → 2）；UB 16.7 % → 66.7 %\n",
                      self.run_it("--lang", "zh", "kernels.py").stdout)
        self.assertIn("matmul [64, 64, 128]", told)
        self.assertIn("当前 pypto.set_vec_tile_shapes(8, 512)", self.run_it("--lang", "zh", "kernels.py").stdout)

    def test_more_of_k_in_l1(self):
        """L0 keeps its size: L1 takes two and four times as much of k, so that A and B come in fewer loads."""
        with open(os.path.join(self.folder, "deep.py"), "w", encoding="utf-8") as file:
            file.write(DEEP)
        found, = self.operations("deep.py")
        now = found["now"]
        # 1024 of k in pieces of 256, of A and of B; 64 · 1024 elements of each, of two bytes, at 32 a cycle.
        self.assertEqual((now["loads"], now["loaded_bytes"]), (2 * 4, 2 * 64 * 1024 * 2))
        self.assertEqual(now["cycles"], 2 * 64 * 1024 * 2 / 32 + 4 * 10)
        best, second = found["options"][:2]
        self.assertEqual([one["call"] for one in (best, second)],
                         ["pypto.set_cube_tile_shapes([64, 64], [256, 1024], [64, 64])",
                          "pypto.set_cube_tile_shapes([64, 64], [256, 512], [64, 64])"])
        self.assertEqual([one["loads"] for one in (best, second)], [2, 4])
        self.assertEqual(best["needs"]["L1"], 2 * (64 * 1024 + 1024 * 64))
        self.assertEqual(best["needs"]["L0A"], now["needs"]["L0A"])
        self.assertEqual(best["cycles"], now["cycles"])
        self.assertEqual(best["reason"], "kL1 256 → 1024 quarters the MTE2 transactions (8 → 2); L1 12.5 % → 50.0 %")
        self.assertEqual(best["reason_zh"], "kL1 256 → 1024 使 MTE2 传输次数减为四分之一（8 → 2）；L1 12.5 % → 50.0 %")
        for option in found["options"]:
            self.assertLessEqual(option["needs"]["L1"], found["capacity"]["L1"])

    def test_apply(self):
        told = self.run_it("--apply", "kernels.py").stdout
        self.assertEqual(told, "kernels.py:10:12: pypto.set_vec_tile_shapes(32, 512)  # before add: 8 → 32 quarters "
                               "the MTE2 transactions (8 → 2); UB 16.7 % → 66.7 %\n"
                               "kernels.py:17:12: pypto.set_cube_tile_shapes([64, 64], [64, 64], [128, 128])  # before "
                               "matmul: m 16 → 64 quarters the MTE2 transactions (8 → 2); loads 73728 → 24576 bytes; "
                               "L1 3.5 % → 4.7 %; L0A 3.1 % → 12.5 %; L0C 6.2 % → 25.0 %\n")
        self.assertEqual([one["apply"] for one in self.operations("kernels.py")],
                         ["pypto.set_vec_tile_shapes(32, 512)",
                          "pypto.set_cube_tile_shapes([64, 64], [64, 64], [128, 128])"])
        self.assertEqual(os.listdir(self.folder), ["kernels.py"])
        with open(os.path.join(self.folder, "kernels.py"), encoding="utf-8") as file:
            self.assertEqual(file.read(), KERNEL)

    def test_best_already(self):
        path = os.path.join(self.folder, "best.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(KERNEL.replace("(8, 512)", "(32, 512)"))
        self.assertIn("no legal tile costs less", self.run_it("best.py:add_kernel").stdout)
        self.assertEqual(self.run_it("--apply", "best.py:add_kernel").stdout, "")

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
