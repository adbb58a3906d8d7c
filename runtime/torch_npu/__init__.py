"""Stands in for torch_npu where there is no NPU: tensors "on npu:0" are CPU tensors with a mark.

Importing it makes device names such as "npu:0" work in torch, gives torch.npu, and computes matrix
products of marked tensors with the simulator's own kernel, so that references accumulate as kernels
do. docs/simulator.md says what is covered. It is found only where `pypto-lint run` puts it.
"""
import sys

import torch

from . import _compat, _device, _mode, npu
from ._formats import Format, get_npu_format, npu_format_cast
from ._golden import (npu_dtype_cast, npu_dynamic_quant, npu_quant_matmul, npu_quantize,
                      npu_rms_norm, npu_swiglu, npu_trans_quant_param)

__version__ = "%s+ptosim" % torch.__version__.split("+")[0]

hifloat8 = torch.uint8  # its storage; torch has no such dtype

__all__ = ["Format", "get_npu_format", "hifloat8", "npu", "npu_dtype_cast", "npu_dynamic_quant",
           "npu_format_cast", "npu_quant_matmul", "npu_quantize", "npu_rms_norm", "npu_swiglu",
           "npu_trans_quant_param"]


def _install():
    torch.npu = npu
    sys.modules["torch.npu"] = npu
    _device.install()
    _compat.install()
    _mode.install()


_install()
