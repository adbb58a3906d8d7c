"""Every operation that ops.def calls built must be in random kernels with a result that is compared, or be named below
with the test that compares it instead.

Usage: coverage.py [--count N] [--verbose]
"""
import argparse
import os
import re
import sys
from collections import Counter

import needs  # noqa: F401
from generate import generate
from oracle import Interpreter
from target import Target
from value import Fault, Unsure, Value

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_sim_ops  # noqa: E402

# Statements of the oracle that stand for operations: (kind of statement, operation).
STATEMENTS = {"declare": "tensor", "update": "scatter_update", "write": "element_write", "atomic": "atomic_add",
              "move": "move", "assemble": "assemble"}
OTHER_NAMES = {"index_add": "index_add_", "tril_": "tril", "triu_": "triu"}
# Operation: (why it is not in random kernels, file below tests/runtime, class, test).
ELSEWHERE = {
    "normal": ("sine and logarithm of random words: compared within a tolerance, not bit for bit",
               "test_950.py", "Random", "test_normal"),
    "quant_mx": ("dtypes of the 950 whose tensors no other operation takes; random shapes and data there",
                 "test_950_products.py", "Microscaling", "test_random"),
    "scaled_mm": ("as quant_mx", "test_950_products.py", "ScaledMatmul", "test_random"),
    "conv": ("its own tiles and layouts; random forms there", "test_950_products.py", "Convolution", "test_random"),
    "experimental.online_softmax": ("only on the 950; sums within a tolerance", "test_950.py", "OnlineSoftmax",
                                    "test_random"),
    "experimental.online_softmax_update": ("as online_softmax", "test_950.py", "OnlineSoftmax", "test_update"),
}
# These compute nothing: they print, save or check.
NO_NUMBERS = {"pass_verify_print", "pass_verify_save", "verify", "set_verify_golden_data", "save"}


class Counting(Interpreter):
    """Notes each operation that gave an element which is compared."""

    def __init__(self, kernel, target, found):
        super().__init__(kernel, target)
        self.found = found

    def block(self, statements, names):
        for s in statements:
            if s[0] in STATEMENTS:
                self.found[STATEMENTS[s[0]]] += 1
            elif s[0] == "inplace":
                self.found[OTHER_NAMES.get(s[2], s[2])] += 1
        super().block(statements, names)

    def compute(self, names, op, operands, attributes):
        result = super().compute(names, op, operands, attributes)
        for value in result if isinstance(result, tuple) else (result,):
            if isinstance(value, Value) and value.defined.any():
                self.found[OTHER_NAMES.get(op, op)] += 1
        return result


def emitted(target, count):
    """Operation: how often it was computed in the kernels of the first seeds."""
    found = Counter()
    for seed in range(1, count + 1):
        try:
            Counting(generate(seed, target), target, found).run()
        except (Fault, Unsure):
            pass
    return found


def has_test(file, group, test):
    with open(os.path.join(ROOT, "tests", "runtime", file), encoding="utf-8") as opened:
        text = opened.read()
    parts = re.split(r"(?m)^class (\w+)", text)
    bodies = dict(zip(parts[1::2], parts[2::2]))
    return "def %s(" % test in bodies.get(group, "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    built = {op["name"] for op in make_sim_ops.read(os.path.join(ROOT, "src", "model", "ops.def"))
             if op["state"] == "built"}
    found = emitted(Target("9.2"), options.count)
    if options.verbose:
        print(sorted((found[name], name) for name in built))
    named = set(ELSEWHERE) | NO_NUMBERS
    wrong = ["%s: in no random kernel; put it into one of the tables of tests/sim/oracle/operations.py, and its answer "
             "into elementwise.py or oracle.py, or name it in ELSEWHERE of coverage.py" % op
             for op in sorted(built - set(found) - named)]
    wrong += ["%s: named as missing, but it is there" % op for op in sorted(set(found) & named)]
    wrong += ["%s: named, but not built" % op for op in sorted(named - built)]
    wrong += ["%s: no test %s" % (op, where[1:]) for op, where in sorted(ELSEWHERE.items())
              if not has_test(*where[1:])]
    print("\n".join(wrong) or "%d of %d built operations are in random kernels" % (
        len(built & set(found)), len(built)))
    return 1 if wrong or len(built) < 120 else 0


if __name__ == "__main__":
    sys.exit(main())
