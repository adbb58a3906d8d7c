"""Stands in for torch_npu where there is no NPU: tensors "on npu:0" are CPU tensors with a mark.

Importing it makes device names such as "npu:0" work in torch, gives torch.npu, and computes matrix
products of marked tensors with the simulator's own kernel, so that references accumulate as kernels
do. docs/kernel-authors/simulator.md says what is covered. It is found only where `pypto-lint run` puts it.
"""
import importlib
import sys

import torch

from . import _autograd, _compat, _device, _dtypes, _routes, npu
from . import contrib, profiler  # noqa: F401  (part of the interface)
from ._formats import (Format, get_npu_format, get_storage_size, npu_format_cast,
                       npu_format_cast_)
from ._golden import *  # noqa: F401,F403
from ._hifloat import hifloat8
from ._golden import __all__ as _operators
from ._models import *  # noqa: F401,F403
from ._models import __all__ as _model_operators

__version__ = "%s+ptosim" % torch.__version__.split("+")[0]

float4_e2m1fn_x2 = float4_e1m2fn_x2 = torch.uint8

__all__ = ["Format", "get_npu_format", "get_storage_size", "hifloat8", "npu", "npu_format_cast",
           "npu_format_cast_"] + _operators + _model_operators


def __getattr__(name):
    if name in ("dynamo", "testing"):  # seldom used
        return importlib.import_module("torch_npu." + name)
    if name.startswith("npu_"):
        raise AttributeError("the simulator's torch_npu has no operator '%s'; it has %s. Write the "
                             "reference with torch's own functions" % (name, ", ".join(
                                 sorted(known for known in __all__ if known.startswith("npu_")))))
    raise AttributeError("module 'torch_npu' has no attribute '%s' (this is the simulator's "
                         "stand-in)" % name)


def _install():
    torch.npu = npu
    sys.modules["torch.npu"] = npu
    _dtypes.install()
    _device.install()
    _compat.install()
    _autograd.install()
    _routes.install()
    for name in __all__:  # the operators are also torch's
        if name.startswith("npu_"):
            setattr(torch.ops.npu, name, globals()[name])
            if not hasattr(torch, name):
                setattr(torch, name, globals()[name])


_install()
