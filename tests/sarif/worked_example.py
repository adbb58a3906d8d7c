#!/usr/bin/env python3
"""Checks that docs/internals/libsarif.md shows worked_example.c as it is, and that its program works.

    worked_example.py PROGRAM LOG: the log that it prints is written to LOG, for validate.py.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(os.path.join(HERE, "worked_example.c"), encoding="utf-8") as file:
        source = file.read()
    with open(os.path.join(HERE, "../../docs/internals/libsarif.md"), encoding="utf-8") as file:
        page = file.read()
    assert f"```c\n{source}```\n" in page, "docs/internals/libsarif.md does not show worked_example.c"
    output = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, check=True).stdout
    result = json.loads(output)["runs"][0]["results"][0]
    assert result["ruleId"] == "EX01" and result["level"] == "error", result
    with open(sys.argv[2], "wb") as file:
        file.write(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
