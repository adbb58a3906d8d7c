#!/usr/bin/env python3
"""`pypto-lint compose`: the composed golden against the operator's golden.

    test_compose.py PYPTO_LINT [UNITTEST_ARGUMENTS…]
"""
from harness_support import scaled, warm_variables
from scaffold_support import ScaffoldTest, main

OP = "custom/gated_rmsnorm/"
COMPOSED = OP + "modules/gated_rmsnorm_module12_golden.py"
CONTRACT = OP + "eval/module_interfaces.yaml"


class Compose(ScaffoldTest):
    def setUp(self):
        super().setUp()
        self.sample("gated_rmsnorm")
        self.edit(CONTRACT, "seeds: [0, 1, 2]", "seeds: [3, 7]")
        self.edit(CONTRACT, "    - {R: 300, C: 1024}\n", "    - {R: 5, C: 32}\n")

    def edit(self, path, old, new):
        text = self.read(path)
        self.assertIn(old, text)
        self.write(path, text.replace(old, new))

    def compose(self, *options, status=0):
        self.needs_simulator()
        done = self.run_here("compose", "--op", "gated_rmsnorm", *options, env=warm_variables())
        if "no simulator" in done.err or "No module named 'torch'" in done.out + done.err:
            self.skipTest("no simulator, or no torch")
        self.assertEqual(done.status, status, done.out + done.err)
        return done

    def test_equal(self):
        found = self.compose("--format", "json").json()
        self.assertEqual((found["status"], found["op_name"], found["modules"], found["atol"],
                          found["rtol"]), ("PASS", "gated_rmsnorm", 2, 0.01, 0.01))
        self.assertEqual([(check["seed"], check["shape"]) for check in found["checks"]],
                         [(3, {"R": 64, "C": 1024}), (7, {"R": 64, "C": 1024}),
                          (3, {"R": 5, "C": 32}), (7, {"R": 5, "C": 32})])
        for check in found["checks"]:
            self.assertEqual(check["status"], "PASS")
            self.assertEqual([leaf["name"] for leaf in check["per_tensor"]], ["out0"])
        text = self.compose().out
        self.assertEqual(text.splitlines()[-1], "status=PASS runs=4/4 atol=0.01 rtol=0.01")

    def only_one(self):
        """One seed, one shape: a start of torch is slow."""
        self.edit(CONTRACT, "seeds: [3, 7]", "seeds: [3]")
        self.edit(CONTRACT, "    - {R: 64, C: 1024}\n", "")

    def test_other_values(self):
        self.only_one()
        # 0.5 is added to every element of rows whose elements are of the size of 1.
        self.edit(COMPOSED, "return (gate_and_add(rms_norm(x, weight), gate, residual),)",
                  "print('MARKER', x)\n    return (gate_and_add(rms_norm(x, weight), gate, "
                  "residual) + 0.5,)")
        done = self.compose("--format", "json", status=1)
        found = done.json()
        self.assertEqual({check["status"] for check in found["checks"]}, {"FAIL"})
        for check in found["checks"]:
            self.assertGreater(check["max_abs_diff"], 0.4)
            self.assertLess(check["max_abs_diff"], 0.6)
        self.assertNotIn("MARKER", done.out + done.err)
        self.assertNotIn("tensor(", done.out + done.err)

    def test_other_structure(self):
        self.only_one()
        self.edit(COMPOSED, "residual),)", "residual), x)")
        done = self.compose(status=1)
        self.assertIn("status=FAIL runs=0/1", done.out)
        self.edit(COMPOSED, "residual), x)", "residual).float(),)")
        self.assertIn("dtype", self.compose(status=1).out)

    def test_shapes_without_numbers(self):
        self.edit(CONTRACT, "seeds: [3, 7]", "seeds: [3]")
        self.edit(CONTRACT, "    - {R: 5, C: 32}\n", "    - {R: 65}\n    - {R: -64, C: 1024}\n")
        self.edit(CONTRACT, "[R, C]", "[R, C // (R - 64)]")
        out = self.compose(status=2).out
        for words in ("divides by zero", "needs a number for C", "has a negative extent"):
            self.assertIn(words, out)

    def test_golden_that_raises(self):
        self.only_one()
        self.edit(COMPOSED, "    return (gate", "    raise ValueError('SECRET')\n    return (gate")
        done = self.compose(status=2)
        self.assertIn("status=ERROR runs=0/1", done.out)
        self.assertIn("ValueError", done.out)
        self.assertNotIn("SECRET", done.out + done.err)

    def test_golden_that_does_not_end(self):
        self.only_one()
        self.edit(COMPOSED, "EPSILON = 1e-6\n", "while True:\n    pass\n")
        self.assertIn("status=ERROR", self.compose("--timeout", str(scaled(4)), status=2).out)

    def test_refusals(self):
        self.assertIn("chunked_module12_golden.py is missing",
                      self.refuses("", "compose", "--op", "chunked").err)
        (self.folder / COMPOSED).unlink()
        self.refuses("gated_rmsnorm_module12_golden.py is missing", "compose", "--op",
                     "gated_rmsnorm")
        self.sample("softmax")
        self.edit("custom/softmax/eval/module_interfaces.yaml", "source: primary",
                  "source: module_1")
        self.refuses("(rule 2)", "compose", "--op", "softmax")
        self.refuses("--format", "compose", "--op", "softmax", "--format", "xml")
        self.refuses("no operator", "compose", "--op", "nothing")


class OneModule(ScaffoldTest):
    """An operator of one module needs no module files: its golden is the composed one."""

    ITSELF = "its golden is compared with a second run of itself"

    def setUp(self):
        super().setUp()
        self.sample("softmax")
        path = "custom/softmax/eval/module_interfaces.yaml"
        text = self.read(path)
        self.assertIn("    - {R: 1000, C: 512}\n", text)
        self.write(path, text.replace("    - {R: 1000, C: 512}\n", "").replace("R: 64, C: 512",
                                                                               "R: 3, C: 5"))

    def result(self, *arguments, status):
        self.needs_simulator()
        done = self.run_here(*arguments, env=warm_variables())
        if "no simulator" in done.err or "No module named 'torch'" in done.out + done.err:
            self.skipTest("no simulator, or no torch")
        self.assertEqual(done.status, status, done.out + done.err)
        return done

    def test_compose(self):
        done = self.result("compose", "--op", "softmax", status=0)
        self.assertEqual(done.out.splitlines()[-1], "status=PASS runs=3/3 atol=1e-05 rtol=0.001")
        self.assertEqual(done.out.count(self.ITSELF), 1)
        found = self.result("compose", "--op", "softmax", "--format", "json", status=0).json()
        self.assertEqual([check["status"] for check in found["checks"]], ["PASS"] * 3)
        for check in found["checks"]:
            self.assertIn(self.ITSELF, check["warnings"][0])

    def test_a_reference_that_does_not_repeat(self):
        """Its runs with four rows; the warning of all runs is printed once nevertheless."""
        golden = self.read("custom/softmax/softmax_golden.py")
        self.write("custom/softmax/softmax_golden.py", golden.replace(
            "return numerator / row_sum",
            "torch.seed()\n    return numerator / row_sum + torch.rand(1) * (len(x) == 4)"))
        path = "custom/softmax/eval/module_interfaces.yaml"
        self.write(path, self.read(path).replace("{R: 3, C: 5}", "{R: 3, C: 5}\n    - {R: 4, C: 5}"))
        done = self.result("compose", "--op", "softmax", status=1)
        self.assertIn("status=FAIL runs=3/6", done.out)
        self.assertEqual(done.out.count("not deterministic"), 1, done.out)
        self.assertEqual(done.out.count(self.ITSELF), 1, done.out)

    def test_a_module_file_counts(self):
        golden = self.read("custom/softmax/softmax_golden.py")
        self.write("custom/softmax/modules/softmax_module1_golden.py", golden.replace(
            "softmax_golden", "softmax_module1_golden").replace("/ row_sum", "/ row_sum + 0.5"))
        done = self.result("compose", "--op", "softmax", status=1)
        self.assertIn("status=FAIL runs=0/3", done.out)
        self.assertNotIn(self.ITSELF, done.out)

    def test_self_test(self):
        self.works("scaffold", "eval", "--op", "softmax")
        suite = "custom/softmax/eval/adversarial_suite.json"
        done = self.result("verify", "--self-test", "--suite", suite, status=0)
        self.assertIn("status=PASS cases=1/1 modes=sim:PASS,npu:SKIPPED report=-", done.out)
        self.assertIn(self.ITSELF, done.out)
        (self.folder / "custom/softmax/softmax_golden.py").unlink()
        done = self.result("verify", "--self-test", "--suite", suite, status=2)
        self.assertIn("is missing", done.out + done.err)


if __name__ == "__main__":
    main()
