"""Keeps the kernel's process away from its judge, as far as that is possible for one user.

Processes of the same user can neither trace a process that is not dumpable nor read its memory,
descriptors and environment in /proc, unless they have CAP_SYS_PTRACE. The kernel's process gives that
capability up."""
import contextlib
import ctypes
import os

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 4, 24
_CAPABILITY_VERSION_3 = 0x20080522
# Capabilities that give access to other processes, memory or the machine itself. Drivers of the device
# may need CAP_SYS_ADMIN and CAP_SYS_RAWIO, so mode npu gives up only the first.
_PTRACE = 19
_POWERS = (_PTRACE, 16, 17, 21, 22, 38, 39, 40)  # module, rawio, admin, boot, perfmon, bpf, c/r

_libc = ctypes.CDLL(None, use_errno=True)


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Data(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32),
                ("inheritable", ctypes.c_uint32)]


def hide():
    """From now on other processes can neither trace this one nor look into it."""
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def show():
    """Makes this process an ordinary one again."""
    _libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def give_up_powers(mode):
    """Gives up the capabilities that see through `hide`; false when that is not possible."""
    powers = _POWERS if mode == "sim" else (_PTRACE,)
    for power in powers:
        _libc.prctl(_PR_CAPBSET_DROP, power, 0, 0, 0)
    header, data = _Header(_CAPABILITY_VERSION_3, 0), (_Data * 2)()
    if _libc.capget(ctypes.byref(header), data) != 0:
        return False
    for power in powers:
        for field in ("effective", "permitted", "inheritable"):
            part = data[power // 32]
            setattr(part, field, getattr(part, field) & ~(1 << (power % 32)))
    return _libc.capset(ctypes.byref(header), data) == 0


def close_all_but(kept):
    """Closes every descriptor that is not among `kept`."""
    kept = sorted(kept)
    first = 0
    for descriptor in kept + [None]:
        last = _most_descriptors() if descriptor is None else descriptor
        if first < last:
            with contextlib.suppress(OSError):
                os.closerange(first, last)
        first = last + 1


def _most_descriptors():
    """The highest open descriptor plus 1."""
    try:
        return max(int(name) for name in os.listdir("/proc/self/fd")) + 1
    except (OSError, ValueError):
        return 65536
