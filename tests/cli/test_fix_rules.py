"""What single rules' fixes make, and what is true of all fixes: a second round changes nothing, no file
stops parsing, no finding is added.

Usage: test_fix_rules.py BINARY [unittest options]
"""
import ast
import collections
import json
import os
import random
import shutil
import unittest

import support
from support import CliTest, call

FIXTURES = support.ROOT / "tests" / "fixtures"
STAGE = ("--stage", "5", "--no-exec")
# A sample of the fixtures; with 1 all of them.
EVERY = int(os.environ.get("PYPTO_LINT_FIX_EVERY", "5"))


def fix(folder, *args):
    return call("check", "--op-dir", folder, "--format", "json", "--fix", *args)


class Single(CliTest):
    def fixed(self, name, text, rule, *args, stage="5"):
        self.write(f"rowscale/{name}", text)
        done = fix(self.folder / "rowscale", "--stage", stage, "--no-exec", "--rules", rule, *args)
        self.assertIn(done.status, (0, 1), done.err)
        return self.read(f"rowscale/{name}")

    def test_ol18(self):
        before = '"""Test."""\nimport torch\n\n\ndef test_rowscale_l0():\n    pass\n'
        after = before.replace("import torch\n", "import torch\nfrom rowscale_golden import rowscale_golden\n"
                               "from rowscale_impl import rowscale_wrapper\n")
        self.assertEqual(self.fixed("test_rowscale.py", before, "OL18"), before)
        self.assertEqual(set(self.fixed("test_rowscale.py", before, "OL18", "--suggestions").splitlines()),
                         set(after.splitlines()))
        self.assertEqual(call("check", "--op-dir", self.folder / "rowscale", *STAGE, "--rules", "OL18").status, 0)

    def test_ol19(self):
        head = "from rowscale_golden import rowscale_golden\nimport numpy\n\n\ndef test_a(x, y):\n"
        number = ".detach().cpu().double().numpy()"
        for before, after in (
                ("assert torch.allclose(x, y - 1, 0.1, atol=T), 'far'",
                 f"numpy.testing.assert_allclose(x{number}, (y - 1){number}, rtol=0.1, atol=T, equal_nan=False, err_msg='far')"),
                ("assert np.allclose(x, y)", "numpy.testing.assert_allclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False)"),
                ("assert (f(x) - y).abs().max().item() < 1e-3",
                 f"numpy.testing.assert_allclose(f(x){number}, y{number}, rtol=0, atol=1e-3, equal_nan=False)"),
                ("assert np.max(np.abs(x - y)) <= 2", "numpy.testing.assert_allclose(x, y, rtol=0, atol=2, equal_nan=False)")):
            self.assertEqual(self.fixed("test_rowscale.py", f"{head}    {before}\n", "OL19", "--suggestions"),
                             f"{head}    {after}\n")
        for kept in ("assert (x - y).abs().max() > 1", "assert torch.allclose(x, y, equal_nan=True)", "assert x.max() < 2",
                     "assert torch.allclose(x)", "assert torch.allclose(*x)", "assert (x - y).abs().max() < 1 < 2",
                     "assert torch.allclose(x, y), message", "assert torch.allclose(\n        x,  # one\n        y)",
                     "numpy = 1\n    assert torch.allclose(x, y)"):
            self.assertEqual(self.fixed("test_rowscale.py", f"{head}    {kept}\n", "OL19", "--suggestions"), f"{head}    {kept}\n")
        alias = "from numpy.testing import assert_allclose as close\n\n\ndef test_a(x, y):\n    close(x, y)\n"
        self.assertEqual(self.fixed("test_rowscale.py", alias, "OL19", "--suggestions"),
                         alias.replace("assert_allclose as close", "assert_allclose").replace("    close", "    assert_allclose"))
        rebound = alias + "    close = 1\n"
        self.assertEqual(self.fixed("test_rowscale.py", rebound, "OL19", "--suggestions"), rebound)

    def test_ol58(self):
        text = ("import pypto\n{}\n\n\n@pypto.frontend.jit\ndef rowscale_npu(x, y):\n    pass\n\n\n"
                "def rowscale_wrapper(x):\n    y = {}\n    rowscale_npu(x, y)\n    return y\n")
        torch = "import torch"
        for package, before, after in (
                (torch, "pypto.zeros([16, 64], pypto.DT_FP32)", "torch.zeros([16, 64], dtype=torch.float32)"),
                (torch, "pypto.full([16], 0.0, pypto.DT_FP16)", "torch.full([16], 0.0, dtype=torch.float16)"),
                (torch, "pypto.zeros([16], dtype=pypto.DT_BF16)", "torch.zeros([16], dtype=torch.bfloat16)"),
                (torch, "pypto.empty([8])", "torch.empty([8])"),
                ("import torch.nn", "pypto.empty([8])", "torch.empty([8])"),
                (torch, "pypto.full([16], 0.0, pypto.DT_FP32, valid_shape=[16])", None),
                (torch, "pypto.full([16], 0.0, pypto.DT_FP32, [16])", None),
                ("import torch_npu", "pypto.empty([8])", None), ("import torch as th", "pypto.empty([8])", None),
                ("# import torch", "pypto.empty([8])", None)):
            fixed = self.fixed("rowscale_impl.py", text.format(package, before), "OL58", "--suggestions")
            self.assertEqual(fixed, text.format(package, after or before))

    def test_ol26(self):
        kernel = "import pypto\n\n\n@pypto.frontend.jit\ndef k(%s):\n    pass\n\n\ndef rowscale_wrapper(x, n):\n    %s\n"
        tensor = "x: pypto.Tensor([8, 64], pypto.DT_FP32)"
        for before, after in (((f"n: int, {tensor}", "k(n, x)"), (f"{tensor}, n: int", "k(x, n)")),
                              ((f"a: int, {tensor}, b: int = 2", "k(1, x); k(n, x, 3); k(1, x, b=4)"),
                               (f"{tensor}, a: int, b: int = 2", "k(x, 1); k(x, n, 3); k(x, 1, b=4)")),
                              ((f"n: int, {tensor}", "k(n=n, x=x)"), (f"{tensor}, n: int", "k(n=n, x=x)"))):
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % before, "OL26", "--suggestions"), kernel % after)
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % before, "OL26"), kernel % before)
        for kept in ((f"n: int, {tensor}", "k(n, x=x)"), (f"n: int, {tensor}", "k(*n)"), (f"n: int, {tensor}", "k(**n)"),
                     (f"n: int, {tensor}", "return k"), (f"n: int, m, {tensor}", "k(1, 2, x)"),
                     (f"n: int = 1, {tensor} = 2", "k(1, x)"), (f"n: int, /, m: int, {tensor}", "k(1, 2, x)"),
                     (f"n: int,  # rows\n      {tensor}", "k(n, x)"), (f"n: int, {tensor}", "k(n, (x))"),
                     (f"n: int, {tensor}", "k(n, x); k = 1")):
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % kept, "OL26", "--suggestions"), kernel % kept)
        before = kernel % (f"n: int, {tensor}", "k(n, x)")
        self.write("rowscale/modules/rowscale_module1_impl.py", "from rowscale_impl import k\n")
        self.assertEqual(self.fixed("rowscale_impl.py", before, "OL26", "--suggestions"), before)

    def test_signatures_and_launches(self):
        kernel = ("import math\nimport pypto\n\n\n@pypto.frontend.jit\ndef k(%s):\n    pypto.set_vec_tile_shapes(8, 64)\n    %s\n\n\n"
                  "def rowscale_wrapper(x):\n    y = torch.empty_like(x)\n    %s\n    return y\n")
        tensors = "x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)"
        plain, body, launch = f"{tensors}, n: int", "y[:] = x + 1.0", "k(x, y, 1)"
        for rule, before, after in (
                ("KS14", (f"{tensors}, *, n: int", body, launch), (plain, body, launch)),
                ("KS14", (f"{tensors}, /, n: int", body, launch), (plain, body, launch)),
                ("KS17", (plain, body, "k(x, y=y, n=1)"), (plain, body, "k(x, y, n=1)")),
                ("KS17", (plain, body, "k(x=x, y=y, n=1)"), (plain, body, "k(x, y, n=1)")),
                ("KS12", (plain, "for i in pypto.loop(2 * math.ceil(x.shape[0] / 8)):\n        pass", launch),
                 (plain, "for i in pypto.loop(2 * ((x.shape[0] + 7) // 8)):\n        pass", launch)),
                ("KS01", (plain, "y[:] = x.half()", launch), (plain, "y[:] = pypto.cast(x, pypto.DT_FP16)", launch))):
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % before, rule, "--suggestions"), kernel % after)
        for rule, kept in (("KS14", (f"{tensors}, *n", body, launch)), ("KS14", (f"{tensors} = 1, *, n: int", body, launch)),
                           ("KS14", (f"*, {tensors}", body, launch)), ("KS17", (plain, body, "k(y=y, x=x, n=1)")),
                           ("KS17", (plain, body, "k(x, **z)"))):
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % kept, rule, "--suggestions"), kernel % kept)

    def test_ol20(self):
        device = 'int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))'
        for before, after in (
                ("import os\nimport torch\nimport torch_npu\n\nx = 1\n",
                 f"import os\nimport torch\nimport torch_npu\ntorch.npu.set_device({device})\n\nx = 1\n"),
                ("import torch, torch_npu\r\nx = 1\r\n",
                 f"import torch, torch_npu\r\nimport os\r\ntorch.npu.set_device({device})\r\nx = 1\r\n"),
                ("import os\nimport torch\ntorch.npu.set_device(3)\n", f"import os\nimport torch\ntorch.npu.set_device({device})\n"),
                ("import torch\ntorch.npu.set_device(3)\n", f"import torch\nimport os\ntorch.npu.set_device({device})\n"),
                ("import torch\nx = 1\n", "import torch\nx = 1\n"),
                ("import torch\nimport torch_npu as npu\n", "import torch\nimport torch_npu as npu\n"),
                ("import torch\ntorch.npu.set_device(device)\n", "import torch\ntorch.npu.set_device(device)\n"),
                ("import torch\nimport torch_npu\ndef f(:\n", "import torch\nimport torch_npu\ndef f(:\n")):
            self.assertEqual(self.fixed("test_rowscale.py", before, "OL20"), before, "a suggestion was applied")
            self.assertEqual(self.fixed("test_rowscale.py", before, "OL20", "--suggestions"), after)

    def test_ol24(self):
        rest = '"current_stage": 2, "max_stage": 7, "stage_status": {"1": "completed"}}\n'
        name = '"operator_name": "rowscale"'
        for before, after in (("{" + rest, "{" + name + "," + rest), ("{\n  " + rest, "{\n  " + name + ",\n  " + rest),
                              ("{}\n", "{" + name + "}\n"), ("{ }\n", "{ " + name + " }\n"), ("[]\n", "[]\n"), ("{\n", "{\n")):
            self.assertEqual(self.fixed(".orchestrator_state.json", before, "OL24"), before, "a suggestion was applied")
            self.assertEqual(self.fixed(".orchestrator_state.json", before, "OL24", "--suggestions"), after)

    def test_ol39(self):
        fields = "schema_version: 1\nop_name: rowscale\n"
        good = f"---\n{fields}---\n# rowscale\n"
        for before, after in (("# rowscale\n", good), (f"\ufeff---\n{fields}---\n# rowscale\n", good),
                              (f"--- \n{fields}---\n# rowscale\n", good), (f"---\n{fields}---\t \n# rowscale\n", good),
                              (f"---\n{fields}...\n# rowscale\n", good), (f"---\n{fields}---", f"---\n{fields}---\n"),
                              ("# rowscale\r\n", "---\r\nschema_version: 1\r\nop_name: rowscale\r\n---\r\n# rowscale\r\n"),
                              ("\ufeff# rowscale\n", "\ufeff# rowscale\n"), ("---\nop_name: x\n", "---\nop_name: x\n"),
                              ("---\n---\n", "---\n---\n"), (good, good)):
            self.assertEqual(self.fixed("SPEC.md", before, "OL39"), after, repr(before))

    def test_ol48(self):
        kernel = ("import pypto\nROWS = 8\nSIZE = ROWS * 8\nLOOP = LOOP\n\n\n@pypto.frontend.jit\ndef k(x, n: int):\n"
                  "    half = SIZE // 2\n    pypto.set_vec_tile_shapes(%s)\n")
        for before, after in (("SIZE, 2 * (64 - 1)", "64, 126"), ("half, 8", "32, 8"), ("n, 8", "n, 8"), ("8 - 8, 8", "8 - 8, 8"),
                              ("LOOP, 8", "LOOP, 8"), ("x.shape[0] * 2, 8", "x.shape[0] * 2, 8"), ("1 // 0, 2 ** 3", "1 // 0, 2 ** 3"),
                              ("99999999 * 99999999, 8", "99999999 * 99999999, 8")):
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % before, "OL48", "--suggestions"), kernel % after)

    def test_ol22(self):
        before = "import torch\n\n\ndef test_a():\n    if True:\n        x = torch.randn(4)\n    y = torch.rand(2)\n"
        self.assertEqual(self.fixed("test_rowscale.py", before, "OL22", "--suggestions"),
                         before.replace("    y =", "    torch.manual_seed(42)\n    y ="))
        before = "import torch\r\nx = torch.randn(4)\r\n"
        self.assertEqual(self.fixed("test_rowscale.py", before, "OL22", "--suggestions"),
                         before.replace("x =", "torch.manual_seed(42)\r\nx ="))
        for kept in ("import torch\n@mark(torch.randn(3))\ndef test_a():\n    pass\n", "import torch; x = torch.randn(4)\n",
                     "import torch\nif 1:\n    pass\nelif torch.randn(1) > 0:\n    pass\n"):
            self.assertEqual(self.fixed("test_rowscale.py", kept, "OL22", "--suggestions"), kept)

    def test_ol25(self):
        kernel = "import pypto\n\n\n@pypto.frontend.jit\ndef k(x: %s):\n    pypto.set_vec_tile_shapes(8, 8)\n"
        for before, after in (("pypto.Tensor(shape=[8, 64], dtype=pypto.DT_FP32)", "pypto.Tensor([8, 64], pypto.DT_FP32)"),
                              ("pypto.Tensor(dtype=pypto.DT_FP32, shape=[8, 64])", "pypto.Tensor([8, 64], pypto.DT_FP32)"),
                              ("pypto.Tensor([8, 64], dtype=pypto.DT_FP32)", "pypto.Tensor([8, 64], pypto.DT_FP32)"),
                              ("pypto.Tensor([8, 64])", "pypto.Tensor([8, 64])"),
                              ("pypto.Tensor(shape=[8], dtype=pypto.DT_FP32, name='x')",
                               "pypto.Tensor(shape=[8], dtype=pypto.DT_FP32, name='x')")):
            self.assertEqual(self.fixed("rowscale_impl.py", kernel % before, "OL25"), kernel % after)

    def test_ol40_and_ol09(self):
        spec = "---\n%ssupported_dtypes: %s\np0_shapes: [[8, 64]]\ntolerance: {atol: 0.1, rtol: 0.1}\n---\n# rowscale\n"
        for rule, stage in (("OL40", "5"), ("OL09", "1")):
            text = self.fixed("SPEC.md", spec % ("", "[float32]"), rule, stage=stage)
            self.assertEqual(sorted(text.splitlines()[1:3]), ["op_name: rowscale", "schema_version: 1"], rule)
            self.assertEqual(text.splitlines()[3:], (spec % ("", "[float32]")).splitlines()[1:])
        self.assertIn("supported_dtypes: [float32]\n", self.fixed("SPEC.md", spec % ("", "float32"), "OL40", "--suggestions"))
        for text in ("# rowscale\n", "", "---\n---\n", "---\nop_name: [\n---\n", "--- \nx: 1\n---\n"):
            self.assertEqual(self.fixed("SPEC.md", text, "OL40", "--suggestions"), text)

    def test_ol52(self):
        view = "import pypto\n\n\ndef f(x, n):\n    return pypto.view(x, [8, n, 4], %s)\n"
        for before, after in (("[0]", "[0, 0, 0]"), ("[n, 0,]", "[n, 0, 0,]"),
                              ("[0, 0, 0], valid_shape=[n]", "[0, 0, 0], valid_shape=[n, n, 4]"),
                              ("[0, 0, 0, 0]", "[0, 0, 0, 0]"), ("[*n]", "[*n]"), ("[]", "[]")):
            self.assertEqual(self.fixed("rowscale_impl.py", view % before, "OL52", "--suggestions"), view % after)

    def test_a_file_of_one_import_stays(self):
        """Without its only statement it would be empty, which OL00 reports."""
        self.assertEqual(self.fixed("rowscale_golden.py", "import pypto\n", "OL15", stage="3"), "import pypto\n")

    def test_the_state_is_read_again(self):
        """The report after a fix is about the file that the fix has written."""
        self.write("rowscale/.orchestrator_state.json", "{}\n")
        done = fix(self.folder / "rowscale", "--stage", "1", "--no-exec", "--suggestions")
        self.assertNotIn("stopped after", done.err)
        self.assertEqual(self.read("rowscale/.orchestrator_state.json"), '{"operator_name": "rowscale"}\n')
        self.assertNotIn("lacks the required key 'operator_name'", done.out)

    def test_ol55_renames(self):
        for before, after in (("pypto.float16", "pypto.DT_FP16"), ("pypto.multiply", "pypto.mul"),
                              ("pypto.square", "pypto.square"), ("pypto.mean", "pypto.mean")):
            text = f"import pypto\n\nx = {before}\n"
            self.assertEqual(self.fixed("rowscale_impl.py", text, "OL55", "--suggestions"),
                             f"import pypto\n\nx = {after}\n")


class Properties(CliTest):
    """Of the fixtures, and of samples that are changed by chance."""

    def report(self, folder):
        return call("check", "--op-dir", folder, *STAGE, "--format", "json")

    def counts(self, folder):
        """How many findings each rule has."""
        return collections.Counter(one["rule"] for one in self.report(folder).json()["findings"])

    def tree(self, folder):
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def check(self, folder, label, *options):
        before, found = self.tree(folder), self.counts(folder)
        first = fix(folder, *STAGE, *options)
        self.assertIn(first.status, (0, 1), f"{label}: {first.err}")
        after = self.tree(folder)
        self.assertEqual(set(before), set(after), label)
        self.assertNotIn("would break", first.out + first.err, label)
        again = fix(folder, *STAGE, *options)
        self.assertIn("0 finding(s) fixed", again.err, label)
        self.assertEqual(self.tree(folder), after, label)
        for path, content in after.items():
            if path.endswith(".py") and content != before[path]:
                ast.parse(content)
        return found, self.counts(folder), before != after

    def fixtures(self):
        """One in EVERY fixtures, as operator directories below one folder."""
        root = self.folder / "all"
        for case in sorted(FIXTURES.glob("[OK][LS][0-9][0-9]/*/rowscale"))[::EVERY]:
            shutil.copytree(case, root / case.parent.parent.name / case.parent.name / "custom/rowscale")
        return root

    def together(self, root, *options):
        """The findings of each directory, from one run over all."""
        done = call("check", *STAGE, "--format", "json", *options, root)
        self.assertIn(done.status, (0, 1), done.err)
        report = done.json()
        counts = {run["op_dir"]: collections.Counter(one["rule"] for one in run["findings"]) for run in report["runs"]}
        return counts, done

    def parses(self, content):
        try:
            return ast.parse(content) is not None
        except (SyntaxError, ValueError):
            return False

    def check_together(self, fewest, *options):
        root = self.fixtures()
        files, (before, _) = self.tree(root), self.together(root)
        self.assertGreater(len(before), 1000 // EVERY, "most fixtures are not taken for operators")
        _, done = self.together(root, "--fix", *options)
        self.assertNotIn("stopped after", done.err)
        fixed = self.tree(root)
        self.assertEqual(set(files), set(fixed), "files came or went")
        after, again = self.together(root, "--fix", *options)
        self.assertIn("0 finding(s) fixed in 0 file(s)", again.err)
        self.assertEqual(self.tree(root), fixed)
        for place, found in after.items():
            self.assertLessEqual(found["OL00"], before[place]["OL00"], place)
            self.assertLessEqual(sum(found.values()), sum(before[place].values()), f"{place}: {found - before[place]}")
        changed = [path for path in files if files[path] != fixed[path]]
        self.assertGreater(len(changed), fewest // EVERY, "hardly anything was fixed")
        for path in changed:
            if path.endswith(".py") and self.parses(files[path]):
                ast.parse(fixed[path])
            elif path.endswith(".json"):
                json.loads(fixed[path])

    def test_fixtures(self):
        self.check_together(100)

    def test_fixtures_with_suggestions(self):
        self.check_together(250, "--suggestions")

    def mutate(self, text, dice):
        """One line of the text is changed by chance."""
        changes = (("import pypto\n", "import pypto as pp\nfrom pypto import DT_FP32\n"), ("pypto.mul", "pypto.multiply"),
                   ("pypto.DT_FP32", "pypto.float32"), ("[row_start, 0]", "[row_start]"), (", pypto.DT_FP32)", ")"),
                   ("pypto.min(", "min("), ("schema_version: 1\n", ""), ("op_name:", "op:"), ("manual_seed", "manual_speed"),
                   ("keepdim=True", "keepdim=1"), ("y[:] =", "y ="), ("pypto.loop(", "pypto.loop(1, "), ("ROW_TILE = 8", "ROW_TILE = 7"),
                   ("-1", "2"), ("[:]", ""), ("pypto.view(", "pypto.load("), (", 1.0", ", '1'"), ("torch.empty_like", "torch.zeros"))
        usable = [change for change in changes if change[0] in text]
        if not usable:
            return text
        old, new = dice.choice(usable)
        places = text.split(old)
        at = dice.randrange(1, len(places))
        return old.join(places[:at]) + new + old.join(places[at:])

    def test_changed_samples(self):
        dice, changed = random.Random(15), 0
        samples = sorted(support.ROOT.glob("examples/custom/*"))
        for number in range(16):
            sample = samples[number % len(samples)]
            target = self.folder / str(number) / sample.name
            shutil.copytree(sample, target)
            files = [path for path in sorted(target.rglob("*")) if path.suffix in (".py", ".md")]
            for _ in range(3):
                path = dice.choice(files)
                path.write_text(self.mutate(path.read_text(encoding="utf-8"), dice), encoding="utf-8")
            options = ("--suggestions",) if number % 2 else ()
            with self.subTest(number=number, options=options):
                before, after, fixed = self.check(target, f"{number} {sample.name}", *options)
                changed += fixed
                self.assertLessEqual(sum(after.values()), sum(before.values()), f"{after - before}")
        self.assertGreater(changed, 5, "hardly anything was fixed")


if __name__ == "__main__":
    support.main()
