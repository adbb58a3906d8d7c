"""Whether a test of `pypto-lint test` deserves its PASS: did it compare anything, by any means, and
did it launch a kernel?"""
import contextlib
import dis
import functools
import importlib
import os
import types

# Functions that compare, besides detailed_tensor_compare, which keeps a log of its own.
_COMPARING = {
    "torch": ("allclose", "equal", "isclose"),
    "torch.testing": ("assert_close", "assert_allclose"),
    "numpy": ("allclose", "array_equal", "isclose", "array_equiv"),
    "numpy.testing": ("assert_allclose", "assert_array_equal", "assert_equal",
                      "assert_almost_equal", "assert_array_almost_equal", "assert_array_less"),
}
_MOST_DEPTH = 8  # of calls among helpers
_PYTHON = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # harness, simulator


class Calls:
    """Counts calls of comparing functions."""

    def __init__(self):
        self.count = 0

    def install(self):
        """Before the file is loaded, which may import the functions by name."""
        for name, functions in _COMPARING.items():
            try:
                module = importlib.import_module(name)
            except (ImportError, OSError):  # not installed, or a library of it is missing
                continue
            for function in functions:
                if callable(getattr(module, function, None)):
                    setattr(module, function, self._counted(getattr(module, function)))

    def _counted(self, real):
        @functools.wraps(real)
        def counted(*args, **kwargs):
            self.count += 1
            return real(*args, **kwargs)
        return counted


def asserts(function, depth=0, seen=None):
    """Does the function, or a helper that it calls by name, assert or raise? What it compared then is
    unknown, but it compared something."""
    seen = set() if seen is None else seen
    code = getattr(function, "__code__", None)
    if code is None or code in seen or depth > _MOST_DEPTH or not _may_help(code.co_filename):
        return False
    seen.add(code)
    return _has_assert(code, 0) or any(asserts(other, depth + 1, seen)
                                       for other in _reached(function, code.co_names))


def _may_help(path):
    """Is it a file of the user, but not of the operator? A wrapper that raises on wrong shapes has
    compared nothing."""
    folders = path.replace(os.sep, "/").split("/")
    return not path.startswith("<") and not path.endswith(("_impl.py", "_golden.py")) and \
        not {"site-packages", "dist-packages"} & set(folders) and \
        not os.path.abspath(path).startswith((_PYTHON, _OURS))


def _reached(function, names):
    """Functions that it decorates, closes over or names: `check`, `helpers.check`."""
    found = [getattr(function, "__wrapped__", None)]
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # not bound yet
            found.append(cell.cell_contents)
    for name in names:
        value = function.__globals__.get(name)
        found.append(value)
        if isinstance(value, types.ModuleType):
            found += [vars(value).get(other) for other in names]
    return [value for value in found if isinstance(value, types.FunctionType)]


def _has_assert(code, depth):
    if any(step.opname in ("LOAD_ASSERTION_ERROR", "RAISE_VARARGS") or
           (step.opname == "LOAD_GLOBAL" and step.argval == "AssertionError")
           for step in dis.get_instructions(code)):
        return True
    return depth < _MOST_DEPTH and any(_has_assert(inner, depth + 1) for inner in code.co_consts
                                       if isinstance(inner, types.CodeType))


def missing(test, comparisons, launched):
    """Why a test that did not fail proves nothing; None = it proves something. `comparisons`: their
    number; `launched`: None where launches are not counted."""
    if not comparisons and not asserts(test.function):
        return "it compared nothing: no comparison was called and it has no assert (--allow-empty)"
    if launched is False:
        return ("it compared, but no kernel was launched" if comparisons else
                "no kernel was launched") + " (--allow-empty)"
    return None
