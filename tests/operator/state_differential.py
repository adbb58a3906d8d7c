#!/usr/bin/env python3
"""Compares the program's reading of the state file with Python's json module.

    state_differential.py STATE_DUMP [--rounds N] [--seed S]

Texts are made from the keys and values of state files and from odd pieces of JSON, then changed at random. Valid or not,
kinds, strings, the stage, the lines of keys, and the line and column of an error must be those of `json`.
"""
import argparse
import json
import random
import subprocess
import sys

TOP = ["operator_name", "current_stage", "max_stage", "stage_status", "stage5_phases", "rollback_history", "artifact_hashes"]
BELOW = [("stage_status", "5"), ("stage5_phases", "phase_status"), ("stage5_phases", "active_phase")]
KEYS = TOP + ["5", "phase_status", "active_phase", "other", "", "a\\u0000b", "\\u0035", "operator\\u005Fname", "\\ud800"]
VALUES = ["1", "-0", "7", "5.9", "-5.9", "1e3", "1E+400", "-1e400", "1e-400", "123456789012345678901234567890", "9223372036854775808",
          "2147483647", "2147483648", "-2147483649", "NaN", "Infinity", "-Infinity", "null", "true", "false", '"5"', '" 5 "', '"+5"',
          '"1_0"', '"x"', '""', '"M2"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\u0000"', '"a\\"\\\\\\/\\b\\f\\n\\r\\t"',
          '"\u4e2d\u6587"', '"\\u00e9\\u20aC"', "{}", "[]", "[1, 2]", "[[]]", '{"5": "completed"}', "01", "1.", ".5", "+1", "1e", "-",
          "nul", "nan", "'a'", '"\\x41"', '"\\u12g4"', '"\t"', '"open', "[1,]", '{"a":1,}', "{1: 2}", "[1 2]", "/**/", "\ufeff"]
SPACE = ["", "", " ", "\n", "\r\n", "\r", "\t", " \r \n"]
KINDS = {type(None): 1, bool: 2, int: 3, float: 3, str: 4, list: 5, dict: 6}
SHOWN = {1: "null", 2: None, 5: "a list", 6: "an object"}


def make(chance, depth=0):
    if depth == 3 or (depth > 0 and chance.random() < 0.5):
        return chance.choice(VALUES[:38] if chance.random() < 0.9 else VALUES)
    gap = lambda: chance.choice(SPACE)  # noqa: E731
    if depth > 0 and chance.random() < 0.2:
        return "[" + gap() + ("," + gap()).join(make(chance, depth + 1) for _ in range(chance.randrange(3))) + gap() + "]"
    pairs = []
    for _ in range(chance.randrange(1, 7)):
        pairs.append(f'"{chance.choice(KEYS)}"{gap()}:{gap()}{make(chance, depth + 1)}{gap()}')
    return "{" + gap() + ("," + gap()).join(pairs) + "}"


def change(text, chance):
    at = chance.randrange(len(text) + 1)
    how = chance.randrange(3)
    if how == 0:
        return text[:at] + text[at + 1 :]
    if how == 1:
        return text[:at] + chance.choice('{}[]:,"\\ \r\n0a-') + text[at:]
    return text[:at]


def stage_of(value):
    try:
        number = int(value) if isinstance(value, (int, float, str)) else 0
    except (ValueError, OverflowError):
        return 0
    return number if abs(number) < 2**31 else 0


def text_of(value, kind):
    """What the program shows; None when it is not compared."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, bool):
        return "true" if value else "false"
    return SHOWN.get(kind)


def check_fields(data, text, row):
    fields = [field.split(":") for field in row[2:]]
    wanted = [(data, key) for key in TOP] + [(data.get(key), below) for key, below in BELOW]
    for (owner, key), (kind, line, shown) in zip(wanted, fields):
        known = isinstance(owner, dict) and key in owner
        value = owner[key] if known else None
        if int(kind) != (KINDS[type(value)] if known else 0):
            return f"kind of {key} is {kind}"
        expected = text_of(value, int(kind)) if known else None
        if expected is not None and bytes.fromhex(shown).decode() != expected:
            return f"text of {key} is {bytes.fromhex(shown).decode()!r}"
        if known and key in TOP and int(line) not in range(1, text.count("\n") + 2):
            return f"line of {key} is {line}"
        if known and key in TOP and f'"{key}"' not in text.split("\n")[int(line) - 1] and "\\u005F" not in text:
            return f"line of {key} is {line}"
    if int(row[1]) != stage_of(data.get("current_stage")):
        return f"stage is {row[1]}"
    return None


def place_of(error, text):
    """Line and column as in Python up to 3.12; from 3.13 on, a comma before a closing bracket is named itself."""
    at = error.pos
    if error.msg.startswith("Illegal trailing comma"):
        at += 1
        while text[at] in " \t\n\r":
            at += 1
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def check(text, line):
    """`text` as Python reads it: with LF line ends."""
    row = line.split("\t")
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        expected = "error {} {}".format(*place_of(error, text))
        return None if line == expected else f"{line!r}, json: {expected} {error.msg}"
    if line.startswith("error"):
        return f"{line!r}, but json accepts it"
    if int(row[0]) != KINDS[type(data)]:
        return f"kind of the top is {row[0]}"
    return check_fields(data, text, row) if isinstance(data, dict) else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--rounds", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    texts = VALUES + ["", " ", "[" * 900 + "]" * 900, "{} {}", '{"max_stage": 1,\r"max_stage":\r\n[],\r\r"stage_status": 0}']
    while len(texts) < options.rounds:
        text = make(chance)
        for _ in range(chance.choice([0, 0, 0, 1, 2])):
            text = change(text, chance)
        texts.append(text)
    data = b"".join(b"%d\n%s" % (len(raw), raw) for raw in (text.encode() for text in texts))
    result = subprocess.run([options.dump], input=data, capture_output=True, check=True)
    lines = result.stdout.decode().split("\n")[:-1]
    assert len(lines) == len(texts)
    valid = failures = 0
    for text, line in zip(texts, lines):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        valid += not line.startswith("error")
        problem = check(text, line)
        if problem:
            failures += 1
            if failures <= 20:
                print(f"{text!r}\n  {problem}")
    print(f"{len(texts)} texts, {valid} of them valid, {failures} failures")
    sys.exit(1 if failures or valid < len(texts) / 4 else 0)


if __name__ == "__main__":
    main()
