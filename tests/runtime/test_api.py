"""The names of the package: enumerations, constants, functions; ops.def is their source."""
import ast
import inspect
import os
import sys

from support import KernelTest, main, pypto

ENUMS = {
    "TileOpFormat": "TILEOP_ND TILEOP_NZ",
    "CachePolicy": "PREFETCH NONE_CACHEABLE",
    "CastMode": "CAST_NONE CAST_RINT CAST_ROUND CAST_FLOOR CAST_CEIL CAST_TRUNC CAST_ODD",
    "SaturationMode": "ON OFF",
    "OpType": "EQ NE LT LE GT GE",
    "OutType": "BOOL BIT",
    "TopKAlgo": "MERGE_SORT RADIX_SELECT",
    "ReLuType": "NO_RELU RELU",
    "ScatterMode": "NONE ADD MULTIPLY",
    "ReduceMode": "ATOMIC_ADD",
    "PrecisionType": "INTRINSIC HIGH_PRECISION",
    "DequantScaleRoundingMode": "ROUND_UP ROUND_DOWN",
    "AtomicType": "SET ADD",
    "AtomicRMWMode": "ADD MAX MIN",
    "RunMode": "NPU SIM",
    "CompStage": "ALL_COMPLETE TENSOR_GRAPH TILE_GRAPH EXECUTE_GRAPH CODEGEN_INSTRUCTION "
                 "CODEGEN_BINARY",
    "DataType": "DT_INT4 DT_INT8 DT_INT16 DT_INT32 DT_INT64 DT_FP8 DT_FP16 DT_FP32 DT_BF16 DT_HF4 "
                "DT_HF8 DT_UINT8 DT_UINT16 DT_UINT32 DT_UINT64 DT_BOOL DT_DOUBLE DT_FP8E4M3 "
                "DT_FP8E5M2 DT_FP8E8M0 DT_FP4_E2M1X2 DT_FP4_E1M2X2 DT_FP4_E2M1 DT_FP4_E1M2 "
                "DT_BOTTOM",
    "TransMode": "CAST_NONE CAST_RINT CAST_ROUND",
}
BYTES = {"DT_INT4": 1, "DT_INT8": 1, "DT_INT16": 2, "DT_INT32": 4, "DT_INT64": 8, "DT_FP16": 2,
         "DT_FP32": 4, "DT_BF16": 2, "DT_BOOL": 1, "DT_DOUBLE": 8, "DT_UINT64": 8, "DT_HF8": 1}
NAMES = """Tensor tensor Element SymbolicScalar symbolic_scalar SymInt loop loop_unroll cond
    is_loop_begin is_loop_end min max ceildiv bytes_of options set_options function from_torch
    platform experimental frontend runtime operation pypto_impl error set_build_static
    set_vec_tile_shapes get_vec_tile_shapes set_cube_tile_shapes get_cube_tile_shapes
    set_conv_tile_shapes get_conv_tile_shapes set_matrix_size set_pass_options set_host_options
    set_codegen_options set_verify_options set_debug_options get_pass_options get_host_options
    get_codegen_options get_verify_options get_debug_options set_semantic_label set_global_config
    get_global_config get_options_tree get_current_scope reset_options set_print_options DYN
    DYNAMIC STATIC ROUND_UP ROUND_DOWN create_shmem_tensor create_shmem_signal shmem_view shmem_put
    shmem_get shmem_signal shmem_wait_until shmem_barrier_all shmem_clear_data shmem_clear_signal
    my_symbolic_pe pass_verify_print pass_verify_save verify set_verify_golden_data index_add
    index_add_ub index_add__ub tril_ triu_""".split()


class Names(KernelTest):
    def test_enumerations(self):
        for name, members in ENUMS.items():
            kind = getattr(pypto, name, None) or getattr(
                sys.modules["pypto._enums"], name)
            for value, member in enumerate(members.split()):
                self.assertEqual(int(getattr(kind, member)), value)
                self.assertEqual(repr(getattr(kind, member)), "%s.%s" % (name, member))
                self.assertEqual(str(getattr(kind, member)), "%s.%s" % (name, member))
        self.assertIs(pypto.DT_FP32, pypto.DataType.DT_FP32)
        self.assertIs(pypto.ROUND_UP, pypto.DequantScaleRoundingMode.ROUND_UP)
        self.assertIs(pypto.DYN, pypto.StatusType.DYN)

    def test_sizes(self):
        for name, size in BYTES.items():
            self.assertEqual(pypto.bytes_of(getattr(pypto, name)), size, name)
        self.assertEqual(pypto.ceildiv(7, 4), 2)

    def test_documented_names(self):
        for name in NAMES:
            self.assertTrue(hasattr(pypto, name), name)
        for name in ("jit", "function", "dynamic"):
            self.assertTrue(hasattr(pypto.frontend, name), name)
        for name in ("_device_init", "_device_fini", "_device_synchronize",
                     "_device_run_once_data_from_host", "verify", "RunMode"):
            self.assertTrue(hasattr(pypto.runtime, name), name)
        for name in ("gather_in_ub", "gather_in_l1", "transposed_batchmatmul", "online_softmax",
                     "online_softmax_update", "nop", "shmem_store", "shmem_load",
                     "set_operation_options", "get_operation_options"):
            self.assertTrue(hasattr(pypto.experimental, name), name)
        for name in ("Element", "Tensor", "DataType", "ScalarDivS",
                     "GetCompilerMonitorTotalElapsed", "LogTopFolder"):
            self.assertTrue(hasattr(pypto.pypto_impl, name), name)
        for name in ("PyptoError", "FeError", "PyptoRtError", "PassError", "VerifyError",
                     "ParserError"):
            self.assertTrue(issubclass(getattr(pypto.error, name), pypto.error.PyptoError))
        self.assertTrue(pypto.__version__.endswith("+ptosim"))

    def test_names_that_the_product_does_not_have(self):
        for name in ("loop_axis", "torch_backend", "f16", "FP32", "INT32", "float32"):
            self.assertFalse(hasattr(pypto, name), name)
        self.assertFalse(hasattr(pypto.RunMode, "Torch"))

    def test_module_behind_the_class(self):
        from pypto.symbolic_scalar import SymInt, SymbolicScalar
        self.assertIs(SymbolicScalar, pypto.SymbolicScalar)
        self.assertIsNotNone(SymInt)

    def test_distributed_says_what_it_lacks(self):
        self.fails("F00005", "pypto.shmem_put is not simulated yet", pypto.shmem_put)
        self.fails("F00005", "pypto.experimental.online_softmax is not simulated yet",
                   pypto.experimental.online_softmax, 1, 2)


class Operations(KernelTest):
    """Every operation of ops.def is a function with the signature that is given there."""

    OWN = {"tensor", "assemble", "arange"}  # several forms, or a class

    def signature(self, call):
        """The parameters of "name(a, b=1)"."""
        head = call.split(") /")[0] + ")" if ") /" in call else call
        head = head.replace("=HIGH_PRECISION", "=0").replace("=INTRINSIC", "=0")
        tree = ast.parse("def " + head + ": pass").body[0].args
        return ([a.arg for a in tree.args], [a.arg for a in tree.kwonlyargs], len(tree.defaults))

    def test_signatures(self):
        from pypto import _ops
        checked = 0
        for name, (meaning, call) in _ops.MEANINGS.items():
            if name in _ops.SYNTAX or name in self.OWN or "options" in call:
                continue
            with self.subTest(name):
                target = pypto.experimental if name.startswith("experimental.") else pypto
                function = getattr(target, name.rpartition(".")[2])
                try:
                    names, keyword_only, defaults = self.signature(call)
                except SyntaxError:
                    continue
                spec = inspect.getfullargspec(inspect.unwrap(function))
                if spec.varargs and not names:
                    continue
                if spec.varargs == "args":
                    continue  # not built: any arguments end in the error that says so
                self.assertEqual(spec.args, names)
                self.assertEqual(spec.kwonlyargs, keyword_only)
                self.assertEqual(len(spec.defaults or ()), defaults)
                self.assertTrue(function.__doc__ or name.startswith("experimental."))
                checked += 1
        self.assertGreater(checked, 100)

    def test_unknown_operation_attribute(self):
        self.assertFalse(hasattr(pypto, "no_such_operation"))


class Import(KernelTest):
    def test_no_torch_needed(self):
        import subprocess
        code = ("import sys, pypto; assert 'torch' not in sys.modules and 'numpy' not in "
                "sys.modules; print(pypto.SymbolicScalar(3) + 4)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env=os.environ, timeout=60)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "7"), done.stderr)


if __name__ == "__main__":
    main()
