#!/usr/bin/env python3
"""Makes the built-in attribute list of the pypto package from its data file.

Usage: make_api_table.py rules/data/pypto-api.json OUT.c

The result defines `api_builtin` (rules/data/api.h), with names sorted by code point for binary search.
"""
import json
import sys

KINDS = {"function": "API_FUNCTION", "class": "API_CLASS", "enum": "API_ENUM",
         "constant": "API_CONSTANT", "module": "API_MODULE"}
VERSIONS = {"9.1": "PRODUCT_9_1", "9.2": "PRODUCT_9_2"}
ORIGINS = {"api": "API_OWN", "leak": "API_LEAK", "submodule": "API_SUBMODULE"}


def c_string(text):
    """`text` as the inside of a C string literal."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def entry(item):
    """One line of the table."""
    name = item["name"]
    if not name.isascii() or not name.isidentifier():
        raise SystemExit(f"not a name: {name!r}")
    element = any(p.get("accepts_element") for p in item.get("params", []))
    return '    {{"%s", %d}, %s, %s, %s, %s, %s, %s},' % (
        name, len(name), KINDS[item["kind"]], ORIGINS[item["origin"]],
        str(element).lower(), str(bool(item["documented"])).lower(),
        VERSIONS[item.get("since", "9.1")], VERSIONS[item.get("until", "9.2")])


def main(source, target):
    with open(source, encoding="utf-8") as file:
        data = json.load(file)
    items = sorted(data["attributes"], key=lambda item: item["name"])
    names = [item["name"] for item in items]
    if len(set(names)) != len(names):
        raise SystemExit("a name is listed twice")
    if len(names) != data["attribute_count"]:
        raise SystemExit("attribute_count does not agree with the list")
    version = data["version"]
    lines = ["/* Made by scripts/make_api_table.py from rules/data/pypto-api.json; do not edit. */",
             '#include "rules/data/api.h"', "",
             "static const ApiName names[] = {", *map(entry, items), "};", "",
             "const Api api_builtin = {",
             "    .available = true,",
             '    .version = {"%s", %d},' % (c_string(version), len(version.encode())),
             "    .names = names,",
             "    .count = sizeof names / sizeof *names,",
             "};", ""]
    with open(target, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
