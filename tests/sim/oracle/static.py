"""Random kernels under the simulator and under the linter's static evaluation, both knowing every size.

static.py --linter PATH [--count N] [--seed S] [--pypto V] [--rejected P]: a kernel that the simulator
takes must have no finding of the rules about kernels that fails; one that it refuses should have a finding with its
code in its line. The read of an unwritten tensor must be an error if an iteration comes to it, else a warning: the
simulator refuses both while it records, and a device only what it runs. So the kernel runs once more with a write
before that read that never happens, which leaves the error to the run. What the simulator refuses only when it runs the kernel, and
not when it records it, is counted apart. Exit status 1: a false alarm, fewer refusals found than --least percent, or
with --exact any difference. With --down most loops count down. PYTHONPATH must name the simulator.
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

from generate import generate
from reject import rejected
from simulator import Simulator
from target import Target
from text import dtype, source

TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT8": "int8",
         "DT_UINT8": "uint8", "DT_INT16": "int16", "DT_INT32": "int32", "DT_INT64": "int64",
         "DT_BOOL": "bool"}


HEAD = "import torch\n"
OF_RUNS = {"9.1": ("F74006", "F74007"), "9.2": ("F74007", "F74008")}
UNWRITTEN = {"9.1": "F74007", "9.2": "F74008"}
SAME = ("taken", "refused", "found", "found, as a warning of what no iteration comes to", "refused only by a run")
# The same read behind a write that the launch does not make, without a tile, which later statements would see; {n} and
# {w} are the parameters of 6 rows that the fault may use.
PUT_OFF = ("fa = pypto.tensor([6, 8], pypto.DT_FP32)\nfor fi in pypto.loop({n}.shape[0] - 6):\n"
           "    pypto.assemble({w}, [0, 0], fa)\npypto.assemble(fa, [0, 0], {n})")


def program(kernel, target):
    """The kernel's text with a launch that has its sizes."""
    tensors = ["torch.zeros([%s], dtype=torch.%s)" % (", ".join(map(str, p.shape)),
                                                       TORCH[dtype(p.dtype).split(".")[1]])
               for p in kernel.parameters]
    return HEAD + "%s\n\nkernel(%s)\n" % (source(kernel, target), ",\n       ".join(tensors))


def count_down(statement):
    """The statement, or list of them, with loops turned round where the last index is a plain expression."""
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


def put_off(statements, read):
    """Puts the read in the place of the fault, if that is the read of an unwritten tensor; is there one?"""
    for i, statement in enumerate(statements):
        inner = [statement[6]] if statement[0] == "loop" else statement[2:] if statement[0] == "if" else []
        if statement[0] == "raw" and "fa = pypto.tensor(" in statement[1]:
            statements[i] = ["raw", read]
            return True
        if any(put_off(block, read) for block in inner if block):
            return True
    return False


def reached(simulator, kernel):
    """Does a run come to the unwritten read before it ends? None: it is not that of the fault."""
    n, w = (parameter.name for parameter in kernel.parameters[-2:])
    if not put_off(kernel.body, PUT_OFF.replace("{n}", n).replace("{w}", w)):
        return None
    result = simulator.run(kernel)
    return result[0] != "ok" and "fa is read before anything was written" in result[2]


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


def exactly(what, runs):
    """The same for an unwritten read, of which `runs` says whether a run comes to it."""
    if runs is False:
        return {"found, as a warning": SAME[3], "found": "an error that no iteration comes to"}.get(what, what)
    return what


def judge(seed, result, found, tally, misses, simulator, kernel):
    """Counts one kernel; the text of a false alarm, or None."""
    pypto = simulator.target.pypto
    if result[0] == "ok":
        tally["taken"] += 1
        fails = [one for one in found if one[0] == "FAIL"]
        return "seed %d: %s" % (seed, fails) if fails else None
    tally["refused"] += 1
    what = outcome(result, found, pypto)
    if result[1] == UNWRITTEN[pypto]:
        what = exactly(what, reached(simulator, kernel))
    tally[what] += 1
    if what not in SAME:
        misses.append("%s: seed %d: %s" % (what, seed, " ".join(str(part) for part in result[1:])[:300]))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--linter", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pypto", choices=("9.1", "9.2"), default="9.1")
    parser.add_argument("--rejected", type=int, default=40, help="percent of faulty kernels")
    parser.add_argument("--down", action="store_true", help="loops count down")
    parser.add_argument("--exact", action="store_true", help="any difference counts")
    parser.add_argument("--misses", type=int, default=0, help="so many differences are listed")
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
    found = sum(count for what, count in tally.items() if what.startswith("found"))
    differs = options.exact and any(what not in SAME for what in tally)
    return bool(alarms) or differs or found * 100 < options.least * tally["refused"]


if __name__ == "__main__":
    sys.exit(main())
