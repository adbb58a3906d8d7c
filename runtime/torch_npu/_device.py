"""The virtual device: what `tensor.device` and torch.device("npu:0") give, and which tensors are on
it. The mark is an attribute of the tensor object; the memory is the CPU's."""
import re

import torch

_MARK = "_npu_index"
_NAME = re.compile(r"npu(?::(\d+))?\Z")
_real_device = torch.device
_MOST_DEPTH = 8  # of lists in lists in an argument
_state = {"current": 0}


class Device(str):
    """"npu:0". A str, because torch's argument parser takes those as devices."""

    type = "npu"

    def __new__(cls, index):
        made = super().__new__(cls, "npu:%d" % index)
        made.index = index
        return made

    def __repr__(self):
        return "device(type='npu', index=%d)" % self.index

    def __reduce__(self):
        return (Device, (self.index,))


def current():
    """The index that a plain "npu" means."""
    return _state["current"]


def set_current(index):
    """What torch.npu.set_device does."""
    _state["current"] = index


def npu_index(device):
    """The index of a device that is the NPU, None for every other and for what is no device."""
    if isinstance(device, Device):
        return device.index
    if isinstance(device, str):
        match = _NAME.match(device)
        if match:
            return int(match.group(1)) if match.group(1) else current()
    return None


def index_of(tensor):
    """On which virtual device a tensor is; None = the CPU."""
    return getattr(tensor, _MARK, None) if isinstance(tensor, torch.Tensor) else None


def mark(tensor, index):
    """Puts a tensor on a device (None: on the CPU) without copying, and returns it."""
    if index is not None:
        setattr(tensor, _MARK, index)
    elif index_of(tensor) is not None:
        delattr(tensor, _MARK)
    return tensor


def tensors_in(value, depth=0):
    """All tensors in an argument or a result."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)) and depth < _MOST_DEPTH:
        for item in value:
            yield from tensors_in(item, depth + 1)
    elif isinstance(value, dict) and depth < _MOST_DEPTH:
        for item in value.values():
            yield from tensors_in(item, depth + 1)


class _DeviceMeta(type):
    """torch.device, for code that asks isinstance."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, (_real_device, Device))

    def __subclasscheck__(cls, other):
        return issubclass(other, (_real_device, Device))


class device(metaclass=_DeviceMeta):  # noqa: N801  (torch's own name)
    """torch.device that knows "npu"; everything else is the real one's."""

    def __new__(cls, *args, **kwargs):
        kind = args[0] if args else kwargs.get("type")
        index = args[1] if len(args) > 1 else kwargs.get("index")
        if isinstance(kind, str) and kind == "npu" and index is not None:
            return Device(int(index))
        found = npu_index(kind)
        return Device(found) if found is not None else _real_device(*args, **kwargs)


class Generator(torch.Generator):
    """torch.Generator(device="npu") is one of the CPU."""

    def __new__(cls, device="cpu"):  # pylint: disable=redefined-outer-name
        return super().__new__(cls, "cpu" if npu_index(device) is not None else device)


def _module_to(real):
    def to(self, *args, **kwargs):
        target = kwargs.get("device", args[0] if args else None)
        if isinstance(target, torch.Tensor):
            return _mark_module(real(self, target.dtype), index_of(target))
        index = npu_index(target)
        if index is None:
            result = real(self, *args, **kwargs)
            return _mark_module(result, None) if isinstance(target, (str, _real_device)) else result
        args = args[1:] if "device" not in kwargs else args
        kwargs.pop("device", None)
        return _mark_module(real(self, *args, **kwargs) if args or kwargs else self, index)
    return to


def _module_cpu(real):
    def cpu(self):
        return _mark_module(real(self), None)
    return cpu


def _mark_module(module, index):
    for tensor in list(module.parameters()) + list(module.buffers()):
        mark(tensor, index)
    return module


def _load(real):
    def load(f, map_location=None, *args, **kwargs):
        index = npu_index(map_location)
        loaded = real(f, "cpu" if index is not None else map_location, *args, **kwargs)
        if map_location is not None:
            for tensor in tensors_in(loaded):
                mark(tensor, index)
        return loaded
    return load


def install():
    """Replaces the names of torch that must know the device."""
    torch.device = device
    torch.Generator = Generator
    module = torch.nn.Module
    module.to = _module_to(module.to)
    module.cpu = _module_cpu(module.cpu)
    module.npu = lambda self, device=None: self.to(
        Device(current() if device is None else getattr(device, "index", device)))
    torch.load = _load(torch.load)
