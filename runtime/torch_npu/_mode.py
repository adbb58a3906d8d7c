"""Every torch function passes here: device arguments become the CPU's, results get the mark of
their operands, and some functions of marked tensors are computed as on the device."""
import contextlib

import torch
from torch.overrides import TorchFunctionMode

from . import _device, _half, _products, _sorting
from ._device import index_of, mark, npu_index, tensors_in

# Functions that are computed another way when an operand is marked.
_ROUTES = {**_products.ROUTES, **_sorting.ROUTES}
_DEVICE_GETTER = torch.Tensor.device.__get__
# They may give the memory of what is on the host.
_SHARE_MEMORY = ("as_tensor", "asarray")
# Memory that nobody has written. torch hands out what was freed before: a result that a kernel forgot
# to write would hold the reference's, and pass.
_UNWRITTEN = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided")


def _operand_index(args, kwargs):
    """The device of the first marked operand."""
    for tensor in tensors_in((args, kwargs)):
        index = index_of(tensor)
        if index is not None:
            return index
    return None


def _mark_results(result, index, args, kwargs):
    """New tensors are on the device of the operands; an operand that is the result, too, as in
    x.copy_(y), stays where it is."""
    before = {id(tensor) for tensor in tensors_in((args, kwargs))}
    for tensor in tensors_in(result):
        if id(tensor) not in before:
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
        result = _call(func, name, args, kwargs, index)
        if name in _UNWRITTEN:
            _spoil(result)
        if index is not None and name in _SHARE_MEMORY:
            return mark(result.clone(), index)
        return _mark_results(result, index, args, kwargs)


def _spoil(tensor):
    """Fills it with what no kernel computes: NaN, or a number near the largest."""
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        tensor.fill_(float("nan"))
    elif tensor.dtype is torch.bool:
        tensor.fill_(True)
    elif not tensor.is_quantized:
        tensor.fill_(torch.iinfo(tensor.dtype).max - 0x25)


def _call(func, name, args, kwargs, index):
    if index is not None:
        route = _ROUTES.get(name)
        if route is not None:
            result = route(func, args, kwargs)
            if result is not NotImplemented:
                return result
    return _half.call(func, name, args, kwargs, index is not None)


@contextlib.contextmanager
def host_products():
    """Within it products of marked tensors are torch's own."""
    taken = {name: _ROUTES.pop(name) for name in _products.ROUTES}
    try:
        yield
    finally:
        _ROUTES.update(taken)


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


def _place_asked(tensor, rest, kwargs):
    """Takes the device out of the arguments of tensor.to: (index, whether one was named). What is
    left in `rest` is [dtype]."""
    if rest and isinstance(rest[0], torch.Tensor):
        other = rest[0]
        rest[0] = other.dtype
        return index_of(other), True
    if rest and not isinstance(rest[0], torch.dtype):
        target = rest.pop(0)
    else:
        target = kwargs.pop("device", None)
    if target is None:
        return index_of(tensor), False
    index = _target_index(target)
    if index is None:
        kwargs["device"] = target  # torch's own: "cpu", or one that it refuses
    return index, True


def _to(func, args, kwargs):
    """tensor.to(dtype | other | device, dtype; non_blocking, copy, memory_format)."""
    tensor, rest = args[0], list(args[1:])
    if "other" in kwargs:
        rest.insert(0, kwargs.pop("other"))
    kwargs.pop("non_blocking", None)
    index, moves = _place_asked(tensor, rest, kwargs)
    if len(rest) > 2:
        kwargs["copy"] = rest[2]
    dtype = rest[0] if rest else kwargs.pop("dtype", None)
    kwargs["dtype"] = tensor.dtype if dtype is None else dtype
    result = func(tensor, **kwargs)
    if not moves or index_of(tensor) == index:
        return result if result is tensor else mark(result, index_of(tensor))
    return _move(result, index) if result is tensor else mark(result.contiguous(), index)


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


def _get_device(func, args, kwargs):
    index = index_of(args[0])
    return func(*args, **kwargs) if index is None else index


_SPECIAL = {"get_device": _get_device, "to": _to, "npu": _npu, "cpu": _cpu, "numpy": _no_host_memory,
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


def _patch_parameter():
    """torch makes parameters below the functions that the mode sees."""
    parameter = torch.nn.Parameter
    real = parameter.__new__

    def __new__(cls, data=None, *args, **kwargs):
        return mark(real(cls, data, *args, **kwargs), index_of(data))

    parameter.__new__ = __new__


def _copy(tensor):
    """copy.copy: another object over the same memory."""
    make, args = tensor.__reduce_ex__(2)[:2]
    return mark(make(*args), index_of(tensor))


def install():
    """Switches the mode on for the rest of the process."""
    _patch_indexing()
    _patch_parameter()
    torch.Tensor.__copy__ = _copy
    torch.Tensor.npu = lambda self, device=None, **kwargs: _npu(None, (self, device), kwargs)
    torch.Tensor.is_npu = property(lambda self: index_of(self) is not None)
    mode = _Mode()
    mode.__enter__()
