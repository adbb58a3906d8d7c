"""The fake of the installed pypto (../../../fake_npu) with the operations of attention_backward.

It knows no valid shapes: positions must be a multiple of a block.
"""
import os

import torch

_BASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../fake_npu/pypto")
__path__.append(_BASE)
with open(os.path.join(_BASE, "__init__.py"), encoding="utf-8") as _file:
    exec(compile(_file.read(), os.path.join(_BASE, "__init__.py"), "exec"))


def set_cube_tile_shapes(*axes):
    """Nothing to set here."""


def full(size, value, dtype):
    return torch.full(size, value, dtype=dtype)


def max(left, right):  # noqa: A001  (the name is PyPTO's)
    return left if left > right else right


def matmul(left, right, dtype, a_trans=False, b_trans=False):
    """FAKE_NPU=layout reads the left matrix as it lies, whatever a_trans says."""
    left = left.transpose(-1, -2) if a_trans and FAULT != "layout" else left
    right = right.transpose(-1, -2) if b_trans else right
    return torch.matmul(left, right).to(dtype)


def cast(value, dtype):
    """FAKE_NPU=wide keeps every value as it is."""
    return value if FAULT == "wide" else value.to(dtype)


def amax(value, dim, keepdim=False):
    return torch.amax(value, dim, keepdim)


def sum(value, dim, keepdim=False):  # noqa: A001  (the name is PyPTO's)
    return torch.sum(value, dim, keepdim)


def where(condition, value, other):
    return torch.where(condition, value, torch.tensor(other, dtype=value.dtype))


tril, triu = torch.tril, torch.triu
gt, maximum, div, log = torch.gt, torch.maximum, torch.div, torch.log
