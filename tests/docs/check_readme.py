#!/usr/bin/env python3
"""Runs the commands shown in README.md; their output must be what it shows.

    check_readme.py --binary PATH

A shown command is a line `$ pypto-lint …` in a block marked `console`; the lines that follow it, up to
the next command, must occur at the beginning of its output.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def examples(text):
    """(command, expected output) of each command."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield shlex.split(command), output.rstrip("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    binary = str(parser.parse_args().binary.resolve())
    shown = list(examples((ROOT / "README.md").read_text(encoding="utf-8")))
    failed = 0
    for command, expected in shown:
        assert command[0] == "pypto-lint", command
        done = subprocess.run([binary, *command[1:], "--lang", "en"], cwd=ROOT, capture_output=True,
                              encoding="utf-8", timeout=30, check=False)
        if not expected or not done.stdout.startswith(expected + "\n"):
            failed += 1
            print(f"$ {' '.join(command)}\n--- README.md\n{expected}\n--- the program\n{done.stdout}")
    print(f"{len(shown)} commands, {failed} shown wrongly")
    return 1 if failed or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
