"""An interpreter that has imported torch and the simulator once, and forks a child for each job.

It talks to the pool through descriptor 5, in packets:

    ready                from here, once the imports are done
    run                  to here, with three descriptors: the log, the result, the job
    end, kill            to here: SIGTERM or SIGKILL for the group of the job
    exited N, killed N   from here, when the job and all that it left behind is gone
"""
import ctypes
import gc
import os
import select
import signal
import socket
import sys
import time

SOCKET = 5
SWEEP_SECONDS = 3
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

_libc = ctypes.CDLL(None)


def import_all():
    """What every child would import otherwise."""
    from . import backend
    for name in ("case", "compose", "golden_tests", "inspection", "jobs", "structure", "tolerance"):
        try:
            __import__(__package__ + "." + name)
        except ImportError:
            pass  # the job that needs it will tell
    backend.load("sim")


class Template:
    """The loop of the interpreter; one job at a time."""

    def __init__(self):
        self.pool = socket.socket(fileno=SOCKET)
        self.job = None  # process id
        self.wake, wake_end = os.pipe()
        for end in (self.wake, wake_end):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_end)

    def serve(self):
        self.pool.send(b"ready")
        poll = select.poll()
        poll.register(self.pool, select.POLLIN)
        poll.register(self.wake, select.POLLIN)
        while True:
            events = dict(poll.poll())
            if self.wake in events:
                os.read(self.wake, 4096)
                self.look()
            if SOCKET in events:
                words, descriptors = self.receive()
                if not words:
                    return  # the pool has ended
                self.obey(words, descriptors)

    def receive(self):
        words, extra, _, _ = self.pool.recvmsg(64, socket.CMSG_SPACE(3 * 4))
        descriptors = []
        for level, kind, data in extra:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                descriptors += memoryview(data[:len(data) // 4 * 4]).cast("i").tolist()
        return words, descriptors

    def obey(self, words, descriptors):
        if words == b"run":
            self.start(descriptors)
        elif self.job is not None:
            number = signal.SIGTERM if words == b"end" else signal.SIGKILL
            _kill_group(self.job, number)
            _kill_group(self.job, signal.SIGCONT)

    def start(self, descriptors):
        sys.stdout.flush()
        sys.stderr.flush()
        self.job = os.fork()
        if self.job == 0:
            self.become_worker(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def become_worker(self, descriptors):
        """The child: as if it had been started for this job alone."""
        try:
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            log, result, job = descriptors
            for source, target in ((log, 1), (log, 2), (result, 3), (job, 4)):
                os.dup2(source, target)
            os.closerange(SOCKET + 1, max(descriptors + [self.wake]) + 2)
            self.pool.close()
            sys.argv[1:] = []
            from . import __main__ as worker
            worker.start()
        except BaseException:  # what remains of the loop must not run in the child
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)

    def look(self):
        """Has the job ended? Then its children end, too."""
        if self.job is None:
            _reap()
            return
        if os.waitid(os.P_PID, self.job, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return
        _kill_group(self.job, signal.SIGKILL)  # while its number is taken
        _, status = os.waitpid(self.job, 0)
        self.job = None
        clean = _sweep()
        if os.WIFSIGNALED(status):
            self.pool.send(b"killed %d" % os.WTERMSIG(status))
        else:
            self.pool.send(b"exited %d" % os.WEXITSTATUS(status))
        if not clean:
            os._exit(1)  # the guard ends the rest


def _kill_group(group, number):
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        try:
            os.kill(group, number)
        except ProcessLookupError:
            pass


def _reap():
    """Waits for those that have ended; false when there are no children at all."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        return False
    return True


def _sweep():
    """Kills what the job left to us, which adopts it. True when nothing is left."""
    end = time.monotonic() + SWEEP_SECONDS
    while _reap():
        if time.monotonic() > end:
            return False
        for number in _children():
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.002)
    return True


def _children():
    """Our children as we number them: /proc may be of a namespace above ours."""
    try:
        with open("/proc/thread-self/children") as listed:
            shown = listed.read().split()
    except OSError:
        return []
    numbers = []
    for name in shown:
        try:
            with open("/proc/%s/status" % name) as lines:
                spaces = [line.split() for line in lines if line.startswith("NSpid:")]
        except OSError:
            continue
        numbers += [int(line[-1]) for line in spaces]
    return [number for number in numbers if number > 1]


def main():
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    import_all()
    template = Template()
    gc.collect()
    gc.freeze()  # what is there stays: children shall not copy it only to look at it
    template.serve()
    return 0
