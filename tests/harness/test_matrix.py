"""The test matrix of the runner: kernels that are right, wrong or differ in structure, each row with the values
that the contract demands."""
import os

import harness_support
from harness_support import HarnessTest
from matrix_support import CALL, GOLDEN2, IMPL2, NPU, ONE
from operators import case


class Passing(HarnessTest):
    WARM = True

    def test_1_correct_kernel(self):
        self.WARM = False  # looks at processes
        duet = self.operator()
        done = self.verify(duet, duet.flags(2))
        report = self.expect(done, "PASS")
        self.assertEqual(done.status, 0)
        self.assertEqual(
            {k: report[k] for k in ("op_name", "impl_file", "up_to_module", "total_modules",
                                    "cases_total", "cases_passed", "per_mode_status",
                                    "first_failure")},
            {"op_name": "duet", "impl_file": duet.path(IMPL2), "up_to_module": 2,
             "total_modules": 2, "cases_total": 4, "cases_passed": 4,
             "per_mode_status": {"sim": "PASS", "npu": "SKIPPED"}, "first_failure": None})
        self.assertEqual([(c["id"], c["level"], c["precision_checked"], c["all_close"],
                           c["per_mode_status"]) for c in report["checks"]],
                         [(i, level, precision, True, {"sim": "PASS", "npu": "SKIPPED"})
                          for i, level, precision in (
                              ("L1_canonical", "L1", False), ("L1_tail", "L1", False),
                              ("L2_canonical", "L2", True), ("L2_tail", "L2", True))])
        for check in report["checks"][2:]:
            self.assertLess(check["max_abs_diff"], 1e-5)
            self.assertLess(check["max_rel_diff"], 1e-5)
        for check in report["checks"][:2]:  # nothing was compared
            self.assertIsNone(check["max_abs_diff"])
            self.assertIsNone(check["max_rel_diff"])
        summary = self.summary(done)
        self.assertEqual(summary[:4], ("PASS", "4", "4", "sim:PASS,npu:SKIPPED"))
        self.assertEqual(os.path.join(self.folder, summary[4]), duet.report_path)
        self.nothing_left()

    def test_1_each_phase_of_three(self):
        trio = self.operator("trio", ONE)
        trio.write("MEMORY.md", "# MEMORY\n")  # documents are not executed
        for module in (1, 3):
            report = self.expect(self.verify(trio, trio.flags(module)), "PASS")
            self.assertEqual((report["up_to_module"], report["total_modules"]), (module, 3))

    def test_1_both_modes(self):
        duet = self.operator(cases=ONE)
        log = duet.path("launches")
        report = self.expect(self.verify(duet, duet.flags(2, "--modes", "sim,npu"),
                                         FAKE_NPU_LOG=log, **NPU), "PASS")
        self.assertEqual(report["per_mode_status"], {"sim": "PASS", "npu": "PASS"})
        launches = duet.read("launches").split("\n")[:-1]
        self.assertEqual(len(launches), 3, launches)  # only the fake writes here; called thrice
        for launch in launches:
            self.assertIn("RunMode.NPU", launch)  # the mode is forced
        headers = [line for line in report["stdout"].split("\n") if line.startswith("=== ")]
        self.assertEqual(headers, ["=== case L2_only mode sim ===", "=== case L2_only mode npu ==="])


class WrongValues(HarnessTest):
    WARM = True

    def test_2_wrong_constant(self):
        duet = self.operator()
        duet.edit(IMPL2, ("0.25", "0.26"))
        done = self.verify(duet, duet.flags(2))
        report = self.expect(done, "FAIL", "precision", "precision", "all_fail", 2,
                             "L2_canonical")
        self.assertEqual(done.status, 1)
        self.assertEqual((report["cases_total"], report["cases_passed"]), (4, 2))
        self.assertEqual(report["per_mode_status"], {"sim": "FAIL", "npu": "SKIPPED"})
        check = done.check("L2_canonical")
        self.assertFalse(check["all_close"])
        # exp(0.26 s) - exp(0.25 s) for s in [1.5, 4.5): at most 4.5 % of exp(1.125)
        self.assertGreater(check["max_abs_diff"], 0.02)
        self.assertLess(check["max_abs_diff"], 0.15)
        self.assertGreater(check["max_rel_diff"], 0.015)
        self.assertLess(check["max_rel_diff"], 0.05)
        self.assertEqual([leaf["name"] for leaf in check["per_tensor"]], ["out0", "out1"])
        self.assertEqual([leaf["all_close"] for leaf in check["per_tensor"]], [True, False])
        self.assertFalse(done.failure.get("cpu_reproducer_candidate", False))
        self.assertTrue(done.check("L1_canonical")["all_close"])

    def test_2_first_module(self):
        trio = self.operator("trio", ONE)
        trio.edit(trio.impl(2), ("3.0", "3.5"))
        self.expect(self.verify(trio, trio.flags(2)), "FAIL", "precision", "precision",
                    "all_fail", 2, "L2_only")

    def test_9_npu_only_and_sim_only(self):
        duet = self.operator(cases=ONE)
        both = duet.flags(2, "--modes", "sim,npu")
        report = self.expect(self.verify(duet, both, FAKE_NPU="wrong", **NPU), "FAIL",
                             "precision", "precision", "kernel_ok_npu_only", 2, "L2_only")
        self.assertEqual(report["per_mode_status"], {"sim": "PASS", "npu": "FAIL"})
        self.assertEqual(report["checks"][0]["per_mode_status"], {"sim": "PASS", "npu": "FAIL"})
        self.assertGreater(report["checks"][0]["max_rel_diff"], 0.4)  # the larger one of both
        duet.edit(IMPL2, ("0.25", "0.26"))
        report = self.expect(self.verify(duet, both, FAKE_NPU="mend", **NPU), "FAIL",
                             "precision", "precision", "ir_divergence", 2, "L2_only")
        self.assertEqual(report["per_mode_status"], {"sim": "FAIL", "npu": "PASS"})
        report = self.expect(self.verify(duet, both, FAKE_NPU="wrong", **NPU), "FAIL",
                             "precision", "precision", "all_fail", 2, "L2_only")
        self.assertEqual(report["per_mode_status"], {"sim": "FAIL", "npu": "FAIL"})

    def test_16_nan(self):
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, ("    return p, q", "    q[3, 5] = float('nan')\n    return p, q"))
        done = self.verify(duet, duet.flags(2))
        self.expect(done, "FAIL", "precision", "precision", "all_fail", 2)
        check = done.check("L2_only")
        self.assertEqual((check["all_close"], check["max_abs_diff"], check["max_rel_diff"]),
                         (False, None, None))
        self.assertEqual(check["nonfinite"], 1)
        leaf = check["per_tensor"][1]
        self.assertEqual((leaf["max_abs_diff"], leaf["max_rel_diff"], leaf["all_close"]),
                         (None, None, False))
        self.assertFalse(done.failure.get("cpu_reproducer_candidate", False))

    def test_17_reproducer_candidate(self):
        """The reference is zero, the kernel 1e-18: far below rtol, yet above an atol of zero."""
        trio = self.operator("trio", [case("L2_zero", "L2", atol=0, rtol=1e-3)])
        trio.edit(trio.golden(1), ("x * 3.0 + y", "x * 0.0"))
        trio.edit(trio.impl(1), ("pypto.add(pypto.mul(x_tile, 3.0), y_tile)",
                                 "pypto.add(pypto.mul(x_tile, 0.0), 1e-18)"))
        done = self.verify(trio, trio.flags(1))
        self.expect(done, "FAIL", "precision", "precision", "all_fail", 1)
        self.assertIs(done.failure["cpu_reproducer_candidate"], True)
        self.assertAlmostEqual(done.check("L2_zero")["max_rel_diff"], 1e-6, delta=1e-8)

    def test_13_drift(self):
        ladder = self.operator("ladder", [
            {"id": "L4_steps", "level": "L4", "shape": {"B": 1, "H": 1, "NT": 6},
             "dtype": "float32", "atol": 1e-3, "rtol": 1e-3}])
        flags = ladder.flags(1, "--inspect", "state")
        done = self.verify(ladder, flags)
        report = self.expect(done, "PASS")
        steps = report["checks"][0]["inspection"]["per_iter"]
        self.assertEqual([list(step) for step in steps],
                         [["iter", "max_abs_diff", "max_rel_diff", "all_close"]] * 6)
        self.assertEqual([step["iter"] for step in steps], [0, 1, 2, 3, 4, 5])
        ladder.edit(ladder.impl(1), (  # right up to iteration 2
            "            carried[:] = pypto.add(carried, x_tile)",
            "            carried[:] = pypto.add(carried, x_tile)\n"
            "            if step > 2:\n"
            "                carried[:] = pypto.add(carried, 0.5)"))
        done = self.verify(ladder, flags)
        self.expect(done, "FAIL", "precision", "precision", "all_fail", 1, "L4_steps")
        self.assertEqual(done.failure["drift_onset_iter"], 3)
        steps = done.report["checks"][0]["inspection"]["per_iter"]
        self.assertEqual([step["all_close"] for step in steps], [True] * 3 + [False] * 3)
        done = self.verify(ladder, ladder.flags(1))
        self.assertNotIn("drift_onset_iter", done.failure)
        self.assertNotIn("inspection", done.report["checks"][0])


class Structure(HarnessTest):
    WARM = True

    def test_3_wrapper_missing(self):
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, ("def duet_module12_wrapper", "def duet_wrapper"))
        done = self.verify(duet, duet.flags(2))
        report = self.expect(done, "ERROR", "structural", "structure", boundary=2)
        self.assertEqual(done.status, 2)
        self.assertIn("duet_module12_wrapper", done.failure["summary"])
        self.assertEqual(report["cases_passed"], 0)

    def test_4_workspace(self):
        yaml = "eval/module_interfaces.yaml"
        suite = "eval/adversarial_suite.json"
        steps = [
            ("golden", lambda duet: duet.remove(GOLDEN2), "duet_module12_golden"),
            ("golden function", lambda duet: duet.edit(GOLDEN2, ("def duet_module12_golden",
                                                                 "def other")),
             "duet_module12_golden"),
            ("YAML syntax", lambda duet: duet.write(yaml, "modules: [\n"), "module_interfaces"),
            ("YAML rule 2", lambda duet: duet.edit(yaml, ("source: module_1", "source: module_7")),
             "rule2"),
            ("suite", lambda duet: duet.write(suite, "{\"test_cases\": ["), "adversarial_suite"),
            ("suite missing", lambda duet: duet.remove(suite), "adversarial_suite"),
            ("make_inputs", lambda duet: duet.edit("eval/test_inputs.py", ("def make_inputs",
                                                                           "def make")),
             "make_inputs"),
        ]
        for name, damage, word in steps:
            with self.subTest(name):
                duet = self.operator(cases=ONE)
                damage(duet)
                done = self.verify(duet, duet.flags(2))
                report = self.expect(done, "ERROR", "structural", "structure", boundary=2)
                self.assertEqual(done.status, 2)
                self.assertIn(word, done.failure["summary"])
                self.assertEqual((report["op_name"], report["cases_passed"]), ("duet", 0))

    def test_5_shape_dtype_count(self):
        wrong = {
            "shape": "return p, q[:8]",
            "broadcast": "return p, q[:1]",  # would broadcast
            "dtype": "return p, q.to(torch.float16)",
            "too few": "return p",
            "too many": "return p, q, q",
            "none": "return None",
            "list": "return [p, q]",
            "number": "return p, 1.0",
        }
        for precision in (True, False):
            duet = self.operator(cases=[
                case(name, "L1", rows, precision=precision)
                for rows, name in enumerate(wrong, 20)])
            duet.edit(IMPL2, ("    return p, q", "".join(
                "    if x.shape[0] == %d:\n        %s\n" % (rows, line)
                for rows, line in enumerate(wrong.values(), 20)) + "    return p, q"))
            done = self.verify(duet, duet.flags(2, "--reuse-workers"))
            report = self.expect(done, "FAIL", "structural", "other", "all_fail", 2, "shape")
            self.assertEqual(done.status, 1)
            self.assertEqual(
                [(c["id"], c["all_close"], c["per_mode_status"]["sim"])
                 for c in report["checks"]], [(name, False, "FAIL") for name in wrong])
            self.assertEqual((report["cases_passed"], report["per_mode_status"]["sim"]),
                             (0, "FAIL"))

    def test_kinds_of_outputs(self):
        """What is no plain F32 tensor is compared all the same, and nothing else is taken for
        equal."""
        same = {
            "transposed": "s.t().contiguous().t()",
            "stretched": "s[:1].expand(x.shape[0], 16)",
            "bfloat16": "s.to(torch.bfloat16)",
            "float16": "s.half()",
            "float64": "s.double()",
            "wide": "(s * 1e9).long() * 3",
            "bool": "s > 2",
            "uint8": "s.to(torch.uint8)",
            "number": "s.sum()",
            "empty": "s[:0]",
            "infinite": "s / 0",
            "gradient": "s.clone().requires_grad_()",
        }
        other = {  # of the wrapper; the reference gives s
            "negative": ("-s / 0", "s / 0"),
            "nan": ("s / 0 * 0", "s / 0 * 0"),
            "nearly": ("(s * 1e9).long() * 3 + 2 ** 33", "(s * 1e9).long() * 3"),
            "flipped": ("s > 2", "s < 2"),
        }
        rows = {name: number for number, name in enumerate(list(same) + list(other), 30)}
        duet = self.operator(cases=[case(name, "L2", rows[name], atol=0, rtol=1e-5)
                                    for name in rows])
        for path, side, line in (("modules/duet_module1_impl.py", 0, "    return s"),
                                 ("modules/duet_module1_golden.py", 1, "    return (s,)")):
            texts = dict(same, **{name: pair[side] for name, pair in other.items()})
            duet.edit(path, (line, "".join(
                "    if x.shape[0] == %d:\n        return %s\n" % (rows[name], texts[name])
                for name in rows) + line))
        done = self.verify(duet, duet.flags(1, "--no-lint-gate", "--reuse-workers", "-j", "2"))
        computed = ("wide", "bool", "number", "infinite")  # right, but no kernel made it
        report = self.expect(done, "FAIL", "structural", "other", "all_fail", 1, "wide")
        self.assertEqual({c["id"]: c["per_tensor"][0]["all_close"] for c in report["checks"]},
                         dict(dict.fromkeys(same, True), **dict.fromkeys(other, False)))
        self.assertEqual({c["id"]: c["per_mode_status"]["sim"] for c in report["checks"]},
                         dict(dict(dict.fromkeys(same, "PASS"), **dict.fromkeys(other, "FAIL")),
                              **dict.fromkeys(computed, "FAIL")))
        for name in other:
            self.assertEqual(done.check(name)["failures"][0]["failure_category"], "precision")
        for name in ("negative", "nan"):
            check = done.check(name)
            self.assertEqual((check["max_abs_diff"], check["max_rel_diff"]), (None, None), name)
        self.assertFalse(done.failure["cpu_reproducer_candidate"])
        self.assertEqual(done.check("nearly")["max_abs_diff"], 2.0 ** 33)

    def test_14_falls_back_to_golden(self):
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, (CALL, "    s = x + y * 2.0\n    p = s * y\n"
                                "    q = torch.exp(s * 0.25)\n"))
        done = self.verify(duet, duet.flags(2, "--no-lint-gate"))
        self.expect(done, "FAIL", "structural", "other", "all_fail", 2)
        self.assertIn("no kernel was launched", done.failure["summary"].lower())

    def test_14_golden_in_an_except_clause(self):
        """As it happens in the field: the kernel fails, the reference is returned."""
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, (CALL, "    try:\n        duet_module12_kernel(x, y, p)\n"
                                "    except Exception:\n        s = x + y * 2.0\n"
                                "        p, q = s * y, torch.exp(s * 0.25)\n"))
        done = self.verify(duet, duet.flags(2, "--no-lint-gate"))
        self.expect(done, "FAIL", "structural", "other", "all_fail", 2)

    def test_12_selection(self):
        duet = self.operator()
        for flags, expected in (
                (["--levels", "L1"], ["L1_canonical", "L1_tail"]),
                (["--levels", "2"], ["L2_canonical", "L2_tail"]),
                (["--levels", "L1,L2", "--case", "L2_tail"], ["L2_tail"])):
            with self.subTest(flags):
                report = self.expect(
                    self.verify(duet, duet.flags(2, "--reuse-workers", *flags)), "PASS")
                self.assertEqual([c["id"] for c in report["checks"]], expected)
        done = self.verify(duet, duet.flags(2, "--levels", "L5"))
        report = self.valid(done)
        self.assertEqual((report["status"], done.status, report["cases_total"]), ("ERROR", 2, 0))
        self.assertIn("no case selected", done.failure["summary"].lower())

    def test_12_a_case_that_is_none(self):
        """Nothing is run, and the last report stays as it is."""
        duet = self.operator()
        duet.write("eval/evaluation_report.json", "the last one")
        for flags, text in ((["--case", "none"], "no case is called 'none'; the cases are: "
                             "L1_canonical, L1_tail, L2_canonical, L2_tail"),
                            (["--levels", "L1", "--case", "L2_tail"],
                             "the case 'L2_tail' is of none of the levels L1")):
            with self.subTest(flags):
                process = self.start(duet.flags(2, *flags))
                _, stderr = process.communicate()
                self.assertEqual(process.returncode, 2)
                self.assertIn(text, stderr.decode())
                self.assertEqual(duet.read("eval/evaluation_report.json"), "the last one")

    def test_15_lint_gate(self):
        duet = self.operator(cases=ONE)
        witness = duet.path("witness")
        duet.edit(IMPL2, ("import pypto\n", "import pypto\n\nopen(%r, 'w').close()\n" % witness),
                  ("pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)", "pass"))
        done = self.verify(duet, duet.flags(2))
        report = self.valid(done)
        self.assertEqual((report["status"], done.failure["failure_category"]),
                         ("ERROR", "structural"), done)
        self.assertIn(done.failure["verdict_category"], ("tile_shape", "layout"))
        self.assertFalse(os.path.exists(witness))
        lint = report["lint"]
        self.assertGreater(lint["blocking"], 0)
        self.assertIsInstance(lint["warnings"], int)
        for rule in lint["rules"]:
            self.assertEqual(list(rule), ["id", "count"])
        self.assertTrue(lint["rules"])
        done = self.verify(duet, duet.flags(2, "--no-lint-gate"))
        self.assertEqual(done.report["lint"]["gate"], "bypassed")
        self.assertTrue(os.path.exists(witness))


if __name__ == "__main__":
    harness_support.main()
