#!/usr/bin/env python3
"""The rules KS…: where they show, what they say, and what is known of a kernel.

Usage: test_semantics.py BINARY [unittest options]
"""
import json

import support
from support import CliTest, call

IMPL = """\
import pypto
import torch


@pypto.frontend.jit
def rowscale_kernel(
    x: pypto.Tensor([64, 48], pypto.DT_FP32),
    h: pypto.Tensor([64, 48], pypto.DT_FP16),
    y: pypto.Tensor([64, 48], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 48)
    part = pypto.view(x, [32, 48], [0, 0])
    twice = part + part
    rows = x.shape[0]
    pypto.assemble(pypto.exp(twice), [rows - 32, 0], y)
    y[0:32, :] = pypto.sub(twice, pypto.view(h, [32, 48], [0, 0]))
"""
RIGHT = IMPL.replace("[64, 48], pypto.DT_FP16", "[64, 48], pypto.DT_FP32")


class Semantics(CliTest):
    def check(self, *args, text=IMPL, **options):
        self.write("rowscale/rowscale_impl.py", text)
        return call("check", "rowscale/rowscale_impl.py", *args, cwd=self.folder, **options)

    # --- what is known

    def types(self, text=RIGHT):
        report = self.check("--show-types", "--format", "json", text=text).json()
        return {(entry["line"], entry.get("name") or entry["call"]): entry for entry in report["types"]}

    def test_types_of_assignments_and_calls(self):
        types = self.types()
        part, twice = types[(12, "part")], types[(13, "twice")]
        self.assertEqual((part["kind"], part["shape"], part["dtype"]), ("tensor", "[32, 48]", "DT_FP32"))
        self.assertEqual((twice["shape"], twice["dtype"]), ("[32, 48]", "DT_FP32"))
        rows = types[(14, "rows")]
        self.assertEqual((rows["kind"], rows["value"], rows["shape"]), ("int", "64", None))
        exp = types[(15, "pypto.exp(twice)")]
        # A tile of 16 × 48 numbers of four bytes, once to read and once to write.
        self.assertEqual((exp["tile"], exp["ub_bytes"]), ("[16, 48]", 2 * 16 * 48 * 4))
        self.assertEqual((exp["column"], exp["end_line"], exp["end_column"]), (20, 15, 36))

    def test_types_as_text(self):
        done = self.check("--show-types", text=RIGHT)
        self.assertEqual(done.err, "")
        self.assertIn("rowscale/rowscale_impl.py:12:5 part: tensor [32, 48] DT_FP32\n", done.out)
        self.assertIn("rowscale/rowscale_impl.py:15:20 pypto.exp(twice): tensor [32, 48] DT_FP32; "
                      "tile [16, 48]; UB 6144 bytes\n", done.out)
        self.assertNotIn("part: tensor", self.check(text=RIGHT).out)

    def test_types_of_what_is_not_known(self):
        text = RIGHT.replace("import torch\n", "import torch\nfrom settings import tile\n")
        text = text.replace("    rows = x.shape[0]\n", "    rows = x.shape[0]\n    other = tile()\n")
        self.assertEqual(self.types(text)[(16, "other")]["kind"], "unknown")

    def test_types_of_several_launches(self):
        text = IMPL.replace("[64, 48]", "[pypto.STATIC, pypto.STATIC]").replace("DT_FP16", "DT_FP32")
        text = text.replace("rows = x.shape[0]", "rows = x.shape[0]\n    columns = x.shape[1]")
        text += "\n\ndef rowscale_wrapper():\n" + "".join(
            f"    rowscale_kernel(torch.zeros({n}, 48), torch.zeros({n}, 48), torch.zeros({n}, 48))\n"
            for n in (64, 96))
        types = self.types(text)
        self.assertEqual(types[(14, "rows")]["value"], "64 | 96")
        self.assertEqual(types[(15, "columns")]["value"], "48")

    # --- how far it came

    def test_statistics(self):
        done = self.check("--statistics", text=RIGHT)
        self.assertIn("kernels: 1 evaluated, 0 of them ended early; 0 launches known\n", done.out)
        self.assertIn("known of their tensors: dtype 100 %, rank 100 %, shape 100 %\n", done.out)
        report = self.check("--statistics", "--format", "json", text=RIGHT).json()
        self.assertEqual((report["semantics"]["kernels"], report["semantics"]["unfinished"]), (1, []))
        self.assertEqual(report["semantics"]["operations"], report["semantics"]["shape_known"])
        self.assertNotIn("semantics", self.check("--format", "json", text=RIGHT).json())

    def test_statistics_of_a_kernel_that_a_function_makes(self):
        made = RIGHT[RIGHT.index("@pypto"):].replace("\n", "\n    ").rstrip()
        made = made.replace("rows = x.shape[0]",
                            "rows = x.shape[0]\n        for i in pypto.loop(0, 6, steps):\n            pass")
        text = RIGHT[:RIGHT.index("@pypto")] + "def make(steps):\n    " + made + "\n    return rowscale_kernel\n"
        zeros = ", ".join(["torch.zeros(64, 48)"] * 3)
        for launch, ended in (("", 1), (f"\n\ndef main():\n    make(3)({zeros})\n\n\nmain()\n", 0)):
            done = self.check("--statistics", text=text.replace("import pypto", "import pypto\nimport torch") + launch)
            self.assertIn(f"{ended} of them ended early", done.out)

    def test_statistics_of_a_kernel_that_was_not_got_through(self):
        rows = "    rows = x.shape[0]\n"
        line = RIGHT[:RIGHT.index(rows)].count("\n") + 2
        for more, reason in (("    for i in pypto.loop(3, -1, hash('a')):\n        y[:] = y + x\n", "something that is not known"),
                             ("    far = " + " + ".join(["rows"] * 300) + "\n", "the limit of nesting")):
            text = RIGHT.replace(rows, rows + more)
            unfinished = self.check("--statistics", "--format", "json", text=text).json()["semantics"]["unfinished"]
            self.assertEqual([one["kernel"] for one in unfinished], ["rowscale_kernel"], reason)
            self.assertIn(reason, unfinished[0]["reason"])
            out = self.check("--statistics", text=text).out
            self.assertIn("kernels: 1 evaluated, 1 of them ended early", out)
            self.assertIn(reason, out)
            if "loop(" in more:
                self.assertRegex(out, rf"_impl\.py:{line}:\d+: kernel rowscale_kernel was not evaluated beyond this place")

    def test_a_kernel_of_very_many_operations(self):
        """The largest kernel that ships records 20,400; beyond the limit a mistake at the end is missed, and this one at
        the beginning is found."""
        rows = "    rows = x.shape[0]\n"
        steps = "    for k in range(64):\n        t = x + 1.0\n" + "        t = t + 1.0\n" * 63
        many = "    for m in range(64):\n" + "".join("    " + line + "\n" for line in steps.splitlines())
        wrong = "    pypto.assemble(pypto.cast(x, pypto.DT_FP16), [0, 0], y)\n"
        for text, found, ended in ((rows + steps * 5 + wrong, True, False), (rows + many + wrong, False, True),
                                   (rows + wrong + many, True, True)):
            report = self.check("--rules", "KS", "--statistics", "--format", "json", text=RIGHT.replace(rows, text)).json()
            failed = [one["rule"] for one in report["findings"] if one["status"] == "FAIL"]
            self.assertEqual(("KS09" in failed or "KS04" in failed), found, report["findings"])
            self.assertEqual([one["reason"] for one in report["semantics"]["unfinished"]],
                             ["the limit of operations"] * ended)

    def test_as_many_kernels_as_are_evaluated(self):
        """64 kernels of a file are evaluated, those with a launch first. The report names the ones that are left out."""
        for launched, left_out in ((40, []), (41, ["k64"])):
            text = "import pypto\nimport torch\n"
            for number in range(launched + 24):
                kernel = IMPL if number == launched + 23 else RIGHT  # the last one is wrong
                text += "\n\n" + kernel[kernel.index("@"):].replace("rowscale_kernel", f"k{number}")
            text += "\n\n" + "".join(f"k{i}(*[torch.zeros(64, 48) for _ in range(3)])\n" for i in range(launched))
            report = self.check("--rules", "KS04", "--statistics", "--format", "json", text=text).json()
            unfinished = report["semantics"]["unfinished"]
            self.assertEqual([one["status"] for one in report["findings"]], ["FAIL"] * (not left_out))
            self.assertEqual([one["kernel"] for one in unfinished], left_out)
            self.assertEqual({one["reason"] for one in unfinished} - {"the limit of kernels and launches of a file"}, set())

    def test_more_memory_than_an_evaluation_may_take(self):
        """The file makes 4,096 texts of 60,000 bytes, which is more than an evaluation may use."""
        lists = "\n\nbig = []\nfor i in range(64):\n    for k in range(64):\n        big.append('x' * 60000 + str(k))\n"
        out = self.check("--rules", "KS", "--statistics", text=IMPL + lists).out
        self.assertIn("kernel rowscale_kernel was not evaluated beyond this place: the limit of memory", out)

    def test_a_kernel_that_only_a_call_makes(self):
        """A folder is searched for it, too; without the call the file has no kernel."""
        text = IMPL.replace("@pypto.frontend.jit\n", "")
        made = text + "\n\nrowscale = pypto.frontend.jit(rowscale_kernel, runtime_options={})\n"
        for body, rules, kernels in ((text, [], 0), (made, ["KS04"], 1)):
            self.write("kernels/loose.py", body)
            report = call("check", "kernels", "--rules", "KS", "--statistics", "--format", "json",
                          cwd=self.folder).json()
            self.assertEqual([one["rule"] for one in report.get("findings", [])], rules)
            self.assertEqual(report.get("semantics", {}).get("kernels", 0), kernels)

    def test_statistics_of_a_gate(self):
        self.write("rowscale/rowscale_impl.py", RIGHT)
        done = call("--stage", "5", "--op-dir", "rowscale", "--no-exec", "--statistics", cwd=self.folder)
        self.assertIn("kernels: 1 evaluated", done.out)

    def test_nothing_is_told_when_it_is_off(self):
        self.write("rowscale/.pypto-lint.yaml", "kernel-semantics: off\n")
        done = self.check("--statistics", "--show-types")
        self.assertNotIn("kernels:", done.out)
        self.assertNotIn("KS04", done.out)

    # --- findings

    def finding(self, *args, **options):
        report = self.check("--rules", "KS", "--format", "json", *args, **options).json()
        return report["findings"][0]

    def test_message_says_what_was_known(self):
        one = self.finding()
        self.assertEqual((one["rule"], one["status"], one["line"]), ("KS04", "FAIL", 16))
        self.assertIn("twice is [32, 48] DT_FP32 (add, line 13)", one["message"])
        self.assertIn("[32, 48] DT_FP16 (view, line 16)", one["message"])
        self.assertIn("pypto.DT_FP32", one["hint"])
        self.assertIn(13, [place["line"] for place in one["related"]])

    def test_chinese(self):
        one = self.finding("--lang", "zh")
        self.assertIn("twice 为 [32, 48] DT_FP32（add，第 13 行）", one["message"])
        self.assertIn("转换", one["hint"])

    def test_sarif_has_related_places(self):
        run = json.loads(self.check("--rules", "KS", "--format", "sarif").out)["runs"][0]
        result = run["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), ("KS04", "error"))
        lines = [place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]]
        self.assertIn(13, lines)

    def test_one_finding_for_a_tile_from_a_shape(self):
        """OL48 says it of the line; what the simulator says of the same call adds nothing."""
        self.write("tile.py", "import pypto\n\n\n@pypto.frontend.jit\n"
                   "def k(x: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32),\n"
                   "      y: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32)):\n"
                   "    pypto.set_vec_tile_shapes(x.shape[0], 128)\n    y[:] = pypto.sqrt(x)\n\n\n"
                   "def run(x, y):\n    k(x, y)\n")
        found = call("check", "tile.py", "--format", "json", cwd=self.folder).json()["findings"]
        self.assertEqual([one["rule"] for one in found if one["line"] == 7], ["OL48"])

    def test_gates_five_to_seven(self):
        self.write("rowscale/rowscale_impl.py", IMPL)
        for stage, expected in ((4, None), (5, "FAIL"), (6, "FAIL"), (7, "FAIL")):
            done = call("--stage", stage, "--op-dir", "rowscale", "--no-exec", "--format", "json",
                        cwd=self.folder)
            status = {rule["id"]: rule["status"] for rule in done.json()["rules"]}
            self.assertEqual(status.get("KS04"), expected, stage)

    def test_upstream_flags_warn(self):
        self.write("rowscale/rowscale_impl.py", IMPL)
        done = call("--lint-impl", "--op-dir", "rowscale", cwd=self.folder)
        found = {one["rule_id"]: one["status"] for one in done.json()["findings"]
                 if one["rule_id"].startswith("KS")}
        self.assertEqual(found, {"KS04": "WARN"})
        self.write("rowscale/.pypto-lint.yaml", "kernel-semantics: on\n")
        done = call("--lint-impl", "--op-dir", "rowscale", cwd=self.folder)
        self.assertIn(("KS04", "FAIL"), [(one["rule_id"], one["status"]) for one in done.json()["findings"]])
        self.write("rowscale/.pypto-lint.yaml", "kernel-semantics: off\n")
        self.assertNotIn("KS", call("--lint-impl", "--op-dir", "rowscale", cwd=self.folder).out)

    # --- settings

    def test_unknown_hardware(self):
        self.write("rowscale/.pypto-lint.yaml", "soc: 910X\n")
        done = self.check()
        self.assertEqual(done.status, 2)
        self.assertIn('"soc" must be one of 910B, 910B1, 910C', done.out + done.err)

    # --- launches in tests

    def test_a_launch_in_a_test_is_judged_there(self):
        self.write("rowscale/rowscale_impl.py", RIGHT)
        self.write("rowscale/test_rowscale.py", """\
import torch
from rowscale_impl import rowscale_kernel


def test_level0():
    x = torch.zeros(64, 48)
    rowscale_kernel(x, torch.zeros(64, 24), torch.zeros(64, 48))
""")
        done = call("check", "--op-dir", "rowscale", "--stage", "5", "--rules", "KS", "--format", "json",
                    cwd=self.folder)
        found = done.json()["findings"]
        self.assertEqual([(one["rule"], one["status"], one["file"], one["line"]) for one in found],
                         [("KS17", "FAIL", "test_rowscale.py", 7)])

    # --- fixes

    def test_the_return_annotation_is_dropped(self):
        self.check("--fix", "--rules", "KS14", "--pypto", "9.1", text=RIGHT.replace("\n):", "\n) -> None:"))
        self.assertEqual(self.read("rowscale/rowscale_impl.py"), RIGHT)


if __name__ == "__main__":
    support.main()
