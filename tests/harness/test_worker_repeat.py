"""The wrapper is called again, with other inputs and with the same: results that are right once.

Usage: test_worker_repeat.py SHARE [UNITTEST_ARGUMENTS…]
"""
import worker_support
from worker_support import WorkerTest

HEAD = """
calls = []
def compute(x):
    y = torch.empty_like(x)
    kernel(x, y)
    return y
"""


class Repeat(WorkerTest):
    def repeated(self, text, **changes):
        self.implementation(HEAD + text)
        told = self.run_case(**changes)
        self.assertEqual(told.end, "compared", told)
        return told

    def assert_finding(self, finding, text, close=True):
        told = self.repeated(text)
        self.assertIs(told.leaf["all_close"], close, told)
        self.assertEqual((told.repeat["status"], told.repeat["finding"]), ("failed", finding),
                         told)
        return told

    def test_right_every_time(self):
        told = self.repeated("def double_module1_wrapper(x):\n    return compute(x)\n")
        self.assertEqual(told.repeat, {"status": "passed", "finding": None, "why": None})
        self.assertEqual(told.launches, 1)  # of the first call

    def test_a_cached_result(self):
        self.assert_finding("stale output", """
def double_module1_wrapper(x):
    if not calls:
        calls.append(compute(x))
    return calls[0]
""")

    def test_a_cached_buffer(self):
        """The second call writes over what the first has returned."""
        self.assert_finding("stale output", """
def double_module1_wrapper(x):
    if not calls:
        calls.append(torch.empty_like(x))
    kernel(x, calls[0])
    return calls[0]
""")

    def test_the_first_call_only(self):
        self.assert_finding("first call only", """
def double_module1_wrapper(x):
    calls.append(1)
    return compute(x) if len(calls) == 1 else compute(x) * 0
""")

    def test_state_of_the_first_inputs(self):
        """Right for the inputs that it saw first."""
        self.assert_finding("input-dependent state", """
def double_module1_wrapper(x):
    if not calls:
        calls.append(x.clone())
    return compute(x) + (x - calls[0]) * 100
""")

    def test_flaky(self):
        self.assert_finding("flaky", """
def double_module1_wrapper(x):
    calls.append(1)
    return compute(x) + (1.0 if len(calls) == 3 else 0.0)
""")
        self.assert_finding("flaky", """
def double_module1_wrapper(x):
    calls.append(1)
    return compute(x) + (1.0 if len(calls) == 1 else 0.0)
""", close=False)

    def test_a_call_that_raises(self):
        told = self.assert_finding("raised", """
def double_module1_wrapper(x):
    calls.append(1)
    if len(calls) > 1:
        raise KeyError("again")
    return compute(x)
""")
        self.assertEqual(told.repeat["why"], "KeyError")

    def test_a_call_that_is_not_made(self):
        """It cannot say that it was slow when it was not."""
        self.assert_finding("untold", """
import pypto_lint_worker.kernel as ours
ours.REPEAT_SECONDS = -1.0
def double_module1_wrapper(x):
    return compute(x)
""")

    def test_outputs_that_are_said_to_be_large(self):
        """Their size is known here."""
        self.assert_finding("untold", """
import pypto_lint_worker.kernel as ours
ours.REPEAT_BYTES = -1
def double_module1_wrapper(x):
    return compute(x)
""")

    def test_other_inputs_near_the_tolerance(self):
        """A tolerance is made for the inputs of its case: with others only what is far off
        counts."""
        told = self.repeated("""
def double_module1_wrapper(x):
    calls.append(1)
    return compute(x) * (1.003 if len(calls) == 2 else 1.0)
""")
        self.assertEqual(told.repeat["status"], "passed", told)

    def test_inputs_that_are_changed(self):
        """Each call has fresh ones."""
        told = self.repeated("""
def double_module1_wrapper(x):
    y = compute(x)
    x.zero_()
    return y
""")
        self.assertEqual((told.repeat["status"], told.modified_inputs), ("passed", ["x"]), told)

    def test_results_in_the_inputs(self):
        self.golden("def double_module1_golden(x):\n    x *= 2\n    return x\n")
        told = self.repeated("""
def double_module1_wrapper(x):
    x.copy_(compute(x))
    return x
""")
        self.assertEqual(told.repeat["status"], "passed", told)

    def test_the_same_inputs_for_every_seed(self):
        self.inputs("""
            import torch
            PRIMARY_INPUT_ORDER = ["x"]
            def make_inputs(case):
                return {"x": torch.ones(16, 16, device="npu")}
        """)
        told = self.repeated("def double_module1_wrapper(x):\n    return compute(x)\n")
        self.assertEqual(told.repeat, {"status": "passed", "finding": None, "why": "same inputs"})

    def test_not_checked(self):
        slow = """
import time
def double_module1_wrapper(x):
    calls.append(1)
    assert len(calls) == 1
    time.sleep(1.1)
    return compute(x)
"""
        told = self.repeated(slow)
        self.assertEqual((told.repeat["status"], told.repeat["why"]), ("not checked", "slow"),
                         told)
        told = self.repeated("def double_module1_wrapper(x):\n    return compute(x)\n",
                             precision=False)
        self.assertEqual(told.repeat["why"], "structure only")
        told = self.repeated("def double_module1_wrapper(x):\n    return compute(x) + 1\n")
        self.assertEqual((told.repeat["status"], told.repeat["why"]), ("not checked", "wrong"))

    def test_streams_that_each_call_closes(self):
        told = self.repeated("""
import os
def double_module1_wrapper(x):
    for number in (1, 2):
        try:
            os.close(number)
        except OSError:
            pass
    return compute(x)
""")
        self.assertEqual(told.repeat["status"], "passed", told)

    def test_what_later_calls_print(self):
        """The log has one call."""
        told = self.repeated("""
def double_module1_wrapper(x):
    print("called")
    return compute(x)
""")
        self.assertEqual(told.log, "called\n")


if __name__ == "__main__":
    worker_support.main()
