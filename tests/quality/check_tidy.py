#!/usr/bin/env python3
"""Runs clang-tidy over the program and the rules, as .clang-tidy says.

    check_tidy.py CLANG_TIDY BUILD_FOLDER [FILE…]

BUILD_FOLDER has compile_commands.json. Without FILEs all are judged, which takes a few minutes.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import tree


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding="utf-8", check=False)
    return done.returncode, done.stdout


def main():
    program, build, *wanted = sys.argv[1:]
    known = [pathlib.Path(entry["file"]) for entry in
             json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))]
    wanted = {pathlib.Path(name).resolve() for name in wanted}
    judged = sorted(str(path) for path in known
                    if (path in wanted if wanted else
                        any(tree.ROOT / part in path.parents for part in ("src", "rules"))))
    if not judged:
        print("no file to judge")
        return 1
    commands = [[program, "-p", build, "--quiet", *judged[i : i + 4]] for i in range(0, len(judged), 4)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for status, output in pool.map(run, commands):
            failed += status != 0
            print(output, end="")
    print(f"{len(judged)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
