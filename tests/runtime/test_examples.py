"""The sample programs: each passes unchanged under `pypto-lint run`, none has a finding of the
linter, and each notices one mistake put into its kernel.

Usage: test_examples.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "harness"))
import warm_python  # noqa: E402

BINARY = ""
PROGRAMS = ROOT / "examples/sim"
CUSTOM = ROOT / "examples/custom"
PLAIN = ROOT / "tests/examples/plain"
MUTANTS = pathlib.Path(__file__).resolve().parent / "example_mutants.py"
SHARED = {"checking.py"}  # not a program

# program → (text in it, its replacement, what its output must then say)
MISTAKES = {
    "batched_matmul": ("DT_FP32, b_trans=True", "DT_FP32, b_trans=False", "ErrCode: F"),
    "carried_state": ("place += 1", "place += 0", "TOO LARGE"),
    "causal_backward": ("weights * (weight_gradient - mean)", "weights * (weight_gradient + mean)",
                        "TOO LARGE"),
    "checksum": ("pypto.bitwise_xor(folded,", "pypto.bitwise_or(folded,", "TOO LARGE"),
    "conditions": ("elif block % 3 == 1", "elif block % 3 == 2", "TOO LARGE"),
    "convolution": ("[2, 2], [1, 1, 1, 1], [1, 1]", "[2, 2], [0, 2, 1, 1], [1, 1]", "TOO LARGE"),
    "delta_rule": ("correction = (v - known)", "correction = (v + known)", "TOO LARGE"),
    "elementwise": ("(x + y) * x - row", "(x + y) * x + row", "TOO LARGE"),
    "embedding_gradient": ("pypto.atomic_add(row * 1.0, [word, 0], table)",
                           "pypto.assemble(row * 1.0, [word, 0], table)", "TOO LARGE"),
    "expert_products": ("[expert * WIDTH, 0]", "[0, 0]", "TOO LARGE"),
    "expert_routing": ("experts[:] = indices", "experts[:] = indices + 1", "TOO LARGE"),
    "flash_attention": ("pypto.exp(largest - new_largest)", "pypto.exp(new_largest - largest)",
                        "TOO LARGE"),
    "gated_scan": ("time = steps - 1 - step", "time = steps - step", "TOO LARGE"),
    "graph_wrapper": ("[start, 0], valid_shape=[left, WIDTH]) +\n",
                      "[start, 0], valid_shape=[left, WIDTH]) -\n", "TOO LARGE"),
    "gru_cell": ("candidate * (1.0 - keep) + state * keep",
                 "candidate * keep + state * (1.0 - keep)", "TOO LARGE"),
    "half_chains": ("y[:] = ((a * (a + b)) - b) * b", "y[:] = pypto.clone((a * (a + b)) - b) * b",
                    "TOO LARGE"),
    "indexer": ("pypto.relu(pypto.matmul(query[token], key, pypto.DT_FP32, b_trans=True))",
                "pypto.matmul(query[token], key, pypto.DT_FP32, b_trans=True)", "TOO LARGE"),
    "inplace_reshape": ("heads * 3.0, [start, 0], flat", "heads * 3.0, [token, 0], flat",
                        "TOO LARGE"),
    "int8_activations": ("row_scale = largest / 127.0", "row_scale = largest / 128.0", "TOO LARGE"),
    "layer_norm": ("variance + EPSILON", "variance + 0.1", "TOO LARGE"),
    "legacy_function": ("pypto.is_loop_begin(block)", "pypto.is_loop_end(block)", "TOO LARGE"),
    "loop_locals": ("groups[group:group + 1, :, :]", "groups[0:1, :, :]", "TOO LARGE"),
    "matmul_tiled": ("a_trans=a_trans, b_trans=b_trans,\n",
                     "a_trans=b_trans, b_trans=b_trans,\n", "ErrCode: F"),
    "missing_values": ("pypto.maximum(number, 1.0)", "pypto.maximum(number, 32.0)", "TOO LARGE"),
    "moe_gate": ("pypto.topk(grouped, 2, -1)", "pypto.topk(grouped, 1, -1)", "TOO LARGE"),
    "momentum_step": ("velocity = velocity * MOMENTUM + slope",
                      "velocity = velocity * MOMENTUM + gradient", "TOO LARGE"),
    "mx_product": ("small, small_scale = pypto.quant_mx(x)",
                   "small, small_scale = pypto.quant_mx(x * 1.5)", "TOO LARGE"),
    "named_axes": ("rows * share + rest * weights", "rows * share + rows * weights", "TOO LARGE"),
    "nested_loops": ("total[:] = total +", "total[:] = total -", "TOO LARGE"),
    "newton_steps": ("if exponent == 1", "if exponent == 0", "TOO LARGE"),
    "nz_weights": ('"relu_type": pypto.ReLuType.RELU', '"relu_type": pypto.ReLuType.NO_RELU',
                   "TOO LARGE"),
    "online_softmax": ("total[:] = new_total", "total[:] = block_total", "TOO LARGE"),
    "paged_cache": ("(cache, -2, places, rows)", "(cache, -2, places, rows + 1.0)", "TOO LARGE"),
    "polynomials": ("result = result * point + coefficient",
                    "result = result + point * coefficient", "TOO LARGE"),
    "power_iteration": ("return row / length, length", "return row / length, length * length",
                        "TOO LARGE"),
    "quantized_matmul": ("DT_FP32) * (largest / 127.0)", "DT_FP32) * (largest / 128.0)",
                         "TOO LARGE"),
    "ragged_rows": ("valid_shape=[left, WIDTH]", "valid_shape=[TILE, WIDTH]", "ErrCode: F"),
    "reductions": ("y[:] = operation(x, dim, keepdim=True)",
                   "y[:] = operation(x, -1, keepdim=True)", "TOO LARGE"),
    "ring_buffer": ("            place = 0\n", "            place = 1\n", "TOO LARGE"),
    "rms_norm": ("(1.0 / WIDTH)", "(2.0 / WIDTH)", "TOO LARGE"),
    "rope": ("first * c - second * s", "first * c + second * s", "TOO LARGE"),
    "running_statistics": ("delta * delta * (count * share)", "delta * delta * share", "TOO LARGE"),
    "segment_sums": ("            total = pypto.full([1, WIDTH], 0.0, pypto.DT_FP32)\n", "",
                     "TOO LARGE"),
    "shape_chain": ("pypto.transpose(heads, 0, 1)", "pypto.transpose(heads, 1, 2)", "TOO LARGE"),
    "softmax": ("    pypto.set_vec_tile_shapes(ROW_TILE, COLUMNS)\n", "", "F21003"),
    "sparse_attention": ("pypto.view(pages, [1, PAGES], [row, 0])",
                         "pypto.view(pages, [1, PAGES], [0, 0])", "TOO LARGE"),
    "swiglu_ffn": ("valid_shape=[left, WIDTH]", "valid_shape=[TOKEN_TILE, WIDTH]", "ErrCode: F"),
    "top_p_filter": ("pypto.cumsum(ranked, -1) - ranked", "pypto.cumsum(ranked, -1)", "TOO LARGE"),
    "unrolled_pooling": ("[group + part, 0], peaks", "[group, 0], peaks", "TOO LARGE"),
    "views_and_casts": ("pypto.gathermask(halves, 2)", "pypto.gathermask(halves, 1)", "TOO LARGE"),
}

# one of each front end, and one of another chip
ALONE = ("softmax", "legacy_function", "loop_locals", "mx_product")
# what a program needs on the command line
OPTIONS = {"mx_product": ("--soc", "950PR"), "online_softmax": ("--soc", "950PR")}

# program → (changes, what the sanitizer must then say)
PARALLEL = ('idx_name="%s"', 'idx_name="%s", parallel=True')
SANITIZED = {
    "softmax": ([("(rows + ROW_TILE - 1) // ROW_TILE, name", "rows // ROW_TILE, name")],
                "y rows 32-36 of 37 were never written; the last write was line 26, rows 16-31 "
                "[unwritten-output]"),
    "gru_cell": ([tuple(text % "step" for text in PARALLEL)],
                 "state: line 34 (step = 0) sets it, line 17 (step = 1) reads it; iterations of a "
                 "parallel loop have no order [race]"),
    "inplace_reshape": ([tuple(text % "token" for text in PARALLEL),
                         ("heads * 3.0, [start, 0], flat", "heads * 3.0, [token, 0], flat")],
                        "y elements [0, 1-3, 0-31] of [5, 4, 32]: line 25 (token = 0) writes, line "
                        "25 (token = 1) writes; iterations of a parallel loop have no order [race]"),
}


def run(*command, cwd=None, warm=False):
    """(exit status, output of both streams); `warm`: by a fork of an interpreter that has imported torch"""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON"))}
    environment["PYPTO_LINT_PYTHON"] = sys.executable
    if warm:
        environment.update(warm_python.variables("program", sys.executable))
    environment["OMP_NUM_THREADS"] = "1"
    done = subprocess.run([BINARY, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, cwd=cwd, env=environment, timeout=250,
                          check=False)
    return done.returncode, done.stdout.decode()


class Examples(unittest.TestCase):
    def programs(self):
        return sorted(path for path in PROGRAMS.glob("*.py") if path.name not in SHARED)

    def test_there_are_enough(self):
        names = [path.stem for path in self.programs()]
        self.assertGreaterEqual(len(names), 40)
        self.assertEqual(names, sorted(MISTAKES))

    def test_they_pass_unchanged(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in PROGRAMS.glob("*.py"):
                pathlib.Path(folder, path.name).write_bytes(path.read_bytes())
            ends = self.ends(folder, {path.stem for path in self.programs()}, "--sanitize")
        for name, (status, output) in ends.items():
            with self.subTest(name):
                self.assertEqual(status, 0, output)
                self.assertIn("%s: PASS\n" % name, output)
                self.assertRegex(output, r"\n[1-9]\d* launches\n$")
                self.without_findings(output)

    def test_they_pass_alone(self):
        """In a process of their own, as users run them; some of them, as each imports torch."""
        for name in ALONE:
            status, output = run("run", "--sanitize", *OPTIONS.get(name, ()), str(PROGRAMS / (name + ".py")))
            with self.subTest(name):
                self.assertEqual(status, 0, output)
                self.assertIn("%s: PASS\n" % name, output)
                self.assertNotIn("no kernel was launched", output)
                self.without_findings(output)

    def without_findings(self, output):
        """The sanitizer, which says which elements and lines, has found nothing."""
        for name in ("race", "unwritten-read", "unwritten-output", "padding-read"):
            self.assertNotIn("[%s]" % name, output)

    def test_the_sanitizer_finds_what_is_broken(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in SHARED:
                pathlib.Path(folder, name).write_bytes((PROGRAMS / name).read_bytes())
            for name, (changes, finding) in SANITIZED.items():
                source = (PROGRAMS / (name + ".py")).read_text(encoding="utf-8")
                for right, wrong in changes:
                    self.assertIn(right, source, name)
                    source = source.replace(right, wrong)
                mutant = pathlib.Path(folder, name + ".py")
                mutant.write_text(source, encoding="utf-8")
                with self.subTest(name):
                    _, output = run("run", "--sanitize", str(mutant), warm=True)
                    self.assertIn(finding, output)

    def test_no_line_knows_of_the_simulator(self):
        for path in PROGRAMS.glob("*.py"):
            text = path.read_text(encoding="utf-8").lower()
            for word in ("ptosim", "simulat", "run_mode", "runmode"):
                self.assertNotIn(word, text, path.name)

    def ends(self, folder, programs, *arguments):
        """name → (exit status, output) of the programs in a folder, run by one Python for each chip."""
        ends = {}
        for options in sorted({OPTIONS.get(name, ()) for name in programs}):
            names = sorted(name for name in programs if OPTIONS.get(name, ()) == options)
            status, output = run("run", *options, *arguments, str(MUTANTS), folder, *names)
            self.assertEqual(status, 0, output)
            ends.update(json.loads(pathlib.Path(folder, "ends.json").read_text(encoding="utf-8")))
        self.assertEqual(sorted(ends), sorted(programs))
        return ends

    def test_each_version_runs_what_it_has(self):
        texts = {path.stem: path.read_text(encoding="utf-8") for path in self.programs()}
        newer = {name for name, text in texts.items() if "pypto.jit" in text or "new_ir" in text}
        self.assertGreaterEqual(len(newer), 10)
        with tempfile.TemporaryDirectory() as folder:
            for path in PROGRAMS.glob("*.py"):
                pathlib.Path(folder, path.name).write_bytes(path.read_bytes())
            older = self.ends(folder, set(texts) - newer, "--pypto", "9.1")
            every = self.ends(folder, texts, "--pypto", "9.2")
            refused = self.ends(folder, newer, "--pypto", "9.1")
        for name, (status, output) in sorted({**every, **older}.items()):
            with self.subTest(name):
                self.assertEqual(status, 0, output)
                self.assertIn("%s: PASS\n" % name, output)
                self.assertNotIn("PyPTO 9.2", every[name][1])  # no warning where it is chosen
        self.assertEqual({status for status, _ in refused.values()}, {1})

    def test_a_mistake_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (right, wrong, _) in MISTAKES.items():
                source = (PROGRAMS / (name + ".py")).read_text(encoding="utf-8")
                self.assertIn(right, source, name)
                mutant = pathlib.Path(folder, name + ".py")
                mutant.write_text(source.replace(right, wrong), encoding="utf-8")
            for name in SHARED:
                pathlib.Path(folder, name).write_bytes((PROGRAMS / name).read_bytes())
            ends = self.ends(folder, MISTAKES)
        for name, (status, text) in ends.items():
            with self.subTest(name):
                self.assertEqual(status, 1, text)
                self.assertIn(MISTAKES[name][2], text)

    def test_no_finding_of_the_linter(self):
        status, output = run("check", str(PROGRAMS), "--format", "json")
        report = json.loads(output)
        # The linter is not told which hardware a sample is for.
        for_950 = [finding for finding in report["findings"]
                   if finding["status"] == "WARN" and "on 910B1; runs on 950PR" in finding["message"]
                   and pathlib.Path(finding["file"]).stem in OPTIONS]
        self.assertEqual((status, [f for f in report["findings"] if f not in for_950]), (0, []))
        judged = {entry["id"] for entry in report["rules"] if entry["status"] == "PASS"}
        self.assertLessEqual({"OL02", "OL03", "OL04", "OL48"}, judged)

    def test_plain_kernels_run(self):
        """Those in which tests/examples/test_plain.py wants no finding are right."""
        for path in sorted(PLAIN.glob("*.py")):
            with self.subTest(path.name):
                status, output = run("run", str(path), warm=True)
                self.assertEqual(status, 0, output)
                self.assertEqual("no kernel was launched" in output, path.name == "tiling.py", output)

    def test_the_sample_operators_pass_their_tests(self):
        for name in ("softmax", "gated_rmsnorm", "attention_backward"):
            status, output = run("run", "--sanitize", str(CUSTOM / name / ("test_%s.py" % name)), warm=True)
            self.assertEqual(status, 0, output)
            self.assertIn("[PRECISION_PASS] " + name, output)
            self.assertNotIn("0 launches", output)
            self.without_findings(output)

    @unittest.skipIf(sys.version_info < (3, 11), "older Pythons do not know columns")
    def test_the_page_shows_what_is_printed(self):
        page = (ROOT / "docs/kernel-authors/simulator.md").read_text(encoding="utf-8")
        program = re.search(r"^```python\n(.*?)^```$", page, re.M | re.S).group(1)
        shown = re.search(r"^```text\n(.*?)^```$", page, re.M | re.S).group(1)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "softmax.py").write_text(program, encoding="utf-8")
            status, output = run("run", "softmax.py", cwd=folder)
        self.assertEqual(status, 1)
        self.assertIn(shown, output)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    try:
        import torch  # noqa: F401
    except ImportError:
        print("torch is not installed: skipped")
        sys.exit(77)
    unittest.main()
