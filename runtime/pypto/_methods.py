"""Gives Tensor its operators and methods."""
from . import _indexing as indexing, operation
from ._cook import cook
from ._emit import Element
from ._matrix import matmul_operator
from ._numbers import native
from ._shaping import fill_
from .symbolic_scalar import SymbolicScalar
from .tensor import Tensor

_METHODS = """add axpy_ sub mul hypot prelu div fmod remainder greater sin cos sinh cosh asinh acosh
    maximum where lrelu exp sign signbit tanh exp2 expm1 erfc log log1p log10 log2 logical_not round
    rsqrt sqrt ceil floor trunc reciprocal relu gcd
    reshape unsqueeze view clone permute transpose triu triu_ tril tril_ expand_clone pad fillpad
    topk quant_mx sort32 mrgsort amax amin argmax argmin sum gather gathermask index_add_ index_add
    cumsum cumprod scatter_update scatter_ scatter var
    matmul sigmoid softmax"""


def _operand(value):
    """Other types get their turn: NotImplemented."""
    return isinstance(native(value), (Tensor, int, float, Element, SymbolicScalar))


def _operator(function):
    def apply(self, other):
        return function(self, other) if _operand(other) else NotImplemented
    return apply


def _reflected(function):
    def apply(self, other):
        return function(other, self) if _operand(other) else NotImplemented
    return apply


def _recipe(name):
    return lambda a, b: cook(name, a, b)


def _swapped(function):
    return lambda scalar, tensor: function(tensor, scalar)


_OPERATORS = {
    "add": operation.add, "sub": operation.sub, "mul": operation.mul,
    "truediv": operation.div, "floordiv": _recipe("__floordiv__"), "mod": operation.remainder,
    "pow": operation.pow, "matmul": matmul_operator, "eq": operation.eq,
    "ne": operation.ne, "lt": operation.lt, "le": operation.le, "gt": operation.gt,
    "ge": operation.ge,
}
_REFLECTED = {
    "radd": _swapped(operation.add), "rsub": _recipe("__rsub__"), "rmul": _swapped(operation.mul),
    "rtruediv": _recipe("__rtruediv__"), "rfloordiv": _recipe("__rfloordiv__"), "rmod": operation.remainder,
}


def _assemble(self, src, offsets):
    """dst.assemble(src, offsets)"""
    return operation.assemble(src, offsets, self)


def _move(self, src):
    """dst.move(src): dst has src's value, shape, valid shape and dtype from here on."""
    indexing.move(self, src)


def install():
    """Sets the attributes of the class."""
    for name in _METHODS.split():
        setattr(Tensor, name, getattr(operation, name))
    Tensor.fill_ = fill_
    for name, function in _OPERATORS.items():
        setattr(Tensor, "__%s__" % name, _operator(function))
    for name, function in _REFLECTED.items():
        setattr(Tensor, "__%s__" % name, _reflected(function))
    Tensor.__neg__ = operation.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__getitem__ = indexing.get
    Tensor.__setitem__ = indexing.put
    Tensor.assemble = _assemble
    Tensor.move = _move


install()
