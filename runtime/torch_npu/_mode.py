"""Every torch function passes here: device arguments become the CPU's, results get the mark of their
operands, and some functions of marked tensors are computed as on the device."""
import torch
from torch.overrides import TorchFunctionMode

from . import _device, _half, _products, _sorting
from ._device import index_of, mark, npu_index

# Functions that are computed another way when an operand is marked.
_ROUTES = {**_products.ROUTES, **_sorting.ROUTES}
_DEVICE_GETTER = torch.Tensor.device.__get__
_MOST_DEPTH = 8  # of lists in lists in an argument


def _tensors(value, depth=0):
    """All tensors in an argument or a result."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)) and depth < _MOST_DEPTH:
        for item in value:
            yield from _tensors(item, depth + 1)
    elif isinstance(value, dict) and depth < _MOST_DEPTH:
        for item in value.values():
            yield from _tensors(item, depth + 1)


def _operand_index(args, kwargs):
    """The device of the first marked operand."""
    for tensor in _tensors((args, kwargs)):
        index = index_of(tensor)
        if index is not None:
            return index
    return None


def _mark_results(result, index):
    for tensor in _tensors(result):
        mark(tensor, index)
    return result


class _Mode(TorchFunctionMode):
    """Active from import to exit."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs) if kwargs else {}
        name = getattr(func, "__name__", "")
        if name == "__get__":
            return _get(func, args, kwargs)
        special = _SPECIAL.get(name)
        if special is not None:
            return special(func, args, kwargs)
        if "device" in kwargs and kwargs["device"] is not None:
            index = npu_index(kwargs["device"])
            if index is not None:
                kwargs["device"] = "cpu"
            if kwargs.get("pin_memory") and index is not None:
                kwargs["pin_memory"] = False
        else:
            index = _operand_index(args, kwargs)
        return _mark_results(_call(func, name, args, kwargs, index), index)


def _call(func, name, args, kwargs, index):
    if index is not None:
        route = _ROUTES.get(name)
        if route is not None:
            result = route(func, args, kwargs)
            if result is not NotImplemented:
                return result
    return _half.call(func, name, args, kwargs, index is not None)


def _get(func, args, kwargs):
    """Attributes: device, data, T …"""
    tensor = args[0]
    index = index_of(tensor)
    if index is not None and func == _DEVICE_GETTER:
        return _device.Device(index)
    result = func(*args, **kwargs)
    if index is not None and isinstance(result, torch.Tensor):
        mark(result, index)
    return result


# ---- moving between devices: always a copy, so that aliasing shows as on hardware ----

def _move(tensor, index):
    """The tensor on another device: a contiguous copy; itself when it is there already."""
    if index_of(tensor) == index:
        return tensor
    return mark(tensor.detach().clone(memory_format=torch.contiguous_format)
                .requires_grad_(tensor.requires_grad and tensor.is_leaf), index)


def _to(func, args, kwargs):
    """tensor.to(device | dtype | tensor, …)."""
    tensor, rest = args[0], list(args[1:])
    index, moves = index_of(tensor), False
    if rest and isinstance(rest[0], torch.Tensor):
        index, moves = index_of(rest[0]), True
        rest[0] = rest[0].dtype
    elif rest and (isinstance(rest[0], (str, torch.device)) or type(rest[0]) is int):
        target = rest.pop(0)
        index, moves = _target_index(target), True
    elif kwargs.get("device") is not None:
        index, moves = _target_index(kwargs.pop("device")), True
    kwargs.pop("device", None)
    kwargs.pop("non_blocking", None)
    rest = [item for item in rest if item is not None]
    if moves and rest and isinstance(rest[-1], bool) and len(rest) > 1:
        rest = rest[:1]  # non_blocking and copy by position
    result = _half.call(func, "to", (tensor, *rest), kwargs, True) if rest or kwargs else tensor
    if not moves:
        return mark(result, index)
    if result is not tensor and index_of(tensor) != index:
        return mark(result.contiguous(), index)
    return _move(result, index) if result is tensor else mark(result, index)


def _target_index(target):
    return target if type(target) is int else npu_index(target)


def _npu(func, args, kwargs):
    del func
    device = args[1] if len(args) > 1 else kwargs.get("device")
    index = _device.current() if device is None else _target_index(device)
    return _move(args[0], index)


def _cpu(func, args, kwargs):
    del func, kwargs
    return _move(args[0], None)


def _no_host_memory(func, args, kwargs):
    index = index_of(args[0])
    if index is not None:
        raise TypeError("can't convert npu:%d device type tensor to numpy. "
                        "Use Tensor.cpu() to copy the tensor to host memory first." % index)
    return func(*args, **kwargs)



_SPECIAL = {"to": _to, "npu": _npu, "cpu": _cpu, "numpy": _no_host_memory,
            "__array__": _no_host_memory}


# ---- methods that older torch does not pass through the mode ----

def _with_long_indices(index):
    """int32 tensors may index on the device; CPU torch of old wants int64."""
    if isinstance(index, torch.Tensor) and index.dtype in (torch.int32, torch.int16):
        return index.long()
    if isinstance(index, (tuple, list)) and any(isinstance(i, torch.Tensor) for i in index):
        return type(index)(_with_long_indices(i) for i in index)
    return index


def _patch_indexing():
    real_get, real_set = torch.Tensor.__getitem__, torch.Tensor.__setitem__

    def __getitem__(self, index):
        result = real_get(self, _with_long_indices(index))
        place = index_of(self)
        return result if place is None else mark(result, place)

    def __setitem__(self, index, value):
        return real_set(self, _with_long_indices(index), value)

    torch.Tensor.__getitem__ = __getitem__
    torch.Tensor.__setitem__ = __setitem__


def install():
    """Switches the mode on for the rest of the process."""
    _patch_indexing()
    torch.Tensor.npu = lambda self, device=None, **kwargs: _npu(None, (self, device), kwargs)
    torch.Tensor.is_npu = property(lambda self: index_of(self) is not None)
    mode = _Mode()
    mode.__enter__()
