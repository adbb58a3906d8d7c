"""Errors against a run in double, by line: `pypto-lint run --precision` and the harness.

Reports hold relative errors and places, no values.
"""
import json
import os
import sys

SHOWN = 20
_COLUMNS = "%9s %9s %9s  %-14s %9s  %s"


def start(tolerance=0.0):
    """Watches all launches of this process from now on. With a tolerance of 0 each dtype has its own."""
    from . import _state
    _state.context().precision_start(float(tolerance))


def stop():
    """Forgets the findings and stops looking."""
    from . import _state
    _state.context().precision_stop()


def report():
    """What was found since start(): a dictionary as --precision=FILE writes it."""
    from . import _state
    return _state.context().precision_report()


def _place(row):
    return "%s:%d" % (os.path.basename(row["file"] or "?"), row["line"])


def _number(value):
    return "inf" if value >= 1e6 else "%.1e" % value if value else "0"


def _where(row):
    return "" if row["iteration"] is None else ", iteration %d" % row["iteration"]


def _line(row):
    flags = row["flags"] + ["(%s)" % name for name in row["harmless"]]
    iteration = "-" if row["iteration"] is None else str(row["iteration"])
    return _COLUMNS % (_number(row["share"]), _number(row["added"]), _number(row["inherited"]),
                       row["operation"][:14], iteration,
                       " ".join([_place(row)] + flags))


def text(found):
    """The table as text."""
    rows = found["precision"]
    lines = ["precision: relative errors against the same run in double; output %s%s"
             % (_number(found["output_error"]),
                ", beyond the tolerance" if found["output_is_wrong"] else "")]
    if found["unchecked"]:
        lines.append("  not checked: %d of %d launches, for which memory did not suffice"
                     % (found["unchecked"], found["runs"]))
    first = found["first_beyond"]
    if first is not None:
        lines.append("  first beyond the tolerance of %s: %s, %s%s"
                     % (_number(first["tolerance"]), _place(first), first["operation"],
                        _where(first)))
    if not any(row["accused"] for row in rows):
        lines.append("  nothing is accused")
    lines.append("  " + _COLUMNS % ("share", "added", "inherited", "operation", "iteration",
                                    "line, flags"))
    lines += ["  " + _line(row) for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        lines.append("  … and %d more" % (len(rows) - SHOWN))
    return "\n".join(lines)


def _open_part(whole):
    """A new file, never one through a link that is there; what a killed process of our number left goes."""
    try:
        return open(whole, "x", encoding="utf-8")
    except FileExistsError:
        os.unlink(whole)
        return open(whole, "x", encoding="utf-8")


def _write(found, path):
    whole = "%s.%d.part" % (path, os.getpid())
    file = _open_part(whole)
    try:
        with file:
            json.dump(found, file, indent=1)
            file.write("\n")
        os.replace(whole, path)
    except BaseException:
        os.unlink(whole)
        raise


def at_exit(context, target, pid):
    """The report at the end of a process: `target` is "all", or a file for JSON beside the table."""
    if os.getpid() != pid:  # a fork inherits the hook, not the duty
        return
    try:
        found = context.precision_report()
        if target != "all":
            _write(found, target)
        print(text(found), file=sys.stderr)
    except Exception as error:  # at exit there is nobody left to catch it
        print("pypto: precision: %s" % error, file=sys.stderr)
