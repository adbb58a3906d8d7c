#!/usr/bin/env python3
"""Checks that includes and symbols point one way: each layer sees only itself and those listed for it.

Usage: check_layers.py [BUILD]

docs/internals/architecture.md explains the layers. Two rules besides: the parser's header is included by the
lowering only, and the reports see findings, never the syntax tree. With a build folder, the objects
are asked as well: a header can declare what a higher layer defines.
"""
import pathlib
import re
import subprocess
import sys

import tree

LAYERS = {
    "platform": set(),
    "base": {"platform", "sarif"},  # the list of hidden characters, which libsarif must hold itself
    "document": {"base"},
    "process": {"base"},
    "python": {"base"},
    "model": {"base"},
    "kernel": {"base", "python"},
    "eval": {"base", "python", "model", "kernel"},
    "operator": {"base", "document", "process", "python", "kernel"},
    "sarif": set(),
    "lint": {"base", "document", "process", "python", "kernel", "operator"},
    "rules": {"base", "document", "process", "python", "kernel", "eval", "operator", "lint"},
    "report": {"base", "document", "lint", "sarif"},
    "metrics": {"base", "document", "lint", "report"},
    "clients": {"base", "document", "lint", "report"},
    "hook": {"base", "document", "python", "kernel", "operator", "lint", "rules", "report", "metrics", "clients"},
    "init": {"base", "document", "lint", "report", "clients"},
    "perf": {"base", "document"},
    "sim": {"base", "model"},
    "harness": {"base", "document", "process", "python", "kernel", "operator", "lint", "sarif", "report"},
}
LAYERS["environment"] = {"base", "process", "operator", "lint"}
LAYERS["diagnose"] = {"base", "document", "operator", "lint", "harness"}
LAYERS["server"] = {"base", "document", "process", "python", "kernel", "operator", "lint", "rules", "report"}
LAYERS["cli"] = set(LAYERS)
# What a system does in its own way may be asked for everywhere but in the model and its readers.
for layer in ("process", "lint", "harness", "metrics", "server"):
    LAYERS[layer].add("platform")
# What a report may include of lint/.
REPORT_SEES = {"lint/result.h", "lint/request.h", "lint/fingerprint.h"}
# The tree, which those headers bring along. (`Source` is a text, for the excerpts.)
TREE_WORDS = re.compile(r"\b(NodeId|NodeKind|Ast|Index|Kernel|node_\w+|ast_\w+|index_\w+)\b")
PARSER_USERS = re.compile(r"^src/python/(lower\w*\.[ch]|parser_language\.h)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
# Whose part a generated source is.
GENERATED = {"api_facts.c": "eval", "api_pages.c": "rules", "api_table.c": "rules", "init_files.c": "init",
             "name_facts.c": "server", "operation_facts.c": "rules", "page_files.c": "report", "rule_html.c": "report",
             "rule_pages.c": "rules", "rule_registry.c": "rules", "templates.c": "harness"}
# What a layer takes from a higher or a hidden one, and why.
PLUGGED = {
    # The engine declares what the folder of rules gives it.
    ("lint", "rules"): {"rule_registry", "rule_registry_count", "rule_pages", "rule_page_count",
                        "retired_rules", "retired_rule_count",
                        # Which hardware the settings may name; the list is the simulator's.
                        "hardware_name",
                        # How far the rules KS… came; the evaluator is theirs.
                        "semantics_describe"},
    # The line that an excerpt shows. A finding holds its source.
    ("report", "python"): {"source_line_text"},
}


def layer_of(path):
    if path.parts[0] == "rules":
        return "rules"
    return path.parts[1] if path.parts[0] == "src" and len(path.parts) > 2 else None


def layer_included(name, path):
    folder = name.split("/")[0] if "/" in name else None
    if folder is None:
        return layer_of(path)
    return folder if folder in LAYERS else None


def object_layer(path):
    """The layer of an object, or None: a library that is not ours, or a source that is gone."""
    match = re.fullmatch(r".*/src/(?:(\w+)/)?CMakeFiles/[\w-]+\.dir/(.*)\.o", path)
    folder, source = match.groups() if match else (None, "")
    source = source.rpartition("__/")[2]
    if "generated/" in source:
        return folder or GENERATED.get(source.rpartition("/")[2], "generated")
    for place in (f"src/{folder}/{source}" if folder else None, f"src/{source}", source):
        if place and (tree.ROOT / place).is_file():
            return layer_of(pathlib.Path(place))
    return None


def symbols(build):
    """(name -> layers that define it, [(object, layer, name that it takes from elsewhere)])."""
    objects = sorted(map(str, pathlib.Path(build, "src").rglob("*.o")))
    done = subprocess.run(["nm", "-A", "-g", *objects], capture_output=True, encoding="utf-8", check=True)
    defined, wanted = {}, []
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(":")
        kind, name = rest.split()[-2:]
        layer = object_layer(path)
        if layer and kind == "U":
            wanted.append((path, layer, name))
        elif layer:
            defined.setdefault(name, set()).add(layer)
    return defined, wanted


def symbol_problems(build):
    defined, wanted = symbols(build)
    if len(defined) < 500 or not all(any(layer in layers for layers in defined.values()) for layer in LAYERS):
        yield f"{build}: only {len(defined)} symbols found, or none of some layer"
    for path, layer, name in wanted:
        others = defined.get(name, {layer})  # the system's, else
        allowed = LAYERS.get(layer, set()) | {layer}
        plugged = any(name in PLUGGED.get((layer, other), ()) for other in others)
        if not others & allowed and not plugged:
            source = re.sub(r".*\.dir/(__/)*", "", path).removesuffix(".o")
            yield f"{source}: {layer} must not use {name} of {' or '.join(sorted(others))}"


def main():
    problems = list(symbol_problems(sys.argv[1])) if len(sys.argv) > 1 else []
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
