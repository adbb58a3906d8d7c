"""Spellings of calls that programs use: positional and keyword forms, methods, constants with a
data type. Each row gives the same call twice, for the kernel and for torch."""
import numpy as np

from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32, F16, BF16, I16, I64 = (pypto.DT_INT32, pypto.DT_FP16, pypto.DT_BF16, pypto.DT_INT16,
                            pypto.DT_INT64)
Element = pypto.Element
jit = pypto.frontend.jit

A = matrix(16, 64, -60.0)
B = matrix(16, 64, 1.0).flip(0)
I = torch.arange(16 * 64, dtype=torch.int32).reshape(16, 64) - 500
S = (I % 90).to(torch.int16)
ROWS = torch.tensor([3, 1, 5])
PLACES = torch.stack([(torch.arange(10) * 7 + row) % 64 for row in range(16)])
SOURCE = matrix(16, 10, 2.0)
CUBE = matrix(4, 128, -3.0).reshape(4, 8, 16)

# name: (the call, its arguments, the result)
FORMS = {
    "add, input_tensor=": (lambda a, b: pypto.add(input_tensor=a, other=b), [A, B], A + B),
    "sub, method": (lambda a, b: a.sub(b), [A, B], A - B),
    "scalar - t": (lambda a: 2 - a, [A], 2 - A),
    "+t": (lambda a: +a, [A], A),
    "t % scalar": (lambda a: a % 3.0, [A], torch.remainder(A, 3.0)),
    "t // t": (lambda a, b: a // b, [A, B], torch.floor(A / B)),
    "t == Element": (lambda a: a == Element(F32, 0.0), [A], A == 0),
    "greater, method": (lambda a: a.greater(0.0), [A], A > 0),
    "maximum, scalar first": (lambda a: pypto.maximum(0.0, a), [A], A.clamp(min=0)),
    "minimum, Element": (lambda a: pypto.minimum(a, Element(F32, 0.5)), [A], A.clamp(max=0.5)),
    "clip, max=": (lambda a: pypto.clip(a, max=5), [I], I.clamp(max=5)),
    "clip, floats and a half": (lambda a: pypto.clip(a, -1.5, 2.5), [A.half()],
                                A.clamp(-1.5, 2.5).half()),
    "clip, an int and a bfloat": (lambda a: pypto.clip(a, min=1),
                                  [A.bfloat16()], A.bfloat16().clamp(min=1)),
    "clip, no bounds": (pypto.clip, [A], A),
    "clip, tensors": (lambda a, b: pypto.clip(a, b * -0.5, b), [A, B],
                      torch.minimum(torch.maximum(A, B * -0.5), B)),
    "lrelu, other=": (lambda a: pypto.lrelu(other=a, negative_slope=0.5), [A],
                      torch.where(A >= 0, A, A * 0.5)),
    "where, two tensors by keyword": (
        lambda a, b: pypto.where(condition=a > b, input=a, other=b), [A, B],
        torch.where(A > B, A, B)),
    "where, two floats": (lambda a: pypto.where(a > 0.0, 1.0, -1.0), [A],
                          torch.where(A > 0, 1.0, -1.0)),
    "where, two I32 Elements": (
        lambda a: pypto.where(a > 0.0, Element(I32, 3), Element(I32, -3)), [A],
        torch.where(A > 0, 3, -3).to(torch.int32)),
    "where, two F16 Elements": (
        lambda a: pypto.where(a > 0.0, Element(F16, 3.0), Element(F16, -3.0)), [A],
        torch.where(A > 0, 3.0, -3.0).to(torch.float16)),
    "where, method of the condition": (lambda a, b: (a > b).where(a, b), [A, B],
                                       torch.where(A > B, A, B)),
    "bitwise_and, self=": (lambda a: pypto.bitwise_and(self=a, other=5), [S], S & 5),
    "bitwise_right_shift, scalar": (lambda a: pypto.bitwise_right_shift(a, 2), [S], S >> 2),
    "ceil_div, int": (lambda a: pypto.ceil_div(self=a, other=4), [I],
                      torch.div(I + 3, 4, rounding_mode="floor")),
    "sum, keywords": (lambda a: pypto.sum(input=a, dim=0, keepdim=True), [A],
                      A.sum(0, keepdim=True)),
    "amax, method": (lambda a: a.amax(-1), [A], A.amax(-1)),
    "argmin, positional": (lambda a: pypto.argmin(a, -1, True), [A],
                           A.argmin(-1, keepdim=True).to(torch.int32)),
    "argsort, default axis": (lambda a: pypto.argsort(a, descending=True), [A],
                              A.argsort(-1, descending=True).to(torch.int32)),
    "gather, t[dim : index]": (lambda a, i: a[-1:i], [A, PLACES.to(torch.int32)],
                               A.gather(1, PLACES)),
    "index_select, I64": (lambda a, i: pypto.index_select(a, -2, i), [A, ROWS], A[ROWS]),
    "gathermask, keyword": (lambda a: a.gathermask(pattern_mode=4), [A], A[:, 1::4].contiguous()),
    "scatter, Element": (lambda a, i: a.scatter(-1, i, Element(F32, 2.0)), [A, PLACES],
                         A.scatter(1, PLACES, 2.0)),
    "scatter, reduce": (lambda a, i, s: pypto.scatter(a, 1, i, s, reduce="add"),
                        [A, PLACES, SOURCE], A.scatter_add(1, PLACES, SOURCE)),
    "index_add, alpha": (lambda a, i, s: pypto.index_add(a, 0, i, s, alpha=2),
                         [A, ROWS, B[:3].clone()], A.index_add(0, ROWS, B[:3], alpha=2)),
    "permute, perm=": (lambda a: a.permute(perm=[1, 0]), [A], A.t().contiguous()),
    "permute, tuple": (lambda a: pypto.permute(a, (-1, 0)), [A], A.t().contiguous()),
    "permute, dims=": (lambda a: pypto.permute(input_tensor=a, dims=[1, 0]), [A],
                       A.t().contiguous()),
    "unsqueeze, keywords": (lambda a: pypto.unsqueeze(input=a, dim=-1), [A], A.unsqueeze(-1)),
    "expand_clone, method": (lambda a: a[:, 0:1].expand_clone([16, 64], valid_shape=[16, 64]),
                             [A], A[:, :1].expand(16, 64).contiguous()),
    "concat, keywords": (lambda a, b: pypto.concat(tensors=(a, b), dim=1), [A, B],
                         torch.cat([A, B], 1)),
    "pad, four amounts": (lambda a: a.pad((0, 8, 0, 2), "constant", 1.5), [A],
                          torch.nn.functional.pad(A, (0, 8, 0, 2), value=1.5)),
    "tril, positional": (lambda a: a.tril(-2), [I], I.tril(-2)),
    "full, Element": (lambda a: pypto.full([16, 64], Element(BF16, 3.0), BF16), [A],
                      torch.full((16, 64), 3.0, dtype=torch.bfloat16)),
    "full, symbol": (lambda a: pypto.full([4, 64], pypto.SymbolicScalar(4), I32), [A],
                     torch.full((4, 64), 4, dtype=torch.int32)),
    "zeros, list": (lambda a: pypto.zeros([4, 64], dtype=F16), [A],
                    torch.zeros(4, 64, dtype=torch.float16)),
    "arange, step": (lambda a: pypto.arange(2, 30, 3), [A],
                     torch.arange(2, 30, 3, dtype=torch.int32)),
    "view, tuples": (lambda a: pypto.view(a, (4, 64), (2, 0)), [A], A[2:6].clone()),
    "view, dtype=": (lambda a: pypto.view(a, dtype=I16), [A], A.view(torch.int16)),
    "view and slice, integers of NumPy and torch": (
        lambda a: pypto.view(a, [np.int64(4), 64], [torch.tensor(2), np.int32(0)])[np.int16(1):],
        [A], A[3:6].clone()),
    "sum, an int as flag": (lambda a: pypto.sum(a, np.int64(0), 1), [A], A.sum(0, keepdim=True)),
    "mul, a scalar of NumPy": (lambda a: a * np.float32(0.5) + np.float16(2), [A], A * 0.5 + 2),
    "t[-1]": (lambda a: a[-1], [CUBE], CUBE[-1].clone()),
    "t[..., int]": (lambda a: a[..., 1], [CUBE], CUBE[..., 1].contiguous()),
    "t[:, negative slice]": (lambda a: a[:, -3:-1], [CUBE], CUBE[:, -3:-1].contiguous()),
    "var, list and correction": (lambda a: pypto.var(a, [1], 0), [CUBE[0]],
                                 CUBE[0].var(1, unbiased=False)),
    "var, keepdim by position": (lambda a: pypto.var(a, [1], 0, True), [CUBE[0]],
                                 CUBE[0].var(1, unbiased=False, keepdim=True)),
}


class Forms(KernelTest):
    """One kernel a row."""

    def test_calls(self):
        for name, (call, given, expected) in FORMS.items():
            with self.subTest(name):
                out = torch.zeros(expected.shape, dtype=expected.dtype)
                self.kernel(call, len(given))(*given, out)
                if expected.is_floating_point():
                    self.assertEqual(out.dtype, expected.dtype)
                    self.assertTrue(torch.allclose(out.float(), expected.float(), 1e-6, 1e-6),
                                    "%s instead of %s" % (out, expected))
                else:
                    self.equal(out, expected)

    def kernel(self, call, count):
        def body(arguments, out):
            pypto.set_vec_tile_shapes(*{3: (4, 8, 16)}.get(arguments[0].dim, (16, 64)))
            result = call(*arguments)
            if result.dim == 3 and arguments[0].dim == 2:
                result = pypto.reshape(result, result.shape)
            out[:] = result

        @jit
        def one(a: T(), out: T()):
            body([a], out)

        @jit
        def two(a: T(), b: T(), out: T()):
            body([a, b], out)

        @jit
        def three(a: T(), b: T(), c: T(), out: T()):
            body([a, b, c], out)
        return (one, two, three)[count - 1]

    def test_argsort_of_an_unaligned_tile_is_told_only(self):
        @jit
        def kernel(x: T([16, 20], F32), out: T([16, 20], I32)):
            pypto.set_vec_tile_shapes(16, 20)
            out[:] = pypto.argsort(x)
        x, out = A[:, :20].flip(1).contiguous(), torch.zeros(16, 20, dtype=torch.int32)
        kernel(x, out)
        self.equal(out, x.argsort(-1).to(torch.int32))
        told = [found[2] for found in kernel.compile([x, out]).program.diagnostics()]
        self.assertIn("alignment", told)

    def test_nested_functions_take_parameters_in_any_order(self):
        @pypto.frontend.function
        def scaled(x: T([16, 64], F32), factor: int, out: T([16, 64], F32)):
            out[:] = x * float(factor)

        @jit
        def kernel(x: T([16, 64], F32), out: T([16, 64], F32)):
            pypto.set_vec_tile_shapes(16, 64)
            scaled(x, 3, out)
        out = torch.zeros(16, 64)
        kernel(A, out)
        self.equal(out, A * 3)

        @jit
        def swapped(x: T([16, 64], F32), out: T([16, 64], F32)):
            pypto.set_vec_tile_shapes(16, 64)
            scaled(x, out, 3)
        self.fails("F00001", "'factor' must be int", swapped, A, out)

    def test_reshape_of_one_row_has_no_gaps(self):
        @jit
        def kernel(x: T([pypto.DYN, 8], F32), out: T([pypto.DYN, 8, 1], F32)):
            pypto.set_vec_tile_shapes(1, 8, 8)
            for i in pypto.loop(x.shape[0]):
                column = pypto.reshape(x[i:i + 1, :], [1, 8, 1])
                pypto.assemble(column + 1.0, [i, 0, 0], out)
        x, out = matrix(5, 8), torch.zeros(5, 8, 1)
        kernel(x, out)
        self.equal(out, x.unsqueeze(-1) + 1)
        told = [found[2] for found in kernel.compile([x, out]).program.diagnostics()]
        self.assertNotIn("reshape-gaps", told)


if __name__ == "__main__":
    main()
