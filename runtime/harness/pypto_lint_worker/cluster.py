"""The client of a Dask cluster: reads jobs from descriptor 4 and writes outcomes to descriptor 3, one
a line. Each task is one `pypto-lint verify-job` on a machine of the cluster. It needs nothing of this
package there, so the machines may have other versions of Python."""
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

# How long the scheduler, or all machines, may be gone; tests set it to less.
LOST_SECONDS = float(os.environ.get("PYPTO_LINT_CLUSTER_SECONDS") or 20)
CONNECT_SECONDS = LOST_SECONDS / 2
ATTEMPTS = 3  # of a job whose machines go down

# Finds the program on a machine: the variable, the same path as here, the search path.
FIND = """for program in "$PYPTO_LINT" "$1" pypto-lint; do
    if command -v "$program" >/dev/null 2>&1; then
        PYPTO_LINT_RUN=$2 exec "$program" verify-job
    fi
done
echo "no pypto-lint on this machine (PYPTO_LINT, PATH)" >&2
exit 127"""

# Ends all processes whose environment names the run, because Dask cannot cancel a running task.
END = """for file in /proc/[0-9]*/environ; do
    if tr "\\0" "\\n" <"$file" 2>/dev/null | grep -qx "PYPTO_LINT_RUN=$1"; then
        number=${file#/proc/}
        kill -TERM "${number%/environ}" 2>/dev/null
    fi
done"""
END_SECONDS = 4


class Interrupted(Exception):
    """SIGTERM has arrived."""


class ClusterError(Exception):
    """Ends the run, with one line."""


class Run:
    """The jobs of one run, from their submission to their last outcome."""

    def __init__(self, client, orders, send):
        self.client, self.orders, self.send = client, orders, send
        self.jobs = orders["jobs"]
        self.ended = queue.Queue()
        self.futures = {}  # of the jobs that have been submitted and not ended
        self.attempts = [0] * len(self.jobs)
        self.waiting = []  # npu jobs, while the devices are taken
        self.resources = None
        self.workers = 0
        self.answered = self.alive = time.monotonic()

    def start(self):
        workers = self.client.scheduler_info()["workers"].values()
        if any("NPU" in worker.get("resources", {}) for worker in workers):
            self.resources = {"NPU": 1}
        for index, job in enumerate(self.jobs):
            if job["npu"] and self.resources is None:
                self.waiting.append(index)
            else:
                self.submit(index)
        # The number of devices is unknown: as many at a time as on one machine.
        for index in self.waiting[:self.orders["devices"]]:
            self.submit(index)
        del self.waiting[:self.orders["devices"]]

    def submit(self, index):
        """Gives one job to the scheduler. Dask runs a task again that is lost with its machine."""
        self.attempts[index] += 1
        job = self.jobs[index]
        future = self.client.submit(
            subprocess.run,
            ["/bin/sh", "-c", FIND, "sh", self.orders["binary"], self.orders["run"]],
            input=job["request"].encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            key="pypto-lint-%s-%d-%d" % (self.orders["run"], index, self.attempts[index]),
            pure=False, retries=ATTEMPTS - 1,
            resources=self.resources if job["npu"] else None)
        self.futures[index] = future
        future.add_done_callback(lambda done: self.ended.put((index, done)))

    def watch(self):
        """Asks for the machines again and again. Runs in a thread, because a scheduler that hangs does
        not answer."""
        while True:
            try:
                self.workers = len(self.client.nthreads())  # not scheduler_info, which remembers
                self.answered = time.monotonic()
                if self.workers > 0:
                    self.alive = self.answered
            except Exception:  # its connection is being lost
                pass
            time.sleep(1)

    def wait(self):
        """Passes outcomes on until each job has one."""
        threading.Thread(target=self.watch, daemon=True).start()
        while self.futures:
            try:
                index, future = self.ended.get(timeout=1)
            except queue.Empty:
                index = None
            if time.monotonic() - self.alive > LOST_SECONDS:
                raise ClusterError(self.why_lost())
            if index is not None and self.futures.get(index) is future:
                del self.futures[index]
                self.finish(index, future)

    def why_lost(self):
        if self.workers == 0 and time.monotonic() - self.answered < LOST_SECONDS:
            return "the Dask cluster has no workers"
        return "the Dask scheduler does not answer any more"

    def finish(self, index, future):
        if future.status == "finished":
            completed = self.fetch(index, future)
            if completed is not None:
                self.send({"key": index, "outcome": read_outcome(completed)})
        elif future.status in ("cancelled", "lost"):
            # As after a loss of the scheduler, which does not know the job when it comes back.
            self.again(index, "the scheduler has dropped it")
        else:
            self.again(index, repr(future.exception(timeout=LOST_SECONDS)))
        if self.jobs[index]["npu"] and self.waiting and index not in self.futures:
            self.submit(self.waiting.pop(0))

    def end(self):
        """Cancels what waits and ends what runs, as far as the scheduler still answers."""
        timer = threading.Timer(END_SECONDS, os._exit, [1])
        timer.daemon = True
        timer.start()
        self.client.cancel(list(self.futures.values()), force=True)
        self.client.run(subprocess.run, ["/bin/sh", "-c", END, "sh", self.orders["run"]])

    def fetch(self, index, future):
        """The result of the task; None when its machine went down before it arrived, in which case
        the job runs again."""
        try:
            return future.result(timeout=LOST_SECONDS)
        except TimeoutError:
            self.again(index, "its outcome did not arrive")
        except Exception as error:  # of any kind: the task's own is raised here
            self.again(index, repr(error))
        return None

    def again(self, index, why):
        if time.monotonic() - self.alive > LOST_SECONDS:
            raise ClusterError(self.why_lost())
        if self.client.status != "running":
            raise ClusterError("the connection to the Dask scheduler is lost")
        if self.attempts[index] == ATTEMPTS:
            raise ClusterError("case %s: %s" % (self.jobs[index]["label"], why[:500]))
        self.submit(index)


def read_outcome(completed):
    """The outcome that verify-job printed."""
    try:
        outcome = json.loads(completed.stdout.decode())
    except ValueError:
        outcome = None
    if completed.returncode == 0 and isinstance(outcome, dict):
        return outcome
    lines = completed.stderr.decode("utf-8", "replace").strip().splitlines()
    raise ClusterError("a machine of the cluster: %s" % (
        lines[-1] if lines else "verify-job ended with status %d" % completed.returncode))


def send(event):
    data = (json.dumps(event) + "\n").encode()
    while data:
        data = data[os.write(3, data):]


def connect(address):
    try:
        import distributed
    except ImportError as error:
        raise ClusterError("--scheduler needs the Python package distributed (Debian: "
                      "python3-distributed) in %s: %s" % (sys.executable, error)) from error
    try:
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError("no Dask scheduler at %s: %s" % (address, str(error)[:300])) from error


def run(orders):
    def interrupt(_number, _frame):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Interrupted

    jobs = Run(connect(orders["address"]), orders, send)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        jobs.start()
        jobs.wait()
    except (Interrupted, ClusterError) as reason:
        if isinstance(reason, ClusterError):
            send({"error": str(reason)})
        jobs.end()


def main():
    with os.fdopen(4, "rb") as source:
        orders = json.loads(source.read().decode())
    orders["run"] = os.urandom(6).hex()
    try:
        run(orders)
    except ClusterError as error:
        send({"error": str(error)})
    finally:
        # Does not wait for connections to a scheduler that is gone.
        sys.stderr.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
