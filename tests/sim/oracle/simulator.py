"""The simulator as a process of its own that takes one kernel after the other (runner.py). A kernel that ends it is a
result, too; the next one gets a new process."""
import os
import pickle
import subprocess
import sys

from text import source

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = 1000  # of one process: what the simulator keeps of them must not fill the memory


class Simulator:
    def __init__(self, target, python=(sys.executable,)):
        """`python`: the words that start it."""
        self.target, self.python, self.process, self.count = target, list(python), None, 0

    def start(self, kernel):
        """Hands the kernel over; finish() waits for its result."""
        if self.process is None:
            self.process = subprocess.Popen(
                [*self.python, "-B", os.path.join(HERE, "runner.py")], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, env=dict(os.environ, **self.target.environment()))
        job = source(kernel, self.target), [(p.dtype, p.data) for p in kernel.parameters]
        try:
            pickle.dump(job, self.process.stdin)
            self.process.stdin.flush()
        except BrokenPipeError:  # finish() says how it ended
            pass

    def finish(self):
        """("ok", arrays), ("error", code, text) or ("crash", status, "")."""
        self.count += 1
        try:
            result = pickle.load(self.process.stdout)
        except (EOFError, pickle.UnpicklingError):
            return "crash", "status %d" % self.close(), ""
        if self.count % KERNELS == 0:
            self.close()
        return result

    def run(self, kernel):
        self.start(kernel)
        return self.finish()

    def close(self):
        """The exit status of the process."""
        if self.process is None:
            return 0
        process, self.process = self.process, None
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        return process.wait()
