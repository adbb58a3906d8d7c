"""Compares the program's reading of Python literals with ast.literal_eval.

usage: literal_differential.py VALUE_DUMP [--rounds N] [--seed S]
"""
import argparse
import ast
import os
import random
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dump_values import canonical, from_dump, run_dump, same  # noqa: E402

warnings.simplefilter("ignore")

PARTS = [
    '1', '-1', '+2', '- 3', '007', '00', '0', '1_0', '1__0', '1_', '0x1F', '0o17', '0b11', '0x',
    '1.5', '1.', '.5', '1e3', '1e-3', '1.5E+3', '-.5', 'True', 'False', 'None', 'true', "'a'",
    '"b"', "'it\\'s'", '"\\n\\x41\\u4e2d"', "'\\z'", "'''t'''", "'a' 'b'", "'", '中', "'中'", '[',
    ']', '(', ')', '{', '}', ',', ':', ' ', ', ', ': ', '[]', '()', '{}', '(1,)', '(1)', '[1, 2]',
    '{1, 2}', "{'a': 1}", "{'a': [1, (2, 3)]}", 'x', '--1', '#', '\\', "'\\07'",
    "{'k': {'l': None}}", '1 if', '\t', "'\\",
]


def make(rng):
    body = "".join(rng.choice(PARTS) for _ in range(rng.randint(0, 6)))
    if rng.random() < 0.5:
        body = ", ".join(rng.choice(PARTS) for _ in range(rng.randint(0, 5)))
    shape = rng.random()
    if shape < 0.35:
        return "[" + body + "]"
    if shape < 0.6:
        return "{" + body + "}"
    if shape < 0.8:
        pairs = ["%s: %s" % (rng.choice(PARTS), rng.choice(PARTS)) for _ in range(rng.randint(1, 3))]
        return "{" + ", ".join(pairs) + "}"
    return "[" + body + "], [" + body + "]"


def holds_unsupported(value):
    """Complex numbers and bytes are no literals for the program."""
    if isinstance(value, (complex, bytes)) or value is Ellipsis:
        return True
    if isinstance(value, dict):
        return any(map(holds_unsupported, value)) or any(map(holds_unsupported, value.values()))
    return isinstance(value, (list, tuple, set)) and any(map(holds_unsupported, value))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    texts = [make(rng) for _ in range(options.rounds)]
    wrong, valid = 0, 0
    for text, node in zip(texts, run_dump(options.program, "literal", texts)):
        try:
            value = ast.literal_eval(text)
            if holds_unsupported(value):
                continue
            expected = canonical(value)
            valid += 1
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            expected = ["error"]
        ours = from_dump(node)
        if not same(ours, expected):
            wrong += 1
            if wrong < 15:
                print("%r\n  ours     %s\n  expected %s" % (text, ours, expected))
    print("%d literals, %d valid, %d wrong" % (len(texts), valid, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
