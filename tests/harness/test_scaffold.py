#!/usr/bin/env python3
"""`pypto-lint scaffold interfaces` and `scaffold eval`: what they write, and what they refuse. The tests that
`scaffold` writes are in test_scaffold_tests.py.

    test_scaffold.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import json
import os
import re

from scaffold_support import CONTRACT, GOLDEN, SPEC, ScaffoldTest, main

OP = "custom/chunked"
EVAL = [OP + "/eval/" + name for name in
        ("test_inputs.py", "adversarial_suite.json", "adversarial_runner.py")]


class Interfaces(ScaffoldTest):
    """scaffold interfaces."""

    def test_names_order_shapes(self):
        out = self.works("scaffold", "interfaces", "--op", "chunked").out
        names = re.findall(r"- \{name: (\w+), shape: \"(.*?)\", dtype: (\w+)\}", out)
        self.assertEqual(names[:10], [
            ("q", "[D0, D1, D2]", "bfloat16"), ("k", "[D0, D1, D2]", "bfloat16"),
            ("v", "[D0, D1, D2]", "bfloat16"), ("do", "[D0, D1, D2]", "bfloat16"),
            ("o", "[D0, D1, D2]", "bfloat16"), ("index", "[D0, D3]", "bfloat16"),
            ("flags", "[D0]", "bfloat16"), ("n_chunks", "[]", "int"), ("scale", "[]", "float"),
            ("causal", "[]", "bool")])
        self.assertIn("atol: 0.01\n  rtol: 0.02\n", out)
        self.assertIn("- {D0: 2, D1: 64, D2: 32, D3: 4}\n", out)

    def test_result_is_valid(self):
        self.works("scaffold", "interfaces", "--golden", OP + "/chunked_golden.py", "--spec",
                   OP + "/SPEC.md", "--op", "chunked", "-o", "made.yaml")
        self.assertEqual(self.works("interfaces", "made.yaml").out, "PASS\n")

    def test_axes_that_vary_take_dynamic_names(self):
        self.sample("gated_rmsnorm")
        out = self.works("scaffold", "interfaces", "--op", "gated_rmsnorm").out
        self.assertIn('- {name: x, shape: "[R, D0]", dtype: bfloat16}', out)
        self.assertIn('- {name: weight, shape: "[D0]", dtype: bfloat16}', out)
        self.assertIn("- {R: 300, D0: 1024}", out)

    def test_sizes_by_name(self):
        self.write(OP + "/SPEC.md", SPEC.replace(
            SPEC[SPEC.index("  - {q"):SPEC.index("tolerance")], "  - {B: 2, T: 64}\n"))
        done = self.works("scaffold", "interfaces", "--op", "chunked")
        self.assertIn("    - {B: 2, T: 64}\n", done.out)
        self.assertIn("is a guess", done.err)

    def test_without_spec(self):
        self.write("alone_golden.py", "def alone_golden(x, y=2.5):\n    return x * y\n")
        done = self.works("scaffold", "interfaces", "--golden", "alone_golden.py", "--op", "alone")
        self.assertIn('- {name: x, shape: "[N]", dtype: float32}', done.out)
        self.assertIn("name: y, shape: \"[]\", dtype: float}", done.out)
        self.assertIn("no SPEC.md", done.err)

    def outputs_of(self, text):
        """([(name, shape, dtype)], names of final_outputs) that the contract of a golden gets."""
        self.write("many_golden.py", "import torch\n\n\n" + text)
        done = self.works("scaffold", "interfaces", "--golden", "many_golden.py", "--op", "many",
                          "-o", "many.yaml", "--force")
        self.assertEqual(self.works("interfaces", "many.yaml").out, "PASS\n")
        made = self.read("many.yaml")
        outputs = made[made.index("outputs:"):made.index("final_outputs:")]
        final = made[made.index("final_outputs:"):made.index("composition_verification:")]
        return (re.findall(r"- \{name: (\w+), shape: \"(.*?)\", dtype: (\w+)\}", outputs),
                re.findall(r"- \{name: (\w+), source: module_1\}", final), done)

    def test_several_outputs(self):
        """Each output of the golden is one of the contract."""
        for text, names in (
                ("def many_golden(x):\n    top = x + 1\n    low = x - 1\n    return top, low\n",
                 ["top", "low"]),
                ("def many_golden(x):\n    return (x + 1, x - 1, x)\n", ["out0", "out1", "out2"]),
                ("def many_golden(x):\n    low = x\n    return low * 2, low\n", ["out0", "low"]),
                ("def many_golden(x, y):\n    return x, y\n", ["out0", "out1"]),
                ("def many_golden(x):\n    a = x\n    return a, a\n", ["out0", "out1"]),
                ("def many_golden(x):\n    out1 = x\n    return out1, x * 2\n", ["out0", "out1"]),
                ("def many_golden(x):\n    found = (x, x * 2)\n    return found\n",
                 ["out0", "out1"]),
                ("def many_golden(x) -> tuple[torch.Tensor, torch.Tensor]:\n    return both(x)\n",
                 ["out0", "out1"]),
                ("def many_golden(x):\n    def inner(y):\n        return y, y, y\n"
                 "    return inner(x)[0]\n", ["out0"]),
                ("def many_golden(x) -> tuple[torch.Tensor, ...]:\n    return both(x)\n", ["out0"]),
                ("def many_golden(x):\n    return (x * 2,)\n", ["out0"]),
                ("def many_golden(x):\n    return x * 2\n", ["out0"])):
            with self.subTest(text):
                outputs, final, _ = self.outputs_of(text)
                self.assertEqual(outputs, [(name, "[N]", "float32") for name in names])
                self.assertEqual(final, names)

    def test_returns_that_differ(self):
        _, final, done = self.outputs_of("def many_golden(x, deep=False):\n    if deep:\n"
                                         "        return x, x * 2, x * 3\n    return x, x * 2\n")
        self.assertEqual(len(final), 3)
        self.assertIn("does not always return the same number of outputs: 3 are taken", done.err)

    def test_refusals(self):
        self.refuses("no such file", "scaffold", "interfaces", "--golden", "no.py", "--op", "a")
        self.write("bad_golden.py", "def bad_golden(x:\n")
        self.refuses("no valid Python", "scaffold", "interfaces", "--golden", "bad_golden.py",
                     "--op", "bad")
        self.write("other.py", "def reference(x):\n    return x\n")
        self.refuses("no function ends in _golden", "scaffold", "interfaces", "--golden",
                     "other.py", "--op", "other")
        self.refuses("no such file", "scaffold", "interfaces", "--golden", OP + "/chunked_golden.py",
                     "--spec", "no.md", "--op", "chunked")
        self.write("made.yaml", "mine\n")
        self.refuses("made.yaml", "scaffold", "interfaces", "--op", "chunked", "-o", "made.yaml")

    def test_golden_is_not_run(self):
        self.write(OP + "/chunked_golden.py", "raise SystemExit('run')\n" + GOLDEN)
        self.works("scaffold", "interfaces", "--op", "chunked")


class Eval(ScaffoldTest):
    """scaffold eval."""

    def test_suite(self):
        self.works("scaffold", "eval", "--op", "chunked")
        suite = json.loads(self.read(EVAL[1]))
        self.assertEqual((suite["op_name"], suite["total_modules"]), ("chunked", 2))
        cases = {case["id"]: case for case in suite["test_cases"]}
        for level in range(1, 6):
            self.assertGreaterEqual(sum(c["level"] == f"L{level}" for c in cases.values()), 2)
        first = {"B": 2, "T": 64, "K": 32, "BT": 16}
        self.assertEqual(cases["L1_canonical"]["shape"], first)
        self.assertEqual(cases["L2_canonical"]["shape"], first)
        self.assertIs(cases["L1_canonical_b"]["precision"], False)
        self.assertEqual((cases["L3_odd"]["atol"], cases["L3_odd"]["rtol"]), (0.01, 0.02))
        # T is divided by BT: it stays a multiple; K is no dynamic axis, BT divides.
        self.assertEqual(cases["L3_halved"]["shape"], {"B": 1, "T": 32, "K": 32, "BT": 16})
        self.assertEqual(cases["L3_odd"]["shape"], {"B": 1, "T": 48, "K": 32, "BT": 16})
        self.assertEqual(cases["L4_large_tail"]["shape"], {"B": 9, "T": 272, "K": 32, "BT": 16})
        self.assertEqual(cases["L2_canonical_float32"]["dtype"], "float32")

    def test_every_p0_shape_is_a_case(self):
        rows = (1, 7, 1000, 64)
        shape = SPEC[SPEC.index("  - {q"):SPEC.index("tolerance")]
        self.write(OP + "/SPEC.md", SPEC.replace(
            shape, "".join(f"  - {{B: {row}, T: 64, K: 8, BT: 16}}\n" for row in rows)))
        self.works("scaffold", "eval", "--op", "chunked")
        cases = json.loads(self.read(EVAL[1]))["test_cases"]
        basic = [(case["shape"]["B"], case["dtype"]) for case in cases if case["level"] == "L2"]
        self.assertEqual(basic, [(row, dtype) for row in rows for dtype in ("bfloat16", "float32")])
        self.assertEqual(len({case["id"] for case in cases}), len(cases))
        # Edges and large cases come from the largest shape, wherever it stands in the list.
        varied = {case["id"]: case["shape"] for case in cases}
        self.assertEqual(varied["L3_halved"]["B"], 500)
        self.assertEqual(varied["L3_odd"]["B"], 501)
        self.assertEqual(varied["L4_large"]["B"], 4000)
        self.assertEqual(varied["L4_large_tail"]["B"], 4001)
        self.assertEqual(varied["L1_canonical"]["B"], 1)

    def test_subtractions_become_cases(self):
        self.works("scaffold", "eval", "--op", "chunked")
        cases = [case for case in json.loads(self.read(EVAL[1]))["test_cases"]
                 if "cancellation_stress" in case]
        self.assertEqual([case["cancellation_stress"]["expression"] for case in cases],
                         ["dp - delta", "(q.float() * q.float()).mean(-1) - mean ** 2"])
        self.assertEqual([case["cancellation_stress"]["target"] for case in cases], ["dq", "var"])
        self.assertEqual({case["level"] for case in cases}, {"L5"})

    def test_pairs_of_the_specification(self):
        self.write(OP + "/SPEC.md", SPEC.replace(
            "dynamic_axes", 'cancellation_pairs: ["p - delta", "dp - delta", 7]\ndynamic_axes'))
        self.works("scaffold", "eval", "--op", "chunked")
        self.assertEqual(self.read(EVAL[1]).count('"expression": "dp - delta"'), 1)
        self.assertEqual(self.read(EVAL[1]).count('"expression": "p - delta"'), 1)

    def test_all_or_nothing(self):
        self.works("scaffold", "eval", "--op", "chunked")
        before = self.files()
        self.write(EVAL[1], "mine\n")
        for path in (EVAL[0], EVAL[2]):
            (self.folder / path).unlink()
        done = self.refuses(EVAL[1], "scaffold", "eval", "--op", "chunked")
        self.assertIn("--force", done.err)
        self.works("scaffold", "eval", "--op", "chunked", "--force")
        self.assertEqual(self.files(), before)  # the same bytes again

    def test_a_write_that_fails_undoes_the_others(self):
        self.works("scaffold", "eval", "--op", "chunked")
        self.write(EVAL[0], "old\n")
        runner = self.folder / EVAL[2]
        runner.unlink()
        runner.mkdir()
        before = self.files()
        done = self.run_here("scaffold", "eval", "--op", "chunked", "--force")
        self.assertEqual(done.status, 2, done.err)
        self.assertEqual(self.files(), before)

    def test_dry_run(self):
        before = self.files()
        done = self.works("scaffold", "eval", "--op", "chunked", "--dry-run")
        self.assertEqual(self.files(), before)
        for path in EVAL:
            self.assertIn(path + " would be written", done.err)

    def test_broken_contracts(self):
        for old, new, text in (
                ("source: module_1}", "source: module_2}", "(rule 2)"),
                ("dtype: float32}\n  - id: 2", "dtype: fp8}\n  - id: 2", "(rule 6)"),
                ("name: k, shape", "name: k2, shape", "not named"),
                ("name: flags", "name: class", "does not have a name that is valid in Python"),
                ('"T//BT"', '"T/BT"', "is not arithmetic of names and integers"),
                ("dtype: int64", "dtype: complex64", "is not known"),
                ("[B]\"", "[in]\"", "keyword"),
                ("op: chunked", "op: other", "the operator is chunked"),
                ("final_outputs:", "  - {id: 5}\nfinal_outputs:", "ids of the modules"),
                ("primary_inputs:", "primary_inputs: [", "not valid YAML")):
            self.write(OP + "/eval/module_interfaces.yaml", CONTRACT.replace(old, new))
            with self.subTest(new):
                self.refuses(text, "scaffold", "eval", "--op", "chunked")
        self.write(OP + "/eval/module_interfaces.yaml", CONTRACT)
        self.write(OP + "/chunked_golden.py", GOLDEN.replace("q: torch.Tensor, k,", "k, q,"))
        self.refuses("in their order", "scaffold", "eval", "--op", "chunked")
        (self.folder / OP / "eval/module_interfaces.yaml").unlink()
        self.refuses("does not exist", "scaffold", "eval", "--op", "chunked")

    def test_huge_sizes(self):
        for old, new in (('"T//BT"', '"T//9223372036854775807"'), ("BT: 16", "BT: 99999999999"),
                         ("T: 64", "T: 9223372036854775807"), ('"T//BT"', '"T//(BT-16)"')):
            self.write(OP + "/eval/module_interfaces.yaml", CONTRACT.replace(old, new))
            self.works("scaffold", "eval", "--op", "chunked", "--force")
            json.loads(self.read(EVAL[1]))

    def test_inputs(self):
        self.works("scaffold", "eval", "--op", "chunked")
        out = self.run_program(INPUTS_PROGRAM)
        self.assertEqual(out, "all well\n")


INPUTS_PROGRAM = '''
import inspect, json, sys, warnings
sys.path.insert(0, "custom/chunked/eval")
import torch
import test_inputs as made
sys.path.insert(0, "custom/chunked")
from chunked_golden import chunked_golden

warnings.simplefilter("error")
assert str(made.DEVICE) == "npu:0"
assert made.PRIMARY_INPUT_ORDER == list(inspect.signature(chunked_golden).parameters)

same = {"float32": torch.float32, "fp32": torch.float32, "float16": torch.float16,
        "fp16": torch.float16, "bfloat16": torch.bfloat16, "bf16": torch.bfloat16,
        "int32": torch.int32, "int64": torch.int64, "bool": torch.bool}
assert all(made._dtype_from_str(name) == dtype for name, dtype in same.items())
assert made._dtype_from_str({"default": "fp16"}) == torch.float16
resolved = made._resolve_shape({"B": 2, "T": 70, "NT": "(T + 15)//16", "x": ["B", "T - -1", "3*2"],
                                "_note": "T"})
assert resolved == {"B": 2, "T": 70, "NT": 5, "x": [2, 71, 6]}, resolved
for bad in ("Q", "T.x", "T/2", "T**2", "f(T)", "[T]", "__import__('os')", "1 if T else 2"):
    try:
        made._resolve_shape({"T": 4, "x": bad})
    except (ValueError, SyntaxError):
        continue
    raise SystemExit("accepted: " + bad)

def equal(a, b):
    return all(torch.equal(a[n], b[n]) if isinstance(a[n], torch.Tensor) else a[n] == b[n] for n in a)

for case in json.load(open("custom/chunked/eval/adversarial_suite.json"))["test_cases"]:
    inputs = made.make_inputs(case)
    assert list(inputs) == made.PRIMARY_INPUT_ORDER
    assert equal(inputs, made.make_inputs(case)), case["id"]
    sizes = case["shape"]
    assert list(inputs["index"].shape) == [sizes["B"], sizes["T"] // sizes["BT"]]
    assert inputs["index"].dtype == torch.int64 and inputs["flags"].dtype == torch.bool
    assert str(inputs["q"].dtype) == "torch." + case["dtype"]
    scale = 1.0 if case["id"] == "L3_other_scalars" else 0.5
    assert (inputs["n_chunks"], inputs["scale"], inputs["causal"]) == (1, scale, True)
    tensors = [value for value in inputs.values() if isinstance(value, torch.Tensor)]
    assert all(str(value.device) == "npu:0" for value in tensors)
    assert not inputs["index"].numel() or int(inputs["index"].max()) < min(sizes.values())
    chunked_golden(*[value.cpu() if isinstance(value, torch.Tensor) else value
                     for value in inputs.values()])

# What the hook promises, worked out here once more.
case = {"shape": {"B": 2, "T": 16, "K": 8, "BT": 4}, "dtype": "float32",
        "cancellation_stress": {"target": "dq", "expression": "dp - delta", "relative_gap": 1e-5,
                                "seed": 5}}
i = {name: value.float() for name, value in made.make_inputs(case).items()
     if isinstance(value, torch.Tensor)}
a = i["do"].cpu() @ i["v"].cpu().transpose(-1, -2)
b = (i["o"].cpu() * i["do"].cpu()).sum(-1, keepdim=True).expand_as(a)
gap = ((a - b).abs() / torch.maximum(a.abs(), b.abs())).max().item()
assert gap <= 1e-5, gap
other = dict(case, cancellation_stress=dict(case["cancellation_stress"], seed=6))
assert not equal(made.make_inputs(case), made.make_inputs(other))
for expression in ("dp + delta", "dp - nothing"):
    try:
        made.make_inputs(dict(case, cancellation_stress={"expression": expression}))
    except ValueError:
        continue
    raise SystemExit("accepted: " + expression)
changed = made.make_inputs({"shape": {"B": 2, "T": 16, "K": 8, "BT": 4, "q": ["B", 3]},
                            "dtype": {"default": "fp32", "k": "fp16"}, "scale": 2.0, "n_chunks": 3,
                            "integers": {"index": [7, 8]}, "value_scale": {"v": 0.0}})
assert list(changed["q"].shape) == [2, 3] and changed["k"].dtype == torch.float16
assert changed["v"].dtype == torch.float32 and not changed["v"].any() and changed["do"].any()
assert changed["scale"] == 2.0 and changed["n_chunks"] == 3 and bool((changed["index"] == 7).all())
print("all well")
'''


if __name__ == "__main__":
    main()
