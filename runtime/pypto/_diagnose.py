"""Findings about recorded kernels that do not stop the program."""
import difflib
import logging
import os
import sys

from . import _state
from .error import FeError

_log = logging.getLogger("pypto")
_seen = set()
_subjects = set()  # (file, id, what it is about) of the findings that are reported once per file
# (severity, code, id, file, line) of each, for those who judge the kernel.
told = []
_LEVELS = (logging.INFO, logging.WARNING, logging.ERROR)
_WORDS = ("note", "warning", "error")


def report(kernel, program):
    """Reports each new finding once, on standard error under `pypto-lint run`, else in the log."""
    findings = program.diagnostics()
    for severity, code, name, message, filename, line in findings:
        tell_once(severity, code, name, message, filename, line, kernel)
    return findings


def warn(name, message):
    """Reports a finding about the line that is being recorded; an error in the strict profile."""
    if os.environ.get("PTOSIM_PROFILE") == "strict":
        raise FeError(ValueError("%s [%s]" % (message, name)))
    tell_once(1, 0, name, message, *_state.site(), "")


def once_a_file(severity, name, subject, message, filename, line):
    """Reports a finding about a subject at the first place in a file where it occurs."""
    if (filename, name, subject) not in _subjects:
        _subjects.add((filename, name, subject))
        tell_once(severity, 0, name, message, filename, line, "")


def unknown(where, name, known=(), severity=0):
    """An unknown option, key or keyword: only a note if it can do no more than tune the compiler."""
    close = difflib.get_close_matches(str(name), [str(other) for other in known], 1)
    once_a_file(severity, "unknown-option", (where, str(name)), (
        "%s: '%s' is not known here and ignored%s"
        % (where, name, "; did you mean '%s'?" % close[0] if close else "")), *_state.site())


def tell_once(severity, code, name, message, filename, line, kernel):
    """Records one finding, unless it was reported before."""
    key = (filename, line, name, message)
    if key in _seen:
        return
    _seen.add(key)
    told.append((severity, code, name, filename, line))
    if severity > 0:
        _state.counters.warnings += 1
    place = "%s:%s: " % (filename, line) if filename else "kernel '%s': " % kernel
    number = "%06X " % code if code else ""
    text = "%s%s: %s%s [%s]" % (place, _WORDS[severity], number, message, name)
    if os.environ.get("PTOSIM_RUNNER") == "1":
        print(text, file=sys.stderr)
    else:
        _log.log(_LEVELS[severity], text)
