#!/usr/bin/env python3
"""`pypto-lint scaffold`: the tests and the runner that it writes, run on right operators and on wrong ones.

    test_scaffold_tests.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import ast
import json
import os

from scaffold_support import ScaffoldTest, binary_folder, main

OP = "custom/chunked"


class Tests(ScaffoldTest):
    """scaffold module, scaffold e2e."""

    def test_refusals(self):
        self.refuses("chunked_module1_impl.py", "scaffold", "module", "M1", "--op", "chunked")
        self.refuses("chunked_impl.py", "scaffold", "e2e", "--op", "chunked")
        self.refuses("no phase M3", "scaffold", "module", "--phase", "3", "--op", "chunked")
        self.refuses("needs a phase", "scaffold", "module", "--op", "chunked")
        self.refuses("needs a phase", "scaffold", "module", "Mx", "--op", "chunked")
        self.refuses("given twice", "scaffold", "module", "M1", "--phase", "1", "--op", "chunked")
        self.refuses("no operator", "scaffold", "e2e", "--op", "nowhere")
        self.refuses("interfaces, eval, module or e2e", "scaffold", "all", "--op", "chunked")
        self.refuses("belong to", "scaffold", "eval", "--op", "chunked", "--phase", "1")

    def test_golden_skeleton(self):
        self.write(OP + "/modules/chunked_module12_impl.py", "")
        done = self.works("scaffold", "module", "--phase", "M2", "--op-dir", OP)
        self.assertIn("scaffold eval", done.err)
        golden = self.read(OP + "/modules/chunked_module12_golden.py")
        self.assertEqual(golden.split("\n")[0], "# Derived from module_interfaces.yaml — do not "
                         "hand-edit. On YAML changes, regenerate.")
        function = [node for node in ast.parse(golden).body if isinstance(node, ast.FunctionDef)][0]
        self.assertEqual([(arg.arg, ast.unparse(arg.annotation)) for arg in function.args.args],
                         [("q", "torch.Tensor"), ("k", "torch.Tensor"), ("n_chunks", "int")])
        self.assertIn("dq: [B, T, K], float32\n    var: [B, T], float32\n", golden)
        # It is the author's from now on.
        self.write(OP + "/modules/chunked_module12_golden.py", "mine\n")
        self.works("scaffold", "module", "M2", "--op", "chunked", "--force")
        self.assertEqual(self.read(OP + "/modules/chunked_module12_golden.py"), "mine\n")

    def test_form(self):
        self.write(OP + "/modules/chunked_module12_impl.py", "")
        self.write(OP + "/chunked_impl.py", "")
        self.works("scaffold", "eval", "--op", "chunked")
        self.works("scaffold", "module", "M2", "--op", "chunked")
        self.works("scaffold", "e2e", "--op", "chunked")
        module = self.read(OP + "/modules/test_chunked_module12.py")
        for text in ("tensor_name=f\"module12_out{index}\"", "def test_module12_l0():",
                     "def test_module12_l1():", "torch.manual_seed(42)",
                     'torch.npu.set_device(int(os.environ.get("TILE_FWK_DEVICE_ID", "0")))',
                     '".agents", "skills", "pypto-op-verify", "scripts"', "range(MOST_FOLDERS)",
                     'SMALL_SHAPES = [\n    {"B": 2, "T": 16, "K": 16, "BT": 16},\n]'):
            self.assertIn(text, module)
        self.assertNotIn(" name=", module)
        imported = {name.name for node in ast.walk(ast.parse(module))
                    if isinstance(node, ast.ImportFrom) for name in node.names}
        self.assertEqual(imported, {"chunked_module12_wrapper", "chunked_module12_golden",
                                    "detailed_tensor_compare", "make_inputs"})
        whole = self.read(OP + "/test_chunked.py")
        for text in ("def test_chunked_l0():", "def test_chunked_l1():", "[PRECISION_PASS]",
                     'DTYPES = ["bfloat16", "float32"]', '"q": [2, 64, 32],'):
            self.assertIn(text, whole)

    def test_python_and_width(self):
        self.sample("gated_rmsnorm")
        for arguments in (["eval"], ["module", "M1"], ["module", "M2"], ["e2e"]):
            self.works("scaffold", *arguments, "--op", "gated_rmsnorm")
        for path in (self.folder / "custom/gated_rmsnorm").rglob("*.py"):
            text = path.read_text()
            compile(text, str(path), "exec")
            self.assertLessEqual(max(len(line) for line in text.split("\n")), 100, path)
            self.assertTrue(text.endswith("\n") and not text.endswith("\n\n"), path)
            self.assertNotIn("@@", text)
            self.assertNotIn(str(self.folder), text)

    def test_made_files_are_clean_and_work(self):
        folder = self.sample("gated_rmsnorm")
        for arguments in (["eval"], ["module", "M1"], ["module", "M2"], ["e2e"]):
            self.works("scaffold", *arguments, "--op", "gated_rmsnorm")
        for stage in "4567":
            self.works("check", "--stage", stage, "--no-exec", "--fail-on", "S3", folder)
        shown = self.works("check", "--format", "json", folder).json()
        self.assertEqual(shown["findings"], [])
        for phase in ("M1", "M2"):
            self.works("--phase", phase, "--op-dir", folder)
        self.run_program("pass\n")
        for test, mark in (("modules/test_gated_rmsnorm_module1.py", "module 1"),
                           ("modules/test_gated_rmsnorm_module12.py", "module 2"),
                           ("test_gated_rmsnorm.py", "gated_rmsnorm")):
            done = self.works("run", folder / test)
            self.assertIn("[PRECISION_PASS] gated_rmsnorm", done.out)
            self.assertIn(mark, done.out)

    def test_mismatches_raise(self):
        folder = self.sample("gated_rmsnorm")
        self.works("scaffold", "eval", "--op", "gated_rmsnorm")
        self.works("scaffold", "module", "M2", "--op", "gated_rmsnorm")
        self.works("scaffold", "e2e", "--op", "gated_rmsnorm")
        self.run_program("pass\n")
        impl = folder / "modules/gated_rmsnorm_module12_impl.py"
        right = impl.read_text()
        for old, new, text in (
                ("    return y\n", "    return y, y\n", "2 outputs instead of 1"),
                ("    return y\n", "    return y.float()\n", "torch.float32"),
                ("    return y\n", "    return y[:1]\n", "[1, 16]"),
                ("pypto.add(gated, residual_wide)", "gated", "out of tolerance")):
            impl.write_text(right.replace(old, new))
            with self.subTest(new):
                done = self.run_here("run", folder / "modules/test_gated_rmsnorm_module12.py")
                self.assertEqual(done.status, 1, done.out + done.err)
                self.assertIn(text, done.out)
                self.assertIn("[PRECISION_FAIL]", done.err)
        whole = folder / "gated_rmsnorm_impl.py"
        whole.write_text(whole.read_text().replace("    return y\n", "    return y * 2\n"))
        done = self.run_here("run", folder / "test_gated_rmsnorm.py")
        self.assertNotEqual(done.status, 0)
        self.assertNotIn("[PRECISION_PASS]", done.out)

    def test_operator_of_one_module(self):
        folder = self.sample("softmax")
        (folder / "eval/module_interfaces.yaml").unlink()
        self.works("scaffold", "e2e", "--op", "softmax")
        text = self.read("custom/softmax/test_softmax.py")
        self.assertIn("def make_inputs(case):", text)
        self.assertIn('{"x": [1000, 512]},', text)
        self.run_program("pass\n")
        self.assertIn("[PRECISION_PASS]", self.works("run", folder / "test_softmax.py").out)
        shown = self.works("check", "--format", "json", folder).json()
        self.assertEqual(shown["findings"], [])

    def test_comparison_module_is_found(self):
        folder = self.sample("gated_rmsnorm")
        self.works("scaffold", "eval", "--op", "gated_rmsnorm")
        self.works("scaffold", "module", "M1", "--op", "gated_rmsnorm")
        test = folder / "modules/test_gated_rmsnorm_module1.py"
        program = ("import os, sys\nos.environ.pop('PYPTO_LINT_SIM_HOME', None)\n"
                   "sys.path[:] = [p for p in sys.path if not p.endswith('/harness')]\n"
                   f"sys.argv = [{str(test)!r}]\nimport runpy\nrunpy.run_path({str(test)!r})\n"
                   "print(sys.modules['detailed_tensor_compare'].__file__)\n")
        path = binary_folder() + os.pathsep + os.environ["PATH"]
        self.assertIn("share/pypto-lint/harness/detailed_tensor_compare.py",
                      self.run_program(program, PATH=path))
        self.write(".agents/skills/pypto-op-verify/scripts/detailed_tensor_compare.py",
                   "def detailed_tensor_compare(*a, **k):\n    return {'all_close': True}\n")
        self.assertIn(".agents/skills/pypto-op-verify/scripts/detailed_tensor_compare.py",
                      self.run_program(program))


class Runner(ScaffoldTest):
    """eval/adversarial_runner.py."""

    def test_functions(self):
        self.sample("gated_rmsnorm")
        self.works("scaffold", "eval", "--op", "gated_rmsnorm")
        out = self.run_program(RUNNER_PROGRAM, PYPTO_LINT=binary_folder() + "/pypto-lint")
        self.assertEqual(out, "all well\n")


RUNNER_PROGRAM = '''
import json, os, subprocess, sys, types
sys.path.insert(0, "custom/gated_rmsnorm/eval")
import torch
import adversarial_runner as runner

assert [runner._phase_suffix(k) for k in (1, 2, 10)] == ["1", "12", "12345678910"]
assert runner._load_truth_golden("custom/gated_rmsnorm", "gated_rmsnorm", "12").__name__ == \\
    "gated_rmsnorm_module12_golden"
for call, kind in ((lambda: runner._load_truth_golden("custom/gated_rmsnorm", "gated_rmsnorm", "9"),
                    FileNotFoundError),
                   (lambda: runner._resolve_impl_wrapper(json, "gated_rmsnorm", "1"),
                    runner.NamingContractError)):
    try:
        call()
    except kind:
        continue
    raise SystemExit("no error")
module = types.ModuleType("m")
module.gated_rmsnorm_module1_wrapper = print
assert runner._resolve_impl_wrapper(module, "gated_rmsnorm", "1") is print

two = runner._compare((torch.ones(3), torch.zeros(2)), (torch.ones(3) * 1.5, torch.zeros(2)), .1, .1)
assert two == {"all_close": False, "per_tensor": [
    {"name": "out0", "max_abs_diff": 0.5, "max_rel_diff": two["per_tensor"][0]["max_rel_diff"],
     "all_close": False},
    {"name": "out1", "max_abs_diff": 0.0, "max_rel_diff": 0.0, "all_close": True}]}, two
assert abs(two["per_tensor"][0]["max_rel_diff"] - 1 / 3) < 1e-6
less = runner._compare((torch.ones(3),), (torch.ones(3), torch.ones(1)), .1, .1)
assert [leaf["all_close"] for leaf in less["per_tensor"]] == [True, False] and not less["all_close"]

planted = {"a": [{"b": ({"truth": 1, "c": {"golden_values": [2], "raw_inputs": 3, "d": 4}},)}],
           "truth_tuple": 1, "input_tensors": 2, "golden_source": 3, "golden_tensors": 4}
assert runner._sanitize(planted) == {"a": [{"b": ({"c": {"d": 4}},)}]}

case = {"id": "x", "shape": {"R": 5, "C": 64}, "dtype": "bfloat16", "atol": 0.01, "rtol": 0.01}
path = "custom/gated_rmsnorm/modules/gated_rmsnorm_module12_impl.py"
both = runner.run_modes(types.SimpleNamespace(__file__=path), case, ["sim", "npu"])
keys = {"status", "per_tensor", "max_abs_diff", "max_rel_diff", "stdout", "stderr", "runtime_s"}
assert set(both) == {"sim", "npu"} and all(set(mode) == keys for mode in both.values())
assert both["sim"]["status"] == "PASS" and both["sim"]["max_abs_diff"] is not None, both
assert both["npu"]["status"] == "SKIPPED"
text = open(path).read()
open(path, "w").write(text.replace("    return y\\n", "    print('seen')\\n    return y * 3\\n"))
wrong = runner.run_modes(path, case, "sim")["sim"]
assert wrong["status"] == "FAIL" and "seen" in wrong["stdout"], wrong
open(path, "w").write(text.replace("    return y\\n", "    os.abort()\\n") + "import os\\n")
assert runner.run_modes(path, case, "sim")["sim"]["status"] == "ERROR"
open(path, "w").write(text)
# Any file will do that has one wrapper of the operator; without one it is the modes' error.
other = "custom/gated_rmsnorm/modules/other.py"
open(other, "w").write(text)
assert runner.run_modes(other, case, ["sim"])["sim"]["status"] == "PASS"
for nothing in (types.ModuleType("m"), "custom/gated_rmsnorm/eval/test_inputs.py", "no.py"):
    assert runner.run_modes(nothing, case, ["sim"])["sim"]["status"] == "ERROR"
# A flood and a process that stays are bounded.
open(other, "w").write("import os, time\\n" + text.replace("    return y\\n", """
    pid = os.fork()
    if pid == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    open("escaped", "w").write(str(pid))
    print("z" * 10**6)
    return y
"""))
flood = runner.run_modes(other, case, ["sim"])["sim"]
os.kill(int(open("escaped").read()), 9)
assert flood["status"] == "PASS" and flood["runtime_s"] < 50, flood
assert len(flood["stdout"]) < 70000 and "bytes removed" in flood["stdout"]
nan, inf = float("nan"), float("inf")
for got, want, close in (([nan], [nan], False), ([inf], [inf], True), ([1.0], [inf], False),
                         ([inf], [1.0], False), ([-inf], [inf], False), ([], [], True)):
    assert runner._compare((torch.tensor(got),), (torch.tensor(want),), 1, 1)["all_close"] is close
assert not runner._compare((torch.ones(1),), (torch.ones(1).half(),), 1, 1)["all_close"]
assert not runner._compare((torch.ones(1, 1),), (torch.ones(1),), 1, 1)["all_close"]
assert not runner._compare(([1.0],), (torch.ones(1),), 1, 1)["all_close"]

done = subprocess.run([sys.executable, runner.__file__, "--impl", path, "--up-to-module", "2",
                       "--case", "L2_canonical", "--modes", "sim"], capture_output=True, text=True)
assert done.returncode == 0, done
assert done.stdout.splitlines()[-1].startswith("status=PASS cases=1/1"), done.stdout
os.environ["PYPTO_LINT"] = "/nowhere/pypto-lint"
done = subprocess.run([sys.executable, runner.__file__], capture_output=True, text=True)
assert done.returncode == 2 and "pypto-lint" in done.stderr
print("all well")
'''


if __name__ == "__main__":
    main()
