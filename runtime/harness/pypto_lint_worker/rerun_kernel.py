"""A process beside the kernel's that runs the kernel again with edited texts (rerun.py). It has the inputs but no reference.
Its outputs only affect which line is blamed, never the verdict."""
import array
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


class _TooLong(BaseException):
    """A run takes longer than its batch allows."""


def start(job, packages, orders, receiver, link, inputs):
    """Forks the process. It ends when the judge closes its end of `link`."""
    streams.flush()
    if os.fork() != 0:
        return
    try:
        os.setsid()  # when the kernel's process ends, its whole group is killed
        faulthandler.disable()
        faulthandler.unregister(signal.SIGTERM)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        isolation.close_all_but({0, 1, 2, link.fileno(), inputs})
        _serve(_Runs(job, packages, orders, receiver), link)
    finally:
        os._exit(0)


def _serve(runs, link):
    """Runs batches of texts, each in a child, until the judge closes the link."""
    is_warm = False
    while True:
        words, extra, _, _ = link.recvmsg(1, socket.CMSG_SPACE(array.array("i").itemsize))
        if not words or not extra:
            return
        if not is_warm:
            runs.warm_up()
            is_warm = True
        file = array.array("i", extra[0][2])[0]
        ended, open_end = os.pipe()
        child = os.fork()
        if child == 0:
            link.close()
            _run_batch(runs, file)
        os.close(file)
        os.close(open_end)  # now only the child has it, so that `ended` shows the child's end
        link.send(DONE if _wait(child, ended, link) == 0 else DIED)


def _wait(child, ended, link):
    """The child's exit status. Kills it if it takes too long or the judge is gone."""
    ready, _, _ = select.select([ended, link], [], [], _MOST_SECONDS)
    if ended not in ready:
        os.kill(child, signal.SIGKILL)
    os.close(ended)
    return os.waitpid(child, 0)[1]


def _run_batch(runs, file):
    """The child: replaces the texts in `file` by their outputs. Those of the first text become call 0, and so on."""
    status = 1
    try:
        batch = json.loads(os.pread(file, os.fstat(file).st_size, 0).decode("utf-8"))
        os.ftruncate(file, 0)
        texts, seconds = batch["texts"], batch["seconds"]
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds * len(texts)) + 2,) * 2)
        writer = outputs.Writer(runs.torch, file)
        for number, text in enumerate(texts):
            writer.add(number, runs.attempt(text, seconds))
        writer.finish({})
        status = 0
    finally:
        os._exit(status)


class _Runs:
    """Runs of the wrapper with another text of the implementation."""

    def __init__(self, job, packages, orders, receiver):
        self._job, self._packages, self._orders, self._receiver = job, packages, orders, receiver
        self.torch = packages.torch

    def warm_up(self):
        """Prepares the process and runs the kernel unchanged. The children then share what the simulator keeps of functions
        that an edit does not touch."""
        signal.signal(signal.SIGPROF, _too_long)
        self._packages.open()
        loading.prepare_path(self._job["op_dir"])
        with open(self._job["impl"], encoding="utf-8", errors="replace") as file:
            self.attempt(file.read(), _MOST_SECONDS)

    def attempt(self, text, seconds):
        """The outputs with a text; none if the run raises or takes longer."""
        modules = set(sys.modules)
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            return self._outputs(text)
        except BaseException:  # an edit may cause anything
            return ()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            for name in set(sys.modules) - modules:
                del sys.modules[name]

    def _outputs(self, text):
        job, orders = self._job, self._orders
        module = loading.load_text(job["impl"], os.path.splitext(os.path.basename(job["impl"]))[0], text)
        wrapper = loading.function_of(module, job["wrapper_function"])
        names = arguments.of_wrapper(wrapper, orders["names"], orders["chosen"])
        values = self._receiver.load(0)
        self._packages.seed(orders["seed"])
        value = wrapper(*[values[name] for name in names])
        self._packages.synchronize()
        return structure.outputs(value)


def _too_long(*_):
    raise _TooLong
