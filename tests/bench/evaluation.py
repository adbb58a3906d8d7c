#!/usr/bin/env python3
"""What the static evaluation of kernels costs: instructions, which do not depend on the machine's load.

    cmake --preset release && cmake --build --preset release --target pypto-lint spawn_times
    tests/bench/evaluation.py build/release/bin/pypto-lint [--speed MILLIONS_A_MS] [--clock ROUNDS]

Each program runs under callgrind with `kernel-semantics: off` and `on`. The kernel of 40 KB and its test
are the operator of make_operator.py with enough modules for that size; the median kernel has about as many
operations and as many launches as the median kernel that ships with PyPTO (median/), and the sample softmax
has five launches. The corpus is that of make_corpus.py, in which nothing launches the kernels, and is compared
with parsing the same files. Exit status 1: a figure exceeds its bound.

With --clock, each round also starts the hook ten times with and ten times without evaluation, and the
difference of the median times is printed. The times do not affect the exit status.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from hook_bench import Program

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = HERE.parents[1] / "examples" / "custom" / "softmax"
MODULES, CORPUS_FILES = 85, 40
BOUNDS = {"40 KB": 10.0, "median": 0.3, "softmax": 0.3, "corpus": 1.6}
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def instructions(command, event, folder):
    """Millions of instructions of a run, and of the reading of files into trees in it."""
    out = folder / "callgrind.out"
    with open(event or os.devnull, "rb") as given:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, command)],
                       stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                       cwd=folder, env=ENVIRONMENT | {"HOME": str(folder)})
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=99.99", out], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout
    total = int(re.search(r"([\d,]+).*PROGRAM TOTALS", text)[1].replace(",", ""))
    parsing = [int(count.replace(",", "")) for count in
               re.findall(r"^\s*([\d,]+) .*:(?:python_parse|parse_as)(?:\.\w+)*(?:'\d+)?(?: \[|$)", text, re.M)]
    return total / 1e6, max(parsing, default=0) / 1e6


def settings(folder, semantics):
    (folder / ".pypto-lint.yaml").write_text(f"kernel-semantics: {semantics}\n", encoding="utf-8")


def make_trees(folder):
    """{setting: {name of a bound: kernel}}, in a tree of the same operators for each setting."""
    trees = {}
    for semantics in ("off", "on"):
        tree = folder / semantics
        (tree / ".git").mkdir(parents=True)
        settings(tree, semantics)
        subprocess.run([sys.executable, "-B", HERE / "make_operator.py", tree, str(MODULES)], check=True,
                       stdout=subprocess.DEVNULL)
        shutil.copytree(SAMPLE, tree / "custom" / "softmax")
        shutil.copytree(HERE / "median", tree / "custom" / "median")
        trees[semantics] = {"40 KB": tree / "custom" / "gated_rmsnorm" / "gated_rmsnorm_impl.py",
                            "median": tree / "custom" / "median" / "median_impl.py",
                            "softmax": tree / "custom" / "softmax" / "softmax_impl.py"}
    return trees


def event_of(path):
    """The file with the event of an edit of `path`."""
    event = path.with_suffix(".event.json")
    event.write_text(json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Write",
                                 "tool_input": {"file_path": str(path)}}), encoding="utf-8")
    return event


def count_hook(binary, folder, trees, what, speed):
    """Prints what the hook costs in instructions; returns the milliseconds of the evaluation."""
    (base, kernel), (total, read) = (
        instructions([binary, "hook", "post-edit"], event_of(trees[semantics][what]), folder)
        for semantics in ("off", "on"))
    print(f"{what:<8}{trees['on'][what].stat().st_size / 1e3:6.1f} KB  off {base:7.1f} M  "
          f"evaluation {total - base:7.1f} M, {(total - base) / speed:.2f} ms, "
          f"including other files {read - kernel:.1f} M, {(read - kernel) / speed:.2f} ms")
    return (total - base) / speed


def time_hook(binary, folder, trees, what, rounds):
    """Prints what the hook costs by the clock."""
    programs = [Program(semantics, [binary, "hook", "post-edit"], event_of(trees[semantics][what]))
                for semantics in ("off", "on")]
    for turn in range(rounds):
        for program in programs[::-1] if turn % 2 else programs:
            program.run(binary.with_name("spawn_times"), ENVIRONMENT | {"HOME": str(folder)})
    off, on = (program.median() for program in programs)
    print(f"{what:<8}by the clock: off {off:.2f} ms  evaluation {on - off:.2f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--speed", type=float, default=12.9,
                        help="million instructions a millisecond (12.9: 62 million take 4.8 ms)")
    parser.add_argument("--clock", type=int, metavar="ROUNDS", default=0, help="rounds by the clock (default: none)")
    given = parser.parse_args()
    binary = given.binary.resolve()
    if not os.access(binary, os.X_OK):
        sys.exit(f"evaluation.py: {binary} is not there; build it: cmake --preset release && "
                 "cmake --build --preset release --target pypto-lint")
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        trees = make_trees(folder)
        for what in trees["on"]:
            wrong += [what] if count_hook(binary, folder, trees, what, given.speed) > BOUNDS[what] else []
            if given.clock:
                time_hook(binary, folder, trees, what, given.clock)
        corpus = folder / "corpus"
        subprocess.run([sys.executable, "-B", HERE / "make_corpus.py", corpus, str(CORPUS_FILES)], check=True,
                       stdout=subprocess.DEVNULL)
        totals = []
        for semantics in ("off", "on"):
            settings(folder, semantics)
            totals.append(instructions([binary, "check", "-j", "1", corpus], None, folder))
        more, parsing = totals[1][0] - totals[0][0], totals[0][1]
        ratio = (parsing + more) / parsing if parsing else 0.0
        print(f"corpus  parsing {parsing:7.1f} M  all rules {totals[0][0]:7.1f} M  evaluation {more:7.1f} M  "
              f"{ratio:.2f} times parsing")
        wrong += ["corpus"] if not 0 < ratio <= BOUNDS["corpus"] else []
    for what in wrong:
        print(f"beyond the bound: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
