#!/usr/bin/env python3
"""What is not known gives no finding: correct programs of which random parts are forgotten.

    forgetting.py EVAL_DRIVE [--programs N] [--seed N] [--broken HELPER,…]

In each sample program, and in the files of each sample operator, some numbers, data types and names
are replaced by names that come from a module that nobody finds. The programs run as they are, so
whatever the linter finds in them is wrong, and it is wrong, too, when less is known. Every other
round has a mistake in each program; then nothing may be found before the place where the mistake is
found when all is known.
"""
import argparse
import ast
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What holds for the text alone does not concern values, and neither does a parameter that the text does not name any more.
NOT_NAMED = "is never written, and never read"
OF_VALUES = re.compile(r"KS(04|05|06|07|08|09|10|11|15|17|18|20)$")


def places(tree):
    """Expressions that may be forgotten: numbers, data types, loads of names, calls of helpers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and \
                not isinstance(node.value, bool):
            yield node
        elif isinstance(node, ast.Attribute) and node.attr.startswith("DT_"):
            yield node
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and \
                node.value.id == "torch" and node.attr.startswith(("float", "bfloat", "int")):
            yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
                isinstance(node.func.value, ast.Name) and node.func.value.id == "torch":
            yield node
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and \
                node.id not in ("pypto", "torch", "range", "int", "len", "min", "max"):
            yield node


def is_apart(node, chosen):
    """Do the texts of the nodes not overlap?"""
    start, end = span(node)
    return all(end <= other_start or other_end <= start
               for other_start, other_end in map(span, chosen))


def span(node):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def forgotten(text, generator, most):
    """The program without some of its values; every line stays where it is."""
    tree = ast.parse(text)
    inside = {id(inner) for node in ast.walk(tree) for inner in ast.walk(node)
              if isinstance(node, (ast.JoinedStr, ast.ImportFrom, ast.Import))}
    inside |= {id(inner) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
               for one in node.decorator_list for inner in ast.walk(one)}
    found = [node for node in places(tree) if id(node) not in inside]
    chosen = []
    for node in generator.sample(found, min(len(found), generator.randint(1, most))):
        if is_apart(node, chosen):
            chosen.append(node)
    lines = text.encode().splitlines(keepends=True)
    for number, node in enumerate(sorted(chosen, key=span, reverse=True)):
        (line, column), (end_line, end_column) = span(node)
        before, after = lines[line - 1][:column], lines[end_line - 1][end_column:]
        name = b"forgotten_%d" % (number % 8)
        gone = b"(%s%s)" % (name, b"\n" * (end_line - line)) if end_line > line else name
        lines[line - 1:end_line] = (before + gone + after).splitlines(keepends=True)
    names = ", ".join(f"forgotten_{i}" for i in range(8))
    rows = b"".join(lines).decode().splitlines(keepends=True)
    docstring = tree.body[0].end_lineno - 1
    rows[docstring] = rows[docstring].rstrip("\n") + f"; from nowhere_to_be_found import {names}\n"
    return "".join(rows)


def sources():
    """[(name of the linted file, {file: text})]"""
    for path in sorted((ROOT / "examples" / "sim").glob("*.py")):
        yield path.name, {path.name: path.read_text(encoding="utf-8")}
    for folder in sorted((ROOT / "examples" / "custom").iterdir()):
        files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
        yield folder.name + "_impl.py", files


def with_mistake(files, linted, generator):
    """The same files with one mistake in the linted one, where there is one to make."""
    made = [text for _, _, _, text in mutants.of_text(linted, files[linted])]
    return dict(files, **{linted: generator.choice(made)}) if made else files


def findings(program, paths):
    """{path: [(line, rule, is it certain, text)]} of what concerns values."""
    found, current = {}, None
    for start in range(0, len(paths), 200):
        done = subprocess.run([program, *paths[start:start + 200]], stdout=subprocess.PIPE,
                              encoding="utf-8", check=True)
        for line in done.stdout.splitlines():
            one = re.match(r"  (\d+): (KS\d\d) (certain|likely) (.*)", line)
            if one is None:
                current = found.setdefault(line.split(": ")[0], [])
            elif OF_VALUES.match(one.group(2)) and NOT_NAMED not in line and \
                    "exists on Ascend 950 only" not in line:
                current.append((int(one.group(1)), one.group(2), one.group(3) == "certain",
                                one.group(4)))
    return found


def is_explained(finding, whole):
    """Is the program wrong at or before the finding when all is known? The first mistake hides those
    that follow from it, so they may show when it cannot be seen; a launch that does not fit hides
    the whole kernel."""
    return any((line <= finding[0] or rule in (finding[1], "KS17", "KS18")) and
               (certain or not finding[2])
               for line, rule, certain, _ in whole)


def write(folder, name, files):
    place = folder / name
    place.mkdir(parents=True)
    for file, text in files.items():
        (place / file).write_text(text, encoding="utf-8")
    return place


def new_findings(program, options, folder, first, count):
    """Findings that only appear when something is forgotten."""
    known = list(sources())
    if len(known) < 40:
        raise SystemExit(f"only {len(known)} samples found")
    pairs = []
    for number in range(first, first + count):
        generator = random.Random(options.seed * 1000003 + number)
        linted, files = known[number % len(known)]
        wrong = number // len(known) % 2 == 1
        files = with_mistake(files, linted, generator) if wrong else files
        most = generator.choice((2, 6, 20))
        less = {file: forgotten(text, generator, most) for file, text in files.items()}
        whole = str(write(folder, f"{number:05}_whole", files) / linted) if wrong else None
        pairs.append((whole, str(write(folder, f"{number:05}", less) / linted)))
    found = findings(program, [path for pair in pairs for path in pair if path])
    return [f"{path}:{one[0]}: {one[1]} {one[3]}" for whole, path in pairs
            for one in found.get(path, []) if not is_explained(one, found.get(whole, []))]


def check_broken(options, folder):
    """Each helper of three-valued checks with two values only must give new findings."""
    missed = []
    for helper in options.broken.split(","):
        os.environ["PTS_TWO_VALUED"] = helper
        found, number = [], 0
        while not found and number < options.programs:
            found = new_findings(options.drive, options, folder / helper, number, 250)
            number += 250
        print(f"{helper}: {found[0] if found else 'nobody sees it'}")
        missed += [] if found else [helper]
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("drive")
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--broken", help="helpers of PTS_TWO_VALUED, with commas")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(options.keep or name)
        if options.broken:
            return check_broken(options, folder)
        found = new_findings(options.drive, options, folder, 0, options.programs)
    for line in found[:40]:
        print("false alarm:", line)
    print(f"{options.programs} programs, {len(found)} false alarms")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
