"""The two descriptors of a worker: where its job comes from, where its result goes."""
import json
import os

JOB, RESULT = 4, 3
OUT_OF_REACH = 200  # from here up: what the implementation opens gets the lowest free number


class Channel:
    """A job that was read, and the pipe for its result."""

    def __init__(self, job, result):
        self.job = job
        self._result = result
        self._owner = os.getpid()

    def tell(self, stage):
        """Notes that a stage begins, for the case that the process does not outlive it."""
        self._write(json.dumps({"at": stage}))

    def finish(self, document):
        """Writes the result."""
        self._write(json.dumps(document, allow_nan=False))

    def close(self):
        """For a process that goes on to other jobs."""
        os.close(self._result)

    def _write(self, text):
        if os.getpid() != self._owner:
            os._exit(0)  # a fork that the implementation let run into our code
        data = (text + "\n").encode("ascii")
        while data:
            data = data[os.write(self._result, data):]


def open_channel(job=JOB, result=RESULT):
    """Reads the job. The pipe moves away from its number, so that an implementation that writes to
    it, closes it or leaves it to a child does no harm."""
    import fcntl
    with os.fdopen(job, "rb") as file:
        document = json.loads(file.read().decode("utf-8"))
    try:
        moved = fcntl.fcntl(result, fcntl.F_DUPFD_CLOEXEC, OUT_OF_REACH)
    except OSError:  # fewer descriptors are allowed
        moved = fcntl.fcntl(result, fcntl.F_DUPFD_CLOEXEC, result + 1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, result)
    if nowhere != result:
        os.close(nowhere)
    return Channel(document, moved)
