"""The dtypes of newer torch that this one lacks: names that programs mention when they are imported,
and tensors that carry such a dtype over storage of the same size.

A tensor that carries one can be made, moved, sliced, copied, converted and given to kernels; torch
could not compute with it either in most releases. Everything else is a TypeError that names the
release of torch that has the dtype.
"""

import torch

import _ptosim

# Same size, and torch has always had them.
SAME_SIZE = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_FLOAT32 = _ptosim.TORCH_DTYPES["float32"]


class Sentinel:
    """A dtype that this torch lacks. Equal only to itself; not a torch.dtype."""

    def __init__(self, name, size, since, is_float, numbers):
        self.name, self.itemsize, self.since = name, size, since
        self.is_floating_point, self.is_complex = is_float, False
        self.is_signed = is_float and name != "float8_e8m0fnu"
        self.storage = SAME_SIZE[size]
        self.number = _ptosim.TORCH_DTYPES[name]
        self.numbers = numbers  # of finfo or iinfo

    def __repr__(self):
        return "torch." + self.name

    __str__ = __repr__

    def __reduce__(self):
        return (_named, (self.name,))

    def __deepcopy__(self, memo):
        return self


def _whole(bits):
    return {"bits": bits, "min": 0, "max": 2 ** bits - 1}


def _float(bits, largest, smallest, eps, tiny):
    return {"bits": bits, "min": smallest, "max": largest, "eps": eps, "tiny": tiny,
            "smallest_normal": tiny, "resolution": eps}


_ALL = {known.name: known for known in (
    Sentinel("uint16", 2, "2.3", False, _whole(16)),
    Sentinel("uint32", 4, "2.3", False, _whole(32)),
    Sentinel("uint64", 8, "2.3", False, _whole(64)),
    Sentinel("float8_e4m3fn", 1, "2.1", True, _float(8, 448.0, -448.0, 0.125, 2.0 ** -6)),
    Sentinel("float8_e5m2", 1, "2.1", True, _float(8, 57344.0, -57344.0, 0.25, 2.0 ** -14)),
    Sentinel("float8_e8m0fnu", 1, "2.7", True,
             _float(8, 2.0 ** 127, 2.0 ** -127, 1.0, 2.0 ** -127)),
    Sentinel("float4_e2m1fn_x2", 1, "2.8", True, _float(4, 6.0, -6.0, 0.5, 1.0)))}


def _named(name):
    return getattr(torch, name)


def _refuse(dtype, what):
    return TypeError("%s of a %s tensor: torch %s has this dtype, this is torch %s; convert it first "
                     "(.to(torch.float32) or .view(%s))"
                     % (what, dtype, dtype.since, torch.__version__.split("+")[0], dtype.storage))


# ---- values ----

def _decoded(plain, dtype):
    """The numbers in storage: whole ones in 64 bits, others in F32."""
    if not dtype.is_floating_point:
        wide = plain.to(torch.int64)
        return wide if dtype.itemsize == 8 else wide & (2 ** (8 * dtype.itemsize) - 1)
    if dtype.name == "float4_e2m1fn_x2":
        raise _refuse(dtype, "values")
    dense = plain.contiguous()
    result = torch.zeros(dense.shape, dtype=torch.float32)
    if dense.numel():
        _ptosim.convert(dense.data_ptr(), dtype.number, result.data_ptr(), _FLOAT32, dense.numel())
    return mark_like(result, plain)


def _encoded(values, dtype):
    """Storage that holds these numbers."""
    if not dtype.is_floating_point:
        return (values if not values.is_floating_point() else values.trunc()).to(torch.int64) \
            .to(dtype.storage)
    if dtype.name == "float4_e2m1fn_x2":
        raise _refuse(dtype, "conversion")
    dense = values.detach().to(torch.float32).contiguous()
    result = torch.zeros(dense.shape, dtype=torch.uint8)
    if dense.numel():
        _ptosim.convert(dense.data_ptr(), _FLOAT32, result.data_ptr(), dtype.number, dense.numel(),
                        0, 1)
    return mark_like(result, values)


def mark_like(result, other):
    """The result on the other's device."""
    if other._npu_index is not None:
        result._npu_index = other._npu_index
    return result


def carry(storage, dtype):
    """The storage as a tensor of that dtype."""
    made = storage.detach().as_subclass(Carrier)
    made._sentinel = dtype
    return mark_like(made, storage)


def plain_of(tensor):
    """The storage of a tensor that carries a dtype."""
    with torch._C.DisableTorchFunction():
        plain = torch.Tensor.as_subclass(tensor, torch.Tensor)
    return mark_like(plain, tensor)


def convert(tensor, dtype):
    """tensor.to(dtype), for a sentinel."""
    if isinstance(tensor, Carrier):
        if tensor._sentinel is dtype:
            return tensor
        return carry(_encoded(_decoded(plain_of(tensor), tensor._sentinel), dtype), dtype)
    return carry(_encoded(tensor, dtype), dtype)


# ---- the tensors ----

_MOVES = frozenset((
    "__getitem__", "reshape", "transpose", "permute", "contiguous", "clone", "detach", "squeeze",
    "unsqueeze", "flatten", "expand", "expand_as", "narrow", "select", "chunk", "split", "t", "repeat",
    "flip", "roll", "index_select", "unbind", "cat", "concat", "stack", "gather", "tile", "swapaxes",
    "movedim", "view_as", "reshape_as", "requires_grad_", "pin_memory", "masked_select", "take",
    "unfold", "diagonal", "zeros_like", "empty_like", "new_zeros", "new_empty", "zero_", "set_",
    "broadcast_to", "unflatten", "rot90", "data"))
_ASKS = frozenset((
    "size", "stride", "dim", "ndimension", "numel", "nelement", "is_contiguous", "data_ptr",
    "element_size", "storage_offset", "storage", "untyped_storage", "_storage", "storage_type",
    "shape", "layout", "ndim", "requires_grad", "is_leaf", "grad_fn", "is_conj", "is_neg", "__len__",
    "is_pinned", "is_shared", "is_meta", "is_cuda", "is_cpu", "is_sparse", "is_quantized", "_version",
    "is_mkldnn", "names", "has_names", "_is_view", "_base", "device", "__hash__", "is_inference",
    "is_complex", "_has_symbolic_sizes_strides", "_cdata", "is_nested", "grad", "get_device",
    "is_same_size", "is_tensor", "__get__", "is_xpu", "is_vulkan", "is_mps", "is_ipu"))
_WIDTHS = {"float": torch.float32, "double": torch.float64, "half": torch.float16,
           "bfloat16": torch.bfloat16, "int": torch.int32, "long": torch.int64,
           "short": torch.int16, "char": torch.int8, "byte": torch.uint8, "bool": torch.bool}
_VALUES = frozenset(("item", "tolist", "__int__", "__float__", "__bool__", "__index__",
                     "__format__"))


class Carrier(torch.Tensor):
    """A tensor over storage of the same size. Kernels take it for what it says it is."""

    _sentinel = None

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if name == "__get__":
            name = getattr(function.__self__, "__name__", "")
            if name == "dtype":
                return args[0]._sentinel
            if isinstance(function.__self__, property):  # one that _routes or _moves has put there: device, data, T …
                return _carried(function(*_plain(args)), args[0]._sentinel)
        dtype = _sentinel_in(args)
        if name in _ASKS:
            return function(*_plain(args), **_plain(kwargs))
        if name in _MOVES:
            return _carried(function(*_plain(args), **_plain(kwargs)), dtype)
        return _compute(function, name, dtype, args, kwargs)

    def __repr__(self, **_others):
        return "tensor(%s, dtype=%s)" % (self.tolist(), self._sentinel)

    def __reduce_ex__(self, protocol):
        return (_unpickled, (plain_of(self), self._sentinel))

    def __deepcopy__(self, memo):
        return carry(plain_of(self).clone(), self._sentinel)


def _refusing(name):
    def operator(self, *_others):
        raise _refuse(self._sentinel, "'%s'" % name)
    return operator


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
              "lshift", "rshift"):
    for _kind in ("", "r", "i"):  # torch would say "unsupported operand type" without a reason
        setattr(Carrier, "__%s%s__" % (_kind, _name), _refusing(_name))
for _name in ("lt", "le", "gt", "ge", "neg", "invert", "abs"):
    setattr(Carrier, "__%s__" % _name, _refusing(_name))


def _unpickled(plain, dtype):
    return carry(plain, dtype) if isinstance(dtype, Sentinel) else plain.view(dtype)


def _compute(function, name, dtype, args, kwargs):
    plain = plain_of(args[0]) if isinstance(args[0], Carrier) else None
    if name == "is_floating_point":
        return dtype.is_floating_point
    if name in _VALUES and plain is not None:
        return getattr(_decoded(plain, dtype), name)(*args[1:])
    if name in _WIDTHS:
        return _decoded(plain, dtype).to(_WIDTHS[name])
    if name == "to":
        return _converted(args, kwargs)
    if name == "view":
        return _viewed(plain, dtype, args, kwargs)
    if name == "numpy" and not dtype.is_floating_point:
        return plain.numpy().view(dtype.name)
    if name in ("eq", "ne", "__eq__", "__ne__", "equal") and _sentinel_in(args[1:]) is dtype:
        wide = [_decoded(plain_of(arg), dtype) for arg in args[:2]]
        return function(*wide)
    if name in ("copy_", "fill_", "__setitem__", "masked_fill_"):
        return _written(function, name, dtype, args, kwargs)
    raise _refuse(dtype, "'%s'" % name)


def _converted(args, kwargs):
    given = [arg for arg in list(args[1:]) + list(kwargs.values())
             if isinstance(arg, (torch.dtype, Sentinel))]
    tensor, wanted = args[0], given[0] if given else args[0]._sentinel
    if isinstance(wanted, Sentinel):
        return convert(tensor, wanted)
    return _decoded(plain_of(tensor), tensor._sentinel).to(wanted)


def _viewed(plain, dtype, args, kwargs):
    wanted = args[1] if len(args) > 1 else kwargs.get("dtype")
    if isinstance(wanted, torch.dtype):
        return mark_like(plain.view(wanted), plain)
    if isinstance(wanted, Sentinel):
        return carry(plain if plain.dtype is wanted.storage else plain.view(wanted.storage), wanted)
    return carry(plain.view(*args[1:], **kwargs), dtype)


def _written(function, name, dtype, args, kwargs):
    *front, value = args
    if isinstance(value, Carrier) and value._sentinel is not dtype:
        value = convert(value, dtype)
    if isinstance(value, Carrier):
        value = plain_of(value)
    elif isinstance(value, torch.Tensor):
        value = _encoded(value, dtype)
    else:
        value = _encoded(torch.tensor(value), dtype).item()
    if not isinstance(front[0], Carrier):  # into an ordinary tensor
        raise _refuse(dtype, "'%s'" % name)
    result = function(*_plain(front), value, **kwargs)
    return front[0] if result is not None else None


def _sentinel_in(args):
    for arg in args:
        if isinstance(arg, Carrier):
            return arg._sentinel
        if isinstance(arg, (list, tuple)):
            found = _sentinel_in(arg)
            if found is not None:
                return found
    return None


def _plain(value):
    if isinstance(value, Carrier):
        return plain_of(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _carried(result, dtype):
    if isinstance(result, torch.Tensor):
        return carry(result, dtype) if result.dtype is dtype.storage else result
    if isinstance(result, (list, tuple)):
        return type(result)([_carried(item, dtype) for item in result])
    return result


# ---- calls of torch's own functions that name such a dtype ----

_ALL_BUT_VALUES = ("zeros", "empty", "zeros_like", "empty_like", "new_zeros", "new_empty",
                   "empty_strided", "new_empty_strided")


def retry(function, name, args, kwargs):
    """A call that torch has refused with a TypeError: made in another way when a missing dtype is
    the reason, else NotImplemented."""
    dtype = kwargs.get("dtype")
    if isinstance(dtype, Sentinel):
        rest = {key: value for key, value in kwargs.items() if key != "dtype"}
        return _made(function, name, dtype, args, rest)
    if name == "view" and len(args) == 2 and isinstance(args[1], Sentinel):
        storage = args[0] if args[0].dtype is args[1].storage else args[0].view(args[1].storage)
        return carry(storage, args[1])
    if name in ("from_numpy", "as_tensor", "tensor", "asarray") and args:
        kind = _ALL.get(str(getattr(args[0], "dtype", "")))
        if kind is not None and isinstance(getattr(torch, kind.name), Sentinel) and \
                hasattr(args[0], "__array_interface__"):
            words = args[0].view("int%d" % (8 * kind.itemsize))
            return carry(function(words, *args[1:], **kwargs), kind)
    return NotImplemented


def _made(function, name, dtype, args, kwargs):
    """A tensor of such a dtype, made by a factory."""
    if name in _ALL_BUT_VALUES:
        storage = function(*_plain(args), dtype=dtype.storage, **kwargs)
        if "empty" in name:  # as _routes spoils others: NaN, or a number near the largest
            storage.fill_(0xFF if dtype.is_floating_point else -0x26)
        return carry(storage, dtype)
    if name == "full" and not dtype.is_floating_point:
        size, value = args[0], args[1] if len(args) > 1 else kwargs["fill_value"]
        return carry(_encoded(torch.full(size, int(value), dtype=torch.int64), dtype), dtype)
    wide = torch.float32 if dtype.is_floating_point else torch.int64
    if name in ("sum", "mean", "prod", "softmax", "cumsum"):
        return NotImplemented
    return carry(_encoded(function(*args, dtype=wide, **kwargs), dtype), dtype)


# ---- finfo and iinfo ----

class _Info:
    def __init__(self, dtype):
        self.dtype = str(dtype).partition(".")[2]
        self.__dict__.update(dtype.numbers)

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join(
            "%s=%s" % item for item in vars(self).items()))


def _info_of(real, is_float):
    class Meta(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, (real, _Info))

    def __new__(cls, *args, **kwargs):
        dtype = args[0] if args else kwargs.get("type")
        if not isinstance(dtype, Sentinel):
            return real(*args, **kwargs)
        if dtype.is_floating_point is not is_float:
            raise TypeError("torch.%s() does not take %s" % (real.__name__, dtype))
        return _Info(dtype)

    return Meta(real.__name__, (), {"__new__": __new__, "__doc__": real.__doc__})


def install():
    """Adds the names that are missing."""
    missing = [kind for name, kind in _ALL.items() if not hasattr(torch, name)]
    for kind in missing:
        setattr(torch, kind.name, kind)
    if missing:
        torch.finfo, torch.iinfo = _info_of(torch.finfo, True), _info_of(torch.iinfo, False)
