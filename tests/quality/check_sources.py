#!/usr/bin/env python3
"""Checks the C sources: banned functions, length of files, functions and lines.

Lengths are limits beyond which a reader loses the thread, not aims. A function counts the lines
between its braces, in the layout of .clang-format.
"""
import re
import sys
import unicodedata

import tree

MAX_FILE = 800
MAX_FUNCTION = 60
MAX_LINE = 100
ONE_PAGE = {"tests/sarif/worked_example.c"}  # docs/internals/libsarif.md shows it from top to bottom
BANNED = ["strcpy", "strcat", "sprintf", "vsprintf", "strtok", "system", "gets", "popen", "alloca",
          "tmpnam", "mktemp"]
CALL = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
# Only the command line and the hooks end the process or write to the standard streams.
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')
EXITS = re.compile(r"(?<![\w.>])(exit|abort|printf|puts|putchar|perror)\s*\(")


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c)
               for c in line)


def tokens(line):
    """How many words a line has; a literal is one. One that is longer than a line may stick out."""
    return len(LITERAL.sub('""', line).split())


def functions(text):
    """(name, first line, number of lines) of the function bodies; `text` is blanked."""
    lines = text.split("\n")
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("{") and start is None:
            start = number
        elif line.startswith("}") and start is not None:
            head = " ".join(lines[max(0, start - 8) : start - 1])
            names = re.findall(r"(\w+)\s*\(", head[max(head.rfind("}"), head.rfind(";")) + 1 :])
            yield (names or ["?"])[0], start, number - start - 1
            start = None


def check(path):
    text = tree.read(path)
    code = tree.blank(text)
    lines = text.count("\n")
    if lines > MAX_FILE:
        yield f"{path}: {lines} lines, at most {MAX_FILE}"
    for name, start, count in functions(code):
        if count > MAX_FUNCTION and str(path) not in ONE_PAGE:
            yield f"{path}:{start}: {name} has {count} lines, at most {MAX_FUNCTION}"
    formatted = True
    for number, line in enumerate(text.split("\n"), 1):
        if "clang-format o" in line:
            formatted = "clang-format on" in line
        if formatted and width(line) > MAX_LINE and tokens(line) > 2:
            yield f"{path}:{number}: {width(line)} columns, at most {MAX_LINE}"
        if line != line.rstrip():
            yield f"{path}:{number}: blanks at the end of the line"
    quiet = path.parts[0] in ("src", "rules") and path.parts[1] not in ("cli", "hook")
    for number, line in enumerate(code.split("\n"), 1):
        for match in CALL.finditer(line):
            yield f"{path}:{number}: {match[1]} is banned"
        for match in EXITS.finditer(line) if quiet else ():
            if match[1] != "abort" or path.parts[1] != "base":  # base/: a broken promise of ours
                yield f"{path}:{number}: {match[1]}: only src/cli and src/hook print or exit"


def self_test():
    """The checks can fail: a banned call is seen, one in a comment or a text is not."""
    code = tree.blank('int f(void)\n{\n    strcpy(a, "sprintf("); /* gets( */\n}\n')
    assert [m[1] for m in CALL.finditer(code)] == ["strcpy"], code
    assert list(functions(code)) == [("f", 2, 1)], list(functions(code))
    assert tokens('    "one long literal",') == 1 and tokens('int f = g("a b", "c d");') == 5


def main():
    self_test()
    paths = tree.own_c_files()
    problems = [problem for path in paths for problem in check(path)]
    if len(paths) < 100:
        problems.append(f"only {len(paths)} sources found")
    return tree.finish(problems)


if __name__ == "__main__":
    sys.exit(main())
