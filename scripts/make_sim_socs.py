#!/usr/bin/env python3
"""Writes the hardware descriptions of src/model/soc as a C table.

    make_sim_socs.py OUT.c FILE.soc...
"""
import pathlib
import sys

from c_text import quoted


def main():
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("/* Made from src/model/soc by make_sim_socs.py. */\n")
        out.write('#include "model/soc_files.h"\n\n')
        out.write("const PtsSocFile pts_soc_files[] = {\n")
        for path in sorted(map(pathlib.Path, sys.argv[2:])):
            out.write(f'    {{"{path.stem}",\n        {quoted(path.read_text(encoding="utf-8"))}}},\n')
        out.write("};\n")
        out.write(f"const size_t pts_soc_file_count = {len(sys.argv) - 2};\n")


main()
