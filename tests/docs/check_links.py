#!/usr/bin/env python3
"""Checks every relative link of the documents: the file is there, and the heading that a link names.
Pages that sources, scripts and tests name (`docs/ci/github.md`) must be there, too, docs/README.md
must list every page, and a program that a document starts by its path must be there and executable.

    check_links.py [ROOT]        exit status 0: all well, 1: problems, one a line on stdout

Anchors are those that GitHub makes of headings. `tests/quality/check_tree.py` looks at files only.
"""
import os
import pathlib
import re
import sys
import urllib.parse

NEWLINE = "\n"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"#{1,6} +(.*?)(?: +#+)? *$")
NAMED = re.compile(r"(?<![\w/.-])docs/[\w/-]+\.md")
# A line of code that starts a program of the tree, or a span of code that gives one an argument.
STARTED = re.compile(r"^(?: {4}|\$ )?(?:\./)?((?:scripts|tests)/[\w./-]+)(?= |$)|`(?:\./)?((?:scripts|tests)/[\w./-]+)(?= )",
                     re.M)
EXAMPLES = {"docs/page.md", "docs/rules/OLNN.md", "docs/clients/quill.md"}  # made up by a comment or a test
SOURCES = ("src", "rules", "runtime", "scripts", "tests", "hooks", "cmake")
SUFFIXES = {".c", ".h", ".def", ".py", ".sh", ".txt", ".cmake", ".ts", ".yml", ".yaml"}
SKIPPED = {"build", "node_modules", "fixtures", "snapshots"}


def lines_outside_code(text):
    """(number, line) of the lines that are not in a fenced block."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" *(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark.group(1)
        elif fence is not None:
            if mark and mark.group(1).startswith(fence) and line.strip() == mark.group(1):
                fence = None
        else:
            yield number, line


def anchors(text):
    """The anchors of a document: lower case, blanks as hyphens, punctuation dropped, -1 for the second."""
    seen, result = {}, set()
    for _, line in lines_outside_code(text):
        match = HEADING.match(line)
        if not match:
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match.group(1)).lower()
        name = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        result.add(f"{name}-{count}" if count else name)
    return result


def prose(text):
    """The text without code, with the same line numbers. Links and code spans may go over line ends."""
    lines = [""] * len(text.splitlines())
    for number, line in lines_outside_code(text):
        lines[number - 1] = line
    return re.sub(r"(`+)(?:(?!\n\n).)+?\1", lambda match: NEWLINE * match.group().count(NEWLINE),
                  NEWLINE.join(lines), flags=re.S)


def check(path, root):
    """(number of relative links, problems) of one document."""
    count, problems = 0, []
    text = prose(path.read_text(encoding="utf-8"))
    for match in LINK.finditer(text):
        target = match.group(1)
        # `[text](1)` is how SARIF refers to a related place.
        if re.match(r"[a-z]+:|\d+$", target):
            continue
        count += 1
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        other = (path.parent / name).resolve() if name else path
        where = f"{path.relative_to(root)}:{text.count(NEWLINE, 0, match.end()) + 1}: {target}"
        if root != other and root not in other.parents:
            problems.append(f"{where}: outside the repository")
        elif not other.exists():
            problems.append(f"{where}: no such file")
        elif anchor and (other.suffix != ".md" or anchor not in anchors(other.read_text(encoding="utf-8"))):
            problems.append(f"{where}: no such heading")
    return count, problems


def sources(root):
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and not SKIPPED & set(path.parts):
                yield path


def named_pages(path, root):
    """Problems of one source file: pages that it names and that are not there."""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        for page in NAMED.findall(line):
            if page not in EXAMPLES and not (root / page).is_file():
                yield f"{path.relative_to(root)}:{number}: {page}: no such page"


def unlisted(root):
    """Problems: pages of docs/ that the index, docs/README.md, does not list. docs/rules/ and
    docs/clients/ have indexes of their own."""
    index = root / "docs/README.md"
    if index.is_file():
        linked = {(index.parent / target.partition("#")[0]).resolve()
                  for target in LINK.findall(prose(index.read_text(encoding="utf-8")))}
        for page in sorted((root / "docs").rglob("*.md")):
            folder = page.relative_to(root).parts[1]
            if folder not in ("rules", "clients") and page != index and page.resolve() not in linked:
                yield f"docs/README.md does not list {page.relative_to(root)}"


def unstartable(path, root):
    """Problems of one document: programs that it starts by their paths and that the shell would refuse."""
    text = path.read_text(encoding="utf-8")
    for match in STARTED.finditer(text):
        program = root / (match.group(1) or match.group(2))
        if program.suffix != ".c" and not (program.is_file() and os.access(program, os.X_OK)):
            line = text.count(NEWLINE, 0, match.start()) + 1
            yield f"{path.relative_to(root)}:{line}: {program.relative_to(root)}: not an executable file"


def documents(root):
    for path in sorted(root.rglob("*.md")):
        folders = path.relative_to(root).parts[:-1]
        if not any(part in SKIPPED or part.startswith(".") for part in folders):
            yield path


def selftest():
    found = anchors("# The `a` b_c\n```\n# code\n```\n## Two: words, x\n## Two words x\n## Two words x\n")
    assert found == {"the-a-b_c", "two-words-x", "two-words-x-1", "two-words-x-2"}, found


def main(arguments):
    selftest()
    root = pathlib.Path(arguments[0] if arguments else __file__).resolve()
    root = root if arguments else root.parents[2]
    results = [check(path, root) for path in documents(root)]
    total = sum(count for count, _ in results)
    problems = [problem for _, some in results for problem in some]
    problems += [problem for path in sources(root) for problem in named_pages(path, root)]
    problems += list(unlisted(root))
    problems += [problem for path in documents(root) for problem in unstartable(path, root)]
    if total < 30:
        problems.append(f"only {total} links found in {len(results)} documents")
    print("\n".join(problems) if problems else f"{total} links in {len(results)} documents: all lead somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
