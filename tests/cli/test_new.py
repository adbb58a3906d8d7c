"""`pypto-lint new` and `next`: what is made, what is refused, what the gates say of it."""
import json
import os
import stat
import threading

import support

DOCUMENTS = ["SPEC.md", "API_REPORT.md", "DESIGN.md", "MEMORY.md", "README.md", "GOLDEN_PERF_REPORT.md"]
FUNCTION = '''"""A model."""
import math
import requests
import torch

EPS = 1e-6
COLUMNS = 128


def helper(x):
    return x.to(torch.float32)


def scaled(x, weight, eps: float = 1e-6, times=2):
    h = helper(x)
    return h * torch.rsqrt(torch.mean(h * h, -1, keepdim=True) + eps) * weight * times


open("executed", "w").close()
if __name__ == "__main__":
    a, w = torch.randn(64, COLUMNS).to(torch.bfloat16) * 0.5, torch.ones((COLUMNS,), dtype=torch.float16)
    print(scaled(a, weight=w))
'''


def tree(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


class New(support.CliTest):
    def new(self, *args, status=0):
        done = support.call("new", *args, cwd=self.folder)
        self.assertEqual(done.status, status, done.err)
        return done

    def gate(self, stage, op):
        return support.call("--stage", stage, "--op-dir", f"custom/{op}", "--no-exec", "--format", "concise",
                            cwd=self.folder)

    def templates(self):
        return [line.split()[0] for line in support.call("new", "--list").out.splitlines()]

    def test_list(self):
        self.assertEqual(self.templates(), ["attention", "elementwise", "matmul", "moe-routing", "row-reduction",
                                            "scan"])
        self.assertIn("归一化", support.call("new", "--list", "--lang", "zh").out)

    def test_every_template_passes_its_gates(self):
        for lang in ("en", "zh"):
            for template in self.templates():
                op = f"op_{template.replace('-', '_')}_{lang}"
                self.new("--template", template, "--lang", lang, op)
                for stage in (1, 2, 3, 4, 5):
                    done = self.gate(stage, op)
                    found = [line for line in done.out.splitlines() if ": error" in line or ": warning" in line]
                    self.assertEqual((done.status, found), (0, []), f"{op}, stage {stage}")
                log = self.read(f"custom/{op}/MEMORY.md").split("## Per-module verification log\n\n")[1]
                self.assertEqual([line.count("|") for line in log.split("\n")[:3]], [10, 10, 0], op)
                for name in DOCUMENTS:
                    text = self.read(f"custom/{op}/{name}")
                    self.assertNotIn("@@", text)
                    self.assertNotIn("no such", text)
                    self.assertEqual(any("\u4e00" <= c <= "\u9fff" for c in text), lang == "zh", name)

    def test_a_scaffolded_test_tells_sizes_and_dtypes(self):
        self.new("--template", "row-reduction", "rows")
        done = support.call("scaffold", "e2e", "--op", "rows", "--force", cwd=self.folder)
        self.assertEqual(done.status, 0, done.err)
        done = support.call("check", "--statistics", "custom/rows", cwd=self.folder)
        self.assertIn("known of their tensors: dtype 100 %, rank 100 %, shape 100 %\n", done.out)

    def test_files(self):
        out = self.new("silu").out
        folder = self.folder / "custom/silu"
        self.assertEqual(tree(folder), sorted([
            *DOCUMENTS, ".orchestrator_state.json", "eval", "eval/module_interfaces.yaml", "silu_golden.py",
            "silu_impl.py", "test_silu.py"]))
        listed = [line.strip() for line in out.splitlines() if line.startswith("  ")]
        self.assertEqual(sorted(listed), [name for name in tree(folder) if not (folder / name).is_dir()])
        self.assertIn("pypto-lint next --op-dir custom/silu", out)
        self.assertEqual(json.loads(self.read("custom/silu/.orchestrator_state.json"))["current_stage"], 1)
        for path in folder.rglob("*.py"):
            compile(path.read_text(encoding="utf-8"), str(path), "exec")
        umask = os.umask(0)
        os.umask(umask)
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o777 & ~umask)
        self.assertEqual(support.call("interfaces", folder / "eval/module_interfaces.yaml").out, "PASS\n")

    def test_modules(self):
        out = self.new("--modules", 3, "--template", "row-reduction", "chain").out
        for stage in (1, 2, 3, 4, 5):
            self.assertEqual(self.gate(stage, "chain").status, 0)
        made = tree(self.folder / "custom/chain")
        self.assertEqual([name for name in made if name.endswith(".py") and f"  {name}\n" not in out], [])
        names = tree(self.folder / "custom/chain/modules")
        self.assertEqual(len(names), 9)
        for suffix in ("1", "12", "123"):
            self.assertIn(f"chain_module{suffix}_impl.py", names)
            done = support.call("--phase", f"M{len(suffix)}", "--op-dir", "custom/chain", "--format", "json",
                                cwd=self.folder)
            # Nobody's review is signed for them.
            self.assertEqual({one["rule"] for one in done.json()["findings"]}, {"OL54"})
        self.assertIn("module_count = 3", self.read("custom/chain/DESIGN.md"))
        self.assertEqual(support.call("interfaces", self.folder / "custom/chain/eval/module_interfaces.yaml").out,
                         "PASS\n")
        self.new("--modules", 2, "--template", "moe-routing", "two", status=2)
        self.new("--modules", 0, "none", status=2)
        self.new("--modules", 10, "many", status=2)
        self.assertEqual(tree(self.folder / "custom"), ["chain", *(f"chain/{n}" for n in
                                                                   tree(self.folder / "custom/chain"))])

    def test_from_a_named_function(self):
        self.write("model.py", "def first(x):\n    return x + 1\n\n\ndef last(x):\n    return x * 2\n")
        self.new("--from", "model.py:first", "named")
        self.assertIn("return first(x)", self.read("custom/named/named_golden.py"))
        done = self.new("--from", "model.py:second", "other", status=2)
        self.assertIn("model.py: no function 'second' at the top level", done.err)

    def test_from(self):
        self.write("model.py", FUNCTION)
        self.new("--from", "model.py", "scaled")
        self.assertFalse((self.folder / "executed").exists(), "the file was run")
        spec = self.read("custom/scaled/SPEC.md")
        self.assertIn("  - {x: [64, 128], weight: [128]}\n", spec)
        self.assertIn("supported_dtypes: [bfloat16]", spec)
        golden = self.read("custom/scaled/scaled_golden.py")
        self.assertIn("def helper(x):", golden)
        self.assertIn("EPS = 1e-6", golden)
        self.assertIn("import math", golden)
        self.assertNotIn("requests", golden)
        self.assertNotIn("open(", golden)
        self.assertNotIn("__main__", golden)
        self.assertIn("def scaled_golden(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6, times: int = 2):\n"
                      "    return scaled(x, weight, eps, times)\n", golden)
        impl = self.read("custom/scaled/scaled_impl.py")
        self.assertIn("x: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_BF16)", impl)
        self.assertIn("weight: pypto.Tensor([pypto.STATIC], pypto.DT_FP16)", impl)
        report = self.read("custom/scaled/API_REPORT.md")
        self.assertIn("| mean | pypto.mul(pypto.sum(x, dim, True), 1.0 / n) |", report)
        self.assertIn("| rsqrt | pypto.rsqrt |", report)
        for stage in (1, 2, 3, 4, 5):
            done = self.gate(stage, "scaled")
            self.assertEqual(done.status, 0, done.out)

    def test_from_with_several_results(self):
        self.write("model.py", "import torch\n\n\ndef pair(x, times: int):\n    if times < 0:\n        return x, x, x\n"
                   "    return x * times, x + times\n\n\nx = torch.randn(8, 64)\n")
        self.new("--from", "model.py", "pair")
        impl = self.read("custom/pair/pair_impl.py")
        annotation = "pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32),\n"
        self.assertIn(f"    x: {annotation}    y0: {annotation}    y1: {annotation}    times: int,\n", impl)
        made = "torch.empty(x.shape, dtype=x.dtype, device=x.device)\n"
        self.assertIn(f"    x = x.contiguous()\n    y0 = {made}    y1 = {made}"
                      "    pair_kernel(x, y0, y1, times)\n    return y0, y1\n", impl)
        spec = self.read("custom/pair/SPEC.md")
        self.assertIn("| times | input | shape [] | dtype int |\n| y0 | output | shape [D0, D1] | dtype float32 |\n"
                      "| y1 | output | shape [D0, D1] | dtype float32 |\n", spec)
        for stage in (1, 2, 3, 4, 5):
            done = self.gate(stage, "pair")
            self.assertEqual(done.status, 0, done.out)

    def test_from_names_its_results(self):
        """Those of the function, where all are its own."""
        for number, (results, names) in enumerate((("normed, hidden", ["normed", "hidden"]), ("hidden", ["hidden"]),
                                                   ("x, hidden", ["y0", "y1"]), ("hidden, hidden", ["y0", "y1"]),
                                                   ("hidden + 1", ["y"]), ("torch", ["y"]))):
            self.write("model.py", f"import torch\n\n\ndef f(x):\n    normed = hidden = x + x\n    return {results}\n")
            self.new("--from", "model.py", f"op{number}/f")
            spec = self.read(f"op{number}/f/SPEC.md")
            self.assertEqual([row.split(" ")[1] for row in spec.splitlines() if "| output |" in row], names)

    def test_from_lists_conversions_and_operators(self):
        self.write("model.py", "import torch\n\n\ndef norm(x, residual, weight, eps: float = 1e-6):\n"
                   "    h = (x + residual).float()\n    n = x.shape[-1] // 2\n"
                   "    h = h * torch.rsqrt(torch.mean(h * h, -1, keepdim=True) + eps) * weight\n"
                   "    return h.to(torch.bfloat16)\n\n\nx = torch.randn(8, 64)\n")
        self.new("--from", "model.py", "norm")
        for name in ("API_REPORT.md", "MEMORY.md"):
            text = self.read(f"custom/norm/{name}")
            for row in ("| float() | pypto.cast(x + residual, pypto.DT_FP32) |", "| x + residual | pypto.add |",
                        "| h * h | pypto.mul |", "| * weight | pypto.mul |", "| + eps | pypto.add |",
                        "| to(torch.bfloat16) | pypto.cast(h, pypto.DT_BF16) |"):
                self.assertIn(row, text)
            self.assertNotIn("| pypto.DT_", text)
            self.assertNotIn("pypto.floor_div", text)
        # The skeleton has no block and no valid_shape: nobody looked at that yet.
        memory = self.read("custom/norm/MEMORY.md")
        self.assertIn("- [ ] [S1] a dynamic axis", memory)
        self.assertIn("- [x] [S1] tile shapes are integers", memory)
        self.new("silu")
        self.assertIn("- [x] [S1] a dynamic axis", self.read("custom/silu/MEMORY.md"))

    def test_from_without_shapes(self):
        self.write("model.py", "import torch\n\n\ndef f(x):\n    return torch.exp(x)\n")
        done = self.new("--from", "model.py", "f", "--lang", "zh")
        self.assertIn("put a line like `x = torch.randn(64, 256)` into the file", done.err)
        self.assertIn("  - {x: [64, 256]}\n", self.read("custom/f/SPEC.md"))

    def test_from_refuses(self):
        for text, said in (("def f(:\n", "does not"), ("x = 1\n", "no function"), ("def f(*x):\n    return x\n", "plain"),
                           ("def f(n: int):\n    return n\n", "tensor"), ("def f(y):\n    return y\n", "rename"),
                           ("def f(y1):\n    return y1, y1\n", "rename"), ("def f(x):\n    return ()\n", "1 to 16 results"),
                           ("def f():\n    return 1\n", "plain"), ("", "no function")):
            self.write("model.py", text)
            done = self.new("--from", "model.py", "g", status=2)
            self.assertTrue(done.err.startswith("pypto-lint: "), done.err)
            self.assertFalse((self.folder / "custom").exists())
        self.new("--from", "missing.py", "g", status=2)
        self.new("--from", "missing.py:f", "g", status=2)
        self.new("--from", "model.py", "--template", "scan", "g", status=2)

    def test_names(self):
        for name in ("class", "1st", "a b", "x;y", "é", "", "a-b", ".."):
            self.new(name, status=2)
        self.assertEqual(tree(self.folder), [])
        (self.folder / "custom").mkdir()
        done = support.call("new", "inner", cwd=self.folder / "custom")
        self.assertEqual(done.status, 0, done.err)
        self.assertTrue((self.folder / "custom/inner/SPEC.md").exists())
        self.assertEqual(self.new("here/there/op", status=2).out, "")
        self.assertFalse((self.folder / "here").exists())

    def test_nothing_is_overwritten(self):
        self.write("custom/silu/mine.txt", "mine")
        self.new("silu", status=2)
        self.assertEqual(tree(self.folder / "custom"), ["silu", "silu/mine.txt"])
        (self.folder / "custom/link").symlink_to("nowhere")
        self.new("link", status=2)
        self.assertTrue((self.folder / "custom/link").is_symlink())
        (self.folder / "custom/file").write_text("x")
        self.new("file", status=2)

    def test_two_at_once(self):
        """One of them wins, whole; the other one is refused."""
        status = []
        threads = [threading.Thread(target=lambda: status.append(
            support.call("new", "--modules", 2, "race", cwd=self.folder).status)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(status), [0, 2, 2, 2])
        self.assertEqual([path.name for path in (self.folder / "custom").iterdir()], ["race"])

    def test_no_room(self):
        """A folder that cannot be written stays as it is."""
        if support.ROOT_MAY_ALL:
            self.skipTest("root may write everywhere")
        (self.folder / "custom").mkdir(mode=0o555)
        self.new("silu", status=2)
        self.assertEqual(tree(self.folder / "custom"), [])


class Next(support.CliTest):
    def setUp(self):
        super().setUp()
        done = support.call("new", "silu", cwd=self.folder)
        self.assertEqual(done.status, 0, done.err)

    def next(self, *args):
        return support.call("next", "--op", "silu", "--no-exec", *args, cwd=self.folder)

    def fill_in(self, *names):
        for name in names:
            text = self.read(f"custom/silu/{name}")
            self.write(f"custom/silu/{name}", "\n".join(line for line in text.split("\n") if "FILL IN:" not in line))

    def test_what_is_to_fill_in(self):
        done = self.next()
        self.assertEqual(done.status, 1)
        self.assertIn("silu: stage 1 of 7\nstage 1 (requirements): its gate passes\n  to fill in:\n    SPEC.md:",
                      done.out)
        self.assertIn("stage 2 (golden): its gate passes\n", done.out)
        text = self.read("custom/silu/SPEC.md").split("\n")
        answer = self.next("--format", "json").json()
        for wish in answer["stages"][0]["to_fill_in"]:
            name, line = wish["place"].split(":")
            if name == "SPEC.md":
                self.assertIn("FILL IN: " + wish["text"], text[int(line) - 1])
        self.assertIn("阶段 1（需求）：门禁通过", self.next("--lang", "zh").out)

    def test_what_the_gates_want(self):
        self.write("custom/silu/SPEC.md", "# silu\n")
        (self.folder / "custom/silu/silu_golden.py").unlink()
        done = self.next()
        self.assertEqual(done.status, 1)
        self.assertIn("stage 1 (requirements): its gate wants\n", done.out)
        self.assertIn("    SPEC.md: OL09 SPEC.md: no heading contains", done.out)
        answer = self.next("--format", "json").json()
        self.assertFalse(answer["stages"][0]["gate_passes"])
        self.assertIn("OL09", {wish["rule"] for wish in answer["stages"][0]["wants"]})

    def test_done(self):
        before = self.read("custom/silu/.orchestrator_state.json")
        done = self.next("--done")
        self.assertEqual(done.status, 1)
        self.assertEqual(self.read("custom/silu/.orchestrator_state.json"), before)
        self.fill_in("SPEC.md", "API_REPORT.md")
        self.assertIn("`pypto-lint next --done` begins stage 2", self.next().out)
        done = self.next("--done")
        self.assertIn("silu: stage 2 of 7\n", done.out)
        state = json.loads(self.read("custom/silu/.orchestrator_state.json"))
        self.assertEqual((state["current_stage"], state["stage_status"]["1"], state["stage_status"]["2"]),
                         (2, "completed", "in_progress"))
        self.assertEqual(list(state), list(json.loads(before)), "the order of the keys changed")

    def test_to_the_end(self):
        self.fill_in(*DOCUMENTS, "silu_golden.py", "silu_impl.py", "eval/module_interfaces.yaml")
        for stage in range(1, 7):
            done = self.next("--done", *(["--unverified"] if stage >= 5 else []))
            self.assertIn(f"silu: stage {stage + 1} of 7\n", done.out, done.err)
            self.assertEqual("`pypto-lint verify --op-dir " in done.out, stage + 1 >= 5, done.out)
            self.assertEqual(done.out.count("its gate "), 2 if stage + 1 < 7 else 1, done.out)
            self.assertNotIn("stage 8", done.out)
        self.assertEqual(self.next("--done", "--unverified").status, 0)
        state = json.loads(self.read("custom/silu/.orchestrator_state.json"))
        self.assertEqual(set(state["stage_status"].values()), {"completed"})

    def test_a_stage_is_not_completed_without_a_verification(self):
        self.fill_in(*DOCUMENTS, "silu_golden.py", "silu_impl.py", "eval/module_interfaces.yaml")
        for _ in range(4):
            self.assertEqual(self.next("--done").status, 0)
        state = self.read("custom/silu/.orchestrator_state.json")
        self.assertEqual(self.next().status, 0)
        self.assertNotIn("begins stage 6", self.next().out)
        self.assertEqual(self.next("--unverified").status, 2)
        for report in (None, ("PASS", "0" * 64), ("PASS", None)):
            if report is not None:
                self.report(*report)
            done = self.next("--done")
            self.assertEqual(done.status, 1, done.out)
            self.assertIn("this kernel has not been verified", done.err)
            self.assertIn("`pypto-lint verify --op-dir ", done.out)
            self.assertEqual(self.read("custom/silu/.orchestrator_state.json"), state)
        self.assertIn("未通过验证", self.next("--done", "--lang", "zh").err)
        self.assertIn("silu: stage 6 of 7\n", self.next("--done", "--unverified").out)

    def report(self, status, kernel, case_id=None):
        self.write("custom/silu/eval/evaluation_report.json", json.dumps({
            "op_name": "silu", "up_to_module": 1, "status": status, "checks": [], "cases_total": 2,
            "first_failure": {"case_id": case_id} if case_id else None,
            "hashes": {"kernel": kernel, "suite": None}}))

    def test_a_failed_verification_is_a_demand(self):
        self.fill_in(*DOCUMENTS, "silu_golden.py", "silu_impl.py", "eval/module_interfaces.yaml")
        for _ in range(4):
            self.next("--done")
        state = self.read("custom/silu/.orchestrator_state.json")
        self.assertIn("The kernel has not been verified yet. Gates do not run the kernel", self.next().out)
        for status in ("FAIL", "ERROR"):
            self.report(status, None, "silu::test_silu_l1")
            done = self.next("--done")
            self.assertEqual(done.status, 1)
            self.assertIn("the last verification failed: silu::test_silu_l1\n", done.out)
            self.assertIn("run `pypto-lint verify --op-dir ", done.out)
            self.assertNotIn("begins stage 6", done.out)
            self.assertEqual(self.read("custom/silu/.orchestrator_state.json"), state)
        answer = self.next("--format", "json").json()
        self.assertEqual(answer["last_verification"], "failed")
        self.assertIn("上次验证未通过", self.next("--lang", "zh").out)
        # The report says that another kernel failed: this one may be the one that was mended.
        self.report("FAIL", "0" * 64, "silu::test_silu_l1")
        done = self.next()
        self.assertEqual(done.status, 0, done.out)
        self.assertIn("The kernel has changed since it was last verified.", done.out)
        self.report("PASS", None)
        self.assertIn("does not say that this kernel passed", self.next().out)
        for text in ("", "[", "[]", "{}", '{"status": 1, "hashes": []}', "\udcff"):
            (self.folder / "custom/silu/eval/evaluation_report.json").write_bytes(
                text.encode("utf-8", "surrogateescape"))
            done = self.next()
            self.assertEqual((done.status, "Gates do not run the kernel" in done.out), (0, True), done.err)

    def test_a_missing_suite_is_said(self):
        self.assertNotIn("scaffold eval", self.next().out)
        self.fill_in(*DOCUMENTS, "silu_golden.py", "silu_impl.py", "eval/module_interfaces.yaml")
        for _ in range(4):
            self.next("--done")
        self.assertIn("`pypto-lint scaffold eval --op-dir ", self.next().out)
        self.assertFalse(self.next("--format", "json").json()["has_suite"])
        done = support.call("scaffold", "eval", "--op-dir", "custom/silu", cwd=self.folder)
        self.assertEqual(done.status, 0, done.err)
        self.assertNotIn("scaffold eval", self.next().out)
        self.assertTrue(self.next("--format", "json").json()["has_suite"])

    def test_without_a_state(self):
        (self.folder / "custom/silu/.orchestrator_state.json").unlink()
        done = self.next("--done")
        self.assertEqual(done.status, 1)
        self.assertIn("OL24", done.out)
        self.assertEqual(support.call("next", cwd=self.folder).status, 2)


if __name__ == "__main__":
    support.main()
