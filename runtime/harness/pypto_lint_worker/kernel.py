"""The kernel's process: the only one that imports the implementation. It has the inputs and no
reference; it writes raw outputs and says of itself what its judge takes for a claim.

It is a fork of the judge from before inputs and reference existed (process.py)."""
import ctypes
import faulthandler
import fcntl
import json
import os
import signal
import socket
import sys
import time

from . import (arguments, channel, failures, findings, isolation, loading, outputs, provenance,
               streams, structure, wire)
from .result import Result

# Calling the wrapper again is left out when the first call took longer or made more.
REPEAT_SECONDS = 1.0
REPEAT_BYTES = 256 << 20

_PR_SET_PDEATHSIG = 1


def main(job, packages, link, inputs, given):
    """Waits for the orders, runs the wrapper, answers, ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    shielded = isolation.give_up_powers(job["mode"])
    isolation.show()
    log = streams.keep_stderr()
    inputs, given = _out_of_reach(inputs), _out_of_reach(given)
    link = socket.socket(fileno=_out_of_reach(link.detach()))
    isolation.close_all_but({0, 1, 2, log, link.fileno(), inputs, given})
    _fill_low_numbers()
    faulthandler.enable(log)
    faulthandler.register(signal.SIGTERM, log, chain=True)  # at the time limit: where it was
    orders = _hear(link)
    if orders is None:
        os._exit(0)  # the judge has nothing to ask
    run = Run(job, packages, orders, wire.Receiver(packages.torch, inputs, orders["sets"]),
              outputs.Writer(packages.torch, given), link)
    run.result.shielded = shielded
    owner = os.getpid()
    claims = run.attempt()
    streams.flush()
    if os.getpid() != owner:
        os._exit(0)  # a fork that the implementation let run into our code
    run.writer.finish(claims)
    os._exit(0)


def _out_of_reach(descriptor):
    """A copy with a high number: what the implementation opens, or closes, gets low ones."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, channel.OUT_OF_REACH)
    except OSError:  # fewer descriptors are allowed
        return descriptor


def _fill_low_numbers():
    """The numbers where the judge had its job and its result lead to nowhere."""
    for number in (3, 4):
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)


def _hear(link):
    data = b""
    while not data.endswith(b"\n"):
        part = link.recv(65536)
        if not part:
            return None
        data += part
    return json.loads(data.decode("ascii"))


class Run:
    """The calls of one case."""

    def __init__(self, job, packages, orders, receiver, writer, link):
        self.job, self.packages, self.torch = job, packages, packages.torch
        self.orders, self.receiver, self.writer, self._link = orders, receiver, writer, link
        self.names, self.chosen = orders["names"], orders["chosen"]
        self.result = Result()
        self.repeat = {"done": False, "why": "untold", "error": None}

    def attempt(self):
        """Everything that may raise; the claims."""
        private = failures.Private(self.job.get("golden"), self.job.get("inputs"))
        error = None
        try:
            self.work()
        except failures.Mismatch as mismatch:
            error = self._failed("raised", mismatch, private)
        except failures.Contract as contract:
            error = self._failed("contract", contract, private)
        except BaseException as raised:  # SystemExit and KeyboardInterrupt, too
            error = self._failed("raised", raised, private, self.job["op_dir"])
            failures.show(raised, private)
        result = self.result
        return {"error": error, "end": result.end, "stage": result.stage,
                "launches": result.launches, "ops": result.ops,
                "seconds": result.seconds["wrapper"], "modified_inputs": result.modified_inputs,
                "imported_references": result.imported_references,
                "findings": result.findings, "repeat": self.repeat,
                "provenance": result.provenance, "shielded": result.shielded}

    def _failed(self, end, error, private, folder=None):
        self.result.end = end
        return failures.describe(error, private, False, folder, self.job["impl"])

    def enter(self, stage):
        """Tells the judge, because this process may not outlive the stage. The judge knows without
        being told that the first one is the implementation's import."""
        self.result.enter(stage)
        if stage == "wrapper":
            try:
                self._link.send(b"w")
            except OSError:  # closed by the user's code
                pass

    def work(self):
        """The implementation's import and its calls."""
        self.enter("implementation")
        self.packages.open()
        loading.prepare_path(self.job["op_dir"])
        wrapper = load_wrapper(self)
        self.enter("wrapper")
        names = arguments.of_wrapper(wrapper, self.names, self.chosen,
                                     self.orders.get("keywords") or ())
        values = self.receiver.load(0)
        keywords = {name: values[name] for name in self.orders.get("keywords") or ()}
        self.packages.seed(self.orders["seed"])
        since = time.perf_counter()
        if keywords:  # buffers of an inspection: what the wrapper returns is not looked at
            call_wrapper(self, wrapper, names, values, keywords)
            first = list(keywords.values())
        else:
            first = self._watched(wrapper, names, values)
        seconds = self.result.seconds["wrapper"] = time.perf_counter() - since
        self.writer.add(0, first)
        self._note_modified(values)
        if self.orders.get("repeat"):
            self._again(wrapper, names, first, seconds)

    def _watched(self, wrapper, names, values):
        """The outputs of the first call, which are looked at for where they come from."""
        with provenance.watching(self.packages, values, self.job["op_dir"]) as watch:
            value = call_wrapper(self, wrapper, names, values, {})
        first = structure.outputs(value)
        self.result.provenance = watch.told(first)
        return first

    def _note_modified(self, values):
        copies = self.receiver.load(0)
        self.result.modified_inputs = arguments.modified(
            self.torch, self.names, values, copies, set(self.orders.get("touched") or ()))

    def _again(self, wrapper, names, first, seconds):
        """With other inputs, a look at the first result again, with the same inputs once more."""
        size = sum(leaf.numel() * leaf.element_size() for leaf in first
                   if isinstance(leaf, self.torch.Tensor))
        if seconds > REPEAT_SECONDS or size > REPEAT_BYTES:
            self.repeat["why"] = "slow" if seconds > REPEAT_SECONDS else "large"
            return
        order = [(1, 1)] if len(self.orders["sets"]) > 1 else []
        self.repeat["done"] = True
        try:
            for call, given in order + [(2, 0)]:
                values = self.receiver.load(given)
                self.packages.seed(self.orders["seed"])
                with streams.silence():  # the first call was heard
                    value = wrapper(*[values[name] for name in names])
                    self.packages.synchronize()
                self.writer.add(call, structure.outputs(value))
                if call == 1:
                    self.writer.add(3, first)
        except BaseException as error:  # the first call did not raise
            private = failures.Private(self.job.get("golden"), self.job.get("inputs"))
            self.repeat["error"] = self._failed(self.result.end, error, private,
                                                self.job["op_dir"])
            failures.show(error, private)
        if not order:
            self.writer.add(3, first)


def load_wrapper(run):
    """Imports the implementation."""
    before = set(sys.modules)
    module = loading.load_module(run.job["impl"])
    wrapper = loading.function_of(module, run.job["wrapper_function"])
    note_references(run.result, before)
    return wrapper


def call_wrapper(run, wrapper, names, values, keywords):
    """The kernel's first run. Launches are counted."""
    result, packages = run.result, run.packages
    before, modules = packages.counts(), set(sys.modules)
    try:
        value = wrapper(*[values[name] for name in names], **keywords)
        packages.synchronize()
        return value
    finally:
        after = packages.counts()
        if before is not None:
            result.launches, result.ops = after[0] - before[0], after[1] - before[1]
            result.findings = findings.collect(run.job["op_dir"])
        streams.flush()
        note_references(result, modules)


def note_references(result, before):
    """Which references the implementation has imported."""
    for name in sorted(set(sys.modules) - before):
        if failures.is_reference(getattr(sys.modules[name], "__file__", None) or ""):
            result.imported_references.append(name)
