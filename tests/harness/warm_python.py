#!/usr/bin/python3 -IS
"""A stand-in for the interpreter of workers that does not import torch again: an interpreter that has
(`serve`) forks, and the fork runs the worker's module. Tests of what verify says use it; tests of how
workers are started, limited and ended use the interpreter itself.

    warm_python.py -X faulthandler -m pypto_lint_worker …       as an interpreter, with HARNESS_WARM and
                                                                HARNESS_WARM_PYTHON in the environment
    python3 warm_python.py serve SOCKET                         the interpreter that forks

The fork takes over descriptors, environment, folder, limits and namespaces of the stand-in, which lives
as long, passes signals on and ends in the same way. Where that is not possible, it becomes the
interpreter itself.
"""
import array
import os
import pickle
import resource
import select
import signal
import socket
import sys

ASKED = ["-X", "faulthandler", "-m", "pypto_lint_worker"]
# What an interpreter reads when it starts: it is the same for all workers (worker_environment.c).
FIXED = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0",
         "PYTHONIOENCODING": "utf-8:backslashreplace", "PYTHONSAFEPATH": "1"}
LIMITS = (resource.RLIMIT_CORE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU,
          resource.RLIMIT_AS)
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGCONT)
SPACES = ("user", "net", "pid")
MOST_DESCRIPTORS = 16
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


def ask(path):
    """The connection to the fork; None when there is none."""
    numbers = open_descriptors()
    spaces = [os.open("/proc/self/ns/" + name, os.O_RDONLY) for name in SPACES]
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        link.connect(path)
        request = pickle.dumps((sys.argv[5:], numbers, dict(os.environb), os.getcwdb(),
                                [resource.getrlimit(limit) for limit in LIMITS]))
        link.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                  array.array("i", numbers + spaces))])
        return link if link.recv(16) == b"runs" else None
    except OSError:
        return None


def stand_in():
    real = os.environ["HARNESS_WARM_PYTHON"]
    same = sys.argv[1:5] == ASKED and all(os.environ.get(n) == v for n, v in FIXED.items())
    link = ask(os.environ["HARNESS_WARM"]) if same else None
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


def become(arguments, numbers, passed, environment, folder, limits):
    """The fork: everything is as if it had been started by the stand-in."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    os.setsid()
    high = [os.dup2(descriptor, 200 + i) for i, descriptor in enumerate(passed)]
    for number, descriptor in zip(numbers, high):
        os.dup2(descriptor, number)
    os.closerange(max(numbers) + 1, 1024)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(environment)
    for limit, value in zip(LIMITS, limits):
        resource.setrlimit(limit, value)
    run(arguments)


def run(arguments):
    import faulthandler
    import runpy
    import torch
    sys.path[:0] = [entry for entry in os.environ.get("PYTHONPATH", "").split(":") if entry]
    if os.environ.get("OMP_NUM_THREADS", "").isdigit():
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    faulthandler.enable()
    sys.argv[1:] = arguments
    status = 0
    try:
        runpy.run_module(ASKED[-1], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def attend(link):
    """Runs one worker, and tells the stand-in how it ended."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    request, extra, _, _ = link.recvmsg(1 << 20, socket.CMSG_SPACE(64 * 4))
    passed = [number for _, _, data in extra for number in memoryview(data).cast("i").tolist()]
    arguments, numbers, environment, folder, limits = pickle.loads(request)
    enter(passed[-len(SPACES):])
    child = os.fork()
    if child == 0:
        become(arguments, numbers, passed[:-len(SPACES)], environment, folder, limits)
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


def start(python):
    """Starts the interpreter that forks; what a program needs in its environment to use it. Nothing
    where there is no torch."""
    import subprocess
    import tempfile
    folder = tempfile.TemporaryDirectory(prefix="warm-")
    path = os.path.join(folder.name, "socket")
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen([python, os.path.abspath(__file__), "serve", path], env={**plain, **FIXED},
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.folder = folder  # both live as long as the tests
    running.append(process)
    if process.stdout.readline() != b"ready\n":
        return {}
    return {"PYPTO_LINT_PYTHON": os.path.abspath(__file__), "HARNESS_WARM": path,
            "HARNESS_WARM_PYTHON": python}


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
