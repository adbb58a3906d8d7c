#!/usr/bin/env python3
"""Validates SARIF logs: the official schema first, then the official validator with GitHub's rules.

    validate.py [--strict | --allow RULE ...] [--list-notes] FILE...

Needs the tools of package.json beside it (npm ci --ignore-scripts). Exit status: 0 when every file
is clean, 1 for a fault in a file, 2 when the tools are missing or cannot be trusted.

Four traps shape this script. The validator's exit status says nothing, so its report is read. It
silently stops at a log that it cannot deserialise, and applies no rule to a log that breaks the
schema, so only logs that pass the schema reach it. And it is slow to start on a file, so the runs
of many logs are put into few; each of those ends with the run of canary-rules.sarif, whose errors
MUST be in the report: without them the bundle was not judged to its end. canary-schema.sarif must
fail the schema check and the validator both. It is slow on descriptions of rules, too, which are
nearly all of a log: a description of the tool that it was given before loses the rules that the
results of the run do not name.

Errors and warnings are faults. Notes are faults except for those in ALLOWED_NOTES; --strict allows
only the one that comes from having no network.
"""
import argparse
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
MULTITOOL = os.path.join(HERE, "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool")
SCHEMA_CANARY = os.path.join(HERE, "canary-schema.sarif")
RULES_CANARY = os.path.join(HERE, "canary-rules.sarif")
CANARY_ERRORS = {"SARIF1007", "SARIF1009"}  # end before start; no such index
RUNS_PER_BUNDLE = 19  # the canary is the twentieth: GitHub's limit for one file

OFFLINE_NOTE = "SARIF2006"  # "URI is reachable" asks the network
ALLOWED_NOTES = {
    OFFLINE_NOTE: "needs the network",
    "SARIF2002": "wants message ids instead of text; GitHub requires the text",
    "SARIF2003": "wants the revision; a directory outside of version control has none",
    "SARIF2013": "wants the files' contents embedded; GitHub has them, and limits the size",
}
# Wants context around a region. A finding about a whole file (the empty region at 1:1) has none,
# nor has one about a file that is missing.
CONTEXT_NOTE = "SARIF2011"


class Untrustworthy(Exception):
    """The tools do not work as they must: no verdict."""


def check_schema(paths):
    """Path -> list of faults."""
    process = subprocess.run(
        ["node", os.path.join(HERE, "schema_check.mjs")],
        input=json.dumps(paths + [SCHEMA_CANARY, RULES_CANARY]), encoding="utf-8",
        stdout=subprocess.PIPE, cwd=HERE)
    if process.returncode != 0:
        raise Untrustworthy("schema_check.mjs failed; did you run npm ci --ignore-scripts?")
    faults = json.loads(process.stdout)
    if not faults.pop(SCHEMA_CANARY):
        raise Untrustworthy("the schema check accepts canary-schema.sarif")
    if faults.pop(RULES_CANARY):
        raise Untrustworthy("the schema check rejects canary-rules.sarif")
    return faults


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Bundle:
    """Runs of several logs in one; `origins` has the (path, run index) of each."""

    def __init__(self, head):
        self.head = head
        self.runs = []
        self.origins = []

    def is_full(self):
        return len(self.runs) >= RUNS_PER_BUNDLE

    def write(self, path, canary_runs):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**self.head, "runs": self.runs + canary_runs}, file, ensure_ascii=False)


def refers_to_rules(value):
    """Does anything but `ruleId` and `ruleIndex` of a result refer to a rule?"""
    if isinstance(value, list):
        return any(map(refers_to_rules, value))
    return isinstance(value, dict) and any(
        key in ("rule", "taxa", "associatedRule", "ruleConfigurationOverrides") or refers_to_rules(item)
        for key, item in value.items())


def without_known_rules(run, known):
    """The run, without the rules that its results do not name, if its description of the tool is in
    `known`: it is judged only once. A run with references that are odd stays as it is."""
    tool = json.dumps(run["tool"], sort_keys=True)
    if tool not in known:
        known.add(tool)
        return run
    rules = run["tool"]["driver"].get("rules", [])
    results = run.get("results") or []
    names = [(result.get("ruleIndex", -1), result.get("ruleId")) for result in results]
    sound = all(0 <= index < len(rules) and rules[index]["id"] == name for index, name in names)
    rest = {key: value for key, value in run.items() if key != "tool"}
    if not sound or refers_to_rules(rest):
        return run
    used = sorted({index for index, _ in names}) or [0]  # a tool without rules is a fault of its own
    driver = {**run["tool"]["driver"], "rules": [rules[index] for index in used]}
    slim = {**run, "tool": {**run["tool"], "driver": driver}}
    if results:
        slim["results"] = [{**result, "ruleIndex": used.index(index)}
                           for result, (index, _) in zip(results, names)]
    return slim


def make_bundles(paths):
    """Only logs with equal $schema and version share a bundle."""
    bundles = []
    open_bundles = {}
    known = set()
    for path in paths:
        log = load(path)
        head = {key: value for key, value in log.items() if key != "runs"}
        key = json.dumps(head, sort_keys=True)
        for index, run in enumerate(log["runs"]):
            if key not in open_bundles or open_bundles[key].is_full():
                open_bundles[key] = Bundle(head)
                bundles.append(open_bundles[key])
            open_bundles[key].runs.append(without_known_rules(run, known))
            open_bundles[key].origins.append((path, index))
    return bundles


def run_multitool(paths, folder):
    """The results of the validator's report."""
    os.chmod(MULTITOOL, os.stat(MULTITOOL).st_mode | stat.S_IXUSR)
    report = os.path.join(folder, "report.json")
    environment = dict(os.environ, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1", DOTNET_gcConcurrent="0")
    process = subprocess.run(
        [MULTITOOL, "validate", *paths, "--rule-kind", "Sarif;Ghas", "--level",
         "Error;Warning;Note", "--log", "ForceOverwrite", "-o", report],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        errors="replace")
    if not os.path.exists(report):
        raise Untrustworthy(f"the validator wrote no report:\n{process.stdout[:2000]}")
    log = load(report)
    for run in log["runs"]:
        for invocation in run.get("invocations", []):
            for note in invocation.get("toolExecutionNotifications", []):
                if note.get("level") == "error":
                    raise Untrustworthy(f"the validator failed: {note['message'].get('text')}")
    return [result for run in log["runs"] for result in run.get("results", [])]


def rule_of(result):
    return result["ruleId"].split("/")[0]


def file_of(result):
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return urllib.parse.unquote(urllib.parse.urlparse(uri).path)


def find_pointer(result):
    """The place in the log that the result is about, "runs[0].results[3]…"."""
    message = result["message"]
    candidates = message.get("arguments", []) + [message.get("text", "")]
    for text in candidates:
        match = re.search(r"runs\[(\d+)\][\w.\[\]'$-]*", text)
        if match:
            return int(match.group(1)), match.group(0)
    return None, ""


def resolve(run, pointer):
    """The value at "runs[i].results[3].locations[0]…", or None."""
    value = run
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", pointer.split("]", 1)[1]):
        try:
            value = value[name] if name else value[int(index)]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def is_whole_file(location):
    region = (location or {}).get("region", {})
    keys = ("startLine", "startColumn", "endLine", "endColumn")
    return all(region.get(key) == 1 for key in keys)


def is_allowed(result, run, pointer, options):
    if result.get("level", "warning") != "note":
        return False
    rule = rule_of(result)
    if rule == OFFLINE_NOTE or rule in options.allow:
        return True
    if rule == CONTEXT_NOTE:
        return run is not None and is_whole_file(resolve(run, pointer))
    return rule in ALLOWED_NOTES and not options.strict


def describe(result):
    message = result["message"]
    text = message.get("text") or " ".join([message.get("id", ""), *message.get("arguments", [])])
    return f"{result.get('level', 'warning')} {result['ruleId']}: {text}"


def check_rules(paths, options, notes):
    """Path -> list of faults; allowed notes are counted in `notes`."""
    faults = {path: [] for path in paths}
    bundles = make_bundles(paths) or [Bundle(load(RULES_CANARY))]
    with tempfile.TemporaryDirectory() as folder:
        files = {os.path.join(folder, f"{i}.sarif"): bundle for i, bundle in enumerate(bundles)}
        canary_runs = load(RULES_CANARY)["runs"]
        for file, bundle in files.items():
            bundle.write(file, canary_runs)
        # Last: what follows a log that breaks the schema may go unread.
        results = run_multitool(list(files) + [SCHEMA_CANARY], folder)
    caught = {file: set() for file in [*files, SCHEMA_CANARY]}
    for result in results:
        file = file_of(result)
        index, pointer = find_pointer(result)
        bundle = files.get(file)
        if bundle is None or (index is not None and index >= len(bundle.runs)):
            if result.get("level") == "error":
                caught[file].add(rule_of(result))
            continue
        run = None if index is None else bundle.runs[index]
        if is_allowed(result, run, pointer, options):
            notes[rule_of(result)] = notes.get(rule_of(result), 0) + 1
            continue
        owners = bundle.origins if index is None else [bundle.origins[index]]
        for path, origin in owners:
            # Name the run as it is numbered in its own file.
            line = describe(result).replace(f"runs[{index}]", f"runs[{origin}]")
            faults[path].append(line)
    if not caught[SCHEMA_CANARY] or not all(CANARY_ERRORS <= caught[file] for file in files):
        raise Untrustworthy("the validator did not find the errors of the canary in every bundle")
    return faults


def main():
    parser = argparse.ArgumentParser(description="Validate SARIF logs.")
    parser.add_argument("--strict", action="store_true", help="allow only the offline note")
    parser.add_argument("--allow", action="append", default=[], metavar="RULE",
                        help="allow notes of this rule, too")
    parser.add_argument("--list-notes", action="store_true", help="count the allowed notes")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    paths = [os.path.abspath(path) for path in options.files]
    notes = {}
    try:
        if not os.path.exists(MULTITOOL):
            raise Untrustworthy(f"no {MULTITOOL}; run npm ci --ignore-scripts in {HERE}")
        faults = check_schema(paths)
        sound = [path for path in paths if not faults[path]]
        faults.update(check_rules(sound, options, notes))
    except Untrustworthy as error:
        print(f"validate.py: {error}", file=sys.stderr)
        return 2
    for path, lines in faults.items():
        for line in lines:
            print(f"{path}: {line}")
    if options.list_notes:
        for rule, count in sorted(notes.items()):
            print(f"{count} x {rule}: {ALLOWED_NOTES.get(rule, 'whole-file findings')}")
    bad = sum(1 for lines in faults.values() if lines)
    print(f"{len(faults)} files, {bad} with faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
