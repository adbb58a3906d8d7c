#!/usr/bin/env python3
"""Bugs seeded into operators: the search names the right line for most of them, and it is never confident of a wrong one. Correct
operators are not searched.

Usage: test_blame.py SHARE [UNITTEST_ARGUMENTS…]     SHARE: …/share/pypto-lint of a build
Status 77 (skipped) without torch.
"""
import importlib.util
import os
import sys
import tempfile
import unittest
import unittest.mock

import blind
import bugs
import clipped
import edited
import everyday
import families
import fresh
import larger
import operators
import passed
import placed
import pooled
import scalars
import seeded

LEAST_RIGHT = 54  # of 60
SHARE_OF_RERUNS = 8  # older sets do not need reruns: they get this part of the work that the product spends
WITHOUT_A_MISS = {
    "mended": blind.MENDED, "clipped": clipped.CLIPPED, "carried": larger.CARRIED, "beginnings": larger.BEGINNINGS,
    "packed": larger.PACKED, "exchanged": larger.EXCHANGED, "windows": pooled.WINDOWS, "arguments": pooled.ARGUMENTS,
    "unread": pooled.UNREAD, "depths": pooled.DEPTHS, "steps": pooled.STEPS, "executions": pooled.EXECUTIONS,
    "conditions": passed.CONDITIONS, "inputs": passed.INPUTS, "calls": passed.CALLS, "after loops": passed.AFTER_LOOPS,
    "workspaces": passed.WORKSPACES, "too short": passed.TOO_SHORT, "names": passed.NAMES,
    "scalars": scalars.SCALARS, "bounds": scalars.BOUNDS, "states": scalars.STATES, "between": scalars.BETWEEN,
    "results": scalars.RESULTS, "parts": scalars.PARTS,
    "statements": placed.STATEMENTS, "states of loops": placed.CARRIED, "helpers": placed.HELPERS, "orders": placed.ORDERS,
    "narrow": placed.NARROW, "hidden": placed.HIDDEN,
    "numbers": families.NUMBERS, "masks": families.MASKS, "rounded": families.ROUNDED, "moved": families.MOVED,
    "repeated": families.REPEATED, "never read": families.UNREAD, "read": families.READ,
}

if importlib.util.find_spec("torch") is None:
    sys.exit(77)


class Blame(unittest.TestCase):
    def setUp(self):
        from pypto_lint_worker import rerun
        self.full_work = rerun.MOST_WORK
        self.limit_reruns(self.full_work // SHARE_OF_RERUNS)

    def limit_reruns(self, work):
        from pypto_lint_worker import rerun
        patch = unittest.mock.patch.object(rerun, "MOST_WORK", work)
        patch.start()
        self.addCleanup(patch.stop)

    def seed(self, bug):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return seeded.Seed(bug, folder.name)

    def count_right(self, listed):
        """How many are named. Every bug makes its case fail; the line is right, suspected, or not named."""
        right = 0
        for bug in listed:
            with self.subTest(bug=bug[0]):
                seed = self.seed(bug)
                document = seed.run()
                self.assertEqual(document["end"], "compared", document["error"])
                self.assertFalse(all(leaf["all_close"] for leaf in document["leaves"]))
                blame = document["blame"]
                named = blame["status"] == "found" and blame["line"]
                right += named in seed.lines
                if named and named not in seed.lines:
                    self.assertEqual(blame["confidence"], "low", blame)
                self.assertIn(blame["status"], ("found", "unsure"), blame)
        return right

    def test_seeded_bugs(self):
        listed = bugs.FIRST + bugs.SECOND
        self.assertEqual(len({bug[0] for bug in listed}), 60)
        self.assertGreaterEqual(self.count_right(listed), LEAST_RIGHT)

    def test_valid_shapes(self):
        """The line that makes the last window too small, not the loop's."""
        self.assertEqual(self.count_right(bugs.TAILS), len(bugs.TAILS))
        found = self.seed(bugs.TAILS[0]).run()["blame"]
        self.assertEqual(found["detail"], {"output": 0, "axis": 0, "written": 4, "left": 5})

    def test_order_of_a_product(self):
        """A product of operands in the wrong order is the reference's with its axes exchanged."""
        bug = {one[0]: one for one in bugs.SECOND}["a2_v"]
        found = self.seed(bug).run()["blame"]
        self.assertEqual((found["operation"], found["kind"]), ("matmul", "order"))

    def test_operators_of_later(self):
        """Every second one of blind.py; all of them with PYPTO_LINT_LONG."""
        listed = blind.BLIND if os.environ.get("PYPTO_LINT_LONG") else blind.BLIND[::2]
        self.assertGreaterEqual(self.count_right(listed), int(0.9 * len(listed)))

    def test_fresh_operators(self):
        """Every third one of fresh.py; all of them with PYPTO_LINT_LONG: 21 of 24."""
        listed = fresh.FRESH if os.environ.get("PYPTO_LINT_LONG") else fresh.FRESH[::3]
        self.assertGreaterEqual(self.count_right(listed), int(0.87 * len(listed)))

    def test_everyday_operators(self):
        """Nine of everyday.py that were missed for different reasons; all of them with PYPTO_LINT_LONG."""
        listed = {bug[0]: bug for bug in everyday.EVERYDAY}
        if not os.environ.get("PYPTO_LINT_LONG"):
            listed = {name: listed[name] for name in ("g_count", "r_steps", "m_blocks", "x_cube", "x_cubic",
                                                      "n_unpacked", "n_other_sum", "n_begins_once", "x_share_once")}
        self.assertEqual(self.count_right(listed.values()), len(listed))

    def test_two_explanations(self):
        """A sign may be wrong in the sum or in the difference that it adds: both lines are named, neither with
        confidence. A bound in a comparison is followed to its definition, and a first iteration that is right by
        chance hides no line."""
        listed = {bug[0]: bug for bug in fresh.FRESH}
        found = self.seed(listed["v_delta"]).run()["blame"]
        self.assertEqual((found["confidence"], found["line"], found["candidates"][0]["line"]), ("low", 20, 18))
        for name, kind in (("p_share", "number"), ("d_known_old", "operand")):
            seed = self.seed(listed[name])
            found = seed.run()["blame"]
            self.assertEqual((found["kind"], {found["line"]} & seed.lines), (kind, {found["line"]}))

    def test_sets_without_a_miss(self):
        """Every bug of these sets is named; a comment at each set says what its bugs are about."""
        for name, listed in WITHOUT_A_MISS.items():
            with self.subTest(set=name):
                self.assertEqual(self.count_right(listed), len(listed))

    def test_edited(self):
        """Bugs that only edits of the text explain."""
        self.limit_reruns(self.full_work)
        self.assertEqual(self.count_right(edited.EDITED), len(edited.EDITED))

    def test_bounds(self):
        """Loops that run too few iterations: none at all leaves 0 / 0, one less leaves rows that no write covers."""
        self.assertEqual(self.count_right(larger.BOUNDS), len(larger.BOUNDS))
        kinds = [self.seed(bug).run()["blame"]["kind"] for bug in larger.BOUNDS]
        self.assertEqual(kinds, ["never_ran", "never_written"])

    def test_stopped(self):
        """What the simulator refuses to run is named by its error."""
        for bug, line in blind.STOPPED:
            with self.subTest(bug=bug[0]):
                document = self.seed(bug).run(blame=False)
                self.assertEqual(document["end"], "raised")
                self.assertIn(line, document["error"]["message"])

    def test_right_operators(self):
        """Nothing is blamed where nothing is wrong."""
        for name in list(operators.PROGRAMS) + ["gated_rmsnorm", "attention_backward"]:
            with self.subTest(operator=name):
                case = "case0" if name in operators.PROGRAMS else "L2_canonical"
                document = self.seed(("none", name, case, "import", "import")).run()
                self.assertEqual(document["end"], "compared", document["error"])
                self.assertTrue(all(leaf["all_close"] for leaf in document["leaves"]))
                self.assertNotIn("blame", document)

    def test_rounding(self):
        """The run in double names the sum in 16 bits, and is silent where rounding is not at fault."""
        listed = {bug[0]: bug for bug in blind.BLIND + bugs.FIRST}
        found = self.seed(listed["n_half_sum"]).run()["blame"]["precision"]
        self.assertTrue(found["wrong"])
        self.assertEqual(found["beyond"]["line"], 28)
        self.assertTrue(any(row["line"] == 28 and row["added"] > 1e-3 for row in found["lines"]))
        self.assertFalse(self.seed(listed["f_div"]).run()["blame"]["precision"]["wrong"])

    def test_iterations(self):
        """Which iterations of the loop are wrong."""
        listed = {bug[0]: bug for bug in blind.BLIND}
        for name, expected in (("g_time", {"pattern": "from", "at": 1}),
                               ("s_forgets", {"pattern": "from", "at": 1}), ("s_skip", None)):
            with self.subTest(bug=name):
                self.assertEqual(self.seed(listed[name]).run()["blame"]["iterations"], expected)

    def test_work_limit(self):
        """Where the search may cost nothing, it ends without a repair and without a sure line."""
        from pypto_lint_worker import blame
        bug = {one[0]: one for one in bugs.FIRST}["f_div"]
        self.assertEqual(self.seed(bug).run()["blame"]["kind"], "operation")
        with unittest.mock.patch.object(blame, "MOST_WORK", -1):
            found = self.seed(bug).run()["blame"]
        self.assertIn(found["status"], ("found", "unsure"))
        self.assertNotEqual(found.get("confidence"), "high")
        self.assertIn(found.get("kind"), (None, "unmatched"))

    def test_changed_inputs(self):
        """An input that the wrapper changes, where the kernel could undo the change: both lines are named, neither is sure."""
        for bug in passed.EITHER:
            with self.subTest(bug=bug[0]):
                seed = self.seed(bug)
                found = seed.run()["blame"]
                self.assertEqual((found["status"], found["why"], len(found["candidates"])), ("unsure", "several", 2))
                self.assertIn(found["candidates"][0]["line"], seed.lines)

    def test_shared_constant(self):
        """Where a wrong constant has two uses, the line of the use is a suspicion only: the constant itself may
        be wrong."""
        seed = self.seed(("eps", "rms_norm", "case0", "EPSILON = 1e-6", "EPSILON = 1e-3"))
        blame = seed.run()["blame"]
        self.assertEqual((blame["status"], blame["kind"], blame["confidence"]), ("found", "number", "low"))

    def test_no_elements(self):
        """The answer has lines, axes and names of operations, but no number of a tensor, and of a scalar of the
        reference only how it compares with the kernel's."""
        blame = self.seed(("eps", "gated_rmsnorm", "L5_tiny_x", "mean_square, EPSILON",
                           "mean_square, 1e-3")).run()["blame"]
        self.assertEqual(blame["kind"], "number")
        self.assertEqual(blame["detail"], {"position": 1, "form": "times", "value": 0.001})

    def test_writers(self):
        """The write that left the worst element, in the iteration that the element's row belongs to;
        an element that nothing wrote has no writer."""
        seed = self.seed(("shifted", "gated_rmsnorm", "L5_tiny_x", "pypto.add(gated, residual_wide)",
                          "pypto.sub(gated, residual_wide)"))
        with open(seed.job(True)["impl"], encoding="utf-8") as file:
            lines = file.read().split("\n")
        line = next(number for number, text in enumerate(lines, 1) if "pypto.assemble(" in text)
        document = seed.run()
        worst = document["leaves"][0]["where"]["worst"]
        [writer] = document["blame"]["writers"]
        self.assertEqual((writer["output"], writer["line"], writer["operation"]), (0, line, "assemble"))
        self.assertEqual(writer["iteration"], [worst[0] // 32])  # ROW_BLOCK
        blame = self.seed(("floor", "gated_rmsnorm", "L5_tiny_x",
                           "(row_count + ROW_BLOCK - 1) // ROW_BLOCK",
                           "row_count // ROW_BLOCK")).run()["blame"]
        self.assertEqual(blame["writers"], [])


if __name__ == "__main__":
    seeded.prepare(sys.argv.pop(1))
    unittest.main()
