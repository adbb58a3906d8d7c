"""The rules and their sets: those of the workflow, written down by hand from its description, and the
linter's own (KSnn), from the front matter of their pages and the metadata in their sources."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# id, severity, dimension, effort, stages, target; in catalogue order.
_TABLE = """
OL01 S0 D1 E1 567 impl|OL02 S1 D1 E1 567 impl|OL03 S1 D1 E1 567 impl|OL04 S1 D1 E2 567 impl
OL05 S1 D1 E1 567 impl|OL06 S1 D1 E1 567 impl|OL07 S0 D1 E1 567 impl|OL08 S1 D1 E1 567 impl
OL23 S2 D1 E1 56 impl|OL09 S1 D2 E2 1 gate|OL10 S1 D2 E2 1 gate|OL11 S2 D2 E2 2 gate
OL12 S1 D2 E2 34 gate|OL13 S1 D2 E2 5 gate|OL14 S1 D2 E1 6 gate|OL15 S1 D3 E1 23456 golden
OL16 S1 D3 E1 567 impl|OL17 S1 D3 E1 56 test|OL18 S1 D3 E1 56 test|OL19 S1 D4 E1 56 test
OL20 S1 D4 E1 56 test|OL21 S2 D4 E2 56 test|OL22 S2 D4 E1 56 test|OL24 S1 D2 E1 1234567 gate
OL25 S1 D1 E1 567 impl|OL26 S1 D1 E2 567 impl|OL28 S2 D1 E2 56 impl|OL29 S2 D1 E1 56 impl
OL30 S2 D5 E2 56 gate|OL31 S1 D5 E1 56 gate|OL32 S2 D5 E1 56 gate|OL33 S2 D5 E2 56 gate
OL34 S1 D5 E2 56 gate|OL37 S3 D1 E1 56 impl|OL39 S1 D2 E1 56 gate|OL40 S1 D2 E1 56 gate
OL41 S1 D2 E1 56 gate|OL42 S1 D4 E1 56 test|OL43 S1 D5 E3 56 gate|OL44 S1 D2 E2 5 gate
OL45 S0 D1 E3 567 impl|OL46 S2 D1 E1 56 impl|OL47 S3 D1 E2 56 impl|OL48 S0 D1 E2 567 impl
OL49 S1 D1 E2 567 impl|OL56 S0 D1 E1 456 impl|OL57 S0 D1 E3 567 impl|OL58 S0 D1 E1 567 impl
OL52 S1 D1 E1 567 impl|OL50 S1 D5 E2 567 impl|OL51 S1 D5 E2 567 impl|OL62 S0 D5 E3 567 impl
OL53 S2 D5 E1 56 gate|OL54 S1 D2 E1 5 gate|OL55 S0 D1 E1 4567 impl|OL59 S1 D2 E1 2 gate
OL60 S0 D4 - 567 test|OL61 S1 D2 - 56 gate|OL63 S1 D2 - 7 gate
"""


class Rule:
    def __init__(self, row):
        self.id, self.severity, self.dimension, effort, stages, self.target = row.split()
        self.effort = "" if effort == "-" else effort
        self.stages = {int(digit) for digit in stages}


def own_rules():
    """The rules of the linter's own, in the order that their sources state."""
    found = []
    for path in (ROOT / "rules").glob("ks[0-9][0-9]_*.c"):
        source = path.read_text(encoding="utf-8")
        if not re.search(r"^const Rule ks\d\d = ", source, re.M):
            continue  # a helper of a large rule
        page = (ROOT / "docs" / "rules" / f"{path.name[:4].upper()}.md").read_text(encoding="utf-8")
        front = dict(line.split(": ", 1) for line in page.split("\n---\n")[0].splitlines()[1:])
        rule = Rule(" ".join((front["id"], front["severity"], front["dimension"], front.get("effort", "-"),
                              re.sub(r"\D", "", front["stages"]), front["target"])))
        rule.is_own = True
        # SEMANTICS_COMMON of rules/semantics.h has the set of most of them.
        rule.in_impl_set = "IN(SET_IMPL)" in source or "SEMANTICS_COMMON" in source
        found.append((int(re.search(r"\.order = (\d+)", source).group(1)), rule))
    return [rule for _, rule in sorted(found, key=lambda pair: pair[0])]


RULES = [Rule(row) for line in _TABLE.split("\n") for row in line.split("|") if row]
OWN = own_rules()
RULES += OWN
BY_ID = {rule.id: rule for rule in RULES}


def without_row():
    """The rules of the workflow that have a source and no row above."""
    for path in sorted((ROOT / "rules").glob("ol[0-9][0-9]_*.c")):
        found = re.search(r"^const Rule (ol\d\d) = ", path.read_text(encoding="utf-8"), re.M)
        if found and found.group(1).upper() not in BY_ID:
            yield f"{found.group(1).upper()} (rules/{path.name})"


if missing := list(without_row()):
    raise SystemExit(f"{', '.join(missing)}: no row in the table of tests/cli/catalogue.py. Write one, and put the id into "
                     "the sets below the table: docs/internals/adding-a-rule.md, \"A rule of the workflow\".")


def ids(text):
    """"1-3 23" gives OL01, OL02, OL03, OL23."""
    result = []
    for part in text.split():
        first, _, last = part.partition("-")
        result += [f"OL{n:02}" for n in range(int(first), int(last or first) + 1)]
    return result


def differ(found, expected, name):
    """What a failed comparison of the program's rules with a set of this file says."""
    ids = " ".join(sorted(set(found) ^ set(expected))) or "the order"
    return f"the program and {name} of tests/cli/catalogue.py differ in {ids}"


def own(is_member):
    return [rule.id for rule in OWN if is_member(rule)]


IMPL = ids("1-8 16 23 25 26 28 29 37 48 49 55-58 61 62") + own(lambda rule: rule.in_impl_set)
GOLDEN = ids("15") + own(lambda rule: rule.target == "golden")
TEST = ids("17-22 42 60") + own(lambda rule: rule.target == "test")
CONSISTENCY = ids("30-34 39-41 43")

STAGES = {
    1: ids("9 10 24"),
    2: ids("11 15 24 59"),
    3: ids("12 15 24"),
    4: ids("12 15 24 56 55"),
    5: ids("1-8 23 13 15-22 24-26 28-34 37 39-49 56-58 52 50 51 62 53-55 60 61"),
    6: ids("1-8 23 14 15-22 24-26 28-34 37 39-43 45-49 56-58 52 50 51 62 53 55 60 61"),
    7: ids("1-8 16 24-26 45 48 49 57 58 52 50 51 62 55 60 63"),
}
WORKFLOW_COUNTS = {stage: len(rules) for stage, rules in STAGES.items()}
for _stage, _rules in STAGES.items():
    _rules += own(lambda rule: _stage in rule.stages)
PHASE_GATE = ids("1-8 23 16 25 26 28 29 37 45-49 56-58 52 50 51 62 53-55") + own(lambda rule: rule.target == "impl")
DESIGN_GATE = ids("12 56 55")
