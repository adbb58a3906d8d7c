"""Runs a program under the simulator, like `python FILE ARGS…` or `python -m MODULE ARGS…`.

Usage: python ptosim_run.py FILE [ARGS…]
       python ptosim_run.py -m MODULE [ARGS…]

`pypto-lint run` starts it and passes its options as PTOSIM_… variables (PTOSIM_SOC, PTOSIM_WARN, …). The
stand-in torch_npu is loaded right after torch, as torch itself would load it.
"""
import atexit
import importlib
import importlib.abc
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
_HARNESS = os.path.join(os.path.dirname(HERE), "harness")
_STAND_IN = os.path.join(HERE, "torch_npu", "__init__.py")
_PACKAGES = ("torch", "numpy")  # which programs need beside us; the wheel's extra `sim` names their versions


class _AfterTorch(importlib.abc.MetaPathFinder):
    """Loads torch_npu when torch has been loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or path is not None:
            return None
        sys.meta_path.remove(self)  # the search goes on without us
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def create_module(self, spec):
        return self._inner.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self._inner
        self._inner.exec_module(module)
        importlib.import_module("torch_npu")


class _Metadata(importlib.abc.MetaPathFinder):
    """Answers importlib.metadata about the distribution pypto, which programs ask for its version."""

    def find_spec(self, name, path=None, target=None):
        return None

    @staticmethod
    def find_distributions(context):
        """The distributions of that name."""
        if context.name is None or context.name.lower() != "pypto":
            return []
        from importlib import metadata
        from pypto import _version

        class Simulated(metadata.Distribution):
            """The stand-in's. The number of the Python package is the same in all versions."""

            def read_text(self, filename):
                """The text of a file of the distribution's folder; METADATA only."""
                return "Metadata-Version: 2.1\nName: pypto\nVersion: 0.2.1\n" \
                    "X-Run-Version: %s.0\n\n" % _version.chosen if filename == "METADATA" else None

            def locate_file(self, path):
                """The path of a file of the package."""
                return os.path.join(HERE, path)

        return [Simulated()]


def excepthook(kind, error, trace):
    """Python's own report without our frames and the harness's, and what to install where torch is missing. A
    pypto error tells the place itself, and what it came from."""
    import traceback
    pypto_error = getattr(sys.modules.get("pypto.error"), "PyptoError", ())
    if isinstance(error, pypto_error):
        error.__cause__, error.__suppress_context__ = None, True
    lines = traceback.TracebackException(kind, error, trace)
    shown, seen = lines, set()
    while shown is not None and id(shown) not in seen:
        seen.add(id(shown))
        shown.stack = traceback.StackSummary.from_list(
            [frame for frame in shown.stack
             if not frame.filename.startswith((HERE, _HARNESS, "<frozen "))])
        shown = shown.__cause__ or shown.__context__
    print("".join(lines.format()), end="", file=sys.stderr)
    missing = getattr(error, "name", None)  # the whole of "torch.no_such_part" is missing, and torch is there
    if isinstance(error, ModuleNotFoundError) and missing in _PACKAGES:
        print("pypto-lint: %s is not installed for %s; install it there (pip install torch numpy; Debian: "
              "apt install python3-torch), or name the interpreter that has it with --python"
              % (missing, sys.executable), file=sys.stderr)


def plural(count, word, several=None):
    """"1 launch", "2,000 launches"."""
    return "%s %s" % (format(count, ","), word if count == 1 else several or word + "s")


def figures(counters):
    """What ran, in a line."""
    return ", ".join((plural(counters.launches, "launch", "launches"), plural(counters.ops, "op"),
                      plural(counters.warnings, "warning")))


def _summary(pid):
    """One line at the end; with --stats the figures behind it."""
    state = sys.modules.get("pypto._state")
    if os.getpid() != pid:
        return
    counters = state.counters if state is not None else None
    if counters is None or not counters.launches:
        print("pypto-lint run: no kernel was launched", file=sys.stderr)
        return
    print("pypto-lint run: %s" % figures(counters), file=sys.stderr)
    if os.environ.get("PTOSIM_STATS") == "1":
        version = sys.modules["pypto._version"]
        rows = (("version of PyPTO", version.why()),
                ("kernels recorded", format(counters.compiled, ",")),
                ("launches", format(counters.launches, ",")),
                ("ops", format(counters.ops, ",")),
                ("iterations", format(counters.iterations, ",")),
                ("bytes read and written", format(counters.bytes, ",")),
                ("matmul FLOPs", format(counters.flops, ",")),
                ("time in kernels", "%.6f s" % counters.seconds))
        for name, value in rows:
            print("  %-24s %s" % (name, value), file=sys.stderr)
        _print_costs(state.context().costs())


_MOST_LINES = 20


def _print_costs(costs):
    """What the model says: how busy the units are, and which lines cost most."""
    cycles, pipes, lines = costs
    here = os.getcwd() + os.sep
    print("  %-40s %14s %8s" % ("unit", "busy cycles", "share"), file=sys.stderr)
    for name, busy in pipes:
        print("  %-40s %14s %6.1f %%" % (name, format(round(busy), ","), 100 * busy / max(cycles, 1)), file=sys.stderr)
    total = sum(line[3] for line in lines)
    lines = sorted(lines, key=lambda line: (-line[3], line[0], line[1]))
    print("  %-40s %14s %8s %10s %14s %14s" % ("line", "cycles", "share", "operations", "bytes in", "bytes out"),
          file=sys.stderr)
    for path, line, operations, spent, read, written, _ in lines[:_MOST_LINES]:
        place = "%s:%d" % (path[len(here):] if path.startswith(here) else path, line)
        print("  %-40s %14s %6.1f %% %10s %14s %14s" % (
            place if len(place) <= 40 else "…" + place[-39:], format(round(spent), ","),
            100 * spent / max(total, 1), format(operations, ","), format(round(read), ","),
            format(round(written), ",")), file=sys.stderr)
    if len(lines) > _MOST_LINES:
        print("  %d more lines cost less" % (len(lines) - _MOST_LINES), file=sys.stderr)


def _sources():
    """The module pypto_lint_sources of the harness."""
    path = os.path.join(_HARNESS, "pypto_lint_sources.py")
    spec = importlib.util.spec_from_file_location("pypto_lint_sources", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_file(path, namespace):
    """Like `python FILE`: in the module __main__ itself, with the file's folder first on the
    path."""
    folder = os.path.dirname(os.path.abspath(path)) if not os.path.isdir(path) else path
    _sources().trust_only(folder)
    sys.path[0] = folder
    if os.path.isdir(path):
        import runpy
        runpy.run_path(path, run_name="__main__")
        return
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        print("pypto-lint run: %s: %s" % (path, error.strerror), file=sys.stderr)
        sys.exit(2)
    code = compile(source, path, "exec", dont_inherit=True)
    for name in list(namespace):
        if name not in ("__name__", "__builtins__", "__doc__", "__package__", "__annotations__"):
            del namespace[name]
    namespace.update({"__file__": path, "__doc__": None, "__spec__": None, "__loader__": None,
                      "__cached__": None})
    exec(code, namespace)


def run_module(name):
    """Like `python -m NAME`."""
    import runpy
    _sources().trust_only(os.getcwd())
    sys.path[0] = os.getcwd()
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def follow_torch():
    """Loads torch_npu now if torch is loaded, else right after torch. The package pypto calls it, too,
    because a program may start processes of its own."""
    if not os.path.isfile(_STAND_IN) or "torch_npu" in sys.modules:
        return
    if "torch" in sys.modules:
        importlib.import_module("torch_npu")
    elif not any(isinstance(finder, _AfterTorch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterTorch())


def install():
    """Makes this process one that runs programs under the simulator."""
    os.environ["PTOSIM_RUNNER"] = "1"
    follow_torch()
    sys.meta_path.insert(0, _Metadata())
    sys.excepthook = excepthook


def check_warnings():
    """Ends the process with status 2 when --warn or --sanitize names a check that does not exist."""
    if os.environ.get("PTOSIM_WARN"):
        from pypto import _state
        trouble = _state.unknown_checks(os.environ["PTOSIM_WARN"])
        if trouble:
            print("pypto-lint run: --warn: %s" % trouble, file=sys.stderr)
            sys.exit(2)
    if os.environ.get("PTOSIM_SANITIZE"):
        from pypto import _state
        try:
            _state.sanitize_kinds()
        except ValueError as error:
            print("pypto-lint run: --sanitize: %s" % error, file=sys.stderr)
            sys.exit(2)


def main():
    """Runs the program or module that the arguments name."""
    arguments = sys.argv[1:]
    is_module = arguments[:1] == ["-m"]
    arguments = arguments[1:] if is_module else arguments
    if not arguments:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.argv = arguments
    check_warnings()
    install()
    atexit.register(_summary, os.getpid())
    if is_module:
        run_module(arguments[0])
    else:
        run_file(arguments[0], sys.modules["__main__"].__dict__)


if __name__ == "__main__":
    # As a module of its own: the names of __main__ are the program's.
    importlib.import_module("ptosim_run").main()
