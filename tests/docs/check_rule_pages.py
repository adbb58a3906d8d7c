#!/usr/bin/env python3
"""Check the form of the rule pages in docs/rules.

The pages are read by the build (compiled into the binary), by `pypto-lint explain`, by the SARIF
report and by the test that lints their examples. This script checks what those readers rely on:
front matter, sections, example blocks and the index. It does not run the linter.

Usage: check_rule_pages.py [DIR]            exit status 0: all well, 1: problems, one a line on stdout

scripts/make_lists.py brings the table of README.md up to date.
"""
import ast
import re
import sys
from pathlib import Path

KEYS = ["id", "name", "title", "title_zh", "severity", "dimension", "effort", "stages", "target",
        "fix", "fix_note", "since"]
OPTIONAL_KEYS = {"effort"}
VALUES = {
    "id": r"(OL|KS)\d\d",
    "name": r"[a-z][a-z0-9]*(-[a-z0-9]+)*",
    "title": r"[A-Za-z][^.:#`]*[^.:#`\s]",
    "title_zh": r"(?=.*[\u4e00-\u9fff])[^。:#`]+",
    "severity": r"S[0-3]",
    "dimension": r"D[1-5]",
    "effort": r"E[1-3]",
    "stages": r"\[[1-7](, [1-7])*\]",
    "target": r"impl|golden|test|gate|any",
    "fix": r"none|suggest|safe",
    "fix_note": r"[^|]*[^|.\s]",  # what the fix does, or why there is none; for fixes.md
    "since": r"\d+\.\d+\.\d+",
}
SECTIONS = ["Why", "Wrong", "Right", "How to fix", "What is reported", "Differences from the Python linter"]
OPTIONAL_SECTIONS = {"Differences from the Python linter"}
# Rules that fire on a file that does not parse: their Wrong examples need not be Python.
REPORT_UNPARSABLE = {"OL00", "OL23", "OL57", "OL58"}
FORBIDDEN = re.compile(r"/work/|/tmp/|\bspec/|upstream|DIVERGENCE|S-NOJIT|S-EMPTY|S-UNPARSED", re.I)
DIRECTIVE = re.compile(r"<!-- lint: (PASS|FAIL|WARN|INFO)((?: [a-z]+=\S+)*) -->")
PY_FILE = re.compile(r"# file: (\S+\.py)$")
OTHER_FILE = re.compile(r"<!-- file: (\S+) -->$")


class Page:
    """One page, cut into front matter and sections; problems are collected, not raised."""

    def __init__(self, path, problems):
        self.path = path
        self.problems = problems
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.front = {}
        self.body_start = self.read_front_matter()
        self.sections = self.cut_sections()

    def problem(self, line, text):
        self.problems.append(f"{self.path.name}:{line}: {text}")

    def read_front_matter(self):
        if not self.lines or self.lines[0] != "---" or "---" not in self.lines[1:]:
            self.problem(1, "no front matter")
            return 0
        end = self.lines.index("---", 1)
        for number, line in enumerate(self.lines[1:end], 2):
            key, separator, value = line.partition(": ")
            if not separator or key in self.front:
                self.problem(number, f"not one `key: value`: {line}")
            self.front[key] = value
        return end + 1

    def cut_sections(self):
        """List of [heading, first line number, lines]; headings inside code fences are text."""
        sections = [["", self.body_start + 1, []]]
        fenced = False
        for number, line in enumerate(self.lines[self.body_start:], self.body_start + 1):
            if line.startswith("```"):
                fenced = not fenced
            if not fenced and re.match(r"##? ", line):
                sections.append([line, number + 1, []])
            else:
                sections[-1][2].append(line)
        if fenced:
            self.problem(len(self.lines), "code fence not closed")
        return sections


def check_front(page):
    front = page.front
    expected = [key for key in KEYS if key in front or key not in OPTIONAL_KEYS]
    if list(front) != expected:
        page.problem(1, f"keys are {list(front)}, expected {expected}")
        return
    for key, value in front.items():
        if not re.fullmatch(VALUES[key], value):
            page.problem(2, f"bad value of {key}: {value}")
    if front["id"] != page.path.stem:
        page.problem(2, "id differs from the file name")
    stages = re.findall(r"\d", front["stages"])
    if stages != sorted(set(stages)):
        page.problem(2, "stages not in ascending order")
    if front["target"] == "golden" and front["dimension"] != "D3":
        page.problem(2, "a rule about the golden belongs to D3")
    if front["title"] == front["title_zh"] or len(front["title"]) > 72:
        page.problem(2, "title too long or not translated")


def check_sections(page):
    heading = f"# {page.front.get('id')}: {page.front.get('title')}"
    headings = [section[0] for section in page.sections]
    wanted = ["", heading] + [f"## {name}" for name in SECTIONS
                              if name not in OPTIONAL_SECTIONS or f"## {name}" in headings]
    if headings != wanted:
        page.problem(page.body_start, f"headings are {headings}, expected {wanted}")
        return
    for heading, number, lines in page.sections[1:]:
        if not "".join(lines).strip():
            page.problem(number, f"nothing below {heading}")
    fix = page.front.get("fix")
    _, number, lines = page.sections[wanted.index("## How to fix")]
    text = "\n".join(lines)
    classes = {word for word in ("safe", "suggest") if f"utofix `{word}`" in text}
    best = "safe" if "safe" in classes else "suggest" if classes else "none"
    says_none = "no autofix" in " ".join(text.split()).lower()
    if fix != best or (fix == "none") != says_none:
        says = "No autofix" if fix == "none" else f"Autofix `{fix}`"
        page.problem(number, f"fix is {fix}, so How to fix must say '{says}'"
                     + (f", and not {', '.join(sorted(classes))}" if classes - {fix} else "")
                     + (", and not 'no autofix'" if says_none and fix != "none" else ""))


def read_blocks(page, section):
    """Yield (line number, language, directive match or None, lines) of each fence of a section."""
    _, start, lines = section
    index = 0
    while index < len(lines):
        if not lines[index].startswith("```"):
            index += 1
            continue
        end = next((k for k in range(index + 1, len(lines)) if lines[k].startswith("```")), len(lines))
        directive = DIRECTIVE.fullmatch(lines[index - 1]) if index else None
        yield start + index, lines[index][3:], directive, lines[index + 1:end]
        index = end + 1


def check_options(page, number, directive):
    options = dict(option.split("=", 1) for option in directive.group(2).split())
    for key in options.keys() - {"stage", "file", "phase"}:
        page.problem(number, f"unknown option {key}")
    if options.get("stage", "5") not in re.findall(r"\d", page.front.get("stages", "")):
        page.problem(number, "the rule does not run at this stage")
    return options


def split_files(language, lines):
    """Cut a block into {file name: text}; Python text keeps its line numbers within the file."""
    marker = PY_FILE if language == "python" else OTHER_FILE
    files, name = {}, "rowscale_impl.py" if language == "python" else None
    for line in lines:
        match = marker.match(line)
        if match:
            name = match.group(1)
            files[name] = []
        elif name is None:
            return None
        else:
            files.setdefault(name, []).append(line)
    return {name: "\n".join(text) + "\n" for name, text in files.items()}


def check_block(page, kind, number, language, directive, lines):
    if directive is None:
        page.problem(number, "no lint directive on the line before the block")
        return
    status = directive.group(1)
    if (status == "PASS") != (kind == "Right"):
        page.problem(number, f"status {status} in section {kind}")
    options = check_options(page, number, directive)
    if language not in ("python", "markdown", "json", "yaml"):
        page.problem(number, f"language {language!r}")
        return
    files = split_files(language, lines)
    if not files:
        page.problem(number, "no `file:` marker on the first line")
        return
    if "file" in options and options["file"] not in files:
        page.problem(number, f"the block has no file {options['file']}")
    may_break = kind == "Wrong" and page.front.get("id") in REPORT_UNPARSABLE
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        try:
            ast.parse(text)
        except SyntaxError as error:
            if not may_break:
                page.problem(number, f"{name}: {error}")
        else:
            if may_break and page.front["id"] == "OL00":
                page.problem(number, f"{name}: parses, but the page is about broken files")


def check_examples(page):
    for heading, number, lines in page.sections:
        kind = heading[3:]
        blocks = list(read_blocks(page, [heading, number, lines]))
        if kind in ("Wrong", "Right"):
            if not blocks:
                page.problem(number, f"no example in section {kind}")
            for block in blocks:
                check_block(page, kind, *block)
        elif blocks or any("<!-- lint:" in line for line in lines):
            page.problem(number, "code blocks belong into Wrong and Right only")


def check_text(page):
    for number, line in enumerate(page.lines, 1):
        if FORBIDDEN.search(line):
            page.problem(number, f"not for readers: {line.strip()}")
        if line != line.rstrip() or "\t" in line:
            page.problem(number, "white space at the end of the line, or a tab")


def check_unique(pages, problems):
    for key in ("id", "name", "title", "title_zh"):
        seen = {}
        for page in pages:
            value = page.front.get(key)
            if value in seen:
                problems.append(f"{page.path.name}: {key} is that of {seen[value]}")
            seen[value] = page.path.name


def index_rows(pages):
    rows = []
    for page in pages:
        front = {key: page.front.get(key, "") for key in KEYS}
        stages = " ".join(re.findall(r"\d", front["stages"]))
        rows.append(f"| [{front['id']}]({front['id']}.md) | `{front['name']}` | {front['severity']} "
                    f"| {front['title']} | {stages} | {front['target']} | {front['fix']} |")
    return rows


def check_index(folder, pages, problems):
    text = (folder / "README.md").read_text(encoding="utf-8")
    found = [line for line in text.splitlines() if re.match(r"\| \[(?:OL|KS)\d\d\]", line)]
    wanted = index_rows(pages)
    problems.extend(f"README.md: missing or out of date: {line}" for line in wanted if line not in found)
    problems.extend(f"README.md: no such page: {line}" for line in found if line not in wanted)
    if sorted(found) == sorted(wanted) and found != wanted:
        problems.append("README.md: rows not in the order of the ids")


def check_fixes(folder, pages, problems):
    """fixes.md has a row for every rule: its class, or why there is none."""
    text = (folder / "fixes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\]\(\1\.md\) \| (?:(safe|suggest) \| )?\S.* \|$", text, re.M)
    wanted = [(page.front.get("id"), page.front.get("fix", "").replace("none", "")) for page in pages]
    problems.extend(f"fixes.md: {rule} ({fix or 'none'}) is missing" for rule, fix in wanted if (rule, fix) not in rows)
    problems.extend(f"fixes.md: {row[0]} is not right, or there twice" for row in rows if row not in wanted or rows.count(row) > 1)


def check_retired(folder, pages, problems):
    text = (folder / "retired.md").read_text(encoding="utf-8")
    match = re.match(r"---\nretired: \[(OL\d\d(?:, OL\d\d)*)\]\n---\n", text)
    retired = match.group(1).split(", ") if match else []
    if not retired or re.findall(r"^\| (OL\d\d) \|", text, re.M) != retired:
        problems.append("retired.md: front matter and table differ")
    for page in pages:
        if page.front.get("id") in retired:
            problems.append(f"{page.path.name}: the id is retired")


def check_links(folder, problems):
    for path in sorted(folder.glob("*.md")):
        for target in re.findall(r"\]\(([^)#:\s]+\.md)\)", path.read_text(encoding="utf-8")):
            if not (path.parent / target).is_file():
                problems.append(f"{path.name}: link to {target} leads nowhere")


def main(arguments):
    default = Path(__file__).resolve().parents[2] / "docs" / "rules"
    folder = Path(arguments[0]) if arguments else default
    problems = []
    pages = [Page(path, problems) for path in sorted(folder.glob("[OK][LS]*.md"))]
    if not pages:
        problems.append(f"no pages in {folder}")
    for page in pages:
        check_front(page)
        check_sections(page)
        check_examples(page)
        check_text(page)
    check_unique(pages, problems)
    check_index(folder, pages, problems)
    check_fixes(folder, pages, problems)
    check_retired(folder, pages, problems)
    check_links(folder, problems)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(pages)} rule pages: all well")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
