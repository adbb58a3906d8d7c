#!/usr/bin/env python3
"""Validates the program's own SARIF: the reports of fixtures and of the sample operators.

    validate_fixtures.py [--all] BINARY

Every fourth fixture of each rule, as they differ in little but the finding; --all takes every one, and
some four minutes. All reports go through validate.py: no error, no warning, no note but those that it
allows always. Exit status 1 for any fault.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BATCH = 400  # reports in one call of the validator
STEP = 4  # every so many fixtures of a rule


def chosen(take_all):
    for rule in sorted((ROOT / "tests" / "fixtures").glob("OL*/")):
        yield from sorted(rule.glob("*/expected.json"))[:: 1 if take_all else STEP]


def operators(take_all):
    for expected in chosen(take_all):
        args = json.loads(expected.read_text(encoding="utf-8")).get("args", [])
        stage = [] if "--stage" in args else ["--stage", "5"]
        yield expected.parent / "rowscale", [arg for arg in args if arg != "--no-exec"] + stage
    for folder in sorted((ROOT / "examples").glob("**/custom/*/")):
        yield folder, ["--stage", "5"]


def report(binary, number, operator, args, folder):
    output = pathlib.Path(folder) / f"{number:04}-{operator.parent.name}.sarif"
    done = subprocess.run(
        [binary, "check", "--op-dir", str(operator), "--format", "sarif", "--no-exec", "--no-config",
         "--output", str(output), *args],
        cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2) or (done.returncode == 2 and output.exists()):
        sys.exit(f"{operator}: exit status {done.returncode}\n{done.stderr}")
    return output if output.exists() else None


def main():
    take_all = sys.argv[1] == "--all"
    binary = sys.argv[-1]
    with tempfile.TemporaryDirectory() as folder:
        paths = [report(binary, number, operator, args, folder)
                 for number, (operator, args) in enumerate(operators(take_all))]
        written = [str(path) for path in paths if path]
        if len(written) < (1000 if take_all else 250):
            sys.exit(f"only {len(written)} of {len(paths)} reports were written")
        worst = 0
        for start in range(0, len(written), BATCH):
            done = subprocess.run([sys.executable, "-B", str(HERE / "validate.py"),
                                   *written[start:start + BATCH]],
                                  check=False)
            worst = max(worst, done.returncode)
        print(f"{len(written)} reports of {len(paths)} operators validated")
        sys.exit(worst)


if __name__ == "__main__":
    main()
