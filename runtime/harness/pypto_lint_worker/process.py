"""The kernel's process, seen from its judge, which forks it before inputs or reference exist, sends it
the inputs, waits for its end and reads what it left. All that it reports is a claim (claims.py)."""
import array
import contextlib
import faulthandler
import fcntl
import json
import os
import select
import signal
import socket
import sys
import time

from . import claims, kernel, outputs, rerun_kernel, streams, wire

_SEALS = (fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
          if hasattr(fcntl, "F_SEAL_WRITE") else 0x000f)
_F_ADD_SEALS = getattr(fcntl, "F_ADD_SEALS", 1033)
_STAGES = {b"w": "wrapper"}
_MOST_RERUN_SECONDS = 30  # by the clock, for one batch of texts
_TICK = 0.01  # seconds between looks, where no descriptor shows the end of a process


class Failed(Exception):
    """The kernel's process ended with an exception; `end`, `stage` and `error` go into the result."""

    def __init__(self, end, stage, error):
        super().__init__(end)
        self.end, self.stage, self.error = end, stage, error


class Answer:
    """What the process left: outputs by call, claims, and the seconds that the judge waited."""

    def __init__(self, reader, claimed, seconds):
        self.reader, self.claims, self.seconds = reader, claimed, seconds

    def outputs(self, call, truth):
        """The leaves of a call; only those that match the reference have elements."""
        try:
            return self.reader.leaves(call, truth)
        except outputs.Malformed as error:
            raise _no_answer(error) from None


def _no_answer(error):
    return Failed("raised", "wrapper", claims.own_error(
        "what the kernel's process left is not an answer: %s" % error))


class Ended(BaseException):
    """The kernel's process died with this status. There is no result."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def make_files():
    """(inputs, outputs): files without a name."""
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    return os.memfd_create("inputs", flags), os.memfd_create("outputs", flags)


class Kernel:
    """One process, which starts at once and waits for its inputs."""

    def __init__(self, job, packages):
        self._job, self._torch = job, packages.torch
        self._inputs, self._outputs = make_files()
        self._link, there = socket.socketpair()
        self._begin(packages, there)

    def _begin(self, packages, there):
        streams.flush()
        self._pid = os.fork()
        if self._pid == 0:
            self._link.close()
            self._become(packages, there)
        there.close()

    def _become(self, packages, link):
        """The child: no code of the judge continues in it."""
        try:
            kernel.main(self._job, packages, link, self._inputs, self._outputs)
        except BaseException:  # what remains of the judge must not run here
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)

    def ask(self, result, sets, names, chosen, **more):
        """Sends the inputs and waits for the Answer; raises Failed when the process raised. If it died,
        this process dies in the same way, so that the pool sees it."""
        sender = wire.Sender(self._torch, self._inputs)
        for values in sets:
            sender.add(values)
        fcntl.fcntl(self._inputs, _F_ADD_SEALS, _SEALS)
        orders = dict(more, sets=sender.sets, names=names, chosen=chosen)
        result.enter("implementation")
        with contextlib.suppress(OSError):  # it is gone: its status says how
            self._link.sendall((json.dumps(orders) + "\n").encode("ascii"))
        since = time.perf_counter()
        status = self._wait(result)
        seconds = time.perf_counter() - since
        if status != 0:
            self.die(status)
        return self._read(result, orders, seconds)

    def _read(self, result, orders, seconds):
        """Reads the answer. The file cannot change any more: its writer is gone, and it gets sealed."""
        try:
            fcntl.fcntl(self._outputs, _F_ADD_SEALS, _SEALS)
        except OSError:
            raise Failed("raised", "wrapper", claims.own_error(
                "a process that the kernel left behind still writes to its outputs")) from None
        if os.fstat(self._outputs).st_size == 0:
            self.die(0)
        try:
            reader = outputs.Reader(self._torch, self._outputs)
        except outputs.Malformed as error:
            raise _no_answer(error) from None
        given = orders["chosen"] + ["%s=…" % name for name in orders["keywords"]]
        claimed = claims.read(reader.claims, self._job, given)
        claims.apply(claimed, result, orders["names"])
        if claimed["error"] is not None:
            raise Failed(claimed["end"], claimed["stage"], claimed["error"])
        return Answer(reader, claimed, seconds)

    def _wait(self, result):
        """Receives stages until the process has ended; returns its wait status."""
        stages = dict(_STAGES)
        _be_silent()
        try:
            watched = os.pidfd_open(self._pid)
        except (AttributeError, OSError):
            watched = None
        open_link, ended = True, None
        while ended is None:
            waiting = ([self._link] if open_link else []) + ([watched] if watched else [])
            ready, _, _ = select.select(waiting, [], [], None if watched else _TICK)
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            ended = status if pid else None
            if self._link in ready or ended is not None:
                open_link = self._hear(result, stages) and open_link
        if watched:
            os.close(watched)
        self._pid = None  # the number may be another's by now
        return ended

    def _hear(self, result, stages):
        """Receives reported stages, each of which counts once; false when the link is closed."""
        try:
            heard = self._link.recv(64, socket.MSG_DONTWAIT)
        except OSError:
            return False
        for byte in (heard[i:i + 1] for i in range(len(heard))):
            stage = stages.pop(byte, None)
            if stage is not None:
                result.enter(stage)
        return bool(heard)

    def rerun(self, texts, seconds, truth):
        """Runs the kernel with each of a few texts, which may take so many seconds of the processor each (rerun_kernel.py).
        Returns the outputs of each text; a text that raises has none. Returns None if a text ended the process. Raises OSError
        if nothing answers in time. Only jobs with `blame` have the process."""
        file = os.memfd_create("reruns", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            wire.write_bytes(file, 0, json.dumps({"texts": texts, "seconds": seconds}).encode("ascii"))
            self._link.sendmsg([b"r"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))])
            ready, _, _ = select.select([self._link], [], [], _MOST_RERUN_SECONDS)
            answer = self._link.recv(1) if ready else b""
            if not answer:
                raise TimeoutError
            return self._read_reruns(file, len(texts), truth) if answer == rerun_kernel.DONE else None
        finally:
            os.close(file)

    def _read_reruns(self, file, count, truth):
        try:
            fcntl.fcntl(file, _F_ADD_SEALS, _SEALS)
            reader = outputs.Reader(self._torch, file)
            return [reader.leaves(number, truth) for number in range(count)]
        except (OSError, outputs.Malformed):
            return None

    def close(self):
        """Kills it if it still runs, for example because the reference raised."""
        if self._pid is not None:
            with contextlib.suppress(OSError):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
        for part in (self._inputs, self._outputs):
            with contextlib.suppress(OSError):
                os.close(part)
        self._link.close()

    def die(self, status):
        """Dies as the kernel's process did."""
        streams.flush()
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            with contextlib.suppress(OSError, ValueError):
                faulthandler.disable()
                signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            os._exit(128 + number)  # the signal does not end a process
        os._exit(os.WEXITSTATUS(status))


class Lent(Kernel):
    """A process that the template has forked, because this judge has seen references of earlier jobs.
    The template reports its end through `control`."""

    def __init__(self, job, torch, link, inputs, outputs, control):
        self._job, self._torch, self._control = job, torch, control
        self._link, self._inputs, self._outputs = link, inputs, outputs

    def _wait(self, result):
        stages, open_link = dict(_STAGES), True
        _be_silent()
        while True:
            waiting = [self._control] + ([self._link] if open_link else [])
            ready, _, _ = select.select(waiting, [], [])
            words = self._control.recv(64) if self._control in ready else None
            if self._link in ready or words is not None:
                open_link = self._hear(result, stages) and open_link
            if words is not None:
                if not words.startswith(b"kernel "):
                    os._exit(1)  # the template is gone
                return int(words[7:])

    def die(self, status):
        """Leaves it to the template to inform the pool."""
        raise Ended(status)

    def close(self):
        """Closes the files; the template kills the process when the job is over."""
        for part in (self._inputs, self._outputs):
            os.close(part)
        self._link.close()


def _be_silent():
    """A judge that is asked to end while it waits shows no traceback."""
    with contextlib.suppress(ValueError, RuntimeError):
        faulthandler.unregister(signal.SIGTERM)
