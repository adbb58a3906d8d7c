"""The two readers of Markdown the rules need: Python blocks and one section."""

import re

from model import File, ParseFailure, parse_text

OPEN = re.compile(r"```([A-Za-z0-9_+-]*)")
CLOSE = re.compile(r"```\s*\Z")
HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*\Z| {0,3}(#{1,6})\s{2,}\Z")
LANGUAGES = ("", "python", "py", "python3")


def python_blocks(rel, text):
    """Parsed Python blocks of a document whose line ends are LF already."""
    lines = text.split("\n")
    blocks = []
    at = 0
    while at < len(lines):
        fence = OPEN.match(lines[at])
        if not fence:
            at += 1
            continue
        end = next((k for k in range(at + 2, len(lines)) if CLOSE.match(lines[k])), None)
        if end is None:
            break
        body = "\n".join(lines[at + 1:end])
        if fence.group(1).lower() in LANGUAGES and body.strip():
            try:
                blocks.append(File.from_block(rel, parse_text(body), body, at + 1))
            except ParseFailure:
                pass
        at = end + 1
    return blocks


def body_start(text):
    """Offset behind a leading front matter, 0 when there is none."""
    if not text.startswith("---\n"):
        return 0
    end = text.find("\n---\n", 4)
    return 0 if end < 0 else end + 5


class Section:
    """First section whose title contains KEY: heading line and numbered lines, trimmed."""

    def __init__(self, text, key):
        start = body_start(text)
        first = text[:start].count("\n") + 1
        self.heading = 0
        self.lines = []
        level = 0
        for number, line in enumerate(text[start:].split("\n"), first):
            match = HEADING.match(line)
            depth = len(match.group(1) or match.group(3)) if match else 0
            if self.heading:
                if match and depth <= level:
                    break
                self.lines.append((number, line))
            elif match and key in (match.group(2) or "").lower():
                self.heading = number
                level = depth
        while self.lines and not self.lines[0][1].strip():
            self.lines.pop(0)
        while self.lines and not self.lines[-1][1].strip():
            self.lines.pop()

    @property
    def text(self):
        return "\n".join(line for _, line in self.lines).strip()
