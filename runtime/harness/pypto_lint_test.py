"""Runs the test_* functions of a file, in the order of the file, without pytest.

Usage: python pypto_lint_test.py MODE PATTERN FILE [NAME…]

`pypto-lint test` starts it. A test fails when it raises, when a comparison that it made with
detailed_tensor_compare was not close, whether it looked at the result or not, and when it compared
nothing or launched nothing, unless PYPTO_LINT_TEST_EMPTY is set (--allow-empty). The exit status is
also written, as a byte, to the descriptor that PYPTO_LINT_TEST_STATUS names: a program that ends
before that has not passed.
"""
import fnmatch
import importlib
import importlib.util
import itertools
import json
import os
import sys
import time
import types

import pypto_lint_evidence as evidence
import pypto_lint_sources as sources

PASSED, FAILED, NOT_RUN = range(3)  # exit statuses
_SKIPPED = ("SkipTest", "Skipped")  # unittest's and pytest's, by name: neither is needed here
_MOST_SHOWN = 8  # comparisons of a test that are listed


class UsageError(Exception):
    """The tests cannot be run."""


class Comparisons:
    """The log of detailed_tensor_compare: the user's, or one in memory."""

    def __init__(self):
        self._path = os.environ.get("PYPTO_LINT_COMPARE_LOG")
        self._memory = None
        if not self._path:
            self._memory = os.memfd_create("comparisons")
            # By the number of this process, because processes that it starts write to it, too.
            self._path = "/proc/%d/fd/%d" % (os.getpid(), self._memory)
            os.environ["PYPTO_LINT_COMPARE_LOG"] = self._path
        self._at = os.path.getsize(self._path) if os.path.exists(self._path) else 0

    def new(self):
        """The comparisons since the last call."""
        if not os.path.exists(self._path):
            return []
        with open(self._path, "rb") as file:
            file.seek(self._at)
            lines = file.read().splitlines()
            self._at = file.tell()
        return [json.loads(line.decode("ascii")) for line in lines]


class Test:
    """One call of a test function."""

    def __init__(self, name, function, arguments=None, skipped=None):
        self.name, self.function = name, function
        self.arguments, self.skipped = arguments or {}, skipped


# ---- finding them ----

def load(path):
    """The module of the file, under its own name; its folder comes first on the path."""
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.dirname(os.path.abspath(path))
    sources.trust_only(folder)
    sys.path[0] = folder
    spec = importlib.util.spec_from_file_location(name, path, loader=sources.loader_of(name, path))
    if spec is None or not os.path.isfile(path):
        raise UsageError("%s: no Python file" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _marks(function, name):
    return [mark for mark in getattr(function, "pytestmark", [])
            if getattr(mark, "name", None) == name]


def _reason_to_skip(function):
    """The reason of pytest.mark.skip, skipif or unittest's decorators; None = it runs."""
    for mark in _marks(function, "skip"):
        return mark.kwargs.get("reason") or "".join(mark.args[:1]) or "skip"
    for mark in _marks(function, "skipif"):
        if mark.args and not isinstance(mark.args[0], str) and any(mark.args):
            return mark.kwargs.get("reason", "skipif")
    if getattr(function, "__unittest_skip__", False):
        return getattr(function, "__unittest_skip_why__", "") or "skip"
    return None


def _values(entry, names):
    """A row of parametrize as {name: value}."""
    if hasattr(entry, "marks"):  # pytest.param(…)
        return dict(zip(names, entry.values))
    return dict(zip(names, (entry,) if len(names) == 1 else entry))


def _rows(function):
    """Keyword arguments of each call by pytest.mark.parametrize; without it one call without any."""
    axes = []
    for mark in reversed(_marks(function, "parametrize")):
        names = mark.args[0]
        names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
        axes.append([_values(entry, names) for entry in mark.args[1]])
    for rows in itertools.product(*axes):
        merged = {}
        for row in rows:
            merged.update(row)
        yield merged


def collect(module):
    """The tests of a module, in the order of its names."""
    tests = []
    for name, function in list(vars(module).items()):
        if not name.startswith("test_") or isinstance(function, type) or not callable(function):
            continue
        skipped = _reason_to_skip(function)
        rows = list(_rows(function))
        for number, arguments in enumerate(rows):
            shown = name if rows == [{}] else "%s[%d]" % (name, number)
            tests.append(Test(shown, function, arguments, skipped))
    return tests


def select(tests, pattern, names):
    """The named tests (all, when none is named) whose name contains or matches the pattern, in the
    order of the file."""
    def is_named(test, name):
        return name in (test.name, test.name.split("[")[0])

    for name in names:
        if not any(is_named(test, name) for test in tests):
            raise UsageError("no test is named %s; there are: %s"
                          % (name, " ".join(test.name for test in tests) or "none"))
    chosen = [test for test in tests
              if (not names or any(is_named(test, name) for name in names)) and
              (not pattern or pattern in test.name or fnmatch.fnmatchcase(test.name, pattern))]
    if not chosen:
        raise UsageError("no test selected" if tests else "no test_* function in the file")
    return chosen


# ---- running one ----

def _launches():
    import detailed_tensor_compare  # ours: main imported it first
    return detailed_tensor_compare.launches()


def _number(value):
    return "not finite" if value is None else "%.6g" % value


def _about(comparison):
    """Why a comparison was not close."""
    if comparison["error"]:
        return "%s: shapes %s and %s" % (comparison["name"], comparison["shape"],
                                         comparison["reference_shape"])
    return "%s: %s of %s elements beyond the tolerance, max_diff %s (rtol=%g atol=%g)" % (
        comparison["name"], format(comparison["out_of_tolerance_count"], ","),
        format(comparison["total_elements"], ","), _number(comparison["max_diff"]),
        comparison["rtol"], comparison["atol"])


def _summary_of(error):
    text = (str(error).strip().splitlines() or [""])[0]
    return type(error).__name__ + (": " + text if text else "")


def _call(test):
    """(reason of the failure or None, reason of the skip or None)"""
    try:
        value = test.function(**test.arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit, too: a test that exits has not passed
        if type(error).__name__ in _SKIPPED:
            return None, str(error)
        sys.stdout.flush()
        sys.excepthook(type(error), error, error.__traceback__)
        return _summary_of(error), None
    if isinstance(value, (types.CoroutineType, types.GeneratorType)):
        return "it is a generator or a coroutine, which nothing ran", None
    return None, None


def _missing_arguments(test):
    """Names of parameters that have no value: pytest's fixtures."""
    import inspect
    try:
        parameters = inspect.signature(test.function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.default is p.empty and p.name not in test.arguments
            and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


class Strictness:
    """What a test must have done. `loading`: importing the file launched kernels, whose results a
    test may compare."""

    def __init__(self, calls, loading, empty):
        self.calls, self.loading, self.empty = calls, loading, empty

    def complaint(self, test, comparisons, before):
        """Why a test that did not fail has not passed, or None."""
        launches = _launches()
        launched = None if launches is None else launches != before or self.loading
        return None if self.empty else evidence.missing(test, comparisons, launched)


def run_one(test, log, strictness):
    """(verdict, lines): runs a test and judges it."""
    missing = _missing_arguments(test)
    if test.skipped is not None:
        return "SKIPPED", [test.skipped]
    if missing:
        return "FAIL", ["it takes %s: fixtures are pytest's" % ", ".join(missing)]
    before, start, counted = _launches() or 0, time.monotonic(), strictness.calls.count
    reason, skipped = _call(test)
    seconds = time.monotonic() - start
    comparisons = log.new()
    bad = [comparison for comparison in comparisons if not comparison["all_close"]]
    lines = [_about(comparison) for comparison in bad[:_MOST_SHOWN]]
    if len(bad) > _MOST_SHOWN:
        lines.append("… and %d more" % (len(bad) - _MOST_SHOWN))
    if reason is not None:
        lines.insert(0, reason)
    elif skipped is not None and not bad:
        return "SKIPPED", [skipped]
    else:
        all_of_them = len(comparisons) + strictness.calls.count - counted
        complaint = strictness.complaint(test, all_of_them, before)
        lines = ([complaint] if complaint else []) + lines
    if lines:
        return "FAIL", lines
    largest = [c["max_diff"] for c in comparisons]
    return "PASS", ["%d comparison%s%s, %.2f s" % (
        len(comparisons), "" if len(comparisons) == 1 else "s",
        ", max_diff %s" % _number(max(largest)) if largest else "", seconds)]


# ---- all of them ----

def run_all(tests, log, runner, calls):
    """Runs the tests and prints each verdict; returns the exit status."""
    counts = {"PASS": 0, "FAIL": 0, "SKIPPED": 0}
    strictness = Strictness(calls, bool(_launches()),
                            bool(os.environ.get("PYPTO_LINT_TEST_EMPTY")))
    for test in tests:
        verdict, lines = run_one(test, log, strictness)
        counts[verdict] += 1
        sys.stderr.flush()
        print("%-8s%s: %s" % (verdict, test.name, lines[0]))
        for line in lines[1:]:
            print("        %s" % line)
        sys.stdout.flush()
    state = sys.modules.get("pypto._state")
    ran = ["; %s" % runner.figures(state.counters)] if state is not None else []
    print("pypto-lint test: %d passed, %d failed, %d skipped%s" % (
        counts["PASS"], counts["FAIL"], counts["SKIPPED"], "".join(ran)))
    sys.stdout.flush()
    if counts["FAIL"]:
        return FAILED
    return PASSED if counts["PASS"] else NOT_RUN


def write_status(file, status):
    """Writes the byte for the program that started this one."""
    if file is not None:
        os.write(file, b"%d" % status)
        os.close(file)


def _status_file():
    number = os.environ.pop("PYPTO_LINT_TEST_STATUS", None)
    if number is None:
        return None
    os.set_inheritable(int(number), False)
    return int(number)


def main():
    """Runs the tests that the arguments name."""
    import pypto_lint_programs as programs
    mode, pattern, path, *names = sys.argv[1:]
    status_file = _status_file()
    runner = programs.load_runner()
    programs.enter(mode, "test", runner)
    # Imported here first, so that the tests' own imports find ours, which records.
    importlib.import_module("detailed_tensor_compare")
    sys.argv = [path]
    status = NOT_RUN
    try:
        log, calls = Comparisons(), evidence.Calls()
        calls.install()
        tests = select(collect(load(path)), pattern, names)
        log.new()
        status = run_all(tests, log, runner, calls)
    except UsageError as error:
        print("pypto-lint test: %s" % error, file=sys.stderr)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        print("pypto-lint test: %s cannot be loaded: %s" % (path, _summary_of(error)),
              file=sys.stderr)
    write_status(status_file, status)
    sys.exit(status)


if __name__ == "__main__":
    # From a module of its own: __main__ stays empty.
    importlib.import_module("pypto_lint_test").main()
