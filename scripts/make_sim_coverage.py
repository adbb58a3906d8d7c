#!/usr/bin/env python3
"""Makes the table that says which of the product's public names the simulator covers.

Usage: make_sim_coverage.py OPS.DEF API.JSON COVERAGE.PY docs/kernel-authors/simulator.md [--check]

The table is in the page between two marks. It is made from the operations (src/model/ops.def), the list
of public names (rules/data/pypto-api.json) and what has no effect or is not simulated
(runtime/pypto/_coverage.py); tests/runtime/test_api.py checks the last against what the names do.
With --check nothing is written; the exit status is 1 if the page is out of date.
"""
import ast
import json
import sys

import make_sim_ops

BEGIN, END = "<!-- coverage: made by scripts/make_sim_coverage.py -->", "<!-- coverage: end -->"


def constants(path):
    """The values that a Python file assigns, without running it."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    return {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body
            if isinstance(node, ast.Assign)}


def listed(names):
    """`a` `b` `c`"""
    return " ".join("`%s`" % name for name in sorted(names)) or "none"


def rows(ops, api, coverage):
    """(what, names) of each line of the table."""
    names = {item["name"]: item for item in api["attributes"]}
    built = {op["name"].rpartition(".")[2] for op in ops if op["state"] == "built"}
    missing = {op["name"]: op for op in ops if op["state"] != "built"}
    in_api = {name for name in missing if name in names or "." in name}
    no_effect = {name for group in coverage["IGNORED"].values() for name in group}
    not_simulated = {name for group in coverage["NOT_SIMULATED"].values() for name in group}
    not_simulated |= {name.rpartition(".")[2] for name in missing}
    since = set(coverage["SINCE_9_2"])
    leaks = set(coverage["NOT_API"])
    rest = set(names) - leaks - no_effect - not_simulated - since
    operations = rest & built
    rest -= operations
    kinds = {kind: {name for name in rest if names[name]["kind"] == kind}
             for kind in ("enum", "constant", "class", "function", "module")}
    yield "operations, simulated (%d)" % len(operations), listed(operations)
    yield "operations, not simulated yet: NotImplementedError (%d)" % len(in_api), listed(in_api)
    for kind, text in (("function", "other functions, at work"), ("class", "classes"),
                       ("enum", "enumerations"), ("constant", "constants"), ("module", "modules")):
        yield "%s (%d)" % (text, len(kinds[kind])), listed(kinds[kind])
    for why, group in coverage["IGNORED"].items():
        yield "accepted, without effect: %s" % why, listed(group)
    for why, group in coverage["NOT_SIMULATED"].items():
        yield "NotImplementedError: %s" % why, listed(group)
    yield "since PyPTO 9.2, at work; with 9.1 an AttributeError that says so", listed(since)
    yield "not part of the API, only visible in the product's package: AttributeError", listed(leaks)


def table(ops, api, coverage):
    """The text between the marks."""
    lines = ["", "| what | names |", "| --- | --- |"]
    lines += ["| %s | %s |" % row for row in rows(ops, api, coverage)]
    return "\n".join(lines + ["", ""])


def main(arguments):
    """Status of the program."""
    check = "--check" in arguments
    ops, api, coverage, page = [name for name in arguments if not name.startswith("--")]
    with open(api, encoding="utf-8") as file:
        made = table(make_sim_ops.read(ops), json.load(file), constants(coverage))
    with open(page, encoding="utf-8") as file:
        text = file.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print("%s: the marks of the table are missing" % page, file=sys.stderr)
        return 1
    new = before + BEGIN + made + END + after
    if check:
        if new != text:
            print("%s: the coverage table is out of date; run scripts/make_sim_coverage.py "
                  "%s" % (page, " ".join(arguments[:4])), file=sys.stderr)
        return int(new != text)
    with open(page, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
