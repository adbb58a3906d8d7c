"""Moving between devices: always a copy, so that aliasing shows as on hardware."""
import torch

from . import _device, _dtypes
from ._device import Device, index_of, mark, npu_index

_dtype = torch.dtype
_real_to = torch.Tensor.to
_real_device = torch.Tensor.device
shared = []  # functions that hear of tensors whose memory NumPy gets


def move(tensor, index):
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
    if rest and not isinstance(rest[0], (_dtype, _dtypes.Sentinel)):
        target = rest.pop(0)
    else:
        target = kwargs.pop("device", None)
    if target is None:
        return index_of(tensor), False
    index = npu_index(target)
    if index is None:
        kwargs["device"] = target  # torch's own: "cpu", or one that it refuses
    return index, True


def _to(self, *args, **kwargs):
    """tensor.to(dtype | other | device, dtype; non_blocking, copy, memory_format)."""
    index = self._npu_index
    if len(args) == 1 and type(args[0]) is _dtype and not kwargs:
        result = _real_to(self, args[0])
        if index is not None and result is not self:
            result._npu_index = index
        return result
    return _to_in_general(self, list(args), kwargs)


def _to_in_general(tensor, rest, kwargs):
    if "other" in kwargs:
        rest.insert(0, kwargs.pop("other"))
    kwargs.pop("non_blocking", None)
    index, moves = _place_asked(tensor, rest, kwargs)
    if len(rest) > 2:
        kwargs["copy"] = rest[2]
    dtype = rest[0] if rest else kwargs.pop("dtype", None)
    kwargs["dtype"] = tensor.dtype if dtype is None else dtype
    if isinstance(kwargs["dtype"], _dtypes.Sentinel):
        copies = kwargs.get("copy", False)
        result = _dtypes.convert(tensor, kwargs["dtype"])
        result = result.clone() if copies and result is tensor else result
    else:
        result = _real_to(tensor, **kwargs)
    if not moves or index_of(tensor) == index:
        return result if result is tensor else mark(result, index_of(tensor))
    return move(result, index) if result is tensor else mark(result.contiguous(), index)


def _npu(self, device=None, non_blocking=False, **_others):
    """tensor.npu()"""
    del non_blocking
    index = _device.current() if device is None else npu_index(device)
    if index is None:
        raise RuntimeError("Invalid device, must be npu device: %r" % (device,))
    return move(self, index)


def _cpu(self, *_args, **_kwargs):
    """tensor.cpu()"""
    return move(self, None)


def _host_only(real):
    def only(self, *args, **kwargs):
        index = self._npu_index
        if index is not None:
            raise TypeError("can't convert npu:%d device type tensor to numpy. "
                            "Use Tensor.cpu() to copy the tensor to host memory first." % index)
        for hear in shared:
            hear(self)
        return real(self, *args, **kwargs)
    return only


def _get_device(real):
    def get_device(self):
        return real(self) if self._npu_index is None else self._npu_index
    return get_device


def _device_of(self):
    index = self._npu_index
    return _real_device.__get__(self) if index is None else Device(index)


def _type(real):
    def type_of(self, dtype=None, *args, **kwargs):
        if dtype is None and self._npu_index is not None:
            return "torch.npu." + real(self).partition(".")[2]
        if isinstance(dtype, str) and dtype.startswith("torch.npu."):
            return _npu(real(self, "torch." + dtype[len("torch.npu."):]))
        if isinstance(dtype, _dtypes.Sentinel):
            return _to(self, dtype)
        return real(self, *(() if dtype is None else (dtype,)), *args, **kwargs)
    return type_of


def _type_as(self, other):
    """tensor.type_as(other): the other's dtype and place"""
    return _to(self, other)


def install():
    """Methods and attributes of all tensors."""
    tensor = torch.Tensor
    for name, method in (("to", _to), ("npu", _npu), ("cpu", _cpu),
                         ("numpy", _host_only(tensor.numpy)),
                         ("__array__", _host_only(tensor.__array__)),
                         ("get_device", _get_device(tensor.get_device)),
                         ("type", _type(tensor.type)), ("type_as", _type_as)):
        method.__name__ = name  # torch looks them up and asks for it
        setattr(tensor, name, method)
    tensor.device = property(_device_of)
    tensor.is_npu = property(lambda self: self._npu_index is not None)
    if hasattr(tensor, "is_cpu"):
        real = tensor.is_cpu
        tensor.is_cpu = property(lambda self: self._npu_index is None and real.__get__(self))
