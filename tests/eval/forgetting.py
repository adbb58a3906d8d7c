#!/usr/bin/env python3
"""What is not known gives no finding: correct programs of which random parts are forgotten.

    forgetting.py EVAL_DRIVE [--programs N] [--seed N]

In each sample program, and in the files of each sample operator, some numbers, data types and names
are replaced by names that come from a module that nobody finds. The programs run as they are, so
whatever the linter finds in them is wrong, and it is wrong, too, when less is known.
"""
import argparse
import ast
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What holds for the text alone is no matter of values. Neither is a parameter that the text does not name any more.
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
    """The program without some of its values."""
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
        lines[line - 1:end_line] = [before + b"forgotten_%d" % (number % 8) + after]
    names = ", ".join(f"forgotten_{i}" for i in range(8))
    made = b"".join(lines).decode()
    docstring = tree.body[0].end_lineno if isinstance(tree.body[0], ast.Expr) else 0
    rows = made.splitlines(keepends=True)
    rows.insert(docstring, f"from nowhere_to_be_found import {names}\n")
    return "".join(rows)


def sources():
    """[(name of the linted file, {file: text})]"""
    for path in sorted((ROOT / "examples" / "sim").glob("*.py")):
        yield path.name, {path.name: path.read_text(encoding="utf-8")}
    for folder in sorted((ROOT / "examples" / "custom").iterdir()):
        files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
        yield folder.name + "_impl.py", files


def alarms(program, paths):
    """The findings about values of these files, as text."""
    done = subprocess.run([program, *paths], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found, current = [], ""
    for line in done.stdout.splitlines():
        one = re.match(r"  \d+: (KS\d\d) (certain|likely) ", line)
        if one is None:
            current = line.split(":")[0]
        elif OF_VALUES.match(one.group(1)) and NOT_NAMED not in line and \
                "exists on Ascend 950 only" not in line:
            found.append(f"{current}{line}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("drive")
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    known = list(sources())
    if len(known) < 40:
        raise SystemExit(f"only {len(known)} samples found")
    with tempfile.TemporaryDirectory() as name:
        folder, paths = pathlib.Path(options.keep or name), []
        for number in range(options.programs):
            linted, files = known[number % len(known)]
            place = folder / f"{number:05}"
            place.mkdir(parents=True)
            least = generator.choice((2, 6, 20))
            for file, text in files.items():
                (place / file).write_text(forgotten(text, generator, least), encoding="utf-8")
            paths.append(str(place / linted))
        found = []
        for start in range(0, len(paths), 200):
            found += alarms(options.drive, paths[start:start + 200])
    for line in found[:40]:
        print("false alarm:", line)
    print(f"{options.programs} programs, {len(found)} false alarms")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
