"""Operations that make, move and reshape data."""
from . import _version
from ._cook import cook
from ._emit import Element, also, dim_argument, emit, symbols, tensor_argument
from .error import FeError
from .symbolic_scalar import plain


def _valid(values, what):
    return {} if values is None else {"valid": symbols(values, what, "valid_shape")}


def view(input, shape=None, offsets=None, *, valid_shape=None, dtype=None):
    return cook("view", input, shape, offsets, valid_shape, dtype)


def assemble(src, offsets, dst=None, parallel=False):
    return cook("assemble", src, offsets, dst, parallel)


def atomic_add(src, offsets, dst):
    tensor_argument(src, "atomic_add", "src")
    tensor_argument(dst, "atomic_add", "dst")
    emit("atomic_add", (src, dst), offsets=symbols(offsets, "atomic_add", "offsets"))


def reshape(input, shape, *, valid_shape=None, inplace=False):
    return cook("reshape", input, shape, valid_shape, inplace)


def pack(input):
    _version.note_newer("pypto.pack exists")
    return cook("pack", input)


def unpack(input, dtype):
    _version.note_newer("pypto.unpack exists")
    return cook("unpack", input, dtype)


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
    return cook("concat", tensors, dim)


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
    return cook("tril_", input, diagonal)


def triu_(input, diagonal=0):
    return cook("triu_", input, diagonal)


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
    return cook("full", size, fill_value, dtype, valid_shape)


def zeros(*size, dtype=None):
    return cook("zeros", size, dtype)


def ones(*size, dtype=None):
    return cook("ones", size, dtype)


def fill_(input, value):
    """Method form: the tensor gets this value everywhere."""
    return cook("fill_", input, value)


def arange(start, end=None, step=None):
    return cook("arange", start, end, step)


def uniform(shape, key, counter, alg, dtype):
    return cook("uniform", shape, key, counter, alg, dtype)


def normal(shape, key, counter, alg, dtype):
    return cook("normal", shape, key, counter, alg, dtype)