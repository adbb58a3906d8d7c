"""SymbolicScalar: integers that a kernel may know only when it runs."""
import operator
from typing import Union

from . import _state, _symbol_text
from ._numbers import native
from .error import FeError

ADD, SUB, MUL, DIV, MOD, MIN, MAX, EQ, NE, LT, LE, GT, GE = range(13)
_CONSTANT, _SYMBOL, _EXPRESSION = range(3)
_EMPTY = object()


class SymbolicScalar:
    """An integer, a named symbol or an expression of them. 64 bits; `/` and `//` truncate."""

    # _written: how it came about, (operation, operand[, operand]); None = it came from the core
    __slots__ = ("_handle", "_named", "_written")
    __hash__ = None  # no dictionary key
    __array_ufunc__ = None  # numpy leaves operators to this class

    def __init__(self, value=_EMPTY, concrete=None):
        context = _state.context()
        value, concrete = native(value), native(concrete)
        self._named = self._written = None
        if value is _EMPTY:
            self._handle = None
        elif isinstance(value, SymbolicScalar):
            self._handle, self._named = value._handle, value._named
            self._written = value._written
        elif isinstance(value, str):
            if concrete is None:
                self._handle = context.symbol(value)
            else:
                self._handle = context.constant(_integer(concrete))
                self._named = value
        elif isinstance(value, int):
            self._handle = context.constant(_integer(value))
        else:
            raise FeError(TypeError("SymbolicScalar takes an integer, a name or a SymbolicScalar, "
                                    "not %s" % type(value).__name__))

    @classmethod
    def _of(cls, handle, written=None):
        made = cls.__new__(cls)
        made._handle = handle
        made._named = None
        made._written = written
        return made

    def _known(self):
        """The handle; an error for SymbolicScalar()."""
        if self._handle is None:
            raise FeError(ValueError("an empty symbolic scalar has no value"))
        return self._handle

    def _kind(self):
        """The text form decides: only constants are folded in it."""
        if self._handle is None:
            return None
        if self._named is not None:
            return _SYMBOL
        if self._written is not None:
            return _CONSTANT if isinstance(_symbol_text.form(self), int) else _EXPRESSION
        return _state.context().kind(self._handle)

    # ---- queries ----

    def _value(self):
        return None if self._handle is None else _state.context().value(self._handle)

    def is_concrete(self):
        """Is the value known?"""
        return self._value() is not None

    def is_immediate(self):
        """Is it a plain number?"""
        return self._kind() == _CONSTANT

    def is_symbol(self):
        """Is it a name?"""
        return self._kind() == _SYMBOL

    def is_expression(self):
        """Is it an expression?"""
        return self._kind() == _EXPRESSION

    def concrete(self):
        """The value; ValueError when it is not known."""
        value = self._value()
        if value is None:
            raise FeError(ValueError("Not concrete value."))
        return value

    def simplify(self):
        """Expressions are always simplified."""
        return self

    def as_variable(self):
        """A hint for code generation, without effect here."""
        return self

    def base(self):
        """A handle of the product's binding: only to be passed back."""
        return self

    as_expr = as_var = base

    def tenary(self, true_value, false_value):
        """true_value where it is not 0, else false_value. (The product's spelling.)"""
        truth = self != 0
        return truth * true_value + (1 - truth) * false_value

    def __int__(self):
        return self.concrete()

    def __bool__(self):
        return bool(self.concrete())

    def __float__(self):
        return float(self.concrete())

    def __repr__(self):
        return str(_symbol_text.form(self))

    __str__ = __repr__

    # ---- arithmetic ----

    def __neg__(self):
        return SymbolicScalar._of(_state.context().negate(self._known()), (_symbol_text.NEGATE, self))

    def __pos__(self):
        return self

    def __invert__(self):
        return SymbolicScalar._of(_state.context().logical_not(self._known()), (_symbol_text.NOT, self))

    def check(self, conditions=()):
        """Can this and all the conditions be true together? UNKNOWN unless that is obvious."""
        from ._enums import SatStatus
        values = [plain(one) for one in [self] + list(conditions)]
        if any(not isinstance(value, SymbolicScalar) and not value for value in values):
            return SatStatus.UNSAT
        return SatStatus.UNKNOWN if any(isinstance(value, SymbolicScalar) for value in values) \
            else SatStatus.SAT

    def _truth_with(self, other, op):
        if handle_of(other) is None or _version_is_9_1():
            return NotImplemented
        return _binary(op, self != 0, other != 0 if isinstance(other, SymbolicScalar)
                       else int(other != 0))

    def __and__(self, other):
        return self._truth_with(other, MIN)

    def __or__(self, other):
        return self._truth_with(other, MAX)

    __rand__, __ror__ = __and__, __or__

    def min(self, other):
        """The smaller one."""
        return _binary(MIN, self, other)

    def max(self, other):
        """The larger one."""
        return _binary(MAX, self, other)


def _version_is_9_1():
    from . import _version
    return _version.is_9_1


def _integer(value):
    if not isinstance(value, int):
        raise FeError(TypeError("an integer is wanted, not %s" % type(value).__name__))
    if not -2**63 <= value < 2**63:
        raise FeError(ValueError("%d does not fit 64 bits" % value))
    return int(value)


def handle_of(value):
    """The handle of an int or a SymbolicScalar; None for everything else."""
    if isinstance(value, SymbolicScalar):
        return value._known()
    value = native(value)
    if isinstance(value, int):
        return _state.context().constant(_integer(value))
    whole = whole_number(value)
    return None if whole is None else _state.context().constant(_integer(whole))


def whole_number(value):
    """The int that an integer of NumPy or a tensor of torch with one element stands for, else None. The
    product's binding takes whatever has an __index__."""
    if type(value).__module__ not in ("numpy", "torch") or not hasattr(value, "__index__"):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _binary(op, a, b):
    a, b = native(a), native(b)
    left, right = handle_of(a), handle_of(b)
    if left is None or right is None:
        raise FeError(TypeError("symbolic scalars go with integers and symbolic scalars, not %s"
                                % type(b if left is not None else a).__name__))
    return SymbolicScalar._of(_state.context().binary(op, left, right),
                              _symbol_text.written(op, a, b))


def _operator_of(op, reflected=False):
    def apply(self, other):
        other = native(other)
        handle = handle_of(other)
        if handle is None:
            return NotImplemented
        if reflected:
            return SymbolicScalar._of(_state.context().binary(op, handle, self._known()),
                                      _symbol_text.written(op, other, self))
        return SymbolicScalar._of(_state.context().binary(op, self._known(), handle),
                                  _symbol_text.written(op, self, other))
    return apply


for _name, _op in (("add", ADD), ("sub", SUB), ("mul", MUL), ("truediv", DIV), ("floordiv", DIV),
                   ("mod", MOD)):
    setattr(SymbolicScalar, "__%s__" % _name, _operator_of(_op))
    setattr(SymbolicScalar, "__r%s__" % _name, _operator_of(_op, True))
for _name, _op in (("eq", EQ), ("ne", NE), ("lt", LT), ("le", LE), ("gt", GT), ("ge", GE)):
    setattr(SymbolicScalar, "__%s__" % _name, _operator_of(_op))

SymInt = Union[int, SymbolicScalar]


def is_integer(value):
    """An int (no bool) or a SymbolicScalar?"""
    return isinstance(value, SymbolicScalar) or (
        isinstance(value, int) and not isinstance(value, bool)) or \
        not isinstance(value, int) and whole_number(value) is not None


def plain(value):
    """An int where the value is known, else the SymbolicScalar."""
    if isinstance(value, SymbolicScalar):
        known = value._value()
        return value if known is None else known
    if isinstance(value, (int, float)):
        return value
    whole = whole_number(value)
    return value if whole is None else whole


def minimum(a, b):
    """pypto.min."""
    return _binary(MIN, a, b)


def maximum(a, b):
    """pypto.max."""
    return _binary(MAX, a, b)
