"""The worker as a process of its own: mode npu with stand-ins for the installed packages, and what
only shows in a fresh interpreter.

Usage: test_worker_process.py SHARE [UNITTEST_ARGUMENTS…]
"""
import os

import worker_support
from worker_support import WorkerTest, run_process

FAKE_NPU = """
import os, sys, types
import torch
__version__ = "7.7.fake"
npu = types.ModuleType("torch.npu")
_pid = os.getpid()
npu.is_available = lambda: os.environ.get("FAKE") not in (
    ("absent",) if os.getpid() == _pid else ("absent", "fork"))
npu.set_device = lambda index: setattr(npu, "chosen", index)
npu.synchronize = lambda: setattr(npu, "waited", True)
npu.get_device_name = lambda index: "Ascend910B9"
torch.npu = npu
if os.environ.get("FAKE") == "library":
    raise ImportError("libascend_hal.so: cannot open shared object file: No such file")
"""
FAKE_PYPTO = """
import enum, os
__version__ = os.environ.get("FAKE_VERSION", "0.2.1")

class RunMode(enum.IntEnum):
    NPU = 0
    SIM = 1

class Kernel:
    def __init__(self, function, runtime_options=None):
        self.function, self._runtime_options = function, runtime_options
        self.__name__ = function.__name__
    def __call__(self, *args):
        print("mode", self._runtime_options["run_mode"].name,
              sorted(set(self._runtime_options) - {"run_mode"}))
        self.function(*args)
"""
FAKE_FRONTEND = """
from . import Kernel

import sys

def jit(function=None, *, runtime_options=None):
    def make(inner):
        made = Kernel(inner, runtime_options)
        made.captured = sorted(captured)
        return made
    captured = sys._getframe(1).f_locals
    return make if function is None else make(function)
"""
IMPLEMENTATION = """
import pypto
import pypto.frontend
from pypto.frontend import jit

@pypto.frontend.jit
def plain(x, y):
    y.copy_(x * 2.0)

@jit(runtime_options={"run_mode": pypto.RunMode.SIM, "stitch_function_max_num": 3})
def asks_for_another(x, y):
    y.copy_(x * 2.0)

def factory():
    secret = 3  # the decorator sees it

    @pypto.frontend.jit
    def made_late(x, y):
        y.copy_(x * 2.0)
    return made_late

def double_module1_wrapper(x):
    y = x * 0
    for kernel in (plain, asks_for_another, factory()):
        kernel(x, y)
    print(kernel.captured)
    return y
"""


class Npu(WorkerTest):
    """torch is the real one where something is computed, else one that loads faster."""

    def setUp(self):
        super().setUp()
        self.write("fake/torch_npu/__init__.py", FAKE_NPU)
        self.write("fake/pypto/__init__.py", FAKE_PYPTO + "\nfrom . import frontend\n")
        self.write("fake/pypto/frontend.py", FAKE_FRONTEND)
        self.write("fast/torch.py", "__version__ = '9.9.fake'\n")
        self.write("modules/double_module1_impl.py", IMPLEMENTATION)
        self.inputs(worker_support.INPUTS.replace(', device="npu:0"', ""))

    def run_npu(self, *more, **variables):
        harness = os.path.join(worker_support.SHARE, "harness")
        variables.setdefault("ASCEND_HOME_PATH", "/somewhere")
        path = [harness, self.path("fake")] + [self.path(folder) for folder in more]
        told = run_process(self.job(mode="npu"), path, **variables)
        self.assertEqual((told.status, told.results), (0, 1), told)
        return told

    def test_every_kernel_runs_on_the_device(self):
        told = self.run_npu()
        self.assertEqual((told.end, told.leaf["all_close"]), ("compared", True), told)
        self.assertEqual((told.launches, told.ops), (None, None))
        self.assertEqual(told.log.splitlines(), ["mode NPU []",
                                                 "mode NPU ['stitch_function_max_num']",
                                                 "mode NPU []", "['secret']"])
        environment = dict(told.environment)
        for name in ("python", "torch"):
            self.assertTrue(environment.pop(name))
        self.assertEqual(environment, {
            "pypto": "0.2.1", "torch_npu": "7.7.fake", "backend": "pypto", "soc": "Ascend910B9",
            "profile": None, "sim_values": False})

    def assert_unavailable(self, part, **variables):
        told = self.run_npu("fast", **variables)
        self.assertEqual((told.end, told.stage, told.error["kind"], told.leaves, told.stages),
                         ("unavailable", "setup", "infra", [], []), told)
        self.assertIn(part, told.error["message"])

    def test_unavailable(self):
        self.assert_unavailable("ASCEND_HOME_PATH is not set", ASCEND_HOME_PATH="")
        self.assert_unavailable("torch.npu.is_available() is false", FAKE="absent")
        self.assert_unavailable("libascend_hal.so", FAKE="library")
        self.assert_unavailable("the simulator's pypto", FAKE_VERSION="0.1.0+ptosim")
        self.assert_unavailable("the extension that compares cannot be loaded",
                                PYPTO_LINT_SIM_HOME="/nowhere")
        os.rename(self.path("fake/torch_npu"), self.path("fake/other"))
        self.assert_unavailable("No module named 'torch_npu'")


    def test_a_device_that_the_kernel_does_not_get(self):
        """It is neither the reference's fault nor the kernel's."""
        told = self.run_npu(FAKE="fork")
        self.assert_raised(told, "implementation", "infra", "Unavailable", "is_available")


class Fresh(WorkerTest):
    def path_of_sim(self):
        return [os.path.join(worker_support.SHARE, part) for part in ("sim", "harness")]

    def test_a_job(self):
        told = run_process(self.job(), self.path_of_sim())
        self.assertEqual((told.status, told.end, told.leaf["all_close"], told.launches),
                         (0, "compared", True, 1), told)
        self.assertEqual(told.log, "")

    def test_a_folder_that_shadows(self):
        """Neither the folder that it is started in nor the operator's is asked for our modules."""
        for name in ("json.py", "ctypes.py", "fcntl.py", "torch.py", "numpy.py",
                     "detailed_tensor_compare.py"):
            self.write(name, "raise ValueError('shadow')\n")
        before = os.getcwd()
        try:
            os.chdir(self.folder)
            told = run_process(self.job(), self.path_of_sim())
        finally:
            os.chdir(before)
        self.assertEqual((told.status, told.result and told.end), (0, "compared"), told)

    def test_no_torch(self):
        self.write("none/torch.py", "raise ImportError(\"No module named 'torch'\")\n")
        told = run_process(self.job(), [self.path("none")] + self.path_of_sim())
        self.assertEqual((told.status, told.end, told.error["kind"]), (0, "unavailable", "infra"))
        self.assertIn("import torch", told.error["message"])

    def test_a_job_that_is_none(self):
        told = run_process("rubbish", self.path_of_sim())
        self.assertEqual((told.status, told.result), (1, None), told)
        self.assertIn("pypto-lint worker: ", told.log)


if __name__ == "__main__":
    worker_support.main()
