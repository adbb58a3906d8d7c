"""Random kernels with carried names: the same source run by Python itself, with range for pypto.loop
and torch for the tensors, says what they mean.

CARRIED_KERNELS in the environment says how many, CARRIED_SEED where to start.
"""
import linecache
import os
import random
import re

from support import KernelTest, main, pypto, torch

COUNT = int(os.environ.get("CARRIED_KERNELS", "80"))
START = int(os.environ.get("CARRIED_SEED", "320"))
NUMBERS, TENSORS = ("p", "q", "r"), ("a", "b", "c")
FRAME = """
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
            z = t
    return w


def kernel(x: T[...], limit: T[...], y: T[...], s: T[...]):
    TILE
    n = limit[0]
    start, other = x + 0.0, x * 2.0
    p, q, r = 0, 1, 2
    a, b, c = start, other, x * 0.0
BODY
    y[:] = a + b * 3.0 + c * 7.0
    s[0] = p
    s[1] = q
    s[2] = r
"""


class Generator:
    """Statements over three integers and three tensors, all bound before the loops."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.loops = 0
        self.lines = ["    for i0 in LOOP(%s):" % self.pick("1", "2", "3", "5", "n")]
        self.block(2, 1, ("i0",))
        if self.rng.random() < 0.6:
            self.block(1, 1, ())

    def pick(self, *choices):
        return self.rng.choice(choices)

    def number(self, indices):
        one, other = self.pick(*NUMBERS, *indices), self.pick(*NUMBERS, *indices)
        return self.pick("%d" % self.rng.randrange(4), one, one + " + 1", one + " - 2",
                         "%s + %s" % (one, other), "n")

    def tensor(self):
        one, other = self.pick(*TENSORS), self.pick(*TENSORS)
        return self.pick(one, "start", one + " + 2.0", one + " * 0.5", "%s - %s" % (one, other),
                         one + " + x", "WINDOW(%s)" % one,
                         "either(%s, %s)" % (one, self.pick(*NUMBERS)),
                         "stirred(%s, %s)" % (one, self.pick(*NUMBERS)))

    def block(self, depth, nesting, indices):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth, nesting, indices)

    def statement(self, depth, nesting, indices):
        kind, indent = self.rng.randrange(10), "    " * depth
        if kind < 3:
            self.lines.append("%s%s = %s" % (indent, self.pick(*NUMBERS), self.number(indices)))
        elif kind == 3:
            one, other = self.rng.sample(TENSORS, 2)
            self.lines.append("%s%s, %s = %s, %s" % (
                indent, one, other, *self.pick((other, one), (self.tensor(), self.tensor()))))
        elif kind == 4 and nesting < 4:
            self.condition(depth, nesting, indices)
        elif kind == 5 and nesting < 3:
            self.loops += 1
            index = "i%d" % self.loops
            self.lines.append("%sfor %s in LOOP(%s):" % (indent, index, self.pick(
                "1", "2", "3", "n", "5, unroll_list=[2]", "n, unroll_list=[2, 4]")))
            self.block(depth + 1, nesting + 1, indices + (index,))
        elif kind == 6:  # back to what it was before the loops
            self.lines.append("%sif TEST(%s > 1):" % (indent, self.pick(*NUMBERS)))
            self.lines.append("%s    %s" % (indent, self.pick(
                "p = 0", "q = 1", "r = 2", "a = start", "b = other", "a, b = start, other")))
        else:
            self.lines.append("%s%s = %s" % (indent, self.pick(*TENSORS), self.tensor()))

    def condition(self, depth, nesting, indices):
        indent = "    " * depth
        self.lines.append("%sif TEST(%s %s %s):" % (
            indent, self.pick(*NUMBERS, *indices), self.pick("<", "==", ">", "!=", ">="),
            self.pick(*NUMBERS, "1", "2")))
        self.block(depth + 1, nesting + 1, indices)
        if self.rng.random() < 0.5:
            self.lines.append(indent + "else:")
            self.block(depth + 1, nesting + 1, indices)


def kernel_of(body, is_recorded):
    """The function, as a kernel or as Python runs it."""
    text = FRAME.replace("BODY", body).replace("TEST(", "(")
    if is_recorded:
        text = text.replace("LOOP(", "pypto.loop(").replace(
            "TILE", "pypto.set_vec_tile_shapes(1, 8)")
        text = re.sub(r"WINDOW\((\w)\)", r"pypto.view(\1, [1, 8], [0, 0])", text)
    else:
        text = re.sub(r", unroll_list=[^]]*\]", "", text).replace("LOOP(", "range(")
        text = re.sub(r"WINDOW\((\w)\)", r"\1", text).replace("TILE", "pass")
        text = text.replace("limit[0]", "int(limit[0])")
    path = "random_%s_%d.py" % ("kernel" if is_recorded else "reference", abs(hash(text)))
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    scope = {"pypto": pypto, "T": pypto.Tensor}
    exec(compile(text, path, "exec"), scope)
    return scope["kernel"]


def results(function, limit):
    y, s = torch.zeros(1, 8), torch.zeros(3, dtype=torch.int32)
    function(torch.arange(8.0).reshape(1, 8), torch.tensor([limit], dtype=torch.int32), y, s)
    return y, s


class RandomlyCarried(KernelTest):
    def test_as_python_runs_it(self):
        compared = 0
        for seed in range(START, START + COUNT):
            body = "\n".join(Generator(seed).lines)
            reference, kernel = kernel_of(body, False), pypto.jit(kernel_of(body, True))
            for limit in (0, 1, 3):
                want = results(reference, limit)
                if want[0].abs().max() > 1e5 or want[1].abs().max() > 2 ** 20:
                    break  # sums that are no longer exact
                got = results(kernel, limit)
                with self.subTest("seed %d, n = %d\n%s" % (seed, limit, body)):
                    torch.testing.assert_close(got[0], want[0], rtol=1e-5, atol=1e-5)
                    self.assertEqual(got[1].tolist(), want[1].tolist())
                compared += 1
        self.assertGreater(compared, COUNT)


if __name__ == "__main__":
    main()
