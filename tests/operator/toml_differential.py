#!/usr/bin/env python3
"""The TOML reader against Python's own, on documents written for it and on mutants of them.

Usage: toml_differential.py TOML_DUMP [--mutants N]
"""
import argparse
import datetime
import json
import random
import subprocess
import sys

try:
    import tomllib
except ImportError:
    sys.exit(77)

GOOD = [
    "",
    "# nothing\n",
    "a = 1\r\nb = 'x'\r\n",
    'a = "\\u00e9\\n\\t\\"\\\\ \\U0001F600"\nb = \'C:\\x\'\n',
    'a = """\none\\\n   two "quoted" ""three"""""\nb = \'\'\'\nit\'s\'\'\'\nc = """a\r\nb"""\n',
    "i = [1, -2, +3, 1_000, 0xdead_beef, 0o755, 0b1101, 0, -0]\n",
    "f = [1.0, -3.14, 5e+22, 1e06, -2E-2, 6.626e-34, 9_224.5, inf, -inf, +inf]\n",
    "d = [1979-05-27T07:32:00Z, 1979-05-27 07:32:00.999-07:00, 1979-05-27T07:32:00, 1979-05-27, 07:32:00.5]\n",
    "t = true\nf = false\n",
    "a.b.c = 1\na.b.d = 2\na.e = 3\n",
    "\"quoted key\" = 1\n'lit' = 2\n\"\" = 3\n3.14 = 4\nbare-key_1 = 5\n",
    "l = [ # comment\n 1,\n [2, 'x'],\n {a = 1, b.c = 2},\n]\n",
    "[tool.pypto-lint]\nselect = ['OL48', \"KS\"]\n[tool.pypto-lint.per-path]\n'tests/' = ['ALL']\n",
    "[a.b.c]\nx = 1\n[a]\ny = 2\n[a.b]\nz = 3\n",
    "[[p]]\nn = 1\n[[p]]\nn = 2\n[p.sub]\nm = 3\n[[p.list]]\nk = 1\n[[p.list]]\n",
    "p = {}\nq = { a = { b = {} } }\n",
    "[fruit]\napple.color = 1\napple.taste.sweet = true\n[fruit.apple.texture]\nsmooth = true\n",
    "text = '''[tool.pypto-lint]\nselect = []'''\n",
    "[ a . 'b' . \"c\" ]\n d = 1 # end",
    "[a.b.c]\n[a]\nb.d = 1\n",
]
BAD = [
    "[a.b]\n[a]\nb.c = 1\n",
    "a = 1\na = 2\n", "[a]\n[a]\n", "a = 1\n[a]\n", "[a]\nb = 1\n[a.b]\n", "a.b = 1\na.b.c = 2\n", "a = {b = 1}\na.c = 2\n",
    "a = {b = 1}\n[a.c]\n", "a = [1]\n[[a]]\n", "[[a]]\n[a]\n", "[a.b.c]\nz = 9\n[a]\nb.c.t = 1\n",
    "[fruit]\napple.color = 1\n[fruit.apple]\n", "[x]\n[[x.a]]\n[y]\n[x.b]\n[x]\n", "a = 01\n", "a = 1__0\n", "a = _1\n", "a = 1_\n",
    "a = 1.\n", "a = .5\n", "a = 1e\n", "a = 0xg\n", "a = +0x1\n", "a = 2021-02-29\n", "a = 25:00:00\n", "a = 1979-05-27T\n",
    "a = 'x\n'\n", 'a = "\\q"\n', 'a = "\\ud800"\n', 'a = "\\u12"\n', 'a = """x\n', "a\n", "= 1\n", "a = \n", "a = 1 b = 2\n",
    "a = {b = 1,}\n", "a = {b = 1\n}\n", "a = [1 2]\n", "a = [1\n", "[a\n", "[]\n", "[[a]\n", "a = x\n", "a = True\n", "a = \x01\n",
    "a = 'x\x7f'\n", "a = 1\rb = 2\n", "a = {a.b = 1, a = 2}\n", "[a]\nx = 1\n[[a]]\n", "'''k''' = 1\n", "a..b = 1\n", "a. = 1\n",
    "[[x.a]]\n[x]\na.b = 1\n", "a = {b = {c = 1}, b.d = 2}\n",
]
PIECES = ["[", "]", "[[", "]]", "{", "}", "=", ".", ",", "'", '"', "'''", '"""', "\\", "#", "\n", "\r\n", " ", "a", "b.c", "1", "_", "-",
          "+", "e", ":", "0x", "true", "inf", "1979-05-27", "07:32:00", "\u00e9", "\t", "a = 1\n", "[a]\n", "[[a]]\n"]


def dump(program, text):
    """The document as a tree, or None."""
    process = subprocess.run([program], input=text.encode("utf-8", "surrogatepass"), capture_output=True, timeout=20,
                             check=False)
    if process.returncode == 1:
        assert process.stdout.split(b":")[0].isdigit(), process.stdout
        return None
    assert process.returncode == 0, (process.returncode, process.stdout, process.stderr, text)
    return json.loads(process.stdout)


def plain_of(value, written):
    """Does the plain text say this value?"""
    if isinstance(value, bool):
        return written == ("true" if value else "false")
    if isinstance(value, int):
        return int(written.replace("_", ""), 0) == value
    if isinstance(value, float):
        return str(float(written.replace("_", ""))) == str(value)
    if isinstance(value, datetime.datetime):
        return written[:10] == value.date().isoformat() and written[11:19] == value.time().isoformat()[:8]
    return written[:8] == value.isoformat()[:8]


def same(value, ours):
    if isinstance(value, str):
        return value == ours
    if isinstance(value, dict):
        return isinstance(ours, dict) and list(value) == list(ours) and all(same(value[k], ours[k]) for k in value)
    if isinstance(value, list):
        return isinstance(ours, list) and len(value) == len(ours) and all(map(same, value, ours))
    return isinstance(ours, dict) and list(ours) == ["plain"] and plain_of(value, ours["plain"])


def too_deep(text):
    """Beyond our limits, which Python does not have."""
    return max(text.count("["), text.count("{"), text.count(".")) >= 15


def compare(program, text):
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError):
        value = None
    ours = dump(program, text)
    if value is None or ours is None:
        return value is ours or (too_deep(text) and ours is None)
    return same(value, ours)


def mutant(source):
    text = random.choice(GOOD + BAD)
    for _ in range(random.randint(1, 3)):
        at = random.randint(0, len(text))
        kind = random.random()
        if kind < 0.5:
            text = text[:at] + random.choice(PIECES) + text[at:]
        elif kind < 0.8:
            text = text[:at] + text[at + random.randint(1, 3):]
        else:
            text += random.choice(source)
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    wrong = 0
    for text in GOOD:
        assert dump(options.program, text) is not None, text
    for text in BAD:
        assert dump(options.program, text) is None, text
    for text in GOOD + BAD + [mutant(GOOD + BAD) for _ in range(options.mutants)]:
        if not compare(options.program, text):
            print("differs:", repr(text))
            wrong += 1
    # Python's reader has no limits of depth.
    for text in ("a = " + "[" * 100 + "]" * 100, ".".join("a" * 40) + " = 1", "a = " + "{a = " * 5000 + "1" + "}" * 5000):
        assert dump(options.program, text) is None
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
