#!/usr/bin/env python3
"""docs/internals/threats.md: every line of its tables names a test, and the tests are there.

Usage: check_threats.py CTEST BUILD_FOLDER
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/internals/threats.md"


def registered(ctest, build):
    done = subprocess.run([ctest, "-N", "--test-dir", build], capture_output=True, text=True, check=True)
    return set(re.findall(r"Test +#\d+: (\S+)", done.stdout))


def rows(text):
    """(line number, last cell) of the rows of all tables that end in a column `test`."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if cells[-1] == "test":
            inside = True
        elif inside and not set(line) <= set("|- "):
            yield number, cells


def check_cell(cell, tests):
    """What is wrong with the tests that a cell names."""
    groups = {name.split(".")[0] for name in tests}
    named = 0
    for part in cell.split(";"):
        file = re.search(r"\btests/[\w/.]+", part)
        words = re.findall(r"`([^`]+)`", part)
        if file and not (ROOT / file[0]).is_file():
            yield f"{file[0]} does not exist"
        named += bool(file)
        for word in words:
            named += word.startswith("test_") or word in tests
            if word.startswith("test_"):
                text = (ROOT / file[0]).read_text(encoding="utf-8") if file and (ROOT / file[0]).is_file() else ""
                if not re.search(rf"\bdef {word}\b|\b{word}\(", text):
                    yield f"{word} is not in {file[0] if file else 'any file that is named'}"
            elif word not in tests and word.split(".")[0] in groups:
                yield f"ctest knows no {word}"
    if named == 0:
        yield "no test is named"


def main():
    tests = registered(*sys.argv[1:])
    text = PAGE.read_text(encoding="utf-8")
    problems = []
    count = 0
    for number, cells in rows(text):
        count += 1
        if len(cells) != 4 or not all(cells):
            problems.append(f"{number}: {len(cells)} cells, or an empty one")
        problems += [f"{number}: {problem}" for problem in check_cell(cells[-1], tests)]
    if count < 20:
        problems.append(f"only {count} lines in the tables")
    drivers = {path.stem for path in (ROOT / "tests/fuzz").glob("fuzz_*.c")}
    problems += [f"{name} is not a driver" for name in re.findall(r"fuzz/(fuzz_\w+)\.c", text) if name not in drivers]
    print("\n".join(f"{PAGE.relative_to(ROOT)}:{problem}" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
