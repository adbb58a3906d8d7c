#!/usr/bin/env python3
"""Checks that every C file is as clang-format would write it.

    check_format.py CLANG_FORMAT [--apply]

The version is fixed (14), as each one lays out a few lines differently. With --apply the files are
written.
"""
import subprocess
import sys

import tree


def main():
    program = sys.argv[1]
    paths = [str(path) for path in tree.own_c_files()]
    mode = ["-i"] if "--apply" in sys.argv[2:] else ["--dry-run", "-Werror", "--ferror-limit=3"]
    done = subprocess.run([program, *mode, *paths], cwd=tree.ROOT, check=False)
    if done.returncode:
        print(f"to write the files: python3 tests/quality/check_format.py {program} --apply")
    return 1 if done.returncode or len(paths) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
