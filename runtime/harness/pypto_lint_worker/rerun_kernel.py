"""A process beside the kernel's that runs the kernel again with edited texts (rerun.py). It has the inputs and no reference,
and runs each batch of texts in a child of its own. Its outputs only say which line is blamed, never what the verdict is."""
import faulthandler
import json
import os
import resource
import select
import signal
import socket
import sys

from . import arguments, isolation, loading, outputs, streams, structure

DONE, DIED = b"d", b"x"
_MOST_SECONDS = 20  # of a batch, by the clock
_DESCRIPTOR_BYTES = socket.CMSG_SPACE(4)


class _TooLong(BaseException):
    """A run takes longer than the batch allows."""


def start(job, packages, orders, receiver, link, inputs):
    """Forks the process, which ends when the judge closes its end of `link`."""
    streams.flush()
    if os.fork() != 0:
        return
    try:
        os.setsid()  # the kernel's group is killed when the kernel's process ends
        faulthandler.disable()
        faulthandler.unregister(signal.SIGTERM)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        isolation.close_all_but({0, 1, 2, link.fileno(), inputs})
        _serve(job, packages, orders, receiver, link)
    finally:
        os._exit(0)


def _serve(job, packages, orders, receiver, link):
    is_warm = False
    while True:
        words, extra, _, _ = link.recvmsg(1, _DESCRIPTOR_BYTES)
        if not words or not extra:
            return
        if not is_warm:
            _warm_up(_Batch(job, packages, orders, receiver, None))
            is_warm = True
        file = int.from_bytes(extra[0][2][:4], sys.byteorder)
        ended, open_end = os.pipe()
        child = os.fork()
        if child == 0:
            link.close()
            _Batch(job, packages, orders, receiver, file).run()
        os.close(file)
        os.close(open_end)  # the child has the other one
        link.send(DONE if _wait(child, ended, link) == 0 else DIED)


def _warm_up(batch):
    """Runs the kernel as it is, so that all children have what is known of functions that they do not change."""
    batch.open()
    with open(batch.path, encoding="utf-8", errors="replace") as file:
        batch.attempt(file.read(), _MOST_SECONDS)


def _wait(child, ended, link):
    """The status of a child, which is killed when it takes too long or the judge is gone."""
    ready, _, _ = select.select([ended, link], [], [], _MOST_SECONDS)
    if ended not in ready:
        os.kill(child, signal.SIGKILL)
    os.close(ended)
    return os.waitpid(child, 0)[1]


class _Batch:
    """Texts in `file`, which their outputs replace: those of the first text as those of call 0, and so on."""

    def __init__(self, job, packages, orders, receiver, file):
        self.path = job["impl"]
        self._job, self._packages, self._orders, self._receiver = job, packages, orders, receiver
        self._file = file

    def run(self):
        """The child; does not return."""
        status = 1
        try:
            batch = json.loads(os.pread(self._file, os.fstat(self._file).st_size, 0).decode("utf-8"))
            os.ftruncate(self._file, 0)
            texts, seconds = batch["texts"], batch["seconds"]
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds * len(texts)) + 2,) * 2)
            writer = outputs.Writer(self._packages.torch, self._file)
            for number, text in enumerate(texts):
                writer.add(number, self.attempt(text, seconds))
            writer.finish({})
            status = 0
        finally:
            os._exit(status)

    def open(self):
        """Prepares the process for the operator."""
        signal.signal(signal.SIGPROF, _too_long)
        self._packages.open()
        loading.prepare_path(self._job["op_dir"])

    def attempt(self, text, seconds):
        """The outputs with one text; none if it raises or takes longer."""
        modules = set(sys.modules)
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            return self._outputs(text)
        except BaseException:  # whatever an edit may cause
            return ()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            for name in set(sys.modules) - modules:
                del sys.modules[name]

    def _outputs(self, text):
        job, orders = self._job, self._orders
        module = loading.load_text(self.path, os.path.splitext(os.path.basename(self.path))[0], text)
        wrapper = loading.function_of(module, job["wrapper_function"])
        names = arguments.of_wrapper(wrapper, orders["names"], orders["chosen"])
        values = self._receiver.load(0)
        self._packages.seed(orders["seed"])
        value = wrapper(*[values[name] for name in names])
        self._packages.synchronize()
        return structure.outputs(value)


def _too_long(*_):
    raise _TooLong
