#!/usr/bin/env python3
"""Runs clang-tidy over the program and the rules, as .clang-tidy says.

    check_tidy.py CLANG_TIDY BUILD_FOLDER [--no-analyzer | --nodes N] [--anew] [--root FOLDER] [FILE…]

BUILD_FOLDER has compile_commands.json and is built. A FILE may be a folder; without FILEs all are judged.
Clang's path-sensitive checks take nearly all of the time: they follow the paths of a function until they
have made N states, 225000 by default. With 60000 they take less than a third. A file is not judged again
when neither it nor a header nor anything else that matters has another byte than when nothing was found
in it (judged.py); --anew judges all.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import judged
import tree

MOST_FILES = 4  # for one start of clang-tidy


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding="utf-8", check=False)
    return done.returncode, done.stdout


def one_command_a_file(build, folder):
    """Path: entry. A file that is compiled in several ways is judged in the first of them."""
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))
    kept = {entry["file"]: entry for entry in reversed(entries)}
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(list(kept.values())),
                                                             encoding="utf-8")
    return {pathlib.Path(name): kept[name] for name in sorted(kept)}


def read_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--no-analyzer", action="store_true")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=tree.ROOT)
    return parser.parse_intermixed_args()


def judge(asked, options, folder, files, verdicts):
    """Runs clang-tidy over the files; prints what it finds and says whether that is anything."""
    names = {path: verdicts.name(entry) for path, entry in files.items()}
    left = [path for path in files if not verdicts.is_clean(names[path])]
    parts = [left[i : i + MOST_FILES] for i in range(0, len(left), MOST_FILES)]
    commands = [[asked.program, "-p", folder, "--quiet", *options, *map(str, part)] for part in parts]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for part, (status, output) in zip(parts, pool.map(run, commands)):
            failed |= status != 0
            print(output, end="")
            if status == 0 and not output.strip():
                for path in part:
                    verdicts.keep(names[path])
    print(f"{len(files)} files, {len(left)} of them judged anew")
    return failed


def main():
    asked = read_arguments()
    root = asked.root.resolve()
    wanted = {path.resolve() for path in asked.files} or {root / "src", root / "rules"}
    options = ["--checks=-clang-analyzer-*"] if asked.no_analyzer else []
    if asked.nodes:
        words = "-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={asked.nodes}"
        options += [f"--extra-arg={word}" for word in words]
    verdicts = judged.Verdicts(asked.program, options, root, pathlib.Path(asked.build).resolve(),
                               None if asked.anew else judged.folder())
    with tempfile.TemporaryDirectory() as folder:
        known = one_command_a_file(asked.build, folder)
        files = {path: entry for path, entry in known.items() if wanted & {path, *path.parents}}
        if not files:
            print("no file to judge")
            return 1
        failed = judge(asked, options, folder, files, verdicts)
    verdicts.forget_old()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
