"""The judge of a template: one process for all cases of a slot, one after the other. It has seen
references, so the kernel's processes are the template's children, not its own.

It receives a packet `job` with six descriptors (log, result, job, link, inputs, outputs) and
`kernel STATUS` when the kernel's process has ended. It sends `done`, `died STATUS` (no result, because
the kernel's process died with that status) or `last` (done, and the judge ends)."""
import array
import os
import socket
import sys
import threading
import time

from . import channel, jobs, process, streams

DESCRIPTORS = 6
_FIRST_OF_JOB = 20  # descriptor: above those with fixed numbers
_MOST_JOBS = 500  # then a new judge takes over, because references may leak memory
# Processor time. Its limit is for the process, not for a job: 60 s more than one job may use.
_MOST_SECONDS = 50


def serve(control):
    """The loop; does not return."""
    control = socket.socket(fileno=channel.move_up(control.detach(), _FIRST_OF_JOB, close=True))
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
        log, result, job, link, self._inputs, self._outputs = (
            channel.move_up(number, _FIRST_OF_JOB, close=True) for number in descriptors)
        self._link = socket.socket(fileno=link)
        channel.become_worker(log, result, job)
        for source in (log, result, job):
            os.close(source)
        self._path, self._modules = list(sys.path), set(sys.modules)
        self._before = _surroundings()

    def run(self):
        """Runs the job; returns the packet for the template."""
        line = channel.open_channel()
        streams.prepare()
        log = streams.show_crashes()
        try:
            document = jobs.run(line.job, line.note, lambda packages: process.Lent(
                line.job, packages.torch, self._link, self._inputs, self._outputs, self._control))
            line.finish(document)
            answer = b"done" if document["end"] == "compared" else b"last"
        except process.Ended as ended:
            answer = b"died %d" % ended.status
        streams.flush()
        streams.hide_crashes(log)
        line.close()
        return answer if self._clean() or answer != b"done" else b"last"

    def _clean(self):
        """Forgets the modules of the operator. False if the reference has left anything else behind."""
        sys.path[:] = self._path
        for name in set(sys.modules) - self._modules:
            del sys.modules[name]
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (1, 2, 3):  # the pool waits until its pipes are closed
            os.dup2(nowhere, number)
        if nowhere > 3:
            os.close(nowhere)
        return _surroundings() == self._before


def _surroundings():
    """State that a reference may change for the next one."""
    torch = sys.modules["torch"]
    return (dict(os.environ), os.getcwd(), torch.get_default_dtype(), torch.is_grad_enabled(),
            threading.active_count(), _has_children())


def _has_children():
    try:
        with open("/proc/thread-self/children", encoding="ascii") as listed:
            return bool(listed.read().strip())
    except OSError:
        return False
