"""Routes before torch's functions: results are on the device of their operands, device arguments
become the CPU's, and some functions of tensors on the device are computed as there.

A route is a callable of the extension (runtime/ext/route.c), which passes a call on at once; Python
runs only where a device is named (`_place`), where torch refuses (`_retry`) and for the functions
in `_SPECIAL`. References make millions of small calls, so nothing else may cost much here.
"""
import contextlib
import types

import torch

import _ptosim

from . import _device, _dtypes, _half, _moves, _products, _sorting
from ._device import index_of, mark, npu_index, tensors_in

# Functions that are computed another way when an operand is on the device.
_SPECIAL = {**_products.ROUTES, **_sorting.ROUTES}
# They may give the memory of what is on the host.
_SHARE_MEMORY = ("as_tensor", "asarray", "from_numpy", "frombuffer")
# Memory that nobody has written. torch hands out what was freed before: a result that a kernel forgot
# to write would hold the reference's, and pass.
_UNWRITTEN = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided",
              "empty_permuted")
# They make tensors out of nothing: torch.set_default_device counts for them.
_MAKE = frozenset((
    "zeros", "ones", "empty", "full", "rand", "randn", "randint", "randperm", "arange", "range",
    "eye", "linspace", "logspace", "tensor", "empty_strided", "tril_indices", "triu_indices",
    "normal", "hann_window", "hamming_window", "scalar_tensor", "complex", "polar"))
# Methods that give no tensors, or that _moves has.
_PLAIN = frozenset((
    "size", "stride", "dim", "ndimension", "numel", "nelement", "item", "tolist", "data_ptr",
    "storage", "untyped_storage", "storage_type", "storage_offset", "_storage", "is_contiguous",
    "element_size", "get_device", "has_names", "register_hook", "register_post_accumulate_grad_hook",
    "retain_grad", "backward", "is_pinned", "is_shared", "is_floating_point", "is_complex", "is_signed",
    "is_inference", "is_conj", "is_neg", "is_same_size", "is_set_to", "is_nonzero", "is_distributed",
    "is_coalesced", "numpy", "to", "cpu", "npu", "cuda", "as_subclass", "align_to", "apply_",
    "sparse_dim", "dense_dim", "q_scale", "q_zero_point", "qscheme", "reinforce", "dim_order",
    "share_memory_", "module_load", "sym_size", "equal", "allclose"))
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
              "lshift", "rshift", "div", "divmod")
_DUNDERS = frozenset(
    ["__%s%s__" % (kind, name) for kind in ("", "r", "i") for name in _OPERATORS] +
    ["__%s__" % name for name in ("neg", "pos", "invert", "abs", "eq", "ne", "lt", "le", "gt", "ge",
                                  "getitem", "setitem")])
_ATTRIBUTES = ("T", "mT", "H", "mH", "data", "grad", "real", "imag")

# What is left of unwritten memory is distinguished from a computed NaN by these bits, which no
# computation gives.
_NAN_BITS = {torch.float16: (torch.int16, 0x7E5C), torch.bfloat16: (torch.int16, 0x7FDC),
             torch.float32: (torch.int32, 0x7FDC3C3C),
             torch.float64: (torch.int64, 0x7FFBDC3C3C3C3C3C)}
# Who wants to know of it adds functions: spoiled(tensor) hears of unwritten memory that was filled,
# computed(name, (args, kwargs), result) of results that the stand-in computed itself.
spoiled = []
computed = []

_made = {}  # id of torch's function → its route; the routes keep the functions
_switches = {"products": True}


# ---- what the routes ask Python ----

def _place(route, args, kwargs):
    """A call that names a device: without it, and the result is put there."""
    kwargs = dict(kwargs)
    device = kwargs["device"]
    index = npu_index(device)
    name = route.__name__
    if index is None:
        result = _again(route, args, kwargs)
        for tensor in tensors_in(result):
            mark(tensor, None)
        return result
    kwargs["device"] = "cpu"
    if kwargs.get("pin_memory"):
        kwargs["pin_memory"] = False
    result = _again(route, args, kwargs)
    if name in _SHARE_MEMORY:
        return mark(result.clone(), index)
    for tensor in tensors_in(result):
        if not any(tensor is operand for operand in args):
            mark(tensor, index)
    return result


def _again(route, args, kwargs):
    """The plain function's call, with what follows it."""
    function = route.__wrapped__
    try:
        result = function(*args, **kwargs)
    except (RuntimeError, IndexError, TypeError) as error:
        result = _retry(route, args, kwargs, error, None)
        if result is NotImplemented:
            raise
    if route.__name__ in _UNWRITTEN:
        _spoil(result)
    return result


def _retry(route, args, kwargs, error, index):
    """torch refused: NotImplemented when it is right."""
    name = route.__name__
    if isinstance(error, TypeError):
        return _dtypes.retry(route.__wrapped__, name, args, kwargs)
    return _half.again(route.__wrapped__, name, args, kwargs, error, index is not None)


def _spoil(tensor):
    """Fills it with what no kernel computes: NaN, or a number near the largest."""
    dtype = tensor.dtype
    if not isinstance(dtype, torch.dtype) or tensor.is_meta:
        return
    bits = _NAN_BITS.get(dtype)
    if bits is not None:
        tensor.detach().view(bits[0]).fill_(bits[1])
    elif dtype.is_floating_point or dtype.is_complex:
        try:
            tensor.detach().fill_(float("nan"))
        except RuntimeError:  # a dtype that torch can only store
            tensor.detach().view(torch.uint8).fill_(0xFF)
    elif dtype is torch.bool:
        tensor.fill_(True)
    elif not tensor.is_quantized:
        _fill_whole(tensor, torch.iinfo(dtype).max - 0x25)
    for hear in spoiled:
        hear(tensor)


def _fill_whole(tensor, value):
    try:
        tensor.fill_(value)
    except RuntimeError:  # unsigned 16 to 64 bits of torch 2: stored, hardly computed with
        tensor.view(_dtypes.SAME_SIZE[tensor.element_size()]).fill_(-0x26)


@contextlib.contextmanager
def host_products():
    """Within it products of marked tensors are torch's own."""
    before, _switches["products"] = _switches["products"], False
    try:
        yield
    finally:
        _switches["products"] = before


def _special(name, route):
    is_product = name in _products.ROUTES

    def special(function, args, kwargs):
        if is_product and not _switches["products"]:
            return NotImplemented
        result = route(function, args, kwargs)
        if result is not NotImplemented:
            for hear in computed:
                hear(name, (args, kwargs), result)
        return result
    return special


def set_default_index(index):
    """What torch.set_default_device does to factories."""
    _ptosim.route_default(index)


@contextlib.contextmanager
def uncaptured():
    """What runs within is not noted by a graph that is being captured."""
    held = _ptosim.route_capture(None)
    try:
        yield
    finally:
        _ptosim.route_capture(held)


# ---- putting them in ----

def _route(function, name, is_method):
    special = _SPECIAL.get(name)
    special = None if special is None else _special(name, special)
    after = _spoil if name in _UNWRITTEN else None
    return _ptosim.route(function, name, is_method, name in _MAKE, special, after)


def _routed_function(function, name):
    made = _made.get(id(function))
    if made is None:
        made = _made[id(function)] = _route(function, name, False)
    return made


def _replace(module, names):
    for name in names:
        function = getattr(module, name, None)
        if function is None or isinstance(function, type) or not callable(function):
            continue
        try:
            setattr(module, name, _routed_function(function, name))
        except (AttributeError, TypeError):  # a module of C that lets nothing be replaced
            return


def _builtins_of(module):
    return [name for name, value in list(vars(module).items())
            if isinstance(value, types.BuiltinFunctionType) and not name.startswith("__")]


def _functions():
    variable = torch._C._VariableFunctions
    names = [name for name in dir(torch) if not name.startswith("__") and
             isinstance(getattr(torch, name, None), types.BuiltinFunctionType) and
             hasattr(variable, name)]
    names += [name for name, value in list(vars(torch).items())
              if isinstance(value, types.FunctionType) and value.__module__ == "torch.functional"]
    _replace(torch, names + ["tensor", "as_tensor", "asarray", "from_numpy", "frombuffer"])
    _replace(torch._VF, [name for name in dir(variable) if not name.startswith("__") and
                         isinstance(getattr(variable, name), types.BuiltinFunctionType)])
    import torch.nn.functional as functional
    for module in (torch._C._nn, functional, torch.special, torch.linalg, torch.fft, torch.sparse):
        _replace(module, _builtins_of(module))
    torch.functional.__dict__.update({
        name: getattr(torch, name) for name in names if name in torch.functional.__dict__})
    _replace(torch.autograd, ["grad"])


def _methods():
    kinds = (types.MethodDescriptorType, types.WrapperDescriptorType, types.FunctionType)
    for name in dir(torch.Tensor):
        if name in _PLAIN or (name.startswith("_") and name not in _DUNDERS):
            continue
        function = getattr(torch.Tensor, name)
        if isinstance(function, kinds):
            setattr(torch.Tensor, name, _route(function, name, True))


def _attribute(name):
    real = getattr(torch.Tensor, name)

    def get(self):
        value = real.__get__(self)
        index = self._npu_index
        if index is not None and value is not None:
            mark(value, index)
        return value

    if not hasattr(real, "__set__") or name in ("T", "mT", "H", "mH"):
        return property(get)
    return property(get, lambda self, value: real.__set__(self, value),
                    lambda self: real.__delete__(self))


def _operators_of_libraries():
    """torch.ops.NAMESPACE.NAME: results of operators that programs define."""
    for kind in ("OpOverloadPacket", "OpOverload"):
        owner = getattr(torch._ops, kind, None)
        if owner is not None and "__call__" in vars(owner):
            owner.__call__ = _marking(owner.__call__)


def _marking(real):
    def call(self, *args, **kwargs):
        result = real(self, *args, **kwargs)
        index = next((found for found in map(index_of, tensors_in((args, kwargs)))
                      if found is not None), None)
        if index is not None:
            operands = {id(tensor) for tensor in tensors_in((args, kwargs))}
            for tensor in tensors_in(result):
                if id(tensor) not in operands:
                    mark(tensor, index)
        return result
    return call


def _parameters():
    """torch makes parameters below the functions that have routes."""
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
    """For the rest of the process."""
    _ptosim.route_setup(torch.Tensor, types.MethodType, _place, _retry)
    attributes = {name: _attribute(name) for name in _ATTRIBUTES if hasattr(torch.Tensor, name)}
    _methods()
    _functions()
    for name, made in attributes.items():
        setattr(torch.Tensor, name, made)
    _parameters()
    _operators_of_libraries()
    torch.Tensor.__copy__ = _copy
    _moves.install()
