#!/usr/bin/env python3
"""How long the search for a blamed line takes on a case of about 10,000 operations.

Usage: blame_bench.py SHARE [ROWS]     SHARE: …/share/pypto-lint of a build; with a Python that has torch
"""
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../blame"))

import seeded  # noqa: E402

BUG = ("bench", "gated_rmsnorm", "L2_canonical", "pypto.add(gated, residual_wide)",
       "pypto.sub(gated, residual_wide)")
ROWS_OF_BLOCK, OPERATIONS_OF_BLOCK = 32, 24


def main():
    share = sys.argv[1]
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 10000 // OPERATIONS_OF_BLOCK * ROWS_OF_BLOCK
    seeded.prepare(share)
    with tempfile.TemporaryDirectory() as folder:
        seed = seeded.Seed(BUG, folder)
        seed.case["shape"] = {"R": rows, "C": 64}
        seconds = {}
        for blame in (False, True):
            since = time.perf_counter(), _used()
            document = seed.run(blame)
            seconds[blame] = time.perf_counter() - since[0], _used() - since[1]
    wall, used = (seconds[True][one] - seconds[False][one] for one in (0, 1))
    print("%d operations: the case %.2f s; blame %.2f s more, %.2f s of a processor; line %s" % (
        document["ops"], seconds[False][0], wall, used, document["blame"].get("line")))


def _used():
    """Processor seconds of the children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    main()
