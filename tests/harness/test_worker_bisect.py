"""The worker's kind `bisect`: expressions of a kernel that are watched without editing it, against the
reference's.

Usage: test_worker_bisect.py SHARE [UNITTEST_ARGUMENTS…]
"""
import os
import textwrap

import worker_support
from worker_support import WorkerTest, run_job

STEPS = 24
# A running state over blocks of eight rows, and what each block adds to it.
KERNEL = """
import torch
import pypto

ROWS = 8

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32),
           y: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(ROWS, 16)
    state = pypto.tensor([ROWS, 16], pypto.STATE_TYPE, "state")
    for t in pypto.loop(x.shape[0] // ROWS, name="steps", idx_name="t"):
        gain = pypto.view(x, [ROWS, 16], [t * ROWS, 0]) * 0.5
        if pypto.is_loop_begin(t):
            state[:] = pypto.cast(gain, pypto.STATE_TYPE)
        else:
            state[:] = state + pypto.cast(gain, pypto.STATE_TYPE)
        # here
        pypto.assemble(pypto.cast(state, pypto.DT_FP32), [t * ROWS, 0], y)


def double_module1_wrapper(x):
    y = torch.empty_like(x)
    kernel(x, y)
    return y
"""
GOLDEN = """
import torch

def double_module1_golden(x):
    state = torch.zeros(8, 16)
    made = []
    for t in range(x.shape[0] // 8):
        gain = x[8 * t:8 * t + 8] * 0.5
        state = state + gain
        made.append(state)
    return (torch.cat(made),)
"""
WATCHES = [{"name": "gain", "expression": "gain"}, {"name": "state", "expression": "state"}]


class Bisect(WorkerTest):
    def setUp(self):
        super().setUp()
        self.kernel()
        self.golden(GOLDEN)

    def kernel(self, *pairs, dtype="DT_FP32"):
        text = KERNEL.replace("STATE_TYPE", dtype)
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write("modules/double_module1_impl.py", text)

    def sources(self):
        """The texts of implementation and reference."""
        texts = []
        for name in ("impl", "golden"):
            with open(self.path("modules/double_module1_%s.py" % name), "rb") as file:
                texts.append(file.read())
        return texts

    def bisect(self, watches=None, axis="t", **more):
        return self.bisect_files(watches, [], axis, **more)

    def bisect_files(self, watches, left, axis="t", **more):
        """A run that leaves these files below _debug/."""
        job = self.job(kind="bisect", watches=WATCHES if watches is None else watches, axis=axis,
                       case={"shape": {"R": 8 * STEPS}}, **more)
        before = self.sources()
        told = run_job(job)
        self.assertEqual(self.sources(), before, "a file was edited")
        self.assertEqual([name for name in os.listdir(self.path("_debug"))]
                         if os.path.isdir(self.path("_debug")) else [], left)
        return told

    def found(self, *arguments, **more):
        """The watches by name, and the name of the first to drift."""
        told = self.bisect(*arguments, **more)
        self.assertEqual((told.status, told.end, told.error), (0, "compared", None), told)
        watches = told.bisect["watches"]
        first = told.bisect["first"]
        return {one["name"]: one for one in watches}, \
            None if first is None else watches[first]["name"]

    def refused(self, *parts, **more):
        told = self.bisect(**more)
        self.assertEqual((told.end, told.error["type"]), ("contract", "Contract"), told)
        for part in parts:
            self.assertIn(part, told.error["message"])


class Drift(Bisect):
    def test_a_right_kernel(self):
        found, first = self.found()
        self.assertIsNone(first)
        for one in found.values():
            self.assertEqual((one["why"], one["onset"], one["iterations"], one["dtype"],
                              one["shape"]), (None, None, STEPS, "float32", [8, 16]), one)
            self.assertEqual([step["iter"] for step in one["steps"]], list(range(STEPS)))
            self.assertEqual({step["elements"] for step in one["steps"]}, {128})
        self.assertEqual((found["gain"]["carried"], found["state"]["carried"]), (False, True))

    def test_wrong_state_from_an_iteration_on(self):
        """The state is wrong from 7 on and hands that on; what a block adds is right."""
        self.kernel(("        # here", "        if t == 7:\n            state[:] = state + 0.25"))
        found, first = self.found()
        self.assertEqual(first, "state")
        self.assertIsNone(found["gain"]["onset"])
        state = found["state"]
        self.assertEqual((state["onset"], state["onset_iter"], state["pattern"],
                          state["loop_carried"]), (7, 7, "from", True), state)
        self.assertEqual([step["all_close"] for step in state["steps"]],
                         [t < 7 for t in range(STEPS)])

    def test_wrong_offset_in_the_first_iteration(self):
        """Only what the first block adds is wrong; the state carries it on."""
        self.kernel(("[t * ROWS, 0]) * 0.5", "[t * ROWS + ROWS * (t < 1), 0]) * 0.5"))
        found, first = self.found()
        self.assertEqual(first, "gain")
        self.assertEqual((found["gain"]["onset"], found["gain"]["pattern"],
                          found["gain"]["loop_carried"]), (0, "first", False), found["gain"])
        self.assertEqual((found["state"]["onset"], found["state"]["pattern"],
                          found["state"]["loop_carried"]), (0, "all", True))

    def test_accumulation_in_half_precision(self):
        """Rounding of a 16-bit value is not drift, but its accumulation over iterations is."""
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["x"]
            def make_inputs(case):
                torch.manual_seed(3)
                x = torch.full((case["shape"]["R"], 16), 0.00501)
                x[:8] = 2.0
                return {"x": x.to("npu:0")}
        """)
        self.kernel(dtype="DT_BF16")
        found, first = self.found()
        self.assertEqual(first, "state")
        state = found["state"]
        self.assertIsNone(found["gain"]["onset"])
        # 1.0 + 0.0025 is 1.0 again: the error is 0.0025 t, and 2 ** -7 is passed at t = 4.
        self.assertEqual((state["dtype"], state["onset"], state["pattern"], state["grows"],
                          state["loop_carried"]), ("bfloat16", 4, "from", True, True), state)

    def test_one_iteration(self):
        self.kernel(("        if pypto.is_loop_begin(t):",
                     "        if t == 5:\n            gain = gain + 1.0\n"
                     "        if pypto.is_loop_begin(t):"))
        found, first = self.found()
        self.assertEqual((first, found["gain"]["onset"], found["gain"]["pattern"],
                          found["gain"]["loop_carried"]), ("gain", 5, "some", False))

    def test_only_relative_errors_leave(self):
        self.kernel(("* 0.5", "* 0.75"))
        told = self.bisect()
        for step in told.bisect["watches"][0]["steps"]:
            self.assertEqual(set(step), {"iter", "relative_error", "out_of_tolerance", "elements",
                                         "nonfinite", "all_close", "outer"})
            self.assertAlmostEqual(step["relative_error"], 0.5, 2)


class Probe(Bisect):
    """The file that devices need, here run by the simulator."""

    def probed(self, *watches, **more):
        told = self.bisect_files(list(watches) or WATCHES, ["double_module1_impl_probe.py"],
                                 probe=True, **more)
        self.assertEqual((told.status, told.end, told.error), (0, "compared", None), told)
        first = told.bisect["first"]
        return told.bisect["watches"], None if first is None else \
            told.bisect["watches"][first]["name"]

    def test_as_without_a_file(self):
        found, first = self.probed()
        self.assertEqual((first, [one["why"] for one in found]), (None, [None, None]), found)
        self.assertEqual([one["iterations"] for one in found], [STEPS, STEPS])
        self.kernel(("        # here", "        if t == 7:\n            state[:] = state + 0.25"))
        (_, state), first = self.probed()
        self.assertEqual((first, state["onset"], state["pattern"], state["loop_carried"]),
                         ("state", 7, "from", True), state)

    def test_half_precision_is_recognised(self):
        self.kernel(dtype="DT_BF16")
        found, _ = self.probed()
        self.assertEqual(found[1]["dtype"], "bfloat16", found[1])

    def test_what_a_probe_cannot_do(self):
        self.golden(GOLDEN.replace("        made.append(state)", "        sizes = gain[0]\n        made.append(state)"))
        found, _ = self.probed(dict(WATCHES[0], golden="sizes"), WATCHES[1])
        self.assertIn("two axes", found[0]["why"])
        self.assertIsNone(found[1]["why"])

    def test_a_reference_without_iterations(self):
        """Then it is not known how many iterations the buffer must have room for."""
        self.golden("""import torch
def double_module1_golden(x):
    gain = x * 0.5
    return (gain.reshape(-1, 8, 16).cumsum(0).reshape(-1, 16),)
""")
        told = self.bisect_files(WATCHES[:1], ["double_module1_impl_probe.py"], probe=True)
        self.assertEqual((told.end, told.error), ("compared", None), told)
        self.assertIn("in a loop", told.bisect["watches"][0]["why"])

    def test_a_link_in_the_place_of_the_probe_file(self):
        """It is replaced; what it leads to stays as it was."""
        away, place = self.path("away.py"), self.path("_debug/double_module1_impl_probe.py")
        with open(away, "w", encoding="utf-8") as file:
            file.write("kept")
        os.mkdir(self.path("_debug"))
        os.symlink(away, place)
        self.assertEqual(self.probed()[1], None)
        self.assertFalse(os.path.islink(place))
        with open(away, encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")
        with open(place, encoding="utf-8") as file:
            self.assertIn("Made by pypto-lint bisect", file.read())

    def test_a_folder_that_leads_out(self):
        away = self.path("away")
        os.mkdir(away)
        os.symlink(away, self.path("_debug"))
        for probe in (True, False):
            told = run_job(self.job(kind="bisect", watches=WATCHES, axis="t", probe=probe,
                                    case={"shape": {"R": 16}}))
            self.assertNotEqual(told.end, "compared", told)
            self.assertEqual(os.listdir(away), [])


class References(Bisect):
    def test_inspection_buffers(self):
        """module_1_inspect() comes first: [B, H, NT, …]."""
        self.golden(GOLDEN + textwrap.dedent("""
            def module_1_inspect(x):
                return {"sum": torch.cumsum(x.reshape(1, 1, -1, 8, 16) * 0.5, dim=2)}
        """))
        found, first = self.found([dict(WATCHES[1], golden="sum")])
        self.assertEqual((first, found["state"]["why"]), (None, None))
        self.kernel(("        # here", "        if t == 3:\n            state[:] = state * 2.0"))
        found, first = self.found([dict(WATCHES[1], golden="sum")])
        self.assertEqual((first, found["state"]["onset"]), ("state", 3))

    def test_a_tensor_with_the_iterations_on_an_axis(self):
        self.golden("""import torch
def double_module1_golden(x):
    sums = torch.cumsum(x.reshape(-1, 8, 16) * 0.5, dim=0)
    return (sums.reshape(-1, 16),)
""")
        found, first = self.found([dict(WATCHES[1], golden="sums", golden_axis=0)])
        self.assertEqual((first, found["state"]["why"]), (None, None), found)
        found, _ = self.found([dict(WATCHES[1], golden="sums", golden_axis=5)])
        self.assertIn("no axis 5", found["state"]["why"])

    def test_what_cannot_be_compared_says_why(self):
        found, first = self.found([
            {"name": "gain", "expression": "gain", "golden": "nothing"},
            {"name": "half", "expression": "gain[0:4, :]", "golden": "gain"},
            {"name": "few", "expression": "gain", "golden": "made"}])
        self.assertIsNone(first)
        self.assertIn("no tensor 'nothing'", found["gain"]["why"])
        # Its shape does not show which part of the reference it is.
        self.assertIn("shape [4, 16], the reference [8, 16]", found["half"]["why"])
        self.assertIn("no tensor 'made'", found["few"]["why"])
        self.golden(GOLDEN.replace("gain = x[8 * t:8 * t + 8] * 0.5",
                                   "gain = (x[8 * t:8 * t + 8] * 0.5).T").replace(
                                       "state + gain", "state + gain.T"))
        found, first = self.found()
        self.assertIn("shape [8, 16], the reference [16, 8]", found["gain"]["why"])
        self.assertEqual((first, found["state"]["why"]), (None, None))

    def whole(self, *pairs):
        """The reference computes all blocks at once."""
        self.golden("""import torch
def double_module1_golden(x):
    gain = x * 0.5
    return (gain.reshape(-1, 8, 16).cumsum(0).reshape(-1, 16),)
""")
        self.kernel(*pairs)
        return self.found(WATCHES[:1])

    def test_a_whole_tensor(self):
        """The kernel's blocks, in order, make up the whole tensor."""
        found, first = self.whole()
        self.assertEqual((first, found["gain"]["why"], len(found["gain"]["steps"])), (None, None, STEPS))
        found, first = self.whole(("[t * ROWS, 0])", "[t * ROWS - ROWS * (t == 7), 0])"))
        self.assertEqual((first, found["gain"]["onset"], found["gain"]["pattern"]), ("gain", 7, "some"), found)
        found, first = self.whole(("* 0.5", "* 0.75"))
        self.assertEqual((first, found["gain"]["pattern"]), ("gain", "all"), found)

    def test_a_whole_tensor_in_another_order(self):
        found, first = self.whole(("[t * ROWS, 0]) * 0.5", "[(x.shape[0] // ROWS - 1 - t) * ROWS, 0]) * 0.5"))
        self.assertIsNone(first)
        self.assertIn("in another order", found["gain"]["why"])

    def test_one_block_is_not_the_whole(self):
        """The kernel is launched for each block, and it is not known which launch was the last."""
        self.write("modules/double_module1_impl.py", LAYERS.replace("    kernel(x, y)\n", (
            "    for part in range(2):\n"
            "        kernel(x[part * 96:part * 96 + 96], y[part * 96:part * 96 + 96])\n")).replace(
                "ROWS = 8", "ROWS = 96"))
        self.golden("""import torch
def double_module1_golden(x):
    half = x * 0.5
    return (half,)
""")
        found, first = self.found([Layers.HALF])
        self.assertIsNone(first)
        self.assertIn("shape [96, 16], the reference [192, 16]", found["half"]["why"])

    def test_another_number_of_iterations(self):
        self.golden(GOLDEN.replace("        made.append(state)",
                                   "        if t % 2:\n            odd = state * 1.0\n"
                                   "        made.append(state)"))
        found, _ = self.found([dict(WATCHES[1], golden="odd")])
        self.assertEqual(found["state"]["why"],
                         "the reference has it in %d iterations, the kernel in %d"
                         % (STEPS // 2, STEPS))


class Loops(Bisect):
    def test_an_outer_loop(self):
        """Each outer loop has a state of its own, as the batches of the reference."""
        self.write("modules/double_module1_impl.py", """
            import torch
            import pypto

            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32),
                       y: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(8, 16)
                for b in pypto.loop(2, name="b", idx_name="b"):
                    state = pypto.tensor([8, 16], pypto.DT_FP32, "state")
                    for t in pypto.loop(x.shape[0] // 16, name="t", idx_name="t"):
                        row = b * (x.shape[0] // 2) + t * 8
                        tile = pypto.view(x, [8, 16], [row, 0])
                        if pypto.is_loop_begin(t):
                            state[:] = tile * 1.0
                        else:
                            state[:] = state + tile
                        if b == 1:
                            if t == 4:
                                state[:] = state + 0.5
                        pypto.assemble(state * 1.0, [row, 0], y)


            def double_module1_wrapper(x):
                y = torch.empty_like(x)
                kernel(x, y)
                return y
        """)
        self.golden("""import torch
def double_module1_golden(x):
    parts = x.reshape(2, -1, 8, 16)
    state, made = torch.zeros(2, 8, 16), []
    for t in range(parts.shape[1]):
        state = state + parts[:, t]
        made.append(state)
    return (torch.stack(made, 1).reshape(-1, 16),)
""")
        found, first = self.found([WATCHES[1]])
        state = found["state"]
        self.assertEqual((first, state["why"], state["onset"], state["outer"], state["iterations"]),
                         ("state", None, 4, [1], STEPS // 2), state)
        self.assertEqual({step["elements"] for step in state["steps"]}, {256})

    def test_a_whole_tensor_with_axes_of_outer_loops(self):
        self.write("modules/double_module1_impl.py", """
            import torch
            import pypto

            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([2, pypto.DYN, 16], pypto.DT_FP32),
                       y: pypto.Tensor([2, pypto.DYN, 16], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(1, 8, 16)
                for b in pypto.loop(2, name="b", idx_name="b"):
                    for t in pypto.loop(x.shape[1] // 8, name="t", idx_name="t"):
                        tile = pypto.view(x, [1, 8, 16], [b, t * 8, 0]) * 0.5
                        if b == 1:
                            if t == 4:
                                tile = tile + 0.5
                        pypto.assemble(tile, [b, t * 8, 0], y)


            def double_module1_wrapper(x):
                x = x.reshape(2, -1, 16)
                y = torch.empty_like(x)
                kernel(x, y)
                return y.reshape(-1, 16)
        """)
        self.golden("""import torch
def double_module1_golden(x):
    tile = x.reshape(2, -1, 16) * 0.5
    return (tile.reshape(-1, 16),)
""")
        found, first = self.found([{"name": "tile", "expression": "tile"}])
        tile = found["tile"]
        self.assertEqual((first, tile["why"], tile["onset"], tile["outer"], tile["iterations"], tile["pattern"]),
                         ("tile", None, 4, [1], STEPS // 2, "some"), tile)

    def test_launches_in_a_loop_of_the_wrapper(self):
        """Tensors of the host are watched as well."""
        self.write("modules/double_module1_impl.py", """
            import torch
            import pypto

            @pypto.frontend.jit
            def kernel(x: pypto.Tensor([8, 16], pypto.DT_FP32),
                       state: pypto.Tensor([8, 16], pypto.DT_FP32),
                       after: pypto.Tensor([8, 16], pypto.DT_FP32)):
                pypto.set_vec_tile_shapes(8, 16)
                after[:] = state + x * 0.5


            def double_module1_wrapper(x):
                state, made = torch.zeros_like(x[:8]), []
                for t in range(x.shape[0] // 8):
                    after = torch.empty_like(state)
                    kernel(x[8 * t:8 * t + 8].contiguous(), state, after)
                    if t == 9:
                        after = after + 1.0
                    state = after
                    made.append(state)
                return torch.cat(made)
        """)
        found, first = self.found([WATCHES[1]])
        self.assertEqual((first, found["state"]["onset"], found["state"]["loop_carried"]),
                         ("state", 9, True), found["state"])


LAYERS = """
import torch
import pypto

ROWS = 8


def scaled(tile, factor):
    half = tile * factor
    return half


def block(x, y, row):
    tile = pypto.view(x, [ROWS, 16], [row, 0])
    pypto.assemble(scaled(tile, 0.5), [row, 0], y)


@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32),
           y: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(ROWS, 16)
    for t in pypto.loop(x.shape[0] // ROWS, name="steps", idx_name="t"):
        block(x, y, t * ROWS)


def double_module1_wrapper(x):
    y = torch.empty_like(x)
    kernel(x, y)
    return y
"""


class Layers(Bisect):
    """Loops call functions that compute."""

    HALF = {"name": "half", "expression": "half"}

    def setUp(self):
        super().setUp()
        self.write("modules/double_module1_impl.py", LAYERS)
        self.golden("""import torch
def double_module1_golden(x):
    made = []
    for t in range(x.shape[0] // 8):
        half = x[8 * t:8 * t + 8] * 0.5
        made.append(half)
    return (torch.cat(made),)
""")

    def layers(self, *pairs):
        text = LAYERS
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write("modules/double_module1_impl.py", text)

    def test_a_function_below_the_loop(self):
        for axis in ("t", "steps", None):
            found, first = self.found([self.HALF], axis=axis)
            self.assertEqual((first, found["half"]["why"], found["half"]["iterations"]),
                             (None, None, STEPS), found)
        self.layers(("[row, 0])\n", "[row - ROWS * (row == 40), 0])\n"))
        found, first = self.found([self.HALF])
        self.assertEqual((first, found["half"]["onset"], found["half"]["pattern"]), ("half", 5, "some"))

    def test_an_input(self):
        """`golden` may be a parameter of the reference."""
        watch = {"name": "tile", "expression": "tile", "golden": "x"}
        found, first = self.found([watch])
        self.assertEqual((first, found["tile"]["why"], found["tile"]["iterations"]), (None, None, STEPS))
        self.layers(("[row, 0])\n", "[row - ROWS * (row == 40), 0])\n"))
        found, first = self.found([watch])
        self.assertEqual((first, found["tile"]["onset"]), ("tile", 5))
        found, _ = self.found([dict(watch, name="x", golden=None)])  # a name alone may mean something else
        self.assertIn("no buffer and no tensor", found["x"]["why"])

    def test_a_padded_tail(self):
        """The reference pads the last block, and the kernel has only its valid part."""
        self.layers(("x.shape[0] // ROWS", "(x.shape[0] + ROWS - 1) // ROWS"),
                    ("[row, 0])\n", "[row, 0], valid_shape=[pypto.min(x.shape[0] - row, ROWS), 16])\n"))
        self.golden("""import torch
def double_module1_golden(x):
    whole, made = torch.cat([x, torch.zeros(4, 16)]), []
    for t in range(3):
        half = whole[8 * t:8 * t + 8] * 0.5
        made.append(half)
    return (torch.cat(made)[:20],)
""")
        told = run_job(self.job(kind="bisect", watches=[self.HALF], axis="t", case={"shape": {"R": 20}}))
        self.assertEqual(told.end, "compared", told)
        (half,) = told.bisect["watches"]
        self.assertEqual((half["why"], [step["elements"] for step in half["steps"]], told.bisect["first"]),
                         (None, [128, 128, 64], None), half)

    def test_a_loop_in_the_function_too(self):
        """If the caller's loop is the axis, the function's loop is inside an iteration; it can also be the axis itself."""
        self.layers(("    half = tile * factor\n",
                     "    for part in pypto.loop(2):\n        half = tile[part * 4:part * 4 + 4, :] * factor\n"),
                    ("    return half", "    return tile * factor"))
        found, _ = self.found([self.HALF])
        self.assertEqual((found["half"]["iterations"], found["half"]["shape"]), (STEPS, [4, 16]))
        found, _ = self.found([self.HALF], axis="part")
        self.assertEqual((found["half"]["iterations"], found["half"]["shape"]), (2, [4, 16]))

    def test_the_first_is_what_runs_first(self):
        """Not the one whose line is earlier in the file."""
        self.golden("""import torch
def double_module1_golden(x):
    made = []
    for t in range(x.shape[0] // 8):
        tile = x[8 * t:8 * t + 8]
        half = tile * 0.5
        made.append(half)
    return (torch.cat(made),)
""")
        self.layers(("[row, 0])\n", "[row - ROWS * (row == 40), 0])\n"))
        found, first = self.found([self.HALF, {"name": "tile", "expression": "tile"}])
        self.assertEqual([found[name]["onset"] for name in ("half", "tile")], [5, 5])
        self.assertEqual(first, "tile")

    def test_a_function_that_is_called_at_two_places(self):
        """It is not known which of the values the reference has."""
        self.layers(("    pypto.assemble(scaled", "    scaled(tile, 3.0)\n    pypto.assemble(scaled"))
        found, first = self.found([self.HALF])
        self.assertIsNone(first)
        self.assertIn("called at several places", found["half"]["why"])

    def test_the_reference_has_layers(self):
        self.golden("""import torch
def scaled(tile):
    half = tile * 0.5
    return half
def double_module1_golden(x):
    made = []
    for tile in x.split(8):
        made.append(scaled(tile))
    return (torch.cat(made),)
""")
        found, first = self.found([self.HALF])
        self.assertEqual((first, found["half"]["why"], len(found["half"]["steps"])), (None, None, STEPS))


class Untrusted(Bisect):
    def test_expressions(self):
        for expression, part in (("__import__('os').system('true')", "has a Call"),
                                 ("state.__class__", "__class__"),
                                 ("state[f()]", "has a Call"),
                                 ("(lambda: state)", "has a Lambda"),
                                 ("[state for state in ()]", "has a ListComp"),
                                 ("state if t else gain", "has a IfExp"),
                                 ("state; import os", "not an expression"),
                                 ("state)\nimport os\n(gain", "not an expression"),
                                 ("state\0", "not an expression"),
                                 ("'text'", "has a Constant"), ("3", "begin with a name"),
                                 ("(" * 150 + "state", "not an expression"),
                                 ("state" + "[0]" * 100, "longer than 200"),
                                 ("", "not an expression"),
                                 ("nobody", "nothing in double_module1_impl.py gives 'nobody'")):
            with self.subTest(expression):
                self.refused("snapshot 'one'", part,
                             watches=[{"name": "one", "expression": expression}])

    def test_lines_and_axes(self):
        self.refused("line 3 of double_module1_impl.py gives 'state' no value",
                     watches=[dict(WATCHES[1], line=3)])
        self.refused("iteration axis 'chunk'", "there are steps, t", axis="chunk")

    def test_an_expression_that_fails(self):
        """Its own error, at the line of the statement that it was added to."""
        told = self.bisect([{"name": "one", "expression": "state.nothing"}])
        self.assertEqual(told.end, "raised", told)
        self.assertEqual(told.error["line"], 1 + KERNEL[:KERNEL.index("state[:] = pypto")].count("\n"))

    def test_a_file_that_is_no_python(self):
        self.write("modules/double_module1_impl.py", "def (:\n")
        self.refused("does not parse")

    def test_encodings_and_line_ends(self):
        text = "# -*- coding: latin-1 -*-\n" + KERNEL.replace("STATE_TYPE", "DT_FP32").replace(
            "        gain =", "        gain = 'é' and") + "\n"
        with open(self.path("modules/double_module1_impl.py"), "wb") as file:
            file.write(text.replace("'é' and", "").replace("# here", "# é").replace(
                "\n", "\r\n").encode("latin-1"))
        told = run_job(self.job(kind="bisect", watches=WATCHES, axis="t",
                                case={"shape": {"R": 16}}))
        self.assertEqual((told.end, told.bisect["first"]), ("compared", None), told)


class Proposal(Bisect):
    def test_from_the_loops(self):
        told = self.bisect(propose=True)
        self.assertEqual(told.bisect["axis"], "t")
        self.assertEqual([one["name"] for one in told.bisect["proposed"]], ["gain", "state"])

    def test_without_loops(self):
        self.write("modules/double_module1_impl.py", "def double_module1_wrapper(x):\n    return x\n")
        told = self.bisect(propose=True)
        self.assertEqual(told.bisect, {"axis": None, "proposed": []})


if __name__ == "__main__":
    worker_support.main()
