#!/usr/bin/env python3
"""Checks the line hashes of libsarif against the definition, in exact integers.

    fingerprint_reference.py PROGRAM [COUNT]

PROGRAM is the built line_hashes. The reference does not roll: it cuts the window of each line out
of the whole text and adds up the powers of 37, with integers of any size, and takes the remainder
at the very end. COUNT random texts (default 400, the same ones every time) are compared, besides
fixed ones with every kind of line end, characters beyond U+FFFF, byte order marks and broken UTF-8.
"""
import random
import subprocess
import sys

WINDOW = 100
END = 65535


def units_of(data):
    """UTF-16 units of broken or sound UTF-8, line ends unified, blanks gone."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    raw = text.replace(" ", "").replace("\t", "").encode("utf-16-le", "surrogatepass")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)] + [END]


def reference(data):
    units = units_of(data)
    starts = [0] + [i + 1 for i, unit in enumerate(units) if unit == 10]
    seen = {}
    hashes = []
    for start in starts:
        window = units[start : start + WINDOW]
        window += [0] * (WINDOW - len(window))
        total = sum(unit * 37 ** (WINDOW - 1 - i) for i, unit in enumerate(window))
        digest = format(total % 2**64, "x")
        seen[digest] = seen.get(digest, 0) + 1
        hashes.append(f"{digest}:{seen[digest]}")
    return hashes


def program(path, texts):
    stream = b"".join(b"%d\n" % len(text) + text for text in texts)
    result = subprocess.run([path], input=stream, stdout=subprocess.PIPE, check=True)
    answers = result.stdout.decode("ascii").split("\n\n")
    return [answer.split() for answer in answers[:-1]]


FIXED = [
    b"", b"\n", b"\r", b"\r\n", b"\r \n", b"\n\r", b"\r\r\n\n", b"a", b" \t ", b"a\n  ",
    b"\xef\xbb\xbfa\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe4\xb8", b"\xed\xa0\x80\n", b"\0\0\n\0",
    b"\xf0\x9f\x98\x80\n" * 60, b"x = 1\n" * 300, b"y" * 99, b"y" * 100, b"y" * 101,
    b"y" * 99 + b"\n", b"\xf4\x90\x80\x80", b"\xc0\x80\n", b"\xf0\x80\x80", "中文注释\n".encode() * 40,
]


def random_text(rng):
    pieces = [b"a", b"bc", b" ", b"\t", b"\n", b"\r\n", b"\r", "中".encode(), "é".encode(),
              "\U0001f600".encode(), "\U00020000".encode(), "\ufeff".encode(), b"\x80", b"\xe4\xb8",
              b"import torch", b"\0", "\uffff".encode()]
    weights = [rng.random() ** 3 for _ in pieces]
    return b"".join(rng.choices(pieces, weights, k=rng.randrange(0, 400)))


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    rng = random.Random(20250722)
    texts = FIXED + [random_text(rng) for _ in range(count)]
    # The one vector known from elsewhere: the hash of an empty file.
    assert reference(b"") == ["c129715d7a2bc9a3:1"], reference(b"")
    answers = program(sys.argv[1], texts)
    assert len(answers) == len(texts), (len(answers), len(texts))
    lines = 0
    for text, answer in zip(texts, answers):
        expected = reference(text)
        lines += len(expected)
        if answer != expected:
            print(f"differs for {text!r}:\n  expected {expected}\n  got      {answer}")
            return 1
    print(f"{len(texts)} texts, {lines} lines: all hashes agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
