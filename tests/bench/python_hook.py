#!/usr/bin/env python3
"""What `pypto-lint hook post-edit` is compared with: the least that a hook in Python has to do.

    python_hook.py --hook post-edit < event.json

Reads the event, finds the operator directory and its stage, parses the file, walks its tree once for
each of 30 checks that each look for one thing, and answers. It knows no alias, no scope, no call
graph, no settings and no second language, so it does far less than the linter: the comparison is in
Python's favour. With --bare it imports only what parsing needs and looks for no operator directory.
"""
import ast
import json
import sys

# One check each: calls of this name, or nodes of this kind.
CALLS = ("view", "assemble", "matmul", "cast", "tensor", "loop", "cond", "exp", "sum", "amax",
         "set_vec_tile_shapes", "set_cube_tile_shapes", "empty", "print", "open")
KINDS = (ast.While, ast.Try, ast.Lambda, ast.Global, ast.Nonlocal, ast.Yield, ast.Await,
         ast.ListComp, ast.Starred, ast.Assert, ast.Raise, ast.With, ast.Delete, ast.NamedExpr,
         ast.ImportFrom)


def stage_of(path):
    """As a linter in Python would: with the modules that one uses."""
    import argparse
    import dataclasses
    import pathlib
    import re

    @dataclasses.dataclass
    class Operator:
        folder: pathlib.Path
        stage: int

    parser = argparse.ArgumentParser()
    parser.add_argument("--hook", choices=("post-edit", "pre-edit", "post-bash", "stop"))
    parser.parse_args()
    if not re.search(r"(_impl|_golden)\.py$|(^|/)test_\w+\.py$", path):
        sys.exit(0)
    folder = pathlib.Path(path).resolve().parent
    state = json.loads((folder / ".orchestrator_state.json").read_text(encoding="utf-8"))
    return Operator(folder, state["current_stage"]).stage


def calls_of(tree, name):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute) and function.attr == name:
                yield node
            elif isinstance(function, ast.Name) and function.id == name:
                yield node


def nodes_of(tree, kind):
    for node in ast.walk(tree):
        if isinstance(node, kind):
            yield node


def main():
    event = json.load(sys.stdin)
    path = event["tool_input"]["file_path"]
    if sys.argv[1:] != ["--bare"] and stage_of(path) != 5:
        return
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    found = [(name, node.lineno) for name in CALLS for node in calls_of(tree, name)]
    found += [(kind.__name__, node.lineno) for kind in KINDS for node in nodes_of(tree, kind)]
    if any(name == "While" for name, _ in found):
        print(json.dumps({"decision": "block", "reason": f"{len(found)} places"}))


main()
