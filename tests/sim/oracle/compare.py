"""Random kernels under the simulator and under the oracle, compared bit for bit.

compare.py [--count N] [--seed S] [--pypto V] [--soc CHIP]: exit status 0 = they agree, 1 = they do not
(the smallest failing kernel is printed), 77 = no torch. PYTHONPATH must name the simulator.
"""
import argparse
import copy
import sys
import time
from collections import Counter

import needs  # noqa: F401
import numpy as np

from generate import generate
from oracle import Interpreter, Kernel
from reject import rejected
from simulator import Simulator
from target import Target
from text import source
from value import Fault, Unsure



def expectation(kernel, target):
    """("ok", buffers), ("error", codes), or None where the rules give no answer."""
    try:
        return "ok", Interpreter(kernel, target).run()
    except Fault as fault:
        codes = fault.args[0]
        codes = (codes,) if isinstance(codes, str) else codes
        return "error", tuple(target.code(code) for code in codes)
    except Unsure:
        return None


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
        return "code " + got[:8], "expected %s, got %s" % ("/".join(expected[1]), got)
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


def still_wrong(kernel, sets, kind, simulator):
    """Of several sets of paths to drop, those that leave the same kind of disagreement."""
    found = []
    for paths in sets:
        smaller = Kernel(kernel.name, kernel.parameters, without(kernel.body, paths), kernel.code)
        try:
            checked = not kernel.code or faulty(smaller.body)
            expected = expectation(smaller, simulator.target) if checked else None
        except Exception:  # a name of the dropped statement is missing
            continue
        wrong = expected and difference(smaller, expected, simulator.run(smaller))
        if wrong and wrong[0] == kind:
            found.append((paths, smaller))
    return found


def shrink(kernel, kind, simulator, seconds=60):
    """Drops statements as long as the same kind of disagreement remains: in each round every single
    one is tried, then all that could go together, then half of them, and so on."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        single = still_wrong(kernel, [[p] for p in places(kernel.body)], kind, simulator)
        if not single:
            break
        paths = [c[0][0] for c in single]
        outermost = [p for p in paths if not any(q != p and p[:len(q)] == q for q in paths)]
        sets, n = [], len(outermost)
        while n > 1:
            sets += [outermost[:n], outermost[-n:]]
            n //= 2
        together = still_wrong(kernel, sets, kind, simulator)
        kernel = together[0][1] if together else single[0][1]
    return kernel


def used(kernel, target):
    """Without the parameters its text does not name."""
    body = "\n".join(source(kernel, target).split("kernel(", 1)[1].split("):", 1)[1:])
    kept = [p for p in kernel.parameters if p.name in body]
    return Kernel(kernel.name, kept or kernel.parameters[:1], kernel.body, kernel.code)


def report(seed, kernel, wrong, simulator, smallest):
    print("seed %d: %s: %s" % (seed, wrong[0], wrong[1]))
    if smallest:
        target = simulator.target
        kernel = used(shrink(kernel, wrong[0], simulator), target)
        now = difference(kernel, expectation(kernel, target), simulator.run(kernel))
        print("smallest: %s" % (now[1] if now else "(not repeated)"))
        print(source(kernel, target))
    sys.stdout.flush()


def computed(kernel, expected):
    """How many elements of outputs the kernel changes."""
    total = 0
    for p in kernel.parameters:
        if p.output:
            data, defined = expected[1][p.name]
            total += int(((bits(data) != bits(p.data)).any(-1) & defined).sum())
    return total


def compared(seed, options, simulator, tally):
    """Compares the kernel of a seed; whether it agrees."""
    make = rejected if seed * 7919 % 100 < options.rejected else generate
    kernel = make(seed, simulator.target)
    simulator.start(kernel)
    expected = expectation(kernel, simulator.target)
    result = simulator.finish()
    if expected is None:
        tally["left out"] += 1
        return True
    tally["compared"] += 1
    tally[expected[0]] += 1
    wrong = difference(kernel, expected, result)
    if wrong:
        report(seed, kernel, wrong, simulator, not options.no_shrink)
    elif expected[0] == "ok":
        tally["elements computed"] += computed(kernel, expected)
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pypto", choices=("9.1", "9.2"), default="9.1")
    parser.add_argument("--old-front-end", action="store_true", help="new_ir=False in 9.2")
    parser.add_argument("--soc", help="chip (default: 910B1)")
    parser.add_argument("--rejected", type=int, default=15, help="percent of faulty kernels")
    parser.add_argument("--failures", type=int, default=1, help="stop after that many")
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    target = Target(options.pypto, False if options.old_front_end else None, options.soc)
    tally, failures, seed, simulator = Counter(), 0, options.seed, Simulator(target)
    while tally["compared"] < options.count and failures < options.failures:
        failures += not compared(seed, options, simulator, tally)
        seed += 1
    simulator.close()
    print("%(compared)d kernels: %(ok)d with values, %(error)d to be rejected, "
          "%(left out)d left out; %(elements computed)d computed elements" % tally)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
