"""The virtual device: what `tensor.device` and torch.device("npu:0") give, and which tensors are on
it. The mark is an attribute of the tensor object; the memory is the CPU's."""
import re

import torch

_MARK = "_npu_index"
_NAME = re.compile(r"npu(?::(\d+))?\Z")
_real_device = torch.device
_MOST_DEPTH = 8  # of lists in lists in an argument
_state = {"current": 0, "default": None}
_known = {}  # index → Device: they are asked for often

torch.Tensor._npu_index = None  # so that every tensor has the attribute


class Device(str):
    """"npu:0". A str, because torch's argument parser takes those as devices."""

    type = "npu"

    def __new__(cls, index):
        made = _known.get(index)
        if made is None:
            made = super().__new__(cls, "npu:%d" % index)
            made.index = index
            _known[index] = made
        return made

    def __repr__(self):
        return "device(type='npu', index=%d)" % self.index

    def __reduce__(self):
        return (Device, (self.index,))

    def __enter__(self):
        """`with torch.device("npu"):` what is made in the block is made there."""
        self.__dict__.setdefault("_outer", []).append(set_default(self))
        return self

    def __exit__(self, *exception):
        set_default(self._outer.pop())
        return False


def current():
    """The index that a plain "npu" means."""
    return _state["current"]


def set_current(index):
    """What torch.npu.set_device does."""
    _state["current"] = index


def take_cuda():
    """From here on "cuda" means "npu"."""
    global _NAME
    _NAME = re.compile(r"(?:npu|cuda)(?::(\d+))?\Z")


def npu_index(device):
    """The index of an NPU device; None for other devices and for values that do not name a device. A
    plain integer names an NPU, as that is the machine's accelerator; True does not."""
    if isinstance(device, Device):
        return device.index
    if isinstance(device, str):
        match = _NAME.match(device)
        if match:
            return int(match.group(1)) if match.group(1) else current()
    elif type(device) is int and device >= 0:
        return device
    return None


def index_of(tensor):
    """On which virtual device a tensor is; None = the CPU, or no tensor."""
    return getattr(tensor, _MARK, None) if isinstance(tensor, torch.Tensor) else None


def mark(tensor, index):
    """Puts a tensor on a device (None: on the CPU) without copying, and returns it."""
    if tensor._npu_index != index:
        tensor._npu_index = index
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


def set_default(device):
    """Sets the device on which factories make tensors by default; returns the previous one. The routes keep the
    index for what torch makes on the CPU."""
    from . import _routes
    old = _state["default"]
    index = npu_index(device)
    _state["default"] = device if index is not None else None
    _routes.set_default_index(index)
    return old


class _DeviceMeta(type):
    """torch.device, for code that asks isinstance."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, (_real_device, Device))

    def __subclasscheck__(cls, other):
        return issubclass(other, (_real_device, Device))


class device(metaclass=_DeviceMeta):  # noqa: N801  (torch's own name)
    """torch.device that knows "npu"; everything else is the real one's."""

    def __new__(cls, *args, **kwargs):
        kind = args[0] if args else kwargs.get("type", kwargs.get("device"))
        index = args[1] if len(args) > 1 else kwargs.get("index")
        if isinstance(kind, str) and _NAME.match(kind) and ":" not in kind and index is not None:
            return Device(int(index))
        found = npu_index(kind)
        return Device(found) if found is not None else _real_device(*args, **kwargs)


class Generator(torch.Generator):
    """torch.Generator(device="npu") is one of the CPU."""

    def __new__(cls, device="cpu"):  # pylint: disable=redefined-outer-name
        index = npu_index(device)
        made = super().__new__(cls, "cpu" if index is not None else device)
        made._npu_index = index
        return made

    @property
    def device(self):
        """Where it was asked for."""
        index = getattr(self, _MARK, None)
        return super().device if index is None else Device(index)


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


def _module_npu(self, device=None):  # pylint: disable=redefined-outer-name
    return self.to(Device(current() if device is None else npu_index(device) or 0))


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


def _set_default_device(real):
    def set_default_device(device):  # pylint: disable=redefined-outer-name
        set_default(device)
        if npu_index(device) is None and real is not None:
            real(device)
    return set_default_device


def _get_default_device(real):
    def get_default_device():
        index = npu_index(_state["default"])
        if index is not None:
            return Device(index)
        return real() if real is not None else _real_device("cpu")
    return get_default_device


def install():
    """Replaces the names of torch that must know the device."""
    torch.device = device
    torch.Generator = Generator
    torch.set_default_device = _set_default_device(getattr(torch, "set_default_device", None))
    torch.get_default_device = _get_default_device(getattr(torch, "get_default_device", None))
    module = torch.nn.Module
    module.to = _module_to(module.to)
    module.cpu = _module_cpu(module.cpu)
    module.npu = _module_npu
    torch.load = _load(torch.load)
