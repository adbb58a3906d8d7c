#!/usr/bin/env python3
"""Differential test: the linter against the oracle on generated directories.

    compare.py --binary PATH [--count N] [--seed S]
               [--profile clean|edge|tree|broken|documents|operator|phase]
               [--rules OL01,OL48] [--strict] [--reduce N] [--keep DIR] [--jobs 2]

Exit status 0 when all agree, 1 on any disagreement.
"""

import argparse
import collections
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import corpus  # noqa: E402
import generate  # noqa: E402
import old_flags  # noqa: E402
import reduce_case  # noqa: E402
import selftest  # noqa: E402
from model import File  # noqa: E402

TIMEOUT = 20
HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS = None


def run_binary(binary, root, case):
    """(report, None) or (None, what went wrong)."""
    command = [binary, "check", "--op-dir", root] + case.options()
    command += ["--format", "json"]
    environment = dict(os.environ)
    environment.pop("PYPTO_OP_LINT_STRICT", None)
    if case.npu:
        # a command of that name which succeeds is all that "an NPU is usable" means
        environment["PATH"] = os.path.join(HERE, "npu") + os.pathsep + environment["PATH"]
    else:
        command.append("--no-exec")
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=TIMEOUT, check=False, env=environment)
    except subprocess.TimeoutExpired:
        return None, "no answer in %d s" % TIMEOUT
    # A missing --file is an error, and its report is made all the same: every rule is SKIP.
    missing = case.file and not os.path.isfile(os.path.join(root, case.file))
    if done.returncode not in ((2,) if missing else (0, 1)):
        return None, "exit status %d: %s" % (done.returncode,
                                             done.stderr.decode("utf-8", "replace")[:400])
    try:
        report = json.loads(done.stdout)
        return (report["runs"][0] if "runs" in report else report), None
    except (ValueError, KeyError, IndexError) as error:
        return None, "output is not the JSON report: %r" % error


def differences(expected, report, rules, strict=False):
    """List of (rule, kind, text); kind is status, missing, extra or column."""
    found = []
    want = {r["id"]: r["status"] for r in expected["rules"]}
    have = {r["id"]: r["status"] for r in report.get("rules", [])}
    want = {rule: status for rule, status in want.items() if status != "OPEN"}
    for rule in rules:
        if rule in want and want[rule] != have.get(rule, "absent"):
            found.append((rule, "status", "%s: expected %s, got %s"
                          % (rule, want[rule], have.get(rule, "absent"))))
    got = {}
    for f in report.get("findings", []):
        if f["rule"] in want:
            got.setdefault((f["rule"], f["status"], f["file"]), {}).setdefault(
                f["line"], []).append(f)
    oracle = {}
    for f in expected["findings"]:
        oracle.setdefault((f["rule"], f["status"], f["file"]), []).append(f)
    for key in sorted(set(got) | set(oracle)):
        places, wanted = got.get(key, {}), oracle.get(key, [])
        vague = any(f.get("any_line") for f in wanted)
        for f in wanted:
            if (f.get("optional") or f["line"] in places or (f.get("any_line") and places)
                    or any(n in places for n in f.get("any_of", ()))):
                continue
            found.append((key[0], "missing", "%s %s %s:%d missing (%s)"
                          % (key + (f["line"], f["tag"] or "-"))))
        lines = {f["line"] for f in wanted}.union(*(f.get("any_of", ()) for f in wanted))
        for line in sorted(set(places) - lines):
            if not vague:
                found.append((key[0], "extra", "%s %s %s:%d:%d not expected: %s" % (
                    key + (line, places[line][0]["column"], places[line][0]["message"][:150]))))
        for line in sorted(lines) if not vague else []:
            here = [f for f in wanted if line == f["line"] or line in f.get("any_of", ())]
            if line in places and all(f.get("counted") for f in here) \
                    and not any(f.get("any_of") for f in here) and len(places[line]) != len(here):
                found.append((key[0], "number", "%s %s %s:%d %d findings, expected %d"
                              % (key + (line, len(places[line]), len(here)))))
        if strict and not vague:
            columns = {(f["line"], f["column"]) for f in wanted}
            actual = {(n, f["column"]) for n, fs in places.items() for f in fs}
            both = {p for p in columns ^ actual if p[0] in lines and p[0] in places}
            for line, column in sorted(both):
                side = "expected" if (line, column) in columns else "got"
                found.append((key[0], "column", "%s %s %s:%d column %d only %s"
                              % (key + (line, column, side))))
    return unique(found)


def contract(report, rules):
    """Breaches of the output contract that do not depend on the oracle."""
    found = []
    findings = report.get("findings", [])
    order = [(f["file"], f["line"], f["column"], f["rule"]) for f in findings]
    if order != sorted(order):
        found.append(("report", "order", "findings are not ordered by file, line, column, rule"))
    seen = set()
    for f in findings:
        if f["line"] < 0 or (f["line"] > 0 and (f["column"] < 1 or (
                f["end_line"], f["end_column"]) < (f["line"], f["column"]))):
            found.append((f["rule"], "range", "bad range: %r" % f))
        key = tuple(f[k] for k in ("rule", "file", "line", "column", "end_line", "end_column",
                                   "message"))
        if key in seen:
            found.append((f["rule"], "twice", "reported twice: %s:%d:%d" % key[1:4]))
        seen.add(key)
    for entry in report.get("rules", []):
        if entry["id"] not in rules:
            continue
        own = {f["status"] for f in findings if f["rule"] == entry["id"]}
        worst = next((s for s in ("FAIL", "WARN", "INFO") if s in own), None)
        if (worst or entry["status"]) != entry["status"] or (
                worst is None and entry["status"] not in ("PASS", "SKIP")):
            found.append((entry["id"], "worst", "%s: status %s but findings %s"
                          % (entry["id"], entry["status"], sorted(own))))
        if entry["status"] == "SKIP" and not entry.get("reason"):
            found.append((entry["id"], "reason", "%s: SKIP without a reason" % entry["id"]))
    return found


def unique(items):
    return list(dict.fromkeys(items))


def examine(binary, case, parent, strict=False):
    root = case.write(parent)
    if OPTIONS.old_flags:
        return old_flags.differences(binary, root, case)
    report, failure = run_binary(binary, root, case)
    if failure:
        return [("error", "run", failure)]
    try:
        return (differences(case.expected(root), report, case.rules, strict)
                + contract(report, case.rules))
    except (KeyError, TypeError) as error:
        return [("error", "schema", "the report lacks something: %r" % error)]


def from_directory(index, path):
    """A case made of the files of an existing operator directory; all rules."""
    case = generate.Case(index, "given")
    case.folder = os.path.basename(os.path.abspath(path))
    case.rules = generate.oracle.ORDER
    case.stage = OPTIONS.stage
    for folder, below, names in os.walk(path):
        below[:] = sorted(n for n in below if n not in (".git", "__pycache__"))
        for name in sorted(names):
            full = os.path.join(folder, name)
            with open(full, "rb") as handle:
                case.files[os.path.relpath(full, path)] = handle.read()
    return case


def from_selftest(index):
    """The directory and the one rule of a hand-derived expectation."""
    rule, _, files, run_options = selftest.all_cases()[index]
    case = generate.Case(index, "selftest")
    case.files = selftest.contents(files)
    case.rules = [rule]
    for name, value in run_options.items():
        setattr(case, name, value)
    return case


def make(index):
    if OPTIONS.selftest:
        case = from_selftest(index)
    elif OPTIONS.dir:
        case = from_directory(index, OPTIONS.dir[index])
    elif OPTIONS.corpus:
        case = corpus.make_case(OPTIONS.seed, index, OPTIONS.paths, OPTIONS.profile)
    else:
        case = generate.make_case(OPTIONS.seed, index, OPTIONS.profile)
    if OPTIONS.rules:
        chosen = OPTIONS.rules.split(",")
        case.rules = [r for r in case.rules if r in chosen]
    return case


def work(index):
    case = make(index)
    if not case.rules:
        return index, []
    parent = tempfile.mkdtemp(prefix="pypto-compare-")
    try:
        return index, examine(OPTIONS.binary, case, parent, OPTIONS.strict)
    finally:
        shutil.rmtree(parent, ignore_errors=True)


def excerpt(case, text, context=1):
    """Source lines around the first `file:line` in a difference."""
    for rel, data in case.files.items():
        at = text.find(" %s:" % rel)
        if at < 0:
            continue
        digits = text[at + len(rel) + 2:].split(" ")[0].split(":")[0]
        if not digits.isdigit():
            return []
        source = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        lines = source.split("\n")
        line = int(digits)
        return ["      %s%4d| %s" % (">" if n == line else " ", n, lines[n - 1])
                for n in range(max(1, line - context), min(len(lines), line + context) + 1)]
    return []


def show(case, found):
    print("case %d (%s, %s): %s" % (case.index, case.profile,
                                    getattr(case, "origin", case.folder),
                                    " ".join(case.options()[:-2])))
    for rule, kind, text in found[:OPTIONS.lines]:
        print("   " + text.replace("\n", "\n      "))
        if kind in ("missing", "extra"):
            print("\n".join(excerpt(case, text)))
    if len(found) > OPTIONS.lines:
        print("   ... and %d more" % (len(found) - OPTIONS.lines))
    parent = tempfile.mkdtemp(prefix="pypto-compare-")
    root = case.write(parent)
    for rel in sorted(case.files):
        if rel.endswith(".py"):
            error = File(os.path.join(root, rel), rel).error
            if error:
                print("   note: %s does not parse: line %s: %s" % (rel, error.line, error.message))
    shutil.rmtree(parent)


def keep(case, found, folder):
    parent = os.path.join(folder, "case%05d" % case.index)
    root = case.write(parent)
    with open(os.path.join(parent, "case.txt"), "w", encoding="utf-8") as handle:
        handle.write("pypto-lint check --op-dir %s %s --format json --no-exec\n\n"
                     % (root, " ".join(case.options())))
        handle.write("\n".join(text for _, _, text in found) + "\n")


def reduced(case, signature):
    """Shrink CASE while a difference with the same rule and kind remains."""
    def still(candidate):
        parent = tempfile.mkdtemp(prefix="pypto-compare-")
        try:
            found = examine(OPTIONS.binary, candidate, parent, OPTIONS.strict)
            return any(f[:2] == signature for f in found)
        finally:
            shutil.rmtree(parent, ignore_errors=True)
    return reduce_case.shrink(case, still)


def show_reduced(case, signature):
    small = reduced(case, signature)
    print("--- reduced: %s %s, from case %d: %s" % (
        signature + (case.index, " ".join(small.options()[:-2]))))
    for rel, data in sorted(small.files.items()):
        print("# file: " + rel)
        print(data.decode("utf-8", "backslashreplace").rstrip("\n"))
    parent = tempfile.mkdtemp(prefix="pypto-compare-")
    for found in examine(OPTIONS.binary, small, parent, OPTIONS.strict):
        if found[:2] == signature:
            print("  => " + found[2])
    shutil.rmtree(parent)


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--dir", action="append", help="compare on this operator directory "
                        "instead of generated ones (repeatable)")
    parser.add_argument("--stage", type=int, default=5, help="stage of --dir; default 5")
    parser.add_argument("--selftest", action="store_true", help="compare on the directories of "
                        "the hand-derived expectations")
    parser.add_argument("--corpus", metavar="FOLDER", help="make cases of the Python files below")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--start", type=int, default=0, help="first case number")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--profile", choices=sorted(
        set(generate.PROFILES + generate.OPERATOR_PROFILES)))
    parser.add_argument("--rules")
    parser.add_argument("--old-flags", action="store_true", help="compare what the command line of "
                        "the Python linter answers: statuses, counts, exit status, hooks")
    parser.add_argument("--strict", action="store_true", help="compare columns too")
    parser.add_argument("--reduce", type=int, default=0, metavar="N",
                        help="shrink one case for each of the first N kinds of difference")
    parser.add_argument("--show", type=int, default=15, help="cases printed in full")
    parser.add_argument("--lines", type=int, default=6, help="differences printed per case")
    parser.add_argument("--keep", metavar="DIR", help="write differing directories there")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main():
    global OPTIONS
    OPTIONS = options()
    OPTIONS.binary = os.path.abspath(OPTIONS.binary)
    if OPTIONS.dir:
        OPTIONS.start, OPTIONS.count = 0, len(OPTIONS.dir)
    if OPTIONS.selftest:
        OPTIONS.start, OPTIONS.count = 0, len(selftest.all_cases())
    if OPTIONS.corpus:
        OPTIONS.paths = corpus.files_below(OPTIONS.corpus)
    indices = range(OPTIONS.start, OPTIONS.start + OPTIONS.count)
    signatures = collections.Counter()
    first = {}
    differing = []
    with multiprocessing.get_context("fork").Pool(OPTIONS.jobs) as pool:
        for index, found in pool.imap(work, indices, chunksize=16):
            if not found:
                continue
            differing.append(index)
            for signature in {f[:2] for f in found}:
                signatures[signature] += 1
                first.setdefault(signature, index)
            if len(differing) <= OPTIONS.show:
                show(make(index), found)
            if OPTIONS.keep:
                keep(make(index), found, OPTIONS.keep)
    for signature, _ in signatures.most_common(OPTIONS.reduce):
        show_reduced(make(first[signature]), signature)
    print("\n%d of %d directories differ (seed %s)" % (len(differing), OPTIONS.count,
                                                      OPTIONS.seed))
    for (rule, kind), count in sorted(signatures.items()):
        print("  %-6s %-8s %5d   first case %d" % (rule, kind, count, first[(rule, kind)]))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
