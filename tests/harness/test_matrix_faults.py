"""The test matrix of the runner: what fails at run time, around it and on the device, and what a report must not
say, each row with the values that the contract demands."""
import json

import harness_support
from harness_support import HarnessTest, scaled
from matrix_support import CALL, GOLDEN2, IMPL2, NPU, ONE
from operators import case

PAIR = [case("L2_bad", "L2", atol=1e-4, rtol=1e-4),
        case("L2_good", "L2", 20, atol=1e-4, rtol=1e-4)]
# The fault strikes the case of 16 rows only.
FAULT = "    if x.shape[0] == 16:\n        %s\n" + CALL


class Runtime(HarnessTest):
    def faulty(self, statement, verdict, *flags):
        """One case fails by the statement, the other one is run all the same."""
        duet = self.operator(cases=PAIR)
        duet.edit(IMPL2, (CALL, FAULT % statement))
        done = self.verify(duet, duet.flags(2, "--no-lint-gate", *flags))
        report = self.expect(done, "FAIL", "runtime", verdict, "all_fail", 2, "L2_bad")
        self.assertEqual(done.status, 1)
        self.assertEqual([c["per_mode_status"]["sim"] for c in report["checks"]],
                         ["ERROR", "PASS"])
        self.assertEqual((report["per_mode_status"]["sim"], report["cases_passed"]), ("ERROR", 1))
        self.assertIsNone(done.check("L2_bad")["max_abs_diff"])
        self.nothing_left()
        return done

    def test_6_build_error(self):
        """The tile shape is not set: F21003 when the kernel is built."""
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, ("pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)", "pass"))
        done = self.verify(duet, duet.flags(2, "--no-lint-gate"))
        report = self.expect(done, "FAIL", "runtime", "tile_shape", "all_fail", 2, "L2_only")
        self.assertEqual(report["checks"][0]["per_mode_status"]["sim"], "ERROR")
        self.assertIn("F21003", done.failure["summary"])

    def test_7_segfault(self):
        self.faulty("__import__('ctypes').string_at(0)", "host_crash")

    def test_7_exit(self):
        self.faulty("__import__('os')._exit(3)", "other", "--reuse-workers")

    def test_7_endless_loop(self):
        done = self.faulty("[__import__('time').sleep(0.01) for _ in iter(int, 1)]", "timeout",
                           "--timeout", str(scaled(4)), "--mem-limit", "64G")
        self.assertLess(done.seconds, scaled(30))

    def test_7_memory(self):
        self.faulty("torch.ones(100 * 2 ** 30, dtype=torch.int8)", "oom", "--reuse-workers")
        self.faulty("[bytearray(2 ** 24) for _ in iter(int, 1)]", "oom", "--mem-limit", "3G")

    def test_7_exception(self):
        self.faulty("raise ValueError('so much for that')", "other", "--reuse-workers")


class Infra(HarnessTest):
    WARM = True

    def test_8_no_npu(self):
        duet = self.operator(cases=ONE)
        done = self.verify(duet, duet.flags(2, "--modes", "npu"))
        report = self.valid(done)
        self.assertEqual((report["status"], done.status, done.failure["failure_category"]),
                         ("ERROR", 2, "infra"))
        self.assertEqual(report["per_mode_status"], {"sim": "SKIPPED", "npu": "SKIPPED"})
        self.assertIn("ASCEND_HOME_PATH", done.failure["summary"])

    def test_8_symptoms(self):
        duet = self.operator(cases=ONE)
        for symptom in ("hccl", "no_device", "pypto", "crash"):
            with self.subTest(symptom):
                done = self.verify(duet, duet.flags(2, "--modes", "npu"),
                                   FAKE_NPU_IMPORT=symptom, **NPU)
                self.valid(done)
                self.assertEqual((done.report["status"], done.failure["failure_category"]),
                                 ("ERROR", "infra"), done)
        done = self.verify(duet, duet.flags(2, "--modes", "sim,npu"),
                           FAKE_NPU_IMPORT="hccl", **NPU)
        report = self.expect(done, "PASS")
        self.assertEqual(report["per_mode_status"], {"sim": "PASS", "npu": "SKIPPED"})
        self.assertIn("libhccl", json.dumps(report) + done.stdout)  # the reason

    def test_packages_missing(self):
        """ASCEND_HOME_PATH is set, but nothing is installed; the simulator is not taken for it."""
        duet = self.operator(cases=ONE)
        done = self.verify(duet, duet.flags(2, "--modes", "npu"),
                           ASCEND_HOME_PATH=NPU["ASCEND_HOME_PATH"])
        self.valid(done)
        self.assertEqual((done.report["status"], done.failure["failure_category"]),
                         ("ERROR", "infra"))


class Device(HarnessTest):
    WARM = True

    def both(self, fault, fingerprint, category, verdict, **more):
        duet = self.operator(cases=ONE)
        done = self.verify(duet, duet.flags(2, "--modes", "sim,npu"), FAKE_NPU=fault, **NPU)
        report = self.expect(done, "FAIL", category, verdict, fingerprint, 2, "L2_only")
        self.assertEqual(report["per_mode_status"]["sim"], "PASS")
        return done

    def test_aicore(self):
        self.both("aicore", "kernel_ok_npu_only", "runtime", "aicore")

    def test_device_memory(self):
        self.both("rtmalloc", "kernel_ok_npu_only", "runtime", "oom")

    def test_jit_execution_failed(self):
        done = self.both("jit", "kernel_ok_npu_only", "runtime", "other")
        self.assertIn("JIT execution failed", done.log)
        self.assertNotIn("JIT execution failed", done.report["stdout"])

    def test_segfault(self):
        self.both("segfault", "kernel_ok_npu_only", "runtime", "host_crash")

    def test_golden_fallback(self):
        """The kernel fails on the device, the wrapper hides it with the reference's maths."""
        duet = self.operator(cases=ONE)
        duet.edit(IMPL2, (CALL, "    try:\n        duet_module12_kernel(x, y, p, q)\n"
                                "    except Exception as error:\n        print(error)\n"
                                "        s = x + y * 2.0\n"
                                "        p, q = s * y, torch.exp(s * 0.25)\n"))
        done = self.verify(duet, duet.flags(2, "--modes", "npu", "--no-lint-gate"),
                           FAKE_NPU="jit", **NPU)
        report = self.valid(done)
        self.assertEqual((report["status"], done.failure["failure_category"]),
                         ("FAIL", "structural"), done)

    def test_one_npu_job_at_a_time(self):
        duet = self.operator(cases=[case("L2_%d" % n, "L2") for n in range(3)])
        done = self.verify(duet, duet.flags(2, "--modes", "npu", "-j", "3"), FAKE_NPU="slow",
                           FAKE_NPU_LOG=duet.path("launches"), **NPU)
        self.expect(done, "PASS")
        spans = sorted([float(n) for n in line.split()[-2:]]
                       for line in duet.read("launches").split("\n")[:-1])
        self.assertEqual(len(spans), 9)  # each case calls its wrapper three times
        for earlier, later in zip(spans, spans[1:]):
            self.assertLessEqual(earlier[1], later[0])


class Redaction(HarnessTest):
    WARM = True

    def test_10_planted_keys(self):
        """The worker lies: whatever it writes as its result, these keys do not get through."""
        duet = self.operator(cases=ONE)
        deep = {"a": [{"b": {"c": [{"truth": [1.5, 2.5], "golden_source": "def f"}]}}]}
        result = {"end": "compared", "stage": "done", "error": None, "leaves": [
            {"name": "out0", "structure": None, "expected_shape": [16, 16], "shape": [16, 16],
             "expected_dtype": "float32", "dtype": "float32", "all_close": True,
             "max_abs_diff": 0.5, "max_rel_diff": 0.5, "elements": 256, "out_of_tolerance": 0,
             "nonfinite": 0, "truth_tuple": deep}], "launches": 1, "ops": 1, "exact": False,
            "modified_inputs": [], "golden_deterministic": None, "warnings": [],
            "environment": {"raw_inputs": deep}, "seconds": {"golden_values": deep},
            "input_tensors": deep}
        duet.edit(IMPL2, (CALL, "    import os\n    for number in range(3, 1024):\n"
                          "        try:\n            os.write(number, %r)\n"
                          "        except OSError:\n            pass\n    os._exit(0)\n"
                          % (json.dumps(result) + "\n").encode()))
        done = self.verify(duet, duet.flags(2, "--no-lint-gate"))
        self.valid(done)  # looks for the keys, too
        duet.cases(ONE, truth={"golden_values": [1]}, _sanitize=False)
        self.valid(self.verify(duet, duet.flags(2, "--no-lint-gate")))

    def test_11_golden_prints(self):
        duet = self.operator(cases=ONE)
        duet.edit(GOLDEN2, ("    p = s * y\n", "    p = s * y\n    print('GOLDENPRINT', s)\n"
                            "    import os, sys\n    os.write(1, b'GOLDENFD1')\n"
                            "    os.write(2, b'GOLDENFD2')\n"
                            "    print('GOLDENERR', p, file=sys.stderr)\n"
                            "    os.system('echo GOLDENCHILD')\n"),
                  ("import torch\n", "import torch\n\nprint('GOLDENIMPORT')\n"))
        duet.edit(IMPL2, (CALL, CALL + "    print('the author prints')\n"))
        done = self.verify(duet, duet.flags(2))
        report = self.expect(done, "PASS")
        self.assertIn("the author prints", done.log)
        self.assertNotIn("the author prints", done.raw.decode())
        for text in (done.log, done.raw.decode(), done.stdout, done.stderr):
            self.assertNotIn("GOLDEN", text)


if __name__ == "__main__":
    harness_support.main()
