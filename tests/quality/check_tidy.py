#!/usr/bin/env python3
"""Runs clang-tidy over the program and the rules, as .clang-tidy says.

    check_tidy.py CLANG_TIDY BUILD_FOLDER [--no-analyzer] [FILE…]

BUILD_FOLDER has compile_commands.json. A FILE may be a folder. Without FILEs all are judged, which
takes seven minutes on two cores, and half a minute with --no-analyzer: clang's path-sensitive checks
take nearly all of the time.
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
    without = "--no-analyzer" in wanted
    wanted = [name for name in wanted if name != "--no-analyzer"]
    known = [pathlib.Path(entry["file"]) for entry in
             json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))]
    wanted = {pathlib.Path(name).resolve() for name in wanted}
    checks = ["--checks=-clang-analyzer-*"] if without else []
    wanted = wanted or {tree.ROOT / "src", tree.ROOT / "rules"}
    judged = sorted(str(path) for path in known if wanted & {path, *path.parents})
    if not judged:
        print("no file to judge")
        return 1
    commands = [[program, "-p", build, "--quiet", *checks, *judged[i : i + 4]]
                for i in range(0, len(judged), 4)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for status, output in pool.map(run, commands):
            failed += status != 0
            print(output, end="")
    print(f"{len(judged)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
