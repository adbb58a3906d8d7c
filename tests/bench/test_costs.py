#!/usr/bin/env python3
"""What each test costs: seconds of processor time, the dearest first; as root, with control groups.

    tests/bench/test_costs.py build/dev [-R REGEX] [-E REGEX] [-LE LABEL] [--log FILE] [--most 60]

Each test runs alone, in a control group of its own (cpuacct, or version 2's cpu.stat), so that processes that
nobody waited for count too. Under load the wall time says little, the processor time is some tenths too high.
FILE gets a line a test as it ends: processor seconds, wall seconds, exit status, name.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

V1, V2 = pathlib.Path("/sys/fs/cgroup/cpuacct"), pathlib.Path("/sys/fs/cgroup")


class Group:
    def __init__(self, name):
        parent = V1 if V1.is_dir() else V2
        self.path = parent / f"test_costs_{os.getpid()}_{name}"
        self.path.mkdir()

    def enter(self):
        (self.path / "cgroup.procs").write_text("0")

    def seconds(self):
        usage = self.path / "cpuacct.usage"
        if usage.exists():
            return int(usage.read_text()) / 1e9
        return int(re.search(r"usage_usec (\d+)", (self.path / "cpu.stat").read_text())[1]) / 1e6

    def leave(self):
        for _ in range(100): # what the test left behind may need a moment to end
            try:
                self.path.rmdir()
                return
            except OSError:
                time.sleep(0.05)


def listed(build, most):
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                          stdout=subprocess.PIPE).stdout
    for test in json.loads(text)["tests"]:
        properties = {each["name"]: each["value"] for each in test["properties"]}
        if most.R and not re.search(most.R, test["name"]) or most.E and re.search(most.E, test["name"]):
            continue
        if most.LE and any(re.search(most.LE, label) for label in properties.get("LABELS", [])):
            continue
        yield properties.get("COST", 0), test["name"], test["command"], properties


def run(number, command, properties):
    group = Group(number)
    environment = dict(os.environ)
    environment.update(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
    began = time.monotonic()
    status = subprocess.run(command, env=environment, cwd=properties["WORKING_DIRECTORY"], check=False,
                            preexec_fn=group.enter, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL).returncode
    wall = time.monotonic() - began
    seconds = group.seconds()
    group.leave()
    return seconds, wall, status


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("-R", metavar="REGEX")
    parser.add_argument("-E", metavar="REGEX")
    parser.add_argument("-LE", metavar="LABEL")
    parser.add_argument("--log", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--most", type=int, default=60)
    given = parser.parse_args()
    rows = []
    for number, (_, name, command, properties) in enumerate(sorted(listed(given.build, given), key=lambda row: -row[0])):
        rows.append((*run(number, command, properties), name))
        if given.log:
            with given.log.open("a", encoding="utf-8") as log:
                log.write("{:8.2f} {:8.1f} {:4} {}\n".format(*rows[-1]))
    for row in sorted(rows, reverse=True)[:given.most]:
        print("{:8.2f} {:8.1f} {:4} {}".format(*row))
    print(f"{sum(row[0] for row in rows):8.2f} {sum(row[1] for row in rows):8.1f}      all {len(rows)}")
    return 0


sys.exit(main())
