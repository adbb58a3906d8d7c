"""A fake of the installed pypto: kernels run eagerly on torch tensors, as on a device.

FAKE_NPU chooses how it fails; FAKE_NPU_IMPORT=pypto makes the import fail; FAKE_NPU_LOG names a
file that gets a line for each launch: kernel, mode, start and end.
"""
import enum
import os
import sys
import time

import torch

__version__ = "0.0.fake"
FAULT = os.environ.get("FAKE_NPU", "")

if os.environ.get("FAKE_NPU_IMPORT") == "pypto":
    raise ImportError("libtile_fwk_interface.so: cannot open shared object file: "
                      "No such file or directory")


class RunMode(enum.IntEnum):
    NPU = 0
    SIM = 1


DYNAMIC = DYN = "dynamic"
STATIC = "static"
DT_FP32, DT_FP16, DT_BF16 = torch.float32, torch.float16, torch.bfloat16


class Tensor:
    """An annotation."""

    def __init__(self, shape=None, dtype=None, format=None):
        self.shape, self.dtype = shape, dtype

    def to_tensor(self):
        return self


def _fail(name):
    """What a launch does when it does not do its work."""
    if FAULT == "aicore":
        raise RuntimeError("rtStreamSynchronize failed: aicore error, kernel "
                           "kernel_meta/te_%s_0.cce:117, error code 507015" % name)
    if FAULT == "rtmalloc":
        raise RuntimeError("rtMalloc failed, size 34359738368, runtime result = 207001")
    if FAULT == "jit":
        print("[ERROR] JIT execution failed: ErrCode: F63001! Enum: COMPILE_CODE_FAILED",
              file=sys.stderr, flush=True)
        raise RuntimeError("JIT execution failed")
    if FAULT == "segfault":
        import ctypes
        ctypes.string_at(0)
    if FAULT == "occupied":
        raise RuntimeError("rtSetDevice failed, runtime result = 507899, driver error: "
                           "device is occupied")


class _Kernel:
    """What the decorator makes of a function."""

    def __init__(self, function, runtime_options):
        self._original_func = function
        self._runtime_options = dict(runtime_options or {})
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def __call__(self, *arguments):
        mode = self._runtime_options.get("run_mode")
        start = time.monotonic()
        if FAULT == "slow":
            time.sleep(0.5)
        _fail(self.__name__)
        self._original_func(*arguments)
        if "FAKE_NPU_LOG" in os.environ:
            with open(os.environ["FAKE_NPU_LOG"], "a") as file:
                file.write("%s %r %.6f %.6f\n" % (self.__name__, mode, start, time.monotonic()))


def jit(function=None, **options):
    """The decorator, with or without options."""
    def decorate(inner):
        return _Kernel(inner, options.get("runtime_options"))
    return decorate(function) if function is not None else decorate


def set_vec_tile_shapes(*extents):
    """Nothing to set here."""


def loop(*bounds, **keywords):
    """A Python loop."""
    return range(*bounds)


def view(source, shape, offsets, valid_shape=None):
    """Part of a tensor."""
    extents = valid_shape or shape
    return source[tuple(slice(o, o + e) for o, e in zip(offsets, extents))]


def assemble(tile, offsets, target):
    """Writes a part of a tensor."""
    target[tuple(slice(o, o + e) for o, e in zip(offsets, tile.shape))] = tile


def cast(value, dtype):
    """To another data type, which is torch's own."""
    return value.to(dtype)


def add(left, right):
    return left + right


def sub(left, right):
    return left - right


def mul(left, right):
    """FAKE_NPU=mend undoes the wrong constant that a test plants."""
    if FAULT == "mend" and isinstance(right, float) and right == 0.26:
        right = 0.25
    return left * right


def exp(value):
    """Rounded a little differently than torch does, as a device would; FAKE_NPU=wrong gives values
    that are too large, FAKE_NPU=exact exactly those of torch."""
    if FAULT == "wrong":
        return torch.exp(value) * 1.5
    return torch.exp(value) if FAULT == "exact" else torch.exp(value) * (1 + 2.0 ** -22)


def sigmoid(value):
    return torch.sigmoid(value)


def min(left, right):  # noqa: A001  (the name is PyPTO's)
    return left if left < right else right


from . import frontend  # noqa: E402,F401  (it needs jit)
