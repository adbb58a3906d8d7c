"""Random kernels under the simulator and under the linter's static evaluation, both knowing every size.

static.py --linter PATH [--count N] [--seed S] [--pypto V] [--rejected P]: a kernel that the simulator
takes must have no finding of the rules about kernels that fails; one that it refuses should have a finding with its
code. Exit status 1: a false alarm, or fewer refusals found than --least percent. PYTHONPATH must name the simulator.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

import needs  # noqa: F401

from generate import generate
from reject import rejected
from simulator import Simulator
from target import Target
from text import dtype, source

TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT8": "int8",
         "DT_UINT8": "uint8", "DT_INT16": "int16", "DT_INT32": "int32", "DT_INT64": "int64",
         "DT_BOOL": "bool"}


def program(kernel, target):
    """The kernel's text with a launch that has its sizes."""
    tensors = ["torch.zeros([%s], dtype=torch.%s)" % (", ".join(map(str, p.shape)),
                                                       TORCH[dtype(p.dtype).split(".")[1]])
               for p in kernel.parameters]
    return "import torch\n%s\n\nkernel(%s)\n" % (source(kernel, target), ",\n       ".join(tensors))


def findings(linter, folder, pypto):
    """{file: [(code, text)]} of what fails."""
    done = subprocess.run([linter, "check", folder, "--rules", "KS", "--pypto", pypto, "--format", "json"],
                          stdout=subprocess.PIPE, check=False)
    found = {}
    for one in json.loads(done.stdout)["findings"]:
        if one["status"] == "FAIL":
            found.setdefault(pathlib.Path(one["file"]).stem, []).append(
                "%s line %d: %s" % (one["rule"], one["line"], one["message"]))
    return found


def judge(seed, result, found, tally, misses):
    """Counts one kernel; the text of a false alarm, or None."""
    if result[0] == "ok":
        tally["taken"] += 1
        return "seed %d: %s" % (seed, found[0]) if found else None
    tally["refused"] += 1
    if any(result[1] in text for text in found):
        tally["found"] += 1
    elif found:
        tally["found, with another code"] += 1
    else:
        tally["missed " + result[1]] += 1
        misses.append("missed: seed %d: %s" % (seed, " ".join(str(part) for part in result[1:])[:200]))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--linter", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pypto", choices=("9.1", "9.2"), default="9.1")
    parser.add_argument("--rejected", type=int, default=40, help="percent of faulty kernels")
    parser.add_argument("--misses", type=int, default=0, help="so many missed refusals are listed")
    parser.add_argument("--least", type=int, default=0, help="percent of refusals to be found")
    options = parser.parse_args()
    target, tally, alarms, misses = Target(options.pypto), Counter(), [], []
    simulator = Simulator(target)
    for first in range(options.seed, options.seed + options.count, 500):
        results = {}
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(first, min(first + 500, options.seed + options.count)):
                make = rejected if seed * 7919 % 100 < options.rejected else generate
                kernel = make(seed, target)
                pathlib.Path(folder, "k%d.py" % seed).write_text(program(kernel, target), encoding="utf-8")
                results[seed] = simulator.run(kernel)
            found = findings(options.linter, folder, options.pypto)
            for seed, result in results.items():
                alarm = judge(seed, result, found.get("k%d" % seed, []), tally, misses)
                alarms += [alarm] if alarm else []
    simulator.close()
    print("\n".join(alarms[:20] + misses[:options.misses] + ["%s: %d" % pair for pair in tally.most_common()]))
    return bool(alarms) or tally["found"] * 100 < options.least * tally["refused"]


if __name__ == "__main__":
    sys.exit(main())
