"""Subscripts of tensors: windows, element access, assignment."""
from . import _state
from ._emit import emit, symbols
from ._enums import DataType
from ._recording import current
from .error import FeError
from .symbolic_scalar import SymbolicScalar, handle_of, is_integer, plain
from .tensor import Tensor

_FULL = slice(None)


def _is_full(entry):
    return isinstance(entry, slice) and entry.start is None and entry.stop is None and \
        entry.step is None


def _is_index_tensor(key):
    """t[dim : index_tensor]"""
    return isinstance(key, slice) and isinstance(key.stop, Tensor)


def _expand(tensor, key):
    """The key with one entry an axis: integers and slices; an Ellipsis is filled up."""
    entries = list(key) if isinstance(key, tuple) else [key]
    rank = tensor.dim
    dots = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    if len(dots) > 1:
        raise FeError(IndexError("a subscript has at most one Ellipsis"))
    missing = rank - len(entries) + len(dots)
    if missing < 0:
        raise FeError(IndexError("too many subscripts: the tensor has %d axes, there are %d"
                                 % (rank, len(entries) - len(dots))))
    if dots:
        entries[dots[0]:dots[0] + 1] = [_FULL] * missing
    else:
        entries += [_FULL] * missing
    for entry in entries:
        if not is_integer(entry) and not isinstance(entry, slice):
            raise FeError(TypeError("a tensor is indexed by integers, symbolic scalars and "
                                    "slices, not %s" % type(entry).__name__))
    return entries


def _from_start(value, length):
    """Negative integers count from the end of the axis."""
    value = plain(value)
    if isinstance(value, int) and value < 0:
        return plain(length + value)
    return value


def _bounds(entry, length):
    """Start and length of a slice."""
    if entry.step is not None and plain(entry.step) != 1:
        raise FeError(ValueError("the step of a slice must be 1"))
    for bound in (entry.start, entry.stop):
        if bound is not None and not is_integer(bound):
            raise FeError(TypeError("bounds of a slice are integers and symbolic scalars, not %s"
                                    % type(bound).__name__))
    start = 0 if entry.start is None else _from_start(entry.start, length)
    stop = length if entry.stop is None else _from_start(entry.stop, length)
    return start, plain(stop - start)


def get(tensor, key):
    """t[key]"""
    if _is_index_tensor(key):
        return _gather(tensor, key)
    if key is Ellipsis or _is_full(key):
        return tensor
    entries = _expand(tensor, key)
    if entries and all(not isinstance(entry, slice) for entry in entries):
        return read_element(tensor, entries)
    if all(_is_full(entry) for entry in entries):
        return tensor
    shape, offsets, kept = [], [], []
    for axis, (entry, length) in enumerate(zip(entries, tensor.shape)):
        if isinstance(entry, slice):
            start, extent = _bounds(entry, length)
            if not isinstance(extent, int):
                raise FeError(ValueError(
                    "the length of a slice must be a known integer, but that of axis %d is %s; "
                    "use pypto.view with a fixed shape and valid_shape" % (axis, extent)))
            kept.append(axis)
        else:
            start, extent = _from_start(entry, length), 1
        shape.append(extent)
        offsets.append(start)
    window = emit("view", (tensor,), shape=symbols(shape, "view", "shape", static=True),
                  offsets=symbols(offsets, "view", "offsets"))
    if len(kept) == len(shape):
        return window
    valid = window.valid_shape
    return emit("reshape", (window,),
                shape=symbols([shape[axis] for axis in kept], "reshape", "shape"),
                valid=symbols([valid[axis] for axis in kept], "reshape", "valid_shape"))


def _gather(tensor, key):
    """t[dim : index]: gather when the ranks are equal, rows of the axis otherwise."""
    dim = 0 if key.start is None else plain(key.start)
    if not isinstance(dim, int) or key.step is not None:
        raise FeError(TypeError("t[dim : index] takes an integer as dim"))
    name = "gather" if key.stop.dim == tensor.dim else "index_select"
    return emit(name, (tensor, key.stop), dim=dim)


def read_element(tensor, entries):
    """t[i, j]: a symbolic scalar that is known when the kernel runs."""
    recording = current("reading an element")
    index = [_from_start(entry, length) for entry, length in zip(entries, tensor.shape)]
    file, line = _state.site()
    return SymbolicScalar._of(recording.program.element_read(
        tensor._slot_in(recording), [handle_of(entry) for entry in index], file, line))


def move(tensor, source):
    """t[:] = v, t.move(v)"""
    if not isinstance(tensor, Tensor) or not isinstance(source, Tensor):
        raise FeError(TypeError("only a tensor can be moved into a tensor, not %s"
                                % type(source).__name__))
    if source is not tensor:
        tensor._take_form(source)
        emit("move", (source, tensor))


def put(tensor, key, value):
    """t[key] = v"""
    if _is_index_tensor(key):
        dim = 0 if key.start is None else plain(key.start)
        move(tensor, emit("scatter", (tensor, key.stop, value), dim=dim, mode=0))
        return
    if _is_full(key) or key is Ellipsis:
        move(tensor, value)
        return
    entries = _expand(tensor, key)
    if all(not isinstance(entry, slice) for entry in entries) and not isinstance(value, Tensor):
        _write_element(tensor, entries, value)
        return
    if not isinstance(value, Tensor):
        raise FeError(TypeError("only a tensor can be assigned to a slice of a tensor, not %s"
                                % type(value).__name__))
    _assemble(tensor, entries, value)


def _write_element(tensor, entries, value):
    if not is_integer(value):
        raise FeError(TypeError("an element takes an integer or a symbolic scalar, not %s"
                                % type(value).__name__))
    if tensor.dtype is not DataType.DT_INT32:
        raise FeError(TypeError("only elements of DT_INT32 tensors can be written, not of %s"
                                % tensor.dtype))
    index = [_from_start(entry, length) for entry, length in zip(entries, tensor.shape)]
    emit("element_write", (value, tensor), offsets=symbols(index, "t[…] = value", "index"))


def _assemble(tensor, entries, value):
    """The window's place is where its slices start; one with a stop only ends there."""
    lengths = tensor.shape
    slices = sum(isinstance(entry, slice) for entry in entries)
    if value.dim != slices and slices != len(entries):
        raise FeError(ValueError("the slices span %d axes, the assigned tensor has %d"
                                 % (slices, value.dim)))
    extents, valid = value.shape, value.valid_shape
    offsets, shape, inserted, axis = [], [], [], 0
    for entry, length in zip(entries, lengths):
        if not isinstance(entry, slice):
            offsets.append(_from_start(entry, length))
            shape.append(1)
            inserted.append(1)
            continue
        _bounds(entry, length)  # its checks
        if entry.start is not None:
            offsets.append(_from_start(entry.start, length))
        elif entry.stop is None or axis >= len(extents):
            offsets.append(0)
        else:
            offsets.append(plain(_from_start(entry.stop, length) - extents[axis]))
        if axis < len(extents):
            shape.append(extents[axis])
            inserted.append(valid[axis])
        axis += 1
    if slices != len(entries):
        value = emit("reshape", (value,), shape=symbols(shape, "reshape", "shape"),
                     valid=symbols(inserted, "reshape", "valid_shape"))
    emit("assemble", (value, tensor), offsets=symbols(offsets, "assemble", "offsets"))
