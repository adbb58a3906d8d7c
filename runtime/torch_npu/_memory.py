"""torch.npu's questions about memory. The virtual device has none of its own: nothing is used, and
all of a 910B's is free."""
import collections

_TOTAL = 64 << 30


def empty_cache():
    """There is none."""


def memory_reserved(device=None):
    """Bytes: none."""
    del device
    return 0


memory_allocated = max_memory_allocated = max_memory_reserved = memory_reserved


def mem_get_info(device=None):
    """(free, all) bytes."""
    del device
    return _TOTAL, _TOTAL


def reset_peak_memory_stats(device=None):
    """There are none."""
    del device


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats


def memory_stats(device=None):
    """All zero, whatever the query."""
    del device
    return collections.defaultdict(int)


def memory_summary(device=None, abbreviated=False):
    """Text."""
    del device, abbreviated
    return "the simulated device keeps no memory of its own"


def memory_snapshot(*_args, **_kwargs):
    """No blocks."""
    return []


def set_per_process_memory_fraction(fraction, device=None):
    """Without effect."""
    del device
    if not 0 <= fraction <= 1:
        raise ValueError("Invalid fraction value: %r. Allowed range: 0~1" % (fraction,))


def caching_allocator_alloc(size, device=None, stream=None):
    """Raw memory of the device is not simulated."""
    raise NotImplementedError("raw memory of the device is not simulated; use torch.empty(%d, "
                              "dtype=torch.uint8, device='npu')" % size)


def caching_allocator_delete(pointer):
    """See caching_allocator_alloc."""
    raise NotImplementedError("raw memory of the device is not simulated (%r)" % (pointer,))
