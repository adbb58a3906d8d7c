"""The older way to record: with pypto.function(…)."""
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


if __name__ == "__main__":
    main()
