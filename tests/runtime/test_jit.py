"""pypto.frontend.jit: forms, options, parameters, the protocol of calls, the cache."""
import functools
import os
import runpy
import tempfile
import textwrap
import unittest.mock

from support import F32, KernelTest, front_end_of_9_1, main, matrix, pypto, torch

T = pypto.Tensor
setUpModule, tearDownModule = front_end_of_9_1()
D = pypto.DataType


@pypto.frontend.jit
def double(x: T([16, 16], F32), y: T([16, 16], F32)):
    """Doubles."""
    pypto.set_vec_tile_shapes(16, 16)
    y[:] = x * 2.0


class Forms(KernelTest):
    def test_decorator_forms_compute_the_same(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
        for kernel in (pypto.frontend.jit(body), pypto.frontend.jit()(body),
                       pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.SIM})(body)):
            y = torch.zeros(16, 16)
            self.assertIsNone(kernel(matrix(), y))
            self.equal(y, matrix() + 1)

    def test_wrapper_attributes(self):
        self.assertEqual(double.__name__, "double")
        self.assertEqual(double.__doc__, "Doubles.")
        self.assertEqual(double._original_func.__name__, "double")
        self.assertIsNone(double._runtime_options)
        kernel = pypto.frontend.jit(runtime_options={"run_mode": 1})(double._original_func)
        self.assertEqual(kernel._runtime_options, {"run_mode": 1})

    def test_only_plain_functions(self):
        for thing in (3, len, functools.partial(int), type("C", (), {}), double):
            self.fails("F00001", "TypeError", pypto.frontend.jit, thing)

    def test_decoration_does_not_parse(self):
        @pypto.frontend.jit
        def broken(x: T([16, 16], F32)):
            while True:
                pass
        self.fails("F00005", "While", broken, matrix())

    def test_factory_captures(self):
        def make(factor):
            @pypto.frontend.jit
            def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                y[:] = x * factor
            return kernel
        for factor in (2.0, 3.0):
            y = torch.zeros(16, 16)
            make(factor)(matrix(), y)
            self.equal(y, matrix() * factor)

    def test_file_that_changes(self):
        """Each change of a function counts, and so does that of another one, whose text stays."""
        text = textwrap.dedent("""\
            import pypto
            ADDED = 1.0
            def helper(t):
                return t * 2.0
            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([16, 16], pypto.DT_FP32), y: pypto.Tensor([16, 16], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(16, 16)
                y[:] = helper(x) + ADDED
            """)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "changing.py")
            for old, new, expected in (("", "", matrix() * 2 + 1), ("* 2.0", "* 32.0", matrix() * 32 + 1),
                                       ("ADDED = 1.0", "ADDED = 64.0", matrix() * 32 + 64),
                                       ("helper(x) +", "helper(x + 1.0) +", matrix() * 32 + 96)):
                text = text.replace(old, new)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                y = torch.zeros(16, 16)
                runpy.run_path(path)["kernel"](matrix(), y)
                self.equal(y, expected)

    def test_names_of_the_decorating_scope_are_captured(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + secret_of_the_caller  # noqa: F821

        def decorate():
            secret_of_the_caller = 5.0
            assert secret_of_the_caller
            return pypto.frontend.jit(body)
        y = torch.zeros(16, 16)
        decorate()(matrix(), y)
        self.equal(y, matrix() + 5)

    def test_compile_does_not_run(self):
        y = torch.zeros(16, 16)
        double.compile([matrix(), y], None)
        self.equal(y, torch.zeros(16, 16))

    def test_no_source(self):
        namespace = {"pypto": pypto}
        exec("@pypto.frontend.jit\ndef k(x: pypto.Tensor([16], pypto.DT_FP32)):\n    pass\n",
             namespace)
        with self.assertRaisesRegex(OSError, "could not get source code"):
            namespace["k"](torch.zeros(16))


class Options(KernelTest):
    def jit(self, **options):
        return pypto.frontend.jit(**options)(double._original_func)

    def test_all_known_options_are_taken(self):
        kernel = self.jit(
            host_options={"compile_stage": pypto.CompStage.ALL_COMPLETE, "compile_timeout": 3,
                          "compile_monitor_enable": True},
            codegen_options={"support_dynamic_aligned": True},
            pass_options={"vec_nbuffer_setting": {0: 2}, "cube_l1_reuse_setting": {0: (2, 1)},
                          "sg_set_scope": (1, True, False), "ooo_sched_mode": "HLF"},
            runtime_options={"run_mode": pypto.RunMode.SIM, "stitch_function_max_num": 1024,
                             "device_sched_mode": 3, "ready_on_host_tensors": ["x"]},
            verify_options={"enable_pass_verify": True},
            debug_options={"compile_debug_mode": 2, "runtime_debug_mode": 4})
        y = torch.zeros(16, 16)
        kernel(matrix(), y)
        self.equal(y, matrix() * 2)

    def test_wrong_options(self):
        self.fails("F00002", "auto_mix_partition", self.jit, pass_options={"auto_mix_partition": 7})
        self.fails("F00002", "device_sched_mode", self.jit,
                   runtime_options={"device_sched_mode": 4})
        self.fails("F00001", "TypeError", self.jit, debug_options=3)
        for mode in (2, "SIM", None, True):
            self.fails("F00003", "RuntimeError", self.jit, runtime_options={"run_mode": mode})

    def test_a_stage_before_the_last_leaves_outputs(self):
        for stage in (pypto.CompStage.TENSOR_GRAPH, pypto.CompStage.CODEGEN_BINARY):
            y = torch.zeros(16, 16)
            self.jit(host_options={"compile_stage": stage})(matrix(), y)
            self.equal(y, torch.zeros(16, 16))

    def test_run_mode_of_the_environment(self):
        clean = {k: v for k, v in os.environ.items()
                 if k not in ("ASCEND_HOME_PATH", "PTOSIM_RUN_MODE")}
        with unittest.mock.patch.dict(os.environ, dict(clean, ASCEND_HOME_PATH="/none"),
                                      clear=True):
            self.fails("F00003", "NPU is not available.", double, matrix(), torch.zeros(16, 16))
        with unittest.mock.patch.dict(os.environ, clean, clear=True):
            double(matrix(), torch.zeros(16, 16))
            npu = self.jit(runtime_options={"run_mode": pypto.RunMode.NPU})
            self.fails("F00003", "cpu", npu, matrix(), torch.zeros(16, 16))


class Parameters(KernelTest):
    def test_signature_errors(self):
        def a(n, x: T([16], F32)):
            pass

        def b(x: T([16], F32) = None):
            pass

        def c(x: T([16], F32), *rest):
            pass

        def d(x: T([16], F32), **rest):
            pass

        def e(x: T([16], F32), *, k=1):
            pass

        def f(x: T([16], F32), /):
            pass

        def g(x: T([16], F32)) -> None:
            pass

        def h(x: T([16], F32)):
            if False:
                return
        x = torch.zeros(16)
        for function, code, text in (
                (a, "F00002", "Non-tensor parameters must come after all tensor parameters."),
                (b, "F00002", "Default values are only allowed for non-tensor parameters."),
                (c, "F00005", "NotImplementedError"), (d, "F00005", "NotImplementedError"),
                (e, "F00005", "NotImplementedError"), (f, "F00005", "NotImplementedError"),
                (g, "F00005", "Return annotation is not allowed. Use an out parameter and "
                              "out.move(...) inside the kernel instead."),
                (h, "F00002", "Return statements are not allowed.")):
            with self.subTest(function.__name__):
                error = self.fails(code, text, pypto.frontend.jit(function), x)
                self.assertIn("Failed to compile function '%s'." % function.__name__, str(error))

    def test_spellings_of_annotations(self):
        def body(x: pypto.tensor([16, 16], F32), y: T[[16, 16], F32],
                 z: T[{"shape": [16, 16], "dtype": F32}],
                 w: T([16, 16], F32, format=pypto.TileOpFormat.TILEOP_ND), v: T(), u: T([], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
            z[:] = x + 2.0
            w[:] = x + 3.0
            v[:] = x + 4.0
            u[:] = x + 5.0
        outputs = [torch.zeros(16, 16) for _ in range(5)]
        pypto.frontend.jit(body)(matrix(), *outputs)
        for i, output in enumerate(outputs):
            self.equal(output, matrix() + (i + 1))

    def test_shape_entries(self):
        b = pypto.frontend.dynamic("rows")

        @pypto.frontend.jit
        def kernel(x: T([b, 16], F32), y: T([b, ...], F32), z: T([pypto.STATIC, 16], F32),
                   w: T([pypto.DYN, 16], F32)):
            seen.append((x.shape, y.shape, z.shape, w.shape))
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(0, b, 16):
                y[i:i + 16, :] = x[i:i + 16, :] + z[0:16, :]
        seen = []
        y = torch.zeros(32, 16)
        kernel(matrix(32), y, matrix(16), matrix(48))
        self.equal(y, matrix(32) + matrix(16).repeat(2, 1))
        shapes = seen[0]
        self.assertEqual(str(shapes[0][0]), "rows")
        self.assertEqual(shapes[2], [16, 16])
        self.assertIsInstance(shapes[3][0], pypto.SymbolicScalar)
        self.assertEqual(shapes[1][1], 16)
        self.fails("F00002", "Symbolic scalar rows has multiple concrete values",
                   kernel, matrix(32), torch.zeros(16, 16), matrix(16), matrix(48))
        count = len(seen)
        kernel(matrix(64), torch.zeros(64, 16), matrix(16), matrix(16))
        self.assertEqual(len(seen), count, "dynamic axes are not part of the signature")
        kernel(matrix(64), torch.zeros(64, 16), matrix(32), matrix(16))
        self.assertEqual(len(seen), count + 1, "another STATIC value records again")

    def test_mismatches(self):
        y = torch.zeros(16, 16)
        self.fails("F00002", "The shape of 1st input tensor [17, 16] does not match the shape of input "
                   "tensor definition [16, 16].", double, matrix(17), y)
        self.fails("F00002", "The number of dimensions of 2nd input tensor [16] does not match the "
                   "number of dimensions of input tensor definition [16, 16].", double, matrix(),
                   torch.zeros(16))
        self.fails("F00002", "The dtype of 1st input tensor torch.float16 does not match the dtype of "
                   "input tensor definition DataType.DT_FP32.", double, matrix().half(), y)

    def test_mismatches_in_nested_functions(self):
        @pypto.frontend.function
        def inner(a: T([16, 8], F32), b: T([...], D.DT_FP16)):
            pass

        def call(first, second):
            @pypto.frontend.jit
            def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                inner(first(x), second(x))
                y[:] = x + 1.0
            kernel(matrix(), torch.zeros(16, 16))
        half = lambda x: pypto.cast(x, D.DT_FP16)  # noqa: E731
        self.fails("F00002", "In nested function 'inner': The shape of 1st parameter 'a' [16, 16] does "
                   "not match the shape of parameter definition [16, 8].", call, lambda x: x, half)
        self.fails("F00002", "In nested function 'inner': The dtype of 2nd parameter 'b' "
                   "DataType.DT_FP32 does not match the dtype of parameter definition "
                   "DataType.DT_FP16.", call, lambda x: x[:, 0:8], lambda x: x)
        call(lambda x: x[:, 0:8], half)

    def test_output_of_a_simulation(self):
        import glob
        import json
        import os
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            old = os.environ.get("TILE_FWK_OUTPUT_DIR")
            os.environ["TILE_FWK_OUTPUT_DIR"] = folder
            try:
                for options, count in (({}, 0), ({"run_mode": pypto.RunMode.SIM}, 1),
                                       ({"run_mode": 1}, 2)):
                    @pypto.frontend.jit(runtime_options=options)
                    def kernel(y: T([16, 16], F32)):
                        pypto.set_vec_tile_shapes(16, 16)
                        y[:] = y + 1.0
                    kernel(torch.zeros(16, 16))
                    kernel(torch.zeros(16, 16))
                    found = glob.glob(os.path.join(folder, "output_*", "CostModelSimulationOutput",
                                                   "merged_swimlane.json"))
                    self.assertEqual(len(found), count)
            finally:
                os.environ.pop("TILE_FWK_OUTPUT_DIR")
                if old is not None:
                    os.environ["TILE_FWK_OUTPUT_DIR"] = old
            for path in found:
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["traceEvents"], [])

    def test_string_annotation_is_no_tensor(self):
        def body(x: "T([16], F32)"):
            pass
        self.fails("F00003", "torch.Tensor",
                   pypto.frontend.jit(body), torch.zeros(16))

    def test_nz_has_whole_blocks(self):
        NZ = pypto.TileOpFormat.TILEOP_NZ

        @pypto.frontend.jit
        def kernel(a: T([16, 32], D.DT_FP16), w: T([20, 24], D.DT_FP16, format=NZ),
                   y: T([16, 32], F32)):
            shapes.append((w.shape, w.format))
            pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 32])
            y[:] = pypto.matmul(a, w, F32)
        shapes = []
        a, w, y = torch.rand(16, 32).half(), torch.rand(20, 24).half(), torch.zeros(16, 32)
        before = w.clone()
        kernel(a, w, y)
        self.assertEqual(shapes, [([32, 32], NZ)])  # 16 rows, 32 bytes
        exact = a[:, :20].double() @ w.double()
        self.assertTrue(torch.allclose(y[:, :24], exact.float(), rtol=1e-5))
        self.equal(y[:, 24:], torch.zeros(16, 8))
        self.equal(w, before)

    def test_unsigned_memory(self):
        @pypto.frontend.jit
        def kernel(x: T([32], D.DT_HF8)):
            dtypes.append(x.dtype)
        dtypes = []
        kernel.compile([torch.zeros(32, dtype=torch.uint8)])
        self.assertEqual(dtypes, [D.DT_HF8])


class Protocol(KernelTest):
    def test_arguments(self):
        y = torch.zeros(16, 16)
        self.fails("F00003", "Expected at least 2 tensor argument(s), got 1.", double, matrix())
        self.fails("F00003", "must be a torch.Tensor", double, matrix(), y.numpy())
        self.fails("F00003", "must be a torch.Tensor", double, matrix(), torch.nn.Parameter(y))
        self.fails("F00003", "must be a torch.Tensor", double, matrix(), pypto.Tensor([16], F32))
        self.fails("F00003", "not all tensors are contiguous", double, matrix().t(), y)
        self.fails("F00003", "RuntimeError", double, matrix(), y, y)
        self.fails("F00003", "RuntimeError", double, matrix(), y, z=3)
        self.fails("F00003", "Unsupported device type: meta", double,
                   torch.zeros(16, 16, device="meta"), y)

    def test_contiguous_is_checked_on_cached_calls(self):
        y = torch.zeros(16, 16)
        double(matrix(), y)
        self.fails("F00003", "not all tensors are contiguous", double, matrix().t(), y)

    def test_scalar_tensor_has_one_axis(self):
        @pypto.frontend.jit
        def kernel(x: T([1], F32), y: T([1], F32)):
            pypto.set_vec_tile_shapes(8)
            y[:] = x + 1.0
        y = torch.tensor(0.0)
        kernel(torch.tensor(41.0), y)
        self.assertEqual(y.item(), 42.0)

    def test_other_parameters(self):
        @pypto.frontend.jit
        def kernel(x: T([16, 16], F32), y: T([16, 16], F32), a, b: float = 2.0):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x * a + b
        y = torch.zeros(16, 16)
        kernel(matrix(), y, 3.0)
        self.equal(y, matrix() * 3 + 2)
        kernel(matrix(), y, a=4.0, b=1.0)
        self.equal(y, matrix() * 4 + 1)
        self.fails("F00003", "'a'", kernel, matrix(), y)
        self.fails("F00003", "torch.Tensor", kernel, matrix(), y, torch.zeros(1))
        self.fails("F00003", "'c'", kernel, matrix(), y, 1.0, c=2)
        self.fails("F00003", "'a'", kernel, matrix(), y, 1.0, a=2.0)


class Cache(KernelTest):
    def test_kernels_of_a_module_decorated_again_use_the_globals_of_then(self):
        source = textwrap.dedent("""
            import pypto, torch
            found = []
            for scale in (1.0, 2.0, 3.0):
                @pypto.frontend.jit
                def kernel(x: pypto.Tensor([16, 16], pypto.DT_FP32),
                           y: pypto.Tensor([16, 16], pypto.DT_FP32)):
                    pypto.set_vec_tile_shapes(16, 16)
                    y[:] = x * scale
                y = torch.zeros(16, 16)
                kernel(torch.ones(16, 16), y)
                found.append(y[0, 0].item())
        """)
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(source)
            file.flush()
            found = runpy.run_path(file.name)["found"]
        self.assertEqual(found, [1.0, 2.0, 3.0])

    def test_records_once_for_a_signature(self):
        @pypto.frontend.jit
        def kernel(x: T([pypto.STATIC, 16], F32), y: T([pypto.STATIC, 16], F32), config):
            calls.append(config)
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + float(config["add"][0])
        calls = []
        for add in (1, 1, 2):
            y = torch.zeros(16, 16)
            kernel(matrix(), y, {"add": [add]})
            self.equal(y, matrix() + add)
        self.assertEqual(len(calls), 2)
        kernel(matrix(32), torch.zeros(32, 16), {"add": [1]})
        self.assertEqual(len(calls), 3)

    def test_a_value_with_an_address_is_noted(self):
        @pypto.frontend.jit
        def kernel(x: T([16, 16], F32), y: T([16, 16], F32), thing):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
        with self.assertLogs("pypto") as log:
            kernel(matrix(), torch.zeros(16, 16), object())
        self.assertIn("'thing' contains an address", log.output[0])

    def test_a_tile_set_outside_is_part_of_it(self):
        @pypto.frontend.jit
        def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
            tiles.append(pypto.get_vec_tile_shapes())
            y[:] = x + 1.0
        tiles = []
        with pypto.options(vec_tile_shapes=[16, 16]):
            kernel(matrix(), torch.zeros(16, 16))
            kernel(matrix(), torch.zeros(16, 16))
        self.assertEqual(tiles, [[16, 16]])
        self.fails("F21003", "tile shape not set", kernel, matrix(), torch.zeros(16, 16))


class Inline(KernelTest):
    def test_inlined_with_its_own_scope(self):
        @pypto.frontend.function
        def scale(x: T([16, 16], F32), out: T([16, 16], F32), n: int):
            pypto.set_vec_tile_shapes(8, 16)
            out[:] = x * float(n)

        @pypto.frontend.jit
        def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            scale(x, y, 3)
            tiles.append(pypto.get_vec_tile_shapes())
        tiles = []
        y = torch.zeros(16, 16)
        kernel(matrix(), y)
        self.equal(y, matrix() * 3)
        self.assertEqual(tiles, [[16, 16]])

    def test_its_errors(self):
        @pypto.frontend.function
        def inner(x: T([16, 16], F32), n: int):
            pass

        for name, code, text in (("w", "F00002", "number of dimensions"), ("v", "F00002", "The shape of"),
                                 ("u", "F00002", "DT_FP32")):
            @pypto.frontend.jit
            def kernel(x: T([16, 16], F32), w: T([16], F32), v: T([16, 8], F32),
                       u: T([16, 16], D.DT_INT32)):
                if name == "w":
                    inner(w, 1)
                elif name == "v":
                    inner(v, 1)
                else:
                    inner(u, 1)
            arguments = [matrix(), torch.zeros(16), torch.zeros(16, 8),
                         torch.zeros(16, 16, dtype=torch.int32)]
            self.fails(code, text, kernel.compile, arguments)

        @pypto.frontend.jit
        def keyword(x: T([16, 16], F32)):
            inner(x, n=1)

        @pypto.frontend.jit
        def few(x: T([16, 16], F32)):
            inner(x)

        @pypto.frontend.jit
        def wrong(x: T([16, 16], F32)):
            inner(x, 1.5)
        self.fails("F00001", "positional", keyword, matrix())
        self.fails("F00001", "2 arguments", few, matrix())
        self.fails("F00001", "must be int", wrong, matrix())
        self.fails("F00003", "RuntimeError", inner, matrix(), 1)


if __name__ == "__main__":
    main()
