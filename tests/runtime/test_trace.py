"""`pypto-lint run --trace` and `--stats`: figures that are worked out by hand here, and limits.

Usage: test_trace.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import trace_rules  # noqa: E402
import warm_python  # noqa: E402

BINARY = ""
PROGRAM = '''
import pypto, torch
F32 = pypto.DT_FP32

@pypto.frontend.jit
def add_kernel(x: pypto.Tensor([32, 16], F32), y: pypto.Tensor([32, 16], F32)):
    pypto.set_vec_tile_shapes(16, 16)
    pypto.set_semantic_label('plus "one"\\n\\u00e9')
    y[:] = x + 1.0

@pypto.frontend.jit
def product_kernel(a: pypto.Tensor([16, 32], F32), b: pypto.Tensor([32, 16], F32),
                   c: pypto.Tensor([16, 16], F32)):
    pypto.set_cube_tile_shapes([16, 16], [32, 32], [16, 16])
    c[:] = pypto.matmul(a, b, F32)

@pypto.frontend.jit
def loop_kernel(x: pypto.Tensor([pypto.DYN, 16], F32), y: pypto.Tensor([pypto.DYN, 16], F32)):
    pypto.set_vec_tile_shapes(8, 16)
    for i in pypto.loop(x.shape[0] // 8):
        pypto.assemble(-pypto.view(x, [8, 16], [8 * i, 0]), [8 * i, 0], y)
'''
ADD = "add_kernel(torch.zeros(32, 16), torch.zeros(32, 16))\n"
PRODUCT = "product_kernel(torch.zeros(16, 32), torch.zeros(32, 16), torch.zeros(16, 16))\n"
LOOP = "loop_kernel(torch.zeros(40, 16), torch.zeros(40, 16))\n"
MHZ = 1850  # of the default hardware, the 910B1
# Its rates, bytes a cycle: 32 from memory, 64 to memory, 512 L1 to L0A, 256 L0C to UB.
# A vector instruction takes 10 cycles and one more for each further 256 bytes; the cube handles
# 16 × 16 × 8 F32 a cycle. Loads and stores are named after their tensors.
ADD_EVENTS = [
    # two tiles of 1024 bytes: 32 cycles in, 10 + 3 cycles for four repeats; 2048 bytes out
    ("load x", "MTE2", 0, 32), ("add", "VECTOR", 32, 13), ("load x", "MTE2", 32, 32),
    ("add", "VECTOR", 64, 13), ("store y", "MTE3", 77, 32)]
ADD_CYCLES = 109
PRODUCT_EVENTS = [
    # 2 · 2048 bytes in, 2048 bytes of a to L0, 32 / 8 steps of k, 1024 bytes out of L0C, then out
    ("load a", "MTE2", 0, 128), ("matmul", "MTE1", 128, 4), ("matmul", "CUBE", 132, 4),
    ("matmul", "FIXPIPE", 136, 4), ("store c", "MTE3", 140, 16)]
PRODUCT_CYCLES = 156


class TraceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, text, *options, status=0):
        """What the program printed to standard error; it must end with that status."""
        path = os.path.join(self.folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM + text)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON"))}
        environment.update(warm_python.variables("program", sys.executable))
        done = subprocess.run([BINARY, "run", *options, path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                              env=environment, timeout=120, check=False)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stderr.decode()

    def trace(self, name="trace.json"):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)

    def events(self, trace):
        """(operation, pipe, start, length in cycles) of each event, in the file's order."""
        pipes = {event["tid"]: event["args"]["name"].split()[0] for event in trace["traceEvents"]
                 if event["name"] == "thread_name"}
        found = []
        for event in trace["traceEvents"]:
            if event["ph"] != "X":
                self.assertIn(event["ph"], ("M", "b", "e"))
                continue
            self.assertAlmostEqual(event["dur"], event["args"]["cycles"], delta=0.6)  # 1 us = 1 cycle
            found.append((event["name"], pipes[event["tid"]], round(event["ts"]), event["args"]["cycles"]))
        return found

    def slices(self, trace):
        """(name, start, end) of each launch and iteration, in the order in which they began."""
        begun, found = {}, []
        for event in trace["traceEvents"]:
            if event["ph"] == "b":
                begun[event["id"]] = event
            elif event["ph"] == "e":
                found.append((event["name"], begun[event["id"]]["ts"], event["ts"]))
        return found


class Rules(TraceTest):
    """No viewer's own reader can be had here: the documented rules of the format stand in for one."""

    def test_traces_keep_the_rules(self):
        self.run_program(ADD + PRODUCT + LOOP, "--trace", "trace.json")
        trace = self.trace()
        self.assertGreater(len(trace["traceEvents"]), 30)
        self.assertEqual(trace_rules.violations(trace), [])

    def test_the_rules_refuse_what_viewers_do(self):
        def event(phase, ts=0, **more):
            return {"name": "n", "ph": phase, "ts": ts, "pid": 1, "tid": 1, **more}
        good = [{"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "VECTOR"}},
                event("X", 0, dur=4), event("X", 1, dur=2), event("X", 4, dur=1),
                event("b", 0, cat="loop", id=1), event("e", 5, cat="loop", id=1),
                event("s", 1, id=7), event("f", 4, id=7)]
        self.assertEqual(trace_rules.violations({"traceEvents": good}), [])
        for bad in ([event("X", 3, dur=3)], [event("X", 6)], [event("X", 6, dur=-1)], [event("Q")],
                    [event("X", "0", dur=1)], [event("b", 6, cat="loop", id=2)], [event("e", 6, cat="loop", id=2)],
                    [event("b", 6, id=2), event("e", 6, id=2)], [event("f", 4, id=8)], [event("s", 1, id=8)],
                    [event("s", 9, id=8), event("f", 10, id=8)], [event("E", 6)], [event("B", 6)],
                    [{"name": "thread_names", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "x"}}],
                    [{"name": "thread_name", "ph": "M", "pid": 1, "args": {"name": "x"}}],
                    [{"name": "n", "ph": "X", "ts": 7, "dur": 1, "tid": 1}], [event("C", 0, args={"a": "1"})], [7]):
            with self.subTest(bad=bad):
                self.assertNotEqual(trace_rules.violations({"traceEvents": good + bad}), [])


class Traces(TraceTest):
    def test_events_and_totals(self):
        self.run_program(ADD + PRODUCT, "--trace", "trace.json")
        trace = self.trace()
        self.assertEqual(trace["otherData"], {"soc": "910B1", "launches": 2, "eventsNotShown": 0,
                                              "clockMHz": MHZ, "unit": "1 us = 1 cycle",
                                              "cycles": ADD_CYCLES + PRODUCT_CYCLES})
        self.assertEqual(self.slices(trace), [("add_kernel", 0, ADD_CYCLES),
                                              ("product_kernel", ADD_CYCLES, ADD_CYCLES + PRODUCT_CYCLES)])
        later = [(name, pipe, start + ADD_CYCLES, cycles)
                 for name, pipe, start, cycles in PRODUCT_EVENTS]
        self.assertEqual(self.events(trace), ADD_EVENTS + later)
        facts = [event["args"] for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([fact["bytes"] for fact in facts],
                         [1024, 1024, 1024, 1024, 2048, 4096, 2048, 0, 1024, 1024])
        self.assertEqual(facts[0]["label"], 'plus "one"\né')
        self.assertEqual([fact["op"] for fact in facts], ["add"] * 4 + ["move"] + ["matmul"] * 4 + ["move"])
        self.assertEqual({fact["file"] for fact in facts}, {"program.py"})  # relative to where it ran
        lines = (PROGRAM + ADD).split("\n")
        self.assertIn("x + 1.0", lines[facts[0]["line"] - 1])
        self.assertIn("pypto.matmul", lines[facts[5]["line"] - 1])

    def test_loops(self):
        self.run_program(LOOP, "--trace", "trace.json")
        events = self.events(self.trace())
        self.assertEqual([name for name, *_ in events].count("neg"), 5)
        self.assertEqual([name for name, *_ in events].count("load x"), 5)
        # A load, its negation and its store take 16 + 11 + 8 cycles; the next load follows the one before.
        self.assertEqual(self.slices(self.trace())[1:], [("loop_0 %d" % i, 16 * i, 16 * i + 35) for i in range(5)])
        # 512 bytes: 16 cycles in, 10 + 1 cycles; 512 bytes out in 8 cycles
        self.assertEqual([cycles for _, pipe, _, cycles in events if pipe == "MTE2"], [16] * 5)
        self.assertEqual([cycles for _, pipe, _, cycles in events if pipe == "VECTOR"], [11] * 5)
        self.assertEqual([cycles for _, pipe, _, cycles in events if pipe == "MTE3"], [8] * 5)
        self.no_overlaps(events)

    def test_the_file_has_the_mode_of_the_umask(self):
        before = os.umask(0o027)
        try:
            self.run_program(ADD, "--trace", "trace.json")
        finally:
            os.umask(before)
        mode = os.stat(os.path.join(self.folder, "trace.json")).st_mode
        self.assertEqual(mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.folder)), ["program.py", "trace.json"])

    def no_overlaps(self, events):
        """A pipe does one thing at a time."""
        ends = {}
        for _, pipe, start, cycles in sorted(events, key=lambda event: event[2]):
            self.assertGreaterEqual(start, ends.get(pipe, 0) - 1)  # microseconds are rounded
            ends[pipe] = start + cycles

    def test_costs_of_lines_and_units(self):
        told = self.run_program(LOOP, "--stats")
        rows = [" ".join(line.split()) for line in told.splitlines()]
        line = (PROGRAM + LOOP).split("\n").index("        pypto.assemble(-pypto.view(x, [8, 16], [8 * i, 0]), "
                                                  "[8 * i, 0], y)") + 1
        # Five times 16 cycles in, 11 in the vector unit, 8 out; the last store ends 5 · 16 + 11 + 8 cycles on.
        self.assertIn("MTE2 (memory to core) 80 80.8 %", rows)
        self.assertIn("VECTOR 55 55.6 %", rows)
        self.assertIn("MTE3 (core to memory) 40 40.4 %", rows)
        self.assertIn("CUBE 0 0.0 %", rows)
        operations = 15  # a view, a negation, a store
        self.assertIn("program.py:%d 175 100.0 %% %d 2,560 2,560" % (line, operations), rows)

    def test_other_hardware(self):
        self.run_program(PRODUCT, "--trace", "trace.json", "--soc", "950PR")
        trace = self.trace()
        self.assertEqual((trace["otherData"]["soc"], trace["otherData"]["clockMHz"]), ("950PR", 1650))
        cube = [event for event in trace["traceEvents"] if event["tid"] == 3 and event["ph"] == "X"]
        self.assertEqual([event["args"]["cycles"] for event in cube], [4])
        self.assertEqual(cube[0]["dur"], 4)

    def test_limit(self):
        self.run_program("pypto._state.context().trace_start(7)\n" + ADD * 3 +
                         "pypto._state.context().trace_write('few.json')\n")
        trace = self.trace("few.json")
        self.assertEqual(len(self.events(trace)), 7)
        self.assertEqual(trace["otherData"]["eventsNotShown"], 3 * 5 - 7)
        self.assertEqual(trace["otherData"]["cycles"], 3 * ADD_CYCLES)

    def test_many_tiles_share_events(self):
        self.run_program("""
@pypto.frontend.jit
def large_kernel(x: pypto.Tensor([1024, 16], F32), y: pypto.Tensor([1024, 16], F32)):
    pypto.set_vec_tile_shapes(1, 16)
    y[:] = -x
large_kernel(torch.zeros(1024, 16), torch.zeros(1024, 16))
""", "--trace", "trace.json")
        facts = [event["args"] for event in self.trace()["traceEvents"]
                 if event["ph"] == "X" and event["name"] == "neg" and event["tid"] == 5]
        self.assertLess(len(facts), 100)
        self.assertEqual(sum(fact["tiles"] for fact in facts), 1024)
        self.assertEqual(sum(fact["bytes"] for fact in facts), 1024 * 16 * 4)

    def test_nothing_is_written_without_a_kernel(self):
        self.run_program("", "--trace", "trace.json")
        self.assertNotIn("trace.json.", " ".join(os.listdir(self.folder)))

    def test_a_folder_that_is_not_there(self):
        text = self.run_program(ADD, "--trace", "no/where.json")
        self.assertIn("cannot be written", text)
        self.assertIn("where.json", text)


class Stats(TraceTest):
    def rows(self, text):
        """name → figure, above the tables of units and lines"""
        text = text.split("\n  unit ")[0]
        pairs = [line.strip().rsplit("  ", 1) for line in text.split("\n") if line.startswith("  ")]
        return {name.strip(): value.strip() for name, value in pairs}

    def test_figures(self):
        rows = self.rows(self.run_program(ADD * 2 + PRODUCT + LOOP, "--stats"))
        seconds = rows.pop("time in kernels")
        self.assertRegex(seconds, r"^0\.\d{6} s$")
        self.assertTrue(rows.pop("version of PyPTO").startswith("9.2 (the newest one described"), rows)
        self.assertEqual(rows, {
            "kernels recorded": "3",
            "launches": "4",
            # twice add and move, matmul and move, five times view, neg and assemble
            "ops": "21",
            "iterations": "5",
            # adds 2 · 4096, product 2 · 2048 + 1024, in the loop 5 · (512 read, 512 written by neg;
            # 512 read, 512 written by assemble)
            "bytes read and written": "23,552",
            "matmul FLOPs": "16,384",  # 2 · 16 · 16 · 32
        })

    def test_without(self):
        self.assertEqual(self.run_program(ADD), "pypto-lint run: 1 launch, 2 ops, 0 warnings\n")
        self.assertEqual(self.run_program(""), "pypto-lint run: no kernel was launched\n")


def main():
    """Runs the tests of the program: the first argument is the binary."""
    global BINARY
    BINARY = os.path.abspath(sys.argv.pop(1))
    try:
        import torch  # noqa: F401
    except ImportError:
        print("torch is not installed: skipped")
        sys.exit(77)
    unittest.main()


if __name__ == "__main__":
    main()
