"""The state of the process: the simulator's context, the settings of the run, the counters."""
import atexit
import os
import sys
import threading

import _ptosim

from .error import FeError, from_core

PACKAGE = os.path.dirname(os.path.abspath(__file__))
_SOCS = os.path.join(os.path.dirname(PACKAGE), "soc")
_DEFAULT_SOC = {2201: "910B1", 3510: "950PR", 3003: "kirinX90", 3113: "kirin9030"}

_ptosim.set_error_factory(from_core)

# Kernels of all threads take turns: one context records and runs one kernel at a time.
lock = threading.RLock()
# A fork waits for the kernel that another thread runs: the child has no such thread to end it.
os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
_context = None
_sanitizes = False


class Counters:
    """What happened in this process."""

    def __init__(self):
        self.compiled = self.launches = self.ops = self.iterations = self.bytes = self.flops = 0
        self.seconds = 0.0
        self.warnings = 0


counters = Counters()
# While a graph of the device is captured: a list that gets a callable for each launch.
launch_log = None
# Who wants to know what launches write: an object with
# begin(program, arguments) -> for each the address of a map of its bytes (0 = none), and
# end(program, arguments). PtsArgument.written says what becomes of the maps.
launch_watcher = None


def soc_path(name):
    """The description of that hardware; ValueError when there is none."""
    path = os.path.join(_SOCS, name + ".soc")
    if os.sep in name or not os.path.isfile(path):
        known = ", ".join(sorted(f[:-4] for f in os.listdir(_SOCS) if f.endswith(".soc")))
        raise FeError(ValueError("no hardware named '%s'; there are %s" % (name, known)))
    return path


def context():
    """The context, made at first use."""
    global _context
    if _context is None:
        with lock:
            if _context is None:
                _context = _make_context()
    return _context


def unknown_checks(listed):
    """What is wrong with a list of checks that are to be warnings; "" = nothing."""
    known = _ptosim.check_ids()
    wrong = [name for name in listed.replace(",", " ").split() if name not in known]
    return "" if not wrong else "no check is named '%s'; there are %s" % (wrong[0],
                                                                          ", ".join(known))


def sanitize_kinds():
    """What PTOSIM_SANITIZE asks for, as a number; ValueError when it has a word that does not exist."""
    return _ptosim.sanitize_kinds(os.environ.get("PTOSIM_SANITIZE") or "")


def sanitizes():
    """Does the sanitizer look for anything?"""
    return _sanitizes


def _make_context():
    strict = os.environ.get("PTOSIM_PROFILE", "device") == "strict"
    sums = os.environ.get("PTOSIM_DEVICE_SUMS", "") == "1"
    warn = os.environ.get("PTOSIM_WARN") or ""
    unknown = unknown_checks(warn)
    if unknown:
        raise FeError(ValueError(unknown))
    try:
        kinds = sanitize_kinds()
    except ValueError as error:
        raise FeError(ValueError("PTOSIM_SANITIZE: %s" % error)) from None
    from . import _version
    global _sanitizes
    _sanitizes = kinds != 0
    made = _ptosim.Context(soc_path(os.environ.get("PTOSIM_SOC") or "910B1"), int(strict), sums,
                           0, 0, 0, warn, os.environ.get("PTOSIM_ROUND_EACH", "") == "1", kinds,
                           _version.is_9_1)
    for name in sorted(os.listdir(_SOCS)):  # what messages may propose
        if name.endswith(".soc"):
            made.add_soc(os.path.join(_SOCS, name))
    for variable, write in (("PTOSIM_TRACE", made.trace_write), ("PTOSIM_PAGE_DATA", made.profile_write)):
        path = os.environ.get(variable)
        if path:
            made.trace_start(0)
            atexit.register(_write_trace, write, path, os.getpid())
    if os.environ.get("PTOSIM_STATS") == "1":
        made.trace_start(1)  # the sums are enough, unless one of those above has started it
    precision = os.environ.get("PTOSIM_PRECISION")
    if precision:
        from . import _precision
        made.precision_start(0.0)
        atexit.register(_precision.at_exit, made, precision, os.getpid())
    return made


def _write_trace(write, path, pid):
    if os.getpid() != pid:  # a fork inherits the hook, not the duty
        return
    try:
        write(path)
    except Exception as error:  # at exit there is nobody left to catch it
        print("pypto: trace %s: %s" % (path, error), file=sys.stderr)


def default_soc(arch_name):
    """The description for an architecture's name, DAV_2201 …"""
    for arch, name in _DEFAULT_SOC.items():
        if arch_name == "DAV_%d" % arch:
            return soc_path(name)
    raise FeError(ValueError("unknown architecture '%s'" % (arch_name,)))


def threads():
    """How many threads a run may use; 0 = all processors."""
    text = os.environ.get("PTOSIM_THREADS") or os.environ.get("OMP_NUM_THREADS") or "0"
    return int(text) if text.isdigit() else 0


def forced_run_mode():
    """"SIM", "NPU" or None: what the caller of the process decided."""
    return (os.environ.get("PTOSIM_RUN_MODE") or "").upper() or None


# Whoever explains a run needs the lines of the callers, too: then `site` puts them after the name
# of the file, a tab before each, innermost first.
names_callers = False
_MOST_CALLERS = 8


def site():
    """(file, line) of the innermost frame outside pypto."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(PACKAGE):
            return name + _callers(frame) if names_callers else name, frame.f_lineno
        frame = frame.f_back
    return None, 0


def _callers(frame):
    """The lines of that file from which the frame was reached."""
    name, lines = frame.f_code.co_filename, []
    frame = frame.f_back
    while frame is not None and len(lines) < _MOST_CALLERS:
        if frame.f_code.co_filename == name:
            lines.append("\t%d" % frame.f_lineno)
        frame = frame.f_back
    return "".join(lines)
