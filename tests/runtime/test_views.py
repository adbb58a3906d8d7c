"""Views, assemble, reshape and valid shapes."""
from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32, F16, I8 = pypto.DT_INT32, pypto.DT_FP16, pypto.DT_INT8


def run(body, x=None, out=None):
    """x → y, both with dynamic first axes where the body says so."""
    y = torch.zeros(16, 16) if out is None else out
    pypto.frontend.jit(body)(matrix() if x is None else x, y)
    return y


class View(KernelTest):
    def test_window(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(4):
                y[i:i + 1, 0:8] = pypto.view(x, [1, 8], [i * 2, i]) + 1.0
        expected = torch.zeros(16, 16)
        for i in range(4):
            expected[i, :8] = matrix()[i * 2, i:i + 8] + 1
        self.equal(run(body), expected)

    def test_default_valid_shape(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, [16, 16], [8, 4])
            valid.extend(t.valid_shape)
            text.append(str(t.valid_shape[0]))
            y[:] = t + 1.0
        valid, text = [], []
        x = matrix(13)
        expected = torch.zeros(16, 16)
        expected[:5, :12] = x[8:, 4:] + 1
        self.equal(run(body, x), expected)
        self.assertIn("dim_0_0", text[0])

    def test_window_beyond_the_end_is_empty(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = pypto.view(x, [16, 16], [32, 0]) + 1.0
        self.equal(run(body), torch.zeros(16, 16))

    def test_explicit_valid_shape(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, [16, 16], [0, 0], valid_shape=[3, 5])
            pypto.assemble(t + 1.0, [0, 0], y)
        expected = torch.zeros(16, 16)
        expected[:3, :5] = matrix()[:3, :5] + 1
        self.equal(run(body), expected)

    def test_errors(self):
        def symbolic(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.view(x, [x.shape[0], 16], [0, 0])

        def rank(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.view(x, [16], [0])

        def offsets(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.view(x, [16, 16], [0])

        def nothing(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.view(x)
        self.fails("F00001", "TypeError", run, symbolic)
        self.fails("F21003", "CHECK FAILED", run, rank)
        self.fails("F21003", "CHECK FAILED", run, offsets)
        self.fails("F00002", "ValueError", run, nothing)

    def test_other_dtype(self):
        def body(x: T([16, 16], F32), y: T([16, 64], I8)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, dtype=I8)
            shapes.append((t.shape, t.dtype))
            y[:] = t
        shapes = []
        y = torch.zeros(16, 64, dtype=torch.int8)
        pypto.frontend.jit(body)(matrix(), y)
        self.assertEqual(shapes, [([16, 64], I8)])
        self.equal(y, torch.from_numpy(matrix().numpy().view("int8")))

    def test_a_view_keeps_its_value(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 0.0
            part = t[0:4, :]
            t[:] = t * 100.0
            y[0:4, :] = part + 0.0
            y[4:8, :] = t[4:8, :] + 0.0
        expected = torch.zeros(16, 16)
        expected[:4] = matrix()[:4]
        expected[4:8] = matrix()[4:8] * 100
        self.equal(run(body), expected)


class Assemble(KernelTest):
    def test_copies_the_valid_part(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x[0:16, :] * 0.0 + 5.0
            t = pypto.view(x, [4, 16], [x.shape[0] - 2, 0]) + 1.0
            pypto.assemble(t, [7, 0], y)
        expected = torch.full((16, 16), 5.0)
        expected[7:9] = matrix()[14:] + 1
        self.equal(run(body), expected)

    def test_lists_and_methods(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            pypto.assemble([(x[0:2, :] + 1.0, [0, 0]), (x[2:4, :] + 2.0, [2, 0])], y)
            y.assemble(x[4:6, :] + 3.0, [4, 0])
        expected = torch.zeros(16, 16)
        for rows, add in ((slice(0, 2), 1), (slice(2, 4), 2), (slice(4, 6), 3)):
            expected[rows] = matrix()[rows] + add
        self.equal(run(body), expected)

    def test_mismatches(self):
        def rank(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            pypto.assemble(pypto.reshape(x + 0.0, [256]), [0], y)

        def dtype(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            pypto.assemble(pypto.cast(x, F16), [0, 0], y)

        def number(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.assemble(3, [0, 0], y)
        self.fails("F0FFFF", "requires same", run, rank)
        self.fails("F0FFFF", "requires same", run, dtype)
        self.fails("F00001", "TypeError", run, number)

    def test_read_then_assemble_is_a_cycle(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            pypto.assemble(y[0:2, :] + 1.0, [2, 0], y)

        def moved_first(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.full([16, 16], 1.0, F32)
            pypto.assemble(x[0:2, :] + 0.0, [2, 0], t)
            y[:] = t + 1.0

        def in_different_loops(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.tensor([2, 16], F32)
            for _ in pypto.loop(1):
                t[:] = x[0:2, :] + 1.0
            for _ in pypto.loop(1):
                pypto.assemble(t + 0.0, [2, 0], y)
        self.fails("F21009", "OP_DEPENDENCY_CYCLE", run, body)
        expected = torch.full((16, 16), 2.0)
        expected[2:4] = matrix()[:2] + 1
        self.equal(run(moved_first), expected)
        expected = torch.zeros(16, 16)
        expected[2:4] = matrix()[:2] + 1
        self.equal(run(in_different_loops), expected)

    def test_outside_is_reported(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            pypto.assemble(x[0:4, :] + 1.0, [x.shape[0] - 2, 0], y)
        with self.assertRaises(pypto.error.PyptoError) as caught:
            run(body)
        self.assertIn("assemble", str(caught.exception))


class Reshape(KernelTest):
    def test_forms(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.reshape(x + 0.0, [4, -1])
            shapes.append(t.shape)
            pypto.set_vec_tile_shapes(4, 64)
            t = pypto.reshape(t + 1.0, [16, 16])
            u = pypto.unsqueeze(t, 0)
            shapes.append(u.shape)
            shapes.append(pypto.unsqueeze(t, -1).shape)
            y[:] = pypto.reshape(u, [16, 16])
        shapes = []
        self.equal(run(body), matrix() + 1)
        self.assertEqual(shapes, [[4, 64], [1, 16, 16], [16, 16, 1]])

    def test_valid_regions_are_read_compactly(self):
        # [4, 6] of 8×8 are 24 numbers: row-major they are the first 24 of [8] × 3.
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, [8, 8], [0, 0], valid_shape=[4, 6])
            t = pypto.reshape(t + 0.0, [8, 8], valid_shape=[3, 8])
            pypto.assemble(t, [0, 0], y)
        expected = torch.zeros(16, 16)
        expected[:3, :8] = matrix()[:4, :6].reshape(3, 8)
        self.equal(run(body), expected)

    def test_wrong_targets(self):
        def size(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.reshape(x, [3, 5])

        def symbolic(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.reshape(x, [x.shape[0], 16])

        def two(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.reshape(x, [-1, -1])
        self.assertRaises(pypto.error.PyptoError, run, size)
        self.fails("F00001", "TypeError", run, symbolic)
        self.assertRaises(pypto.error.PyptoError, run, two)

    def test_in_place_takes_symbols(self):
        def body(x: T([pypto.DYN, 4, 4], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            flat = pypto.reshape(x, [x.shape[0], 16], inplace=True)
            for i in pypto.loop(0, x.shape[0], 4):
                y[i:i + 4, :] = flat[i:i + 4, :] + 1.0
        self.equal(run(body, matrix().reshape(16, 4, 4)), matrix() + 1)


class ValidShapes(KernelTest):
    """Rows of a partly valid tile, for each class of operations."""

    def valid_of(self, operation, shape=(16, 16), valid=(3, 5)):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, list(shape), [0, 0], valid_shape=list(valid))
            result = operation(t, x)
            found.append((result.shape, [v.concrete() for v in result.valid_shape]))
        found = []
        pypto.frontend.jit(body).compile([matrix(), torch.zeros(16, 16)])
        return found[0]

    def test_rules(self):
        D = pypto
        for name, operation, shape, valid in (
                ("unary", lambda t, x: D.exp(t), [16, 16], [3, 5]),
                ("binary: the first operand's", lambda t, x: t + x, [16, 16], [3, 5]),
                ("binary: the first operand's", lambda t, x: x + t, [16, 16], [16, 16]),
                ("binary: broadcast", lambda t, x: D.view(x, [1, 16], [0, 0]) + t,
                 [16, 16], [3, 16]),
                ("reduction", lambda t, x: D.sum(t, -1), [16], [3]),
                ("reduction kept", lambda t, x: D.amax(t, 0, keepdim=True), [1, 16], [1, 5]),
                ("transpose", lambda t, x: D.transpose(t, 0, 1), [16, 16], [5, 3]),
                ("full", lambda t, x: D.full([8, 8], 1.0, F32, valid_shape=[2, 3]),
                 [8, 8], [2, 3]),
                ("full", lambda t, x: D.full([8, 8], 1.0, F32), [8, 8], [8, 8]),
                ("concat is not derived", lambda t, x: D.concat([x, x], 0), [32, 16], [32, 16]),
                ("expand_clone", lambda t, x: D.expand_clone(
                    D.view(t, [1, 16], [0, 0]), [16, 16]), [16, 16], [16, 5]),
                ("fillpad", lambda t, x: D.fillpad(t, value=0.0), [16, 16], [16, 16]),
                ("topk", lambda t, x: D.topk(t, 8)[0], [16, 8], [3, 5])):
            with self.subTest(name):
                self.assertEqual(self.valid_of(operation), (shape, valid))

    def test_matmul(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])
            a = pypto.view(x, [16, 16], [0, 0], valid_shape=[3, 16])
            b = pypto.view(x, [16, 16], [0, 0], valid_shape=[16, 5])
            found.extend(v.concrete() for v in pypto.matmul(a, b, F32).valid_shape)
        found = []
        pypto.frontend.jit(body).compile([matrix(), torch.zeros(16, 16)])
        self.assertEqual(found, [3, 5])

    def test_reductions_read_valid_numbers_only(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, [16, 16], [0, 0], valid_shape=[3, 5])
            pypto.assemble(pypto.sum(t, -1, keepdim=True), [0, 0], y)
        expected = torch.zeros(16, 16)
        expected[:3, 0] = matrix()[:3, :5].sum(1)
        self.equal(run(body), expected)

    def test_nothing_valid_is_nothing_done(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.view(x, [16, 16], [0, 0], valid_shape=[x.shape[0] - 20, 16])
            pypto.assemble(t + 1.0, [0, 0], y)
        self.equal(run(body), torch.zeros(16, 16))

    def test_dynamic_tensors_cannot_compute(self):
        def direct(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            pypto.exp(x)
        self.fails("F0000A", "DYNAMIC_SHAPE_COMPUTE_UNSUPPORTED", run, direct)


if __name__ == "__main__":
    main()
