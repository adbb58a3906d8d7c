"""Inputs from the judge to the kernel's process: tensors as raw storages in a file without a name,
everything else pickled. Only the judge writes the file, so it is safe to unpickle; answers go through
outputs.py, which trusts nothing."""
import collections
import ctypes
import io
import os
import pickle

from . import arithmetic, origins
from .failures import Contract, class_name

_ALIGNMENT = 64
_PLAIN = ("torch.strided",)


def _memory(address, count):
    return memoryview((ctypes.c_char * count).from_address(address)).cast("B")


def _write_all(fd, offset, view):
    while view:
        written = os.pwrite(fd, view, offset)
        view, offset = view[written:], offset + written


def write(fd, offset, address, count):
    """Writes memory to a file."""
    if count > 0:
        _write_all(fd, offset, _memory(address, count))


def write_bytes(fd, offset, data):
    """Writes bytes to a file."""
    _write_all(fd, offset, memoryview(data))


def read(fd, offset, address, count):
    """Reads from a file into memory; EOFError when the file has fewer bytes."""
    view = _memory(address, count) if count > 0 else b""
    while view:
        done = os.preadv(fd, [view], offset)
        if done <= 0:
            raise EOFError
        view, offset = view[done:], offset + done


def aligned(offset):
    """The next offset that is aligned for every dtype."""
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


class Sender:
    """Writes sets of inputs into one file."""

    def __init__(self, torch, fd):
        self._torch, self._fd, self._end = torch, fd, 0
        self.sets = []

    def add(self, values):
        """One set {name: value}."""
        made = {"storages": [], "tensors": [], "values": {}}
        known = {}
        for name, value in values.items():
            buffer = io.BytesIO()
            pickler = pickle.Pickler(buffer, protocol=4)
            pickler.persistent_id = lambda item: self._tensor(item, made, known)
            try:
                pickler.dump(value)
            except Exception:  # of any kind: the user's object may raise it
                raise Contract("make_inputs() gives for %s an object of type %s, which cannot be "
                               "handed to the process of the kernel: make it of tensors, numbers, "
                               "texts, lists and dicts" % (name, class_name(value))) from None
            made["values"][name] = self._put(buffer.getvalue())
        self.sets.append(made)

    def _put(self, data):
        start = self._end
        _write_all(self._fd, start, memoryview(data))
        self._end = aligned(start + len(data))
        return [start, len(data)]

    def _tensor(self, item, made, known):
        """The number of a tensor; None for objects that pickle writes itself."""
        torch = self._torch
        if type(item) not in (torch.Tensor, torch.nn.Parameter) or \
                str(item.layout) not in _PLAIN or item.is_quantized:
            return None
        mark = getattr(item, "_npu_index", None)
        device = str(item.device) if mark is None and item.device.type != "cpu" else None
        host = arithmetic.host(item) if device else item.detach()
        for lazy in ("resolve_conj", "resolve_neg"):
            if hasattr(host, lazy):
                host = getattr(host, lazy)()
        storage = origins.storage_of(host)
        key = storage.data_ptr() if not device else id(item)
        if key not in known or storage.nbytes() == 0:
            known[key] = len(made["storages"]), host  # keeps the memory alive
            start = self._end
            write(self._fd, start, storage.data_ptr(), storage.nbytes())
            self._end = aligned(start + storage.nbytes())
            made["storages"].append([start, storage.nbytes()])
        made["tensors"].append({
            "storage": known[key][0], "dtype": arithmetic.dtype_name(host.dtype),
            "shape": list(host.shape), "stride": list(host.stride()),
            "offset": host.storage_offset(), "mark": mark, "device": device,
            "grad": item.requires_grad, "parameter": type(item) is torch.nn.Parameter})
        return len(made["tensors"]) - 1


class Receiver:
    """Reads sets of inputs, each time into fresh memory."""

    def __init__(self, torch, fd, sets):
        self._torch, self._fd, self._sets = torch, fd, sets

    def load(self, index):
        """{name: value} of one set."""
        made = self._sets[index]
        bases, values = {}, {}
        uses = collections.Counter(entry["storage"] for entry in made["tensors"])
        for name, (start, length) in made["values"].items():
            pickler = pickle.Unpickler(io.BytesIO(os.pread(self._fd, length, start)))
            pickler.persistent_load = lambda number: self._tensor(made, number, bases, uses)
            values[name] = pickler.load()
        return values

    def _tensor(self, made, number, bases, uses):
        torch, entry = self._torch, made["tensors"][number]
        dtype = getattr(torch, entry["dtype"])
        start, length = made["storages"][entry["storage"]]
        tensor = torch.empty(entry["shape"], dtype=dtype)
        plain = (uses[entry["storage"]] == 1 and entry["offset"] == 0 and
                 list(tensor.stride()) == entry["stride"] and
                 tensor.numel() * tensor.element_size() == length)
        if plain or length == 0:
            read(self._fd, start, tensor.data_ptr(), length)
        else:
            if entry["storage"] not in bases:
                bases[entry["storage"]] = torch.empty(length, dtype=torch.uint8)
                read(self._fd, start, bases[entry["storage"]].data_ptr(), length)
            base = bases[entry["storage"]]
            size = tensor.element_size()
            tensor = base[:length // size * size].view(dtype).as_strided(
                entry["shape"], entry["stride"], entry["offset"])
        if entry["device"] is not None:
            tensor = tensor.to(entry["device"])
        if entry["parameter"]:
            tensor = torch.nn.Parameter(tensor, requires_grad=entry["grad"])
        elif entry["grad"]:
            tensor.requires_grad_(True)
        if entry["mark"] is not None:
            tensor._npu_index = entry["mark"]
        return tensor
