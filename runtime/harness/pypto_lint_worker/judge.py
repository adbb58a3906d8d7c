"""The judge of a template: one process for the cases of a slot, one after the other. The kernel's
processes are not its children but the template's, because it has seen references.

It gets a packet `job` with six descriptors (log, result, job, link, inputs, outputs), hears
`kernel STATUS` when the kernel's process has ended, and tells `done`, `died STATUS` (no result, as
the kernel's process died with that status), or `last` (done; it wants no further job)."""
import array
import faulthandler
import fcntl
import os
import signal
import socket
import sys
import threading
import time

from . import channel, jobs, process, streams

DESCRIPTORS = 6
_FIRST_OF_JOB = 20  # descriptor
_MOST_JOBS = 500  # then a new one: references may leak
# Of the processor, whose limit is for a process, not for a job: 60 s beyond what one job may use.
_MOST_SECONDS = 50


def serve(control):
    """The loop; does not return."""
    control = socket.socket(fileno=_moved_up(control.detach()))
    for number in range(_MOST_JOBS):
        words, extra, _, _ = control.recvmsg(64, socket.CMSG_SPACE(DESCRIPTORS * 4))
        if words != b"job":
            os._exit(0)
        descriptors = array.array("i")
        for _, kind, data in extra:
            if kind == socket.SCM_RIGHTS:
                descriptors.frombytes(data[:len(data) // 4 * 4])
        answer = _Job(control, list(descriptors)).run()
        tired = number == _MOST_JOBS - 1 or time.process_time() > _MOST_SECONDS
        answer = b"last" if answer == b"done" and tired else answer
        control.send(answer)
        if answer == b"last":
            break
    os._exit(0)


class _Job:
    def __init__(self, control, descriptors):
        self._control = control
        log, result, job, link, self._inputs, self._outputs = map(_moved_up, descriptors)
        self._link = socket.socket(fileno=link)
        for source, target in ((log, 1), (log, 2), (result, 3), (job, 4)):
            os.dup2(source, target)
        for source in (log, result, job):
            os.close(source)
        self._path, self._modules = list(sys.path), set(sys.modules)
        self._before = _surroundings()

    def run(self):
        """What to tell the template."""
        line = channel.open_channel()
        streams.prepare()
        log = streams.keep_stderr()
        faulthandler.enable(log)
        faulthandler.register(signal.SIGTERM, log, chain=True)
        try:
            document = jobs.run(line.job, line.tell, lambda packages: process.Lent(
                line.job, packages.torch, self._link, self._inputs, self._outputs, self._control))
            line.finish(document)
            answer = b"done" if document["end"] == "compared" else b"last"
        except process.Ended as ended:
            answer = b"died %d" % ended.status
        streams.flush()
        faulthandler.disable()
        faulthandler.unregister(signal.SIGTERM)
        os.close(log)
        line.close()
        return answer if self._clean() or answer != b"done" else b"last"

    def _clean(self):
        """Forgets the modules of the operator. False when the reference has left more behind."""
        sys.path[:] = self._path
        for name in set(sys.modules) - self._modules:
            del sys.modules[name]
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (1, 2, 3):  # the pool waits for the end of its pipes
            os.dup2(nowhere, number)
        if nowhere > 3:
            os.close(nowhere)
        return _surroundings() == self._before


def _moved_up(descriptor):
    """Out of the way of those with fixed numbers."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_OF_JOB)
    os.close(descriptor)
    return moved


def _surroundings():
    """What a reference may change and the next would see."""
    torch = sys.modules["torch"]
    return (dict(os.environ), os.getcwd(), torch.get_default_dtype(), torch.is_grad_enabled(),
            threading.active_count(), _has_children())


def _has_children():
    try:
        with open("/proc/thread-self/children", encoding="ascii") as listed:
            return bool(listed.read().strip())
    except OSError:
        return False
