"""torch.npu: one virtual device, no streams worth the name."""
import contextlib
import os
import time
import types

import torch

from . import _device
from ._device import Device, npu_index
from ._graph import NPUGraph, graph  # noqa: F401  (part of the interface)

config = types.SimpleNamespace(allow_internal_format=True)
_NAME = "Ascend (simulated)"


def set_device(device):
    """`device`: an index, "npu:N" or a device."""
    index = device if isinstance(device, int) else npu_index(device)
    if index is None or index < 0:
        raise RuntimeError("Invalid NPU device: %r" % (device,))
    _device.set_current(index)


def current_device():
    """Its index."""
    return _device.current()


def device_count():
    """As many as the environment asks for (PTOSIM_DEVICES), else 8: indices are only names."""
    text = os.environ.get("PTOSIM_DEVICES", "")
    return int(text) if text.isdigit() and int(text) > 0 else 8


def is_available():
    """There always is one."""
    return True


def is_initialized():
    """It needs no start."""
    return True


def synchronize(device=None):
    """Nothing runs behind the program's back."""
    del device


def empty_cache():
    """There is none."""


def memory_reserved(device=None):
    """Of the virtual device: nothing."""
    del device
    return 0


memory_allocated = max_memory_allocated = memory_reserved


def get_device_name(device=None):
    """A name that says what it is."""
    del device
    return _NAME


def manual_seed(seed):
    """The CPU's generator is the device's."""
    torch.manual_seed(seed)


manual_seed_all = manual_seed


class Stream:
    """Work is done when it is asked for; a stream is only a name."""

    npu_stream = 0

    def __init__(self, device=None, priority=0):
        self.device = Device(_device.current() if device is None else
                             device if isinstance(device, int) else npu_index(device) or 0)
        self.priority = priority

    def synchronize(self):
        """Nothing to wait for."""

    def wait_stream(self, other):
        """Nothing to wait for."""

    def query(self):
        """Always done."""
        return True


class Event:
    """A point in time that has always passed."""

    def __init__(self, enable_timing=False, **_others):
        self._time = None
        self._timing = enable_timing

    def record(self, stream=None):
        """Notes the time."""
        del stream
        self._time = time.perf_counter()

    def elapsed_time(self, end):
        """Milliseconds of the host's clock."""
        return (end._time - self._time) * 1e3

    def synchronize(self):
        """Nothing to wait for."""

    def query(self):
        """Always done."""
        return True


_default_stream = Stream(0)
_streams = [_default_stream]  # of the blocks that are open


def current_stream(device=None):
    """That of the block."""
    del device
    return _streams[-1]


def default_stream(device=None):
    """That outside all blocks."""
    del device
    return _default_stream


def set_stream(chosen):
    """From here on."""
    _streams[-1] = chosen


@contextlib.contextmanager
def stream(chosen):
    """A block "on" a stream."""
    _streams.append(chosen)
    try:
        yield chosen
    finally:
        _streams.pop()


@contextlib.contextmanager
def device(chosen):
    """A block with another current device."""
    before = current_device()
    set_device(chosen)
    try:
        yield
    finally:
        _device.set_current(before)
