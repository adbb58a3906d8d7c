"""Operations that make, move and reshape data."""
import math

from . import _state, _version
from ._emit import (Element, refuse_negative, also, bool_argument, dim_argument, dtype_argument, emit,
                    real_argument, symbols, tensor_argument)
from ._enums import DataType, TileOpFormat, bytes_of
from ._indexing import move
from ._numbers import native
from .error import FeError
from .symbolic_scalar import SymbolicScalar, plain


def _valid(values, what):
    return {} if values is None else {"valid": symbols(values, what, "valid_shape")}


def view(input, shape=None, offsets=None, *, valid_shape=None, dtype=None):
    tensor_argument(input, "view")
    if dtype is not None:
        if shape is not None or offsets is not None:
            raise FeError(ValueError("view(): 'dtype' stands alone, without 'shape' and 'offsets'"))
        if not _state.context().vector_tile():
            _version.refuse("tile-of-view", "OP_VIEW_TYPE tile shape is empty or invalid: call "
                            "set_vec_tile_shapes first")
        return emit("view_type", (input,), dtype=dtype_argument(dtype, "view"))
    if shape is None or offsets is None:
        raise FeError(ValueError("view(): 'shape' and 'offsets' are needed"))
    return emit("view", (input,), shape=symbols(shape, "view", "shape", static=True),
                offsets=symbols(offsets, "view", "offsets"), **_valid(valid_shape, "view"))


def assemble(src, offsets, dst=None, parallel=False):
    bool_argument(parallel, "assemble", "parallel")
    if isinstance(src, (list, tuple)):
        # assemble([(src, offsets), …], dst)
        target = offsets if dst is None else dst
        for pair in src:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise FeError(TypeError("assemble(): a list has (src, offsets) pairs"))
            _assemble_one(pair[0], pair[1], target, parallel)
        return
    _assemble_one(src, offsets, dst, parallel and _version.makes("parallel-of-one"))


def _assemble_one(src, offsets, dst, parallel):
    tensor_argument(src, "assemble", "src")
    tensor_argument(dst, "assemble", "dst")
    emit("assemble", (src, dst), offsets=symbols(offsets, "assemble", "offsets"),
         parallel=parallel)


def atomic_add(src, offsets, dst):
    tensor_argument(src, "atomic_add", "src")
    tensor_argument(dst, "atomic_add", "dst")
    emit("atomic_add", (src, dst), offsets=symbols(offsets, "atomic_add", "offsets"))


def reshape(input, shape, *, valid_shape=None, inplace=False):
    tensor_argument(input, "reshape")
    bool_argument(inplace, "reshape", "inplace")
    return emit("reshape", (input,), inplace=inplace,
                shape=symbols(shape, "reshape", "shape", static=not inplace),
                **_valid(valid_shape, "reshape"))


_BYTES = frozenset(DataType["DT_" + name] for name in (
    "INT8 UINT8 INT16 UINT16 INT32 UINT32 INT64 UINT64 FP16 BF16 FP32").split())


def _refused(code, message):
    """An error with a code of the operations."""
    return FeError(ValueError(message), code)


def pack(input):
    _version.note_newer("pypto.pack exists")
    tensor_argument(input, "pack")
    if input.dtype not in _BYTES:
        raise FeError(TypeError("pack(): data type %s is not supported" % input.dtype))
    if not 1 <= input.dim <= 4 or input.format is TileOpFormat.TILEOP_NZ:
        raise _refused(0xFC0002, "pack() takes an ND tensor with 1 to 4 axes, not %d" % input.dim)
    length = 1
    for extent in input.shape:
        length = length * extent
    if isinstance(length, int) and length == 0:
        raise _refused(0xFC0000, "pack(): the tensor is empty")
    flat = input if input.dim == 1 else reshape(input, [length])
    return emit("view_type", (flat,), dtype=int(DataType.DT_UINT8))


def unpack(input, dtype):
    _version.note_newer("pypto.unpack exists")
    tensor_argument(input, "unpack")
    number = dtype_argument(dtype, "unpack")
    if input.dtype is not DataType.DT_UINT8 or dtype not in _BYTES:
        raise FeError(TypeError("unpack() takes DT_UINT8 and gives whole bytes, not %s to %s"
                                % (input.dtype, dtype)))
    if input.dim != 1 or input.format is TileOpFormat.TILEOP_NZ:
        raise _refused(0xFC0002, "unpack() takes an ND tensor with 1 axis, not %d" % input.dim)
    size, tile = bytes_of(dtype), _state.context().vector_tile()
    for extent in (input.shape[0], plain(input.valid_shape[0])):
        if isinstance(extent, int) and extent % size:
            raise _refused(0xFC0000, "Cannot unpack tile to %s: %d bytes are no whole number of "
                                     "elements" % (dtype, extent))
    if tile and tile[0] % size:
        raise _refused(0xFC0000, "UnPack tile shape invalid: %d is no multiple of %d"
                                 % (tile[0], size))
    return emit("view_type", (input,), dtype=number)


def transpose(input, dim0, dim1):
    tensor_argument(input, "transpose")
    return emit("transpose", (input,), dim=dim_argument(dim0, "transpose", "dim0"),
                dim1=dim_argument(dim1, "transpose", "dim1"))


@also(input="input_tensor", self="input_tensor", perm="dims")
def permute(input_tensor, dims):
    tensor_argument(input_tensor, "permute", "input_tensor")
    return emit("permute", (input_tensor,), shape=symbols(dims, "permute", "dims", static=True))


def expand_clone(input, shape, *, valid_shape=None):
    tensor_argument(input, "expand_clone")
    return emit("expand_clone", (input,),
                shape=symbols(shape, "expand_clone", "shape", static=True),
                **_valid(valid_shape, "expand_clone"))


def concat(tensors, dim=0):
    if not isinstance(tensors, (list, tuple)):
        raise FeError(TypeError("concat() takes a list of tensors, not %s"
                                % type(tensors).__name__))
    if not 2 <= len(tensors) <= 128:
        raise FeError(ValueError("concat() takes 2 to 128 tensors, not %d" % len(tensors)), 0xFC0003)
    for tensor in tensors:
        tensor_argument(tensor, "concat", "tensors")
    return emit("concat", tuple(tensors), dim=dim_argument(dim, "concat"))


def _fill_value(value, what):
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, Element)):
        raise FeError(TypeError("%s(): 'value' must be a number, not %s"
                                % (what, type(value).__name__)))
    return value


def _constant_mode(mode, what):
    if mode != "constant":
        raise FeError(ValueError("%s(): the only mode is 'constant', not %r" % (what, mode)))


def pad(x, padding, mode="constant", value=0):
    tensor_argument(x, "pad", "x")
    _constant_mode(mode, "pad")
    return emit("pad", (x, _fill_value(value, "pad")),
                shape=symbols(padding, "pad", "padding", static=True))


def fillpad(x, mode="constant", value=0):
    tensor_argument(x, "fillpad", "x")
    _constant_mode(mode, "fillpad")
    return emit("fillpad", (x, _fill_value(value, "fillpad")))


def _triangle(name, input, diagonal):
    tensor_argument(input, name)
    return emit(name, (input,), diagonal=symbols([diagonal], name, "diagonal")[0])


def tril(input, diagonal=0):
    return _triangle("tril", input, diagonal)


def triu(input, diagonal=0):
    return _triangle("triu", input, diagonal)


def tril_(input, diagonal=0):
    move(input, tril(input, diagonal))
    return input


def triu_(input, diagonal=0):
    move(input, triu(input, diagonal))
    return input


def interleave(input, other):
    tensor_argument(other, "interleave", "other")
    return emit("interleave", (tensor_argument(input, "interleave"), other))


def deinterleave(input, other=None):
    tensor_argument(input, "deinterleave")
    if other is not None:
        tensor_argument(other, "deinterleave", "other")
    return emit("deinterleave", (input, other))


# ---- creation ----

def full(size, fill_value, dtype, *, valid_shape=None):
    fill_value = int(fill_value) if isinstance(fill_value, bool) else native(fill_value)
    if not isinstance(fill_value, (int, float, Element, SymbolicScalar)):
        raise FeError(TypeError("full(): 'fill_value' must be a number, an Element or a symbolic "
                                "scalar, not %s" % type(fill_value).__name__))
    refuse_negative(fill_value, dtype, "full")
    return emit("full", (fill_value,), dtype=dtype_argument(dtype, "full"),
                shape=symbols(size, "full", "size", static=True), **_valid(valid_shape, "full"))


def _size(size, what):
    sizes = size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
    if not sizes:
        raise FeError(ValueError("%s() needs a size" % what))
    return list(sizes)


def zeros(*size, dtype=None):
    return full(_size(size, "zeros"), 0, DataType.DT_FP32 if dtype is None else dtype)


def ones(*size, dtype=None):
    return full(_size(size, "ones"), 1, DataType.DT_FP32 if dtype is None else dtype)


def fill_(input, value):
    """Method form: the tensor gets this value everywhere."""
    tensor_argument(input, "fill_")
    move(input, full(input.shape, value, input.dtype))
    return input


def arange(start, end=None, step=None):
    numbers = [start, end, 1 if step is None else step]
    if end is None:
        numbers[:2] = [0, start]
    numbers = [plain(number) for number in numbers]
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise FeError(TypeError("arange() takes numbers, not %s" % type(number).__name__))
        if isinstance(number, float) and not math.isfinite(number):
            raise FeError(ValueError("arange() takes finite numbers, not %r" % number))
    dtype = DataType.DT_INT32
    if any(isinstance(number, float) for number in numbers):
        numbers = [real_argument(number, "arange", "step") for number in numbers]
        dtype = DataType.DT_FP32
    return emit("arange", tuple(numbers), dtype=int(dtype))


def _random(name, shape, key, counter, alg, dtype):
    for values, count, what in ((key, 1, "key"), (counter, 2, "counter"), (alg, 1, "alg")):
        if not isinstance(values, (list, tuple)) or len(values) != count:
            raise FeError(ValueError("%s(): '%s' must be a list of %d" % (name, what, count)))
    if alg[0] not in (1, 3):
        raise FeError(ValueError("%s(): 'alg' must be [1] or [3]" % name))
    return emit(name, (key[0], counter[0], counter[1]), dtype=dtype_argument(dtype, name),
                mode=alg[0], shape=symbols(shape, name, "shape", static=True))


def uniform(shape, key, counter, alg, dtype):
    return _random("uniform", shape, key, counter, alg, dtype)


def normal(shape, key, counter, alg, dtype):
    return _random("normal", shape, key, counter, alg, dtype)
