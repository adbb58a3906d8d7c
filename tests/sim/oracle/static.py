"""Random kernels in the simulator and under the linter's static evaluation, both with all sizes known.

static.py --linter PATH [--count N] [--seed S] [--pypto V] [--rejected P] [--down]: a kernel that the simulator runs
must have no failing KS finding. One that it refuses must have a finding with the same code in the same line.

For the read of an unwritten tensor that finding is an error if a run reaches the read, and a warning if not: the
simulator refuses both while it records, but a device only the first. To tell them apart, the kernel runs once more with
a write before the read in a loop without iterations; then only a run can refuse it. Errors that the simulator reports
while the kernel runs, not while it is recorded, are counted separately.

Exit status 1: a false alarm or any other difference. --down turns most loops round. PYTHONPATH must name the simulator.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter

import needs  # noqa: F401
import numpy as np

from generate import generate
from oracle import Parameter
from reject import blocks, rejected
from rounding import STORAGE
from simulator import Simulator
from target import Target
from text import dtype, source

TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT8": "int8",
         "DT_UINT8": "uint8", "DT_INT16": "int16", "DT_INT32": "int32", "DT_INT64": "int64",
         "DT_BOOL": "bool"}


HEAD = "import torch\n"
OF_RUNS = {"9.1": ("F74006", "F74007"), "9.2": ("F74007", "F74008")}
# What becomes of a finding about a read that no run reaches.
UNREACHED = {"found, as a warning": "found, as a warning: never reached", "found": "an error, but never reached"}
AGREED = ("taken", "refused", "found", UNREACHED["found, as a warning"], "refused only by a run")
# Replaces the fault: the same read after a loop without iterations that writes the tensor. It sets no tile, which would
# change the statements after it. {n} and {w} are the parameters with 6 rows that faults may use.
PUT_OFF = ("fa = pypto.tensor([6, 8], pypto.DT_FP32)\nfor fi in pypto.loop({n}.shape[0] - 6):\n"
           "    pypto.assemble({w}, [0, 0], fa)\npypto.assemble(fa, [0, 0], {n})")
UNWRITTEN = re.compile(r"(\w+) is read before anything was written")


def program(kernel, target):
    """The kernel's text with a launch that has its sizes."""
    tensors = ["torch.zeros([%s], dtype=torch.%s)" % (", ".join(map(str, p.shape)),
                                                       TORCH[dtype(p.dtype).split(".")[1]])
               for p in kernel.parameters]
    return HEAD + "%s\n\nkernel(%s)\n" % (source(kernel, target), ",\n       ".join(tensors))


def count_down(statement):
    """The statement or list of statements; its loops count down if their last index is easy to write."""
    if not isinstance(statement, (list, tuple)):
        return statement
    turned = [count_down(part) for part in statement]
    if turned and turned[0] == "loop":
        start, stop, step = turned[2:5]
        if isinstance(start, int) and isinstance(stop, int) and stop > start:
            turned[2:5] = [start + (stop - start - 1) // step * step, start - 1, -step]
        elif isinstance(start, int) and step == 1:
            turned[2:5] = [["-", stop, 1], start - 1, -1]
    return type(statement)(turned)


def findings(linter, folder, pypto):
    """{file: [(status, line, text)]} of what fails, or is a warning."""
    done = subprocess.run([linter, "check", folder, "--rules", "KS", "--pypto", pypto, "--format", "json"],
                          stdout=subprocess.PIPE, check=False)
    found = {}
    for one in json.loads(done.stdout)["findings"]:
        if one["status"] in ("FAIL", "WARN"):
            found.setdefault(pathlib.Path(one["file"]).stem, []).append(
                (one["status"], one["line"], "%s: %s" % (one["rule"], one["message"])))
    return found


def pass_in(kernel, name):
    """Turns a tensor that the kernel declares into a parameter, which is written from the start; false: there is none."""
    for block in blocks(kernel.body):
        for statement in block:
            if statement[0] == "declare" and statement[1] == name:
                _, _, kind, shape = statement
                kernel.parameters.append(Parameter(name, kind, np.zeros(shape, STORAGE[kind])))
                block.remove(statement)
                return True
    return False


def reached(simulator, kernel):
    """Does a run reach the unwritten read of the fault? None: the kernel has no such fault, or another mistake ends the
    run first. Changes the kernel: other tensors whose unwritten read ends the run first become parameters."""
    n, w = (parameter.name for parameter in kernel.parameters[-2:])
    places = [(block, i) for block in blocks(kernel.body) for i, statement in enumerate(block)
              if statement[0] == "raw" and "fa = pypto.tensor(" in statement[1]]
    for block, i in places:
        block[i] = ["raw", PUT_OFF.replace("{n}", n).replace("{w}", w)]
    while places:
        result = simulator.run(kernel)
        if result[0] == "ok":
            return False
        read = UNWRITTEN.search(result[2])
        if read is None or not pass_in(kernel, read.group(1)):
            return True if read is not None and read.group(1) == "fa" else None
    return None


def outcome(result, found, pypto):
    """What became of a refusal."""
    _, code, text = result
    place = re.search(r'File "[^"]*", line (\d+)', text)
    line = int(place.group(1)) + HEAD.count("\n") if place else None
    same = [one for one in found if code in one[2]]
    here = [one for one in same if one[1] == line]
    if any(status == "FAIL" for status, _, _ in here):
        return "found"
    if code in OF_RUNS[pypto] and "Failed to run kernel" in text:
        return "refused only by a run"
    if here and code in OF_RUNS[pypto]:
        return "found, as a warning"
    if same:
        return "found, in another line"
    return "found, with another code" if any(status == "FAIL" for status, _, _ in found) else "missed " + code


def judge(seed, result, found, tally, misses, simulator, kernel):
    """Counts one kernel; the text of a false alarm, or None."""
    pypto = simulator.target.pypto
    if result[0] == "ok":
        tally["taken"] += 1
        fails = [one for one in found if one[0] == "FAIL"]
        return "seed %d: %s" % (seed, fails) if fails else None
    tally["refused"] += 1
    what = outcome(result, found, pypto)
    reach = reached(simulator, kernel) if result[1] == simulator.target.code("F74007") else None
    if reach is False:
        what = UNREACHED.get(what, what)
    tally[what] += 1
    if what not in AGREED:
        misses.append("%s: seed %d: %s" % (what, seed, " ".join(str(part) for part in result[1:])[:300]))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--linter", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pypto", choices=("9.1", "9.2"), default="9.1")
    parser.add_argument("--rejected", type=int, default=40, help="percent of faulty kernels")
    parser.add_argument("--down", action="store_true", help="most loops count down")
    parser.add_argument("--misses", type=int, default=20, help="how many differences to list")
    options = parser.parse_args()
    target, tally, alarms, misses = Target(options.pypto), Counter(), [], []
    simulator = Simulator(target)
    for first in range(options.seed, options.seed + options.count, 500):
        results = {}
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(first, min(first + 500, options.seed + options.count)):
                make = rejected if seed * 7919 % 100 < options.rejected else generate
                kernel = make(seed, target)
                if options.down:
                    kernel.body = count_down(kernel.body)
                pathlib.Path(folder, "k%d.py" % seed).write_text(program(kernel, target), encoding="utf-8")
                results[seed] = kernel, simulator.run(kernel)
            found = findings(options.linter, folder, options.pypto)
            for seed, (kernel, result) in results.items():
                alarm = judge(seed, result, found.get("k%d" % seed, []), tally, misses, simulator, kernel)
                alarms += [alarm] if alarm else []
    simulator.close()
    print("\n".join(alarms[:20] + misses[:options.misses] + ["%s: %d" % pair for pair in tally.most_common()]))
    return bool(alarms) or any(what not in AGREED for what in tally)


if __name__ == "__main__":
    sys.exit(main())
