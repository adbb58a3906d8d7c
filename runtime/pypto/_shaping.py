"""Operations that make, move and reshape data."""
from . import _version
from ._cook import cook
from ._emit import also


def view(input, shape=None, offsets=None, *, valid_shape=None, dtype=None):
    return cook("view", input, shape, offsets, valid_shape, dtype)


def assemble(src, offsets, dst=None, parallel=False):
    return cook("assemble", src, offsets, dst, parallel)


def atomic_add(src, offsets, dst):
    return cook("atomic_add", src, offsets, dst)


def reshape(input, shape, *, valid_shape=None, inplace=False):
    return cook("reshape", input, shape, valid_shape, inplace)


def pack(input):
    _version.note_newer("pypto.pack exists")
    return cook("pack", input)


def unpack(input, dtype):
    _version.note_newer("pypto.unpack exists")
    return cook("unpack", input, dtype)


def transpose(input, dim0, dim1):
    return cook("transpose", input, dim0, dim1)


@also(input="input_tensor", self="input_tensor", perm="dims")
def permute(input_tensor, dims):
    return cook("permute", input_tensor, dims)


def expand_clone(input, shape, *, valid_shape=None):
    return cook("expand_clone", input, shape, valid_shape)


def concat(tensors, dim=0):
    return cook("concat", tensors, dim)


def pad(x, padding, mode="constant", value=0):
    return cook("pad", x, padding, mode, value)


def fillpad(x, mode="constant", value=0):
    return cook("fillpad", x, mode, value)


def tril(input, diagonal=0):
    return cook("tril", input, diagonal)


def triu(input, diagonal=0):
    return cook("triu", input, diagonal)


def tril_(input, diagonal=0):
    return cook("tril_", input, diagonal)


def triu_(input, diagonal=0):
    return cook("triu_", input, diagonal)


def interleave(input, other):
    return cook("interleave", input, other)


def deinterleave(input, other=None):
    return cook("deinterleave", input, other)


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