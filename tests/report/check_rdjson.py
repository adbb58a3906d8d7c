#!/usr/bin/env python3
"""Reads reports in reviewdog's diagnostic format back: they must have the members of its schema (DiagnosticResult) with
the right types, and places that begin before they end.

    check_rdjson.py FILE...
"""
import json
import sys

# Message types of the format: member to type; a list stands for a repeated member, a set for an enumeration. "!" marks
# what must be there.
SEVERITY = {"UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"}
POSITION = {"line!": int, "column": int}
RANGE = {"start!": POSITION, "end": POSITION}
LOCATION = {"path!": str, "range": RANGE}
SUGGESTION = {"range!": RANGE, "text!": str}
RELATED = {"message": str, "location!": LOCATION}
DIAGNOSTIC = {"message!": str, "location!": LOCATION, "severity": SEVERITY, "source": {"name!": str, "url": str},
              "code": {"value!": str, "url": str}, "suggestions": [SUGGESTION], "original_output": str,
              "related_locations": [RELATED]}
RESULT = {"diagnostics!": [DIAGNOSTIC], "source": {"name!": str, "url": str}, "severity": SEVERITY}


def check(value, wanted, place):
    if isinstance(wanted, dict):
        assert isinstance(value, dict), place
        known = {key.rstrip("!"): kind for key, kind in wanted.items()}
        assert set(value) <= set(known), (place, set(value) - set(known))
        assert {key[:-1] for key in wanted if key.endswith("!")} <= set(value), place
        for key, member in value.items():
            check(member, known[key], f"{place}.{key}")
        if "start" in value and "column" in value.get("end", {}):
            start, end = ((value[k]["line"], value[k]["column"]) for k in ("start", "end"))
            assert (1, 1) <= start <= end, (place, start, end)
    elif isinstance(wanted, list):
        assert isinstance(value, list), place
        for index, item in enumerate(value):
            check(item, wanted[0], f"{place}[{index}]")
    elif isinstance(wanted, set):
        assert value in wanted, (place, value)
    else:
        assert type(value) is wanted, (place, value)
        assert wanted is not int or value > 0, (place, value)


def main():
    assert len(sys.argv) > 1, "no files given"
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
        assert all(c == "\n" or c >= " " for c in text), path
        check(json.loads(text), RESULT, path)


if __name__ == "__main__":
    main()
