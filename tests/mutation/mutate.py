#!/usr/bin/env python3
"""Changes the program in small ways, one at a time, and reports the changes that no test notices.

    mutate.py [--count 60] [--seed 1] [--only FOLDER…] [--near] [--list] [--work FOLDER]

Works in a clone of the repository's HEAD. A change is drawn from the C sources of rules/ and src/:
a comparison, a logical or arithmetic operator, a constant or a truth value is replaced. The tests of
the changed folder run first, then those of the whole program. "survived" is printed with the line,
for somebody to judge: either a test is missing, or the change makes no difference (equivalent.txt
lists those, with the reason). With --near the tests of the changed folder alone are run.

A changed program may send a signal to processes that are none of its own, so everything runs in a PID namespace of
its own (util-linux's unshare, which needs root or a user namespace).
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EQUIVALENT = pathlib.Path(__file__).with_name("equivalent.txt")
# Folder -> the tests that are about it, tried first.
FIRST = {"rules": "fixtures|break_one|examples", "src/python": "python|unit|fixtures", "src/sim": "sim|unit",
         "src/base": "unit|cli", "src/operator": "unit|operator|literal|yaml|state|fixtures", "src/lint": "lint|cli|unit",
         "src/hook": "hook|unit", "src/init": "init", "src/report": "report|cli", "src/sarif": "sarif|report",
         "src/cli": "cli", "src/eval": "eval|fixtures.KS", "src/kernel": "unit|fixtures",
         "src/harness": "harness|unit", "src/document": "json|unit|state|init|hook", "src/clients": "hook|init",
         "src/metrics": "metrics|hook|cli"}
NOT_RUN = "^(clients|quality|release|docs)\\."
SWAPS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
         (r" && ", " || "), (r" \|\| ", " && "), (r" \+ 1\b", ""), (r" - 1\b", ""), (r" \+ ", " - "), (r"\btrue\b", "false"),
         (r"\bfalse\b", "true"), (r"\breturn 0;", "return 1;"), (r"(?<=[(=<>] )\b([1-9]\d*)\b", None),
         (r"\bif \((?!!)(\w+)\)", r"if (!\1)"), (r"\+\+;", "--;"), (r"\bbreak;", "continue;")]


def candidates(folders):
    """Every change that could be made: (file, line number, the line before, the line after)."""
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.c")):
            lines = path.read_text(encoding="utf-8").split("\n")
            for number, line in enumerate(lines):
                if re.match(r"\s*(/?\*|//|#|static const|_Static_assert|for \()", line) or '"' in line:
                    continue
                for pattern, new in SWAPS:
                    for match in re.finditer(pattern, line):
                        text = new if new is not None else str(int(match.group(1)) + 1)
                        changed = line[:match.start()] + match.expand(text) + line[match.end():]
                        found.append((path.relative_to(ROOT), number, line, changed))
    return found


def chosen(count, seed, folders):
    """So many of each folder as it has a share in all, but one of each at least."""
    draw = random.Random(seed)
    by_folder = {folder: candidates([folder]) for folder in folders}
    total = sum(map(len, by_folder.values()))
    picked = []
    for folder, some in by_folder.items():
        picked += draw.sample(some, min(len(some), max(1, round(count * len(some) / total))))
    draw.shuffle(picked)
    return picked[:count]


class Tree:
    """The clone in which the changes are made."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = pathlib.Path(folder), jobs
        if not (self.folder / ".git").exists():
            subprocess.run(["git", "clone", "-q", str(ROOT), str(self.folder)], check=True)
        self.run("cmake", "--preset", "dev", "-DPYPTO_LINT_WERROR=OFF")
        if not self.build():
            sys.exit("mutate: the tree does not build")

    def run(self, *command):
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", errors="replace", check=False)

    def build(self):
        return self.run("cmake", "--build", "--preset", "dev", "-j", self.jobs).returncode == 0

    def failing(self, *selection):
        """The first test that fails, or None."""
        done = self.run("ctest", "--preset", "dev", "-j", self.jobs, "--stop-on-failure", "--timeout", "300", *selection)
        failed = re.search(r"^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Subprocess[^)]*|ILLEGAL|BUS[^)]*)\)", done.stdout, re.M)
        if done.returncode != 0 and failed is None:
            return "?"
        return failed.group(1) if failed else None

    def judge(self, change, near):
        """What became of a change: the test that noticed it, "does not compile", or None."""
        path, number, _, after = change
        file = self.folder / path
        before = file.read_text(encoding="utf-8")
        lines = before.split("\n")
        lines[number] = after
        try:
            file.write_text("\n".join(lines), encoding="utf-8")
            if not self.build():
                return "does not compile"
            return self.failing("-R", first_tests(path)) or (None if near else self.failing("-E", NOT_RUN))
        finally:
            file.write_text(before, encoding="utf-8")


def first_tests(path):
    rule = re.match(r"rules/(ol|ks)(\d+)_", str(path))
    if rule:
        return f"fixtures.{rule.group(1).upper()}{rule.group(2)}|break_one"
    folder = "rules" if path.parts[0] == "rules" else "/".join(path.parts[:2])
    return FIRST.get(folder, "unit")


def known():
    """The lines of equivalent.txt: "FILE: LINE BEFORE -> LINE AFTER", then the reason, indented."""
    if not EQUIVALENT.exists():
        return set()
    return {line for line in EQUIVALENT.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", " ", "#")}


def enter_namespace():
    """Starts this program again where its processes can signal no others."""
    if os.getpid() == 1 or os.environ.get("MUTATE_INSIDE"):
        return
    root = [] if os.geteuid() == 0 else ["--user", "--map-current-user"]
    command = ["unshare", *root, "--pid", "--fork", "--mount-proc", "--kill-child", sys.executable, *sys.argv]
    os.environ["MUTATE_INSIDE"] = "1"
    try:
        os.execvp("unshare", command)
    except OSError as error:
        sys.exit(f"mutate: unshare (util-linux) cannot be started: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=sorted(FIRST))
    parser.add_argument("--near", action="store_true", help="run only the tests of the changed folder")
    parser.add_argument("--list", action="store_true", help="print the changes and make none")
    parser.add_argument("--work", help="folder of the clone; kept (default: a temporary one)")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    changes = chosen(options.count, options.seed, options.only)
    names = [f"{path}: {before.strip()} -> {after.strip()}" for path, _, before, after in changes]
    if options.list:
        print("\n".join(names))
        return 0
    enter_namespace()
    survived = 0
    with tempfile.TemporaryDirectory() as temporary:
        tree = Tree(options.work or temporary, options.jobs)
        for change, name in zip(changes, names):
            if name in known():
                print(f"equivalent  {name}", flush=True)
                continue
            noticed = tree.judge(change, options.near)
            survived += noticed is None
            print(f"{'SURVIVED' if noticed is None else 'caught':10}  {change[0]}:{change[1] + 1}: "
                  f"{name.split(': ', 1)[1]}  [{noticed}]", flush=True)
    print(f"{len(changes)} changes, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
