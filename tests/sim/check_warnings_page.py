"""The page of the simulator's checks lists the warnings that the simulator can give, and no others; so does the table of what verify says of them, with
the checks that can be made warnings.

Usage: check_warnings_page.py ROOT PAGE
"""
import pathlib
import re
import sys


def main():
    root, page = map(pathlib.Path, sys.argv[1:])
    given = set()
    for path in [*(root / "src/model").glob("*.c"), *(root / "src/sim").glob("*.c")]:
        text = path.read_text(encoding="utf-8")
        given |= set(re.findall(r'pts_record_warn\(\s*[^"]*?"([a-z-]+)"', text))
        given |= set(re.findall(r'pts_diagnose\((?![^"]*, PTS_FINDING_ERROR)\s*[^"]*?"([a-z-]+)"', text))
    for path in (root / "runtime/pypto").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        given |= set(re.findall(r'(?:_diagnose\.(?:warn|tell_once)|once_a_file)\([^"()]*"([a-z-]+)"',
                                text))
    section = page.read_text(encoding="utf-8").split("## Warnings")[1].split("\n## ")[0]
    listed = {word for row in section.splitlines() if row.startswith("| `")
              for word in re.findall(r"`([a-z-]+)`", row.split("|")[1])}
    advice = (root / "src/harness/judge/advice_table.c").read_text(encoding="utf-8")
    said = set(re.findall(r'ADVICE_FINDING, "([a-z0-9-]+)"', advice))
    limits = (root / "src/model/limits.c").read_text(encoding="utf-8")
    checks = set(re.findall(r'"([a-z0-9-]+)"', re.search(r"check_ids\[\] = \{(.*?)\}", limits, re.S).group(1)))
    assert len(checks) > 8, checks
    told = listed | checks  # PTOSIM_WARN makes warnings of checks
    if said != told:
        sys.exit(f"not in advice_table.c: {sorted(told - said)}, not given: {sorted(said - told)}")
    if given != listed or len(given) < 10:
        sys.exit(f"not on the page: {sorted(given - listed)}, not given: {sorted(listed - given)}")


if __name__ == "__main__":
    main()
