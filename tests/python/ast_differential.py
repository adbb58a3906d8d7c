#!/usr/bin/env python3
"""Compares our syntax tree with Python's own, node by node.

    ast_differential.py AST_DUMP PATH...             files and trees of .py files
    ast_differential.py AST_DUMP --mutate N PATH...  N broken or odd variants of them besides

Kinds, order, depth, lines, columns and names must be those of `ast`; a file that `ast.parse` rejects must have an error,
one that it accepts must have none. Grammar newer than this interpreter is skipped by the caller's choice of files.
"""
import ast
import io
import os
import random
import subprocess
import sys
import tempfile
import tokenize
import warnings

warnings.simplefilter("ignore")
SKIPPED = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
MAX_SHOWN = 30


def name_of(node):
    for field in ("id", "attr", "name", "arg", "module", "rest"):
        if isinstance(node, ast.Constant):
            return ""
        value = getattr(node, field, None)
        if isinstance(value, str):
            return value
    return ""


def positions(node, lines):
    if not hasattr(node, "lineno"):
        return None
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else b""
    column = len(line[: node.col_offset].decode("utf-8", "replace")) + 1
    return node.lineno, column


def walk(node, depth, lines, out):
    inside_format = isinstance(node, ast.JoinedStr)
    kind = type(node).__name__
    out.append((depth, kind, positions(node, lines), name_of(node)))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SKIPPED):
            continue
        if inside_format and isinstance(child, ast.Constant):
            continue  # pieces of text: cut differently
        walk(child, depth + 1, lines, out)


def normalise_ours(rows):
    """Drops the text pieces of f-strings and what has no position in `ast`."""
    out = []
    joined = []
    for depth, kind, line, column, name in rows:
        while joined and joined[-1] >= depth:
            joined.pop()
        if kind == "Constant" and joined and joined[-1] == depth - 1:
            continue
        if kind == "JoinedStr":
            joined.append(depth)
        out.append((depth, kind, (line, column), name))
    return out


def in_format(theirs_or_ours):
    """f-string positions are unreliable before 3.12: nodes below a JoinedStr compare without position."""
    out = []
    joined = []
    for depth, kind, position, name in theirs_or_ours:
        while joined and joined[-1] >= depth:
            joined.pop()
        if joined:
            position = None
        if kind == "JoinedStr":
            joined.append(depth)
            if len(joined) > 1:
                position = None
        out.append((depth, kind, position, name))
    return out


def compare(path, text, ours):
    errors = [row for row in ours if row[0] == "ERROR"]
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        if errors:
            return None
        return f"{path}: accepted, but Python says: {error}"
    except (RecursionError, MemoryError):
        return None
    if errors:
        return f"{path}: rejected ({' '.join(errors[0][1:])}), but Python accepts it"
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    theirs = []
    sys.setrecursionlimit(20000)
    walk(tree, 0, lines, theirs)
    theirs = in_format(theirs)
    rows = [(int(r[0]), r[1], int(r[2]), int(r[3]), r[4] if len(r) > 4 else "") for r in ours]
    mine = in_format(normalise_ours(rows))
    for index in range(max(len(mine), len(theirs))):
        a = mine[index] if index < len(mine) else None
        b = theirs[index] if index < len(theirs) else None
        if a is None or b is None or a[:2] != b[:2] or a[3] != b[3] or (b[2] and a[2] and a[2] != b[2]):
            return f"{path}: node {index}: ours {a}, Python {b}"
    return None


class Dumper:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def dump(self, path):
        self.process.stdin.write(path.encode() + b"\n")
        self.process.stdin.flush()
        rows = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"ast_dump died on {path}")
            line = line.decode("utf-8", "replace").rstrip("\n")
            if line == "END":
                return rows
            if not line.startswith("FILE "):
                rows.append(line.split(" ", 4))


def tokens_of(text):
    try:
        return [t for t in tokenize.tokenize(io.BytesIO(text).readline) if t.type != tokenize.ENCODING]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return []


def mutate(text, chance):
    """One small change of one line: a token removed, doubled, swapped with the next or replaced."""
    lines = text.decode("utf-8", "replace").split("\n")
    for _ in range(20):
        number = chance.randrange(len(lines))
        words = []
        word = ""
        for c in lines[number].strip():
            if c.isalnum() or c == "_":
                word += c
                continue
            if word:
                words.append(word)
                word = ""
            words.append(c)
        if word:
            words.append(word)
        if len(words) < 2:
            continue
        i = chance.randrange(len(words))
        how = chance.randrange(5)
        pool = "( ) [ ] { } , : ; = == := * ** . -> @ in not and or if else for lambda yield await async x 1 'a' f'{x}' None print import as from del with".split()
        if how == 0:
            del words[i]
        elif how == 1:
            words.insert(i, words[i])
        elif how == 2 and i + 1 < len(words):
            words[i], words[i + 1] = words[i + 1], words[i]
        elif how == 3:
            words[i] = chance.choice(pool)
        else:
            words.insert(i, " " + chance.choice(pool) + " ")
        indent = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
        lines[number] = indent + "".join(words)
        return "\n".join(lines).encode()
    return text


def python_files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith(".py"):
                    yield os.path.join(folder, name)


def snippets(text, chance):
    """Top-level statements of a file, for mutation: small inputs make errors visible."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    if not tree.body:
        return text
    node = chance.choice(tree.body)
    lines = text.split(b"\n")
    return b"\n".join(lines[node.lineno - 1 : node.end_lineno]) + b"\n"


def main():
    args = sys.argv[1:]
    dumper = Dumper(args.pop(0))
    count = 0
    seed = 1
    if args and args[0] == "--mutate":
        count = int(args[1])
        args = args[2:]
    if args and args[0] == "--seed":
        seed = int(args[1])
        args = args[2:]
    failures = 0
    checked = 0
    files = list(python_files(args))
    def show(problem):
        nonlocal failures
        failures += 1
        if failures <= MAX_SHOWN:
            print(problem)
    if count == 0:
        for path in files:
            with open(path, "rb") as file:
                text = file.read()
            if not text or b"\0" in text or text.startswith(b"\xef\xbb\xbf"):
                continue
            try:
                text.decode()
            except UnicodeDecodeError:
                continue
            checked += 1
            problem = compare(path, text, dumper.dump(path))
            if problem:
                show(problem)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mutant.py")
        for _ in range(count):
            with open(chance.choice(files), "rb") as file:
                text = file.read()
            try:
                text.decode()
            except UnicodeDecodeError:
                continue
            text = mutate(snippets(text, chance), chance)
            if not text:
                continue
            with open(path, "wb") as file:
                file.write(text)
            checked += 1
            problem = compare("mutant", text, dumper.dump(path))
            if problem:
                show(problem + "\n" + text.decode("utf-8", "replace")[:600] + "\n-----")
    print(f"{checked - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
