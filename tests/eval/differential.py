#!/usr/bin/env python3
"""Random programs of the evaluator's part of Python, run by Python and by the evaluator.

    differential.py EVAL_DUMP [--programs N] [--seed N]

Every value that the evaluator claims to know must be what Python computes, in each of three runs that bind the name;
if none does, the program is run again until one does. Statements of the module that raise in any of the three are
left out. The share of known values is checked, too, so that "unknown" everywhere does not pass.
"""
import argparse
import ast
import random
import signal
import subprocess
import sys
import warnings

from programs import NAMES, Program


MOST_RUNS = 60


def mutate(value, rng):
    """What an unknown function may do with its argument."""
    if isinstance(value, list):
        for item in value:
            mutate(item, rng)
        value.append(rng.randrange(9))
    elif isinstance(value, dict):
        value[rng.randrange(3)] = rng.randrange(9)
    elif hasattr(value, "__dict__"):
        for name in vars(value):
            if rng.random() < 0.5:
                setattr(value, name, rng.randrange(9))


def too_long(_signal, _frame):
    raise MemoryError


def run(chunks, rng):
    """The globals after the statements, and how many of them were run: up to one that raises."""
    values = {"unknown": lambda: rng.choice([0, 1, 5]),
              "some": lambda: list(range(rng.randrange(3))),
              "mutate": lambda value: mutate(value, rng)}
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        for number, chunk in enumerate(chunks):
            try:
                exec(chunk, values)  # part of a program that this script wrote
            except Exception:
                return values, number
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return values, len(chunks)


def runs_of(text, seed):
    """The program without the statements that raise in any of three runs; its statements compiled; and the values
    after these runs."""
    lines = text.splitlines(keepends=True)
    parts = []
    for node in ast.parse(text).body:
        start = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        parts.append(("".join(lines[start - 1:node.end_lineno]), node))
    outside = parts.pop(0)[0]
    chunks = [compile(ast.Module([node], []), "program", "exec") for _, node in parts]
    runs = []
    while len(runs) < 3:
        values, count = run(chunks, random.Random(f"{seed}/{len(runs)}"))
        runs.append(values)
        if count < len(chunks):
            del chunks[count], parts[count]
            runs = []
    return outside + "".join(part for part, _ in parts), chunks, runs


def run_until_bound(names, chunks, runs, seed):
    """Adds runs until each of the names is bound in one of them, if need be MOST_RUNS in all."""
    while len(runs) < MOST_RUNS and any(all(name not in values for values in runs) for name in names):
        values, count = run(chunks, random.Random(f"{seed}/{len(runs)}"))
        runs.append(values if count == len(chunks) else {})  # a run that raises may not have bound the last value


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
    signal.signal(signal.SIGVTALRM, too_long)
    programs, results, number = [], [], 0
    while len(programs) < args.programs:
        number += 1
        rng = random.Random(f"{args.seed}/{number}")  # so that each program can be made by itself
        text, chunks, runs = runs_of(Program(rng).text_of(), f"{args.seed}/{number}")
        programs.append(text)
        results.append((chunks, runs))
    claims = names = wrong = unbound = 0
    found_in = known(args.binary, programs)
    for number, (text, (chunks, runs), found) in enumerate(zip(programs, results, found_in), 1):
        run_until_bound(found, chunks, runs, f"{args.seed}/{number}")
        names += sum(name in runs[0] for name in (*NAMES, "lst", "dct"))
        for name, claimed in found.items():
            # A name that only some runs bind has the claimed value wherever it can be read.
            bound = [values[name] for values in runs if name in values]
            claims += bool(bound)
            unbound += not bound
            if not all(same(claimed, value) for value in bound):
                wrong += 1
                if wrong <= 3:
                    print(f"{name}: claimed {claimed}, Python has {bound}\n{text}")
    print(f"{len(programs)} programs, {claims} of {names} values known, {wrong} wrong, {unbound} never bound")
    return 1 if wrong or claims * 5 < names else 0


if __name__ == "__main__":
    sys.exit(main())
