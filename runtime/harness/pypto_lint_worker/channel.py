"""The descriptors of a worker: its job, its result, its log."""
import fcntl
import json
import os

JOB, RESULT = 4, 3
OUT_OF_REACH = 200  # the implementation's own files get the lowest free numbers


def move_up(descriptor, least=OUT_OF_REACH, close=False):
    """A copy with a high number, so that code of the operator which opens, writes to or closes low
    numbers does not meet it."""
    try:
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, least)
    except OSError:  # fewer descriptors are allowed
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, descriptor + 1)
    if close:
        os.close(descriptor)
    return moved


def become_worker(log, result, job):
    """Gives the descriptors of a job the numbers that a worker expects."""
    for source, target in ((log, 1), (log, 2), (result, RESULT), (job, JOB)):
        os.dup2(source, target)


class Channel:
    """A job that was read, and the pipe for its result."""

    def __init__(self, job, result):
        self.job = job
        self._result = result
        self._owner = os.getpid()

    def note(self, stage):
        """Reports that a stage begins, in case the process does not survive it."""
        self._write(json.dumps({"at": stage}))

    def finish(self, document):
        """Writes the result."""
        self._write(json.dumps(document, allow_nan=False))

    def close(self):
        """For a process that continues with other jobs."""
        os.close(self._result)

    def _write(self, text):
        if os.getpid() != self._owner:
            os._exit(0)  # a fork made by the implementation, which ran into our code
        data = (text + "\n").encode("ascii")
        while data:
            data = data[os.write(self._result, data):]


def open_channel(job=JOB, result=RESULT):
    """Reads the job and moves the pipe of the result away from its number: an implementation may
    write to that, close it or leave it to a child."""
    with os.fdopen(job, "rb") as file:
        document = json.loads(file.read().decode("utf-8"))
    moved = move_up(result)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, result)
    if nowhere != result:
        os.close(nowhere)
    return Channel(document, moved)
