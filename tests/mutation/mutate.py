#!/usr/bin/env python3
"""Changes the program in small ways, one at a time, and reports the changes that no test notices.

    mutate.py [--count 60] [--seed 1] [--only PLACE…] [--near | --quick] [--list] [--check]
              [--from NUMBER] [--work FOLDER]

Works in a clone of the repository's HEAD. A change is drawn from the C sources of rules/ and src/:
a comparison, a logical or arithmetic operator, a constant or a truth value is replaced. The tests of
the changed folder run first, then those of the whole program. A test that fails is run a second time, and at the
end once more with the program as it was: so one that fails now and then catches nothing. "survived" is printed with
the line, for somebody to judge: either a test is missing, or the change makes no difference (equivalent.txt lists
those, with the reason; --check looks whether its lines still exist). With --near the tests of the changed folder
alone are run, with --quick only the first of them.

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
# Folder -> the tests that are about it, in two rounds: first those that take seconds. A folder may be in another one.
SIM = "^sim\\.(infer|memory|ops|ranges|record|sanitize|soc|sym|vm|kernels)"
FIRST = {"rules": ("fixtures|break_one", "examples|^oracle|hook.post_edit|cli.same_findings"),
         "src/base": ("unit", "cli|hostile"),
         "src/cli": ("cli.(command_line|options|inputs|gates|completions)", "cli|harness.(verify_cli|test_command)|runtime.run_command"),
         "src/clients": ("hook.(input|post_edit|post_bash|settings)", "hook|init"),
         "src/document": ("unit.json|state_diff|metrics", "unit|state|init|hook"),
         "src/eval": ("fixtures.KS|eval.(members|forgetting)", "eval|sim.front_ends"),
         "src/diagnose": ("unit.diagnose", "cli.diagnose"),
         "src/environment": ("cli.doctor_env", "cli.doctor"),
         "src/harness": ("harness.(advice|dimension|evaluation|judgement|kernel_text|redaction|tolerance_result|interfaces)"
                         "|unit.(suite|verify_source|job_line)", "harness|unit.pool"),
         "src/hook": ("hook.(input|post_edit|post_bash|pre_edit|stop)", "hook|unit|metrics"),
         "src/init": ("init.(json_clients|pre_commit|own_files)", "init"),
         "src/kernel": ("unit.(kernel|graph|interfaces)|fixtures", "examples|break_one|^oracle|eval.fixtures"),
         "src/lint": ("unit|lint|cli.(baseline|changes|options|inputs)", "lint|cli|fixtures|hook.manners"),
         "src/metrics": ("metrics", "hook|cli"),
         "src/model": (SIM, "runtime.(kernels|safety|sanitizer|ascend950)|sim.(front_ends|oracle)"),
         "src/operator": ("unit|literal|yaml|state_diff|operator_mutate", "fixtures|bad_files|cli.gates|harness.interfaces|^oracle"),
         "src/perf": ("cli.perf", "hostile.failures"),
         "src/platform": ("unit", "cli|hostile"),
         "src/process": ("unit.(process|python_run|pool)", "cli.ol11|harness.(worker|verify_f)|hostile.failures"),
         "src/python": ("unit|python", "fixtures|hostile.nesting"),
         "src/report": ("report", "cli"),
         "src/sarif": ("sarif", "report|install"),
         "src/server": ("server|unit.(positions|overlay|parse_memory)", "clients"),
         "src/sim": (SIM, "runtime.(kernels|safety|sanitizer|ascend950)|sim.(front_ends|oracle)"),
         "src/sim/kernels": (SIM, "runtime.(kernels|ascend950|references)|sim.oracle")}
NOT_RUN = "^(clients|quality|release|docs)\\."
SWAPS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
         (r" && ", " || "), (r" \|\| ", " && "), (r" \+ 1\b", ""), (r" - 1\b", ""), (r" \+ ", " - "), (r"\btrue\b", "false"),
         (r"\bfalse\b", "true"), (r"\breturn 0;", "return 1;"), (r"(?<=[(=<>] )\b([1-9]\d*)\b", None),
         (r"\bif \((?!!)(\w+)\)", r"if (!\1)"), (r"\+\+;", "--;"), (r"\bbreak;", "continue;")]

# A warning alone is not a test: before the first line of a changed file.
PRAGMAS = " ".join(f'_Pragma("GCC diagnostic warning \\"-W{name}\\"")' for name in (
    "type-limits", "parentheses", "unused-variable", "unused-but-set-variable", "unused-value", "unused-function",
    "maybe-uninitialized", "uninitialized", "array-bounds", "stringop-overflow", "stringop-overread", "conversion",
    "sign-conversion", "implicit-fallthrough", "int-in-bool-context", "bool-compare", "sign-compare", "pedantic",
    "return-type", "address", "nonnull"))


def home(path):
    """The listed folder that is about a file: "src/sim/kernels" rather than "src/sim"."""
    return max((folder for folder in FIRST if path.is_relative_to(folder)), key=len, default="src/base")


def changes_of(path):
    """Every change that could be made to a file: (file, line number, its function, the line before, the line after)."""
    function = ""
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").split("\n")):
        begins = re.match(r"\w[^(]*?(\w+)\(", line)
        function = begins.group(1) if begins else "" if line == "}" else function
        if re.match(r"\s*(/?\*|//|#|static const|_Static_assert|for \()", line) or '"' in line:
            continue
        for pattern, new in SWAPS:
            for match in re.finditer(pattern, line):
                text = new if new is not None else str(int(match.group(1)) + 1)
                yield path, number, function, line, line[:match.start()] + match.expand(text) + line[match.end():]


def candidates(place):
    """The changes to a file, or to the files of a folder but for those of another listed folder in it."""
    if place.endswith(".c"):
        return list(changes_of(pathlib.Path(place)))
    files = [path.relative_to(ROOT) for path in sorted((ROOT / place).rglob("*.c"))]
    return [change for path in files if home(path) == place for change in changes_of(path)]


def name_of(change):
    path, _, function, before, after = change
    return f"{path.name}{', ' if function else ''}{function}: {before.strip()} -> {after.strip()}"


def chosen(count, seed, folders):
    """So many of each folder as it has a share in all, but one of each at least."""
    draw = random.Random(seed)
    by_folder = {folder: candidates(folder) for folder in folders}
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
        else:
            subprocess.run(["git", "pull", "-q", "--ff-only"], cwd=self.folder, check=True)
        self.run("cmake", "--preset", "dev")
        if not self.build():
            sys.exit("mutate: the tree does not build")

    def run(self, *command):
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", errors="replace", check=False)

    def build(self):
        return self.run("cmake", "--build", "--preset", "dev", "-j", self.jobs).returncode == 0

    def failing(self, selection="", left_out=NOT_RUN):
        """The first selected test that fails, twice, or None."""
        done = self.run("ctest", "--preset", "dev", "-j", self.jobs, "--stop-on-failure", "--timeout", "300",
                        "-R", selection, "-E", left_out)
        failed = re.findall(r"^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Subprocess[^)]*|ILLEGAL|BUS[^)]*)\)",
                            done.stdout, re.M)
        again = [test for test in failed if not self.passes(test)]
        if done.returncode != 0 and failed and not again:  # something else disturbed it; others are yet to be run
            return self.failing(selection, f"{left_out}|^({'|'.join(map(re.escape, failed))})$")
        return (again or ["?"])[0] if done.returncode != 0 else None

    def passes(self, test):
        return self.run("ctest", "--preset", "dev", "--timeout", "300", "-R", f"^{re.escape(test)}$").returncode == 0

    def judge(self, change, rounds):
        """What became of a change: the test that noticed it, "does not compile", or None."""
        path, number, _, _, after = change
        file = self.folder / path
        before = file.read_text(encoding="utf-8")
        lines = before.split("\n")
        lines[number] = after
        lines[0] = PRAGMAS + lines[0]
        try:
            file.write_text("\n".join(lines), encoding="utf-8")
            if not self.build():
                return "does not compile"
            for tests in (*first_tests(path), "")[:rounds]:
                noticed = self.failing(tests)
                if noticed:
                    return noticed
            return None
        finally:
            file.write_text(before, encoding="utf-8")


def first_tests(path):
    rule = re.match(r"rules/(ol|ks)(\d+)_", str(path))
    if rule:
        return f"fixtures.{rule.group(1).upper()}{rule.group(2)}|break_one", FIRST["rules"][1]
    return FIRST[home(path)]


def known():
    """The lines of equivalent.txt: "NAME OF FILE, FUNCTION: LINE BEFORE -> LINE AFTER", then the reason, indented."""
    if not EQUIVALENT.exists():
        return set()
    return {line for line in EQUIVALENT.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", " ", "#")}


def outdated():
    """Lines of equivalent.txt that no change has any more, and folders that FIRST lacks."""
    possible = {name_of(change) for folder in FIRST for change in candidates(folder)}
    wrong = [f"equivalent.txt: no such change any more: {line}" for line in sorted(known() - possible)]
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "src").glob("*/*.c")}
    return wrong + [f"mutate.py: {folder} has no tests" for folder in sorted(map(str, folders - set(map(pathlib.Path, FIRST))))]


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
    parser.add_argument("--only", nargs="*", default=sorted(FIRST), help="folders or files to draw from")
    parser.add_argument("--near", action="store_true", help="run only the tests of the changed folder")
    parser.add_argument("--quick", action="store_true", help="run only the quick tests of the changed folder")
    parser.add_argument("--from", type=int, default=1, dest="first", help="leave out the changes before this one")
    parser.add_argument("--list", action="store_true", help="print the changes and make none")
    parser.add_argument("--check", action="store_true", help="only look whether equivalent.txt is up to date")
    parser.add_argument("--work", help="folder of the clone; kept (default: a temporary one)")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    if options.check:
        wrong = outdated()
        print("\n".join(wrong) or "equivalent.txt is up to date")
        return 1 if wrong else 0
    changes = chosen(options.count, options.seed, options.only)
    if options.list:
        print("\n".join(f"{change[0].parent}/{name_of(change)}" for change in changes))
        return 0
    enter_namespace()
    with tempfile.TemporaryDirectory() as temporary:
        rounds = 1 if options.quick else 2 if options.near else 3
        survived = run(Tree(options.work or temporary, options.jobs), changes[options.first - 1:], rounds)
    print(f"{len(changes) - options.first + 1} changes, {survived} survived")
    return 1 if survived else 0


def run(tree, changes, rounds):
    """Judges every change; how many survived."""
    survived, by_test = 0, {}
    for change in changes:
        name = name_of(change)
        if name in known():
            print(f"equivalent  {change[0]}:{change[1] + 1}: {name.split(': ', 1)[1]}", flush=True)
            continue
        noticed = tree.judge(change, rounds)
        survived += noticed is None
        by_test.setdefault(noticed, []).append(name)
        print(f"{'SURVIVED' if noticed is None else 'caught':10}  {change[0]}:{change[1] + 1}: "
              f"{name.split(': ', 1)[1]}  [{noticed}]", flush=True)
    tree.build()
    for test in set(by_test) - {None, "?", "does not compile"}:
        if not tree.passes(test):
            print(f"{test} fails without a change, too: it caught nothing of\n  " + "\n  ".join(by_test[test]))
            survived += len(by_test[test])
    return survived


if __name__ == "__main__":
    sys.exit(main())
