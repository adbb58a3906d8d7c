"""Which version of the product is simulated: PTOSIM_PYPTO says it; without it the newest documented one."""
import ast
import functools
import linecache
import os
import sys

from . import _diagnose, _state, error
from .error import FeError

KNOWN = ("9.1", "9.2")


def _parts(text):
    """(major, minor) of "9.2" or "9.2.0.beta"; None if it is not a version."""
    fields = text.split(".")
    return tuple(map(int, fields[:2])) if len(fields) > 1 and fields[0].isdigit() and \
        fields[1].isdigit() else None


def _choose():
    given = (os.environ.get("PTOSIM_PYPTO") or "").strip()
    if not given:
        return KNOWN[-1], False
    parts = _parts(given)
    if parts is None:
        raise FeError(ValueError("PTOSIM_PYPTO: '%s' is not a known version; use one of %s"
                                 % (given, ", ".join(KNOWN))))
    if parts >= (9, 2):
        return "9.2", True
    return "9.1", True


chosen, is_given = _choose()  # the version, and whether the user named it
is_9_1 = chosen == "9.1"
error._moves = is_given and not is_9_1
# Of kernels that do not say new_ir=. Betas of 9.2 have its names, but not yet that default.
new_front_end = not is_9_1 and os.environ.get("PTOSIM_NEW_IR") != "0"


def why():
    """The version, and who said so."""
    return os.environ.get("PTOSIM_PYPTO_WHY") or "%s (%s)" % (
        chosen, "PTOSIM_PYPTO in the environment" if is_given else
        "the newest one described: no version is set")


_PLAIN_ACCESS = ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM")
_LOOKS = ("hasattr", "getattr", "version")  # calls that ask for the version or for a name


def note_newer(what):
    """A construct that only 9.2 takes: a warning once a file and construct, unless 9.2 was asked for."""
    if is_given:
        return
    file, line = _state.site()
    if not _is_guarded(file, line):
        _diagnose.once_a_file(1, "pypto-version", what, "%s since PyPTO 9.2 only; set PTOSIM_PYPTO=9.2 "
                              "when that is what the kernel runs with" % what, file, line)


def note_name(name):
    """The same for a name of the package that a program uses, not one that hasattr() and the like look up."""
    import dis
    frame = sys._getframe(2)
    if dis.opname[frame.f_code.co_code[frame.f_lasti]] in _PLAIN_ACCESS:
        note_newer("pypto.%s exists" % name)


def _is_guarded(file, line):
    """Is a line in a `try` that catches a missing name, or in an `if` that asks for it?"""
    return any(start <= line <= end for start, end in _guards(file)) if file else False


@functools.lru_cache(maxsize=64)
def _guards(file):
    """The first and last lines of what such statements guard."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(_catches(handler) for handler in node.handlers):
            found.append((node.body[0].lineno, node.body[-1].end_lineno))
        elif isinstance(node, (ast.If, ast.IfExp)) and _looks(node.test):
            found.append((node.lineno, node.end_lineno))
    return tuple(found)


def _catches(handler):
    kinds = {name.id for name in ast.walk(handler.type) if isinstance(name, ast.Name)} \
        if handler.type is not None else {"Exception"}
    return bool(kinds & {"AttributeError", "ImportError", "Exception", "BaseException"})


def _looks(test):
    for call in ast.walk(test):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
            if name in _LOOKS:
                return True
    return False


# Of the Python side: what only some versions do; those of the core are in src/model/check_version.c and in the recipes. The first
# and the last version (None = all later ones), the error's kind (None = of the core) and its code.
CHECKS = {
    "scope-out-of-order": ("9.2", None, ValueError, 0xF00002),
}


def makes(check):
    """Does the chosen version behave like this?"""
    since, until, _, _ = CHECKS[check]
    return _parts(since) <= _parts(chosen) and (until is None or _parts(chosen) <= _parts(until))


def refuse(check, message):
    """A check that failed: its error, or a warning that names the version that makes it."""
    since, _, kind, code = CHECKS[check]
    if makes(check):
        raise FeError(message if kind is None else kind(message), code)
    _diagnose.warn("pypto-version", "%s (an error since PyPTO %s)" % (message, since))
