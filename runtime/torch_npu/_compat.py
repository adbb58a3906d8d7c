"""Names of newer torch that programs around kernels use and that an old torch does not have, and
the ways into compilers, which are none here."""
import importlib
import importlib.util
import sys
import types

import torch


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
    module.config = types.SimpleNamespace()
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


def _torchair():
    module = types.ModuleType("torchair")
    module.CompilerConfig = types.SimpleNamespace
    module.get_npu_backend = lambda *args, **kwargs: "npu"
    return module


def _takes_fragments(library):
    try:
        library("ptosim_probe", "FRAGMENT")
        return True
    except (ValueError, RuntimeError):
        return False


def install():
    """Adds what is missing."""
    if not hasattr(torch, "concatenate"):
        torch.concatenate = torch.cat
    if not hasattr(torch, "unravel_index"):
        torch.unravel_index = _unravel_index
    torch.compile = _compile  # the real one would look into every function of the stand-in
    if not hasattr(torch, "_dynamo"):
        torch._dynamo = sys.modules["torch._dynamo"] = _dynamo()
    library = importlib.import_module("torch.library")
    library.Library.impl = _with_cpu_keys(library.Library.impl)
    if not _takes_fragments(library.Library):
        library.Library = _Libraries(library.Library)
    library.impl = _with_cpu_keys(library.impl)
    if importlib.util.find_spec("torchair") is None:
        sys.modules["torchair"] = _torchair()
