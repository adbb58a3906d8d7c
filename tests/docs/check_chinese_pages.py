#!/usr/bin/env python3
"""Check that the Chinese rule pages in docs/rules/zh say what the English ones in docs/rules say.

For each page: there is an English one, the title is the one of its front matter, headings correspond one to
one, code blocks are equal and in the same sections, tables have as many rows, lists as many entries, and the
code within the text (`pypto.view`) is the same. What the sentences say is for a reader.

Usage: check_chinese_pages.py [DIR]         exit status 0: all well, 1: problems, one a line on stdout
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADING_ROW = re.compile(r'\{"(## [^"]+)", "(## [^"]+)"\}')
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LIST_ENTRY = re.compile(r"\s*(?:-|\d+\.) ")


def known_headings():
    """{English: Chinese}, from the table that the program uses."""
    return dict(HEADING_ROW.findall((ROOT / "src/lint/page_text.c").read_text(encoding="utf-8")))


def sections(text):
    """List of (heading, lines outside of code blocks, code blocks with their fences). Directives above the blocks
    of English pages are left out."""
    found, block = [("", [], [])], None
    for line in text.splitlines():
        if block is not None:
            block.append(line)
            if line.startswith("```"):
                found[-1][2].append("\n".join(block))
                block = None
        elif line.startswith("```"):
            block = [line]
        elif re.match(r"#+ ", line):
            found.append((line, [], []))
        elif not line.startswith("<!-- lint: "):
            found[-1][1].append(line)
    return found


def code_words(lines):
    text = " ".join(lines)
    return {" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)}


def count(lines, pattern):
    return sum(re.match(pattern, line) is not None for line in lines)


def compare_section(english, chinese):
    """What differs between two sections that have corresponding headings."""
    (_, lines_en, blocks_en), (_, lines_zh, blocks_zh) = english, chinese
    if blocks_en != blocks_zh:
        yield "the code blocks differ from those of the English page"
    if CHINESE.search("".join(lines_zh)) is None and "".join(lines_en).strip():
        yield "no Chinese text"
    for what, pattern in (("rows of tables", r"\|"), ("entries of lists", LIST_ENTRY)):
        if count(lines_en, pattern) != count(lines_zh, pattern):
            yield f"{count(lines_zh, pattern)} {what}, {count(lines_en, pattern)} in English"
    missing, added = code_words(lines_en) - code_words(lines_zh), code_words(lines_zh) - code_words(lines_en)
    if missing:
        yield f"code missing in the text: {sorted(missing)}"
    if added:
        yield f"code that the English text does not have: {sorted(added)}"


def check_page(path, english_path, headings):
    if not english_path.is_file():
        yield "no English page has this id"
        return
    front, body = english_path.read_text(encoding="utf-8").split("\n---\n", 1)
    english = sections(body)
    text = path.read_text(encoding="utf-8")
    chinese = sections(text)
    if "<!-- lint:" in text or re.search(r"[ \t]$", text, re.M):
        yield "a directive, or white space at the end of a line"
    title = re.search(r"^title_zh: (.*)$", front, re.M)[1]
    wanted = ["", f"# {path.stem}：{title}"] + [headings.get(section[0], section[0]) for section in english[2:]]
    given = [section[0] for section in chinese]
    same = len(wanted) == len(given) and all(
        b == a or (a.startswith("### ") and b.startswith("### ") and CHINESE.search(b))
        for a, b in zip(wanted, given))
    if not same:
        yield f"headings are {given}, expected {wanted}"
        return
    for section_en, section_zh in zip(english, chinese):
        for problem in compare_section(section_en, section_zh):
            yield f"{section_zh[0]}: {problem}"


def main(arguments):
    folder = Path(arguments[0]) if arguments else ROOT / "docs/rules/zh"
    headings = known_headings()
    pages = sorted(folder.glob("*.md"))
    problems = [] if pages and headings else ["no pages, or no table of headings"]
    for path in pages:
        problems.extend(f"zh/{path.name}: {problem}"
                        for problem in check_page(path, folder.parent / path.name, headings))
    print("\n".join(problems) or f"{len(pages)} Chinese pages: all well")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
