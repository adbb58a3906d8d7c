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
