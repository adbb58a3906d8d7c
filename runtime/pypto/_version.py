"""Which version of the product is simulated: PTOSIM_PYPTO says it; without it the newest documented one."""
import os

from . import _diagnose, _state
from .error import FeError

KNOWN = ("9.1", "9.2")


def _parts(text):
    """(major, minor) of "9.2" or "9.2.0.beta"; None when it is no version."""
    fields = text.split(".")
    return tuple(map(int, fields[:2])) if len(fields) > 1 and fields[0].isdigit() and \
        fields[1].isdigit() else None


def _choose():
    given = (os.environ.get("PTOSIM_PYPTO") or "").strip()
    if not given:
        return KNOWN[-1], False
    parts = _parts(given)
    if parts is None:
        raise FeError(ValueError("PTOSIM_PYPTO: '%s' is no version; it is one of %s"
                                 % (given, ", ".join(KNOWN))))
    if parts >= (9, 2):
        return "9.2", True
    return "9.1", True


chosen, is_given = _choose()  # the version, and whether the user named it
is_9_1 = chosen == "9.1"
new_front_end = not is_9_1  # of kernels that do not say new_ir=


def note_newer(what):
    """A construct that only 9.2 takes: a warning once a file and construct, unless 9.2 was asked for."""
    if not is_given:
        _diagnose.once_a_file(1, "pypto-version", what, "%s since PyPTO 9.2 only; set PTOSIM_PYPTO=9.2 "
                              "when that is what the kernel runs with" % what,
                              *_state.site())


def refuse_or_warn(error, name="pypto-version"):
    """A check that only 9.2 makes: its error, or with 9.1 a warning that names 9.2."""
    if not is_9_1:
        raise FeError(error)
    _diagnose.warn(name, "%s (an error since PyPTO 9.2)" % error)
