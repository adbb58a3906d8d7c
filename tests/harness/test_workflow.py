#!/usr/bin/env python3
"""docs/kernel-authors/workflow.md, command by command: each does what the page shows, in a copy of the samples.

    test_workflow.py PYPTO_LINT [--show]

Commands are the lines that begin with "$ " in the page's console blocks; what stands below them is
what they print. "…" stands for any text, on a line of its own for any lines; numbers with a point
need not agree. A command succeeds, unless "echo $?" follows. With --show everything is printed as it
is, to write the page from.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/kernel-authors/workflow.md"
PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"
LONGEST = 240  # seconds for one command

# What a walk through the harness must have in it, or the page has lost a step.
NEEDED = ["pypto-lint scaffold interfaces", "pypto-lint interfaces", "pypto-lint scaffold eval",
          "pypto-lint scaffold module", "pypto-lint scaffold e2e", "pypto-lint --phase M1",
          "pypto-lint --phase M2", "pypto-lint --stage 5", "pypto-lint --stage 6",
          "pypto-lint compose", "--self-test", "--up-to-module 1", "--up-to-module 2",
          "pypto-lint test", "pypto-lint run"]


def commands(text):
    """[(line, command, expected lines)] of the console blocks."""
    found, inside = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            found.append((number, line[2:], []))
        elif inside and found:
            if found[-1][1].endswith("\\"):
                found[-1] = (found[-1][0], found[-1][1][:-1] + line.strip(), found[-1][2])
            else:
                found[-1][2].append(line)
    return found


def simple(text):
    """Numbers that come from rounding differ between machines, and so do the widths of columns."""
    text = re.sub(r"\d+ of (?=\d+ elements)|\b\d+(?=/\d\d\d+)", "# ", text)
    text = re.sub(r"\b\d+\.\d+(?:e[-+]?\d+)?\b|\b\d+e[-+]\d+\b|(?<=_diff )\d+", "#", text)
    return re.sub(" {2,}", "  ", text)


def pattern(lines):
    parts = []
    for line in lines:
        if line == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(simple(line)).replace("…", ".*") + r"\n")
    return re.compile("".join(parts))


def environment(binary):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PTOSIM_", "PYPTO_", "PYTHON", "ASCEND_", "TILE_FWK_", "LC_"))}
    path = os.pathsep.join([os.path.dirname(binary), os.path.dirname(PYTHON), "/usr/bin", "/bin"])
    return {**kept, "PATH": path, "LC_ALL": "C.UTF-8", "PYPTO_LINT_PYTHON": PYTHON}


def run(command, status, folder, variables):
    """(exit status, output of both streams); `status` is that of the command before."""
    done = subprocess.run(["bash", "-c", "(exit %d)\n%s" % (status, command)], cwd=folder,
                          env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LONGEST, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def walk(binary, folder, show):
    problems, status = [], 0
    steps = commands(PAGE.read_text(encoding="utf-8"))
    variables = environment(binary)
    for (number, command, expected), following in zip(steps, steps[1:] + [(0, "", [])]):
        start = time.monotonic()
        status, output = run(command, status, folder, variables)
        if show:
            print("$ %s   (%.1f s)\n%s" % (command, time.monotonic() - start, output), flush=True)
        if status != 0 and following[1] != "echo $?":
            problems.append("line %d: %s: exit status %d\n%s" % (number, command, status, output))
        elif not pattern(expected).fullmatch(simple(output)):
            problems.append("line %d: %s: the page shows\n%s\nbut it prints\n%s"
                            % (number, command, "\n".join(expected), output))
    text = "\n".join(command for _, command, _ in steps)
    problems += ["the page has no " + step for step in NEEDED if step not in text]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if subprocess.run([PYTHON, "-c", "import torch"], stderr=subprocess.DEVNULL).returncode:
        print("torch is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory(prefix="workflow-", dir=os.getcwd()) as folder:
        shutil.copytree(ROOT / "examples/custom", pathlib.Path(folder, "examples/custom"),
                        ignore=shutil.ignore_patterns("__pycache__", "evaluation_report.json"))
        problems = walk(os.path.abspath(options.binary), folder, options.show)
    print("\n".join(problems) or "the page shows what happens")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
