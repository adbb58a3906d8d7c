"""What programs written for the device rely on: reshapes in place, tensors of loops behind them,
chains of 16-bit operations, limits that only documentation states."""
import os
import subprocess
import sys

from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32, F16, BF16 = pypto.DT_INT32, pypto.DT_FP16, pypto.DT_BF16
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


if __name__ == "__main__":
    main()
