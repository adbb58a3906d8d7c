#!/usr/bin/env python3
"""Runs the pattern of GitHub's problem matcher over concise reports: every line of a finding must match, with the
place and the rule where they belong, and no line may be a workflow command.

    check_concise.py FILE...
"""
import re
import sys

PATTERN = re.compile(r"^(.+?):(\d+):(\d+): (error|warning|note)\[(\w+)\] (.*)$")


def main():
    assert len(sys.argv) > 1, "no files given"
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines = file.read().splitlines()
        for line in lines:
            if line.lstrip().startswith("::") or "##[" in line:
                sys.exit(f"{path}: a workflow command: {line}")
            if re.match(r"(notice|error): |提示：|错误：|\s*\d+ OL\d\d |\d+ errors?, |\d+ 个错误，", line):
                continue
            match = PATTERN.match(line)
            if match is None:
                sys.exit(f"{path}: does not match: {line}")
            name, row, column, _, rule, message = match.groups()
            if not (name.endswith((".py", ".md")) and int(row) > 0 and int(column) > 0
                    and re.fullmatch(r"OL\d\d", rule) and message):
                sys.exit(f"{path}: matched wrongly: {match.groups()}")


if __name__ == "__main__":
    main()
