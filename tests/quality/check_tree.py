#!/usr/bin/env python3
"""Checks the tree as a whole: no binaries, nothing huge, no folder that a run left at the top, no machine's
paths, no third-party source, English in code, links in the documents that lead somewhere.
"""
import os
import re
import subprocess
import sys

import tree

MAX_BYTES = 100_000
BINARY = {".png", ".jpg", ".gif", ".pdf", ".o", ".a", ".so", ".zip", ".gz", ".xz", ".whl", ".exe"}
# Paths of a developer's machine. Tests may name made-up homes ("me", "dev", "user").
MACHINE = re.compile(r"(?<![\w.$}])(/root/|/home/(?!me/|dev/|user/)\w+/|/Users/\w+/|/work/|/workspace/)")
# A lock file that names a host works only where that host is reached.
HOST = re.compile(r'"resolved"\s*:')
THIRD_PARTY = re.compile(r"Copyright|SPDX-License-Identifier|@license", re.I)
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
FOLDERS = {".ci", "cmake", "docs", "editors", "examples", "grammar", "hooks", "packaging", "rules", "runtime",
           "scripts", "src", "tests"}
OWN_PATTERNS = {"tests/quality/check_tree.py", "tests/docs/check_rule_pages.py"}


def tracked():
    """Files that git has or would take; all files where there is no git."""
    try:
        done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=tree.ROOT,
                              capture_output=True, encoding="utf-8", check=True)
    except (OSError, subprocess.CalledProcessError):
        return [str(path) for path in tree.files()]
    return sorted({name for name in done.stdout.splitlines() if (tree.ROOT / name).is_file()})


def links(name, text):
    """Relative links of a document that lead nowhere."""
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S)
    for target in LINK.findall(text):
        # `[text](1)` is how SARIF refers to a related place.
        if "://" not in target and not target.startswith(("mailto:", "<")) and not target.isdigit():
            if not (tree.ROOT / name).parent.joinpath(target).exists():
                yield f"{name}: the link to {target} leads nowhere"


def check(name):
    path = tree.ROOT / name
    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        yield f"{name}: {len(data)} bytes, at most {MAX_BYTES}"
    if path.suffix in BINARY:
        yield f"{name}: a binary"
    if "node_modules" in path.parts:
        yield f"{name}: third-party source"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        if not name.startswith("tests/"):
            yield f"{name}: not UTF-8"
        return
    if name in OWN_PATTERNS:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if MACHINE.search(line):
            yield f"{name}:{number}: a path of one machine: {line.strip()[:80]}"
    if path.name == "package-lock.json" and HOST.search(text):
        yield f"{name}: names the host of a package registry"
    if path.suffix in (".c", ".h") and THIRD_PARTY.search(text):
        yield f"{name}: has somebody's copyright notice"
    if path.suffix == ".md" and not name.startswith("tests/fixtures/"):
        yield from links(name, text)


def strange_folders(names):
    """Folders at the top beside those of the tree: what a run leaves there is quickly committed with the rest."""
    for folder in sorted({name.split("/")[0] for name in names if "/" in name} - FOLDERS):
        yield f"{folder}: a folder at the top that is not part of the tree (list it in check_tree.py if it is)"


def empty_folders():
    for folder, folders, files in os.walk(tree.ROOT):
        folders[:] = sorted(set(folders) - tree.LEFT_OUT)
        if not folders and not files:
            yield f"{os.path.relpath(folder, tree.ROOT)}: an empty folder, which git does not keep"


def main():
    names = tracked()
    problems = [problem for name in names for problem in check(name)]
    problems += strange_folders(names)
    problems += empty_folders()
    if len(names) < 300:
        problems.append(f"only {len(names)} files found")
    return tree.finish(problems)


if __name__ == "__main__":
    sys.exit(main())
