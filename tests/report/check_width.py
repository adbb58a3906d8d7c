#!/usr/bin/env python3
"""Compares the widths of characters with Python's Unicode tables.

    check_width.py PROGRAM      PROGRAM prints "CODE WIDTH" for every code point, in hexadecimal

Only assigned characters count, and of the marks without width only those of Latin, Cyrillic, Hebrew and Arabic
letters and the general ones: the program's table is meant to be short.
"""
import subprocess
import sys
import unicodedata

MARKS = [(0x300, 0x370), (0x483, 0x48A), (0x591, 0x5BE), (0x64B, 0x660), (0x1DC0, 0x1E00), (0x20D0, 0x2100),
         (0xFE00, 0xFE10), (0xFE20, 0xFE30)]


def expected(code):
    char = chr(code)
    category = unicodedata.category(char)
    if category in ("Cn", "Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return None
    if category in ("Mn", "Me"):
        return 0 if any(first <= code < last for first, last in MARKS) else None
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def main():
    output = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, check=True, encoding="ascii").stdout
    widths = dict(line.split() for line in output.splitlines())
    assert len(widths) == 0x110000
    # Characters of Unicode versions newer than this table may differ.
    wrong = [(code, width) for code, width in widths.items()
             if expected(int(code, 16)) not in (None, int(width))]
    if wrong:
        sys.exit(f"{len(wrong)} widths differ, the first ones: {wrong[:20]}")


if __name__ == "__main__":
    main()
