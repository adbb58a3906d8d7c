#!/usr/bin/env python3
"""Checks that every function which other files may call is called by one of them.

    check_unused.py BUILD_FOLDER

The objects of a build without link-time optimisation know. A global function that no other object of the
program refers to is dead, or should be `static`; unless its own file calls it, and a test as well: then it
is global so that the test can reach it.
"""
import pathlib
import re
import subprocess
import sys

import tree

# Whose callers are no objects of the program.
ALLOWED = {
    "answer_add_member": "clients with answers of their own (docs/clients/adding-a-client.md)",
    "changes_parse": "the fuzz driver, which has no git to ask",
    "main": "the C library",
    "arena_inject_failure": "tests of what happens without memory",
    "eval_dump": "the test that holds the evaluator against Python",
    "eval_fact_at": "a language server, which asks about one place",
    "interfaces_validate": "the command that checks module_interfaces.yaml alone",
    "node_kind_name": "ast_dump, which shows trees for comparison",
    "parse_part_count": "its test, which counts the edits that were parsed in part",
    "parse_memory_end": "its test, whose memory is to be free in the end",
    "parse_memory_pause": "its test, which compares with a parse from the start",
    "python_parse_only": "the benchmark, which measures the parser alone",
}
# libsarif is a library of its own: its public header is used by others, too.
PUBLIC_HEADER = "src/sarif/include/sarif/sarif.h"


def objects(build):
    """Objects of the program and of the tests. The simulator in src/sim and src/model is a library for others."""
    program = [path for path in pathlib.Path(build, "src").rglob("*.o")
               if not {"sim", "model"} & set(path.parts) and not is_left(path)]
    return sorted(program), sorted(pathlib.Path(build, "tests").rglob("*.o"))


def is_left(path):
    """True for an object whose source was moved or deleted: a build folder keeps it."""
    match = re.search(r"/src/CMakeFiles/[\w-]+\.dir/(?!__|.*generated/)(.*)\.o$", str(path))
    return match is not None and not (tree.ROOT / "src" / match.group(1)).exists()


def symbols(paths):
    """Object -> (functions it defines, names it wants from others)."""
    done = subprocess.run(["nm", "-A", "-g", *map(str, paths)], capture_output=True, encoding="utf-8",
                          check=True)
    found = {str(path): (set(), set()) for path in paths}
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(":")
        kind, name = rest.split()[-2:]
        if kind in "TW":
            found[path][0].add(name)
        elif kind == "U":
            found[path][1].add(name)
    return found


def source_of(path):
    return re.sub(r".*/CMakeFiles/[^/]+\.dir/(__/)*", "", path).removesuffix(".o")


def is_called_inside(path, name):
    """Does the file that defines the function call it?"""
    for folder in ("src", "src/sarif", "."):
        source = tree.ROOT / folder / source_of(path)
        if source.is_file():
            code = tree.blank(source.read_text(encoding="utf-8"))
            return len(re.findall(rf"\b{name}\b", code)) > 1
    return False


def main():
    paths, test_paths = objects(sys.argv[1])
    found = symbols(paths)
    tested = set().union(*(names for _, names in symbols(test_paths).values()))
    defined = set().union(*(names for names, _ in found.values()))
    public = {name for name in defined if re.search(rf"\b{name}\b", tree.read(PUBLIC_HEADER))}
    problems = []
    for path, (names, _) in found.items():
        wanted = set().union(*(others for other, (_, others) in found.items() if other != path))
        problems += [f"{source_of(path)}: no other file of the program calls {name}"
                     for name in sorted(names - wanted - public - set(ALLOWED))
                     if name not in tested or not is_called_inside(path, name)]
    problems += [f"{name} is allowed to have no caller, but does not exist"
                 for name in sorted(set(ALLOWED) - defined)]
    if len(paths) < 150:
        problems.append(f"only {len(paths)} objects found")
    return tree.finish(problems)


if __name__ == "__main__":
    sys.exit(main())
