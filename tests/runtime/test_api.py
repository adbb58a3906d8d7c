"""The names of the package: enumerations, constants, functions; ops.def is their source."""
import ast
import inspect
import json
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

    def test_classes_of_errors(self):
        error = pypto.error
        tree = {"PyptoGeneralError": "PyptoError", "FeError": "PyptoGeneralError",
                "PyptoRtError": "PyptoGeneralError", "PassError": "PyptoGeneralError",
                "VerifyError": "PyptoGeneralError", "ParserError": "PyptoError",
                "RenderedParserError": "ParserError"}
        for name, base in tree.items():
            self.assertEqual(getattr(error, name).__mro__[1], getattr(error, base), name)
        self.assertFalse(issubclass(error.ParserError, error.PyptoGeneralError))
        for name in ("PyptoError", "FeError", "InternalError", "VerifyError"):
            self.assertIs(getattr(pypto, name), getattr(error, name))

    def test_settings_of_passes(self):
        key = pypto.PassConfigKey.KEY_DUMP_GRAPH
        self.assertIs(pypto.get_pass_config("PVC2_OOO", "ExpandFunction", key, False), False)
        pypto.set_pass_config("PVC2_OOO", "ExpandFunction", key, True)
        self.assertIs(pypto.get_pass_config("PVC2_OOO", "ExpandFunction", key, False), True)
        self.assertEqual(dict(pypto.get_pass_configs("PVC2_OOO", "ExpandFunction")), {key: True})
        pypto.set_pass_default_config(key, True)
        self.assertIs(pypto.get_pass_default_config(key, False), True)
        self.fails("F00001", "'key' must be", pypto.set_pass_config, "a", "b", "c", True)

    def test_log(self):
        import contextlib
        import io
        output = io.StringIO()
        self.assertEqual(pypto.get_log_level(), pypto.LogLevel.WARN)
        self.addCleanup(pypto.set_log_level, pypto.LogLevel.WARN)
        with contextlib.redirect_stderr(output):
            pypto.log_info("one")
            pypto.log_warn("two")
            pypto.set_log_level(pypto.LogLevel.ERROR)
            pypto.log_warn("three")
            pypto.log_event("four")
        self.assertEqual([line.split()[-1] for line in output.getvalue().splitlines()],
                         ["two", "four"])

    def test_checks(self):
        pypto.check(True, "x")
        self.assertRaisesRegex(ValueError, "wrong", pypto.check, False, "wrong")
        self.assertRaises(pypto.InternalError, pypto.internal_check, False, "wrong")
        self.assertRaisesRegex(KeyError, "m", pypto.raise_error, "KeyError", "m")
        self.assertRaises(pypto.VerifyError, pypto.raise_error, "VerifyError", "m")

    def test_modules(self):
        import importlib
        for name in ("op", "op.math", "op.reduction", "cost_model", "config", "converter",
                     "functions", "logging", "pass_config", "operator"):
            module = importlib.import_module("pypto." + name)
            self.assertIs(module.exp, pypto.exp, name)
        from pypto.op.math import exp
        self.assertIs(exp, pypto.exp)
        from pypto.enum import DT_BF16, DataType
        self.assertIs(DataType, pypto.DataType)
        self.assertIs(DT_BF16, pypto.DT_BF16)
        from pypto.frontend.parser.entry import JitCallableWrapper
        kernel = pypto.frontend.jit(lambda: None)
        self.assertIsInstance(kernel, JitCallableWrapper)
        JitCallableWrapper._kernel_module_cache.clear()
        self.assertIs(pypto.element, pypto.Element)
        self.assertIsInstance(pypto.get_current_scope(), pypto.ConfigScope)
        self.assertIsInstance(pypto.get_cube_tile_shapes(), pypto.CubeTile)
        self.assertIsInstance(pypto.get_conv_tile_shapes(), pypto.ConvTile)

    def test_missing_names_say_why(self):
        for name, part in (("np", "not part of the API"), ("dataclass", "not part of the API"),
                           ("ensure_pypto_impl", "not part of the API"), ("matmull", "matmul")):
            with self.assertRaisesRegex(AttributeError, part):
                getattr(pypto, name)

    def test_operations_outside_a_kernel(self):
        self.fails("F00003", "pypto.frontend.jit", pypto.div, pypto.tensor([8, 8], pypto.DT_FP32),
                   pypto.tensor([8, 8], pypto.DT_FP32))

    def test_module_behind_the_class(self):
        from pypto.symbolic_scalar import SymInt, SymbolicScalar
        self.assertIs(SymbolicScalar, pypto.SymbolicScalar)
        self.assertIsNotNone(SymInt)

    def test_distributed_says_what_it_lacks(self):
        self.fails("F00005", "pypto.shmem_put is not simulated yet", pypto.shmem_put)
        self.fails("F00005", "pypto.experimental.shmem_store is not simulated yet",
                   pypto.experimental.shmem_store, 1, 2)


class Coverage(KernelTest):
    """Each public name works, is accepted, or says what it is: as runtime/pypto/_coverage.py tells, of
    which docs/kernel-authors/simulator.md is made."""

    API = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "rules", "data",
                       "pypto-api.json")

    def setUp(self):
        if not os.path.isfile(self.API):
            self.skipTest("only in the tree")
        with open(self.API, encoding="utf-8") as file:
            self.names = {item["name"]: item for item in json.load(file)["attributes"]}

    def test_every_name(self):
        from pypto import _coverage, _ops
        missing = {name for group in _coverage.NOT_SIMULATED.values() for name in group}
        planned = {name for name in _ops.MEANINGS if "." not in name and
                   getattr(getattr(pypto, name, None), "is_missing", False)}
        for name, item in self.names.items():
            with self.subTest(name):
                if name in _coverage.NOT_API:
                    self.assertEqual(item["origin"], "leak")
                    self.assertRaisesRegex(AttributeError, "not part of the API", getattr, pypto,
                                           name)
                    continue
                if name in _coverage.SINCE_9_2 and not hasattr(pypto, name):
                    self.assertRaisesRegex(AttributeError, "since PyPTO 9.2", getattr, pypto, name)
                    continue
                value = getattr(pypto, name)
                if name in missing or name in planned:
                    self.fails("F00005", "%s is not simulated yet" % name, value)
                elif item["kind"] in ("function", "class"):
                    self.assertTrue(callable(value))
                    self.assertFalse(getattr(value, "is_missing", False))
                elif item["kind"] == "enum":
                    for member in item["members"]:
                        self.assertTrue(hasattr(value, member), member)
                if item["kind"] in ("class", "module"):
                    for member in item.get("members", ()):
                        self.assertTrue(hasattr(value, member), member)

    def test_every_parameter_is_a_keyword(self):
        """By the names of the list; some functions know others, too."""
        checked = 0
        for name, item in self.names.items():
            if item["origin"] != "api" or item["kind"] not in ("function", "class") or \
                    not item.get("params") or not hasattr(pypto, name) or \
                    name in ("SymbolicScalar", "symbolic_scalar"):  # arg0, arg1: by position
                continue
            known = inspect.signature(getattr(pypto, name)).parameters
            if any(p.kind is p.VAR_KEYWORD for p in known.values()):
                continue
            for parameter in item.get("params", ()):
                with self.subTest("%s(%s=)" % (name, parameter["name"])):
                    kind = parameter.get("kind", "")
                    self.assertTrue(kind.startswith("var_") or parameter["name"] in known)
                    checked += 1
        self.assertGreater(checked, 350)

    def test_every_member_of_a_class(self):
        for name, item in self.names.items():
            if item["kind"] == "class" and hasattr(pypto, name):
                for member in item.get("members", ()):
                    self.assertTrue(hasattr(getattr(pypto, name), member), "%s.%s" % (name, member))

    def test_ignored_names_take_what_the_product_takes(self):
        from pypto import _coverage
        calls = {
            "set_pass_options": {"ooo_sched_mode": "HLF"}, "set_host_options": {"compile_timeout": 5},
            "set_codegen_options": {"support_dynamic_aligned": True},
            "set_debug_options": {"compile_debug_mode": 0},
            "set_print_options": {"precision": 3}}
        positional = {
            "set_matrix_size": ([16, 16, 16],), "set_build_static": (True,),
            "set_pass_config": ("a", "b", pypto.PassConfigKey.KEY_DUMP_GRAPH, True),
            "set_pass_default_config": (pypto.PassConfigKey.KEY_DUMP_GRAPH, False),
            "set_conv_tile_shapes": (pypto.pypto_impl.TileL1Info(1, 2),),
            "set_verify_golden_data": ([], []), "pass_verify_print": (1,),
            "set_semantic_label": ("label",)}
        names = {name for group in _coverage.IGNORED.values() for name in group}
        self.assertEqual(names, set(calls) | set(positional))
        with pypto.options("here"):
            for name in names:
                self.assertIsNone(getattr(pypto, name)(*positional.get(name, ()), **calls.get(name, {})))


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
