"""What programs written for the device pass to operations and launches: forms of bias and scale, products,
arguments of launches."""
import subprocess
import sys

from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32, F16, BF16 = pypto.DT_INT32, pypto.DT_FP16, pypto.DT_BF16
jit = pypto.frontend.jit


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
