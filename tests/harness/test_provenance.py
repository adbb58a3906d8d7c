#!/usr/bin/env python3
"""Results that no kernel made fail, odd but honest wrappers pass: the table in wrappers.py, all of it
as the cases of one suite. And memory that nothing wrote has a place.

Usage: test_provenance.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
import os
import shutil
import textwrap

import harness_support as support
import wrappers
from operators import case

INPUTS = '''
import torch

PRIMARY_INPUT_ORDER = ["x", "variant"]


def make_inputs(case):
    torch.manual_seed(case.get("seed", 42))
    rows = case["shape"]["R"]
    return {"x": torch.rand(rows, 16, device="npu:0") + 0.5, "variant": case["variant"]}
'''
GOLDEN = '''
def duet_module12_golden(x, variant):
    return (x * 2.0,)
'''
MASK = """
@pypto.frontend.jit
def mask(x: pypto.Tensor([DYN, 16], pypto.DT_FP32), m: pypto.Tensor([DYN, 16], pypto.DT_BOOL)):
    pypto.set_vec_tile_shapes(16, 16)
    for i in pypto.loop(0, x.shape[0], 16):
        m[i:i + 16, :] = x[i:i + 16, :] > 0.0


"""
TEST = """
import torch
from detailed_tensor_compare import detailed_tensor_compare
from duet_golden import duet_golden
from duet_impl import duet_wrapper


def test_duet_l0():
    x = torch.rand(32, 16, device="npu:0") + 0.5
    assert detailed_tensor_compare(duet_wrapper(x), duet_golden(x), "y")["all_close"]
"""


def implementation(bodies, head=wrappers.HEAD):
    """One wrapper that does as the case says."""
    parts = [head]
    for name, body in bodies.items():
        parts.append("def variant_%s(x):\n%s\n\n" % (name, textwrap.indent(body, "    ")))
    parts.append("VARIANTS = {%s}\n\n\n" % ", ".join(
        "%r: variant_%s" % (name, name) for name in bodies))
    parts.append("def duet_module12_wrapper(x, variant):\n    return VARIANTS[variant](x)\n")
    return "".join(parts)


class Provenance(support.HarnessTest):
    WARM = True

    def look(self, bodies, golden=GOLDEN, inputs=INPUTS, head=wrappers.HEAD, flags=(), **more):
        """One run with a case for each wrapper."""
        duet = self.operator(cases=[dict(case(name, "L2", **more), shape={"R": 32, "C": 16},
                                         variant=name) for name in bodies])
        duet.write("modules/duet_module12_impl.py", implementation(bodies, head))
        duet.write("modules/double_helper.py", wrappers.HELPER)
        duet.write("modules/duet_module12_golden.py", golden)
        duet.write("eval/test_inputs.py", inputs)
        done = self.verify(duet, duet.flags(2, "--no-lint-gate", "--reuse-workers", *flags))
        self.valid(done)
        return done

    def failure(self, done, name):
        """(category, summary) of a case in mode sim."""
        check = done.check(name)
        self.assertEqual(check["per_mode_status"]["sim"], "FAIL", (name, check))
        return check["failures"][0]["failure_category"], check["failures"][0]["summary"]

    def test_cheats_fail(self):
        done = self.look({name: body for name, (body, _) in wrappers.CHEATS.items()})
        for name, (_, sentence) in wrappers.CHEATS.items():
            with self.subTest(name):
                category, summary = self.failure(done, name)
                self.assertEqual(category, "structural", (name, summary))
                self.assertIn(sentence, summary)

    def test_correct_wrappers_pass(self):
        done = self.look(wrappers.CORRECT)
        for name in wrappers.CORRECT:
            with self.subTest(name):
                check = done.check(name)
                self.assertEqual(check["per_mode_status"]["sim"], "PASS",
                                 (name, check.get("failures"), done.stdout[-3000:]))
                (output,) = check["provenance"]
                self.assertEqual((output["written"], output["torch"], output["host"]),
                                 (512, 0, 0), (name, output))
        self.assertEqual(done.check("transposed")["provenance"][0]["conversions"], ["clone"])

    def test_never_written_has_a_place(self):
        """Rows of an output, of a cut through the middle, and of all; no NaN."""
        bodies = {
            "rows": "return made(x, heads)",
            "all": "made(x)\nreturn torch.empty_like(x)",
            "columns": "y = made(x)\nz = torch.empty_like(y)\nz[:, 3:] = y[:, 3:]\nreturn z",
            "one": "y = made(x)\nz = torch.empty_like(y)\nz.view(-1)[1:] = y.view(-1)[1:]\n"
                   "return z",
            "nan": "return made(torch.full_like(x, float('nan')))",
        }
        done = self.look(bodies)
        for name, where in (("rows", "never written: rows 16–31 of 32"),
                            ("all", "never written: all elements"),
                            ("columns", "never written: columns 0–2 of 16"),
                            ("one", "never written: row 0 (of 0..31), column 0 (of 0..15)")):
            category, summary = self.failure(done, name)
            self.assertEqual(category, "precision")
            self.assertIn(where, summary)
            self.assertNotIn("not finite", summary)
            self.assertEqual(done.check(name)["per_tensor"][0]["never_written_where"], where)
            self.assertEqual(done.check(name)["nonfinite"], 0)
        self.assertIn("512 are not finite", self.failure(done, "nan")[1])
        self.assertNotIn("never written", self.failure(done, "nan")[1])

    def test_the_sanitizer_looks_unless_it_must_not(self):
        """The report says which line left rows of an output unwritten."""
        for flags, wanted in (((), ["unwritten-output"]), (("--sanitize=init",), ["unwritten-output"]),
                              (("--sanitize=races,bounds",), []), (("--no-sanitize",), [])):
            done = self.look({"rows": "return made(x, heads)"}, flags=flags)
            told = [w for w in done.check("rows").get("warnings", []) if "unwritten" in w.get("id", "")]
            self.assertEqual([w["id"] for w in told], wanted, done)
            for warning in told:
                self.assertEqual(warning["code"], "F74007")
                line = wrappers.HEAD.split("\n")[warning["line"] - 1]
                self.assertIn("y[0:16, :] = x[0:16, :] * 2.0", line)

    def test_never_written_integers(self):
        """A mask in unwritten memory is true by chance: that is not right."""
        golden = "def duet_module12_golden(x, variant):\n    return (x > 0,)\n"
        memory = "m = torch.empty(32, 16, dtype=torch.bool, device=x.device)\n"
        done = self.look({"whole": memory + "mask(x, m)\nreturn m",
                          "part": memory + "mask(x[:16].contiguous(), m[:16])\nreturn m"},
                         golden=golden, head=wrappers.HEAD + MASK)
        self.assertEqual(done.check("whole")["per_mode_status"]["sim"], "PASS", done)
        category, summary = self.failure(done, "part")
        self.assertIn("never written: rows 16–31 of 32", summary)
        self.assertEqual(category, "precision")

    def test_a_share_is_told(self):
        """What the wrapper put there and no kernel wrote may be meant; it is told."""
        golden = ("import torch\n\ndef duet_module12_golden(x, variant):\n"
                  "    return (torch.cat([x[:16] * 2.0, torch.zeros_like(x[16:])]),)\n")
        done = self.look({"zeros": "y = torch.zeros_like(x)\nheads(x, y)\nreturn y"}, golden=golden)
        self.assertEqual(done.check("zeros")["per_mode_status"]["sim"], "PASS", done)
        self.assertIn("no launch wrote 256 of 512 elements of out0 on sim: they are what the host "
                      "put there (zeros_like at modules/duet_module12_impl.py:",
                      done.check("zeros")["warnings"][0]["warning"])

    def test_inputs_as_outputs(self):
        """One updated in place, and one that the reference gives back, too."""
        golden = "def duet_module12_golden(x, variant):\n    return (%s,)\n"
        for name, body, returned in (("back", "return made(x), x", "x * 2.0, x"),
                                     ("updated", "twice(x)\nreturn x", "x.mul_(2.0)")):
            done = self.look({name: body}, golden=golden % returned)
            self.assertEqual(done.check(name)["per_mode_status"]["sim"], "PASS", done)
        done = self.look({"given": "made(x)\nreturn x"}, golden=golden % "x.clamp_min(0)")
        self.assertIn("it holds the input x unchanged", self.failure(done, "given")[1])

    def test_no_rows(self):
        """Nothing has to be launched for nothing."""
        inputs = INPUTS.replace("rows = case", "rows = 0 * case")
        done = self.look({"none": "return torch.empty_like(x)"}, inputs=inputs)
        self.assertEqual(done.check("none")["per_mode_status"]["sim"], "PASS", done)

    def test_cases_that_prove_nothing(self):
        zero = INPUTS.replace('torch.rand(rows, 16, device="npu:0") + 0.5',
                              'torch.zeros(rows, 16, device="npu:0")')
        done = self.look({"zero": "return made(x)"}, inputs=zero)
        self.assertIn("zeros would pass this case", done.check("zero")["warnings"][0]["warning"])
        self.assertIn("zeros would pass this case", done.stdout)
        done = self.look({"right": "return made(x)"})
        self.assertNotIn("warnings", done.check("right"))

    def test_duplicates_are_told(self):
        duet = self.operator(cases=[case("first", "L2", 20), case("again", "L3", 20),
                                    case("other", "L2", 21)])
        done = self.verify(duet, duet.flags(1, "--reuse-workers"))
        self.expect(done, "PASS")
        self.assertIn("the case is the same as first but for its name and tolerances",
                      done.check("again")["warnings"][0]["warning"])
        for name in ("first", "other"):
            self.assertNotIn("warnings", done.check(name))

    def test_in_a_test_of_the_operator(self):
        """An operator of one module whose test compares what torch made."""
        for body, status in (("return made(x)", "PASS"), ("made(x)\nreturn x * 2.0", "FAIL")):
            solo = self.operator(cases=[])
            for name in ("eval/adversarial_suite.json", "eval/test_inputs.py",
                         "eval/module_interfaces.yaml"):
                if os.path.exists(solo.path(name)):
                    solo.remove(name)
            shutil.rmtree(solo.path("modules"))
            solo.write("double_helper.py", wrappers.HELPER)
            solo.write("duet_impl.py", implementation({"one": body}).replace(
                "duet_module12_wrapper(x, variant):\n    return VARIANTS[variant](x)",
                "duet_wrapper(x):\n    return variant_one(x)"))
            solo.write("duet_golden.py", "def duet_golden(x):\n    return x * 2.0\n")
            solo.write("test_duet.py", TEST)
            done = self.verify(solo, ["--op-dir", solo.folder, "--modes", "sim",
                                      "--no-lint-gate", "--reuse-workers"])
            self.valid(done)
            self.assertEqual(done.report["status"], status, done)
        self.assertIn("out0 of duet_wrapper is not the kernel's work", done.failure["summary"])


if __name__ == "__main__":
    support.main()
