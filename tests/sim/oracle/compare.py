"""Random kernels under the simulator and under the oracle, compared bit for bit.

compare.py [--count N] [--seed S]: exit status 0 = they agree, 1 = they do not (the smallest failing
kernel is printed), 77 = no torch. PYTHONPATH must name the simulator.
"""
import argparse
import copy
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter

import numpy as np

from generate import generate
from oracle import Interpreter, Kernel
from reject import rejected
from text import source
from value import Fault, Unsure

HERE = os.path.dirname(os.path.abspath(__file__))
BATCH = 60


def expectation(kernel):
    """("ok", buffers), ("error", codes), or None where the rules give no answer."""
    try:
        return "ok", Interpreter(kernel).run()
    except Fault as fault:
        codes = fault.args[0]
        return "error", (codes,) if isinstance(codes, str) else tuple(codes)
    except Unsure:
        return None


def simulate(kernels, folder):
    """Results of runner.py in one process; a crash ends the list with ("crash", …)."""
    jobs = []
    for number, kernel in enumerate(kernels):
        path = os.path.join(folder, "kernel_%d.py" % number)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source(kernel))
        jobs.append((path, [(p.dtype, p.data) for p in kernel.parameters]))
    paths = os.path.join(folder, "jobs"), os.path.join(folder, "results")
    with open(paths[0], "wb") as file:
        pickle.dump(jobs, file)
    environment = dict(os.environ, PTOSIM_RUN_MODE="SIM", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    status = subprocess.call([sys.executable, "-B", os.path.join(HERE, "runner.py")] + list(paths),
                             env=environment, cwd=folder)
    results = []
    with open(paths[1], "rb") as file:
        while True:
            try:
                results.append(pickle.load(file))
            except (EOFError, pickle.UnpicklingError):
                break
    if len(results) < len(kernels):
        results.append(("crash", "status %d" % status, ""))
        results += simulate(kernels[len(results):], folder) if len(results) < len(kernels) else []
    return results


def bits(data):
    """The pattern of each element, with one pattern for all NaNs."""
    flat = np.ascontiguousarray(data)
    if flat.dtype.kind == "f":
        flat = np.where(np.isnan(flat), flat.dtype.type(np.nan), flat)
    return flat.view(np.uint8).reshape(flat.shape + (flat.dtype.itemsize,))


def difference(kernel, expected, result):
    """None, or (kind of disagreement, text)."""
    if expected[0] == "error":
        if result[0] == "error" and result[1] in expected[1]:
            return None
        got = "no error" if result[0] == "ok" else "%s (%s)" % (result[1], result[2][:300])
        return "code", "expected %s, got %s" % ("/".join(expected[1]), got)
    if result[0] != "ok":
        return result[0] + " " + result[1], result[2][:600]
    for p, got in zip(kernel.parameters, result[1]):
        data, defined = expected[1][p.name]
        wrong = (bits(data) != bits(got)).any(-1) & defined
        if wrong.any():
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            return "value", "%s%s: simulator %r, oracle %r (%d of %d elements differ)" % (
                p.name, list(at), got[at], data[at], wrong.sum(), defined.sum())
    return None


# shrinking

def without(statements, paths):
    """A copy without the statements at `paths` (nested positions), inner and later ones first."""
    result = copy.deepcopy(statements)
    for path in sorted(paths, reverse=True):
        block = result
        for step in path[:-1]:
            block = block[step]
        del block[path[-1]]
    return result


def places(statements, prefix=()):
    """Paths of all statements."""
    result = []
    for i, s in enumerate(statements):
        result.append(prefix + (i,))
        for j in {"loop": [6], "unrolled": [7], "repeat": [3], "if": [2, 3]}.get(s[0], []):
            result += places(s[j], prefix + (i, j))
    return result


def faulty(statements):
    """Whether the statement that must be rejected is still there."""
    return "'raw'" in repr(statements)


def still_wrong(kernel, sets, kind, folder):
    """Of several sets of paths to drop, those that leave the same kind of disagreement."""
    candidates = []
    for paths in sets:
        smaller = Kernel(kernel.name, kernel.parameters, without(kernel.body, paths), kernel.code)
        try:
            expected = expectation(smaller) if not kernel.code or faulty(smaller.body) else None
        except Exception:  # a name of the dropped statement is missing
            continue
        if expected:
            candidates.append((paths, smaller, expected))
    results = simulate([c[1] for c in candidates], folder) if candidates else []
    wrong = [difference(smaller, expected, result)
             for (_, smaller, expected), result in zip(candidates, results)]
    return [c[:2] for c, w in zip(candidates, wrong) if w and w[0] == kind]


def shrink(kernel, kind, folder, seconds=60):
    """Drops statements as long as the same kind of disagreement remains: in each round every single
    one is tried, then all that could go together, then half of them, and so on."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        single = still_wrong(kernel, [[p] for p in places(kernel.body)], kind, folder)
        if not single:
            break
        paths = [c[0][0] for c in single]
        outermost = [p for p in paths if not any(q != p and p[:len(q)] == q for q in paths)]
        sets, n = [], len(outermost)
        while n > 1:
            sets += [outermost[:n], outermost[-n:]]
            n //= 2
        together = still_wrong(kernel, sets, kind, folder)
        kernel = together[0][1] if together else single[0][1]
    return kernel


def used(kernel):
    """Without the parameters its text does not name."""
    body = "\n".join(source(kernel).split("kernel(", 1)[1].split("):", 1)[1:])
    kept = [p for p in kernel.parameters if p.name in body]
    return Kernel(kernel.name, kept or kernel.parameters[:1], kernel.body, kernel.code)


def report(seed, kernel, wrong, folder, smallest):
    print("seed %d: %s: %s" % (seed, wrong[0], wrong[1]))
    if smallest:
        kernel = used(shrink(kernel, wrong[0], folder))
        result = simulate([kernel], folder)[0]
        now = difference(kernel, expectation(kernel), result)
        print("smallest: %s" % (now[1] if now else "(not repeated)"))
        print(source(kernel))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rejected", type=int, default=15, help="percent of faulty kernels")
    parser.add_argument("--failures", type=int, default=1, help="stop after that many")
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    try:
        import torch  # noqa: F401
    except ImportError:
        print("torch is not installed: skipped")
        return 77
    tally, failures, seed = Counter(), 0, options.seed
    with tempfile.TemporaryDirectory() as folder:
        while tally["compared"] < options.count and failures < options.failures:
            batch = []
            while len(batch) < min(BATCH, options.count - tally["compared"]):
                wrong_one = seed * 7919 % 100 < options.rejected
                kernel = rejected(seed) if wrong_one else generate(seed)
                expected = expectation(kernel)
                if expected:
                    batch.append((seed, kernel, expected))
                    tally[expected[0]] += 1
                else:
                    tally["left out"] += 1
                seed += 1
            results = simulate([b[1] for b in batch], folder)
            tally["compared"] += len(batch)
            for (number, kernel, expected), result in zip(batch, results):
                wrong = difference(kernel, expected, result)
                if wrong and failures < options.failures:
                    failures += 1
                    report(number, kernel, wrong, folder, not options.no_shrink)
                if expected[0] == "ok" and not wrong:
                    for p in kernel.parameters:
                        if p.output:
                            data, defined = expected[1][p.name]
                            changed = (bits(data) != bits(p.data)).any(-1) & defined
                            tally["elements computed"] += int(changed.sum())
    print("%(compared)d kernels: %(ok)d with values, %(error)d to be rejected, "
          "%(left out)d left out; %(elements computed)d computed elements" % tally)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
