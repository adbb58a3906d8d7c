#!/usr/bin/env python3
"""Runs clang-tidy over the program and the rules, as .clang-tidy says.

    check_tidy.py CLANG_TIDY BUILD_FOLDER [--no-analyzer | --nodes N] [FILE…]

BUILD_FOLDER has compile_commands.json. A FILE may be a folder; without FILEs all are judged. Clang's
path-sensitive checks take nearly all of the time: they follow the paths of a function until they have
made N states, 225000 by default. With 60000 they take less than a third.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import tree


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding="utf-8", check=False)
    return done.returncode, done.stdout


def one_command_a_file(build, folder):
    """A file that is compiled in several ways is judged in the first of them."""
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))
    kept = {entry["file"]: entry for entry in reversed(entries)}
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(list(kept.values())),
                                                             encoding="utf-8")
    return sorted(map(pathlib.Path, kept))


def read_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--no-analyzer", action="store_true")
    parser.add_argument("--nodes", type=int)
    return parser.parse_intermixed_args()


def main():
    asked = read_arguments()
    wanted = {path.resolve() for path in asked.files} or {tree.ROOT / "src", tree.ROOT / "rules"}
    options = ["--checks=-clang-analyzer-*"] if asked.no_analyzer else []
    if asked.nodes:
        words = "-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={asked.nodes}"
        options += [f"--extra-arg={word}" for word in words]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        known = one_command_a_file(asked.build, folder)
        judged = [str(path) for path in known if wanted & {path, *path.parents}]
        if not judged:
            print("no file to judge")
            return 1
        commands = [[asked.program, "-p", folder, "--quiet", *options, *judged[i : i + 4]]
                    for i in range(0, len(judged), 4)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for status, output in pool.map(run, commands):
                failed += status != 0
                print(output, end="")
    print(f"{len(judged)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
