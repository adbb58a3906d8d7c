"""A fake of the installed torch_npu: device names "npu:N" mean the CPU.

FAKE_NPU_IMPORT chooses a symptom of a broken environment.
"""
import os
import sys
import types

import torch

__version__ = "0.0.fake"
SYMPTOM = os.environ.get("FAKE_NPU_IMPORT", "")

if SYMPTOM == "hccl":
    raise ImportError("libhccl.so: cannot open shared object file: No such file or directory")
if SYMPTOM == "atb":
    raise ImportError("libatb.so: cannot open shared object file: No such file or directory")
if SYMPTOM == "ascend_hal":
    raise ImportError(
        "libascend_hal.so: cannot open shared object file: No such file or directory")
if SYMPTOM == "hang":
    import time
    if "FAKE_NPU_BEGUN" in os.environ:
        open(os.environ["FAKE_NPU_BEGUN"], "w").close()
    time.sleep(3600)
if SYMPTOM == "crash":
    os.abort()

_DEVICE = torch.device


class _Meta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _DEVICE)


class _Device(metaclass=_Meta):
    def __new__(cls, name, *index):
        if isinstance(name, str) and name.split(":")[0] == "npu":
            return _DEVICE("cpu")
        return _DEVICE(name, *index)


def _to(inner):
    def to(self, *arguments, **keywords):
        arguments = tuple("cpu" if str(a).split(":")[0] == "npu" else a for a in arguments)
        if "device" in keywords:
            keywords["device"] = _Device(keywords["device"])
        return inner(self, *arguments, **keywords)
    return to


def _maker(inner):
    def make(*arguments, **keywords):
        if isinstance(keywords.get("device"), str):
            keywords["device"] = _Device(keywords["device"])
        return inner(*arguments, **keywords)
    return make


torch.device = _Device
torch.Tensor.to = _to(torch.Tensor.to)
for _name in ("empty", "zeros", "ones", "full", "rand", "randn", "tensor", "arange"):
    setattr(torch, _name, _maker(getattr(torch, _name)))

npu = types.ModuleType("torch.npu")
npu.is_available = lambda: SYMPTOM != "no_device"
npu.device_count = lambda: 0 if SYMPTOM == "no_device" else 1
npu.current_device = lambda: 0
npu.set_device = lambda device: None
npu.synchronize = lambda device=None: None
npu.get_device_name = lambda device=0: "Fake910"
torch.npu = npu
sys.modules["torch.npu"] = npu
