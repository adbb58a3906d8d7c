#!/usr/bin/env python3
"""Breaks the sample operators in one place at a time: exactly one rule must notice.

    test_break_one.py --binary PATH [RULE ...]

The table is breaks.py: each of the rules has a small edit of a clean sample. The sample is linted
as a gate before and after the edit; the rule must change to the status of the table, and every
other rule of the run must keep the status that it had. This also shows that a rule that is PASS on
a sample does look at it. Rules that need the machine get one: an npu-smi in the search path
(OL42) and a package torch with the few names that the goldens need on import (OL11).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from breaks import BREAKS, ENTANGLED

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "custom"
CLEAN = [("softmax", "stage 5"), ("softmax", "stage 6"),
         *((sample, how) for sample in ("gated_rmsnorm", "attention_backward")
           for how in ("stage 5", "stage 6", "phase M1", "phase M2"))]
SEVERITIES = ("S0", "S1")  # a FAIL of these makes the exit status 1
HELD_UP = {"stage 2": ("OL11",)}  # a golden that cannot be imported holds this gate up, S2 or not
UNUSED = {"OL63"}  # SKIP on the samples, which were not tuned by a search
BAD = ("FAIL", "WARN", "INFO")


class Wrong(Exception):
    """What is wrong, for the reader."""


def make_machine(folder):
    """The environment of the runs: an NPU and an importable torch."""
    tools, packages = folder / "tools", folder / "packages"
    for directory in (tools, packages / "torch"):
        directory.mkdir(parents=True)
    (tools / "npu-smi").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    (tools / "npu-smi").chmod(0o755)
    (packages / "torch/__init__.py").write_text("class Tensor:\n    pass\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PYPTO_", "PYTHON"))}
    path = os.pathsep.join((str(tools), environment.get("PATH", "/usr/bin:/bin")))
    return {**environment, "PATH": path, "PYTHONPATH": str(packages), "LC_ALL": "C.UTF-8",
            "PYPTO_LINT_PYTHON": sys.executable}


def lint(binary, environment, folder, how):
    """{rule: status} of a gate; the rest of the report must agree with it."""
    kind, value = how.split()
    done = subprocess.run([binary, f"--{kind}", value, "--op-dir", str(folder), "--format", "json"],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                          env=environment, check=False)
    report = json.loads(done.stdout)
    statuses = {entry["id"]: entry["status"] for entry in report["rules"]}
    blocking = any(entry["status"] == "FAIL" and
                   (entry["severity"] in SEVERITIES or entry["id"] in HELD_UP.get(how, ()))
                   for entry in report["rules"])
    below = sorted(name for name, status in statuses.items() if status in BAD)
    said = "" if blocking or not below else "the gate passes, with "
    if not done.stderr.decode().startswith(f"pypto-lint: {said}" if said else "") or \
            (not said and done.stderr) or (said and ", ".join(below) not in done.stderr.decode()):
        raise Wrong(f"stderr (exit status {done.returncode}): {done.stderr.decode()}")
    if done.returncode != int(blocking):
        raise Wrong(f"exit status {done.returncode}, but blocking is {blocking}")
    if {f["rule"] for f in report["findings"]} != {r for r, s in statuses.items() if s in BAD}:
        raise Wrong(f"findings and statuses disagree: {report['findings']}")
    return statuses


def apply(folder, edits):
    for name, old, new in edits:
        path = folder / name
        if new is None:
            path.unlink()
            continue
        text = path.read_text(encoding="utf-8")
        if old and text.count(old) != 1:
            raise Wrong(f"{name}: the text to replace occurs {text.count(old)} times: {old!r}")
        path.write_text(text.replace(old, new) if old else text + new, encoding="utf-8")


def check_clean(binary, environment):
    for sample, how in CLEAN:
        statuses = lint(binary, environment, EXAMPLES / sample, how)
        bad = {rule: status for rule, status in statuses.items() if status in BAD}
        if bad or "PASS" not in statuses.values():
            raise Wrong(f"{sample}, {how}: not clean: {bad}")


def check_break(binary, environment, place, number):
    rule, sample, how, status, edits = BREAKS[number]
    folder = place / str(number) / "custom" / sample
    shutil.copytree(EXAMPLES / sample, folder)
    before = lint(binary, environment, folder, how)
    clean = "SKIP" if rule in UNUSED else "PASS"
    if before.get(rule) != clean:
        raise Wrong(f"on the sample the rule is {before.get(rule)}, not {clean}")
    apply(folder, edits)
    after = lint(binary, environment, folder, how)
    changed = {name: (before.get(name), after.get(name)) for name in before.keys() | after.keys()
               if before.get(name) != after.get(name)}
    expected = {rule: (clean, status)}
    expected.update({name: ("PASS", other) for name, other in ENTANGLED.get(rule, {}).items()})
    if changed != expected:
        raise Wrong(f"changed: {dict(sorted(changed.items()))}, expected: {expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("rules", nargs="*", help="only these rules")
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    listed = json.loads(subprocess.run([binary, "rules", "--format", "json"],
                                       capture_output=True, check=True).stdout)
    known = {rule["id"] for rule in (listed["rules"] if isinstance(listed, dict) else listed)}
    known.discard("OL00")  # a file that does not parse: no rule of its own
    problems = [f"{rule}: no break of a sample operator; it belongs into "
                + ("BREAKS of tests/examples/breaks.py" if rule.startswith("OL") else f"tests/fixtures/{rule}/break.json")
                for rule in sorted(known - {b[0] for b in BREAKS})]
    wanted = [i for i, entry in enumerate(BREAKS) if not options.rules or entry[0] in options.rules]
    with tempfile.TemporaryDirectory(prefix="break-one-") as place:
        place = pathlib.Path(place)
        environment = make_machine(place)
        jobs = {"clean samples": (check_clean, binary, environment)}
        jobs.update({f"{BREAKS[i][0]} ({BREAKS[i][1]}, {BREAKS[i][2]})":
                     (check_break, binary, environment, place, i) for i in wanted})
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            running = {name: pool.submit(*job) for name, job in jobs.items()}
        for name, job in running.items():
            try:
                job.result()
            except (Wrong, OSError, ValueError, subprocess.TimeoutExpired) as error:
                problems.append(f"{name}: {error}")
    print("\n".join(problems) or f"{len(wanted)} breaks: each noticed by its rule alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
