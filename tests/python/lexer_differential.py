#!/usr/bin/env python3
"""Compares the lexer with CPython's own parser.

    lexer_differential.py --dump DUMP [--python PYTHON]... [--library DIR]... [--mutations N] [--seed S]

DUMP is the program made from lex_dump.c. Each PYTHON (by default the one that runs this) is a judge: what
any of them accepts, the lexer must accept; what all of them reject with a message of the tokenizer, of
the string decoder or of the indentation check, the lexer must reject. Three kinds of input: every file below
the DIRs (by default the standard library of the running Python), the snippets of lexer_snippets.py, and
random mutations of statements of the library.
"""

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import sysconfig
import warnings

import lexer_snippets

JUDGE = r"""
import ast, json, sys, warnings
warnings.simplefilter("ignore")
for line in sys.stdin:
    answers = []
    for text in json.loads(line):
        try:
            ast.parse(text)
            answers.append(None)
        except SyntaxError as error:
            answers.append(error.msg or "?")
        except Exception as error:
            answers.append("internal: " + type(error).__name__)
    print(json.dumps(answers), flush=True)
"""

# Messages that the lexer is responsible for. "was never closed" is left out: CPython also says it
# of a bracket that is closed after some other mistake.
LEXICAL = re.compile(
    r"unterminated|EOL while|EOF while scanning triple|invalid \w+ literal|invalid digit|leading zeros|unmatched '"
    r"|does not match opening|unexpected indent|expected an indented|unindent does not"
    r"|inconsistent use of tabs|invalid character|invalid non-printable|unicode error\) 'unicodeescape'.*"
    r"(truncated|malformed|illegal)|invalid \\x escape|bytes can only|cannot mix bytes"
    r"|line continuation|unexpected EOF|too many nested|too many levels|f-string: expecting '}'"
    r"|f-string: single|valid expression required|empty expression|conversion|lambda expressions are not"
    r"|f-string: unmatched|f-string: unterminated|Exceeds the limit|Missing parentheses in call to '(print|exec)'"
)


NUMBER_WORD = re.compile(r"\d(?:as|from|async)\b")
F_STRING = re.compile(r"\b(?:f|rf|fr)[\"']", re.I)


class Judge:
    def __init__(self, python):
        self.name = python
        self.process = subprocess.Popen(
            [python, "-c", JUDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="ascii"
        )

        self.ask(["type X = int"])
        self.knows_new_grammar = self.answers() == [None]  # 3.12: also lexes f-strings as part of the file

    def ask(self, texts):
        self.process.stdin.write(json.dumps(texts) + "\n")
        self.process.stdin.flush()

    def answers(self):
        return json.loads(self.process.stdout.readline())


def lex(dump, texts):
    data = b"".join(b"%d\n%s" % (len(raw), raw) for raw in (t.encode("utf-8") for t in texts))
    result = subprocess.run([dump, "--snippets"], input=data, capture_output=True)
    if result.returncode != 0:
        sys.exit("the lexer broke down:\n" + result.stderr.decode("utf-8", "replace"))
    return [json.loads(line) for line in result.stdout.decode("utf-8").split("\n")[:-1]]


ALTERED_NAME = re.compile(rb"(?:prin|exe|typ)\Z")


def is_line_end(text, i):
    """The LF or CR that ends a line which no backslash continues."""
    ends = text[i] in b"\r\n" and text[i : i + 2] != b"\r\n"
    return ends and not text[:i].removesuffix(b"\r" if text[i : i + 1] == b"\n" else b"").endswith(b"\\")


def undo_adaptations(text, clean):
    """The cleaned copy without what was changed for the grammar: names, stars, line ends in brackets."""
    text, clean = text.encode("utf-8"), bytearray(clean.encode("utf-8"))
    comment = False
    for i, (theirs, ours) in enumerate(zip(text, clean)):
        comment = theirs not in b"\r\n" and (comment or (theirs == ord("#") and ours == ord(" ")))
        name = ours == ord("_") and theirs in b"tce" and ALTERED_NAME.search(text[max(0, i - 4) : i])
        blanked = ours == ord(" ") and (theirs == ord("*") or is_line_end(text, i))
        subscripted = ours == ord("1") and not chr(theirs).isdigit()
        if not comment and (name or blanked or subscripted):
            clean[i] = theirs
    return clean.decode("utf-8")


def is_clean(text, clean):
    """The cleaned copy is as long as the text and means the same; in strings a CR LF becomes a blank and LF."""
    if len(text.encode("utf-8")) != len(clean.encode("utf-8")):
        return False
    clean = undo_adaptations(text, clean)
    try:
        tree = ast.dump(ast.parse(text))
    except (SyntaxError, RecursionError, MemoryError):
        return True  # only another Python takes it
    try:
        cleaned = ast.dump(ast.parse(clean))
    except (SyntaxError, RecursionError, MemoryError):
        return False
    return tree == cleaned or ("\r" in text and tree.replace(" ", "") == cleaned.replace(" ", ""))


class Tally:
    def __init__(self, limit=25):
        self.false_alarms = self.missed = self.accepted = self.rejected = 0
        self.unclean = 0
        self.shown = {}
        self.limit = limit

    def compare(self, dump, judges, texts, label):
        for judge in judges:
            judge.ask(texts)
        ours = lex(dump, texts)
        verdicts = list(zip(*(judge.answers() for judge in judges)))
        for text, lexed, answers in zip(texts, ours, verdicts):
            errors = lexed["errors"]
            if None in answers:
                self.accepted += 1
                if not errors and not is_clean(text, lexed["clean"]):
                    self.unclean += 1
                    self.show(f"CLEANED BADLY ({label})", text, lexed["clean"], answers)
                if errors:
                    self.false_alarms += 1
                    self.show(f"FALSE ALARM ({label})", text, errors, answers)
            elif not any(judge.knows_new_grammar for judge in judges) and F_STRING.search(text):
                continue  # an older Python rejects more of them
            elif NUMBER_WORD.search(text):
                continue  # Python up to 3.8 takes any keyword there, later ones only some
            elif all(LEXICAL.search(answer) for answer in answers):
                self.rejected += 1
                if not errors:
                    self.missed += 1
                    self.show(f"MISSED ({label})", text, errors, answers)

    def show(self, title, text, errors, answers):
        self.shown[title] = self.shown.get(title, 0) + 1
        if self.shown[title] <= self.limit:
            print(f"--- {title}\n{text!r:.1200}\n  lexer: {str(errors)!r:.1000}\n  python: {answers}")


def check_library(dump, judges, directories, tally):
    paths = []
    for directory in directories:
        for folder, _, names in os.walk(directory):
            paths += [os.path.join(folder, name) for name in names if name.endswith(".py")]
    batch = []
    for path in sorted(paths):
        with open(path, "rb") as file:
            raw = file.read()
        try:
            batch.append(raw.decode("utf-8").removeprefix("\ufeff"))
        except UnicodeDecodeError:
            continue
        if len(batch) % 4 == 3:
            batch[-1] = batch[-1].replace("\r\n", "\n").replace("\n", "\r\n")
        if len(batch) == 50:
            tally.compare(dump, judges, batch, "library")
            batch = []
    if batch:
        tally.compare(dump, judges, batch, "library")
    return paths


def check_snippets(dump, judges, tally):
    """The table's own verdicts, and the judges' opinion of them."""
    wrong = 0
    for expected, texts in ((True, lexer_snippets.ACCEPT), (False, lexer_snippets.REJECT)):
        for text, lexed in zip(texts, lex(dump, texts)):
            errors = lexed["errors"]
            if expected != (not errors):
                wrong += 1
                print(f"--- SNIPPET should be {'accepted' if expected else 'rejected'}\n{text!r}\n  {errors}")
        for judge in judges:
            judge.ask(texts)
        for text, answers in zip(texts, zip(*(judge.answers() for judge in judges))):
            if not expected and None in answers:
                wrong += 1
                print(f"--- SNIPPET to be rejected is Python: {text!r}\n  {answers}")
            both = len({judge.knows_new_grammar for judge in judges}) == 2  # else some cannot be judged
            if expected and both and None not in answers and text not in lexer_snippets.NEWER:
                wrong += 1
                print(f"--- SNIPPET to be accepted is not Python: {text!r}\n  {answers}")
    for text, message in lexer_snippets.MESSAGES:
        errors = lex(dump, [text])[0]["errors"]
        if [error[2] for error in errors] != [message]:
            wrong += 1
            print(f"--- SNIPPET {text!r}\n  expected {message!r}\n  {errors}")
    return wrong


TOKENS = (
    "( ) [ ] { } : , ; . ... = == != := -> ' \" ''' \"\"\" f' f\" rb' b' u' \\ # ! ? $ \n \t x 1 0 08 0x 1e if else "
    "for in not and lambda def return class print import { }} {{ !r \\x \\N{ \\u12 \\\n é € \u3000 \xa0 \r\n \f".split(" ")
    + ["    ", "        ", " ", "\n    ", "\n  ", "\n\t", "'a'", "b'a'", 'f"{x}"', "f'{x!r:>{w}}'"]
)


def statements(paths, rng, count):
    """Small statements of random files."""
    found = []
    while len(found) < count:
        path = rng.choice(paths)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        lines = text.splitlines(keepends=True)
        if any(c in text for c in "\f\v\x1c\x1d\x1e\x85\u2028\u2029"):
            continue
        nodes = [node for node in tree.body if node.end_lineno - node.lineno < 30]
        for node in rng.sample(nodes, min(len(nodes), 12)):
            found.append("".join(lines[node.lineno - 1 : node.end_lineno]))
    return found


def mutate(text, rng):
    for _ in range(rng.choice((1, 1, 1, 2))):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + rng.choice((1, 1, 1, 2, 4)) :]
        elif kind <= 2:
            text = text[:at] + rng.choice(TOKENS) + text[at:]
        elif kind == 3:
            text = text[:at] + rng.choice(TOKENS) + text[at + 1 :]
        elif kind == 4:
            tokens = re.findall(r"\w+|\s+|.", text, re.S)
            i = rng.randrange(len(tokens)) if tokens else 0
            tokens[i : i + 1] = rng.choice(([], ["f" + t for t in tokens[i : i + 1]], tokens[i : i + 1] * 2))
            text = "".join(tokens)
        else:
            lines = text.splitlines(keepends=True)
            i = rng.randrange(len(lines)) if lines else 0
            lines[i : i + 1] = rng.choice(
                ([], [" " + l for l in lines[i : i + 1]], ["\t" + l for l in lines[i : i + 1]],
                 [l.lstrip(" ") for l in lines[i : i + 1]], [l[1:] for l in lines[i : i + 1]])
            )
            text = "".join(lines)
    return text


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--dump", required=True)
    parser.add_argument("--python", action="append")
    parser.add_argument("--library", action="append")
    parser.add_argument("--mutations", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    judges = [Judge(python) for python in options.python or [sys.executable]]
    tally = Tally()
    wrong = check_snippets(options.dump, judges, tally)
    paths = check_library(options.dump, judges, options.library or [sysconfig.get_path("stdlib")], tally)
    print(f"library: {len(paths)} files, accepted {tally.accepted}, false alarms {tally.false_alarms}")
    rng = random.Random(options.seed)
    done = 0
    while done < options.mutations:
        texts = [mutate(rng.choice((text, text * 2)), rng) for text in statements(paths, rng, 400)]
        texts = [text for text in texts if "\0" not in text]
        tally.compare(options.dump, judges, texts, "mutation")
        done += len(texts)
    print(f"all: {tally.accepted} accepted by Python, of them {tally.false_alarms} false alarms; "
          f"{tally.rejected} rejected as lexical errors, of them {tally.missed} missed; {wrong} snippets wrong")
    print(f"{tally.unclean} texts whose cleaned copy is another program")
    sys.exit(1 if tally.false_alarms or tally.missed or tally.unclean or wrong else 0)


if __name__ == "__main__":
    main()
