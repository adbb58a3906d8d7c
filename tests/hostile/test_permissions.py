#!/usr/bin/env python3
"""The tests about permissions, also for root: run again without the right to pass over permissions.

Usage: test_permissions.py --binary PATH --units FOLDER

Root may read everything, so these tests are left out, or weaker, when root runs them. Here each runs under
setpriv, which takes that right away, and must not be left out. Exit status 77: setpriv is absent.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
UNITS = ("test_file", "test_discover")
SKIP = re.compile(r"skipIf\((?:hook_)?support\.ROOT_MAY_ALL.*?\n(?:    @.*\n)*    def (\w+)", re.S)
SKIPPED = 77


def scripts():
    """The Python tests with such cases: path, names of the cases."""
    for path in sorted(TESTS.glob("*/test_*.py")):
        names = SKIP.findall(path.read_text(encoding="utf-8"))
        if names:
            yield path, names


def run(command):
    """What is wrong with the run; None if nothing."""
    bound = [] if os.geteuid() else ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
    done = subprocess.run([*bound, *command], capture_output=True, encoding="utf-8", check=False)
    words = done.stdout + done.stderr
    if done.returncode != 0 or "skipped" in words.lower() or "Ran 0 tests" in words:
        return f"{' '.join(map(str, command))}: exit status {done.returncode}\n{words}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--units", required=True)
    options = parser.parse_args()
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        print("setpriv is absent: the tests about permissions were not run")
        return SKIPPED
    commands = [[sys.executable, "-B", path, options.binary, *[word for name in names for word in ("-k", name)]]
                for path, names in scripts()]
    faults = [run(command) for command in commands]
    faults += [run([pathlib.Path(options.units, name)]) for name in UNITS]
    if len(commands) < 5:
        faults.append(f"only {len(commands)} scripts have such tests")
    found = [fault for fault in faults if fault]
    print("\n".join(found) if found else f"{len(commands)} scripts and {len(UNITS)} units: all well")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
