#!/usr/bin/env python3
"""A page of commands, run from top to bottom: each command does what the page shows.

    run_page.py PYPTO_LINT PAGE [--copy FOLDER] [--show]

Commands are the lines that begin with "$ " in the page's console blocks; the lines below one are what
it prints. "…" stands for any text, on a line of its own for any lines; numbers with a point need not
agree. A command must succeed, unless "echo $?" follows. A block after `<!-- file: NAME -->` is written
to that file when its turn comes. --copy puts a copy of FOLDER of the repository into the empty folder
that the page starts in. With --show everything is printed as it is, to write the page from.
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
sys.path.insert(0, str(ROOT / "tests" / "harness"))
import warm_python  # noqa: E402

PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"
LONGEST = 240  # seconds for one command

# What a page must have in it, or it has lost a step.
NEEDED = {
    "workflow.md": ["pypto-lint scaffold interfaces", "pypto-lint interfaces", "pypto-lint scaffold eval",
                    "pypto-lint scaffold module", "pypto-lint scaffold e2e", "pypto-lint --phase M1",
                    "pypto-lint --phase M2", "pypto-lint --stage 5", "pypto-lint --stage 6",
                    "pypto-lint compose", "--self-test", "--up-to-module 1", "--up-to-module 2",
                    "pypto-lint test", "pypto-lint run"],
    "first-operator.md": ["pypto-lint custom/silu", "pypto-lint run", "pypto-lint scaffold e2e",
                          "pypto-lint verify", "pypto-lint --stage 5"],
    "verify-failures.md": ["pypto-lint verify"],
}


def steps_of(text):
    """The steps of a page: (line, "command", command, expected lines) or (line, "file", name, lines)."""
    found, kind, name = [], None, None
    for number, line in enumerate(text.split("\n"), 1):
        named = re.fullmatch(r"<!-- file: (\S+) -->", line)
        if line.startswith("```"):
            kind = None if kind else "command" if line == "```console" else "file" if name else "other"
            if kind == "file":
                found.append((number, "file", name, []))
            name = None
        elif named and not kind:
            name = named.group(1)
        elif kind == "file":
            found[-1][3].append(line)
        elif kind == "command" and line.startswith("$ "):
            found.append((number, "command", line[2:], []))
        elif kind == "command" and found:
            number, _, command, expected = found[-1]
            if command.endswith("\\"):
                found[-1] = (number, "command", command[:-1] + line.strip(), expected)
            else:
                expected.append(line)
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
    return {**kept, "PATH": path, "LC_ALL": "C.UTF-8", "PYPTO_LINT_PYTHON": PYTHON,
            **warm_python.both(PYTHON)}


def run(command, status, folder, variables):
    """(exit status, output of both streams); `status` is that of the command before."""
    done = subprocess.run(["bash", "-c", "(exit %d)\n%s" % (status, command)], cwd=folder,
                          env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LONGEST, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def write(folder, name, lines):
    path = pathlib.Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def walk(binary, page, folder, show):
    problems, status = [], 0
    text = page.read_text(encoding="utf-8")
    steps = steps_of(text)
    variables = environment(binary)
    for (number, kind, command, expected), following in zip(steps, steps[1:] + [(0, "", "", [])]):
        if kind == "file":
            write(folder, command, expected)
            continue
        start = time.monotonic()
        status, output = run(command, status, folder, variables)
        if show:
            print("$ %s   (%.1f s)\n%s" % (command, time.monotonic() - start, output), flush=True)
        if status != 0 and following[2] != "echo $?":
            problems.append("line %d: %s: exit status %d\n%s" % (number, command, status, output))
        elif not pattern(expected).fullmatch(simple(output)):
            problems.append("line %d: %s: the page shows\n%s\nbut it prints\n%s"
                            % (number, command, "\n".join(expected), output))
    shown = "\n".join(command for _, kind, command, _ in steps if kind == "command")
    problems += ["the page has no " + step for step in NEEDED[page.name] if step not in shown]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--copy")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    looks = "import importlib.util as u, sys; sys.exit(not u.find_spec('torch'))"  # importing it takes longer
    if subprocess.run([PYTHON, "-c", looks]).returncode:
        print("torch is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory(prefix="page-", dir=os.getcwd()) as folder:
        if options.copy:
            shutil.copytree(ROOT / options.copy, pathlib.Path(folder, options.copy),
                            ignore=shutil.ignore_patterns("__pycache__", "evaluation_report.json"))
        problems = walk(os.path.abspath(options.binary), options.page, folder, options.show)
    print("\n".join(problems) or "the page shows what happens")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
