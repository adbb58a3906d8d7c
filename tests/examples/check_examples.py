#!/usr/bin/env python3
"""Lints the sample operators and compares with what their pages promise.

    check_examples.py --binary PATH [--complete]

The clean samples must have no finding at stages 5 and 6 and at each phase. The findings of the
broken sample must be exactly the rows of examples/broken/README.md, which were derived by hand from
the rule pages, and the status of each rule must be the one in its first table. Rules that the
binary does not have are left out and named; with --complete they are an error.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
BROKEN = EXAMPLES / "broken/custom/softmax_broken"
CLEAN = [
    ("custom/softmax", ["--stage", "5"]),
    ("custom/softmax", ["--stage", "6"]),
    ("custom/gated_rmsnorm", ["--stage", "5"]),
    ("custom/gated_rmsnorm", ["--stage", "6"]),
    ("custom/gated_rmsnorm", ["--phase", "M1"]),
    ("custom/gated_rmsnorm", ["--phase", "M2"]),
    ("custom/attention_backward", ["--stage", "5"]),
    ("custom/attention_backward", ["--stage", "6"]),
    ("custom/attention_backward", ["--phase", "M1"]),
    ("custom/attention_backward", ["--phase", "M2"]),
]
ABBREVIATIONS = {
    "impl": "softmax_broken_impl.py",
    "m1": "modules/softmax_broken_module1_impl.py",
    "m12": "modules/softmax_broken_module12_impl.py",
    "golden": "softmax_broken_golden.py",
    "test": "test_softmax_broken.py",
}
STATUSES = {"FAIL", "WARN", "INFO", "PASS", "SKIP"}
ENVIRONMENT_RULES = {"OL42"}  # judges only where there is an NPU: PASS or SKIP


def lint(binary, folder, options):
    """(report, exit status)"""
    done = subprocess.run([binary, "check", "--op-dir", str(folder), "--format", "json", *options],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    if done.returncode not in (0, 1) or done.stderr:
        raise SystemExit(f"{folder} {options}: exit status {done.returncode}\n{done.stderr.decode()}")
    return json.loads(done.stdout), done.returncode


def key(finding):
    return finding["rule"], finding["status"], finding["file"], finding["line"]


def show(entry):
    return "{2}:{3} {0} {1}".format(*entry)


def expected_findings(page):
    rows = collections.Counter()
    for place, rule, status in re.findall(r"^\| (\S+:\d+) \| ((?:OL|KS)\d\d) \| (\w+) \| .* \|$", page, re.M):
        name, line = place.rsplit(":", 1)
        rows[rule, status, ABBREVIATIONS.get(name, name), int(line)] += 1
    return rows


def expected_statuses(page):
    statuses = {}
    for status, rules in re.findall(r"^\| (\w+) \| (.*OL\d\d.*) \|$", page, re.M):
        if status in STATUSES:
            statuses.update((rule, status) for rule in re.findall(r"OL\d\d", rules))
    return statuses


def check_clean(binary):
    problems = []
    for name, options in CLEAN:
        report, status = lint(binary, EXAMPLES / name, options)
        what = f"{name} {' '.join(options)}"
        if not any(entry["status"] == "PASS" for entry in report["rules"]):
            problems.append(f"{what}: no rule has anything to say")
        if status != 0:
            problems.append(f"{what}: exit status {status}")
        problems += [f"{what}: {show(key(f))}: {f['message']}" for f in report["findings"]]
    return problems


def check_broken(binary, known):
    page = (EXAMPLES / "broken/README.md").read_text(encoding="utf-8")
    rows = expected_findings(page)
    statuses = expected_statuses(page)
    if len(rows) < 60 or len(statuses) < 50:
        raise SystemExit("the tables of examples/broken/README.md were not understood")
    report, status = lint(binary, BROKEN, ["--stage", "5"])
    problems = [] if status == 1 else [f"broken sample: exit status {status}"]
    found = collections.Counter(map(key, report["findings"]))
    expected = collections.Counter({row: n for row, n in rows.items() if row[0] in known})
    problems += [f"broken sample, missing: {show(row)}" for row in (expected - found).elements()]
    problems += [f"broken sample, too much: {show(row)}" for row in (found - expected).elements()]
    reported = {entry["id"]: entry["status"] for entry in report["rules"]}
    for rule in sorted(known | set(reported)):
        if rule in ENVIRONMENT_RULES and reported.get(rule) in ("PASS", "SKIP"):
            continue
        if rule in statuses and reported.get(rule) != statuses[rule]:
            problems.append(f"broken sample, {rule}: {reported.get(rule)}, not {statuses[rule]}")
    return problems, sorted(set(statuses) - known)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--complete", action="store_true", help="every listed rule must exist")
    options = parser.parse_args()
    rules = json.loads(subprocess.run([options.binary, "rules", "--format", "json"],
                                      capture_output=True, check=True).stdout)
    known = {rule["id"] for rule in (rules["rules"] if isinstance(rules, dict) else rules)}
    problems = check_clean(options.binary)
    more, absent = check_broken(options.binary, known)
    problems += more
    if absent:
        print("rules not in this build:", *absent)
        if options.complete:
            problems.append("rules are missing")
    print("\n".join(problems) or "examples: as their pages say")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
