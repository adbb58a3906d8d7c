#!/usr/bin/env python3
"""Random programs of the evaluator's part of Python, run by Python and by the evaluator.

    differential.py EVAL_DUMP [--programs N] [--seed N]

Every value that the evaluator claims to know must be what Python computes, in each of three runs.
Programs that raise, or that run too long, are left out. The share of known values is checked, too,
so that "unknown" everywhere does not pass.
"""
import argparse
import contextlib
import io
import random
import subprocess
import sys
import warnings


class Program:
    """Writes one random program."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.functions = []

    def expression(self, depth=0):
        rng = self.rng
        pick = rng.randrange(20 if depth < 3 else 5)
        name = rng.choice("abcde")
        inner = [self.expression(depth + 1) for _ in range(2)] if pick >= 5 else ["1", "1"]
        a, b = inner
        if pick < 3:
            return name
        if pick < 5:
            return rng.choice(["0", "1", "2", "-3", "7", "True", "False", "None", "'s'", "2.5", "[]"])
        if pick < 9:
            return f"({a} {rng.choice(['+', '-', '*', '//', '%', '/', '|', '&', '<<'])} {b})"
        if pick < 11:
            return f"({a} {rng.choice(['==', '!=', '<', '<=', '>', '>=', 'is', 'is not'])} {b})"
        return [f"[{a}, {b}]", f"({a} and {b})", f"({a} or {b})", f"(not {a})",
                f"({a} if {b} else {name})", f"({a}, {b})[{rng.randrange(-2, 2)}]",
                f"min({rng.randrange(9)}, {rng.randrange(9)})",
                f"len([{a}, *range({rng.randrange(4)})])",
                self.call(a, b)][pick - 11]

    def call(self, a, b):
        if not self.functions:
            return f"[{a} for i in range(3)]"
        return f"{self.rng.choice(self.functions)}({a}, {b})"

    def target(self):
        return self.rng.choice(["a", "b", "c", "d", "e"])

    def statement(self, indent, depth):
        rng = self.rng
        pick = rng.randrange(14 if depth < 3 else 6)
        pad = "    " * indent
        if pick < 3:
            self.lines.append(f"{pad}{self.target()} = {self.expression()}")
        elif pick == 3:
            self.lines.append(f"{pad}{self.target()} {rng.choice(['+', '-', '*'])}= {self.expression(2)}")
        elif pick == 4:
            self.lines.append(f"{pad}lst.append({self.expression(2)})")
        elif pick == 5:
            self.lines.append(f"{pad}dct[{rng.randrange(3)}] = {self.expression(2)}")
        elif pick < 9:
            test = rng.choice([self.expression(1), "unknown()", "unknown() > 3"])
            self.lines.append(f"{pad}if {test}:")
            self.block(indent + 1, depth + 1)
            if rng.random() < 0.5:
                self.lines.append(f"{pad}else:")
                self.block(indent + 1, depth + 1)
        elif pick < 11:
            over = rng.choice([f"range({rng.randrange(5)})", "lst[:3]", "[1, 2]", "some()",
                               "(3, 4)"])
            self.lines.append(f"{pad}for {self.target()} in {over}:")
            self.block(indent + 1, depth + 1)
            if rng.random() < 0.4:
                test = rng.choice(["a == 2", "unknown()"])
                self.lines.append(f"{pad}    if {test}:\n{pad}        "
                                  f"{rng.choice(['break', 'continue'])}")
        elif pick == 11:
            self.lines.append(f"{pad}try:")
            self.block(indent + 1, depth + 1)
            self.lines.append(f"{pad}except Exception:")
            self.block(indent + 1, depth + 1)
        elif pick == 12:
            self.lines.append(f"{pad}other = lst\n{pad}{self.target()} = other")
        else:
            self.lines.append(f"{pad}{self.target()}, {self.target()} = {self.expression(2)}, "
                              f"{self.expression(2)}")

    def block(self, indent, depth):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(indent, depth)

    def function(self, name):
        self.lines.append(f"def {name}(a, b=2, c=3):\n    d = e = 0")
        self.block(1, 1)
        if self.rng.random() < 0.5:
            self.lines.append("    if unknown():\n        return a")
        self.block(1, 1)
        self.lines.append(f"    return {self.expression(1)}")
        self.functions.append(name)

    def text(self):
        self.lines = ["from outside import unknown, some", "a = 1", "b = 2", "c = 3", "d = 4",
                      "e = 5", "lst = [1, 2]", "dct = {}"]
        for name in ("f", "g")[:self.rng.randrange(3)]:
            self.function(name)
        for _ in range(self.rng.randrange(3, 12)):
            self.statement(0, 0)
        return "\n".join(self.lines) + "\n"


def run(text, rng):
    """The globals after the program, or None when it takes too long or raises."""
    budget = [20000]

    def trace(_frame, _event, _arg):
        budget[0] -= 1
        if budget[0] < 0:
            raise MemoryError
        return trace

    values = {"unknown": lambda: rng.choice([0, 1, 5]),
              "some": lambda: list(range(rng.randrange(3)))}
    code = compile(text.replace("from outside import unknown, some\n", "\n"), "program", "exec")
    sys.settrace(trace)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, values)  # a program that this script wrote
    except Exception:
        return None
    finally:
        sys.settrace(None)
    return values


def known(binary, programs):
    done = subprocess.run([binary], input="".join(text + "---\n" for text in programs),
                          capture_output=True, encoding="utf-8", check=True)
    parts = done.stdout.split("---\n")[:-1]
    assert len(parts) == len(programs)
    return [dict(line.split(" = ", 1) for line in part.splitlines()) for part in parts]


def same(text, value):
    claimed = eval(text)  # repr of plain values, written by eval_dump
    return type(claimed) is type(value) and repr(claimed) == repr(value)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    warnings.simplefilter("ignore", SyntaxWarning)
    rng = random.Random(args.seed)
    programs, results = [], []
    while len(programs) < args.programs:
        text = Program(rng).text()
        runs = [run(text, rng) for _ in range(3)]
        if all(values is not None for values in runs):
            programs.append(text)
            results.append(runs)
    claims = names = wrong = 0
    for text, runs, found in zip(programs, results, known(args.binary, programs)):
        names += sum(name in runs[0] for name in ("a", "b", "c", "d", "e", "lst", "dct"))
        for name, claimed in found.items():
            claims += 1
            for values in runs:
                if name not in values or not same(claimed, values[name]):
                    wrong += 1
                    if wrong <= 3:
                        print(f"{name}: claimed {claimed}, Python has {values.get(name)!r}\n{text}")
                    break
    print(f"{len(programs)} programs, {claims} of {names} values known, {wrong} wrong")
    return 1 if wrong or claims * 5 < names else 0


if __name__ == "__main__":
    sys.exit(main())
