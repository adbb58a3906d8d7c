"""Names of newer torch that programs around kernels use and that an old torch does not have, and
the ways into compilers, which do not exist here."""
import importlib
import importlib.util
import sys
import types

import torch

from . import _newer


def _unravel_index(indices, shape):
    """The coordinates of flat indices, one tensor an axis."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    found = []
    for size in reversed(sizes):
        found.append(indices % size)
        indices = torch.div(indices, size, rounding_mode="floor")
    return tuple(reversed(found))


def _compile(model=None, **_options):
    """torch.compile: the model as it is, or a decorator that leaves it so."""
    return (lambda function: function) if model is None else model


def _dynamo():
    module = types.ModuleType("torch._dynamo")
    module.allow_in_graph = lambda function: function
    module.disable = lambda function=None, recursive=True: (
        (lambda inner: inner) if function is None else function)
    module.reset = lambda: None
    module.mark_dynamic = module.mark_static = lambda *_args, **_kwargs: None
    module.disallow_in_graph = module.assume_constant_result = lambda function: function
    module.is_compiling = lambda: False
    module.optimize = lambda *_args, **_kwargs: lambda function: function
    module.config = types.SimpleNamespace()
    return module


def _compiler():
    module = types.ModuleType("torch.compiler")
    module.allow_in_graph = module.assume_constant_result = lambda function: function
    module.disable = torch._dynamo.disable if hasattr(torch, "_dynamo") else (
        lambda function=None, recursive=True: function or (lambda inner: inner))
    module.is_compiling = module.is_dynamo_compiling = lambda: False
    module.reset = lambda: None
    return module


class _Libraries:
    """Libraries of kind FRAGMENT: several may extend one namespace, which old torch allows to one
    definition only."""

    def __init__(self, real):
        self._real = real
        self._defined = {}

    def __call__(self, ns, kind, dispatch_key=""):
        if kind != "FRAGMENT":
            return self._real(ns, kind, _cpu_key(dispatch_key))
        if ns not in self._defined:
            self._defined[ns] = self._real(ns, "DEF", _cpu_key(dispatch_key))
        return self._defined[ns]


_CPU_KEYS = {"NPU": "CPU", "PrivateUse1": "CPU", "AutogradPrivateUse1": "AutogradCPU",
             "npu": "cpu", "privateuseone": "cpu"}


def _cpu_key(key):
    """Kernels of the device are the CPU's here."""
    return _CPU_KEYS.get(key, key) if isinstance(key, str) else key


def _with_cpu_keys(real):
    """A function that registers kernels, with the device's keys replaced."""
    def register(*args, **kwargs):
        return real(*map(_cpu_key, args),
                    **{name: _cpu_key(value) for name, value in kwargs.items()})
    return register


def _takes_fragments(library):
    try:
        library("ptosim_probe", "FRAGMENT")
        return True
    except (ValueError, RuntimeError):
        return False


def _registrations():
    """Operators that are registered for a kind of device by name."""
    library = torch.library
    for name in ("custom_op", "register_kernel"):
        real = getattr(library, name, None)
        if real is not None:
            setattr(library, name, _with_cpu_types(real))


def _with_cpu_types(real):
    def register(*args, **kwargs):
        kinds = kwargs.get("device_types")
        if isinstance(kinds, str):
            kwargs["device_types"] = _cpu_key(kinds)
        elif isinstance(kinds, (list, tuple)):
            kwargs["device_types"] = sorted({_cpu_key(kind) for kind in kinds})
        return real(*map(_cpu_key, args), **kwargs)
    return register


def _autocast():
    """torch.autocast("npu") is the CPU's. Without a dtype the device's is F16."""
    real = torch.autocast

    class autocast(real):  # noqa: N801  (torch's own name)
        """torch.autocast that knows "npu"."""

        def __init__(self, device_type="npu", dtype=None, enabled=True, **others):
            if str(device_type).partition(":")[0] == "npu":
                device_type = "cpu"
                enabled = enabled and dtype not in (None, torch.float16)
                dtype = dtype if enabled else torch.bfloat16
            super().__init__(device_type, dtype=dtype, enabled=enabled, **others)

    torch.autocast = autocast
    if hasattr(torch, "amp"):
        torch.amp.autocast = autocast


def _distributed():
    """The device's communication library is not here: a group of processes talks through gloo."""
    group = getattr(torch, "distributed", None)
    real = getattr(group, "init_process_group", None)
    if real is None:
        return

    def init_process_group(backend=None, *args, **kwargs):
        if isinstance(backend, str) and "hccl" in backend:
            backend = "gloo"
        kwargs.pop("pg_options", None)
        return real(backend, *args, **kwargs)

    group.init_process_group = init_process_group


def _accelerator():
    """torch.accelerator of torch 2.6: the device."""
    module = getattr(torch, "accelerator", None)
    if module is None:
        return
    npu = torch.npu
    module.current_accelerator = lambda *_args, **_kwargs: torch.device("npu")
    module.is_available = npu.is_available
    module.device_count = npu.device_count
    module.current_device_index = module.current_device_idx = npu.current_device
    module.set_device_index = module.set_device_idx = npu.set_device
    module.synchronize = npu.synchronize
    module.current_stream = npu.current_stream


def install():
    """Adds what is missing."""
    if not hasattr(torch, "concatenate"):
        torch.concatenate = torch.cat
    if not hasattr(torch, "unravel_index"):
        torch.unravel_index = _unravel_index
    if not hasattr(torch, "compiler"):
        torch.compiler = sys.modules["torch.compiler"] = _compiler()
    torch.compile = _compile  # the real one would look into every function of the stand-in
    if not hasattr(torch, "_dynamo"):
        torch._dynamo = sys.modules["torch._dynamo"] = _dynamo()
    library = importlib.import_module("torch.library")
    library.Library.impl = _with_cpu_keys(library.Library.impl)
    if not _takes_fragments(library.Library):
        library.Library = _Libraries(library.Library)
    library.impl = _with_cpu_keys(library.impl)
    _newer.install(_cpu_key)
    _registrations()
    _autocast()
    _distributed()
    _accelerator()
