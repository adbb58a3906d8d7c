"""The reference of examples/custom/attention_backward is right, and its suite does what it says.

Usage: test_attention_backward.py [UNITTEST_ARGUMENTS…], under the simulator (`pypto-lint run`).
"""
import json
import os
import sys
import unittest

try:
    import torch
except ImportError:
    print("torch is not installed: skipped")
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
OPERATOR = os.path.join(HERE, "../../examples/custom/attention_backward")
for folder in ("eval", "modules", "."):
    sys.path.insert(0, os.path.join(OPERATOR, folder))

import test_inputs  # noqa: E402
from attention_backward_golden import WINDOW, attention_backward_golden  # noqa: E402
from attention_backward_module12_golden import attention_backward_module12_golden  # noqa: E402

CASES = json.load(open(os.path.join(OPERATOR, "eval/adversarial_suite.json"),
                       encoding="utf-8"))["test_cases"]


def forward(q, k, v):
    """Written position by position, unlike the reference."""
    heads = []
    for head in range(q.shape[0]):
        rows = []
        for i in range(q.shape[1]):
            first = max(0, i - WINDOW + 1)
            scores = k[head, first:i + 1] @ q[head, i] / q.shape[2] ** 0.5
            rows.append(torch.softmax(scores, 0) @ v[head, first:i + 1])
        heads.append(torch.stack(rows))
    return torch.stack(heads)


class Reference(unittest.TestCase):
    def test_it_is_what_autograd_says(self):
        for shape in ((1, 1, 4), (2, 23, 8), (1, 24, 8), (2, 25, 8), (3, 60, 16)):
            torch.manual_seed(1)
            q, k, v = [torch.randn(shape, dtype=torch.float64, requires_grad=True)
                       for _ in range(3)]
            grad_out = torch.randn(shape, dtype=torch.float64)
            forward(q, k, v).backward(grad_out)
            for golden in (attention_backward_golden, attention_backward_module12_golden):
                leaves = golden(q.detach(), k.detach(), v.detach(), grad_out)
                for name, leaf, wanted in zip("qkv", leaves, (q, k, v)):
                    with self.subTest(golden=golden.__name__, shape=shape, leaf="d" + name):
                        self.assertLess((leaf - wanted.grad).abs().max().item(), 1e-12)


class Suite(unittest.TestCase):
    def test_two_cases_for_each_level(self):
        for level in ("L1", "L2", "L3", "L4", "L5"):
            self.assertGreaterEqual(sum(case["level"] == level for case in CASES), 2, level)

    def test_the_same_case_gives_the_same_values(self):
        for case in CASES:
            once, again = test_inputs.make_inputs(case), test_inputs.make_inputs(case)
            self.assertEqual(list(once), test_inputs.PRIMARY_INPUT_ORDER)
            for name, value in once.items():
                self.assertTrue(torch.equal(value.cpu(), again[name].cpu()), (case["id"], name))

    def test_the_cancellation_is_as_close_as_it_says(self):
        stressed = [case for case in CASES if "cancellation_stress" in case]
        self.assertTrue(stressed)
        for case in stressed:
            gap = test_inputs.relative_gap(test_inputs.make_inputs(case))
            self.assertLessEqual(gap, case["cancellation_stress"]["relative_gap"])
            self.assertGreater(gap, 0.0)

    def test_the_knobs_do_something(self):
        plain = test_inputs.make_inputs({"shape": {"H": 1, "S": 40, "D": 8}})
        loud = test_inputs.make_inputs({"shape": {"H": 1, "S": 40, "D": 8}, "loud_position": 30})
        scaled = test_inputs.make_inputs({"shape": {"H": 1, "S": 40, "D": 8}, "q_scale": 2.0})
        self.assertTrue(torch.equal(plain["q"] * 2.0, scaled["q"]))
        scores = torch.matmul(loud["q"], loud["k"].transpose(1, 2))[0].mean(0)
        self.assertEqual(int(scores.argmax()), 30)


if __name__ == "__main__":
    unittest.main()
