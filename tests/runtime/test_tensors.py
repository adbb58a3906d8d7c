"""Tensor objects: attributes, operators, methods, subscripts."""
from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32, F16, BF16, I8, BOOL = (pypto.DT_INT32, pypto.DT_FP16, pypto.DT_BF16, pypto.DT_INT8,
                            pypto.DT_BOOL)


def run(body, *extra):
    """x → y over 16×16."""
    y = torch.zeros(16, 16)
    pypto.frontend.jit(body)(matrix(), y, *extra)
    return y


class Attributes(KernelTest):
    def test_of_locals_and_parameters(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.tensor([4, 8], BF16, "mine")
            found.append((t.shape, t.dim, t.dtype, t.format, t.name, t.is_empty()))
            found.append([str(v) for v in t.valid_shape])
            found.append((x.name, y.shape, [type(v) for v in x.shape]))
            setattr(t, "name", "other")  # an attribute is no target in a kernel
            found.append(t.name)
            t.set_cache_policy(pypto.CachePolicy.PREFETCH, True)
            found.append((t.get_cache_policy(pypto.CachePolicy.PREFETCH),
                          t.get_cache_policy(pypto.CachePolicy.NONE_CACHEABLE)))
            found.append(isinstance(t.id, int))
        found = []
        pypto.frontend.jit(body).compile([matrix(), matrix()])
        self.assertEqual(found[0], ([4, 8], 2, BF16, pypto.TileOpFormat.TILEOP_ND, "t", False))
        self.assertEqual(found[1], ["4", "8"])
        self.assertEqual(found[2], ("x", [16, 16], [pypto.SymbolicScalar, int]))
        self.assertEqual(found[3:], ["other", (True, False), True])

    def test_declared_alike(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = (x + 1.0).copy("again")
            t[:] = x * 2.0
            y[:] = t
            found.append((t.shape, t.dtype))
        found = []
        self.equal(run(body), matrix() * 2)
        self.assertEqual(found, [([16, 16], F32)])
        outside = pypto.Tensor([4, pypto.DYN], BF16, "first", None, 0, "cpu", [4, 3]).copy("second")
        self.assertEqual((outside.shape, outside.dtype, outside.name),
                         ([4, pypto.DYN], BF16, "second"))

    def test_what_it_is_not(self):
        t = pypto.Tensor([4], F32)
        self.assertRaises(TypeError, iter, t)
        self.assertRaises(TypeError, hash, t)
        self.fails("F00001", "TypeError", len, t)
        self.fails("F00001", "TypeError", bool, t)
        for name in ("to", "float", "T", "abs", "neg", "cast"):
            self.assertFalse(hasattr(t, name), name)
        for wrong in ((3, F32), ([4], 3), ([4.0], F32), (["a"], F32)):
            self.fails("F00001", "TypeError", pypto.Tensor, *wrong)

    def test_all_documented_methods_exist(self):
        for name in """add axpy_ sub mul hypot prelu div fmod remainder greater matmul assemble
                reshape unsqueeze view clone sin cos sinh cosh asinh acosh sigmoid softmax maximum
                where lrelu topk quant_mx sort32 mrgsort exp sign signbit tanh exp2 expm1 erfc log
                log1p log10 log2 logical_not amax amin argmax argmin sum round rsqrt sqrt ceil
                floor trunc reciprocal relu permute transpose gather gathermask index_add_
                index_add cumsum cumprod gcd triu triu_ tril tril_ expand_clone pad fillpad
                scatter_update scatter_ scatter var fill_ move""".split():
            self.assertTrue(callable(getattr(pypto.Tensor, name, None)), name)


class Operators(KernelTest):
    def check(self, operation, expected):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = operation(x)
        result = run(body)
        self.assertTrue(torch.allclose(result, expected(matrix()), rtol=2e-7, atol=0.0,
                                       equal_nan=True))

    def test_arithmetic(self):
        for operation in (lambda x: x + x, lambda x: x - 3.0, lambda x: x * x, lambda x: x / 3.0,
                          lambda x: x + 2, lambda x: 2 + x, lambda x: 3.0 * x,
                          lambda x: 3.0 - x, lambda x: -x, lambda x: +x):
            self.check(operation, operation)
        self.check(lambda x: 8.0 / (x + 1.0), lambda x: (1.0 / (x + 1)) * 8)
        self.check(lambda x: (x + 1.0) // 0.75, lambda x: ((x + 1) / 0.75).floor())
        self.check(lambda x: (x + 1.0) % 0.75, lambda x: torch.remainder(x + 1, 0.75))
        self.check(lambda x: (x + 1.0) ** 2, lambda x: (x + 1) * (x + 1))

    def test_comparisons_give_bools(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for mask in (x > 3.0, x < x, x >= 3.0, x <= 3.0, x == x, x != 3.0):
                found.append(mask.dtype)
            y[:] = pypto.where(x > 3.0, x, x * 0.0)
        found = []
        self.equal(run(body), torch.where(matrix() > 3, matrix(), torch.zeros(16, 16)))
        self.assertEqual(set(found), {BOOL})

    def test_comparisons_take_no_int(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            x > 3
        self.fails("F00001", "int", run, body)

    def test_matmul(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])
            y[:] = x @ x
        exact = (matrix().double() @ matrix().double()).float()
        self.assertTrue(torch.allclose(run(body), exact, rtol=1e-5))

    def test_matmul_of_int8_is_int32(self):
        def body(a: T([16, 32], I8), b: T([32, 16], I8), y: T([16, 16], I32)):
            pypto.set_cube_tile_shapes([16, 16], [32, 32], [32, 32])
            c = a @ b
            found.append(c.dtype)
            y[:] = c
        found = []
        a = torch.arange(512).reshape(16, 32).to(torch.int8)
        b = (torch.arange(512) * 3).reshape(32, 16).to(torch.int8)
        y = torch.zeros(16, 16, dtype=torch.int32)
        pypto.frontend.jit(body)(a, b, y)
        self.assertEqual(found, [I32])
        self.equal(y, (a.long() @ b.long()).int())

    def test_operators_refuse_other_types(self):
        for operation in (lambda x: x + "a", lambda x: x * None, lambda x: [1] - x,
                          lambda x: x @ 3.0, lambda x: x + torch.ones(16, 16)):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                operation(x)
            with self.assertRaises(pypto.error.PyptoError) as caught:
                run(body)
            self.assertIn(caught.exception.code, ("F00001", "F00002"), str(caught.exception))


class Reading(KernelTest):
    def test_forms(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            shapes.append([t.shape for t in (
                x[:], x[...], x[:, :], x[2:5], x[2:5, ...], x[..., 2:5], x[-4:, 3:], x[3],
                x[-1, 4:12], x[..., 5])])
            same.extend([x[:] is x, x[...] is x, x[:, :] is x])
            y[0:1, 0:8] = pypto.reshape(x[-1, 4:12] + 1.0, [1, 8])
            y[1:3, 0:4] = x[-2:, -4:] + 2.0
        shapes, same = [], []
        expected = torch.zeros(16, 16)
        expected[0, :8] = matrix()[-1, 4:12] + 1
        expected[1:3, :4] = matrix()[-2:, -4:] + 2
        self.equal(run(body), expected)
        self.assertEqual(same, [True] * 3)
        self.assertEqual(shapes[0], [[16, 16]] * 3 + [[3, 16], [3, 16], [16, 3], [4, 13], [16],
                                                      [8], [16]])

    def test_wrong_subscripts(self):
        for code, subscript in (
                ("F00002", lambda x, n: x[0:4:2]), ("F00008", lambda x, n: x[0, 0, 0]),
                ("F00008", lambda x, n: x[..., ...]), ("F00001", lambda x, n: x["a"]),
                ("F00001", lambda x, n: x[0.5:1.5]), ("F00001", lambda x, n: x[[1]]),
                ("F00002", lambda x, n: x[0:n]), ("F00001", lambda x, n: x[None])):
            def body(x: T([16, 16], F32), y: T([pypto.DYN, 16], F32)):
                subscript(x, y.shape[0])
            self.fails(code, "", run, body)

    def test_slices_of_known_length(self):
        def body(x: T([16, 16], F32), y: T([pypto.DYN, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(4):
                shapes.append(x[i * 4:(i + 1) * 4, :].shape)
        shapes = []
        run(body)
        self.assertEqual(shapes, [[4, 16]])

    def test_bounds_read_from_a_tensor(self):
        @pypto.frontend.jit
        def kernel(x: T([8, 4], F32), rows: T([pypto.DYN, 2], I32), y: T([pypto.DYN, 4], F32)):
            pypto.set_vec_tile_shapes(4, 4)
            for i in pypto.loop(rows.shape[0]):
                if rows[i, 1] > 0:
                    y[i:i + 1] = x[rows[i, 0]:rows[i, 0] + 1] + 1.0
                else:
                    y[i:i + 1] = x[2 * rows[i, 0]:2 * rows[i, 0] + 1, :] * 2.0
        x, y = matrix(8, 4), torch.zeros(3, 4)
        kernel(x, torch.tensor([[7, 1], [3, 0], [0, 5]], dtype=torch.int32), y)
        self.equal(y, torch.stack([x[7] + 1, x[6] * 2, x[0] + 1]))

    def test_an_element_written_between_is_another_number(self):
        @pypto.frontend.jit
        def kernel(x: T([8, 4], F32), rows: T([2], I32), y: T([2, 4], F32), z: T([2], I32)):
            pypto.set_vec_tile_shapes(4, 4)
            for _ in pypto.loop(1):
                t = pypto.full([2], 5, I32)
                first = t[0]
                t[0] = first + rows[0]
                z[0] = t[0]
                t[:] = pypto.full([2], 3, I32)
                y[0:1] = x[t[0]:t[0] + 1] + 1.0
        x, y, z = matrix(8, 4), torch.zeros(2, 4), torch.zeros(2, dtype=torch.int32)
        kernel(x, torch.tensor([2, 0], dtype=torch.int32), y, z)
        self.equal(z, torch.tensor([7, 0], dtype=torch.int32))
        self.equal(y[:1], x[3:4] + 1)


class Writing(KernelTest):
    def test_forms(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x * 0.0
            t = x[0:2, 0:4] + 1.0
            y[3:, 5:] = t
            y[:8, :8] = t        # given by the stop only: ends there
            y[9:11, 0:4] = t
            y[12, 0:4] = x[0, 0:4] + 2.0   # the integer axis is inserted
            y[-2:, 8:12] = t
        expected = torch.zeros(16, 16)
        t = matrix()[:2, :4] + 1
        expected[3:5, 5:9] = t
        expected[6:8, 4:8] = t
        expected[9:11, :4] = t
        expected[12, :4] = matrix()[0, :4] + 2
        expected[14:16, 8:12] = t
        self.equal(run(body), expected)

    def test_stops_do_not_clip(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[0:1, 0:1] = x[0:4, 0:8] + 1.0
        expected = torch.zeros(16, 16)
        expected[:4, :8] = matrix()[:4, :8] + 1
        self.equal(run(body), expected)

    def test_only_tensors(self):
        def whole(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[:] = 3.0

        def part(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[0:2, :] = 3.0

        def moved(x: T([16, 16], F32), y: T([16, 16], F32)):
            y.move(3.0)

        def element(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[0, 0] = 3
        for body in (whole, part, moved, element):
            self.fails("F00001", "TypeError", run, body)

    def test_elements(self):
        def body(x: T([4, 4], I32), y: T([4, 4], I32)):
            pypto.set_vec_tile_shapes(4, 8)
            t = pypto.full([4, 4], 1, I32)
            for i in pypto.loop(4):
                t[i, 3 - i] = i * 10 + x[i, 0]
            t[0, 0] = -5
            y[:] = t
        x = torch.arange(16, dtype=torch.int32).reshape(4, 4)
        y = torch.zeros(4, 4, dtype=torch.int32)
        pypto.frontend.jit(body)(x, y)
        expected = torch.ones(4, 4, dtype=torch.int32)
        for i in range(4):
            expected[i, 3 - i] = i * 10 + x[i, 0]
        expected[0, 0] = -5
        self.equal(y, expected)

    def test_gather_and_scatter_by_subscript(self):
        def body(x: T([8, 8], F32), index: T([8, 8], I32), y: T([8, 8], F32), z: T([8, 8], F32)):
            pypto.set_vec_tile_shapes(8, 8)
            y[:] = x[1:index]
            t = x + 0.0
            t[0:index] = x * 2.0
            z[:] = t
        x = matrix(8, 8)
        index = torch.stack([torch.roll(torch.arange(8), i) for i in range(8)]).int()
        y, z = torch.zeros(8, 8), torch.zeros(8, 8)
        pypto.frontend.jit(body)(x, index, y, z)
        self.equal(y, torch.gather(x, 1, index.long()))
        self.equal(z, torch.scatter(x, 0, index.long(), x * 2))

    def test_in_place_methods_rebind(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 0.0
            u = x + 0.0
            t.fill_(2.0)
            u.tril_(1)
            y[:] = t + u
        self.equal(run(body), torch.tril(matrix(), 1) + 2)


if __name__ == "__main__":
    main()
