"""Every built operation of ops.def, through its Python function, against an independent reference."""
import math
import re

import torch
from support import F32, main, matrix, pypto
from test_numerics import F16, I8, OperationTest

D = pypto
A = matrix(5, 7, 0.25) / 3 - 1.5
B = (matrix(5, 7, 0.5) / 2 - 2).flip(0).contiguous()
N = torch.arange(35, dtype=torch.int32).reshape(5, 7) - 17
M = (torch.arange(35, dtype=torch.int32).reshape(5, 7) % 5) + 1
# Rows that start and end on whole blocks, for operations that insist.
W = torch.randn(4, 32, generator=torch.Generator().manual_seed(3))


def exact(function, *inputs):
    """The function in double, rounded once to the first input's type."""
    return function(*[t.double() for t in inputs]).to(inputs[0].dtype)


UNARY = {
    "abs": torch.abs, "neg": torch.neg, "sign": torch.sign, "relu": torch.relu,
    "reciprocal": torch.reciprocal, "exp": torch.exp, "exp2": torch.exp2, "expm1": torch.expm1,
    "sin": torch.sin, "cos": torch.cos, "tan": torch.tan, "tanh": torch.tanh, "sinh": torch.sinh,
    "cosh": torch.cosh, "asinh": torch.asinh, "atan": torch.atan, "erf": torch.erf,
    "erfc": torch.erfc, "floor": torch.floor, "ceil": torch.ceil, "trunc": torch.trunc,
    "round": torch.round, "clone": torch.clone, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt,
    "log": torch.log, "log2": torch.log2, "log10": torch.log10, "log1p": torch.log1p,
    "asin": torch.asin, "acos": torch.acos, "atanh": torch.atanh, "acosh": torch.acosh,
    "cbrt": lambda x: torch.copysign(x.abs() ** (1 / 3), x),
}
BINARY = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div,
    "maximum": torch.maximum, "minimum": torch.minimum, "hypot": torch.hypot,
    "atan2": torch.atan2, "copysign": torch.copysign, "fmod": torch.fmod,
    "remainder": torch.remainder, "expand_exp_dif": lambda a, b: (a - b).exp(),
    "floor_div": lambda a, b: (a / b).floor(),
}


class Elementwise(OperationTest):
    def test_unary(self):
        for name, function in UNARY.items():
            with self.subTest(name):
                self.close(self.compute(getattr(D, name), A), exact(function, A), rtol=2e-7)

    def test_binary(self):
        for name, function in BINARY.items():
            with self.subTest(name):
                self.close(self.compute(getattr(D, name), A, B), exact(function, A, B), rtol=2e-7)

    def test_comparisons(self):
        for name in ("gt", "ge", "lt", "le", "eq", "ne"):
            self.equal(self.compute(getattr(D, name), A, B), getattr(torch, name)(A, B))
            self.equal(self.compute(lambda t: getattr(D, name)(t, 0.25), A),
                       getattr(torch, name)(A, 0.25))
        self.equal(self.compute(D.greater, A, B), A > B)

    def test_bools(self):
        self.equal(self.compute(D.logical_not, N), N == 0)
        self.equal(self.compute(D.logical_and, N, A), (N != 0) & (A != 0))
        special = torch.tensor([[0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 2.0] * 4])
        self.equal(self.compute(D.signbit, special),
                   torch.tensor([[False, True, False, True, False, False, True, False] * 4]))
        self.equal(self.compute(D.isfinite, special), torch.isfinite(special))
        self.equal(self.compute(D.isnan, special), torch.isnan(special))
        self.equal(self.compute(D.isnan, special.half()), torch.isnan(special))
        self.equal(self.compute(D.isnan, special.bfloat16()), torch.isnan(special))

    def test_integers(self):
        self.equal(self.compute(D.gcd, N, M), torch.gcd(N, M))
        self.equal(self.compute(D.ceil_div, N, M), torch.ceil(N / M).int())
        self.equal(self.compute(D.floor_div, N, M), torch.floor(N / M).int())
        self.equal(self.compute(D.remainder, N, M), torch.remainder(N, M))
        small, other = N.to(torch.int16), M.to(torch.int16)
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            self.equal(self.compute(getattr(D, name), small, other),
                       getattr(torch, name)(small, other))
            self.equal(self.compute(lambda t: getattr(D, name)(t, 6), small),
                       getattr(torch, name)(small, 6))
        self.equal(self.compute(D.bitwise_not, small), torch.bitwise_not(small))
        self.equal(self.compute(lambda t: D.bitwise_left_shift(t, 3), small), small * 8)
        self.equal(self.compute(lambda t: D.bitwise_right_shift(t, 2), small),
                   torch.div(small, 4, rounding_mode="floor"))

    def test_with_parameters(self):
        self.equal(self.compute(lambda t: D.lrelu(t, 0.25), A), torch.where(A < 0, A * 0.25, A))
        self.close(self.compute(lambda t: D.lrelu(t), A), torch.where(A < 0, A * 0.01, A))
        weight = torch.arange(1, 8).float() / 8
        self.equal(self.compute(D.prelu, A, weight), torch.where(A < 0, A * weight, A))
        self.equal(self.compute(lambda t: D.round(t, 1), A * 0 + 0.25), A * 0 + 0.2)
        self.equal(self.compute(lambda a, b: D.clip(a, b - 0.5, b + 0.5), A, B),
                   torch.minimum(torch.maximum(A, B - 0.5), B + 0.5))
        self.close(self.compute(lambda t: D.pow(t, 1.7), A.abs()),
                   exact(lambda x: x ** 1.7, A.abs()), rtol=3e-7)

    def test_in_place(self):
        def axpy(y, x):
            t = y + 0.0
            D.axpy_(t, x, 2.5)
            return t

        def triangle(t):
            copy = t + 0.0
            copy.triu_(-1)
            return copy
        self.equal(self.compute(axpy, A, B), (B.double() * 2.5 + A.double()).float())
        self.equal(self.compute(triangle, A), torch.triu(A, -1))
        self.equal(self.compute(lambda t: D.tril(t, 1), A), torch.tril(A, 1))


class Reductions(OperationTest):
    def test_all(self):
        self.close(self.compute(lambda t: D.prod(t, 1), A), exact(lambda t: t.prod(1), A))
        for name in ("argmax", "argmin"):
            self.equal(self.compute(lambda t: getattr(D, name)(t, -1), W),
                       getattr(W, name)(-1).int())
        self.close(self.compute(lambda t: D.var(t, -1), A), exact(lambda t: t.var(-1), A))
        self.close(self.compute(lambda t: D.var(t, [0, 1], correction=0, keepdim=True), A),
                   exact(lambda t: t.var([0, 1], unbiased=False, keepdim=True), A))
        self.close(self.compute(lambda t: D.cumsum(t, 0), A), exact(lambda t: t.cumsum(0), A),
                   rtol=1e-5)
        self.equal(self.compute(lambda t: D.cumsum(t, 1), N), N.long().cumsum(1))
        self.close(self.compute(lambda t: D.cumprod(t, 1), A), exact(lambda t: t.cumprod(1), A),
                   rtol=1e-5)
        self.equal(self.compute(lambda t: D.sum(t, 0), N), N.sum(0).int())


class Indexes(OperationTest):
    def test_select_and_scatter(self):
        rows = torch.tensor([[4, 0], [2, 2]], dtype=torch.int32)
        self.equal(self.compute(lambda t, i: D.index_select(t, 0, i), A, rows, tile=(2, 2, 8)),
                   A[rows.long()])
        index = torch.tensor([[1, 3, 0], [4, 0, 2]], dtype=torch.int32)
        source = torch.tensor([[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]])
        for reduce, mode in ((None, None), ("add", "add"), ("multiply", "multiply")):
            expected = A.scatter(1, index.long(), source) if reduce is None else \
                A.scatter(1, index.long(), source, reduce=mode)
            self.equal(self.compute(lambda t, i, s: D.scatter(t, 1, i, s, reduce=reduce),
                                    A, index, source), expected)
        self.equal(self.compute(lambda t, i: D.scatter(t, 1, i, 5.0), A, index),
                   A.scatter(1, index.long(), 5.0))

        def in_place(t, i, s):
            copy = t + 0.0
            copy.scatter_(1, i, s)
            return copy
        self.equal(self.compute(in_place, A, index, source), A.scatter(1, index.long(), source))
        self.fails("F00002", "reduce", self.compute,
                   lambda t, i, s: D.scatter(t, 1, i, s, reduce="mean"), A, index, source)

    def test_counts_have_the_codes_of_vector_operations(self):
        for k in (0, 8):
            self.fails("FC0000", "The k should less than or equal to", self.compute,
                       lambda t, k=k: D.topk(t, k)[0], A)
        for count in (1, 129):
            self.fails("FC0003", "2 to 128 tensors", self.compute,
                       lambda t, count=count: D.concat([t] * count), A)

    def test_index_add_and_put(self):
        index = torch.tensor([3, 0, 3], dtype=torch.int32)
        source = torch.arange(21).float().reshape(3, 7)
        expected = A.index_add(0, index.long(), source, alpha=2)
        self.equal(self.compute(lambda t, i, s: D.index_add(t, 0, i, s, alpha=2), A, index, source),
                   expected)

        def in_place(t, i, s):
            copy = t + 0.0
            D.index_add_(copy, 0, i, s, alpha=2)
            return copy
        self.equal(self.compute(in_place, A, index, source), expected)

        def put(t, i, v):
            copy = t + 0.0
            D.index_put_(copy, (i,), v)
            return copy
        places = torch.tensor([3, 0, 1], dtype=torch.int32)
        changed = A.clone()
        changed[places.long()] = source
        self.equal(self.compute(put, A, places, source), changed)

    def test_the_rest(self):
        self.equal(self.compute(lambda t: D.one_hot(t, 8), M, tile=(5, 7, 8)),
                   torch.nn.functional.one_hot(M.long(), 8))
        x = torch.arange(32).float().reshape(2, 16)
        for mode, part in ((1, x[:, 0::2]), (2, x[:, 1::2]), (3, x[:, 0::4]), (4, x[:, 1::4]),
                           (5, x[:, 2::4]), (6, x[:, 3::4]), (7, x)):
            self.equal(self.compute(lambda t: D.gathermask(t, mode), x), part.contiguous())
        self.equal(self.compute(lambda t: D.argsort(t, -1, True), W),
                   torch.sort(W, dim=-1, descending=True, stable=True)[1].int())

    def test_paged(self):
        cache = torch.arange(96).float().reshape(24, 4)       # 6 blocks of 4 rows
        table = torch.tensor([[5, 1, 0, 2]], dtype=torch.int32)
        rows = torch.tensor([[0, 5, 11, 3, 12]], dtype=torch.int32)
        places = [table[0, i // 4].item() * 4 + i % 4 for i in rows[0].tolist()]
        self.equal(self.compute(lambda p, i, b: D.experimental.gather_in_ub(p, i, b, 4, -2),
                                cache, rows, table), cache[places])

    def test_paged_operand_of_a_product(self):
        cache = torch.randn(64, 48, generator=torch.Generator().manual_seed(4))
        table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
        rows = torch.arange(0, 32, dtype=torch.int32).reshape(1, 32)
        places = [table[0, i // 16].item() * 16 + i % 16 for i in rows[0].tolist()]
        a = torch.randn(16, 32, generator=torch.Generator().manual_seed(5))
        expected = a.double() @ cache[places, :32].double()

        @pypto.frontend.jit
        def kernel(a: D.Tensor([16, 32], F32), c: D.Tensor([64, 48], F32),
                   i: D.Tensor([1, 32], D.DT_INT32), b: D.Tensor([1, 4], D.DT_INT32),
                   y: D.Tensor([16, 32], F32)):
            pypto.set_vec_tile_shapes(16, 32)
            pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 32])
            part = D.experimental.gather_in_l1(c, i, b, 16, 32, True, False)
            y[:] = D.matmul(a, part, F32)
        y = torch.zeros(16, 32)
        kernel(a, cache, rows, table, y)
        self.assertTrue(torch.allclose(y, expected.float(), atol=1e-4))

    def test_scatter_update(self):
        index = torch.tensor([[3, 7], [0, 20]], dtype=torch.int64)
        source = -torch.arange(16).float().reshape(4, 4)
        cache = torch.arange(96).float().reshape(24, 4)

        @pypto.frontend.jit
        def kernel(c: D.Tensor([24, 4], F32), i: D.Tensor([2, 2], D.DT_INT64),
                   s: D.Tensor([4, 4], F32)):
            pypto.set_vec_tile_shapes(2, 8)
            c[:] = D.scatter_update(c, -2, i, s)
        expected = cache.clone()
        expected[index.flatten()] = source
        kernel(cache, index, source)
        self.equal(cache, expected)

    def test_pack_and_unpack(self):
        import numpy
        dtypes = ((torch.float32, pypto.DT_FP32), (torch.int16, pypto.DT_INT16),
                  (torch.int64, pypto.DT_INT64), (torch.float16, pypto.DT_FP16))
        for host, dtype in dtypes:
            x = torch.arange(-20, 44).reshape(4, 16).to(host)
            data = numpy.frombuffer(x.numpy().tobytes(), dtype=numpy.uint8).copy()
            data = torch.from_numpy(data)

            @pypto.jit
            def kernel(x: D.Tensor[...], packed: D.Tensor[...], back: D.Tensor[...]):
                pypto.set_vec_tile_shapes(4, 16)
                packed[:] = pypto.pack(x)
                pypto.set_vec_tile_shapes(64)
                back[:] = pypto.unpack(packed, dtype)  # noqa: B023
            packed, back = torch.zeros(len(data), dtype=torch.uint8), torch.zeros(64, dtype=host)
            kernel(x, packed, back)
            self.equal(packed, data)
            self.equal(back, x.reshape(-1))

    def test_what_unpack_refuses(self):
        def kernel_with(tile, dtype):
            @pypto.jit
            def kernel(x: D.Tensor[...], y: D.Tensor[...]):
                pypto.set_vec_tile_shapes(tile)
                y[:] = pypto.unpack(x, dtype)
            return kernel
        y = torch.zeros(4)
        small, odd = torch.zeros(16, dtype=torch.uint8), torch.zeros(18, dtype=torch.uint8)
        self.fails("FC0000", "Cannot unpack tile to", kernel_with(16, F32), odd, y)
        self.fails("FC0000", "UnPack tile shape invalid", kernel_with(6, F32), small, y)
        self.fails("F00001", "whole bytes", kernel_with(16, pypto.DT_BOOL), small, y)

    def test_atomic_add(self):
        y = torch.ones(8, 8)

        @pypto.frontend.jit
        def kernel(x: D.Tensor([4, 8], F32), y: D.Tensor([8, 8], F32)):
            pypto.set_vec_tile_shapes(8, 8)
            for i in pypto.loop(3):
                D.atomic_add(x + 0.0, [i, 0], y)
        x = torch.arange(32).float().reshape(4, 8)
        kernel(x, y)
        expected = torch.ones(8, 8)
        for i in range(3):
            expected[i:i + 4] += x
        self.equal(y, expected)


class Products(OperationTest):
    def test_quantised(self):
        x = A * 10
        scale = torch.tensor([0.5, 1.0, 2.0, 3.0, 0.25])
        quantised = torch.round(x * scale[:, None]).clamp(-128, 127).to(torch.int8)
        self.equal(self.compute(lambda t, s: D.quantize(t, s, I8, -1), x, scale), quantised)
        self.equal(self.compute(lambda t, s: D.dequantize(t, s, F32, -1), quantised, scale),
                   quantised.float() * scale[:, None])

    def test_relu_and_scale(self):
        a = torch.randint(-8, 8, (16, 32), dtype=torch.int8)
        b = torch.randint(-8, 8, (32, 32), dtype=torch.int8)
        exact_product = a.double() @ b.double()
        extend = {"scale": 0.5, "relu_type": D.ReLuType.RELU}
        result = self.compute(lambda p, q: D.matmul(p, q, F16, extend_params=extend), a, b)
        self.equal(result, (exact_product.clamp(min=0) * 0.5).half())

    def test_transposed_batches(self):
        a = torch.randn(16, 2, 32).half()
        b = torch.randn(2, 32, 16).half()
        result = self.compute(
            lambda p, q: D.experimental.transposed_batchmatmul(p, q, F16), a, b, tile=(16, 2, 32))
        self.assertTrue(torch.allclose(
            result.double(), torch.einsum("mbk,bkn->mbn", a.double(), b.double()), rtol=2e-3,
            atol=2e-3))

    def test_nop(self):
        self.equal(self.compute(lambda a, b: D.experimental.nop([a, b]) + 0.0, A, B), A)

    def test_scalar_division_of_the_binding(self):
        divide = D.pypto_impl.ScalarDivS
        self.equal(self.compute(lambda t: divide(t, D.Element(F32, 4.0), False), A), A / 4)
        self.close(self.compute(lambda t: divide(t, D.Element(F32, 4.0), True), A), 4 / A)


class Coverage(OperationTest):
    def test_every_built_operation_is_named_here(self):
        """An operation that nobody calls from Python is an operation that nobody has tried."""
        from pypto import _ops
        with open(__file__, encoding="utf-8") as file:
            text = file.read()
        for name in ("test_numerics.py", "test_views.py", "test_tensors.py", "test_950.py",
                     "test_950_products.py"):
            with open(__file__.replace("test_operations.py", name), encoding="utf-8") as file:
                text += file.read()
        planned = {"verify", "pass_verify_print",
                   "pass_verify_save", "set_verify_golden_data"}
        for name in _ops.MEANINGS:
            short = name.rpartition(".")[2]
            if name not in planned and name not in _ops.SYNTAX:
                self.assertTrue(re.search(r"\b%s\b" % short, text), "no test calls " + short)


if __name__ == "__main__":
    main()
