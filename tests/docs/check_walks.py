#!/usr/bin/env python3
"""The walks of docs/internals/: each function that a page names is defined in the file that it names, and the
functions that one function calls itself are in the order in which its text has them.

    check_walks.py

A row is `| 12 | ·· \`function\` | \`file\` | … |`. Rows are numbered from 1 without a gap, at most 32 to a
page, and none is indented by more than one step against the row before it. A name that is not in its
file is reported with the files that define it now. Calls through other functions, pointers or languages
cannot be seen, so their order is not checked.
"""
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["walk-file.md", "walk-hook-event.md", "walk-verify-case.md", "walk-kernel.md"]
ROW = re.compile(r"\| (\d+) \| (?:(·+) )?`(\w+)` \| `([\w/.-]+)` \| \S.* \|$")
MOST = 32
FOLDERS = ("src", "rules", "runtime")


def defines(path, name):
    """Does the source file define this function (Python: or method)?"""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return re.search(rf"^ *(?:def|class) {name}\b", text, re.M) is not None
    # At the start of a line a type, then the name, then everything up to a `{` without `;`.
    return re.search(rf"^\w[\w *]*?\b{name}\([^;{{]*\)\s*\{{", text, re.M) is not None


def places(name):
    """The files that define the name."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".py") and defines(path, name):
                yield str(path.relative_to(ROOT))


def body(path, name):
    """The text of a function, without its head; "" when it cannot be found."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return "\n".join(ast.get_source_segment(text, part) for node in ast.walk(ast.parse(text))
                         if isinstance(node, ast.FunctionDef) and node.name == name for part in node.body)
    found = re.search(rf"^\w[\w *]*?\b{name}\([^;{{]*\)\s*\{{(.*?)^\}}", text, re.M | re.S)
    return found.group(1) if found else ""


def order_problems(rows):
    """Rows are (line, depth, name, file). Of two rows with the same caller, the second must not be called first."""
    open_rows, last = [], {}
    for line, depth, name, file in rows:
        del open_rows[depth:]
        if open_rows:
            number, _, caller, caller_file = open_rows[-1]
            found = re.search(rf"\b{name}\(", body(ROOT / caller_file, caller))
            if found and found.start() < last.get(number, (0, ""))[0]:
                yield f"{line}: `{caller}` calls `{name}` before `{last[number][1]}`"
            elif found:
                last[number] = found.start(), name
        open_rows.append((line, depth, name, file))


def row_problem(name, file):
    if not (ROOT / file).is_file():
        trouble = f"there is no {file}"
    elif not defines(ROOT / file, name):
        trouble = f"{file} does not define it"
    else:
        return None
    return f"`{name}`: {trouble}; defined in: {', '.join(places(name)) or 'no file'}"


def page_problems(text):
    rows, depth, known = 0, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if not re.match(r"\| \d", line):
            continue
        match = ROW.fullmatch(line)
        if not match:
            yield f"{number}: not a row of a walk: {line}"
            continue
        rows += 1
        if int(match.group(1)) != rows:
            yield f"{number}: row {match.group(1)} should be {rows}"
        steps = len(match.group(2) or "")
        if steps > depth + 1:
            yield f"{number}: `{match.group(3)}` is indented too far"
        depth = steps
        problem = row_problem(match.group(3), match.group(4))
        if problem:
            yield f"{number}: {problem}"
        else:
            known.append((number, steps, match.group(3), match.group(4)))
    yield from order_problems(known)
    if not 10 <= rows <= MOST:
        yield f"1: {rows} functions, wanted are 10 to {MOST}"


def selftest():
    row = "| 1 | `main` | `src/cli/main.c` | x |"
    wrong = list(page_problems("\n".join(
        [row, "| 2 | ··· `main` | `src/cli/main.c` | x |", "| 4 | `no_such` | `src/cli/main.c` | x |",
         "| 4 | `main` | `src/none.c` | x |", "| 5 | main | x |"])))
    words = ["indented too far", "row 4 should be 3", "does not define it; defined in: no file",
             "there is no src/none.c; defined in: src/", "not a row", "4 functions"]
    assert len(wrong) == len(words) and all(word in found for word, found in zip(words, wrong)), wrong
    rows = [(1, 0, "hook_run", "src/hook/hook_run.c"), (2, 1, "judge", "src/hook/hook_run.c"),
            (3, 1, "read_event", "src/hook/hook_run.c"), (4, 1, "hook_failsafe_stop", "src/hook/hook_failsafe.c")]
    assert list(order_problems(rows)) == ["3: `hook_run` calls `read_event` before `judge`"]


def main():
    selftest()
    problems = [f"docs/internals/{page}:{problem}" for page in PAGES
                for problem in page_problems((ROOT / "docs/internals" / page).read_text(encoding="utf-8"))]
    print("\n".join(problems) or "all names are where the walks say")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
