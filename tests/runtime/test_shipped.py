"""What programs written for the device rely on: reshapes in place, tensors of loops behind them,
chains of 16-bit operations, limits that only documentation states, forms of bias and scale."""
import os
import subprocess
import sys

from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32, F16, BF16, I8, U64 = (pypto.DT_INT32, pypto.DT_FP16, pypto.DT_BF16, pypto.DT_INT8,
                           pypto.DT_UINT64)
jit = pypto.frontend.jit


def findings(kernel, *arguments):
    """The ids of what a recording tells."""
    return [found[2] for found in kernel.compile(list(arguments)).program.diagnostics()]


class Aliases(KernelTest):
    """A reshape in place is another description of the same memory."""

    def test_fills_a_parameter(self):
        for own_loop in (False, True):
            @jit
            def kernel(x: T([pypto.DYN, 16], F32), out: T([pypto.DYN, 4, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                b = out.shape[0]
                if own_loop:
                    for _ in pypto.loop(1):
                        flat = pypto.reshape(out, [b * 4, 16], inplace=True)
                else:
                    flat = pypto.reshape(out, [b * 4, 16], inplace=True)
                for i in pypto.loop(b):
                    pypto.assemble(pypto.view(x, [4, 16], [i * 4, 0]) + 1.0, [i * 4, 0], flat)
            out = torch.zeros(3, 4, 16)
            kernel(matrix(12), out)
            self.equal(out, matrix(12).reshape(3, 4, 16) + 1)
            self.assertNotIn("no-output", findings(kernel, matrix(12), out))

    def test_sees_writes_to_the_parameter(self):
        @jit
        def kernel(x: T([4, 16], F32), middle: T([2, 2, 16], F32), out: T([4, 16], F32)):
            pypto.set_vec_tile_shapes(2, 2, 16)
            flat = pypto.reshape(middle, [4, 16], inplace=True)
            for i in pypto.loop(2):
                pypto.assemble(pypto.reshape(x[i * 2:i * 2 + 2, :], [1, 2, 16]) * 2.0, [i, 0, 0],
                               middle)
            for _ in pypto.loop(1):
                out[:] = flat + 1.0
        middle, out = torch.zeros(2, 2, 16), torch.zeros(4, 16)
        kernel(matrix(4), middle, out)
        self.equal(middle.reshape(4, 16), matrix(4) * 2)
        self.equal(out, matrix(4) * 2 + 1)

    def test_a_declared_tensor(self):
        @jit
        def kernel(x: T([4, 16], F32), out: T([2, 32], F32)):
            pypto.set_vec_tile_shapes(4, 16)
            local = pypto.tensor([2, 32], F32)
            flat = pypto.reshape(local, [4, 16], inplace=True)
            for i in pypto.loop(4):
                pypto.assemble(x[i:i + 1, :] * 3.0, [i, 0], flat)
            for _ in pypto.loop(1):
                out[:] = local
        out = torch.zeros(2, 32)
        kernel(matrix(4), out)
        self.equal(out, (matrix(4) * 3).reshape(2, 32))

    def test_move_and_rebinding_of_the_name(self):
        @jit
        def kernel(x: T([4, 16], F32), out: T([2, 32], F32), copy: T([8, 8], F32)):
            pypto.set_vec_tile_shapes(4, 16)
            y = x + 1.0
            y = pypto.reshape(y, [8, 8], inplace=True)
            copy[:] = y * 1.0
            flat = pypto.reshape(out, [4, 16], inplace=True)
            flat[:] = x - 1.0
        out, copy = torch.zeros(2, 32), torch.zeros(8, 8)
        kernel(matrix(4), out, copy)
        self.equal(out, (matrix(4) - 1).reshape(2, 32))
        self.equal(copy, (matrix(4) + 1).reshape(8, 8))

    def test_reading_and_assembling_through_it_is_a_cycle(self):
        @jit
        def kernel(x: T([4, 16], F32), out: T([2, 32], F32)):
            pypto.set_vec_tile_shapes(4, 32)
            flat = pypto.reshape(out, [4, 16], inplace=True)
            row = out[0:1, :] + 1.0
            pypto.assemble(pypto.reshape(row, [2, 16]), [0, 0], flat)
        self.fails("F21009", "OP_DEPENDENCY_CYCLE", kernel, matrix(4), torch.zeros(2, 32))

    def test_another_count(self):
        @jit
        def kernel(x: T([pypto.DYN, 16], F32), n: T([pypto.DYN], I32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            rows = n.shape[0]
            seen = pypto.reshape(x, [rows * 2, 8], inplace=True)
            for i in pypto.loop(4):
                at = pypto.view(seen, [2, 8], [i * 2, 0], valid_shape=[2, 8])
                pypto.assemble(at * 1.0, [i * 2, 0], out)
        out = torch.zeros(16, 16)
        kernel(matrix(4), torch.zeros(3, dtype=torch.int32), out)  # 24 of 32 numbers are described
        self.equal(out[:8, :8], matrix(4).reshape(8, 8))
        self.fails("F74006", "leaves the source", kernel, matrix(3),
                   torch.zeros(20, dtype=torch.int32), out)


class Locals(KernelTest):
    """Tensors made in a loop may be used behind it."""

    def test_a_loop_of_one_iteration(self):
        @jit
        def kernel(x: T([16, 16], F32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for _ in pypto.loop(1):
                y = x + 1.0
            for i in pypto.loop(4):
                out[i * 4:i * 4 + 4, :] = y[i * 4:i * 4 + 4, :] * 2.0
        out = torch.zeros(16, 16)
        kernel(matrix(), out)
        self.equal(out, (matrix() + 1) * 2)
        self.assertNotIn("loop-local", findings(kernel, matrix(), out))

    def test_the_last_iteration(self):
        @jit
        def kernel(x: T([pypto.DYN, 16], F32), out: T([1, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(x.shape[0]):
                row = pypto.view(x, [1, 16], [i, 0]) * 2.0
            out[:] = row + 1.0
        out = torch.zeros(1, 16)
        kernel(matrix(5), out)
        self.equal(out, matrix(5)[4:] * 2 + 1)
        self.assertIn("loop-local", findings(kernel, matrix(5), out))
        self.fails("F74007", "is read before", kernel, torch.zeros(0, 16), out)

    def test_another_shape_in_a_loop_of_one_iteration(self):
        for is_new in (False, True):
            @jit(new_ir=is_new)
            def kernel(x: T([pypto.DYN, 16], F32), out: T([4, 16], F32)):
                pypto.set_vec_tile_shapes(4, 16)
                for _ in pypto.loop(3, 4):
                    x[:] = x[0:4, :] * 2.0
                for _ in pypto.loop(1):
                    out[:] = x + 1.0
            x, out = matrix(8), torch.zeros(4, 16)
            kernel(x, out)
            self.equal(out, matrix(4) * 2 + 1)
            self.equal(x, torch.cat([matrix(4) * 2, matrix(8)[4:]]))

            @jit(new_ir=is_new)
            def again(x: T([pypto.DYN, 16], F32), out: T([4, 16], F32)):
                pypto.set_vec_tile_shapes(4, 16)
                for _ in pypto.loop(3, 5):
                    x[:] = x[0:4, :] * 2.0
            self.fails("F21008", "depends on the path", again, matrix(8), torch.zeros(4, 16))

    def test_the_next_iteration_starts_without_them(self):
        @jit
        def kernel(x: T([16, 16], F32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(2):
                for j in pypto.loop(1 - i):
                    y = x + 1.0
                out[i:i + 1, :] = y[0:1, :] + 0.0
        self.fails("F74007", "is read before", kernel, matrix(), torch.zeros(16, 16))

    def test_the_last_recorded_path_counts(self):
        def body(x: T([16, 16], F32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                if i == 2:
                    y = x * 2.0
                else:
                    y = x * 5.0
            out[:] = y
        # The name means what the other branch made; the last iteration did not go there.
        self.fails("F74007", "is read before", jit(new_ir=False)(body), matrix(), torch.zeros(16, 16))
        # The front end of 9.2 merges what the branches leave.
        out = torch.zeros(16, 16)
        jit(new_ir=True)(body)(matrix(), out)
        self.equal(out, matrix() * 2)

        @jit
        def again(x: T([16, 16], F32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                if i == 1:
                    y = x * 2.0
                else:
                    y = x * 5.0
            out[:] = y
        out = torch.zeros(16, 16)
        again(matrix(), out)
        self.equal(out, matrix() * 5)

    def test_readable_when_all_is_over(self):
        kept = []

        @jit
        def kernel(x: T([16, 16], F32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for _ in pypto.loop(2):
                kept.append(pypto.view(x, [4, 8], [0, 0]) + 1.0)
            out[:] = x
        kernel(matrix(), torch.zeros(16, 16))
        self.assertEqual((kept[0].shape, kept[0].dtype), ([4, 8], F32))
        self.assertEqual([str(n) for n in kept[0].valid_shape], ["4", "8"])

    def test_a_tensor_without_a_form(self):
        @jit
        def kernel(x: T([16, 16], F32), out: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.tensor()
            t[:] = x + 1.0
            out[:] = t * 2.0
            del t
        out = torch.zeros(16, 16)
        kernel(matrix(), out)
        self.equal(out, (matrix() + 1) * 2)


class Chains(KernelTest):
    """Chains of 16-bit operations keep F32 between them."""

    def chain(self, dtype, kind, body, expected, soc=None):
        torch.manual_seed(7)
        a, b = (torch.randn(16, 16).to(kind) for _ in range(2))
        types = T([16, 16], dtype)

        @jit
        def kernel(p: types, q: types, y: types):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = body(p, q)
        out = torch.zeros(16, 16, dtype=kind)
        kernel(a, b, out)
        self.equal(out, expected(a.float(), b.float(), lambda t: t.to(kind).float()).to(kind))

    def test_add_and_mul(self):
        for dtype, kind in ((F16, torch.float16), (BF16, torch.bfloat16)):
            self.chain(dtype, kind, lambda a, b: ((a * (a + b)) - b) * b,
                       lambda a, b, r: ((a * (a + b)) - b) * b)

    def test_maximum_is_of_bf16_only(self):
        def body(a, b):
            return pypto.maximum(a * b, a) + b
        self.chain(BF16, torch.bfloat16, body, lambda a, b, r: torch.maximum(a * b, a) + b)
        self.chain(F16, torch.float16, body, lambda a, b, r: torch.maximum(r(a * b), a) + b)

    def test_others_see_the_rounded_tensor(self):
        self.chain(BF16, torch.bfloat16,
                   lambda a, b: pypto.cast(pypto.cast(a + b, F32) * 3.0, BF16) * a,
                   lambda a, b, r: r(r(a + b) * 3) * a)
        self.chain(BF16, torch.bfloat16, lambda a, b: pypto.reshape(a + b, [16, 16]) * a,
                   lambda a, b, r: r(a + b) * a)

    def test_another_loop_sees_the_rounded_tensor(self):
        def body(a, b):
            c = a + b
            for _ in pypto.loop(1):
                d = c * a
            return d
        self.chain(BF16, torch.bfloat16, body, lambda a, b, r: r(a + b) * a)

    def test_a_move_rounds(self):
        def body(a, b):
            t = pypto.tensor([16, 16], BF16)
            t[:] = a + b
            return t * a
        self.chain(BF16, torch.bfloat16, body, lambda a, b, r: r(a + b) * a)

    def test_index_add_rounds_once(self):
        for dtype, torch_dtype in ((F16, torch.float16), (BF16, torch.bfloat16)):
            @jit
            def kernel(x: T([2, 16], dtype), at: T([3], I32), y: T([3, 16], dtype),
                       out: T([2, 16], dtype)):
                pypto.set_vec_tile_shapes(2, 16)
                out[:] = pypto.index_add(x, 0, at, y)
            x, y = torch.ones(2, 16, dtype=torch_dtype), torch.ones(3, 16, dtype=torch_dtype)
            y[:2] = 2.0 ** (-11 if dtype is F16 else -8)  # half a step of numbers above 1
            y[2] = 0
            out = torch.zeros(2, 16, dtype=torch_dtype)
            kernel(x, torch.tensor([1, 1, 0], dtype=torch.int32), y, out)
            self.assertEqual(out[0, 0].item(), 1.0)
            self.assertEqual(out[1, 0].item(), 1.0 + 2 * y[0, 0].item())

    def test_tril_and_reductions(self):
        self.chain(BF16, torch.bfloat16, lambda a, b: pypto.tril(a + b) * a,
                   lambda a, b, r: torch.tril(a + b) * a)
        self.chain(BF16, torch.bfloat16,
                   lambda a, b: (a + b) - pypto.amax(a + b, 1, keepdim=True),
                   lambda a, b, r: (a + b) - (a + b).amax(1, keepdim=True))


class Limits(KernelTest):
    """What only documentation limits is a warning; the rest says what it added up."""

    def record(self, shape, tile, body, dtype=F32):
        @jit
        def kernel(x: T(list(shape), dtype), y: T([1], F32)):
            pypto.set_vec_tile_shapes(*tile)
            body(x)
        return findings(kernel, torch.zeros(shape), torch.zeros(1))

    def test_tile_of_a_reduction(self):
        self.assertIn("reduction-tile",
                      self.record((64, 640), (32, 640), lambda x: pypto.sum(x, -1, True)))
        self.assertIn("reduction-tile",
                      self.record((8, 5120), (4, 5120), lambda x: pypto.amax(x, -1, True)))

    def test_columns_of_topk(self):
        self.assertIn("topk-columns", self.record((1, 8192), (1, 8192), lambda x: pypto.topk(x, 8)))

    def test_transpose_takes_the_scratch_of_its_input(self):
        self.assertEqual([], [w for w in self.record(
            (8, 128, 32, 2), (1, 64, 128, 128), lambda x: pypto.transpose(x, 2, 3)) if "ub" in w])

    def test_the_message_adds_up(self):
        @jit
        def kernel(x: T([512, 512], F32), y: T([512, 512], F32)):
            pypto.set_vec_tile_shapes(128, 150)
            y[:] = x + y
        error = self.fails("F40005", "input 155648 + result 77824 = 233472 of 196608", kernel,
                           torch.zeros(512, 512), torch.zeros(512, 512))
        self.assertIn("fits with --soc 950DT, 950PR", str(error))
        self.assertIn("[ub-capacity]", str(error))

    def test_five_axes(self):
        @jit
        def kernel(x: T([2, 3, 2, 4, 8], F32), y: T([8, 2, 3, 2, 4], F32)):
            pypto.set_vec_tile_shapes(2, 3, 2, 4, 8)
            self.assertEqual(len(pypto.get_vec_tile_shapes()), 5)
            y[:] = pypto.permute(x, [4, 0, 1, 2, 3])
        x = torch.arange(384, dtype=torch.float32).reshape(2, 3, 2, 4, 8)
        y = torch.zeros(8, 2, 3, 2, 4)
        kernel(x, y)
        self.equal(y, x.permute(4, 0, 1, 2, 3).contiguous())

    def test_warn(self):
        code = ("import torch, pypto\n"
                "@pypto.frontend.jit\n"
                "def kernel(x: pypto.Tensor([512, 512], pypto.DT_FP32),\n"
                "           y: pypto.Tensor([512, 512], pypto.DT_FP32)):\n"
                "    pypto.set_vec_tile_shapes(128, 150)\n"
                "    y[:] = x + 1.0 + y\n"
                "y = torch.zeros(512, 512)\n"
                "kernel(torch.ones(512, 512), y)\n"
                "print(float(y.sum()))\n")
        path = os.path.join(self.folder(), "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(code)

        def run(warn):
            return subprocess.run([sys.executable, path], capture_output=True, text=True,
                                  env=dict(os.environ, PTOSIM_WARN=warn), timeout=100)
        done = run("tile-rank,ub-capacity")
        self.assertEqual((done.returncode, done.stdout), (0, "524288.0\n"), done.stderr)
        self.assertIn("ub-capacity", run("").stderr)
        self.assertIn("no check is named 'ub'; there are ub-capacity", run("ub").stderr)

    def folder(self):
        import tempfile
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return made.name


class Products(KernelTest):
    def test_bias_of_three_axes(self):
        a, b = torch.randn(3, 16, 32), torch.randn(3, 32, 16)
        for shape in ((1, 16), (1, 1, 16), (3, 1, 16)):
            @jit
            def kernel(p: T([3, 16, 32], F32), q: T([3, 32, 16], F32), r: T(list(shape), F32),
                       y: T([3, 16, 16], F32)):
                pypto.set_cube_tile_shapes([16, 16], [32, 32], [16, 16])
                pypto.set_vec_tile_shapes(1, 16, 16)
                y[:] = pypto.matmul(p, q, F32, extend_params={"bias_tensor": r})
            bias, out = torch.randn(shape), torch.zeros(3, 16, 16)
            kernel(a, b, bias, out)
            torch.testing.assert_close(out, a @ b + bias, rtol=1e-4, atol=1e-4)

    def test_f32_inputs_give_bf16(self):
        @jit
        def kernel(p: T([16, 32], F32), q: T([32, 16], F32), y: T([16, 16], BF16),
                   z: T([16, 16], F32)):
            pypto.set_cube_tile_shapes([16, 16], [32, 32], [16, 16])
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = pypto.matmul(p, q, BF16)
            z[:] = pypto.matmul(p, q, F32)
        y, z = torch.zeros(16, 16, dtype=torch.bfloat16), torch.zeros(16, 16)
        kernel(torch.randn(16, 32), torch.randn(32, 16), y, z)
        self.equal(y, z.to(torch.bfloat16))

    def test_transposed_batches_need_no_vector_tile(self):
        a, b = torch.randn(16, 2, 32).half(), torch.randn(2, 32, 16).half()

        @jit
        def kernel(p: T([16, 2, 32], F16), q: T([2, 32, 16], F16), y: T([16, 2, 16], F16)):
            pypto.set_cube_tile_shapes([16, 16], [32, 32], [16, 16])
            y[:] = pypto.experimental.transposed_batchmatmul(p, q, F16)
        out = torch.zeros(16, 2, 16).half()
        kernel(a, b, out)
        expected = torch.einsum("mbk,bkn->mbn", a.float(), b.float())
        torch.testing.assert_close(out.float(), expected, rtol=2e-3, atol=2e-3)


class Forms(KernelTest):
    def test_a_rank_is_a_lower_bound(self):
        seen = []

        @jit
        def kernel(x: T([pypto.STATIC, pypto.DYNAMIC], F32), y: T([16, 16], F32)):
            seen.append((x.dim, [str(n) for n in x.shape]))
            y[:] = y
        kernel(torch.zeros(1, 2, 512), torch.zeros(16, 16))
        self.assertEqual(seen, [(3, ["1", seen[0][1][1], "512"])])
        self.assertIn("dim", seen[0][1][1])
        self.fails("F00002", "", kernel, torch.zeros(4), torch.zeros(16, 16))

    def test_unroll_lists_of_any_kind(self):
        for given in ([], {1, 2}, range(1, 3), (n for n in (2, 1)), None):
            kept = list(given) if given is not None and not isinstance(given, set) else given

            @jit
            def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                for i in pypto.loop(5, unroll_list=kept, idx="i"):
                    y[i:i + 1, :] = x[i:i + 1, :] + 1.0
            y = torch.zeros(16, 16)
            kernel(matrix(), y)
            self.equal(y[:5], matrix()[:5] + 1)

    def test_var_takes_the_correction_third(self):
        @jit
        def kernel(x: T([16, 16], F32), y: T([16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = pypto.var(x, [1], 0)
        y = torch.zeros(16)
        kernel(matrix(), y)
        torch.testing.assert_close(y, matrix().var(1, unbiased=False), rtol=1e-5, atol=1e-5)

    def test_names_of_both_lists(self):
        @jit
        def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            a = pypto.add(input_tensor=x, other=x) + pypto.sub(input=x, other=x)
            y[:] = pypto.lrelu(other=a, negative_slope=0.5)
        y = torch.zeros(16, 16)
        kernel(matrix(), y)
        self.equal(y, matrix() * 2)
        self.assertEqual(pypto.Element(F32, value=2.0).value, pypto.Element(F32, data=2.0).value)

    def test_integers_of_other_libraries(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("no numpy")
        sizes = np.array([2, 16])

        @jit
        def kernel(x: T([np.int64(8), 16], F32), out: T([np.prod([2, 4]), 16], F32)):
            pypto.set_vec_tile_shapes(np.int64(8), np.int32(16))
            pypto.set_cube_tile_shapes(list(np.array([16, 16])), [16, 16], [np.uint8(16)] * 2)
            for i in pypto.loop(np.int64(4), unroll_list=np.array([2, 1])):
                rows = pypto.view(x, list(sizes), [i * np.int64(2), 0])
                rows = pypto.reshape(rows, list(sizes[::-1])) * np.float32(2.5)
                rows = pypto.reshape(rows, [np.int64(-1), 16]) + np.float64(1.0)
                rows = rows + pypto.full(list(sizes), np.float32(0.5), F32)
                out[i * 2:i * 2 + np.int64(2), :] = pypto.topk(rows, np.int64(16), np.int64(-1))[0]
        out = torch.zeros(8, 16)
        kernel(matrix(8), out)
        self.equal(out, (matrix(8) * 2.5 + 1.5).flip(-1))
        with self.assertRaises(pypto.error.PyptoError):
            pypto.Tensor([np.bool_(True)], F32)

    def test_did_you_mean(self):
        with self.assertRaises(AttributeError) as caught:
            pypto.mat_mul
        self.assertIn("Did you mean: 'matmul'?", str(caught.exception))

    def test_a_wide_window_addresses_the_source(self):
        cache = torch.arange(48, dtype=torch.float32).reshape(8, 6)

        @jit
        def kernel(param: T([8, 6], F32), indices: T([1, 4], I32), table: T([1, 2], I32),
                   y: T([4, 6], F32)):
            pypto.set_vec_tile_shapes(8, 8)
            wide = pypto.view(param, [8, 8], [0, 0], valid_shape=[8, 6])
            rows = pypto.experimental.gather_in_ub(wide, indices, table, 4, -2)
            pypto.assemble(pypto.view(rows, [4, 6], [0, 0]), [0, 0], y)
        y = torch.zeros(4, 6)
        kernel(cache, torch.tensor([[0, 5, 3, 7]], dtype=torch.int32),
               torch.tensor([[1, 0]], dtype=torch.int32), y)
        self.equal(y, cache[[4, 1, 7, 3]])  # blocks 1 and 0 of four rows each


class Launches(KernelTest):
    def test_no_iteration_is_told(self):
        @jit
        def kernel(x: T([pypto.DYN, 16], F32), y: T([pypto.DYN, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(x.shape[0] // 8, name="rows"):
                pypto.assemble(pypto.view(x, [8, 16], [i * 8, 0]) + 1.0, [i * 8, 0], y)
        kernel(matrix(8), torch.zeros(8, 16))
        compiled = kernel.compile([matrix(8), torch.zeros(8, 16)])
        self.assertNotIn("no-iterations", [d[2] for d in compiled.program.diagnostics()])
        kernel(matrix(3), torch.zeros(3, 16))
        told = [d for d in compiled.program.diagnostics() if d[2] == "no-iterations"]
        self.assertEqual(len(told), 1)
        self.assertIn("rows goes from 0 to", told[0][3])

    def test_errors_name_the_parameter(self):
        @jit
        def kernel(x: T([16, 16], F32), weight: T([16, 16], F32)):
            weight[:] = x
        self.fails("F00003", "'weight'", kernel, matrix(), torch.zeros(16, 32)[:, ::2])

    def test_signals_end_a_launch_soon(self):
        code = ("import os, signal, sys, threading, time, torch, pypto\n"
                "class Stopped(Exception): pass\n"
                "def stop(*_): raise Stopped\n"
                "number = getattr(signal, sys.argv[1])\n"
                "if number == signal.SIGTERM: signal.signal(number, stop)\n"
                "@pypto.frontend.jit\n"
                "def kernel(a: pypto.Tensor([6144, 6144], pypto.DT_FP32),\n"
                "           b: pypto.Tensor([6144, 6144], pypto.DT_FP32)):\n"
                "    pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64])\n"
                "    for i in pypto.loop(50):\n"
                "        b[:] = pypto.matmul(a, a, pypto.DT_FP32)\n"
                "sent = []\n"
                "def send():\n"
                "    time.sleep(1.0); sent.append(time.monotonic()); os.kill(os.getpid(), number)\n"
                "t = torch.ones(6144, 6144)\n"
                "threading.Thread(target=send).start()\n"
                "try: kernel(t, torch.zeros(6144, 6144))\n"
                "except (KeyboardInterrupt, Stopped): print(time.monotonic() - sent[0])\n")
        for name in ("SIGINT", "SIGTERM"):
            done = subprocess.run([sys.executable, "-c", "import linecache\n" + (
                "linecache.cache['program'] = (len(CODE), None, CODE.splitlines(True), 'program')\n"
                "exec(compile(CODE, 'program', 'exec'))").replace("CODE", repr(code)), name],
                capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(float(done.stdout), 2.0)  # 0.2 s on a quiet machine; one product 4 s


if __name__ == "__main__":
    main()
