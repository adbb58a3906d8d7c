"""The kernel's process: the only one that imports the implementation. It has the inputs, but no
reference. It writes raw outputs and reports on itself, which its judge treats as claims.

It is a fork of the judge from before inputs and reference existed (process.py)."""
import ctypes
import json
import os
import signal
import socket
import sys
import time

from . import (arguments, blame_record, channel, drift_kernel, failures, findings, isolation, loading,
               outputs, provenance, rerun_kernel, streams, structure, wire)
from .result import Result

# The wrapper is not called again when the first call took longer or returned more.
REPEAT_SECONDS = 1.0
REPEAT_BYTES = 256 << 20

_PR_SET_PDEATHSIG = 1


def main(job, packages, link, inputs, given):
    """Waits for its orders, runs the wrapper, answers, ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    shielded = isolation.give_up_powers(job["mode"])
    isolation.show()
    log = streams.show_crashes()
    inputs, given = channel.move_up(inputs), channel.move_up(given)
    link = socket.socket(fileno=channel.move_up(link.detach()))
    isolation.close_all_but({0, 1, 2, log, link.fileno(), inputs, given})
    _fill_low_numbers()
    orders = _hear(link)
    if orders is None:
        os._exit(0)  # the judge has nothing to ask
    run = Run(job, packages, orders, wire.Receiver(packages.torch, inputs, orders["sets"]),
              outputs.Writer(packages.torch, given), link)
    run.result.shielded = shielded
    if orders.get("blame"):
        rerun_kernel.start(job, packages, orders, run.receiver, link, inputs)
    owner = os.getpid()
    claims = run.attempt()
    streams.flush()
    if os.getpid() != owner:
        os._exit(0)  # a fork made by the implementation, which ran into our code
    run.writer.finish(claims)
    os._exit(0)


def _fill_low_numbers():
    """Connects the numbers of the judge's job and result to /dev/null."""
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
        self.snapshots = None  # of the kind `bisect`
        self.precision = None  # of jobs with `blame`

    def attempt(self):
        """Makes the claims, including every step that may raise, and returns them."""
        private = failures.Private(self.job.get("golden"), self.job.get("inputs"))
        error = None
        try:
            if self.job["kind"] == "bisect":
                drift_kernel.work(self, call_wrapper)
            else:
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
                "provenance": result.provenance, "shielded": result.shielded,
                "snapshots": self.snapshots, "watched": self.writer.attached,
                "precision": self.precision}

    def _failed(self, end, error, private, folder=None):
        self.result.end = end
        return failures.describe(error, private, False, folder, self.job["impl"])

    def enter(self, stage):
        """Reports the stage to the judge, because this process may not survive it. The first one, the
        implementation's import, needs no report."""
        self.result.enter(stage)
        if stage == "wrapper":
            try:
                self._link.send(b"w")
            except OSError:  # closed by the user's code
                pass

    def work(self):
        """Imports the implementation and calls its wrapper."""
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
        watches = self.orders.get("blame") and blame_record.start()
        since = time.perf_counter()
        if keywords:  # buffers of an inspection, instead of the outputs
            call_wrapper(self, wrapper, names, values, keywords)
            first = list(keywords.values())
        else:
            first = self._watched(wrapper, names, values)
        seconds = self.result.seconds["wrapper"] = time.perf_counter() - since
        self.writer.add(0, first)
        self._note_modified(values)
        if watches:
            self.writer.attach(*blame_record.take())
            self.precision = blame_record.precision()
        if self.orders.get("repeat"):
            self._again(wrapper, names, first, seconds)

    def _watched(self, wrapper, names, values):
        """The outputs of the first call, and evidence of where they come from."""
        with provenance.watching(self.packages, values, self.job["op_dir"]) as watch:
            value = call_wrapper(self, wrapper, names, values, {})
        first = structure.outputs(value)
        self.result.provenance = watch.report(first)
        return first

    def _note_modified(self, values):
        copies = self.receiver.load(0)
        self.result.modified_inputs = arguments.modified(
            self.torch, self.names, values, copies, set(self.orders.get("touched") or ()))

    def _again(self, wrapper, names, first, seconds):
        """Calls with other inputs, reads the first result again, calls with the same inputs."""
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
                with streams.silence():  # the first call has printed the same
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
    """The first call of the wrapper. Launches are counted."""
    result, modules = run.result, set(sys.modules)
    try:
        with run.packages.counting(result):
            value = wrapper(*[values[name] for name in names], **keywords)
            run.packages.synchronize()
        return value
    finally:
        result.findings = findings.collect(run.job["op_dir"])
        streams.flush()
        note_references(result, modules)


def note_references(result, before):
    """Notes which references the implementation has imported."""
    for name in sorted(set(sys.modules) - before):
        if failures.is_reference(getattr(sys.modules[name], "__file__", None) or ""):
            result.imported_references.append(name)
