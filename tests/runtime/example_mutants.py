"""Runs programs one after the other, each in a fork, so that torch is loaded only once.

Usage: pypto-lint run example_mutants.py FOLDER NAME…

Writes FOLDER/ends.json: for each name its exit status, what it printed, and how many kernels it launched.
"""
import atexit
import json
import os
import runpy
import sys
import tempfile
import traceback

import torch  # noqa: F401  (for all of them)

from pypto import _state


def status_of(path):
    """Runs the program here; its exit status."""
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def run(folder, name):
    """[exit status, output] of the program in a process of its own."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            status = status_of(os.path.join(folder, name + ".py"))
            atexit._run_exitfuncs()  # the sanitizer's last words
            print("\n%d launches" % _state.counters.launches)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        return [status, output.read().decode()]


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    sys.path.insert(0, folder)
    ends = {name: run(folder, name) for name in names}
    with open(os.path.join(folder, "ends.json"), "w", encoding="utf-8") as file:
        json.dump(ends, file)


if __name__ == "__main__":
    main()
