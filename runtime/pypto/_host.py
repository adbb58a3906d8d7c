"""Tensors of the host: torch's, read through their Python interface only."""
import importlib.util
import sys

from _ptosim import MAX_RANK, TORCH_DTYPES

from ._enums import DataType, DTYPES, RunMode
from . import _state
from .error import FeError

D = DataType
_TORCH_DTYPES = {"torch." + name: DTYPES[number] for name, number in TORCH_DTYPES.items()}
_ARRAY_DTYPES = {
    "|i1": D.DT_INT8, "<i2": D.DT_INT16, "<i4": D.DT_INT32, "<i8": D.DT_INT64,
    "<f2": D.DT_FP16, "<f4": D.DT_FP32, "<f8": D.DT_DOUBLE, "|u1": D.DT_UINT8,
    "<u2": D.DT_UINT16, "<u4": D.DT_UINT32, "<u8": D.DT_UINT64, "|b1": D.DT_BOOL,
}
# What else memory of a torch dtype may be declared as: torch 1.13 has none of these dtypes.
_OTHER_DTYPES = {
    D.DT_UINT8: {D.DT_HF8, D.DT_FP4_E2M1X2, D.DT_FP4_E1M2X2, D.DT_FP4_E2M1, D.DT_FP4_E1M2},
}
_STORAGE_DTYPES = {
    D.DT_INT16: {D.DT_UINT16}, D.DT_INT32: {D.DT_UINT32}, D.DT_INT64: {D.DT_UINT64},
    D.DT_UINT8: {D.DT_FP8E4M3, D.DT_FP8E5M2, D.DT_FP8E8M0},
}


class Host:
    """One argument: its memory and what the kernel takes it for."""

    __slots__ = ("owner", "address", "dtype", "shape", "device")

    def __init__(self, owner, address, dtype, shape, device):
        self.owner, self.address, self.dtype = owner, address, dtype
        self.shape, self.device = shape, device

    def argument(self, dtype):
        """The core's form."""
        return (self.address, int(dtype), self.shape)


def _torch():
    return sys.modules.get("torch")


def _has_no_torch():
    return _torch() is None and importlib.util.find_spec("torch") is None


def is_torch_tensor(value):
    """Is it a torch tensor, including subclasses?"""
    torch = _torch()
    return torch is not None and isinstance(value, torch.Tensor)


def read(value, index, name=None):
    """The Host of argument number `index`; `name` is its parameter, for messages."""
    torch = _torch()
    if torch is not None and _is_plain(value, torch):
        return _read_torch(value, torch, name)
    if hasattr(value, "__array_interface__") and _has_no_torch():
        return _read_array(value, index)  # where there is no torch, arrays do
    raise FeError(RuntimeError("Input %d must be a torch.Tensor, but got %s%s"
                               % (index, type(value).__name__, _of(name))))


def _is_plain(value, torch):
    """A torch.Tensor itself, or one of the stand-in's that carries a dtype this torch lacks."""
    return type(value) is torch.Tensor or (
        isinstance(value, torch.Tensor) and getattr(value, "_sentinel", None) is not None)


def _of(name):
    """ (argument 'name'), where the name is known."""
    return "" if name is None else " (argument '%s')" % name


def _read_torch(tensor, torch, name):
    kind = getattr(tensor.device, "type", None)
    if kind not in ("cpu", "npu"):
        raise FeError(RuntimeError("Unsupported device type: %s%s" % (kind, _of(name))))
    if tensor.layout is not torch.strided:
        raise FeError(RuntimeError("not all tensors are dense: the layout is %s%s"
                                   % (tensor.layout, _of(name))))
    if not tensor.is_contiguous():
        raise FeError(RuntimeError("not all tensors are contiguous%s" % _of(name)))
    if tensor.is_conj() or getattr(tensor, "is_neg", bool)():
        raise FeError(RuntimeError("not all tensors are plain memory: one is a lazy view, "
                                   "use .resolve_conj() or .resolve_neg()%s" % _of(name)))
    dtype = _TORCH_DTYPES.get(str(tensor.dtype))
    if dtype is None:
        raise FeError(ValueError("Unsupported torch data type: %s%s" % (tensor.dtype, _of(name))))
    return Host(tensor, tensor.data_ptr(), dtype, _shape(tensor.shape), kind)


def _shape(sizes):
    shape = tuple(int(size) for size in sizes) or (1,)
    if len(shape) > MAX_RANK:
        raise FeError(ValueError("a kernel's tensor has at most %d axes, not %d"
                                 % (MAX_RANK, len(shape))))
    return shape


def _read_array(array, index):
    interface = array.__array_interface__
    address, read_only = interface["data"]
    dtype = _ARRAY_DTYPES.get(interface["typestr"])
    if dtype is None:
        raise FeError(ValueError("Unsupported array data type: %s" % interface["typestr"]))
    if read_only:
        raise FeError(RuntimeError("Input %d is read-only" % index))
    if interface.get("strides") is not None:
        raise FeError(RuntimeError("not all tensors are contiguous"))
    return Host(array, address, dtype, _shape(interface["shape"]), "cpu")


def zeros_like(tensor, shape):
    """A torch tensor of that shape, of the other's kind."""
    return _torch().zeros(shape, dtype=tensor.dtype)


def unpacked(tensor):
    """Elements of 4 bits, a byte each: of a torch tensor with two in a byte, the low half first."""
    torch = _torch()
    pairs = tensor.view(torch.uint8)
    return torch.stack([pairs & 15, pairs >> 4], -1).reshape(*pairs.shape[:-1], -1)


def pack_into(tensor, elements):
    """The opposite operation."""
    pairs = elements.reshape(*tensor.shape, 2) & 15
    tensor.view(_torch().uint8).copy_(pairs[..., 0] | pairs[..., 1] << 4)


def ordinal(index):
    """"1st" for argument number 0, "2nd" …"""
    number = index + 1
    ending = "th" if number % 100 in (11, 12, 13) else \
        {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return "%d%s" % (number, ending)


def kernel_dtype(host, declared, index):
    """The dtype in the kernel of an argument declared so; ValueError when they do not fit."""
    if declared is None or declared is host.dtype:
        return host.dtype
    if declared in _OTHER_DTYPES.get(host.dtype, ()) or \
            declared in _STORAGE_DTYPES.get(host.dtype, ()) and not _torch_has(declared):
        return declared
    raise FeError(ValueError(
        "The dtype of %s input tensor %s does not match the dtype of input tensor definition %s."
        % (ordinal(index), getattr(host.owner, "dtype", host.dtype), declared)))


def _torch_has(dtype):
    """Does this torch have a dtype of its own for it?"""
    torch = _torch()
    names = [name for name, known in _TORCH_DTYPES.items() if known is dtype]
    return torch is not None and any(
        isinstance(getattr(torch, name[len("torch."):], None), torch.dtype) for name in names)


def check_devices(named_hosts, run_mode):
    """All in one place, and in the one that the run mode wants; a run mode that was forced from
    outside (pypto-lint run) takes them from any. `named_hosts`: [(name of the parameter, host)]."""
    devices = {host.device for _, host in named_hosts}
    if len(devices) > 1:
        raise FeError(RuntimeError("All input tensors must be on the same device: %s" % "; ".join(
            "%s on '%s'" % (", ".join(name for name, host in named_hosts if host.device == device),
                            device) for device in sorted(devices))))
    if _state.forced_run_mode() == "SIM":
        return
    wanted = "npu" if run_mode is RunMode.NPU else "cpu"
    for device in devices:
        if device != wanted:
            raise FeError(RuntimeError("run mode %s wants tensors on '%s', not on '%s'"
                                       % (run_mode, wanted, device)))


def npu_available():
    """torch.npu.is_available(), False where there is none."""
    npu = getattr(_torch(), "npu", None)
    return npu is not None and bool(npu.is_available())


def format_of(host):
    """True for NZ, False for ND, None if it is unknown."""
    stand_in = sys.modules.get("torch_npu")
    if host.device != "npu" or stand_in is None or not hasattr(stand_in, "get_npu_format"):
        return None
    return int(stand_in.get_npu_format(host.owner)) == 29


