"""What the tests of the Python worker share: small operators, and jobs run in forks of this
process, which has loaded the packages once. A fork's streams and result come back.

Usage of each test file: test_worker_*.py SHARE [UNITTEST_ARGUMENTS…], where SHARE is
share/pypto-lint of the build. Status 77 (skipped) without torch.
"""
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from harness_support import scaled

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = scaled(60)  # seconds that no job of a test needs
SHARE = ""
# The double of x, kernel and all; row counts are multiples of 16.
IMPLEMENTATION = """
import torch
import pypto

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32),
           y: pypto.Tensor([pypto.DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    for i in pypto.loop(0, x.shape[0], 16):
        y[i:i + 16, :] = x[i:i + 16, :] * 2.0

def double_module1_wrapper(x):
    y = torch.empty_like(x)
    kernel(x, y)
    return y
"""
GOLDEN = """
import torch

def double_module1_golden(x):
    return (x * 2.0,)
"""
INPUTS = """
import torch

PRIMARY_INPUT_ORDER = ["x"]

def make_inputs(case):
    torch.manual_seed(case.get("seed", 42))
    return {"x": torch.rand(case["shape"]["R"], 16, device="npu:0") + 0.5}
"""
CASE = {"id": "L2_canonical", "level": "L2", "shape": {"R": 32}}


class Told:
    """What a worker told: the result, the stages before it, its log and its status."""

    def __init__(self, result, log, status):
        self.log, self.status = log.decode("utf-8", "replace"), status
        lines = result.decode("ascii").splitlines()
        documents = [json.loads(line) for line in lines]
        self.stages = [d["at"] for d in documents if "at" in d]
        self.all_bytes = result + log
        finals = [d for d in documents if "at" not in d]
        self.result = finals[0] if finals else None
        self.results = len(finals)

    def __getattr__(self, name):
        return self.result[name]

    def __str__(self):
        return "%s\n%s\nstatus %s" % (json.dumps(self.result), self.log, self.status)

    @property
    def leaf(self):
        """The only one."""
        (leaf,) = self.result["leaves"]
        return leaf


def _read_all(pipes, pid):
    """What comes from the pipes until all are closed; the process is killed when it takes long."""
    got = {pipe: b"" for pipe in pipes}
    open_ones, deadline = set(pipes), time.monotonic() + LONGEST
    while open_ones:
        ready, _, _ = select.select(list(open_ones), [], [], max(0, deadline - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            break
        for pipe in ready:
            data = os.read(pipe, 65536)
            got[pipe] += data
            if not data:
                open_ones.discard(pipe)
    return [got[pipe] for pipe in pipes]


def _child(job, log, result, variables):
    """The fork: descriptors as a worker has them."""
    os.setpgid(0, 0)
    os.environ.update(variables)
    here, there = os.pipe()
    os.write(there, json.dumps(job).encode())
    os.close(there)
    high = [os.dup2(fd, 100 + i) for i, fd in enumerate((log, result, here))]
    for number, descriptor in zip((1, 2, 3, 4), (high[0], high[0], high[1], high[2])):
        os.dup2(descriptor, number)
    os.closerange(5, 256)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)
    from pypto_lint_worker import __main__ as worker
    worker.start()


def run_job(job, **variables):
    """Runs a job of mode sim in a fork."""
    sys.stdout.flush()
    sys.stderr.flush()
    log, result = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            sys.argv = sys.argv[:1]
            _child(job, log[1], result[1], variables)
        finally:
            os._exit(99)
    os.close(log[1])
    os.close(result[1])
    try:
        told = _read_all([result[0], log[0]], pid)
    finally:
        os.close(log[0])
        os.close(result[0])
    return Told(*told, os.waitpid(pid, 0)[1])


def run_process(job, path, *options, **variables):
    """Runs a job in an interpreter of its own; `path` are the folders of PYTHONPATH."""
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(("PTOSIM_", "PYPTO_LINT_", "PYTHON", "ASCEND_"))}
    environment.update(PYTHONPATH=os.pathsep.join(path), PYTHONDONTWRITEBYTECODE="1",
                       PYPTO_LINT_SIM_HOME=os.path.join(SHARE, "sim"))
    environment.update(variables)
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as result:
        source.write(json.dumps(job).encode())
        source.seek(0)

        def descriptors():
            high = [os.dup2(file.fileno(), 100 + i) for i, file in enumerate((result, source))]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
            os.closerange(5, 256)

        done = subprocess.run([sys.executable, "-m", "pypto_lint_worker"] + list(options),
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, preexec_fn=descriptors, close_fds=False,
                              timeout=LONGEST, check=False)
        result.seek(0)
        return Told(result.read(), done.stdout, done.returncode)


class WorkerTest(unittest.TestCase):
    """An operator `double` in a folder of its own; tests replace files of it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="worker-", dir=os.getcwd())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("modules/double_module1_impl.py", IMPLEMENTATION)
        self.write("modules/double_module1_golden.py", GOLDEN)
        self.write("eval/test_inputs.py", INPUTS)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return self.path(name)

    def implementation(self, text):
        """Another wrapper behind the kernel."""
        head = IMPLEMENTATION[:IMPLEMENTATION.index("def double_module1_wrapper")]
        self.write("modules/double_module1_impl.py", head + textwrap.dedent(text))

    def golden(self, text):
        self.write("modules/double_module1_golden.py", text)

    def inputs(self, text):
        self.write("eval/test_inputs.py", text)

    def job(self, **changes):
        """A job of kind `case`."""
        case = dict(CASE, **changes.pop("case", {}))
        job = {"kind": "case", "mode": "sim", "op_dir": self.folder, "op_name": "double",
               "suffix": "1", "module": 1, "impl": self.path("modules/double_module1_impl.py"),
               "golden": self.path("modules/double_module1_golden.py"),
               "golden_function": "double_module1_golden",
               "wrapper_function": "double_module1_wrapper",
               "inputs": self.path("eval/test_inputs.py"), "case": case, "precision": True,
               "atol": 1e-3, "rtol": 1e-3}
        job.update(changes)
        return job

    def run_case(self, **changes):
        """The case, and that it ended in good order."""
        told = run_job(self.job(**changes))
        self.assertEqual((told.status, told.results), (0, 1), told)
        return told

    def assert_raised(self, told, stage, kind, name, *parts):
        """It ended with this exception."""
        self.assertEqual((told.end, told.stage, told.error["type"], told.error["kind"]),
                         ("raised", stage, name, kind), told)
        for part in parts:
            self.assertIn(part, told.error["message"])

    def assert_contract(self, told, stage, *parts):
        """It ended for want of a name."""
        self.assertEqual((told.end, told.stage, told.error["kind"]),
                         ("contract", stage, "naming"), told)
        for part in parts:
            self.assertIn(part, told.error["message"])


def main():
    """Loads the packages, then runs the tests of the calling file."""
    global SHARE
    if len(sys.argv) < 2:
        sys.exit("usage: %s SHARE" % sys.argv[0])
    SHARE = os.path.abspath(sys.argv.pop(1))
    sys.dont_write_bytecode = True
    sys.path[1:1] = [os.path.join(SHARE, "sim"), os.path.join(SHARE, "harness")]
    os.environ["PYPTO_LINT_SIM_HOME"] = os.path.join(SHARE, "sim")
    os.environ["PYPTO_LINT_REDACT"] = "1"
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        import torch  # noqa: F401  pylint: disable=unused-import
    except ImportError:
        sys.exit(77)
    from pypto_lint_worker import backend, case, compose, golden_tests  # noqa: F401
    backend.load("sim")
    unittest.main(module="__main__")
