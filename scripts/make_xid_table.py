#!/usr/bin/env python3
"""Writes src/python/xid_table.inc: which characters beyond ASCII a Python identifier may contain.

Each row is {first, last * 2 + start}: the code points first..last may continue an identifier, and may
begin one if `start` is 1. The facts come from str.isidentifier of the Python that runs this, so run it
with the newest one: characters are only ever added.
"""

import sys
import unicodedata


def kind(code):
    c = chr(code)
    if c.isidentifier():
        return 1
    return 0 if ("a" + c).isidentifier() else None


def ranges():
    first, current = 0x80, kind(0x80)
    for code in range(0x81, sys.maxunicode + 2):
        now = kind(code) if code <= sys.maxunicode else None
        if now != current:
            if current is not None:
                yield first, code - 1, current
            first, current = code, now


def main():
    cells = [f"{{0x{first:X}, 0x{last * 2 + start:X}}}," for first, last, start in ranges()]
    print("/* Made by scripts/make_xid_table.py from the Unicode database, version "
          f"{unicodedata.unidata_version}. Not to be edited.")
    print(" * {first code point, last code point * 2 + (may begin an identifier)}, in order. */")
    line = ""
    for cell in cells:
        if len(line) + len(cell) + 1 > 100:
            print(line)
            line = ""
        line = f"{line} {cell}".strip()
    print(line)


if __name__ == "__main__":
    main()
