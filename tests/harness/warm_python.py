#!/usr/bin/python3 -IS
"""A stand-in for a Python that would import torch once more: an interpreter that has done so (`serve`)
forks, and the fork runs the program. Tests of what verify, test and run say use it; tests of how their
processes are started, limited and ended use the interpreter itself.

    warm_python.py -X faulthandler -m pypto_lint_worker …       as an interpreter, with HARNESS_WARM and
    warm_python.py FILE …                                       HARNESS_WARM_PYTHON in the environment
    python3 warm_python.py serve SOCKET                         the interpreter that forks

The fork takes over descriptors, environment, folder, limits and namespaces of the stand-in, which lives
as long, passes signals on and ends in the same way. Where that is not possible, it becomes the
interpreter itself.
"""
import array
import atexit
import functools
import os
import pickle
import resource
import select
import signal
import socket
import sys

WORKER = ["-X", "faulthandler", "-m", "pypto_lint_worker"]
# What an interpreter reads when it starts: it is the same for all workers (worker_environment.c), and
# absent for programs.
FIXED = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0",
         "PYTHONIOENCODING": "utf-8:backslashreplace", "PYTHONSAFEPATH": "1"}
LIMITS = (resource.RLIMIT_CORE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU,
          resource.RLIMIT_AS)
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGCONT)
SPACES = ("user", "net", "pid")
MOST_DESCRIPTORS = 32
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
running = []  # what `start` started


# ---- the stand-in ----

def open_descriptors():
    found = []
    for number in range(MOST_DESCRIPTORS):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    return found


def mask():
    value = os.umask(0)
    os.umask(value)
    return value


def ask(path):
    """The connection to the fork; None when there is none."""
    numbers = open_descriptors()
    spaces = [os.open("/proc/self/ns/" + name, os.O_RDONLY) for name in SPACES]
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        link.connect(path)
        request = pickle.dumps((sys.argv[1:], numbers, dict(os.environb), os.getcwdb(),
                                mask(), [resource.getrlimit(limit) for limit in LIMITS]))
        link.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                  array.array("i", numbers + spaces))])
        return link if link.recv(16) == b"runs" else None
    except OSError:
        return None


def fits(served):
    """Could an interpreter of this kind run what is asked for?"""
    given = {name: os.environ.get(name) for name in FIXED}
    if served == "worker":
        return sys.argv[1:5] == WORKER and given == FIXED
    del given["PYTHONDONTWRITEBYTECODE"]
    return sys.argv[1:2] != [] and sys.argv[1].endswith(".py") and set(given.values()) == {None}


def stand_in():
    real = os.environ["HARNESS_WARM_PYTHON"]
    served = [path for path in os.environ["HARNESS_WARM"].split(os.pathsep) if fits(os.path.basename(path))]
    link = ask(served[0]) if served else None
    if link is None:
        os.execv(real, [real] + sys.argv[1:])
    for number in PASSED_ON:
        signal.signal(number, lambda number, _: link.send(b"%d" % number))
    for number in open_descriptors():  # their ends show when the fork has closed them
        if number != link.fileno():
            os.close(number)
    status = int(link.recv(16) or b"9")
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


# ---- the interpreter that forks ----

def prctl(*arguments):
    import ctypes
    ctypes.CDLL(None).prctl(*arguments)


def enter(spaces):
    """Enters the namespaces that are not ours already; the next fork is in the one of processes."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    for name, descriptor in zip(SPACES, spaces):
        ours, theirs = os.stat("/proc/self/ns/" + name), os.fstat(descriptor)
        if (ours.st_dev, ours.st_ino) != (theirs.st_dev, theirs.st_ino) and \
                libc.setns(descriptor, 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")


def become(passed, arguments, numbers, environment, folder, umask, limits):
    """The fork: everything is as if it had been started by the stand-in."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    os.setsid()
    high = [os.dup2(descriptor, 200 + i) for i, descriptor in enumerate(passed)]
    for number, descriptor in zip(numbers, high):
        os.dup2(descriptor, number)
    os.closerange(max(numbers) + 1, 1024)
    os.chdir(folder)
    os.umask(umask)
    os.environb.clear()
    os.environb.update(environment)
    for limit, value in zip(LIMITS, limits):
        resource.setrlimit(limit, value)
    run(arguments)


def renew_streams():
    """The streams know what their descriptors once were: a file, say, in which one can seek."""
    import io
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        stream = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
        stream.name = "<%s>" % name
        at_once = number > 0 and old.write_through
        if not at_once:
            stream = io.BufferedReader(stream) if number == 0 else io.BufferedWriter(stream)
        new = io.TextIOWrapper(stream, old.encoding, old.errors, "\n" if number > 0 else None,
                               line_buffering=number == 2 or os.isatty(number), write_through=at_once)
        setattr(sys, name, new)
        setattr(sys, "__%s__" % name, new)


def run(arguments):
    """The worker's module, or a program; ends this process as the interpreter would end."""
    renew_streams()
    sys.path[:0] = [entry for entry in os.environ.get("PYTHONPATH", "").split(":") if entry]
    status = 0
    try:
        if arguments[:4] == WORKER:
            run_worker(arguments[4:])
        else:
            run_program(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if status == 1 and end.code != 1:
            print(end.code, file=sys.stderr)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__.tb_next.tb_next)
        status = 1
        if isinstance(error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
    finish(status)


def finish(status):
    import threading
    sys.stdout.flush()  # the interpreter does when a program's text has run
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 255)


def run_worker(arguments):
    import faulthandler
    import runpy
    import torch
    if os.environ.get("OMP_NUM_THREADS", "").isdigit():
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    faulthandler.enable()
    sys.argv[1:] = arguments
    runpy.run_module(WORKER[-1], run_name="__main__", alter_sys=True)


def run_program(arguments):
    """Like `python FILE …`."""
    import types
    sys.argv[:] = arguments
    sys.path.insert(0, os.path.dirname(os.path.realpath(arguments[0])))
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    module.__file__ = arguments[0]
    with open(arguments[0], "rb") as file:
        code = compile(file.read(), arguments[0], "exec", dont_inherit=True)
    exec(code, module.__dict__)


class Hidden:
    """Modules that are imported once more only in appearance: a program's own import of torch is seen,
    and torch_npu loaded then, as ever."""

    def __init__(self, name):
        self.name = name
        self.modules = {full: module for full, module in sys.modules.items()
                        if full.partition(".")[0] == name}
        for full in self.modules:
            del sys.modules[full]
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        import importlib.machinery
        if name != self.name or path is not None:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.modules[name].__file__)
        spec.submodule_search_locations = list(self.modules[name].__path__)
        return spec

    def create_module(self, spec):
        return self.modules[self.name]

    def exec_module(self, module):
        sys.modules.update(self.modules)
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        if os.environ.get("OMP_NUM_THREADS", "").isdigit():
            module.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))


def attend(link):
    """Runs one worker, and tells the stand-in how it ended."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    request, extra, _, _ = link.recvmsg(1 << 20, socket.CMSG_SPACE(64 * 4))
    passed = [number for _, _, data in extra for number in memoryview(data).cast("i").tolist()]
    enter(passed[-len(SPACES):])
    child = os.fork()
    if child == 0:
        become(passed[:-len(SPACES)], *pickle.loads(request))
    for descriptor in passed:
        os.close(descriptor)
    link.send(b"runs")
    ended = os.pidfd_open(child)
    while ended not in select.select([ended, link], [], [])[0]:
        word = link.recv(16)
        try:
            os.killpg(child, int(word) if word else signal.SIGKILL)
        except ProcessLookupError:  # not yet a group of its own, or over
            os.kill(child, int(word) if word else signal.SIGKILL)
        if not word:
            break
    link.send(b"%d" % os.waitpid(child, 0)[1])


def serve(path):
    import gc
    import torch  # noqa: F401  what this is about
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    listener.listen(64)
    if os.path.basename(path) == "program":
        Hidden("torch")
        sys.path.pop(0)  # the folder of this file
    gc.freeze()
    print("ready", flush=True)
    while listener in select.select([listener, sys.stdin], [], [])[0]:  # stdin ends with the tests
        link, _ = listener.accept()
        if os.fork() == 0:
            status = 1
            try:
                listener.close()
                attend(link)
                status = 0
            finally:
                os._exit(status)
        link.close()
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            pass


def start(python, kind="worker"):
    """Starts the interpreter that forks workers, or programs; what a program needs in its environment to
    use it. Nothing where there is no torch."""
    import subprocess
    import tempfile
    folder = tempfile.TemporaryDirectory(prefix="warm-")
    path = os.path.join(folder.name, kind)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    fixed = FIXED if kind == "worker" else {"PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen([python, os.path.abspath(__file__), "serve", path], env={**plain, **fixed},
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.folder = folder  # both live as long as the tests
    running.append(process)
    if process.stdout.readline() != b"ready\n":
        return {}
    return {"PYPTO_LINT_PYTHON": os.path.abspath(__file__), "HARNESS_WARM": path,
            "HARNESS_WARM_PYTHON": python}


@functools.lru_cache(maxsize=None)
def variables(kind, python):
    """Like start, once for each kind; ends with the tests."""
    if not running:
        atexit.register(stop)
    return start(python, kind)


def both(python):
    """Variables for workers and for programs, where one command starts the one and another the other."""
    found = dict(variables("worker", python))
    if found:
        found["HARNESS_WARM"] += os.pathsep + variables("program", python)["HARNESS_WARM"]
    return found


def stop():
    """Ends what `start` started."""
    for process in running:
        process.stdin.close()
        process.stdout.close()
        process.wait()
        process.folder.cleanup()
    running.clear()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        stand_in()
