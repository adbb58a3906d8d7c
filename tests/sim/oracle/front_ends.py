"""Random kernels under both front ends: the same source run by Python itself, with range for pypto.loop and torch
for the tensors, says what they mean.

Usage: front_ends.py [--count N] [--seed N] [--end new|both] [--paths N]

`new` kernels are for the front end of 9.2: names rebound in loops (tensors and numbers), swaps, resets to what was
before the loop, merges behind conditions, helpers that call helpers, nested functions, `while` and `break` where Python
runs the loop, parameters that are rebound. `both` are for either front end: state is written in place, through
aliases and helpers, too. Exit status 1 when a kernel differs; its source is printed. With --paths, conditions
merge as soon as a body has more paths than that.
"""
import argparse
import linecache
import os
import random
import re
import sys

os.environ.setdefault("PTOSIM_PYPTO", "9.2")
try:
    import torch
except ImportError:
    print("torch is not installed: skipped")
    sys.exit(77)
import pypto  # noqa: E402
from pypto.frontend import _merge  # noqa: E402

HELPERS = """
def either(t, k):
    if TEST(k > 1):
        u = t * 0.25
    else:
        u = t + 5.0
    return u


def stirred(t, k):
    w, z = t, t * 0.5
    for j in LOOP(2):
        w, z = z, w + 1.0
        if TEST(k > j):
            z = either(t, j)
    return w


def stepped(t, count, most=3):
    made = t
    for n in range(most):
        if n == count:
            break
        made = made + 1.0
    return made


def raised(t, by):
    t[:] = t + by


def mixed(t, u):
    raised(u, 0.5)
    v = t - u
    raised(v, 2.0)
    return v
"""
NEW = HELPERS + """

def kernel(x: T[...], limit: T[...], y: T[...], s: T[...]):
    def inner(t, f=2.0):
        grown = t + f
        return grown

    TILE
    n = limit[0]
    start, other = x + 0.0, x * 2.0
    p, q, r = 0, 1, 2
    a, b, c = start, other, x * 0.0
    d = x * 3.0
    alias = d
BODY
    y[:] = a + b * 3.0 + c * 7.0 + d * 11.0 + alias
    s[0] = p
    s[1] = q
    s[2] = r
"""
BOTH = HELPERS + """

def kernel(x: T[...], limit: T[...], y: T[...], s: T[...]):
    TILE
    n = limit[0]
    a, b, c = x + 0.0, x * 2.0, x * 0.0
    d = x * 3.0
    alias = d
BODY
    y[:] = a + b * 3.0 + c * 7.0 + d * 11.0 + alias
    s[0] = 7
"""
NUMBERS, TENSORS = ("p", "q", "r"), ("a", "b", "c")


class Generator:
    """What both kinds share: loops, conditions, nesting."""

    frame = ""
    deepest = 4

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.loops = 0
        self.lines = []
        self.recorded_loop(1, 0, ())
        if self.rng.random() < 0.6:
            self.block(1, 1, ())

    def pick(self, *choices):
        return self.rng.choice(choices)

    def add(self, depth, text, *values):
        self.lines.append("    " * depth + (text % values if values else text))

    def block(self, depth, nesting, indices):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth, nesting, indices)

    def recorded_loop(self, depth, nesting, indices):
        index = "i%d" % self.loops
        self.loops += 1
        self.add(depth, "for %s in LOOP(%s):", index, self.pick(
            "1", "2", "3", "n", "5, unroll_list=[2]", "n, unroll_list=[2, 4]"))
        self.block(depth + 1, nesting + 1, indices + (index,))

    def condition(self, depth, nesting, indices, values):
        self.add(depth, "if TEST(%s %s %s):", self.pick(*values), self.pick("<", "==", ">", "!=", ">="),
                 self.pick(*values, "1", "2"))
        self.block(depth + 1, nesting + 1, indices)
        if self.rng.random() < 0.5:
            self.add(depth, "else:")
            self.block(depth + 1, nesting + 1, indices)

    def python_loop(self, depth, nesting, indices):
        """A loop that Python runs; nothing in it depends on the kernel's values."""
        counter = "k%d" % self.loops
        self.loops += 1
        kind = self.rng.randrange(3)
        if kind == 0:
            self.add(depth, "for %s in range(%d):", counter, self.rng.randrange(3))
        elif kind == 1:
            self.add(depth, "for %s in [2, 0]:", counter)
        else:
            self.whole_loop(depth, counter)
        self.block(depth + 1, nesting + 2, indices)

    def whole_loop(self, depth, counter):
        self.add(depth, "for %s in (1, 3):", counter)


class New(Generator):
    """For the front end of 9.2."""

    frame = NEW

    def number(self, indices):
        one, other = self.pick(*NUMBERS, *indices), self.pick(*NUMBERS, *indices)
        return self.pick("%d" % self.rng.randrange(4), one, one + " + 1", one + " - 2",
                         "%s + %s" % (one, other), "n")

    def tensor(self):
        one, other, number = self.pick(*TENSORS), self.pick(*TENSORS), self.pick(*NUMBERS)
        return self.pick(one, "start", one + " + 2.0", one + " * 0.5", "%s - %s" % (one, other), "x",
                         "%s + x" % one, "%s + d" % one, "WINDOW(%s)" % one, "either(%s, %s)" % (one, number),
                         "stirred(%s, %s)" % (one, number), "stepped(%s, %d)" % (one, self.rng.randrange(4)),
                         "inner(%s)" % one, "inner(%s, 0.5)" % one, "[%s for _ in (1, 2)][0]" % one,
                         "(lambda t: t + %s)(%s)" % (other, one), "mixed(%s, d)" % one)

    def whole_loop(self, depth, counter):
        self.add(depth, "%s = %d", counter, self.rng.randrange(3))
        self.add(depth, "while True:")
        self.add(depth + 1, "%s += 1", counter)
        self.add(depth + 1, "if %s > %d:", counter, self.rng.randrange(1, 4))
        self.add(depth + 2, "break")
        if self.rng.random() < 0.5:
            self.add(depth + 1, "if %s == 1:", counter)
            self.add(depth + 2, "continue")

    def statement(self, depth, nesting, indices):
        kind = self.rng.randrange(13)
        if kind < 3:
            self.add(depth, "%s = %s", self.pick(*NUMBERS), self.number(indices))
        elif kind == 3:
            one, other = self.rng.sample(TENSORS, 2)
            self.add(depth, "%s, %s = %s, %s", one, other, *self.pick(
                (other, one), (self.tensor(), self.tensor())))
        elif kind == 4 and nesting < self.deepest:
            self.condition(depth, nesting, indices, NUMBERS + indices)
        elif kind == 5 and nesting < 3:
            self.recorded_loop(depth, nesting, indices)
        elif kind == 6 and nesting < 3:
            self.python_loop(depth, nesting, indices)
        elif kind == 7:  # back to what it was before the loops
            self.add(depth, "if TEST(%s > 1):", self.pick(*NUMBERS))
            self.add(depth + 1, self.pick("p = 0", "q = 1", "r = 2", "a = start", "b = other",
                                          "a, b = start, other"))
        elif kind == 8:
            self.add(depth, self.pick("d[:] = d + 1.0", "alias[:] = alias * 0.5", "raised(d, 1.0)",
                                      "raised(alias, 0.25)", "d[:] = %s" % self.pick(*TENSORS)))
        elif kind == 9:
            self.add(depth, "%s %s= %s", *self.pick(
                (self.pick(*NUMBERS), "+", self.pick("1", *indices, *NUMBERS)),
                (self.pick(*TENSORS), self.pick("+", "-"), self.pick("1.0", *TENSORS))))
        else:
            self.add(depth, "%s = %s", self.pick(*TENSORS), self.tensor())


class Both(Generator):
    """For either front end: state is in tensors, names are bound before they are read."""

    frame = BOTH
    deepest = 3

    def tensor(self):
        one, other = self.pick(*TENSORS, "d", "alias"), self.pick(*TENSORS)
        return self.pick("%s + 2.0" % one, "%s * 0.5" % one, "%s - %s" % (one, other), "%s + x" % one,
                         "stepped(%s + 0.0, %d)" % (one, self.rng.randrange(4)))

    def statement(self, depth, nesting, indices):
        kind = self.rng.randrange(10)
        if kind == 4 and nesting < self.deepest and indices:
            self.condition(depth, nesting, indices, indices)
        elif kind == 5 and nesting < 3:
            self.recorded_loop(depth, nesting, indices)
        elif kind == 6 and nesting < 3:
            self.python_loop(depth, nesting, indices)
        elif kind == 7:
            self.add(depth, "raised(%s, %s)", self.pick(*TENSORS, "d", "alias"), self.pick("1.0", "0.25"))
        elif kind == 8:
            self.add(depth, "made = %s", self.tensor())
            self.add(depth, "raised(made, 0.5)")
            self.add(depth, "%s[:] = made", self.pick(*TENSORS, "d"))
        else:
            self.add(depth, "%s[:] = %s", self.pick(*TENSORS, "d", "alias"), self.tensor())


KINDS = {"new": (New, (None, True)), "both": (Both, (True, False))}


def function_of(source, is_recorded):
    """The function, as a kernel or as Python runs it."""
    text = source.replace("TEST(", "(")
    if is_recorded:
        text = text.replace("LOOP(", "pypto.loop(").replace("TILE", "pypto.set_vec_tile_shapes(1, 8)")
        text = re.sub(r"WINDOW\((\w)\)", r"pypto.view(\1, [1, 8], [0, 0])", text)
    else:
        # torch adds in place, a kernel makes a new tensor.
        text = re.sub(r"(?m)^( *)([abc]) ([+-])= (.*)$", r"\1\2 = \2 \3 (\4)", text)
        text = re.sub(r", unroll_list=[^]]*\]", "", text).replace("LOOP(", "range(")
        text = re.sub(r"WINDOW\((\w)\)", r"\1", text)
        text = text.replace("TILE", "pass").replace("limit[0]", "int(limit[0])")
    path = "front_end_%s_%d.py" % ("kernel" if is_recorded else "reference", abs(hash(text)))
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    scope = {"pypto": pypto, "T": pypto.Tensor}
    exec(compile(text, path, "exec"), scope)
    return scope["kernel"], path


def results(function, limit):
    y, s = torch.zeros(1, 8), torch.zeros(3, dtype=torch.int32)
    function(torch.arange(8.0).reshape(1, 8), torch.tensor([limit], dtype=torch.int32), y, s)
    return y, s


def difference(source, new_ir):
    """(how many runs were compared, what differs or None)."""
    reference, kept = function_of(source, False)
    recorded, path = function_of(source, True)
    options = {} if new_ir is None else {"new_ir": new_ir}
    kernel = pypto.frontend.jit(**options)(recorded)
    compared = 0
    try:
        for limit in (0, 1, 3):
            want = results(reference, limit)
            if want[0].abs().max() > 1e5 or want[1].abs().max() > 2 ** 20:
                break  # sums that are no longer exact
            try:
                got = results(kernel, limit)
            except pypto.error.PyptoError as error:
                if "more than" in str(error) and "paths" in str(error):
                    break
                return compared, "n = %d: %s" % (limit, error)
            if not torch.allclose(got[0], want[0], rtol=1e-5, atol=1e-5) or got[1].tolist() != want[1].tolist():
                return compared, "n = %d: %s %s instead of %s %s" % (
                    limit, got[0].tolist(), got[1].tolist(), want[0].tolist(), want[1].tolist())
            compared += 1
    finally:
        linecache.cache.pop(path, None)
        linecache.cache.pop(kept, None)
    return compared, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--end", choices=sorted(KINDS))
    parser.add_argument("--paths", type=int)
    asked = parser.parse_args()
    if asked.paths is not None:
        _merge.MOST_PATHS, _merge.SECOND_TRY = asked.paths, 0
    compared = wrong = 0
    for name in [asked.end] if asked.end else sorted(KINDS):
        generator, front_ends = KINDS[name]
        for seed in range(asked.seed, asked.seed + asked.count):
            source = generator.frame.replace("BODY", "\n".join(generator(seed).lines))
            for new_ir in front_ends[seed % 2:seed % 2 + 1] if name == "new" else front_ends:
                runs, what = difference(source, new_ir)
                compared += runs
                if what is not None:
                    wrong += 1
                    print("%s, seed %d, new_ir=%s: %s\n%s" % (name, seed, new_ir, what,
                                                             source[source.index("def kernel"):]))
    print("%d runs compared, %d kernels differ" % (compared, wrong))
    return 1 if wrong or compared < asked.count else 0


if __name__ == "__main__":
    sys.exit(main())
