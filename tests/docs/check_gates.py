#!/usr/bin/env python3
"""Checks the lists of rules in docs/agents/gates.md against the rules themselves, as the program lists them.

    check_gates.py BINARY
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ("--lint-impl", "--lint-golden", "--lint-test", "--lint-consistency")


def ids(text):
    """"OL01–OL03 OL23" gives OL01, OL02, OL03, OL23."""
    found = []
    for kind, first, last in re.findall(r"(OL|KS)(\d\d)(?:–(?:OL|KS)(\d\d))?", text):
        found += [f"{kind}{number:02}" for number in range(int(first), int(last or first) + 1)]
    return found


def rows(text):
    """Cells of every table row by the first one."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in text.splitlines() if line.startswith("|")]
    return {row[0].strip("`"): row[1:] for row in cells}


def call(binary, *args):
    done = subprocess.run([binary, *args], capture_output=True, encoding="utf-8", check=False)
    return json.loads(done.stdout)


def upstream_set(binary, flag):
    """The rules of an old flag, once each, in the order of the answer."""
    with tempfile.TemporaryDirectory() as folder:
        report = call(binary, flag, "--op-dir", str(pathlib.Path(folder, "absent")))
    return list(dict.fromkeys(finding["rule_id"] for finding in report["findings"]))


def stage_problems(binary, table):
    rules = call(binary, "rules", "--format", "json")["rules"][1:]
    members = {n: [rule["id"] for rule in rules if n in rule["stages"]] for n in range(1, 8)}
    existing = {rule["id"] for rule in rules}
    for stage in (1, 2, 3, 4, 7):
        if ids(table[str(stage)][0]) != members[stage]:
            yield f"stage {stage}: the program has {' '.join(members[stage])}"
    five, six = table["5"][0], table["6"][0]
    stated = existing - set(ids(five))
    without, added = six.split(", with ")
    for stage, want in ((5, stated), (6, stated - set(ids(without)) | set(ids(added)))):
        if want != set(members[stage]):
            yield f"stage {stage} differs in {' '.join(sorted(want ^ set(members[stage])))}"


def main():
    binary = sys.argv[1]
    table = rows((ROOT / "docs" / "agents" / "gates.md").read_text(encoding="utf-8"))
    problems = list(stage_problems(binary, table))
    for flag in FLAGS:
        members, stated = upstream_set(binary, flag), ids(table[flag][0])
        if stated != members:
            differ = " ".join(sorted(set(stated) ^ set(members))) or "the order"
            problems.append(f"{flag} differs in {differ}; the program has {' '.join(members)}")
    if problems:
        print("docs/agents/gates.md does not list the rules as the program does:")
    print("\n".join(problems) if problems else "all well")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
