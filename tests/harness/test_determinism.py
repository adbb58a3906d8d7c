"""Runs of the same state give the same bytes, except for times."""
import json

import harness_support
from harness_support import FAKE_NPU, HarnessTest
from operators import case

CASES = [case("L%d_%d" % (level, rows), "L%d" % level, rows, precision=level > 1)
         for level, rows in ((1, 16), (2, 1), (2, 33))]
CALL = "    duet_module12_kernel(x, y, p, q)\n"


class Determinism(HarnessTest):
    def untimed(self, done):
        """The report as bytes, without `timing` wherever it stands."""
        def without(value):
            if isinstance(value, dict):
                return {k: without(v) for k, v in value.items() if k != "timing"}
            return [without(v) for v in value] if isinstance(value, list) else value
        self.valid(done)
        self.assertIn("timing", done.report)
        return json.dumps(without(done.report)).encode()

    def same(self, duet, runs, **variables):
        """All runs of these flags give the same report and the same words."""
        reports, words = set(), set()
        for flags in runs:
            done = self.verify(duet, duet.flags(2, *flags), **variables)
            reports.add(self.untimed(done))
            words.add((done.status, done.stdout))
        self.assertEqual(len(reports), 1, "\n".join(r.decode()[:4000] for r in sorted(reports)))
        self.assertEqual(len(words), 1, words)

    def test_passing(self):
        duet = self.operator(cases=CASES)
        self.same(duet, [["-j", "1"], ["-j", "4"], ["--reuse-workers", "-j", "2"]])

    def test_failing(self):
        """With output of the kernel, a crash and wrong values."""
        duet = self.operator(cases=CASES)
        duet.edit(duet.impl(2), ("0.25", "0.26"), (CALL, CALL + (
            "    print('rows', x.shape[0])\n    import sys\n    sys.stderr.write('noted\\n')\n"
            "    if x.shape[0] == 33:\n        raise ValueError('odd rows')\n")))
        self.same(duet, [["--no-lint-gate", "-j", "4"],
                         ["--no-lint-gate", "--reuse-workers", "-j", "2"]])

    def test_both_modes(self):
        duet = self.operator(cases=CASES[1:3])
        self.same(duet, [["--modes", "sim,npu", "-j", "1"], ["--modes", "npu,sim", "-j", "4"]],
                  PYTHONPATH=FAKE_NPU, ASCEND_HOME_PATH="/opt/no-such-ascend", FAKE_NPU="wrong")


if __name__ == "__main__":
    harness_support.main()
