#!/usr/bin/env python3
"""Reference implementation of the Python-source rules, written from the rule pages only.

    oracle.py DIR [--stage N] [--file REL | --phase Mk] [--rules OL01,OL48]

prints the status of every rule and all findings as JSON.  `check` does the same
for importers.  The parser is CPython's own.
"""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import rules_documents  # noqa: E402
import rules_host  # noqa: E402
import rules_kernel  # noqa: E402
import rules_loops  # noqa: E402
import rules_tensor  # noqa: E402
from model import Operator  # noqa: E402
from report import Report  # noqa: E402

RULES = {}
for _module in (rules_kernel, rules_tensor, rules_loops, rules_host, rules_documents):
    RULES.update(_module.RULES)
# rule order of the catalogue
ORDER = ("OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL23 OL15 OL16 OL17 OL18 OL25 OL26 OL28 OL29 "
         "OL45 OL46 OL47 OL48 OL49 OL56 OL57 OL58 OL52 OL62 OL55 OL60 OL61").split()
STAGES = {rule: (5, 6) for rule in ORDER}
STAGES.update(OL15=(2, 3, 4, 5, 6), OL55=(4, 5, 6), OL56=(4, 5, 6), OL60=(5, 6, 7),
              OL62=(5, 6, 7))
assert set(ORDER) == set(RULES)


def check(path, stage=5, file=None, phase=None, rules=None):
    """Statuses and findings of one operator directory, as the JSON output holds them."""
    op = Operator(path, stage, file, phase)
    statuses, findings = [], []
    for rule in ORDER:
        if rules is not None and rule not in rules:
            continue
        status = "SKIP"
        if stage in STAGES[rule]:
            report = Report(rule)
            status = report.status(RULES[rule](op, report))
            findings += report.findings
        statuses.append({"id": rule, "status": status})
    findings.sort(key=lambda f: (f["file"], f["line"], f["column"], f["rule"], f["tag"]))
    return {"rules": statuses, "findings": findings}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--stage", type=int, default=5)
    parser.add_argument("--file")
    parser.add_argument("--phase")
    parser.add_argument("--rules")
    args = parser.parse_args()
    rules = args.rules.split(",") if args.rules else None
    result = check(args.directory, args.stage, args.file, args.phase, rules)
    json.dump(result, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
