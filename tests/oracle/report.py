"""Collects findings of one rule and turns nodes into reported positions.

A finding's line is that of its anchor; its column is that of the focus when the
focus starts on the anchor's line.  Marks tell a comparison what the rule pages
leave open or fix: `any_line` (the place of a parse error, for instance),
`any_of` (the lines that are acceptable), `optional` (a finding that may be merged
with another one of the same rule), `counted` (as many findings at this place as
the oracle has).
"""

import ast

from model import FUNCS

ORDER = {"FAIL": 0, "WARN": 1, "INFO": 2}


class Report:
    def __init__(self, rule):
        self.rule = rule
        self.findings = []
        self._seen = set()

    def at(self, status, file, anchor, focus=None, tag="", **marks):
        """Report a node of a parsed file; FOCUS is a node or a (line, column) pair."""
        line, column = position(file, anchor)
        if focus is not None:
            place = focus if isinstance(focus, tuple) else position(file, focus)
            if place[0] == line:
                column = place[1]
        end = (getattr(anchor, "end_lineno", 0), getattr(anchor, "end_col_offset", 0))
        self.line(status, file.rel, line, column, tag, end, **marks)

    def line(self, status, rel, line, column=1, tag="", end=None, **marks):
        key = (status, rel, line, column, tag, end)
        if key in self._seen:
            return
        self._seen.add(key)
        self.findings.append(dict(rule=self.rule, status=status, file=rel, line=line,
                                  column=column, tag=tag, **marks))

    def parse_errors(self, files, **marks):
        for file in files:
            self.line("FAIL", file.rel, file.error.line, tag="parse", any_line=True, **marks)

    def status(self, fallback="PASS"):
        if not self.findings:
            return fallback
        return min((f["status"] for f in self.findings), key=ORDER.get)


def position(file, node):
    """Line and 1-based code point column; functions are reported at their name."""
    if isinstance(node, FUNCS):
        text = file.lines[node.lineno - 1]
        start = file.column(node) - 1
        skip = text.find("def", start)
        return node.lineno, text.find(node.name, skip + 3) + 1
    return node.lineno, file.column(node)


def last_token(file, node):
    """Position of the attribute name that ends an attribute expression."""
    width = len(node.attr.encode("utf-8"))
    mark = ast.Name(id=node.attr, lineno=node.end_lineno,
                    col_offset=node.end_col_offset - width)
    return node.end_lineno, file.column(mark)
