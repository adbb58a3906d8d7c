#!/usr/bin/env python3
"""Compares an installed or unpacked tree of PyPTO with the tables of this program.

Usage: compare_product.py TREE [--version 9.2] [--docs FOLDER]

TREE contains the package `pypto`, directly or below python/, or is that package. Everything is read, nothing imported.
Prints a line for each difference between the tree and the tables:

  names        what `pypto.NAME` finds in the tree, and rules/data/pypto-api.json
  parameters   of functions and classes, and those of pypto-api.json: order, and which have defaults
  options      keywords of set_…_options in the tree, and runtime/pypto/_config.py
  members      of enumerations in pypto_impl/__init__.pyi, and pypto-api.json
  dtypes       DT_… on the pages FOLDER/**/*OPERATION.md that state them, and src/model/ops.def

Status 0: they agree; 1: they do not; 2: there is no package to read.
docs/internals/new-product-version.md says what to do about differences.
"""
import argparse
import ast
import json
import pathlib
import re
import sys

import make_sim_ops

ROOT = pathlib.Path(__file__).resolve().parents[1]
API = ROOT / "rules/data/pypto-api.json"
OPS = ROOT / "src/model/ops.def"
CONFIG = ROOT / "runtime/pypto/_config.py"
RANGES = ROOT / "src/model/options.def"
MOST_FILES, MOST_BYTES = 400, 1 << 20


def number(version):
    """(9, 2) of "9.2"."""
    return tuple(int(part) for part in version.split("."))


# ---- the tree ----


class Package:
    """The modules of the package, parsed on demand."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.trees = {}
        self.unread = []

    def file(self, module):
        """(path, whether it is a folder's) of a module, or None; "" is the package itself."""
        base = self.folder.joinpath(*module.split(".")) if module else self.folder
        for path, is_folder in ((base / "__init__.py", True), (base.with_suffix(".py"), False),
                                (base / "__init__.pyi", True)):
            if path.is_file() and path.resolve().is_relative_to(self.folder):
                return path, is_folder
        return None

    def tree(self, module):
        """(syntax tree, whether it is a folder's) of a module, or None."""
        if module not in self.trees:
            self.trees[module] = None
            found = self.file(module)
            if found and len(self.trees) < MOST_FILES and found[0].stat().st_size < MOST_BYTES:
                try:
                    self.trees[module] = ast.parse(found[0].read_bytes()), found[1]
                except (SyntaxError, ValueError, RecursionError):
                    self.unread.append(module)
            elif found:
                self.unread.append(module)
        return self.trees[module]

    def resolve(self, module, is_folder, node):
        """The module that `from … import` names; None for another package's."""
        if node.level == 0:
            name = node.module or ""
            return name[6:].lstrip(".") if name == "pypto" or name.startswith("pypto.") else None
        parts = module.split(".") if module else []
        parts = parts[:len(parts) - (node.level - (1 if is_folder else 0))] \
            if node.level - (1 if is_folder else 0) else parts
        return ".".join(parts + (node.module.split(".") if node.module else []))


def statements(body):
    """The statements of a body, and those inside its `if`, `try`, `for` and `with`."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        for field in ("body", "orelse", "finalbody"):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from statements(getattr(node, field, None) or [])
        for handler in getattr(node, "handlers", []):
            yield from statements(handler.body)


def targets(node):
    """The names that an assignment, a loop or a `with` binds."""
    places = getattr(node, "targets", None) or [getattr(node, "target", None)] + [
        item.optional_vars for item in getattr(node, "items", [])]
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return
    for place in places:
        for name in ast.walk(place) if isinstance(place, ast.AST) else ():
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                yield name.id


def literal_all(tree):
    """The names of `__all__`, or None if it does not exist or is not a literal."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
                isinstance(place, ast.Name) and place.id == "__all__" for place in node.targets):
            try:
                return [str(name) for name in ast.literal_eval(node.value)]
            except (ValueError, TypeError):
                return None
    return None


def public_names(package):
    """{name: the node that binds it, or None}: what `pypto.NAME` finds."""
    found, open_modules, seen, imported = {}, [""], {""}, set()
    while open_modules:
        module = open_modules.pop()
        read = package.tree(module)
        if read is None:
            continue
        tree, is_folder = read
        bound, stars = {}, []
        for node in statements(tree.body):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound.setdefault(node.name, node)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    bound.setdefault(alias.asname or alias.name.split(".")[0], None)
                    if alias.name.startswith("pypto."):
                        imported.add(alias.name.split(".")[1])
            elif isinstance(node, ast.ImportFrom):
                source = package.resolve(module, is_folder, node)
                if source:
                    imported.add(source.split(".")[0])
                for alias in node.names:
                    if alias.name == "*":
                        stars.append(source)
                        continue
                    definition = defined(package, source, alias.name)
                    bound.setdefault(alias.asname or alias.name, definition)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)):
                for name in targets(node):
                    bound.setdefault(name, None)
        listed = literal_all(tree) if module else None
        for name, definition in bound.items():
            if not name.startswith("_") and (listed is None or name in listed):
                found.setdefault(name, definition)
        for source in stars if listed is None else []:
            if source is not None and source not in seen:
                seen.add(source)
                open_modules.append(source)
    for module in imported:
        found.setdefault(module, None)
    return {name: node for name, node in found.items() if not name.startswith("_")}


def defined(package, module, name):
    """The definition of a name in a module of the package, if it is there."""
    read = package.tree(module) if module else None
    for node in statements(read[0].body) if read else ():
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return node
    return None


def parameters(node):
    """[(name, required)] of a function, or of a class's constructor; None if unknown, or if it takes * or **."""
    if isinstance(node, ast.ClassDef):
        made = [inner for inner in node.body
                if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"]
        given = parameters(made[0]) if made else None
        return given[1:] if given else None
    if not isinstance(node, ast.FunctionDef) or node.args.vararg or node.args.kwarg:
        return None
    arguments = node.args
    plain = arguments.posonlyargs + arguments.args
    first = len(plain) - len(arguments.defaults)
    return [(argument.arg, i < first) for i, argument in enumerate(plain)] + [
        (argument.arg, default is None)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]


# ---- the tables ----


def holds(entry, version):
    """Does that version have the entry, by its "since" and "until"?"""
    return number(entry.get("since", "0")) <= version <= number(entry.get("until", "999"))


def known_options():
    """{group: keys} of the simulator."""
    for node in ast.parse(CONFIG.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and "GROUPS" in targets(node):
            known = {group.value: {key.value for key in keys.keys}
                     for group, keys in zip(node.value.keys, node.value.values)}
            for group, name in re.findall(r"^OPTION\((\w+), (\w+),", RANGES.read_text(encoding="utf-8"),
                                          re.M):
                known[group].add(name)
            return known
    raise SystemExit("no GROUPS in %s" % CONFIG)


def known_dtypes():
    """{operation: the DT_… of its first tensor on any hardware}, without operations that take all of them."""
    found = {}
    for op in make_sim_ops.read(OPS):
        listed = (op.get("dtypes", "") + " " + op.get("dtypes950", "")).split()
        if listed and "all" not in listed:
            found[op["name"]] = {"DT_" + name for word in listed
                                 for name in make_sim_ops.DTYPES.get(word, [word])}
    return found


# ---- the comparison ----


def compare_names(found, entries):
    for name in sorted(set(found) - set(entries)):
        yield "names: pypto.%s is in the tree, not in the list" % name
    for name in sorted(set(entries) - set(found)):
        yield "names: pypto.%s is in the list, not in the tree" % name


def compare_parameters(found, entries, version):
    for name in sorted(set(found) & set(entries)):
        listed = entries[name].get("params")
        given = parameters(found[name])
        if listed is None or given is None:
            continue
        ours = [(parameter["name"], bool(parameter["required"])) for parameter in listed
                if holds(parameter, version)]
        if ours != given:
            yield "parameters: pypto.%s has (%s) in the tree, (%s) in the list" % (
                name, words(given), words(ours))


def words(listed):
    return ", ".join(name + ("" if required else "=…") for name, required in listed)


def compare_options(found, entries, version):
    for group, keys in sorted(known_options().items()):
        node = found.get("set_" + group)
        other = {parameter["name"] for parameter in entries.get("set_" + group, {}).get("params") or ()
                 if not holds(parameter, version)}
        given = {name for name, _ in parameters(node) or ()}
        for key in sorted(given - keys):
            yield "options: %s has '%s' in the tree, the simulator does not know it" % (group, key)
        for key in sorted(keys - given - other) if given else ():
            yield "options: %s has '%s' in the simulator, not in the tree" % (group, key)


def compare_members(package, entries):
    read = package.tree("pypto_impl")
    for node in read[0].body if read else ():
        entry = entries.get(getattr(node, "name", None))
        if not isinstance(node, ast.ClassDef) or not entry or entry["kind"] != "enum" or \
                not entry.get("members"):
            continue
        given = {name for inner in node.body for name in (
            [inner.target.id] if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name)
            else list(targets(inner)) if isinstance(inner, ast.Assign) else [])
                 if name[0].isalpha() and name not in ("name", "value")}
        for name in sorted(given ^ set(entry["members"])) if given else ():
            yield "members: %s.%s is in the %s only" % (node.name, name,
                                                        "tree" if name in given else "list")


def compare_dtypes(folder):
    ours = known_dtypes()
    for page in sorted(folder.rglob("*.md")):
        name = re.sub(r"^pypto[-_.]", "", page.stem)
        if name not in ours or page.stat().st_size > MOST_BYTES:
            continue
        text = page.read_text(encoding="utf-8", errors="replace")
        rows = [line for line in text.splitlines() if re.search(r"dtype|data type|数据类型", line, re.I)]
        given = set(re.findall(r"DT_[A-Z0-9_]+", "\n".join(rows)))
        for dtype in sorted(given - ours[name]) if given else ():
            yield "dtypes: %s takes %s by %s, not by ops.def" % (name, dtype, page.name)
        for dtype in sorted(ours[name] - given) if given else ():
            yield "dtypes: %s takes %s by ops.def, not by %s" % (name, dtype, page.name)


def find_package(tree):
    """The folder of the package, or None."""
    for folder in (tree, tree / "pypto", tree / "python" / "pypto"):
        if (folder / "__init__.py").is_file() and folder.resolve().name == "pypto":
            return folder
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--version", help="the version that the tree is compared with (default: the newest)")
    parser.add_argument("--docs", type=pathlib.Path, help="the documentation's folder")
    asked = parser.parse_args()
    folder = find_package(asked.tree)
    if folder is None:
        print("%s: no package pypto there" % asked.tree, file=sys.stderr)
        return 2
    api = json.loads(API.read_text(encoding="utf-8"))
    version = number(asked.version or max((one["name"] if isinstance(one, dict) else one
                                           for one in api["versions"]), key=number))
    entries = {entry["name"]: entry for entry in api["attributes"] if holds(entry, version)}
    package = Package(folder)
    found = public_names(package)
    lines = [*compare_names(found, entries), *compare_parameters(found, entries, version),
             *compare_options(found, entries, version), *compare_members(package, entries),
             *(compare_dtypes(asked.docs) if asked.docs else ())]
    lines += ["unread: module '%s' could not be read" % module for module in package.unread]
    print("\n".join(lines) if lines else "the tree and the tables agree")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
