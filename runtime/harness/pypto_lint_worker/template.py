"""An interpreter that imports torch and the simulator once and forks a child for each job. For a case
the child is the kernel's process; its judge (judge.py) is another fork, which stays for all cases. A
job without a kernel gets a worker of its own.

It exchanges packets with the pool through descriptor 5:

    ready                from here, once the imports are done
    run                  to here, with three descriptors: the log, the result, the job
    end, kill            to here: SIGTERM or SIGKILL for the group of the job
    exited N, killed N   from here, when the job and all that it left behind is gone
"""
import array
import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
import time

from . import channel, isolation

SOCKET = 5
SWEEP_SECONDS = 3
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

_libc = ctypes.CDLL(None)


def import_all():
    """Imports everything that the children need."""
    from . import backend
    for name in ("case", "compose", "golden_tests", "jobs", "judge", "kernel", "process", "tolerance"):
        try:
            __import__(__package__ + "." + name)
        except ImportError:
            pass  # a job that needs it reports the error
    return backend.load("sim")


class Template:
    """The loop of the interpreter, with one job at a time. A job with a kernel has two processes, the
    judge and the kernel's; any other job has one, the worker, which ends with it."""

    def __init__(self, packages):
        self.pool = socket.socket(fileno=SOCKET)
        self.packages = packages
        self.running = False  # a job
        self.worker = self.kernel = self.judge = None  # process ids
        self.control = None  # to the judge
        self.wake, wake_end = os.pipe()
        for end in (self.wake, wake_end):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_end)

    def serve(self):
        self.pool.send(b"ready")
        while True:
            poll = select.poll()
            for source in (self.pool, self.wake, self.control):
                if source is not None:
                    poll.register(source, select.POLLIN)
            events = dict(poll.poll())
            if self.control is not None and self.control.fileno() in events:
                self.hear_judge()
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
        elif self.running:
            number = signal.SIGTERM if words == b"end" else signal.SIGKILL
            for process in (self.kernel, self.judge, self.worker):
                if process is not None:
                    _kill_group(process, number)
                    _kill_group(process, signal.SIGCONT)

    # ---- starting ----

    def start(self, descriptors):
        from . import jobs
        sys.stdout.flush()
        sys.stderr.flush()
        self.running = True
        job = _read_job(descriptors[2])
        if job.get("kind") in jobs.WITH_KERNEL:
            self.start_two(job, descriptors)
        else:
            self.worker = self.fork(self.become_worker, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def start_two(self, job, descriptors):
        from . import process
        inputs, outputs = process.make_files()
        here, there = socket.socketpair()
        self.kernel = self.fork(self.become_kernel, job, descriptors, there, inputs, outputs)
        if self.judge is None:
            self.control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.judge = self.fork(self.become_judge, other, (here, there))
            other.close()
        passed = list(descriptors) + [here.fileno(), inputs, outputs]
        try:
            self.control.sendmsg([b"job"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                             array.array("i", passed))])
        except OSError:
            pass  # the judge is gone: look() notices
        for part in (here, there):
            part.close()
        for part in (inputs, outputs):
            os.close(part)

    def fork(self, become, *arguments):
        process = os.fork()
        if process != 0:
            return process
        try:
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            sys.argv[1:] = []
            become(*arguments)
        except BaseException:  # what remains of the loop must not run in the child
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)

    def become_worker(self, descriptors):
        """The child: runs as if it had been started for this job."""
        channel.become_worker(*descriptors)
        isolation.close_all_but({0, 1, 2, 3, 4})
        from . import __main__ as worker
        worker.start()

    def become_kernel(self, job, descriptors, link, inputs, outputs):
        from . import kernel, streams
        os.dup2(descriptors[0], 1)
        os.dup2(descriptors[0], 2)
        streams.prepare()
        kernel.main(job, self.packages, link, inputs, outputs)

    def become_judge(self, control, links):
        """The child that becomes the judge; it gets its descriptors through `control`."""
        from . import judge
        for part in links:
            part.detach()
        isolation.close_all_but({0, 1, 2, control.fileno()})
        judge.serve(control)

    # ---- ending ----

    def hear_judge(self):
        """Reads a packet of the judge, or its end."""
        try:
            words = self.control.recv(64)
        except OSError:
            words = b""
        if words == b"last":
            self.forget_judge()
        if not self.take_word(words):
            self.control.close()
            self.control = None  # its status will say why

    def take_word(self, words):
        """Ends the job if the packet says that it is over; false for any other packet."""
        if words in (b"done", b"last"):
            self.finish(b"exited 0")
        elif words.startswith(b"died "):
            self.finish(_words_of(int(words[5:])))
        else:
            return False
        return True

    def forget_judge(self):
        """The judge ends by itself; otherwise the sweep ends it."""
        if self.control is not None:
            self.control.close()
        self.control = self.judge = None

    def look(self):
        """Handles processes that have ended."""
        status = _ended(self.kernel)
        if status is not None:
            self.kernel = None
            try:
                if self.control is not None:
                    self.control.send(b"kernel %d" % status)
            except OSError:
                pass
        status = _ended(self.judge)
        if status is not None:
            answered = self.control is not None and self._answered_before_its_end()
            self.forget_judge()
            if not answered:
                self.finish(_words_of(status))
        status = _ended(self.worker)
        if status is not None:
            self.worker = None
            self.finish(_words_of(status))
        if not self.running:
            _reap(self.judge)

    def _answered_before_its_end(self):
        """Takes a packet of the judge that is still unread."""
        try:
            words = self.control.recv(64, socket.MSG_DONTWAIT)
        except OSError:
            return False
        return self.take_word(words)

    def finish(self, words):
        """Ends what is left of the job, except the judge."""
        if not self.running:
            return
        self.running = False
        if self.kernel is not None:
            _kill_group(self.kernel, signal.SIGKILL)
            self.kernel = None
        clean = _sweep(self.judge)
        self.pool.send(words)
        if not clean:
            os._exit(1)  # the guard ends the rest


def _read_job(descriptor):
    """The job. Only its kind is used here; the worker reads it again."""
    try:
        size = os.fstat(descriptor).st_size
        job = json.loads(os.pread(descriptor, size, 0).decode("utf-8"))
    except (OSError, ValueError):
        return {}
    return job if isinstance(job, dict) else {}


def _ended(process):
    """The wait status of a process that has ended, after killing its group; None while it runs."""
    if process is None or \
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        return None
    _kill_group(process, signal.SIGKILL)  # while its number is taken
    return os.waitpid(process, 0)[1]


def _words_of(status):
    if os.WIFSIGNALED(status):
        return b"killed %d" % os.WTERMSIG(status)
    return b"exited %d" % os.WEXITSTATUS(status)


def _kill_group(group, number):
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        try:
            os.kill(group, number)
        except ProcessLookupError:
            pass


def _reap(kept):
    """Waits for children that have ended; false when none but `kept` is left."""
    try:
        while True:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                break
            if ended.si_pid == kept:
                break  # look() handles it
            os.waitpid(ended.si_pid, 0)
    except ChildProcessError:
        return False
    return kept is None or any(number != kept for number in _children())


def _sweep(kept):
    """Kills the processes that the job left behind, which are our children now. True when none but
    `kept` is left."""
    end = time.monotonic() + SWEEP_SECONDS
    while _reap(kept):
        if time.monotonic() > end:
            return False
        for number in _children():
            try:
                if number != kept:
                    os.kill(number, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.0005)
    return True


def _children():
    """Our children by their numbers in our namespace: /proc may be that of a namespace above."""
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
    isolation.hide()  # its forks are to be trusted
    template = Template(import_all())
    gc.collect()
    gc.freeze()  # otherwise a collection in a child would copy all pages
    template.serve()
    return 0
