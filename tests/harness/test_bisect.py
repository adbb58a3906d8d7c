"""`pypto-lint bisect`: manifests, --init, the result as text and JSON.

Usage: test_bisect.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import re
import shutil
import subprocess
import tempfile

import harness_support
from harness_support import HarnessTest, scaled

CASES = [{"id": "L1_shape", "level": "L1", "precision": False,
          "shape": {"B": 1, "H": 1, "NT": 4}, "dtype": "float32"},
         {"id": "L2_short", "level": "L2", "shape": {"B": 1, "H": 1, "NT": 4}, "dtype": "float32"},
         {"id": "L4_long", "level": "L4", "shape": {"B": 1, "H": 1, "NT": 9}, "dtype": "float32"}]
MANIFEST = """iteration_axis: step
snapshots:
  - {name: tile, expression: x_tile}
  - {name: state, expression: carried}
"""
# Right up to iteration 5.
WRONG = ("            carried[:] = pypto.add(carried, x_tile)",
         "            carried[:] = pypto.add(carried, x_tile)\n"
         "            if step > 5:\n"
         "                carried[:] = pypto.add(carried, 0.5)")
# The ladder with variables that the manifest can name.
GOLDEN = '''

def ladder_module1_golden(x):
    state = torch.zeros_like(x[0, 0, 0])
    for step in range(x.shape[2]):
        tile = x[0, 0, step]
        state = state + tile
    return (state,)
'''


class BisectTest(HarnessTest):
    WARM = True

    def setUp(self):
        super().setUp()
        self.ladder = self.operator("ladder", CASES)
        golden = self.ladder.read(self.ladder.golden(1))
        at = golden.index("\n\ndef ladder_module1_golden")
        self.ladder.write(self.ladder.golden(1), golden[:at] + GOLDEN)
        self.ladder.write("_debug/snapshot_manifest.yaml", MANIFEST)

    def bisect(self, *arguments, folder=None):
        return subprocess.run(
            [harness_support.BINARY, "bisect"] + list(arguments) + [folder or self.ladder.folder],
            cwd=self.folder, env=self.environment({}), capture_output=True, text=True,
            timeout=scaled(120))

    def result(self, status, *arguments):
        done = self.bisect("--format", "json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (status, ""), done)
        return json.loads(done.stdout, parse_constant=harness_support.no_constant)

    def refused(self, *parts, arguments=()):
        done = self.bisect(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        for part in parts:
            self.assertIn(part, done.stderr)
        return done


class Result(BisectTest):
    def test_a_right_kernel(self):
        done = self.bisect("--case", "L4_long")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertEqual(done.stdout.splitlines()[0], "ladder M1, case L4_long")
        self.assertIn("close in all 9 iterations", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1],
                         "status=CLOSE watched=2 drifting=0 not_compared=0")

    def test_wrong_state(self):
        impl = self.ladder.impl(1)
        self.ladder.edit(impl, WRONG)
        before = self.ladder.read(impl)
        result = self.result(1, "--case", "L4_long")
        self.assertEqual((result["status"], result["first_to_drift"], result["case"],
                          result["iteration_axis"]), ("DRIFT", "state", "L4_long", "step"))
        tile, state = result["snapshots"]
        self.assertEqual((tile["drift_onset_iter"], tile["loop_carried"]), (None, None))
        self.assertEqual((state["drift_onset_iter"], state["pattern"], state["loop_carried"]),
                         (6, "from", True))
        self.assertEqual([step["all_close"] for step in state["per_iter"]],
                         [True] * 6 + [False] * 3)
        line = before[:before.index("carried[:] = ")].count("\n") + 1
        self.assertEqual(state["line"], line)
        done = self.bisect("--case", "L4_long")
        self.assertIn("First to drift: state, line %d, iteration 6" % line, done.stdout)
        self.assertIn("; loop-carried", done.stdout)
        chinese = self.bisect("--case", "L4_long", "--lang", "zh")
        self.assertIn("最先偏离：state，第 %d 行，迭代 6" % line, chinese.stdout)
        self.assertEqual(self.ladder.read(impl), before)
        self.assertEqual(os.listdir(self.ladder.path("_debug")), ["snapshot_manifest.yaml"])

    def test_which_case(self):
        """The manifest's, else the first failure of the last run, else one whose values count."""
        self.ladder.edit(self.ladder.impl(1), WRONG)
        self.assertEqual(self.result(0)["case"], "L2_short")
        self.verify(self.ladder, self.ladder.flags(1))
        self.assertEqual(self.result(1)["case"], "L4_long")
        self.ladder.write("_debug/snapshot_manifest.yaml", "case: L2_short\n" + MANIFEST)
        self.assertEqual(self.result(0)["case"], "L2_short")
        self.ladder.write("_debug/snapshot_manifest.yaml", "case: L9\n" + MANIFEST)
        self.refused("no case 'L9'")
        self.refused("L8", arguments=("--case", "L8"))

    def test_not_compared_is_neither(self):
        self.ladder.write("_debug/snapshot_manifest.yaml",
                          "snapshots: [{name: other, expression: carried, golden: nothing}]\n")
        done = self.bisect()
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("not compared: the reference has no buffer and no tensor 'nothing'",
                      done.stdout)
        self.assertIn("status=INCOMPLETE watched=1 drifting=0 not_compared=1", done.stdout)
        self.assertIn("未比较：参考实现中没有", self.bisect("--lang", "zh").stdout)

    def test_a_wrapper_that_raises(self):
        self.ladder.edit(self.ladder.impl(1), ("    steps = x.shape[2]", "    steps = x.shape[9]"))
        self.refused("IndexError", "ladder_module1_impl.py:")

    def test_no_value_of_the_reference(self):
        """Inputs and reference have a number that may be nowhere in the output."""
        self.ladder.edit(self.ladder.golden(1), ("state = state + tile", "state = state + 0.8125"))
        done = self.bisect("--format", "json")
        self.assertEqual(done.returncode, 1, done)
        self.assertNotIn("8125", done.stdout + done.stderr)


# A kernel that the fake device runs as well: its state is another tensor in each iteration.
PLAIN = '''import pypto
import torch

ROWS = 8


@pypto.frontend.jit
def ladder_module1_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 16], pypto.DT_FP32),
    states: pypto.Tensor([pypto.DYNAMIC, 16], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, 16)
    for step in pypto.loop(x.shape[0] // ROWS):
        tile = pypto.view(x, [ROWS, 16], [step * ROWS, 0])
        double = pypto.mul(tile, 2.0)
        pypto.assemble(double, [step * ROWS, 0], states)


def ladder_module1_wrapper(x):
    steps = x.shape[2]
    flat = x.reshape(steps * ROWS, 16).contiguous()
    states = torch.empty_like(flat)
    ladder_module1_kernel(flat, states)
    return states.reshape(steps, ROWS, 16).sum(0)
'''
PLAIN_GOLDEN = '''

def ladder_module1_golden(x):
    total = torch.zeros_like(x[0, 0, 0])
    for step in range(x.shape[2]):
        double = x[0, 0, step] * 2.0
        total = total + double
    return (total,)
'''
PROBE = "_debug/ladder_module1_impl_probe.py"


class Device(BisectTest):
    """The probe file, in the simulator and on a fake device."""
    WARM = False

    def setUp(self):
        super().setUp()
        golden = self.ladder.read(self.ladder.golden(1))
        at = golden.index("\n\ndef ladder_module1_golden")
        self.ladder.write(self.ladder.golden(1), golden[:at] + PLAIN_GOLDEN)
        self.ladder.write(self.ladder.impl(1), PLAIN)
        self.ladder.write("_debug/snapshot_manifest.yaml",
                          "iteration_axis: step\nsnapshots: [double]\n")

    def environment(self, variables):
        return super().environment(dict(variables, PYTHONPATH=harness_support.FAKE_NPU,
                                        ASCEND_HOME_PATH="/opt/no-such-ascend"))

    def test_a_probe_file(self):
        for mode in (["--probe"], ["--mode", "npu"]):
            with self.subTest(mode):
                self.ladder.write(self.ladder.impl(1), PLAIN)
                result = self.result(0, *mode, "--case", "L4_long")
                self.assertEqual((result["status"], result["mode"]),
                                 ("CLOSE", "npu" if "npu" in mode else "sim"))
                self.assertIn("probe_0: pypto.Tensor", self.ladder.read(PROBE))
                os.remove(self.ladder.path(PROBE))
                self.ladder.edit(self.ladder.impl(1), (
                    "        pypto.assemble(", "        if step > 3:\n"
                    "            double = pypto.mul(tile, 2.5)\n        pypto.assemble("))
                result = self.result(1, *mode, "--case", "L4_long")
                (double,) = result["snapshots"]
                self.assertEqual((double["drift_onset_iter"], double["pattern"],
                                  double["loop_carried"]), (4, "from", False), double)

    def test_without_a_device(self):
        done = subprocess.run(
            [harness_support.BINARY, "bisect", "--mode", "npu", self.ladder.folder],
            env=HarnessTest.environment(self, {}), capture_output=True, text=True,
            timeout=scaled(60))
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn("ASCEND_HOME_PATH", done.stderr)


class Manifests(BisectTest):
    def test_none(self):
        os.remove(self.ladder.path("_debug/snapshot_manifest.yaml"))
        self.refused("snapshot_manifest.yaml: no such file", "--init", "iteration_axis: t")

    def test_forms(self):
        """Expressions alone, a mapping, other words for the same."""
        for text in ("snapshots: [carried]\n", "snapshots: {state: carried}\n",
                     "axis: step\nwatch:\n  - {name: state, expr: carried, reference: state}\n",
                     "iteration_axis: steps\nsnapshots: [{name: state, expression: carried}]\n",
                     "\ufeffaxis: step\r\nsnapshots: {state: carried}\r\n"):
            with self.subTest(text):
                if "[carried]" in text:
                    text = text.replace("[carried]", "[{expression: carried, golden: state}]")
                self.ladder.write("_debug/snapshot_manifest.yaml", text)
                self.assertEqual(len(self.result(0)["snapshots"]), 1)

    def test_broken_ones(self):
        name = "_debug/snapshot_manifest.yaml"
        for text, part in ((b"snapshots: [\n", name + ":1: "), (b"- a\n", "must be a mapping"),
                           (b"", "must be a mapping"), (b"snapshots: 3\n", ":1: `snapshots` must"),
                           (b"snapshots: []\n", "`snapshots` must"), (b"axis: t\n", "`snapshots` must"),
                           (b"axis: [t]\nsnapshots: [a]\n", ":1: `iteration_axis`"),
                           (b"snapshots:\n  - 3\n", ":2: a snapshot must be"),
                           (b"snapshots:\n  - {name: a}\n", ":2: a snapshot needs an expression"),
                           (b"snapshots: [a, b, a]\n", "already a snapshot of that name"),
                           (b"snapshots: [{expression: a, line: x}]\n", "`line` must be a line"),
                           (b"snapshots: [{expression: a, golden_axis: x}]\n", "`golden_axis`"),
                           (b"snapshots: [\"a\\u0007b\"]\n", "printable"),
                           (b"\xff\xfe\x00", name), (b"snapshots: [a]\n---\nb: 1\n", name),
                           (b"snapshots: [nobody]\n", "gives 'nobody' a value; assigned there:"),
                           (b"snapshots: ['carried.sum()']\n", "has a Call"),
                           (b"snapshots: ['__import__(\"os\")']\n", "has a Call"),
                           (b"axis: k\nsnapshots: [carried]\n", "there are step, steps")):
            with self.subTest(text):
                self.ladder.write(name, text)
                self.refused(part)
        self.ladder.write(name, "snapshots:\n" + "".join("  - a%d\n" % n for n in range(65)))
        self.refused("more than 64")

    def test_links_out_of_the_repository(self):
        os.remove(self.ladder.path("_debug/snapshot_manifest.yaml"))
        os.symlink("/etc/passwd", self.ladder.path("_debug/snapshot_manifest.yaml"))
        done = self.refused("snapshot_manifest.yaml")
        self.assertNotIn("root:", done.stderr)


class Init(BisectTest):
    def test_a_proposal_that_runs(self):
        name = "_debug/snapshot_manifest.yaml"
        done = self.bisect("--init")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn("exists already", done.stderr)
        self.assertEqual(self.ladder.read(name), MANIFEST)
        os.remove(self.ladder.path(name))
        os.rmdir(self.ladder.path("_debug"))
        done = self.bisect("--init")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn(name, done.stdout)
        text = self.ladder.read(name)
        self.assertIn("iteration_axis: \"step\"\n", text)
        self.assertIn('expression: "carried"', text)
        self.assertIn('expression: "x_tile"', text)
        self.ladder.edit(name, ('expression: "x_tile"', 'golden: tile, expression: "x_tile"'),
                         ('expression: "carried"', 'golden: state, expression: "carried"'))
        names = {one["name"]: one["why_not"] for one in self.bisected()["snapshots"]}
        self.assertEqual((names["x_tile"], names["carried"]), (None, None))

    def test_a_proposal_of_a_helper(self):
        """What the loop computes in functions of the file is proposed, sizes are not."""
        os.remove(self.ladder.path("_debug/snapshot_manifest.yaml"))
        self.ladder.write(self.ladder.impl(1), "import pypto\n\n\ndef inner(x):\n    squared = pypto.mul(x, x)\n"
                          "    return inner(squared)\n\n\ndef unused(x):\n    other = pypto.exp(x)\n\n\n"
                          "@pypto.frontend.jit\ndef ladder_module1_kernel(x: pypto.Tensor([8, 8], pypto.DT_FP32)):\n"
                          "    for step in pypto.loop(4):\n        rows = pypto.min(8 - step * 2, 2)\n"
                          "        x[:] = inner(x)\n\n\ndef ladder_module1_wrapper(x):\n    ladder_module1_kernel(x)\n")
        done = self.bisect("--init")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        text = self.ladder.read("_debug/snapshot_manifest.yaml")
        self.assertEqual(re.findall(r'expression: "(\w+)"', text), ["squared", "x"])

    def bisected(self):
        done = self.bisect("--format", "json")
        self.assertIn(done.returncode, (0, 2), done)
        return json.loads(done.stdout)

    def test_links_that_lead_out(self):
        """Neither the folder nor the manifest is written through a link out of the repository."""
        away, place = tempfile.mkdtemp(), self.ladder.path("_debug")
        self.addCleanup(shutil.rmtree, away)
        os.remove(os.path.join(place, "snapshot_manifest.yaml"))
        os.symlink(os.path.join(away, "manifest.yaml"), os.path.join(place, "snapshot_manifest.yaml"))
        self.refused("snapshot_manifest.yaml", arguments=("--init",))
        os.remove(os.path.join(place, "snapshot_manifest.yaml"))
        os.rmdir(place)
        os.symlink(away, place)
        self.refused("snapshot_manifest.yaml", arguments=("--init",))
        self.assertEqual(os.listdir(away), [])

    def test_a_kernel_without_loops(self):
        os.remove(self.ladder.path("_debug/snapshot_manifest.yaml"))
        self.ladder.write(self.ladder.impl(1), "def ladder_module1_wrapper(x):\n    return x\n")
        self.refused("has no kernel with a loop", arguments=("--init",))


if __name__ == "__main__":
    harness_support.main()
