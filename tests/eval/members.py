#!/usr/bin/env python3
"""The evaluator's lists of members against the simulator's classes.

    members.py ROOT

Everything that a tensor or a symbolic scalar of the simulator has must be in the lists, or the
linter would refuse what runs.
"""
import ast
import pathlib
import re
import sys


def words(text, name):
    """The words of a C string constant."""
    body = re.search(name + r"\[\] =\s*((?:\"[^\"]*\"\s*)+);", text).group(1)
    return set("".join(re.findall(r'"([^"]*)"', body)).split())


def defined(text):
    """Public methods and properties of the classes in a module."""
    return {item.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)
            for item in node.body if isinstance(item, ast.FunctionDef) and item.name[0] != "_"}


def main():
    root = pathlib.Path(sys.argv[1])
    members = (root / "src/eval/api_members.c").read_text(encoding="utf-8")
    runtime = root / "runtime/pypto"
    methods = (runtime / "_methods.py").read_text(encoding="utf-8")
    wanted = set(re.search(r'_METHODS = """(.*?)"""', methods, re.S).group(1).split())
    assert len(wanted) > 60, wanted
    wanted |= {"assemble", "move"}
    wanted |= defined((runtime / "tensor.py").read_text(encoding="utf-8"))
    missing = wanted - words(members, "api_tensor_members")
    symbols = defined((runtime / "symbolic_scalar.py").read_text(encoding="utf-8"))
    assert {"min", "max", "concrete"} <= symbols, symbols
    missing |= symbols - words(members, "api_symbol_members")
    print("missing: " + " ".join(sorted(missing)) if missing else "all well")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
