"""Values of the operations as Python calls them: scalars, broadcasting, dtypes, composites."""
from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
D = pypto
F16, BF16, I8, I16, I32, I64, U8, BOOL = (
    D.DT_FP16, D.DT_BF16, D.DT_INT8, D.DT_INT16, D.DT_INT32, D.DT_INT64, D.DT_UINT8, D.DT_BOOL)
TORCH = {F32: torch.float32, F16: torch.float16, BF16: torch.bfloat16, I8: torch.int8,
         I16: torch.int16, I32: torch.int32, I64: torch.int64, U8: torch.uint8, BOOL: torch.bool}


class OperationTest(KernelTest):
    """compute(operation, inputs) runs an operation over whole tensors."""

    def compute(self, operation, *inputs, tile=(16, 32)):
        """The output, of the shape and dtype that the recording says."""
        annotations = [T(list(t.shape), next(d for d, n in TORCH.items() if n == t.dtype))
                       for t in inputs]

        count = len(inputs)
        found = []

        def record(tensors, out):
            pypto.set_vec_tile_shapes(*tile)
            pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])
            result = operation(*tensors)
            found.append((result.shape, result.dtype))
            if out is not None:
                out[:] = result

        one, two, three = (annotations + [None] * 3)[:3]
        if count == 1:
            @pypto.frontend.jit
            def probe(a: one):
                record([a], None)

            def make(out_type):
                @pypto.frontend.jit
                def kernel(a: one, y: out_type):
                    record([a], y)
                return kernel
        elif count == 2:
            @pypto.frontend.jit
            def probe(a: one, b: two):
                record([a, b], None)

            def make(out_type):
                @pypto.frontend.jit
                def kernel(a: one, b: two, y: out_type):
                    record([a, b], y)
                return kernel
        else:
            @pypto.frontend.jit
            def probe(a: one, b: two, c: three):
                record([a, b, c], None)

            def make(out_type):
                @pypto.frontend.jit
                def kernel(a: one, b: two, c: three, y: out_type):
                    record([a, b, c], y)
                return kernel
        probe.compile(list(inputs))
        out_shape, out_dtype = found[0]
        y = torch.zeros(out_shape, dtype=TORCH[out_dtype])
        make(T(out_shape, out_dtype))(*inputs, y)
        return y

    def close(self, result, expected, rtol=1e-6):
        """Equal shapes and dtypes, close values."""
        self.assertEqual(tuple(result.shape), tuple(expected.shape))
        self.assertEqual(result.dtype, expected.dtype)
        self.assertTrue(torch.allclose(result.double(), expected.double(), rtol=rtol, atol=1e-30,
                                       equal_nan=True),
                        "%s\n%s" % (result.flatten()[:8], expected.flatten()[:8]))


X = matrix(5, 7, 0.25)
I = torch.arange(35, dtype=torch.int32).reshape(5, 7) - 17


class Scalars(OperationTest):
    def test_float_with_integers(self):
        for operation in (D.add, D.sub, D.mul, D.div):
            self.fails("F00001", "float scalar incompatible with integer tensor dtype",
                       self.compute, lambda t: operation(t, 1.5), I)

    def test_integers_take_the_dtype(self):
        self.equal(self.compute(lambda t: t + 3, X), X + 3)
        self.equal(self.compute(lambda t: t * 3, I), I * 3)

    def test_integers_wrap(self):
        x = torch.tensor([[2 ** 31 - 1, -2 ** 31, 5]], dtype=torch.int32)
        self.equal(self.compute(lambda t: t + 1, x),
                   torch.tensor([[-2 ** 31, -2 ** 31 + 1, 6]], dtype=torch.int32))

    def test_dtypes_must_agree(self):
        self.fails("FC0001", "Tensor data type inconsistent", self.compute,
                   lambda a, b: a + b, X, X.half())

    def test_where(self):
        mask = X > 2
        self.fails("F00002", "", self.compute,
                   lambda m, t: D.where(m, t, 0.5), mask, X.half())
        self.equal(self.compute(lambda m, t: D.where(m, t, 0.5), mask, X),
                   torch.where(mask, X, torch.full_like(X, 0.5)))
        self.equal(self.compute(lambda m: D.where(m, 1.0, 2.0), mask),
                   torch.where(mask, 1.0, 2.0))
        self.equal(self.compute(lambda m, t: D.where(m, D.Element(F16, 0.5), t), mask, X.half()),
                   torch.where(mask, torch.full_like(X, 0.5).half(), X.half()))

    def test_maximum_scalar_first(self):
        self.equal(self.compute(lambda t: D.maximum(2.0, t), X), X.clamp(min=2))
        self.equal(self.compute(lambda t: D.minimum(t, 2), I), I.clamp(max=2))

    def test_symbols_are_no_operands(self):
        self.assertRaises(pypto.error.PyptoError, self.compute,
                          lambda t: t + pypto.SymbolicScalar("n"), X)

    def test_element(self):
        self.fails("F00002", "ValueError", D.Element, F32, "a")
        self.equal(self.compute(lambda t: D.add(t, D.Element(F32, 2)), X), X + 2)


class Broadcasting(OperationTest):
    def test_axes_and_ranks(self):
        row, column = X[:1], X[:, :1].contiguous()
        self.equal(self.compute(D.add, X, row), X + row)
        self.equal(self.compute(D.sub, column, X), column - X)
        self.equal(self.compute(D.mul, column, row), column * row)
        self.equal(self.compute(D.add, X, X[0].contiguous()), X + X[0])

    def test_incompatible(self):
        self.fails("FC0000", "", self.compute, D.add, X, X[:, :3].contiguous())


class Integers(OperationTest):
    def test_division_gives_floats(self):
        self.equal(self.compute(lambda t: D.div(t, 4), I), I / 4)

    def test_wrapping_products(self):
        x = torch.tensor([[30000, -30000, 7]], dtype=torch.int16)
        self.equal(self.compute(lambda t: t * t, x), x * x)


class Casts(OperationTest):
    def cast(self, x, dtype, mode=D.CastMode.CAST_NONE, satmode=D.SaturationMode.OFF):
        return self.compute(lambda t: D.cast(t, dtype, mode, satmode), x)

    def test_default_of_float_to_integer_is_towards_zero(self):
        x = torch.tensor([[1.5, -1.5, 2.5, 0.5, -0.5, 2.7]])
        for mode, expected in ((D.CastMode.CAST_NONE, [1, -1, 2, 0, 0, 2]),
                               (D.CastMode.CAST_RINT, [2, -2, 2, 0, 0, 3]),
                               (D.CastMode.CAST_ROUND, [2, -2, 3, 1, -1, 3]),
                               (D.CastMode.CAST_FLOOR, [1, -2, 2, 0, -1, 2]),
                               (D.CastMode.CAST_CEIL, [2, -1, 3, 1, 0, 3]),
                               (D.CastMode.CAST_TRUNC, [1, -1, 2, 0, 0, 2])):
            self.equal(self.cast(x, I32, mode), torch.tensor([expected], dtype=torch.int32))

    def test_saturation(self):
        x = torch.tensor([[300.0, -300.0, 5.0]]).half()
        self.equal(self.cast(x, I8), torch.tensor([[44, -44, 5]], dtype=torch.int8))
        self.equal(self.cast(x, I8, satmode=D.SaturationMode.ON),
                   torch.tensor([[127, -128, 5]], dtype=torch.int8))

    def test_floats(self):
        x = torch.tensor([[1.0, 1 / 3, 65504.0, 70000.0, -1e-8]])
        self.equal(self.cast(x, F16), x.half())
        self.equal(self.cast(x, BF16), x.bfloat16())
        self.equal(self.cast(x.half(), F32), x.half().float())

    def test_pairs_that_do_not_exist(self):
        self.fails("FC0001", "A2A3 architecture does not support cast from DT_FP32 to DT_INT8 in "
                             "CAST", self.cast, X, I8)
        self.fails("FC0001", "", self.cast, X > 1, F32)

    def test_same_dtype_is_the_tensor_itself(self):
        def body(x: T([5, 7], F32)):
            same.append(D.cast(x, F32) is x)
        same = []
        pypto.frontend.jit(body).compile([X])
        self.assertEqual(same, [True])


class Operations(OperationTest):
    def test_functions(self):
        x = X / 4 + 0.125
        for name, function in (("exp", torch.exp), ("log", torch.log), ("sqrt", torch.sqrt),
                               ("rsqrt", torch.rsqrt), ("sin", torch.sin), ("cos", torch.cos),
                               ("tanh", torch.tanh), ("reciprocal", torch.reciprocal),
                               ("abs", torch.abs), ("neg", torch.neg), ("floor", torch.floor),
                               ("ceil", torch.ceil), ("trunc", torch.trunc),
                               ("round", torch.round), ("relu", torch.relu), ("erf", torch.erf),
                               ("exp2", torch.exp2), ("expm1", torch.expm1),
                               ("log1p", torch.log1p), ("log2", torch.log2)):
            with self.subTest(name):
                expected = function(x.double()).float()
                self.close(self.compute(getattr(D, name), x), expected)

    def test_rounds_once_to_16_bits(self):
        x = X.half()
        self.equal(self.compute(D.exp, x), torch.exp(x.double()).half())
        b = X.bfloat16()
        self.equal(self.compute(D.add, b, b * 0 + 1 / 3),
                   (b.double() + (b * 0 + 1 / 3).double()).bfloat16())

    def test_reductions(self):
        for dim in (0, 1, -1):
            for keep in (False, True):
                self.close(self.compute(lambda t: D.sum(t, dim, keep), X),
                           X.double().sum(dim, keep).float())
                self.equal(self.compute(lambda t: D.amax(t, dim, keep), X), X.amax(dim, keep))
                self.equal(self.compute(lambda t: D.amin(t, dim, keep), X), X.amin(dim, keep))
        self.fails("FC0001", "", self.compute, lambda t: D.sum(t, 0), X.half())

    def test_shapes(self):
        self.equal(self.compute(lambda t: D.transpose(t, 0, 1), X), X.t().contiguous())
        self.equal(self.compute(lambda a, b: D.concat([a, b], 1), X, X[:, :3].contiguous()),
                   torch.cat([X, X[:, :3]], 1))
        self.equal(self.compute(lambda t: D.expand_clone(t, [5, 7]), X[:1]), X[:1].expand(5, 7))
        self.equal(self.compute(D.clone, X), X.clone())
        x = X.reshape(5, 7, 1)
        self.equal(self.compute(lambda t: D.permute(t, [1, 2, 0]), x, tile=(5, 7, 8)),
                   x.permute(1, 2, 0).contiguous())
        self.equal(self.compute(lambda t: D.pad(t, [0, 2, 0, 1], value=3.0), X),
                   torch.nn.functional.pad(X, [0, 2, 0, 1], value=3.0))

    def test_creation(self):
        for make, expected in (
                (lambda t: D.full([2, 3], 1.5, F32) + 0.0, torch.full((2, 3), 1.5)),
                (lambda t: D.full([2, 3], D.Element(I32, 7), I32) + 0,
                 torch.full((2, 3), 7, dtype=torch.int32)),
                (lambda t: D.zeros(2, 3), torch.zeros(2, 3)),
                (lambda t: D.zeros([2, 3], dtype=I32), torch.zeros(2, 3, dtype=torch.int32)),
                (lambda t: D.ones(2, 3), torch.ones(2, 3)),
                (lambda t: D.arange(5), torch.arange(5, dtype=torch.int32)),
                (lambda t: D.arange(1, 8, 3), torch.arange(1, 8, 3, dtype=torch.int32)),
                (lambda t: D.arange(0.0, 1.0, 0.25), torch.arange(0, 1, 0.25))):
            self.equal(self.compute(make, X), expected)
        self.assertRaises(pypto.error.PyptoError, self.compute, lambda t: D.arange(0, 5, -1), X)
        self.assertRaises(pypto.error.PyptoError, self.compute, lambda t: D.arange(0, 5, 0), X)

    def test_sorting(self):
        x = torch.tensor([[3.0, 1.0, 3.0, 2.0, 5.0, 1.0, 0.0, 2.0] * 4])
        values, order = torch.sort(x, dim=-1, descending=True, stable=True)
        self.equal(self.compute(lambda t: D.topk(t, 5)[0], x), values[:, :5])
        self.equal(self.compute(lambda t: D.topk(t, 5)[1], x), order[:, :5].int())
        self.equal(self.compute(lambda t: D.topk(t, 5, largest=False)[1], x),
                   torch.sort(x, dim=-1, stable=True)[1][:, :5].int())
        self.equal(self.compute(lambda t: D.argsort(t, -1), x),
                   torch.sort(x, dim=-1, stable=True)[1].int())

    def test_indexes(self):
        index = torch.tensor([[0, 4, 2], [1, 1, 0]], dtype=torch.int32)
        self.equal(self.compute(lambda t, i: D.gather(t, 1, i), X, index),
                   torch.gather(X[:2], 1, index.long()))
        rows = torch.tensor([4, 0, 2], dtype=torch.int32)
        self.equal(self.compute(lambda t, i: D.index_select(t, 0, i), X, rows), X[rows.long()])
        bad = torch.tensor([[0, 99, 2]], dtype=torch.int32)
        self.assertRaises(pypto.error.PyptoError, self.compute,
                          lambda t, i: D.gather(t, 1, i), X, bad)

    def test_integers_of_four_bits(self):
        x = torch.tensor([[-9.0, -8.0, -1.0, 0.0, 6.5, 7.0, 8.0, 100.0] * 4]).half()
        for mode, expected in ((D.SaturationMode.OFF, [7, -8, -1, 0, 6, 7, -8, 4]),
                               (D.SaturationMode.ON, [-8, -8, -1, 0, 6, 7, 7, 7])):
            result = self.compute(lambda t: D.cast(D.cast(t, D.DT_INT4, satmode=mode), D.DT_FP16), x)
            self.equal(result, torch.tensor([expected * 4]).half())

    def test_clip_and_power(self):
        self.equal(self.compute(lambda t: D.clip(t, 1.0, 3.0), X), X.clip(1, 3))
        self.equal(self.compute(lambda t: D.clip(t, max=3.0), X), X.clip(max=3))
        self.equal(self.compute(lambda t: t ** 3, X), X * X * X)
        self.equal(self.compute(lambda t: D.pow(t, 0.5), X), X.sqrt())
        self.equal(self.compute(lambda t: D.pow(t, 0), X), torch.ones_like(X))

    def test_composites(self):
        self.close(self.compute(D.sigmoid, X), torch.sigmoid(X.double()).float())
        self.close(self.compute(lambda t: D.softmax(t, -1), X),
                   torch.softmax(X.double(), -1).float())
        self.close(self.compute(lambda t: D.softmax(t, 0), X.bfloat16()),
                   torch.softmax(X.bfloat16().double(), 0).bfloat16(), rtol=0.005)
        gamma = torch.arange(1, 8).float()
        expected = X.double() / (X.double().pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()
        self.close(self.compute(D.rms_norm, X), expected.float())
        self.close(self.compute(D.rms_norm, X, gamma), (expected * gamma).float())

    def test_operations_of_the_950(self):
        for function in (lambda t: D.experimental.online_softmax(t, 1.0)[0],
                         lambda t: D.quant_mx(t)[0]):
            self.fails("FC0001", "exists on Ascend 950 only, not on 910B1", self.compute, function,
                       torch.zeros(4, 64))

    def test_not_simulated_yet_says_so(self):
        error = self.fails("F00005", "pypto.experimental.shmem_load is not simulated yet",
                           self.compute, D.experimental.shmem_load, X)
        self.assertIn("NotImplementedError", str(error))


class Products(OperationTest):
    A = torch.randn(20, 24, generator=torch.Generator().manual_seed(1))
    B = torch.randn(24, 36, generator=torch.Generator().manual_seed(2))

    def test_transposes(self):
        exact = (self.A.double() @ self.B.double()).float()
        for a_trans in (False, True):
            for b_trans in (False, True):
                a = self.A.t().contiguous() if a_trans else self.A
                b = self.B.t().contiguous() if b_trans else self.B
                result = self.compute(lambda p, q: D.matmul(p, q, F32, a_trans=a_trans,
                                                            b_trans=b_trans), a, b)
                self.assertTrue(torch.allclose(result, exact, atol=1e-4))

    def test_accumulates_in_f32_in_order(self):
        a, b = self.A.bfloat16(), self.B.bfloat16()
        total = torch.zeros(20, 36)
        for k in range(24):
            total = total + a[:, k:k + 1].float() * b[k:k + 1].float()
        self.equal(self.compute(lambda p, q: D.matmul(p, q, BF16), a, b), total.bfloat16())
        self.equal(self.compute(lambda p, q: D.matmul(p, q, F32), a, b), total)

    def test_bias_and_batches(self):
        bias = torch.arange(36).float().reshape(1, 36)
        result = self.compute(lambda p, q, r: D.matmul(p, q, F32, extend_params={"bias_tensor": r}),
                              self.A, self.B, bias)
        exact = (self.A.double() @ self.B.double() + bias.double()).float()
        self.assertTrue(torch.allclose(result, exact, atol=1e-4))
        a = torch.stack([self.A, self.A * 2])
        b = self.B.reshape(1, 24, 36)
        result = self.compute(lambda p, q: D.matmul(p, q, F32), a, b, tile=(1, 32, 32))
        self.assertTrue(torch.allclose(result, (a.double() @ b.double()).float(), atol=1e-4))

    def test_errors(self):
        self.fails("F0000B", "", self.compute, lambda p, q: D.matmul(p, q, F32), self.A, self.A)
        self.fails("F00002", "", self.compute, lambda p, q: D.matmul(p, q, F32),
                   self.A, self.B.half())
        from pypto import _diagnose
        del _diagnose.told[:]
        self.compute(lambda p, q: D.matmul(p, q, F32, extend_params={"relu_typ": 1}), self.A, self.B)
        self.assertEqual([found[::2][:2] for found in _diagnose.told if found[2] == "unknown-option"],
                         [(1, "unknown-option")])
        self.fails("F00001", "DT_", self.compute, lambda p, q: D.matmul(p, q, 7), self.A, self.B)


if __name__ == "__main__":
    main()
