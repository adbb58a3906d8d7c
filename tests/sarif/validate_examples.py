#!/usr/bin/env python3
"""Runs validate.py over what sarif_examples wrote, and over broken logs that it must reject.

    validate_examples.py DIRECTORY
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

VALIDATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "validate.py")
# What only the caller of the library can give, and the poor examples do not: conventional rule ids,
# snippets and context, metadata of rules, relative paths.
CALLERS_NOTES = ["SARIF2009", "SARIF2010", "SARIF2011", "SARIF2012", "SARIF2016"]


def validate(paths, *options):
    result = subprocess.run([sys.executable, VALIDATE, *options, *paths], stdout=subprocess.PIPE,
                            encoding="utf-8")
    print(result.stdout, end="")
    return result.returncode


def break_first(log, change):
    broken = json.loads(json.dumps(log))
    change(broken["runs"][0])
    return broken


def region_of(run):
    return run["results"][0]["locations"][0]["physicalLocation"]["region"]


BREAKAGES = {
    "level": lambda run: run["results"][0].update(level="fatal"),
    "no-message": lambda run: run["results"][0].pop("message"),
    "rule-index": lambda run: run["results"][0].update(ruleIndex=99, message={"text": "x"}),
    "no-locations": lambda run: run["results"][0].update(locations=[]),
    "no-help": lambda run: run["tool"]["driver"]["rules"][0].pop("help"),
    "line-order": lambda run: region_of(run).update(endLine=1),
    "no-snippet": lambda run: region_of(run).pop("snippet"),
}


def main():
    found = {os.path.basename(path): path for path in glob.glob(sys.argv[1] + "/*.sarif")}
    clean = [path for name, path in sorted(found.items()) if name.startswith("clean")]
    noted = [path for name, path in sorted(found.items()) if name.startswith("noted")]
    plain = [path for path in sorted(found.values()) if path not in clean + noted]
    assert clean and noted and plain, "the examples are missing"
    allow = [word for rule in CALLERS_NOTES for word in ("--allow", rule)]
    failures = []
    failures += ["clean"] if validate(clean, "--strict") != 0 else []
    failures += ["plain"] if validate(plain) != 0 else []
    failures += ["noted"] if validate(noted, *allow) != 0 else []
    with open(clean[0], encoding="utf-8") as file:
        log = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, change in BREAKAGES.items():
            paths.append(os.path.join(folder, name + ".sarif"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(break_first(log, change), file)
        result = subprocess.run([sys.executable, VALIDATE, *paths, clean[0]],
                                stdout=subprocess.PIPE, encoding="utf-8")
        missed = [path for path in paths if f"{path}: " not in result.stdout]
        if missed or result.returncode != 1 or f"{clean[0]}: " in result.stdout:
            failures.append(f"broken logs: missed {missed}\n{result.stdout}")
    print("failed: " + ", ".join(failures) if failures else "all examples are as they must be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
