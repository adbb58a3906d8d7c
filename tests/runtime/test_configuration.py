"""Settings: tiles, scopes, options, and what is an error without them."""
import pathlib
import re

from pypto import _diagnose
from support import F32, KernelTest, main, matrix, pypto, torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
T = pypto.Tensor
BF16 = pypto.DT_BF16


def run(body):
    """x → y over 16×16."""
    y = torch.zeros(16, 16)
    pypto.frontend.jit(body)(matrix(), y)
    return y


class Tiles(KernelTest):
    def test_vector_tile(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            found.append(pypto.get_vec_tile_shapes())
            pypto.set_vec_tile_shapes(4, pypto.SymbolicScalar(8), 2, 1)
            found.append(pypto.get_vec_tile_shapes())
        found = []
        run(body)
        self.assertEqual(found, [[], [4, 8, 2, 1]])

    def test_wrong_vector_tiles(self):
        for tile in ((), (0,), (-1, 8), (1,) * 17, ("a",), (1.5,), (2 ** 70,)):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(*tile)
            with self.subTest(tile):
                self.assertRaises(pypto.error.PyptoError, run, body)

        def symbolic(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(x.shape[0])
        self.assertRaises(pypto.error.PyptoError, run, symbolic)

    def test_a_list_is_no_vector_tile(self):
        for tile in ([16, 16], (16, 16)):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(tile)
            with self.subTest(tile):
                self.fails("F00001", "set_vec_tile_shapes(*shape)", run, body)

    def test_cube_tile(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_cube_tile_shapes([16, 32], [16, 64], [32, 64], True)
            tile = pypto.get_cube_tile_shapes()
            found.append((tile.m, tile.k, tile.n, tile.enable_split_k))
            pypto.set_cube_tile_shapes([16, 32], [16, 64, 32], [32, 64])
            found.append(pypto.get_cube_tile_shapes().k)
        found = []
        run(body)
        self.assertEqual(found, [([16, 32], [16, 64, 64], [32, 64], True), [16, 64, 32]])

    def test_wrong_cube_tiles(self):
        for tile, text in ((([16], [16, 16], [16, 16]), "m must have exactly 2 elements"),
                           (([16, 16], [16], [16, 16]), "k must have 2 or 3 elements"),
                           (([16, 16], [16, 16], [16] * 3), "n must have exactly 2 elements")):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_cube_tile_shapes(*tile)
            self.fails("F00002", text, run, body)

    def test_groups_by_position(self):
        hosts, passes = {"compile_timeout": 7}, {"sg_set_scope": 3}
        with pypto.options("outer", None, hosts, passes, None, None, {"combine_axis": True}, None,
                           [4, 8], [[16, 16], [16, 16], [16, 16]]):
            self.assertEqual(pypto.get_host_options(), hosts)
            self.assertEqual(pypto.get_pass_options(), passes)
            self.assertEqual(pypto.get_vec_tile_shapes(), [4, 8])
            self.assertEqual(pypto.get_cube_tile_shapes().k, [16, 16, 16])
            debug = {"runtime_debug_mode": 1}  # stands before the operations' options here
            pypto.set_options(None, None, {"sg_set_scope": 4}, None, None, debug, None, [2, 2])
            self.assertEqual(pypto.get_pass_options(), {"sg_set_scope": 4})
            self.assertEqual(pypto.get_debug_options(), debug)
            self.assertEqual(pypto.get_vec_tile_shapes(), [2, 2])
        self.assertEqual(pypto.get_vec_tile_shapes(), [])
        self.fails("F00001", "multiple values for 'codegen_options'", pypto.options, "a", {},
                   codegen_options={})
        self.fails("F00001", "at most 11 groups", pypto.set_options, *[None] * 12)

    def test_missing_tiles(self):
        def scalar(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[:] = x + 1.0

        def tensors(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[:] = x * x

        def product(x: T([16, 16], F32), y: T([16, 16], F32)):
            y[:] = pypto.matmul(x, x, F32)
        for body, name in ((scalar, "ADDS"), (tensors, "MUL"), (product, "A_MUL_B")):
            error = self.fails("F21003", "op [%s]tile shape not set" % name, run, body)
            self.assertIn("CHECK FAILED: ErrCode: F21003! Enum: ", str(error))

    def test_rank_of_the_tile(self):
        def small(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16)
            y[:] = x + 1.0

        def large(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16, 16)
            y[:] = x + 1.0
        self.fails("F42003", "Tile shape size 1 is not matched the output shape size 2",
                   run, small)
        self.equal(run(large), matrix() + 1)

    def test_a_tile_too_large_for_the_unified_buffer(self):
        def body(x: T([256, 256], F32), y: T([256, 256], F32)):
            pypto.set_vec_tile_shapes(256, 256)
            y[:] = x + x
        kernel = pypto.frontend.jit(body)
        self.fails("F40005", "MEM_UB", kernel, matrix(256, 256), matrix(256, 256))

    def test_cube_tile_rules(self):
        for tile in (([16, 16], [8, 8], [16, 16]),        # kL0 is no multiple of 16
                     ([16, 16], [16, 16], [24, 24]),      # nL0 is no multiple of 16
                     ([32, 16], [16, 16], [16, 16]),      # L0 larger than L1
                     ([16, 24], [16, 16], [16, 16]),      # L1 no multiple of L0
                     ([16, 16], [0, 16], [16, 16])):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_cube_tile_shapes(*tile)
                y[:] = pypto.matmul(x, x, F32)
            with self.subTest(tile):
                with self.assertRaises(pypto.error.PyptoError) as caught:
                    run(body)
                self.assertEqual(caught.exception.code, "F0000C", str(caught.exception))


class Scopes(KernelTest):
    def test_settings_do_not_leak_out_of_loops_and_branches(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(2):
                found.append(pypto.get_vec_tile_shapes())
                pypto.set_vec_tile_shapes(8, 8)
            found.append(pypto.get_vec_tile_shapes())
        found = []
        run(body)
        self.assertEqual(found, [[16, 16], [16, 16]])

    def test_settings_do_not_leak_out_of_branches(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = x.shape[0]
            if n > 3:
                pypto.set_vec_tile_shapes(8, 8)
                if n > 5:
                    pypto.set_vec_tile_shapes(4, 4)
                found.append(pypto.get_vec_tile_shapes())
            elif n > 1:
                pypto.set_vec_tile_shapes(2, 2)
            else:
                pypto.set_vec_tile_shapes(1, 1)
            found.append(pypto.get_vec_tile_shapes())
            if len(found) > 0:  # Python's own `if` is no branch of the kernel
                pypto.set_vec_tile_shapes(3, 3)
            last.append(pypto.get_vec_tile_shapes())
        found, last = [], []
        run(body)
        self.assertEqual(found, [[8, 8], [16, 16], [8, 8], [16, 16], [16, 16], [16, 16]])
        self.assertEqual(last, [[3, 3]] * 4)

    def test_each_path_starts_afresh(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            found.append(pypto.get_vec_tile_shapes())
            if x.shape[0] > 3:
                pypto.set_vec_tile_shapes(8, 8)
            else:
                pypto.set_vec_tile_shapes(4, 4)
        found = []
        run(body)
        self.assertEqual(found, [[], []])

    def test_settings_do_not_leak_out_of_kernels(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0

        def fails(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                pypto.set_pass_options(vec_nbuffer_setting={0: 3})
                undefined_name()  # noqa: F821
        run(body)
        self.assertEqual(pypto.get_vec_tile_shapes(), [])
        self.assertRaises(pypto.error.PyptoError, run, fails)
        self.assertEqual(pypto.get_vec_tile_shapes(), [])
        self.assertEqual(pypto.get_pass_options(), {})

    def test_options_as_context_and_decorator(self):
        with pypto.options("outer", vec_tile_shapes=[16, 16],
                           pass_options={"vec_nbuffer_setting": {0: 2}}):
            self.assertEqual(pypto.get_vec_tile_shapes(), [16, 16])
            self.assertEqual(pypto.get_pass_options(), {"vec_nbuffer_setting": {0: 2}})
            with pypto.options(cube_tile_shapes=[[16, 16], [16, 16], [16, 16]]):
                self.assertEqual(pypto.get_vec_tile_shapes(), [16, 16])
                self.assertEqual(pypto.get_cube_tile_shapes().m, [16, 16])
                pypto.set_vec_tile_shapes(4, 4)
            self.assertEqual(pypto.get_vec_tile_shapes(), [16, 16])
        self.assertEqual(pypto.get_vec_tile_shapes(), [])

        @pypto.options(vec_tile_shapes=[8, 8])
        def decorated():
            return pypto.get_vec_tile_shapes()
        self.assertEqual(decorated(), [8, 8])
        self.assertEqual(pypto.get_vec_tile_shapes(), [])

    def test_the_other_settings(self):
        pypto.set_host_options(compile_stage=pypto.CompStage.TILE_GRAPH)
        self.assertEqual(pypto.get_host_options(), {"compile_stage": pypto.CompStage.TILE_GRAPH})
        pypto.reset_options()
        self.assertEqual(pypto.get_host_options(), {})
        pypto.set_global_config("a.b", 3)
        self.assertEqual(pypto.get_global_config("a.b"), 3)
        self.fails("F00006", "KeyError", pypto.get_global_config, "nothing")
        pypto.set_matrix_size([16, 16, 16])
        pypto.set_semantic_label("part one")
        pypto.set_print_options(precision=3)
        pypto.set_build_static(True)
        pypto.experimental.set_operation_options(combine_axis=True)
        self.assertEqual(pypto.experimental.get_operation_options(), {"combine_axis": True})
        self.assertIn("vec_tile_shapes", pypto.get_current_scope())
        self.assertIsInstance(pypto.get_options_tree(), str)
        self.fails("F00001", "TypeError", pypto.set_semantic_label, 3)

    def test_architecture(self):
        self.assertEqual(pypto.platform.npuarch, "DAV_2201")
        try:
            pypto.platform.npuarch = "DAV_3510"
            self.assertEqual(pypto.platform.npuarch, "DAV_3510")
        finally:
            pypto.platform.npuarch = "DAV_2201"
        with self.assertRaises(pypto.error.PyptoError):
            pypto.platform.npuarch = "DAV_9999"


class Unknown(KernelTest):
    """What the simulator does not know is no error: a note, once a file."""

    def test_tiles_and_functions(self):
        def in_a_kernel(call):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                call()
                y[:] = x + 1.0
            pypto.frontend.jit(body)(matrix(), torch.zeros(16, 16))
        self.noted(lambda: pypto.frontend.function(new_of_function=1)(lambda: None), "function")
        self.noted(lambda: in_a_kernel(lambda: pypto.set_cube_tile_shapes(
            [16, 16], [16, 16], [16, 16], new_of_tile=1)), "cube tile")
        self.noted(lambda: in_a_kernel(lambda: pypto.set_conv_tile_shapes(None, None, new_of_conv=1)),
                   "convolution tile")

    def noted(self, call, name):
        """The call works, twice, and there is one note about the name."""
        before = len(_diagnose.told)
        call()
        call()
        new = [told for told in _diagnose.told[before:] if told[2] != "no-output"]
        self.assertEqual([(severity, kind) for severity, _, kind, _, _ in new],
                         [(0, "unknown-option")], name)

    def test_each_group(self):
        groups = [name for name in dir(pypto) if name.startswith("set_") and name.endswith("_options")
                  and name not in ("set_print_options", "set_options")]
        self.assertEqual(len(groups), 6)
        for setter in groups:
            group, key = setter[4:], "new_of_" + setter
            def scoped():
                with pypto.options(**{group: {"scope_" + key: 1}}):  # noqa: B023
                    pass
            def kernel():
                @pypto.jit(**{group: {"jit_" + key: [1]}})  # noqa: B023
                def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                    pypto.set_vec_tile_shapes(16, 16)
                    y[:] = x + 1.0
                y = torch.zeros(16, 16)
                body(matrix(), y)
                self.equal(y, matrix() + 1)
            with self.subTest(group):
                self.noted(lambda: getattr(pypto, setter)(**{key: {}}), setter)  # noqa: B023
                self.noted(lambda: pypto.set_options(**{group: {"all_" + key: 1}}), "set_options")  # noqa: B023
                self.noted(scoped, "options")
                self.noted(kernel, "jit")
        pypto.reset_options()

    def test_known_options_are_checked_still(self):
        self.fails("F00002", "stitch_function_max_num", pypto.set_runtime_options,
                   stitch_function_max_num=0)
        self.fails("F00002", "enable_slice", pypto.set_pass_options, enable_slice=3)

    def test_each_range_of_the_table_is_checked(self):
        ranges = re.findall(r"^OPTION\((\w+), (\w+), (\d+), (\d+)\)$",
                            (ROOT / "src/model/options.def").read_text(encoding="utf-8"), re.M)
        self.assertGreaterEqual(len(ranges), 8)
        for group, name, least, most in ranges:
            setter = getattr(pypto, "set_" + group)
            with self.subTest(name):
                for value in (int(least), int(most)):
                    setter(**{name: value})
                for value in (int(least) - 1, int(most) + 1):
                    self.fails("F00002", name, setter, **{name: value})
        pypto.reset_options()

    def test_decorators_loops_and_scopes(self):
        def decorated():
            @pypto.frontend.jit(new_of_jit=True)
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pass
        def looped():
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                for i in pypto.loop(1, new_of_loop=3):
                    pass
            run(body)
        def unrolled():
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                for i, n in pypto.loop_unroll(1, new_of_unroll=3):
                    pass
            run(body)
        self.noted(decorated, "jit")
        self.noted(looped, "loop")
        self.noted(unrolled, "loop_unroll")
        self.noted(lambda: pypto.options(new_of_options=3), "options")
        self.noted(lambda: pypto.experimental.set_operation_options(new_axis=True), "operation")

    def test_a_launch_with_options_changed_after_the_decoration(self):
        options = {"max_workspace_kb": 1}

        @pypto.jit(runtime_options=options)
        def kernel(x: pypto.Tensor[...], y: pypto.Tensor[...]):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x * 2.0
        options["run_mode"] = pypto.RunMode.SIM
        options["new_of_launch"] = 1
        y = torch.zeros(16, 16)
        self.noted(lambda: kernel(matrix(), y), "launch")
        self.equal(y, matrix() * 2)

    def test_both_front_ends_can_be_asked_for(self):
        for chosen in (True, False):
            @pypto.jit(new_ir=chosen, create_new_logical_tensor=True)
            def kernel(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                y[:] = x + 2.0
            y = torch.zeros(16, 16)
            kernel(matrix(), y)
            self.equal(y, matrix() + 2)
        self.fails("F00001", "new_ir", pypto.jit, new_ir=3)


if __name__ == "__main__":
    main()
