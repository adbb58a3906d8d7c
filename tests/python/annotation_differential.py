#!/usr/bin/env python3
"""Compares our syntax tree with Python's own on made-up expressions, most of them in annotations.

    annotation_differential.py AST_DUMP [--count N] [--seed S]

The parser's grammar has a second, narrower grammar for annotations ("types"), so what is fine as an expression may be an
error there. Expressions of every kind of the language are put wherever one may stand; each text must have the tree that
`ast` gives it. `type` statements are newer than some interpreters: they must have the tree of the same expression in an
annotation.
"""
import argparse
import ast
import os
import random
import re
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ast_differential

warnings.simplefilter("ignore")
NAMES = ["a", "T", "list", "np", "type", "match", "case", "print", "exec", "_", "\u03b1", "Tensor", "x1", "\ufb01x", "e\u0301", "\U0001d4cd_\uff11"]
ATOMS = ["1", "0x1f", "1.5", "2j", "None", "True", "...", "'s'", "b'b'", "f'{a[0]}'", "f'{a[b].c!r:>{n[1]}}'", "()", "[]",
         "{}", "'a' 'b'"]
BINARY = ["|", "|", "|", "+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "^"]
COMPARE = ["<", ">", "==", "!=", "<=", ">=", "in", "not in", "is", "is not"]
STATEMENTS = [
    "x: {E}", "x: {E} = {E}", "x.y: {E} = 1", "x[0]: {E}", "x[{E}]: {E}", "(x): {E}", "x: {E} = yield {E}", "x: {E} = 1, *a[0]",
    "def f(p: {E}): pass", "def f(p: {E} = {E}, *q: {E}, r: {E} = {E}, **s: {E}) -> {E}: pass",
    "def f(p: {E}, /, q: {E} = {E}, *, r: {E}): pass", "def f(*q: *{S}): pass", "async def f(p: {E}) -> {E}: pass",
    "def f() -> {E}: pass", "def f() -> {E}: x: {E} = 1; y: {E}", "class A:\n    x: {E}\n    def f(p: {E}, *q: *{S}) -> {E}: y: {E} = 2",
    "if x: y: {E} = 1", "if {E}: y = {E}", "x: {E}; y: {E}", "x = {E}", "x = y = {E}", "{E}", "return_({E}, *{S}, k={E}, **{E})",
    "for i in {E}: pass", "x[{E}:{E}]", "x = {{ {E}: {E} }}", "x += {E}", "assert {E}, {E}", "with {E}: pass", "lambda p={E}: {E}",
    "x = lambda *a: {E}", "del x[{E}]", "@{E}\ndef f(): pass", "class A({E}, k={E}): pass", "raise {E} from {E}", "while {E}: pass",
    "with {E} as b, {E}: pass", "with ({E} as b): pass", "with ({E} as b,): pass", "with ({E}, {E} as b, {E}): pass",
    "with ({E}) as b, {E} as c[0]: pass", "with ({E} as b), {E}: pass", "try: pass\nexcept ({E}, {E}) as e: pass",
    "x = [n := {E}, (m := {E})]", "if n := {E}: pass", "f(n := {E}, k=(m := {E}))", "x[n := {E}]",
    "x = [{E} for a in {S} if {S}]", "match {E}:\n    case a.b | [1, *r] if {E}: pass", "try: pass\nexcept {E} as e: pass",
    "try: pass\nexcept *{E}: pass", 'f\'\'\'{{{E}}}\'\'\'',
]


class Maker:
    def __init__(self, chance):
        self.chance = chance
        self.brackets = 0

    def pick(self, items):
        return self.chance.choice(items)

    def blank(self):
        """Mostly nothing; inside brackets also line ends and comments."""
        if self.chance.random() < 0.93:
            return ""
        return self.pick([" ", "  ", "\t", " \\\n "] if self.brackets == 0 else [" ", "\n", " # c[\n", "\\\n", "\n\n  "])

    def inside(self, opening, closing, make):
        self.brackets += 1
        text = opening + self.blank() + make() + self.blank() + closing
        self.brackets -= 1
        return text

    def atom(self):
        return self.pick(NAMES) if self.chance.random() < 0.75 else self.pick(ATOMS)

    def items(self, depth, least=1):
        texts = [self.expression(depth) for _ in range(self.chance.randrange(least, 4))]
        return ("," + self.blank()).join(texts) + ("," if texts and self.chance.random() < 0.2 else "")

    def subscript(self, depth):
        parts = []
        for _ in range(self.pick([1, 1, 1, 2, 3])):
            how = self.chance.random()
            if how < 0.65:
                parts.append(self.expression(depth))
            elif how < 0.9:
                ends = [self.pick(["", self.expression(depth)]) for _ in range(self.pick([2, 2, 3]))]
                parts.append((self.blank() + ":" + self.blank()).join(ends))
            else:
                parts.append("*" + self.operand(depth))
        return ",".join(parts) + ("," if self.chance.random() < 0.1 else "")

    def arguments(self, depth):
        parts = [self.expression(depth) for _ in range(self.pick([0, 1, 1, 2]))]
        if self.chance.random() < 0.2:
            parts.append("*" + self.operand(depth))
        if self.chance.random() < 0.3:
            parts.append(f"k{self.blank()}={self.blank()}{self.expression(depth)}")
        return ",".join(parts)

    def primary(self, depth):
        """An atom or display, with trailers."""
        how = self.chance.random()
        if depth > 0 and how < 0.15:
            text = self.inside("(", ")", lambda: self.pick([self.expression, self.items, self.named])(depth - 1))
        elif depth > 0 and how < 0.22:
            text = self.inside("[", "]", lambda: self.items(depth - 1, 0))
        elif depth > 0 and how < 0.26:
            text = self.inside("{", "}", lambda: f"{self.expression(depth - 1)}:{self.expression(depth - 1)}")
        elif depth > 0 and how < 0.29:
            text = self.inside("[", "]", lambda: f"{self.operand(depth - 1)} for a in {self.operand(depth - 1)}")
        else:
            text = self.atom()
        for _ in range(self.pick([0, 0, 1, 1, 2, 3]) if depth > 0 else 0):
            gap = self.blank() or (" " if text[-1].isdigit() else "")
            how = self.chance.random()
            if how < 0.5:
                text += gap + self.inside("[", "]", lambda: self.subscript(depth - 1))
            elif how < 0.8:
                text += gap + "." + self.blank() + self.pick(NAMES)
            else:
                text += gap + self.inside("(", ")", lambda: self.arguments(depth - 1))
        return text

    def named(self, depth):
        return f"n{self.blank()}:={self.blank()}{self.expression(depth)}"

    def operand(self, depth):
        """What binds as tightly as `|`, or tighter."""
        text = self.primary(depth)
        if depth > 0 and self.chance.random() < 0.15:
            text = self.pick(["-", "~", "+", "await "]) + text
        while depth > 0 and self.chance.random() < 0.25:
            text += f"{self.blank()}{self.pick(BINARY)} {self.primary(depth - 1)}"
        return text

    def expression(self, depth):
        text = self.operand(depth)
        how = self.chance.random() if depth > 0 else 1
        if how < 0.05:
            return f"{text} {self.pick(COMPARE)} {self.operand(depth - 1)}"
        if how < 0.1:
            return f"{text} {self.pick(['and', 'or'])} {self.operand(depth - 1)}"
        if how < 0.13:
            return f"not {text}"
        if how < 0.17:
            return f"{text} if {self.operand(depth - 1)} else {self.expression(depth - 1)}"
        if how < 0.2:
            return f"lambda{self.pick(['', ' p', ' p=T[0]', ' *p, q'])}: {self.expression(depth - 1)}"
        return text

    def statement(self):
        form = self.pick(STATEMENTS)
        return re.sub(r"\{([ES])\}", lambda m: self.expression(2) if m[1] == "E" else self.operand(1), form).replace(
            "{{", "{").replace("}}", "}")


def is_valid(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def dump(dumper, path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return dumper.dump(path)


def compare_alias(dumper, path, expression):
    """The value of a type alias has the nodes of an annotation."""
    rows = {}
    for head in ("type A = ", "x_____: ", "type A[T, *U] = "):
        ours = dump(dumper, path, head + expression + "\n")
        rows[head] = [row[:2] + row[4:] for row in ours[5 if "[" in head else 3 :]]
        if ours[0][0] == "ERROR":
            return f"{head + expression!r}: rejected: {ours[0][1:]}"
    if len({str(value) for value in rows.values()}) != 1:
        return f"type A = {expression!r}: tree differs from that of the annotation"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dumper = ast_differential.Dumper(options.dump)
    maker = Maker(random.Random(options.seed))
    valid = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.py")
        for number in range(options.count):
            text = maker.statement() + "\n"
            valid += is_valid(text)
            if text.startswith("f'") and not is_valid(text):
                continue  # newer grammar, perhaps
            if text.startswith("case"):
                continue  # `case[*-a]`: only the end of the line tells whether it is a pattern
            problem = ast_differential.compare(f"case {number}", text.encode(), dump(dumper, path, text))
            if problem is None and number % 8 == 0:
                text = maker.expression(2)
                if is_valid("x: " + text):
                    problem = compare_alias(dumper, path, text)
            if problem:
                failures += 1
                if failures <= 20:
                    print(f"{problem}\n{text}-----")
    print(f"{options.count} texts, {valid} of them valid, {failures} failures")
    sys.exit(1 if failures or valid < options.count / 2 else 0)


if __name__ == "__main__":
    main()
