"""Gives Tensor its operators and methods."""
from . import _elementwise as elementwise
from . import _indexed as indexed
from . import _indexing as indexing
from . import _matrix as matrix
from . import _shaping as shaping
from ._emit import Element
from .symbolic_scalar import SymbolicScalar
from .tensor import Tensor

_METHODS = {
    elementwise: """add axpy_ sub mul hypot prelu div fmod remainder greater sin cos sinh cosh
        asinh acosh maximum where lrelu exp sign signbit tanh exp2 expm1 erfc log log1p log10 log2
        logical_not round rsqrt sqrt ceil floor trunc reciprocal relu gcd""",
    shaping: """reshape unsqueeze view clone permute transpose triu triu_ tril tril_ expand_clone
        pad fillpad fill_""",
    indexed: """topk quant_mx sort32 mrgsort amax amin argmax argmin sum gather gathermask
        index_add_ index_add cumsum cumprod scatter_update scatter_ scatter var""",
    matrix: "matmul sigmoid softmax",
}


def _operand(value):
    """Other types get their turn: NotImplemented."""
    return isinstance(value, (Tensor, int, float, Element, SymbolicScalar))


def _operator(function):
    def apply(self, other):
        return function(self, other) if _operand(other) else NotImplemented
    return apply


def _reflected(function):
    def apply(self, other):
        return function(other, self) if _operand(other) else NotImplemented
    return apply


def _reverse_sub(scalar, tensor):
    return elementwise.neg(elementwise.sub(tensor, scalar))


def _reverse_div(scalar, tensor):
    return elementwise.mul(elementwise.reciprocal(tensor), scalar)


def _reverse_floor_div(scalar, tensor):
    return elementwise.floor(_reverse_div(scalar, tensor))


def _floor_div(a, b):
    return elementwise.floor(elementwise.div(a, b))


def _swapped(function):
    return lambda scalar, tensor: function(tensor, scalar)


_OPERATORS = {
    "add": elementwise.add, "sub": elementwise.sub, "mul": elementwise.mul,
    "truediv": elementwise.div, "floordiv": _floor_div, "mod": elementwise.remainder,
    "pow": elementwise.pow, "matmul": matrix.matmul_operator, "eq": elementwise.eq,
    "ne": elementwise.ne, "lt": elementwise.lt, "le": elementwise.le, "gt": elementwise.gt,
    "ge": elementwise.ge,
}
_REFLECTED = {
    "radd": _swapped(elementwise.add), "rsub": _reverse_sub, "rmul": _swapped(elementwise.mul),
    "rtruediv": _reverse_div, "rfloordiv": _reverse_floor_div, "rmod": elementwise.remainder,
}


def _assemble(self, src, offsets):
    """dst.assemble(src, offsets)"""
    return shaping.assemble(src, offsets, self)


def _move(self, src):
    """dst.move(src): dst has src's value, shape, valid shape and dtype from here on."""
    indexing.move(self, src)


def install():
    """Sets the attributes of the class."""
    for module, names in _METHODS.items():
        for name in names.split():
            setattr(Tensor, name, getattr(module, name))
    for name, function in _OPERATORS.items():
        setattr(Tensor, "__%s__" % name, _operator(function))
    for name, function in _REFLECTED.items():
        setattr(Tensor, "__%s__" % name, _reflected(function))
    Tensor.__neg__ = elementwise.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__getitem__ = indexing.get
    Tensor.__setitem__ = indexing.put
    Tensor.assemble = _assemble
    Tensor.move = _move


install()
