"""Random small kernels under the sanitizer and under a model of it that keeps a history of every element
(sanitizer_model.py): the findings must be the same, word for word.

Usage: sanitizer.py [--count N] [--seed N] [--show]; needs torch and the simulator on PYTHONPATH.
"""
import argparse
import collections
import importlib.util
import os
import random
import sys
import tempfile

os.environ["PTOSIM_SANITIZE"] = "all"
os.environ["PTOSIM_PYPTO"] = "9.2"
try:
    import numpy as np
    import torch
except ImportError:
    print("torch is not installed: skipped")
    sys.exit(77)

from pypto import _diagnose
from pypto.error import PyptoError

import sanitizer_model

COLUMNS = 8
KINDS = ("unwritten-read", "padding-read", "race", "unwritten-output")
HEAD = '''import pypto

F = pypto.DT_FP32


@pypto.frontend.jit
def kernel(x: pypto.Tensor([%(r)d, 8], F), y: pypto.Tensor([%(r)d, 8], F)):
    pypto.set_vec_tile_shapes(16, 16)
    t = pypto.tensor([%(r)d, 8], F)
    u = pypto.tensor([%(r)d, 8], F)
'''


class Writer:
    """Makes a program: its text, and the statements for the model."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rows = self.random.choice((12, 12, 13, 14))
        self.lines = (HEAD % {"r": self.rows}).splitlines()
        self.loops, self.aliases, self.written = [], {}, set()
        self.y_is_filled = self.random.random() < 0.2  # by one loop, and never read
        self.y_is_unset = self.random.random() < 0.2
        if self.random.random() < 0.5:
            self.alias("f", self.random.choice("tuyy"))

    def add(self, text):
        self.lines.append(text)
        return len(self.lines)

    def alias(self, name, root):
        """A reshape in place: the same memory in rows of another length."""
        width = 4 if self.rows % 2 else self.random.choice((4, 16))
        self.aliases[name] = (root, (self.rows * COLUMNS // width, width))
        self.add("    %s = pypto.reshape(%s, %s, inplace=True)" % (name, root,
                                                                  list(self.aliases[name][1])))

    def root(self, name):
        return self.aliases[name][0] if name in self.aliases else name

    def shape(self, name):
        return self.aliases[name][1] if name in self.aliases else (self.rows, COLUMNS)

    def named(self, roots):
        """These tensors and their aliases."""
        return sorted(roots) + [name for name in self.aliases if self.root(name) in roots]

    def window(self, count, shape, name):
        """Row of the first window, distance of the next ones, column."""
        rows, columns = self.shape(name)
        room = rows - shape[0]
        step = self.random.randint(0, room // max(1, count - 1)) if count > 1 else 0
        step = min(step, self.random.choice((shape[0], shape[0], shape[0] - 1, 0, room)))
        step = max(0, step)
        row = self.random.randint(0, room - step * (count - 1))
        return row, step, self.random.choice((0, 0, columns - shape[1]))

    def place(self, row, step, column, index):
        return "[%d + %s * %d, %d]" % (row, index, step, column)

    def begin(self, count, parallel):
        index = "i%d" % len(self.loops)
        self.add("    for %s in pypto.loop(%d, idx_name='%s', parallel=%s):"
                 % (index, count, index, parallel))
        self.loops.append({"index": index, "count": count, "parallel": parallel, "body": []})
        return index, self.loops[-1]["body"]

    def loop(self):
        pick = self.random
        count = pick.randint(1, 4)
        index, body = self.begin(count, pick.random() < 0.5)
        targets = ["t", "u"] if self.y_is_filled else ["t", "u", "y", "y"]
        read, written = set(), set()
        for number in range(pick.randint(1, 2)):
            # What a body reads it must not assemble into (F21009).
            source = pick.choice([s for s in self.named({"x"} | self.written)
                                  if self.root(s) not in written])
            read.add(self.root(source))
            body += self.transfer(number, count, index, source, self.named(
                [to for to in targets if to not in read]) or None, written)
        self.written |= written

    def filling(self):
        """Writes y from its first row on, perhaps not to its end."""
        height = self.random.choice((3, 4, 5))
        count = self.rows // height
        index, body = self.begin(count, self.random.random() < 0.3)
        line = self.add("        a = pypto.view(x, [%d, 8], [%s * %d, 0], valid_shape=[%d, 8])" % (
            height, index, height, height))
        body.append({"do": "view", "line": line, "name": "a", "source": "x", "row": 0, "step": height,
                     "column": 0, "shape": (height, COLUMNS), "valid": (height, COLUMNS)})
        line = self.add("        b = a * 2.0")
        body.append({"do": "double", "line": line, "name": "b", "a": "a"})
        line = self.add("        pypto.assemble(b, [%s * %d, 0], y)" % (index, height))
        body.append({"do": "assemble", "line": line, "a": "b", "to": "y", "row": 0, "step": height,
                     "column": 0})

    def viewed(self, name, source, place, shape, valid, where):
        line = self.add("        %s = pypto.view(%s, %s, %s, valid_shape=%s)" % (
            name, source, list(shape), place, list(valid)))
        return {"do": "view", "line": line, "name": name, "source": source, "row": where[0],
                "step": where[1], "column": where[2], "shape": shape, "valid": valid}

    def view(self, name, count, index, source, shape, valid):
        """A window of a tensor, or a window of a larger one."""
        rows, columns = self.shape(source)
        if self.random.random() < 0.7:
            where = self.window(count, shape, source)
            return [self.viewed(name, source, self.place(*where, index), shape, valid, where)]
        outer = (min(rows, shape[0] + self.random.randint(0, 2)),
                 self.random.choice((shape[1], columns)))
        where = self.window(count, outer, source)
        inner = (self.random.randint(0, outer[0] - shape[0]), 0,
                 self.random.choice((0, outer[1] - shape[1])))
        return [self.viewed("w" + name, source, self.place(*where, index), outer, outer, where),
                self.viewed(name, "w" + name, [inner[0], inner[2]], shape, valid, inner)]

    def transfer(self, number, count, index, source, targets, written):
        pick = self.random
        shape = (pick.randint(1, 4), pick.choice((4, min(COLUMNS, self.shape(source)[1]))))
        a, b, c = "a%d" % number, "b%d" % number, "c%d" % number
        body = self.view(a, count, index, source, shape, shape)
        what = pick.choice(("double", "double", "add", "pad", "largest", "nothing"))
        result = c
        if what == "double":
            line = self.add("        %s = %s * 2.0" % (c, a))
            body.append({"do": "double", "line": line, "name": c, "a": a})
        elif what in ("add", "pad"):
            valid = shape if what == "add" else (max(1, shape[0] - 1), shape[1])
            body += self.view(b, count, index, source, shape, valid)
            line = self.add("        %s = %s + %s" % (c, a, b))
            body.append({"do": "add", "line": line, "name": c, "a": a, "b": b})
        elif what == "largest":
            line = self.add("        %s = pypto.amax(%s, -1, keepdim=True)" % (c, a))
            body.append({"do": "largest", "line": line, "name": c, "a": a})
            shape = (shape[0], 1)
        else:
            result = a
        fitting = [to for to in targets or () if self.shape(to)[1] >= shape[1]]
        if not fitting:
            return body
        to = pick.choice(fitting)
        where = self.window(count, shape, to)
        atomic = self.root(to) == "y" and what != "nothing" and pick.random() < 0.25
        line = self.add("        pypto.%s(%s, %s, %s)" % (
            "atomic_add" if atomic else "assemble", result, self.place(*where, index), to))
        body.append({"do": "atomic" if atomic else "assemble", "line": line, "a": result, "to": to,
                     "row": where[0], "step": where[1], "column": where[2]})
        written.add(self.root(to))
        return body


def make(seed):
    writer = Writer(seed)
    for _ in range(writer.random.randint(2, 4)):
        writer.loop()
    if writer.y_is_filled:
        writer.filling()
    return writer


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def simulated(folder, seed, lines, x, y):
    """The findings of the simulator, or the error's code."""
    from pypto import _sanitize
    path = os.path.join(folder, "kernel_%d.py" % seed)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    heard = []
    tell = _diagnose.tell_once

    def hear(_severity, _code, name, message, filename, line, _kernel):
        if name in KINDS and filename == path:
            heard.append((name, line, message))

    _diagnose.tell_once = hear
    try:
        load(path, "kernel_%d" % seed).kernel(torch.from_numpy(x), torch.from_numpy(y))
        _sanitize.tell_all()
    except PyptoError as error:
        return error.code
    finally:
        _diagnose.tell_once = tell
    return heard


def compare(folder, seed, show):
    """"same", or why there is nothing to compare; exits with the difference."""
    writer = make(seed)
    values = np.random.default_rng(seed)
    x = values.integers(-3, 4, (writer.rows, COLUMNS)).astype(np.float32)
    y = np.full(x.shape, sanitizer_model.UNSET if writer.y_is_unset else 0, np.float32)
    result = y.copy()
    found = simulated(folder, seed, writer.lines, x, result)
    if not isinstance(found, list):
        return found, ()
    model = sanitizer_model.Model(x, y, writer.rows, COLUMNS, writer.aliases)
    try:
        wanted = model.run(writer.loops)
    except sanitizer_model.Unsure:
        return "unsure", ()
    if show:
        print("\n".join("%3d %s" % item for item in enumerate(writer.lines, 1)), *found, sep="\n")
    if set(found) != set(wanted):  # equal ones of both operands are told once
        text = "\n".join("%3d %s" % item for item in enumerate(writer.lines, 1))
        sys.exit("seed %d:\n%s\nonly the simulator: %s\nonly the model: %s" % (
            seed, text, sorted(set(found) - set(wanted)), sorted(set(wanted) - set(found))))
    if not np.array_equal(result, model.tensors["y"].values, equal_nan=True):
        sys.exit("seed %d: the model computes something else" % seed)
    return "same", [name for name, _, _ in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    outcomes, kinds = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            outcome, found = compare(folder, seed, options.show)
            outcomes[outcome] += 1
            kinds.update(found)
    print(dict(outcomes), dict(kinds))
    if options.count >= 300:
        assert outcomes["same"] >= options.count * 2 // 3, "too few kernels were compared"
        for kind in KINDS:
            assert kinds[kind] >= 20, "too few findings: %s" % kind


if __name__ == "__main__":
    main()
