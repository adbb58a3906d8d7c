#!/usr/bin/env python3
"""Reference implementation of the rules, written from the rule pages only.

    oracle.py DIR [--stage N] [--file REL | --phase Mk] [--rules OL01,OL48]

prints the status of every rule and all findings as JSON.  `check` does the same
for importers.  The parser is CPython's own.
"""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import rules_artifacts  # noqa: E402
import rules_contract  # noqa: E402
import rules_design  # noqa: E402
import rules_documents  # noqa: E402
import rules_host  # noqa: E402
import rules_kernel  # noqa: E402
import rules_loops  # noqa: E402
import rules_tensor  # noqa: E402
import rules_tests  # noqa: E402
from model import Operator, Undecided  # noqa: E402
from report import Report  # noqa: E402

RULES = {}
for _module in (rules_kernel, rules_tensor, rules_loops, rules_host, rules_documents,
                rules_artifacts, rules_tests, rules_design, rules_contract):
    RULES.update(_module.RULES)
# rule order of the catalogue
ORDER = ("OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL23 OL09 OL10 OL11 OL12 OL13 OL14 OL15 OL16 "
         "OL17 OL18 OL19 OL20 OL21 OL22 OL24 OL25 OL26 OL28 OL29 OL30 OL31 OL32 OL33 OL34 OL37 "
         "OL39 OL40 OL41 OL42 OL43 OL44 OL45 OL46 OL47 OL48 OL49 OL56 OL57 OL58 OL52 OL50 OL51 "
         "OL62 OL53 OL54 OL55 OL59 OL60 OL61").split()
# rules about Python source (dimensions D1 and D3, and what belongs with them)
PYTHON_RULES = ("OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL23 OL15 OL16 OL17 OL18 OL25 OL26 OL28 "
                "OL29 OL45 OL46 OL47 OL48 OL49 OL56 OL57 OL58 OL52 OL62 OL55 OL60 OL61").split()
STAGES = {rule: (5, 6) for rule in ORDER}
# Stage 7 keeps the contract of the implementation.
STAGES.update({rule: (5, 6, 7) for rule in (
    "OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL16 OL25 OL26 OL45 OL48 OL49 OL50 OL52 OL57 OL58").split()})
STAGES.update(OL15=(2, 3, 4, 5, 6), OL55=(4, 5, 6, 7), OL56=(4, 5, 6), OL60=(5, 6, 7),
              OL62=(5, 6, 7), OL09=(1,), OL10=(1,), OL11=(2,), OL12=(3, 4), OL13=(5,), OL14=(6,),
              OL24=(1, 2, 3, 4, 5, 6, 7), OL44=(5,), OL51=(5, 6, 7), OL54=(5,), OL59=(2,))
assert set(ORDER) == set(RULES)


def check(path, stage=5, file=None, phase=None, rules=None, npu=False, old=False):
    """Statuses and findings of one operator directory, as the JSON output holds them; with OLD as the
    flags of the Python linter give them.

    The status OPEN says that the rule pages do not decide; such a rule has no findings here.
    """
    op = Operator(path, stage, file, phase, npu, old)
    statuses, findings = [], []
    for rule in ORDER:
        if rules is not None and rule not in rules:
            continue
        status = "SKIP"
        if stage in STAGES[rule]:
            report = Report(rule)
            try:
                fallback = RULES[rule](op, report)
            except Undecided:
                fallback = "OPEN"
            status = report.status(fallback) if fallback != "OPEN" else fallback
            findings += report.findings if status != "OPEN" else []
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
