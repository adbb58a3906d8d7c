"""The older way to record: with pypto.function(…)."""
import os
import tempfile

import numpy as np

from support import F32, KernelTest, main, matrix, pypto, torch


def run(*tensors):
    """What runs the function recorded last."""
    pypto.runtime._device_init()
    pypto.runtime._device_run_once_data_from_host(*[pypto.from_torch(t) for t in tensors])
    pypto.runtime._device_fini()


class Function(KernelTest):
    def test_with(self):
        x = pypto.tensor([16, 16], F32, "x")
        y = pypto.tensor([16, 16], F32, "y")
        with pypto.function("MAIN", x, y):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(4):
                y[i * 4:i * 4 + 4, :] = x[i * 4:i * 4 + 4, :] + 1.0
        self.assertEqual(pypto.get_vec_tile_shapes(), [])
        out = torch.zeros(16, 16)
        run(matrix(), out)
        self.equal(out, matrix() + 1)
        run(matrix(start=5.0), out)
        self.equal(out, matrix(start=5.0) + 1)

    def test_paths(self):
        x = pypto.tensor([pypto.DYN, 16], F32, "x")
        y = pypto.tensor([16, 16], F32, "y")
        walks = []
        with pypto.function("MAIN", x, y) as f:
            for _ in f:
                walks.append(1)
                pypto.set_vec_tile_shapes(16, 16)
                if pypto.cond(x.shape[0] > 16):
                    y[:] = x[16:32, :] + 1.0
                else:
                    y[:] = x[0:16, :] + 2.0
        self.assertEqual(len(walks), 2)
        for rows, expected in ((16, matrix() + 2), (32, matrix(32)[16:] + 1)):
            out = torch.zeros(16, 16)
            run(matrix(rows), out)
            self.equal(out, expected)

    def test_errors(self):
        x = pypto.tensor([pypto.DYN, 16], F32, "x")

        def paths():
            with pypto.function("MAIN", x):
                pypto.cond(x.shape[0] > 16)

        def truth():
            with pypto.function("MAIN", x):
                if x.shape[0] > 16:
                    pass

        def tile():
            with pypto.function("MAIN", x):
                x[0:16, :] + 1.0
        self.fails("F00003", "for _ in f", paths)
        self.fails("F00002", "Not concrete value.", truth)
        self.fails("F21003", "tile shape not set", tile)
        self.fails("F00001", "TypeError", pypto.function, "MAIN", 3)
        self.fails("F00002", "shape", pypto.function, "MAIN", pypto.Tensor())
        self.fails("F00003", "contiguous", pypto.from_torch, matrix().t())
        self.paths_do_not_stay_open()

    def test_shapes_of_host_tensors_are_not_compared(self):
        x = pypto.tensor([2, 2, 4, 16], F32, "x")
        y = pypto.tensor([2, 2, 4, 16], F32, "y")
        with pypto.function("FLAT", x, y):
            pypto.set_vec_tile_shapes(1, 1, 4, 16)
            y[:] = x + 1.0
        out = torch.zeros(256)
        run(matrix().reshape(256), out)
        self.equal(out, matrix().reshape(256) + 1)
        self.fails("F00002", "needs 1024", run, matrix().reshape(256), torch.zeros(100))

    def test_open_axes_come_from_the_host_tensor(self):
        x = pypto.tensor([pypto.DYN, 16], F32, "x")
        y = pypto.tensor([pypto.DYN, 16], F32, "y")
        with pypto.function("OPEN", x, y):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(x.shape[0]):
                pypto.assemble(pypto.view(x, [1, 16], [i, 0]) * 2.0, [i, 0], y)
        out = torch.zeros(5, 16)
        pypto.runtime._device_run_once_data_from_host(
            pypto.from_torch(matrix(5), dynamic_axis=[0]), pypto.from_torch(out, dynamic_axis=[0]))
        self.equal(out, matrix(5) * 2)
        flat = torch.zeros(80)
        run(matrix(5).reshape(80), flat)
        self.equal(flat, matrix(5).reshape(80) * 2)

    def test_what_from_torch_gives(self):
        given = pypto.from_torch(matrix(4), "name", [0])
        self.assertEqual((given.shape, given.ori_shape, given.dtype, given.name, given.dim),
                         ([pypto.DYNAMIC, 16], [4, 16], F32, "name", 2))
        self.assertEqual(str(given.device), "cpu")
        self.assertEqual(given.format, pypto.TileOpFormat.TILEOP_ND)
        self.assertIsInstance(given.data_ptr, int)

    def test_tensors_without_shape(self):
        x = pypto.tensor([16, 16], F32, "x")
        kept = {}
        with pypto.function("LOCAL", x):
            pypto.set_vec_tile_shapes(16, 16)
            local = pypto.tensor()
            self.assertTrue(local.is_empty())
            local[:] = x + 1.0
            kept["local"] = local
            other = pypto.tensor()
            other.move(local * 2.0)
            del local
            x[:] = other + 0.5
        out = matrix()
        run(out)
        self.equal(out, (matrix() + 1) * 2 + 0.5)
        self.assertEqual((kept["local"].shape, kept["local"].dtype), ([16, 16], F32))

    def test_only_recorded(self):
        x = pypto.tensor([8, 16], F32, "x")
        with pypto.function("ONLY", x):
            pypto.set_vec_tile_shapes(8, 16)
            y = pypto.sum(x, -1, keepdim=True)
            self.assertEqual(pypto.get_current_function().name, "ONLY")
        self.assertEqual((y.shape, y.dtype, [str(v) for v in y.valid_shape]), ([8, 1], F32, ["8", "1"]))
        self.assertEqual(pypto.get_last_function().name, "ONLY")
        self.assertIsNone(pypto.get_current_function())
        pypto.set_verify_golden_data([1], [2])
        pypto.runtime.set_verify_data([1], [2], [3])

    def test_lists_of_tensors(self):
        x, y = (pypto.tensor([8, 16], F32, name) for name in "xy")
        with pypto.function("LISTS", [x], [y]):
            pypto.set_vec_tile_shapes(8, 16)
            y[:] = x + 1.0
        out = torch.zeros(8, 16)
        pypto.runtime._device_run_once_data_from_host([pypto.from_torch(matrix(8))],
                                                      [pypto.from_torch(out)])
        self.equal(out, matrix(8) + 1)

    def test_reads_of_what_nothing_wrote_are_errors_of_the_run(self):
        with pypto.function("SHAPES"):
            pypto.set_vec_tile_shapes(8, 16)
            source = pypto.tensor([8, 16], F32, "source")
            part = pypto.view(source, [4, 16], [0, 0])
            for i in pypto.loop(2):
                row = source[i:i + 1, :] + part[0:1, :]
        self.assertEqual((part.shape, row.shape, row.dtype), ([4, 16], [1, 16], F32))
        self.fails("F74007", "source is read before anything was written",
                   pypto.runtime._device_run_once_data_from_host)

    def paths_do_not_stay_open(self):
        """After all those errors a kernel records as ever."""
        y = pypto.tensor([16, 16], F32, "y")
        with pypto.function("AGAIN", y):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = y + 1.0
        out = torch.zeros(16, 16)
        run(out)
        self.equal(out, torch.ones(16, 16))
        self.fails("F00003", "takes 1 tensors, got 2", run, out, out)


class Verification(KernelTest):
    """What belongs to the product's graph checking: it runs where verify_options ask for it."""

    def save(self, folder, enabled=True, **options):
        @pypto.frontend.jit(verify_options={"enable_pass_verify": enabled,
                                            "pass_verify_save_tensor_dir": folder, **options})
        def kernel(x: pypto.Tensor([pypto.DYN, 8], F32), y: pypto.Tensor([pypto.DYN, 8], F32)):
            pypto.set_vec_tile_shapes(4, 8)
            for i in pypto.loop((x.shape[0] + 3) // 4):
                part = pypto.view(x, [4, 8], [i * 4, 0]) + 1.0
                pypto.pass_verify_save(part, "part_$block_$i", cond=i < 2, i=i, block=7)
                pypto.assemble(part, [i * 4, 0], y)
        x, y = matrix(10, 8), torch.zeros(10, 8)
        kernel(x, y)
        self.equal(y, x + 1)
        return x

    def test_saves_what_it_says(self):
        with tempfile.TemporaryDirectory() as folder:
            x = self.save(folder)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["part_7_0.data", "part_7_0.txt", "part_7_1.data", "part_7_1.txt"])
            found = np.fromfile(os.path.join(folder, "part_7_1.data"), np.float32)
            np.testing.assert_array_equal(found.reshape(4, 8), (x[4:8] + 1).numpy())
            with open(os.path.join(folder, "part_7_0.txt"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "DT_FP32 [4, 8]\n")

    def test_saves_the_valid_part_of_16_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([4, 8], pypto.DT_FP16), y: pypto.Tensor([4, 8], pypto.DT_FP16)):
                pypto.set_vec_tile_shapes(4, 8)
                wide = x * 2.0
                pypto.pass_verify_save(pypto.view(wide, [4, 8], [3, 6]), "corner")
                y[:] = wide
            pypto.set_verify_options(enable_pass_verify=True, pass_verify_save_tensor_dir=folder)
            try:
                kernel(matrix(4, 8).half(), torch.zeros(4, 8).half())
            finally:
                pypto.set_verify_options(enable_pass_verify=False)
            found = np.fromfile(os.path.join(folder, "corner.data"), np.float16)
            np.testing.assert_array_equal(found, (matrix(4, 8).half() * 2)[3, 6:].numpy())

    def test_saves_nothing_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            self.save(folder, enabled=False)
            self.assertEqual(os.listdir(folder), [])

    def test_wrong_arguments(self):
        def attempt(*args, **keywords):
            @pypto.frontend.jit(verify_options={"enable_pass_verify": True})
            def kernel(x: pypto.Tensor([4, 8], F32)):
                pypto.pass_verify_save(*args, **keywords)
            kernel(matrix(4, 8))
        self.fails("F00001", "'fname' must be a string", attempt, 1, 2)
        self.fails("F00001", "'tensor' must be a tensor", attempt, 1, "name")

    def test_verify(self):
        def body(x, y):
            pypto.set_vec_tile_shapes(4, 8)
            y[:] = x * 2.0

        def lists(inputs, outputs, factor):
            pypto.set_vec_tile_shapes(4, 8)
            outputs[0][:] = inputs[0] * factor
        kernel = pypto.frontend.jit(annotated(body))
        x = matrix(4, 8)
        for call in (lambda y, golden: pypto.verify(body, [x], [y], [golden]),
                     lambda y, golden: pypto.verify(lists, [x], [y], [None, golden], 2.0),
                     lambda y, golden: pypto.verify(kernel, [x], [y], [golden],
                                                    verify_options={"pass_verify_error_tol": 1e-6})):
            y = torch.zeros(4, 8)
            call(y, x * 2)
            self.equal(y, x * 2)
            wrong = x * 2
            wrong[3, 7] += 1.0
            self.fails("FB0000", "output 0 differs from its golden in 1 of 32 elements; "
                                 "max_abs_diff 1.0", call, y, wrong)
        self.fails("F00002", "1 goldens for 2 outputs", pypto.verify, body, [x], [x, x], [x])


def annotated(function):
    """A kernel of the same body, with annotations."""
    function.__annotations__ = {"x": pypto.Tensor([4, 8], F32), "y": pypto.Tensor([4, 8], F32)}
    return function


if __name__ == "__main__":
    main()
