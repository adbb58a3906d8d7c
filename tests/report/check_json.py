#!/usr/bin/env python3
"""Reads JSON reports back: they must parse, have the documented members in the documented order, and agree with
themselves (summary against findings and rules, statuses against findings, order of findings).

    check_json.py FILE...
"""
import json
import sys

OBJECT = ["schema_version", "tool", "op_name", "op_dir", "stage", "phase", "rules", "findings", "summary"]
FINDING = ["rule", "name", "severity", "dimension", "status", "message", "hint", "file",
           "line", "column", "end_line", "end_column", "fixable"]
SUMMARY = ["fail", "warn", "info", "pass", "skip", "files", "duration_ms"]
RANK = {"PASS": 0, "INFO": 1, "WARN": 2, "FAIL": 3}


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a member is there twice: {keys}"
    return dict(pairs)


def check_finding(finding):
    if finding["rule"] == "OL57":  # of the fixture; it has no page and no name
        finding = {"rule": "OL57", "name": "", **finding}
    keys = list(finding)
    assert keys[:len(FINDING)] == FINDING, keys
    assert set(keys[len(FINDING):]) <= {"fix", "related"}, keys
    assert finding["severity"] in ("S0", "S1", "S2", "S3")
    assert finding["status"] in ("FAIL", "WARN", "INFO")
    start = (finding["line"], finding["column"])
    end = (finding["end_line"], finding["end_column"])
    assert start <= end, finding
    assert (finding["line"] == 0) == (finding["column"] == 0)
    if finding["fixable"]:
        assert finding["fix"]["class"] == "safe"


def check_operator(run):
    assert list(run)[:len(OBJECT)] == OBJECT, list(run)
    assert set(list(run)[len(OBJECT):]) <= {"notices"}, list(run)
    assert run["schema_version"] == 1
    assert list(run["tool"]) == ["name", "version"] and run["tool"]["name"] == "pypto-lint"
    assert run["phase"] is None or run["phase"].startswith("M")
    summary = run["summary"]
    assert list(summary) == SUMMARY
    assert isinstance(summary["duration_ms"], float)
    assert round(summary["duration_ms"], 1) == summary["duration_ms"]
    findings = run["findings"]
    for finding in findings:
        check_finding(finding)
    places = [(f["file"].encode(), f["line"], f["column"], f["rule"]) for f in findings]
    assert places == sorted(places), "findings are out of order"
    for status in ("FAIL", "WARN", "INFO"):
        assert summary[status.lower()] == sum(f["status"] == status for f in findings)
    for status in ("PASS", "SKIP"):
        assert summary[status.lower()] == sum(r["status"] == status for r in run["rules"])
    ids = [rule["id"] for rule in run["rules"]]
    assert ids == sorted(set(ids))
    for rule in run["rules"]:
        own = [f["status"] for f in findings if f["rule"] == rule["id"]]
        expected = ["id"] + (["name"] if rule["id"] != "OL57" else []) + ["severity", "status"] + (["reason"] if rule["status"] == "SKIP" else [])
        assert list(rule) == expected, rule
        if rule["status"] == "SKIP":
            assert not own and rule["reason"]
        else:
            assert rule["status"] == max(own, key=RANK.get, default="PASS"), rule


def check(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data.endswith(b"}\n")
    # Nothing that a terminal would obey: neither control characters nor CSI as one character.
    text = data.decode("utf-8")
    assert all(c == "\n" or (c >= " " and not "\x7f" <= c <= "\x9f") for c in text)
    report = json.loads(text, object_pairs_hook=unique)
    if "runs" in report:
        assert list(report)[:3] == ["schema_version", "tool", "runs"], list(report)
        for run in report["runs"]:
            check_operator(run)
    else:
        check_operator(report)


def main():
    assert len(sys.argv) > 1, "no files given"
    for path in sys.argv[1:]:
        try:
            check(path)
        except (AssertionError, ValueError, KeyError) as error:
            sys.exit(f"{path}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
