"""Shrinks a generated directory while a given difference remains."""

import copy

MAX_TRIALS = 400


def with_files(case, files):
    other = copy.copy(case)
    other.files = files
    return other


def shrink(case, still):
    """Smallest variant of CASE found for which STILL(variant) holds."""
    budget = [MAX_TRIALS]

    def holds(files):
        budget[0] -= 1
        return budget[0] > 0 and still(with_files(case, files))

    files = dict(case.files)
    for rel in sorted(files):
        rest = {k: v for k, v in files.items() if k != rel}
        if holds(rest):
            files = rest
    changed = True
    while changed and budget[0] > 0:
        changed = False
        for rel in sorted(files):
            smaller = shrink_lines(files, rel, holds)
            changed = changed or len(smaller) < len(files[rel])
            files = dict(files, **{rel: smaller})
    return with_files(case, files)


def shrink_lines(files, rel, holds):
    """Bytes of one file after removing runs of lines, long runs first."""
    lines = files[rel].splitlines(keepends=True)
    size = max(1, len(lines) // 2)
    while True:
        at = 0
        while at < len(lines):
            rest = lines[:at] + lines[at + size:]
            if holds(dict(files, **{rel: b"".join(rest)})):
                lines = rest
            else:
                at += size
        if size == 1:
            return b"".join(lines)
        size //= 2
