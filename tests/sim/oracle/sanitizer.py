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

ROWS, COLUMNS = 12, 8
KINDS = ("unwritten-read", "padding-read", "race", "unwritten-output")
HEAD = '''import pypto

F = pypto.DT_FP32


@pypto.frontend.jit
def kernel(x: pypto.Tensor([%d, %d], F), y: pypto.Tensor([%d, %d], F)):
    pypto.set_vec_tile_shapes(16, 16)
    t = pypto.tensor([%d, %d], F)
    u = pypto.tensor([%d, %d], F)
''' % ((ROWS, COLUMNS) * 4)


class Writer:
    """Makes a program: its text, and the statements for the model."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = HEAD.splitlines()
        self.loops = []
        self.written = set()

    def add(self, text):
        self.lines.append(text)
        return len(self.lines)

    def window(self, count, shape):
        """Row of the first window, distance of the next ones, column."""
        room = ROWS - shape[0]
        step = self.random.randint(0, room // max(1, count - 1)) if count > 1 else 0
        step = min(step, self.random.choice((shape[0], shape[0], shape[0] - 1, 0, room)))
        step = max(0, step)
        row = self.random.randint(0, room - step * (count - 1))
        return row, step, self.random.choice((0, 0, COLUMNS - shape[1]))

    def place(self, row, step, column, index):
        return "[%d + %s * %d, %d]" % (row, index, step, column)

    def loop(self):
        pick = self.random
        count, index = pick.randint(1, 4), "i%d" % len(self.loops)
        parallel = pick.random() < 0.5
        self.add("    for %s in pypto.loop(%d, idx_name='%s', parallel=%s):"
                 % (index, count, index, parallel))
        body = []
        sources = ["x"] + sorted(self.written)
        targets = ["t", "u", "y", "y"]
        read, written = set(), set()
        for number in range(pick.randint(1, 2)):
            # What a body reads it must not assemble into (F21009).
            source = pick.choice([s for s in sources if s not in written])
            read.add(source)
            body += self.transfer(number, count, index, source, [
                to for to in targets if to not in read] or None, written)
        self.loops.append({"index": index, "count": count, "parallel": parallel, "body": body})
        self.written |= written

    def view(self, name, count, index, source, shape, valid):
        row, step, column = self.window(count, shape)
        line = self.add("        %s = pypto.view(%s, %s, %s, valid_shape=%s)" % (
            name, source, list(shape), self.place(row, step, column, index), list(valid)))
        return {"do": "view", "line": line, "name": name, "source": source, "row": row,
                "step": step, "column": column, "shape": shape, "valid": valid}

    def transfer(self, number, count, index, source, targets, written):
        pick = self.random
        shape = (pick.randint(1, 4), pick.choice((4, COLUMNS)))
        a, b, c = "a%d" % number, "b%d" % number, "c%d" % number
        body = [self.view(a, count, index, source, shape, shape)]
        what = pick.choice(("double", "double", "add", "pad", "largest", "nothing"))
        result = c
        if what == "double":
            line = self.add("        %s = %s * 2.0" % (c, a))
            body.append({"do": "double", "line": line, "name": c, "a": a})
        elif what in ("add", "pad"):
            valid = shape if what == "add" else (max(1, shape[0] - 1), shape[1])
            body.append(self.view(b, count, index, source, shape, valid))
            line = self.add("        %s = %s + %s" % (c, a, b))
            body.append({"do": "add", "line": line, "name": c, "a": a, "b": b})
        elif what == "largest":
            line = self.add("        %s = pypto.amax(%s, -1, keepdim=True)" % (c, a))
            body.append({"do": "largest", "line": line, "name": c, "a": a})
            shape = (shape[0], 1)
        else:
            result = a
        if targets is None:
            return body
        to = pick.choice(targets)
        row, step, column = self.window(count, shape)
        place = self.place(row, step, column, index)
        atomic = to == "y" and what != "nothing" and pick.random() < 0.25
        line = self.add("        pypto.%s(%s, %s, %s)"
                        % ("atomic_add" if atomic else "assemble", result, place, to))
        body.append({"do": "atomic" if atomic else "assemble", "line": line, "a": result, "to": to,
                     "row": row, "step": step, "column": column})
        written.add(to)
        return body


def make(seed):
    writer = Writer(seed)
    for _ in range(writer.random.randint(2, 4)):
        writer.loop()
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
    x = values.integers(-3, 4, (ROWS, COLUMNS)).astype(np.float32)
    y = np.zeros((ROWS, COLUMNS), np.float32)
    result = y.copy()
    found = simulated(folder, seed, writer.lines, x, result)
    if not isinstance(found, list):
        return found, ()
    model = sanitizer_model.Model(x, y, ROWS, COLUMNS)
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
        for kind in KINDS[:3]:
            assert kinds[kind] >= 20, "too few findings: %s" % kind


if __name__ == "__main__":
    main()
