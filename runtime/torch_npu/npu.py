"""torch.npu: one virtual device, no streams worth the name."""
import contextlib
import os
import time
import types

import torch

from . import _device, _memory
from ._device import Device, npu_index
from ._graph import (NPUGraph, graph, graph_pool_handle,  # noqa: F401  (part of the interface)
                     is_current_stream_capturing, make_graphed_callables)
from ._limits import (get_device_limit, get_stream_limit,  # noqa: F401
                      reset_stream_limit, set_device_limit, set_stream_limit)
from ._memory import (caching_allocator_alloc, caching_allocator_delete,  # noqa: F401
                      empty_cache, max_memory_allocated, max_memory_reserved, mem_get_info,
                      memory_allocated, memory_reserved, memory_snapshot, memory_stats,
                      memory_summary, reset_max_memory_allocated, reset_max_memory_cached,
                      reset_peak_memory_stats, set_per_process_memory_fraction)

config = types.SimpleNamespace(allow_internal_format=True)
matmul = types.SimpleNamespace(allow_hf32=False)  # products are exact in F32 in any case
conv = types.SimpleNamespace(allow_hf32=True)
_NAME = "Ascend (simulated)"


def set_device(device):
    """`device`: an index, "npu:N" or a device."""
    index = npu_index(device)
    if index is None:
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
    """Nothing runs asynchronously."""
    del device


def init():
    """It needs no start."""


def is_bf16_supported():
    """It is."""
    return True


def can_device_access_peer(device, peer):
    """All of them are the CPU's memory."""
    return npu_index(device) is not None and npu_index(peer) is not None


def get_device_capability(device=None):
    """The product has no such pair."""
    del device


def get_device_properties(device=None):
    """Name, memory and number of cores, of the hardware that is simulated."""
    del device
    return types.SimpleNamespace(name=_NAME, total_memory=64 << 30, multi_processor_count=24,
                                 cube_core_num=24, vector_core_num=48, major=0, minor=0)


def get_device_name(device=None):
    """A name that says what it is."""
    del device
    return _NAME


def manual_seed(seed):
    """The CPU's generator is the device's."""
    torch.manual_seed(seed)


manual_seed_all = manual_seed


def seed():
    """A seed of the system's."""
    torch.seed()


seed_all = seed


def initial_seed():
    """The seed."""
    return torch.initial_seed()


def get_rng_state(device=None):
    """The generator's state."""
    del device
    return torch.get_rng_state()


def set_rng_state(new_state, device=None):
    """What get_rng_state gave."""
    del device
    torch.set_rng_state(new_state)


def get_rng_state_all():
    """One device, one state."""
    return [get_rng_state()]


def set_rng_state_all(new_states):
    """What get_rng_state_all gave."""
    for state in new_states:
        set_rng_state(state)


class Stream:
    """Work is done when it is asked for; a stream is only a name."""

    npu_stream = 0
    stream_id = device_index = 0
    device_type = "npu"

    def __init__(self, device=None, priority=0, **_others):
        self.device = Device(_device.current() if device is None else npu_index(device) or 0)
        self.priority = priority

    def synchronize(self):
        """Nothing to wait for."""

    def wait_stream(self, other):
        """Nothing to wait for."""

    def wait_event(self, event):
        """Nothing to wait for."""

    def record_event(self, event=None):
        """An event that has passed."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def query(self):
        """Always done."""
        return True

    def __enter__(self):
        _streams.append(self)
        return self

    def __exit__(self, *exception):
        _streams.pop()
        return False


class Event:
    """A point in time that has always passed."""

    def __init__(self, enable_timing=False, **_others):
        self._time = None
        self._timing = enable_timing

    def record(self, stream=None):
        """Notes the time."""
        del stream
        self._time = time.perf_counter()

    def wait(self, stream=None):
        """Nothing to wait for."""

    def elapsed_time(self, end):
        """Milliseconds of the host's clock."""
        if self._time is None or end._time is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
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
    """A block "on" a stream; None is the one that is there."""
    _streams.append(_streams[-1] if chosen is None else chosen)
    try:
        yield chosen
    finally:
        _streams.pop()


@contextlib.contextmanager
def device(chosen):
    """A block with another current device."""
    before = current_device()
    if chosen is not None:
        set_device(chosen)
    try:
        yield
    finally:
        _device.set_current(before)


def set_compile_mode(jit_compile=None):
    """How the product compiles its own operators."""
    del jit_compile


def set_option(options):
    """Settings of the product's own operators."""
    if not isinstance(options, dict):
        raise TypeError("npu option must be a dict, not %s" % type(options).__name__)


def set_deterministic_level(level):
    """Everything is deterministic."""
    del level


def is_jit_compile_false():
    """Nothing is compiled."""
    return True


def get_soc_version():
    """The number that the driver gives an Ascend 910B."""
    return 220


def ipc_collect():
    """Nothing is shared with other processes."""


def finalize_dump():
    """Nothing is dumped."""


init_dump = set_dump = finalize_dump


class _Amp:
    """torch.npu.amp"""

    @staticmethod
    def autocast(enabled=True, dtype=torch.float16, cache_enabled=True):
        """torch.autocast("npu")"""
        return torch.autocast("npu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)

    @property
    def GradScaler(self):
        """Of the CPU: off."""
        return lambda *_args, **_kwargs: torch.cuda.amp.GradScaler(enabled=False)


amp = _Amp()
memory = _memory


def _tensor_type(dtype):
    def make(*args):
        values = torch.tensor(*args) if args and isinstance(args[0], (list, tuple)) \
            else torch.empty(*args)
        return values.to(Device(_device.current()), dtype)
    return make


FloatTensor, HalfTensor, BFloat16Tensor, DoubleTensor, IntTensor, LongTensor, ShortTensor, \
    CharTensor, ByteTensor, BoolTensor = map(_tensor_type, (
        torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.int64,
        torch.int16, torch.int8, torch.uint8, torch.bool))
