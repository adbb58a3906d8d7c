#!/usr/bin/env python3
"""Checks that includes point one way: each layer sees only itself and those listed for it.

docs/internals/architecture.md explains the layers. Two rules besides: the parser's header is included by the
lowering only, and the reports see findings, never the syntax tree.
"""
import re
import sys

import tree

LAYERS = {
    "base": {"sarif"},  # the list of hidden characters, which libsarif must hold itself
    "document": {"base"},
    "python": {"base"},
    "kernel": {"base", "python"},
    "eval": {"base", "python", "kernel"},
    "operator": {"base", "document", "python", "kernel"},
    "sarif": set(),
    "lint": {"base", "document", "python", "kernel", "operator"},
    "rules": {"base", "document", "python", "kernel", "eval", "operator", "lint"},
    "report": {"base", "document", "lint", "sarif"},
    "metrics": {"base", "document", "lint", "report"},
    "clients": {"base", "document", "lint", "report"},
    "hook": {"base", "document", "python", "kernel", "operator", "lint", "rules", "report", "metrics", "clients"},
    "init": {"base", "document", "lint", "report", "clients"},
    "sim": {"base"},
    "harness": {"base", "document", "python", "kernel", "operator", "lint", "sarif", "report"},
}
LAYERS["cli"] = set(LAYERS)
# What a report may include of lint/.
REPORT_SEES = {"lint/result.h", "lint/request.h", "lint/fingerprint.h"}
# The tree, which those headers bring along. (`Source` is a text, for the excerpts.)
TREE_WORDS = re.compile(r"\b(NodeId|NodeKind|Ast|Index|Kernel|node_\w+|ast_\w+|index_\w+)\b")
PARSER_USERS = re.compile(r"^src/python/(lower\w*\.[ch]|parser_language\.h)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


def layer_of(path):
    if path.parts[0] == "rules":
        return "rules"
    return path.parts[1] if path.parts[0] == "src" and len(path.parts) > 2 else None


def layer_included(name, path):
    folder = name.split("/")[0] if "/" in name else None
    if folder is None:
        return layer_of(path)
    return folder if folder in LAYERS else None


def main():
    problems = []
    sources = [path for path in tree.own_c_files() if layer_of(path)]
    if len(sources) < 100:
        problems.append(f"only {len(sources)} sources found")
    for path in sources:
        layer = layer_of(path)
        if layer not in LAYERS:
            problems.append(f"{path}: the folder {layer} is in no layer")
            continue
        for quote, name in INCLUDE.findall(tree.blank(tree.read(path), keep_strings=True)):
            if name.startswith("tree_sitter/") and not PARSER_USERS.match(str(path)):
                problems.append(f"{path}: includes {name}; only the lowering sees the parser")
            if quote == "<":
                continue
            other = layer_included(name, path)
            if other is None:
                problems.append(f"{path}: includes {name}, which is in no layer")
            elif other != layer and other not in LAYERS[layer]:
                problems.append(f"{path}: {layer} must not include {name}")
            if layer == "report" and other == "lint" and name not in REPORT_SEES:
                problems.append(f"{path}: a report must not include {name}")
        words = set(TREE_WORDS.findall(tree.blank(tree.read(path)))) if layer == "report" else ()
        problems += [f"{path}: a report must not use {word}" for word in sorted(words)]
    return tree.finish(problems)


if __name__ == "__main__":
    sys.exit(main())
