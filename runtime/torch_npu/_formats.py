"""Storage formats: a tag on the memory; the values and their order stay.

The tag belongs to the memory and the shape: a tensor that shares both has it, whatever object it is.
Memory with a tag is a buffer of ours that torch keeps alive as long as a tensor uses it; when it
goes, the tag goes.
"""
import enum
import weakref

import torch

from ._device import index_of, mark

_tags = {}  # address → (format, shape, weak reference to the memory)


class Format(enum.IntEnum):
    """The numbers that torch_npu gives them."""

    UNDEFINED = -1
    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    NC1HWC0_C04 = 12
    HWCN = 16
    NDHWC = 27
    FRACTAL_NZ = 29
    NCDHW = 30
    NDC1HWC0 = 32
    FRACTAL_Z_3D = 33
    NC = 35
    NCL = 47


class _Memory(bytearray):
    """Bytes of a tensor: unlike a plain bytearray, it can be watched."""


def _forget(address, reference):
    held = _tags.get(address)
    if held is not None and held[2] is reference:
        del _tags[address]


def _in_own_memory(tensor):
    """A dense copy, and the memory it lies in."""
    dense = tensor.detach().contiguous()
    memory = _Memory(dense.numel() * dense.element_size())
    plain = torch.frombuffer(memory, dtype=torch.uint8)
    return plain.view(dense.dtype).reshape(dense.shape).copy_(dense), memory


def npu_format_cast(tensor, acl_format, customize_dtype=None):
    """The tensor in another format."""
    del customize_dtype
    number = int(acl_format)
    if get_npu_format(tensor) == number:
        return tensor
    if number == Format.ND or tensor.numel() == 0:
        return mark(tensor.detach().clone(), index_of(tensor))
    result, memory = _in_own_memory(tensor)
    address = result.data_ptr()
    reference = weakref.ref(memory, lambda gone: _forget(address, gone))
    _tags[address] = (number, tuple(result.shape), reference)
    return mark(result, index_of(tensor))


def npu_format_cast_(tensor, acl_format):
    """The same in place."""
    number = int(acl_format) if not isinstance(acl_format, torch.Tensor) \
        else get_npu_format(acl_format)
    cast = npu_format_cast(tensor, number)
    if cast is not tensor:
        tensor.data = cast
    return tensor


def get_npu_format(tensor):
    """2 (ND) unless its memory was cast to another."""
    held = _tags.get(tensor.data_ptr()) if _tags else None
    if held is None or held[1] != tuple(tensor.shape) or not tensor.is_contiguous():
        return int(Format.ND)
    return held[0]


def get_storage_size(tensor):
    """Elements of the memory."""
    return tensor.numel()
