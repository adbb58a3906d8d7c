#!/usr/bin/env python3
"""Brings the lists of commands, output formats and rules in docs/ up to date, or checks them.

Usage: make_lists.py [--check]

They are made from src/cli/commands.def, src/report/formats.def and the pages of the rules, and are between the comments
<!-- list of … --> and <!-- end of list -->.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
STRING = r'"(?:\\.|[^"\\])*"'


def rows(path):
    """The rows of an X-macro file, as lists of their arguments: str, or None for NULL."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / path).read_text(encoding="utf-8"), flags=re.S)
    for call in re.findall(rf"^[A-Z]+\(((?:{STRING}|[^\"()])*)\)$", text, re.M):
        arguments = re.findall(rf"((?:{STRING}\s*)+|\w+)\s*(?:,|$)", call)
        yield [None if argument == "NULL" else argument if argument[0] != '"' else
               "".join(part[1:-1] for part in re.findall(STRING, argument)) for argument in arguments]


def cell(text):
    return text.replace("|", "\\|")


def link(page, own):
    name, _, place = page.partition("#")
    if name == own:
        return f"[see below](#{place})"
    return f"[{pathlib.Path(name).parent.name if name.endswith('/README.md') else pathlib.Path(name).stem}]({page})"


def command_list():
    yield "| command | what it does |"
    yield "| --- | --- |"
    for _, _, usage, summary, _, page in rows("src/cli/commands.def"):
        if summary is not None:
            more = f": {link(page, 'command-line.md')}" if page else ""
            yield f"| `pypto-lint {cell(usage)}` | {cell(summary)}{more} |"


def format_list():
    yield "| format | for | form |"
    yield "| --- | --- | --- |"
    for name, _, readers, form in rows("src/report/formats.def"):
        yield f"| `{name}` | {readers} | {cell(form)} |"


def rule_pages():
    """The front matter of each rule's page, in the order of the ids."""
    for path in sorted((ROOT / "docs/rules").glob("[A-Z][A-Z][0-9][0-9].md")):
        head = path.read_text(encoding="utf-8").split("\n---\n")[0]
        yield dict(line.split(": ", 1) for line in head.splitlines()[1:])


def rule_list():
    yield "| id | name | severity | title | stages | target | fix |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for front in rule_pages():
        stages = " ".join(re.findall(r"\d", front["stages"]))
        yield (f"| [{front['id']}]({front['id']}.md) | `{front['name']}` | {front['severity']} | {cell(front['title'])} | {stages} "
               f"| {front['target']} | {front['fix']} |")


def fix_list():
    yield from ("## With a fix", "", "| rule | fix | what it does |", "| --- | --- | --- |")
    for front in rule_pages():
        if front["fix"] != "none":
            yield f"| [{front['id']}]({front['id']}.md) | {front['fix']} | {front['fix_note']} |"
    yield from ("", "## Without a fix, and why", "", "| rule | why |", "| --- | --- |")
    for front in rule_pages():
        if front["fix"] == "none":
            yield f"| [{front['id']}]({front['id']}.md) | {front['fix_note']} |"


LISTS = {"docs/command-line.md": ("commands", command_list),
         "docs/ci/output-formats.md": ("formats", format_list),
         "docs/rules/README.md": ("rules", rule_list),
         "docs/rules/fixes.md": ("fixes", fix_list)}


def main():
    status = 0
    for name, (what, make) in LISTS.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        begin, end = f"<!-- list of {what} -->\n", "<!-- end of list -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise SystemExit(f"{name} has no list of {what}")
        wanted = before + begin + "\n" + "\n".join(make()) + "\n\n" + end + after
        if wanted != text and "--check" in sys.argv[1:]:
            print(f"{name}: the list of {what} is out of date: run scripts/make_lists.py")
            status = 1
        elif wanted != text:
            path.write_text(wanted, encoding="utf-8")
            print(f"{name}: the list of {what} is brought up to date")
    return status


if __name__ == "__main__":
    sys.exit(main())
