#!/usr/bin/env python3
"""What the static evaluation of kernels costs: instructions, which do not depend on the machine's load.

    cmake --preset release && cmake --build --preset release --target pypto-lint
    tests/bench/evaluation.py build/release/bin/pypto-lint [--speed MILLIONS_A_MS]

Each program runs under callgrind with `kernel-semantics: off` and `on`. The kernel of 40 KB and its test
are the operator of make_operator.py with so many modules that it is that large; the median kernel is the
sample softmax with its test; the corpus is that of make_corpus.py, whose kernels nothing launches, against
the reading of the same files into trees. Exit status 1: a figure is beyond its bound.
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

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = HERE.parents[1] / "examples" / "custom" / "softmax"
MODULES, CORPUS_FILES = 85, 40
BOUNDS = {"40 KB": 10.0, "median": 0.3, "corpus": 1.6}


def instructions(command, event, folder):
    """Millions of instructions of a run, and of the reading of files into trees in it."""
    out = folder / "callgrind.out"
    with open(event or os.devnull, "rb") as given:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, command)],
                       stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                       cwd=folder, env={"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"})
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=99.99", out], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout
    total = int(re.search(r"([\d,]+).*PROGRAM TOTALS", text)[1].replace(",", ""))
    parsing = [int(count.replace(",", "")) for count in
               re.findall(r"^\s*([\d,]+) .*:(?:python_parse|parse_as)(?:\.\w+)*(?:'\d+)?(?: \[|$)", text, re.M)]
    return total / 1e6, max(parsing, default=0) / 1e6


def settings(folder, semantics):
    (folder / ".pypto-lint.yaml").write_text(f"kernel-semantics: {semantics}\n", encoding="utf-8")


def hook(binary, folder, path):
    """Millions of instructions of the hook after an edit of the file: without evaluation, more with it, and of
    these the reading of other files."""
    event = folder / "event.json"
    event.write_text(json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Write",
                                 "tool_input": {"file_path": str(path)}}), encoding="utf-8")
    found = []
    for semantics in ("off", "on"):
        settings(folder, semantics)
        found.append(instructions([binary, "hook", "post-edit"], event, folder))
    return found[0][0], found[1][0] - found[0][0], found[1][1] - found[0][1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--speed", type=float, default=12.9,
                        help="million instructions a millisecond (12.9: 62 million take 4.8 ms)")
    given = parser.parse_args()
    binary = given.binary.resolve()
    if not os.access(binary, os.X_OK):
        sys.exit(f"evaluation.py: {binary} is not there; build it: cmake --preset release && "
                 "cmake --build --preset release --target pypto-lint")
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / ".git").mkdir()
        subprocess.run([sys.executable, "-B", HERE / "make_operator.py", folder, str(MODULES)], check=True,
                       stdout=subprocess.DEVNULL)
        large = folder / "custom" / "gated_rmsnorm" / "gated_rmsnorm_impl.py"
        shutil.copytree(SAMPLE, folder / "custom" / "softmax")
        for what, path in (("40 KB", large), ("median", folder / "custom" / "softmax" / "softmax_impl.py")):
            base, more, reading = hook(binary, folder, path)
            print(f"{what:<8}{path.stat().st_size / 1e3:6.1f} KB  off {base:7.1f} M  evaluation {more:7.1f} M, "
                  f"{more / given.speed:.2f} ms, of it other files {reading:.1f} M, {reading / given.speed:.2f} ms")
            wrong += [what] if more / given.speed > BOUNDS[what] else []
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
