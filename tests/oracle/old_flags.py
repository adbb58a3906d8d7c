"""Runs the linter with the flags of the Python linter, and its old hooks, on one directory, and holds
the answers against the oracle's verdicts."""

import json
import os
import subprocess

import oracle

NO_ORACLE = ("KS", "OL00", "OL11", "OL63")
SEVERITY = {rule: "S1" for rule in oracle.ORDER}
SEVERITY.update({rule: "S0" for rule in "OL01 OL07 OL45 OL48 OL55 OL56 OL57 OL58 OL60 OL62".split()})
SEVERITY.update({rule: "S2" for rule in "OL11 OL21 OL22 OL23 OL28 OL29 OL30 OL32 OL33 OL46 OL53".split()})
SEVERITY.update(OL37="S3", OL47="S3")
IMPL = ("OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL16 OL23 OL25 OL26 OL28 OL29 OL37 OL48 OL49 OL55 "
        "OL56 OL57 OL58 OL61 OL62").split()
TEST = "OL17 OL18 OL19 OL20 OL21 OL22 OL42 OL60".split()
CONSISTENCY = "OL30 OL31 OL32 OL33 OL34 OL39 OL40 OL41 OL43".split()
PHASE = ("OL01 OL02 OL03 OL04 OL05 OL06 OL07 OL08 OL23 OL16 OL25 OL26 OL28 OL29 OL37 OL45 OL46 OL47 "
         "OL48 OL49 OL56 OL57 OL58 OL52 OL50 OL51 OL62 OL53 OL54 OL55").split()
DESIGN = "OL12 OL56 OL55".split()
SETS = {"--lint-impl": IMPL, "--lint-golden": ["OL15"], "--lint-test": TEST,
        "--lint-consistency": CONSISTENCY}


def due(rules, stage):
    return [rule for rule in rules if stage in oracle.STAGES[rule]]


def commands(case):
    """(flags, stage, phase, rules in their order)."""
    stage = case.stage
    if case.phase:
        return [(["--check-phase-gate", "--phase", case.phase], stage, case.phase, due(PHASE, stage))]
    found = [(["--check-gate"], stage, None, due(oracle.ORDER, stage))]
    found += [([flag], stage, None, rules) for flag, rules in SETS.items()]
    gate = 4 if stage == 5 else stage
    return found + [(["--check-design-gate"], gate, None, due(DESIGN, gate))]


def environment(case):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYPTO_")}
    if case.npu:
        here = os.path.dirname(os.path.abspath(__file__))
        kept["PATH"] = os.path.join(here, "npu") + os.pathsep + kept["PATH"]
    return kept


def worst(elements):
    """Rule -> status, in the order of the answer."""
    order = ("SKIP", "PASS", "INFO", "WARN", "FAIL")
    found = {}
    for element in elements:
        rule = element["rule_id"]
        found[rule] = max(found.get(rule, "SKIP"), element["status"], key=order.index)
    return found


def blocks(statuses):
    return [rule for rule, status in statuses.items() if status == "FAIL" and SEVERITY.get(rule, "S1") < "S2"]


def gate_differences(binary, root, case):
    found = []
    for flags, stage, phase, rules in commands(case):
        done = subprocess.run([binary, *flags, "--stage", str(case.stage), "--op-dir", root],
                              capture_output=True, timeout=60, check=False, env=environment(case))
        label = " ".join(flags)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            found.append((label, "answer", "no JSON, status %d: %s" % (done.returncode, done.stderr[-300:])))
            continue
        have = worst(answer["findings"])
        known = [rule for rule in have if not rule.startswith(NO_ORACLE)]
        wanted = [rule for rule in rules if not rule.startswith(NO_ORACLE)]
        if known != wanted:
            found.append((label, "rules", "%s: rules %s, expected %s" % (label, known, wanted)))
        expected = oracle.check(root, stage, None, phase, rules, case.npu, old=True)
        for entry in expected["rules"]:
            rule, status = entry["id"], entry["status"]
            if status != "OPEN" and rule in known and have[rule] != status:
                found.append((rule, "status", "%s: %s: expected %s, got %s" % (label, rule, status, have[rule])))
        told = {rule: have[rule] for rule in have}
        if any(status == "FAIL" for rule, status in told.items() if rule.startswith("KS")):
            found.append(("KS", "fails", label + ": a rule KS fails"))
        counts = {key: sum(s == key.upper() for s in told.values())
                  for key in ("pass", "warn", "info", "fail", "skip")}
        counts["has_error_fail"] = bool(blocks(told))
        if answer["summary"] != counts or answer["passed"] != (counts["fail"] == 0):
            found.append((label, "summary", "%s: summary %s, expected %s" % (label, answer["summary"], counts)))
        if done.returncode != (2 if counts["has_error_fail"] else 0) and not done.stderr:
            found.append((label, "exit", "%s: exit status %d" % (label, done.returncode)))
    return found


# Hooks ---------------------------------------------------------------------------------

def hook_rules(base):
    if base.endswith("_impl.py"):
        return IMPL + ["OL41"]
    if base.endswith("_golden.py"):
        return ["OL15", "OL41"]
    if base.startswith("test_") and base.endswith(".py"):
        return TEST + ["OL41"]
    return {"SPEC.md": ["OL09"], "DESIGN.md": ["OL55", "OL56"]}.get(base, [])


def sound_stage(root):
    """Stage of the state file; None when it is missing or says nothing usable."""
    try:
        with open(os.path.join(root, ".orchestrator_state.json"), encoding="utf-8") as handle:
            stage = json.load(handle)["current_stage"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return stage if isinstance(stage, int) and not isinstance(stage, bool) and 1 <= stage <= 7 else None


def run_hook(binary, case, name, event):
    done = subprocess.run([binary, "--hook", name], input=json.dumps(event).encode(), capture_output=True,
                          timeout=60, check=False, env=environment(case))
    return done, json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}


def blocking_rules(answer):
    lines = answer.get("reason", "").split("\n")
    line = next((row for row in lines if row.startswith("blocking_rules: ")), "")
    return [rule for rule in line[len("blocking_rules: "):].split(", ") if rule and rule not in ("OL00", "OL63")]


def stop_differences(binary, root, case, stage):
    done, answer = run_hook(binary, case, "stop", {"cwd": root})
    verdicts = oracle.check(root, stage, None, None, due(oracle.ORDER, stage), case.npu, old=True)["rules"]
    if any(entry["status"] == "OPEN" for entry in verdicts):
        return []
    want = blocks({entry["id"]: entry["status"] for entry in verdicts})
    have = blocking_rules(answer)
    found = []
    if have != want:
        found.append(("stop", "blocks", "stop: blocks by %s, expected %s" % (have, want)))
    if done.returncode != (2 if answer else 0):
        found.append(("stop", "status", "stop: status %d" % done.returncode))
    return found


def hook_differences(binary, root, case):
    stage = sound_stage(root)
    if stage is None:
        return []
    found = stop_differences(binary, root, case, stage)
    for rel in sorted(case.files):
        base = os.path.basename(rel)
        rules = due(hook_rules(base), stage)
        fixed = {"OL15": "%s_golden.py", **{rule: "test_%s.py" for rule in TEST if rule != "OL60"}}
        if not rules or not os.path.isfile(os.path.join(root, rel)) or os.path.dirname(rel) not in ("", "modules"):
            continue
        if base == "SPEC.md" and stage >= 2:
            continue
        event = {"tool_input": {"file_path": os.path.join(root, rel)}}
        done, answer = run_hook(binary, case, "post-edit", event)
        name = oracle.Operator(root, stage).name
        op = oracle.check(root, stage, rel if base.endswith("_impl.py") else None, None, rules, case.npu, old=True)
        want, sure = set(), True
        for entry in op["rules"]:
            rule, status = entry["id"], entry["status"]
            if rule in fixed and rel != fixed[rule] % name:
                continue
            if rule == "OL41":
                status = "FAIL" if any(f["rule"] == rule and f["file"] == rel for f in op["findings"]) else "PASS"
            sure = sure and status != "OPEN"
            if status == "FAIL" and SEVERITY[rule] < "S2":
                want.add(rule)
        have = set(blocking_rules(answer))
        if sure and have != want:
            found.append(("hook", "blocks", "%s: blocks by %s, expected %s" % (rel, sorted(have), sorted(want))))
        if done.returncode != 0:
            found.append(("hook", "status", "%s: status %d" % (rel, done.returncode)))
    return found


def differences(binary, root, case):
    return gate_differences(binary, root, case) + hook_differences(binary, root, case)
