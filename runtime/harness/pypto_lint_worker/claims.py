"""Claims: what the kernel's process reports about itself, reduced to what the result may contain. It
may count launches and name types and places, but it has no say in whether it is right."""
import ast
import builtins
import functools
import math
import os
import re
import sys

from . import failures, findings

_MOST_COUNT = 1 << 53
_MOST_TEXT = 2000
_MOST_NAMES = 100
_MOST_LINES = 1000000
_KINDS = ("naming", "shape", "infra", "memory")
_ENDS = ("raised", "contract")
_MOST_SEVERE = 2
_ID = re.compile(r"[a-z][a-z0-9-]{0,63}\Z")
_STAGES = ("implementation", "wrapper")
_OUTPUT = re.compile(r"out(0|[1-9][0-9]{0,4})\Z")
_OPERATION = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]{0,59}\Z")
_OWN_OPERATIONS = ("change outside torch", "numpy")  # origins.py and provenance.py make these
_MOST_OUTPUTS, _MOST_OPERATIONS, _MOST_RANK = 4096, 8, 64
_CODE = re.compile(r"[0-9A-F]{5,6}\Z")
_OTHER_TYPES = ("FeError", "PyptoError", "OutOfMemoryError", "LinAlgError", "AxisError",
                "Contract", "Mismatch", "Unavailable")
TYPES = frozenset(name for name, value in vars(builtins).items()
                  if isinstance(value, type) and issubclass(value, BaseException)) | \
    frozenset(_OTHER_TYPES)


def own_error(sentence):
    """An error with a sentence of the harness."""
    return {"type": "RuntimeError", "message": sentence, "code": None, "kind": None,
            "file": None, "line": None, "own": True}


def read(claimed, job, names=()):
    """The well-formed claims; all others count as missing. `names` are the arguments of the
    wrapper."""
    return {
        "error": _own(_error(claimed.get("error"), job), job, names),
        "end": claimed.get("end") if claimed.get("end") in _ENDS else "raised",
        "stage": claimed.get("stage") if claimed.get("stage") in _STAGES else "wrapper",
        "launches": _count(claimed.get("launches")),
        "ops": _count(claimed.get("ops")),
        "seconds": _seconds(claimed.get("seconds")),
        "modified_inputs": _names(claimed.get("modified_inputs")),
        "imported_references": _references(claimed.get("imported_references"), job),
        "findings": _findings(claimed.get("findings"), job),
        "repeat": _repeat(claimed.get("repeat"), job),
        "provenance": _provenance(claimed.get("provenance"), job),
        "shielded": claimed.get("shielded") is True,
        "watched": _watched(claimed.get("watched")),
        "precision": precision(claimed.get("precision"), job),
    }


def apply(claimed, result, names):
    """Puts claims into the result; `names` are the names of the inputs."""
    result.launches, result.ops = claimed["launches"], claimed["ops"]
    result.imported_references = claimed["imported_references"]
    result.findings = claimed["findings"]
    result.modified_inputs = [name for name in claimed["modified_inputs"] if name in names]
    for output in (claimed["provenance"] or {}).get("outputs", ()):
        output["input"] = output["input"] if output["input"] in names else None
    if not claimed["shielded"]:
        result.warnings.append("the process of the kernel could not be kept from looking into "
                               "its judge: this user may trace all processes")


def _count(value):
    return value if type(value) is int and 0 <= value < _MOST_COUNT else None


def _seconds(value):
    good = (type(value) is float and math.isfinite(value) and value >= 0) or _count(value)
    return float(value) if good else 0.0


def _names(value):
    """A list of texts; the caller checks which of them are names of inputs."""
    if not isinstance(value, list):
        return []
    return [name for name in value[:_MOST_NAMES] if isinstance(name, str)]


def _references(value, job):
    """Names of modules; "a reference" where no reference file of that name exists."""
    found = []
    for name in _names(value):
        known = any(os.path.isfile(os.path.join(job["op_dir"], folder,
                                                name.rpartition(".")[2] + ".py"))
                    for folder in ("", "modules", "eval")
                    if name.replace(".", "").isidentifier())
        found.append(name if known else "a reference")
    return found


def _text(value):
    return failures.clean(value[:_MOST_TEXT]) if isinstance(value, str) else None


def _error(value, job):
    if not isinstance(value, dict):
        return None
    name, code, kind = value.get("type"), value.get("code"), value.get("kind")
    file, line = place(value.get("file"), value.get("line"), job)
    return {
        "type": name if isinstance(name, str) and name in known_types() else "Exception",
        "message": _text(value.get("message")),
        "code": code if isinstance(code, str) and _CODE.match(code) else None,
        "kind": kind if kind in _KINDS else None,
        "file": file,
        "line": line,
    }


def _findings(value, job):
    """Warnings of the simulator as id, code, place and count; the harness has the words."""
    found = []
    for one in _list(value, findings.MOST):
        if not isinstance(one, dict):
            continue
        severity, name, code = one.get("severity"), one.get("id"), one.get("code")
        if type(severity) is not int or not 0 <= severity <= _MOST_SEVERE:
            continue
        if not isinstance(name, str) or not _ID.match(name):
            continue
        file, line = place(one.get("file"), one.get("line"), job)
        found.append({"severity": severity, "id": name, "file": file, "line": line,
                      "code": code if isinstance(code, str) and _CODE.match(code) else None,
                      "count": max(1, _count(one.get("count")) or 1)})
    return found


def _own(error, job, names):
    """Marks the message if it is a sentence of the harness that this process can verify."""
    if error is not None and error["kind"] == "naming" and \
            error["message"] in _sentences(job, names):
        error["own"] = True
    return error


def _sentences(job, names):
    """The sentences about mistakes in the implementation's file that can be seen without importing
    it."""
    file, wrapper = os.path.basename(job["impl"]), job["wrapper_function"]
    found = {failures.NO_FILE % file, failures.NO_PYTHON % file,
             failures.NO_FUNCTION % (file, wrapper)}
    try:
        with open(job["impl"], "rb") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == wrapper:
            found.add(failures.CANNOT_CALL % (wrapper, _parameters(node.args), ", ".join(names)))
    return found


def _parameters(given):
    """The same as arguments._names_only of the function."""
    parts = [part.arg for part in getattr(given, "posonlyargs", []) + given.args]
    parts += ["*" + given.vararg.arg] if given.vararg else []
    parts += [part.arg for part in given.kwonlyargs]
    return ", ".join(parts + (["**" + given.kwarg.arg] if given.kwarg else []))


def known_types():
    """Names of exceptions that may be reported: Python's, and those of torch, pypto and numpy, as far
    as this process has loaded them."""
    found = set(TYPES)
    for name in ("pypto.error", "torch", "numpy"):
        for key, value in list(vars(sys.modules.get(name) or object).items()):
            if isinstance(value, type) and issubclass(value, BaseException):
                found.add(key)
    return found


def place(name, line, job):
    """(file, line) if the operator has that file and the file that line, with the shortest path
    relative to its folder; else (None, 0)."""
    if not isinstance(name, str) or type(line) is not int or not 0 < line < _MOST_LINES:
        return None, 0
    try:
        path, shown = _file(name, job)
        if path is None:
            return None, 0
        with open(path, "rb") as file:
            lines = sum(1 for _ in file)
    except (OSError, ValueError):  # unreadable, or a name that no file can have
        return None, 0
    return (shown, line) if line <= lines else (None, 0)


def _file(name, job):
    """(real path, path to show) of a Python file of the operator or the implementation; (None,
    None) for any other. No part of the shown path is chosen by the kernel's process."""
    folder, implementation = os.path.realpath(job["op_dir"]), job.get("impl") or ""
    path, own = os.path.realpath(os.path.join(folder, name)), os.path.realpath(implementation)
    if name == os.path.basename(implementation) and not os.path.isfile(path):
        path = own  # of --impl, in another folder
    if not path.endswith(".py") or not os.path.isfile(path):
        return None, None
    if path.startswith(folder + os.sep):
        return path, path[len(folder) + 1:]
    return (path, os.path.basename(implementation)) if path == own else (None, None)


def _repeat(value, job):
    """{done, why, error}: did it call the wrapper again, and why not?"""
    if not isinstance(value, dict):
        return {"done": False, "why": "untold", "error": None}
    why = value.get("why")
    return {"done": value.get("done") is True, "error": _error(value.get("error"), job),
            "why": why if why in ("slow", "large") else "untold"}


def _provenance(value, job):
    """Where outputs come from (provenance.py), or None: counts, bounds, names of torch's operations
    and places in the operator's files, nothing else."""
    if not isinstance(value, dict) or type(value.get("known")) is not bool:
        return None
    why = value.get("why")
    if not value["known"]:
        why = why if isinstance(why, str) and why in known_types() else "untold"
        return {"known": False, "why": why, "outputs": [], "prepared": []}
    return {"known": True, "why": None,
            "outputs": [_origin(one, number, job)
                        for number, one in enumerate(_list(value.get("outputs"), _MOST_OUTPUTS))],
            "prepared": [made for made in (_made(one, job) for one in
                                           _list(value.get("prepared"), _MOST_OPERATIONS))
                         if made is not None]}


def _watched(value):
    """Where the records of a watched run lie in the outputs, or None."""
    if not isinstance(value, dict):
        return None
    places = [value.get(name) for name in ("index", "elements")]
    for place_of in places:
        if not isinstance(place_of, list) or len(place_of) != 2 or \
                any(_count(number) is None for number in place_of):
            return None
    return {"index": places[0], "elements": places[1],
            "left_out": _count(value.get("left_out")) or 0}


_FLAGS = ("cancellation", "overflow", "underflow", "saturation", "accumulation-16",
          "no-double")


def precision(value, job):
    """Errors against the run in double (blame_record.precision), or None."""
    if not isinstance(value, dict):
        return None
    rows = [_precision_row(row, job) for row in _list(value.get("rows"), _MOST_OUTPUTS)]
    return {"wrong": value.get("wrong") is True, "unchecked": _count(value.get("unchecked")) or 0,
            "beyond": _precision_row(value.get("beyond"), job),
            "lines": [row for row in rows if row is not None]}


def _precision_row(row, job):
    """{file, line, operation, iteration, added, inherited, flags}, or None."""
    if not isinstance(row, dict) or not isinstance(row.get("operation"), str):
        return None
    file, line = place(str(row.get("file")).partition("\t")[0], row.get("line"), job)
    added, inherited = row.get("added"), row.get("inherited")
    if file is None or not all(type(error) is float and 0 <= error <= 1e6
                               for error in (added, inherited)):
        return None
    return {"file": file, "line": line, "operation": row["operation"][:32],
            "iteration": _count(row.get("iteration")), "added": added, "inherited": inherited,
            "flags": [flag for flag in _list(row.get("flags"), len(_FLAGS)) if flag in _FLAGS]}


def _list(value, most):
    return value[:most] if isinstance(value, list) else []


def _origin(one, number, job):
    one = one if isinstance(one, dict) else {}
    name, given = one.get("name"), one.get("input")
    known = isinstance(name, str) and _OUTPUT.match(name)
    found = {"name": name if known else "out%d" % number}
    for key in ("elements", "written", "never_written", "torch", "host"):
        found[key] = _count(one.get(key)) or 0
    found.update(never=_bounds(one.get("never")), made=_made(one.get("made"), job),
                 input=given if isinstance(given, str) else None,
                 conversions=[text for text in _list(one.get("conversions"), _MOST_OPERATIONS)
                              if _is_operation(text)])
    return found


def _bounds(value):
    """[[first, last, extent] of each axis], or None."""
    if not isinstance(value, list) or len(value) > _MOST_RANK:
        return None
    for axis in value:
        if not isinstance(axis, list) or len(axis) != 3 or \
                any(_count(number) is None for number in axis) or not axis[0] <= axis[1] < axis[2]:
            return None
    return value


def _made(value, job):
    """[operation, file, line], or None; without a place that is not in the operator's files."""
    if not isinstance(value, list) or len(value) != 3 or not _is_operation(value[0]):
        return None
    file, line = place(value[1], value[2], job)
    return [value[0], file or "", line]


def _is_operation(name):
    """Is it one of torch's operations, or one of ours?"""
    if not isinstance(name, str) or not _OPERATION.match(name):
        return False
    return name in _OWN_OPERATIONS or name.rstrip("_") in _operations() or name in _operations()


@functools.lru_cache(maxsize=1)
def _operations():
    """Names of torch's operations, and of torch_npu's functions, in this process."""
    torch = sys.modules["torch"]
    found = {schema.name.partition("::")[2].partition(".")[0]
             for schema in torch._C._jit_get_all_schemas()}
    return frozenset(found | set(dir(torch)) | set(dir(sys.modules.get("torch_npu"))))
