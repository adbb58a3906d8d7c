"""Records operations: Python arguments into operands and attributes of the core."""
import functools

from . import _state
from ._enums import DataType
from ._numbers import native
from ._recording import current
from .error import FeError
from .symbolic_scalar import SymbolicScalar, plain

_SLOT, _INT, _FLOAT, _ELEMENT, _SYM = 1, 2, 3, 4, 5


def also(**names):
    """A decorator that accepts further keywords: also(new="old") passes `new=` on as `old=`. Two lists
    of the product's names differ, and programs use both."""
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **keywords):
            if keywords:
                keywords = {names.get(name, name): value for name, value in keywords.items()}
            return function(*args, **keywords)
        return call
    return decorate


class Element:
    """A constant with a data type."""

    __slots__ = ("dtype", "value")

    @also(value="data")
    def __init__(self, dtype, data):
        value = native(data)
        if not isinstance(dtype, DataType):
            raise FeError(TypeError("Element takes a data type first, not %r" % (dtype,)))
        if not isinstance(value, (int, float)):
            raise FeError(ValueError("Element takes an int or a float, not %s"
                                     % type(value).__name__))
        self.dtype = dtype
        self.value = value

    def base(self):
        """A handle of the product's binding: only to be passed back."""
        return self

    def __repr__(self):
        return "Element(%s, %r)" % (self.dtype, self.value)


def operand(recording, value, what):
    """The core's form of a tensor or scalar argument."""
    if isinstance(value, Tensor):
        return (_SLOT, value._slot_in(recording))
    value = native(value)
    if value is None:
        return None
    if isinstance(value, float):
        return (_FLOAT, value)
    if isinstance(value, int):
        if not -2**63 <= value < 2**64:
            raise FeError(ValueError("%s: %d does not fit 64 bits" % (what, value)))
        return (_INT, value if value < 2**63 else value - 2**64)
    if isinstance(value, Element):
        return (_ELEMENT, int(value.dtype), value.value)
    if isinstance(value, SymbolicScalar):
        return (_SYM, value._handle)
    raise FeError(TypeError("%s takes tensors and numbers, not %s" % (what, type(value).__name__)))


def emit(name, operands, **attributes):
    """Records one operation; its result, a tuple of them, or None."""
    recording = current("pypto." + name)
    op = OPS[name]
    encoded = tuple([operand(recording, value, name) for value in operands])
    file, line = _state.site()
    slots = recording.program.emit(op, encoded, attributes or None, file, line)
    if len(slots) == 1:
        return Tensor._of(recording, slots[0])
    return tuple([Tensor._of(recording, slot) for slot in slots]) or None


def tensor_argument(value, what, parameter="input"):
    """The argument, when it is a tensor; TypeError otherwise."""
    if not isinstance(value, Tensor):
        raise FeError(TypeError("%s(): '%s' must be a tensor, not %s"
                                % (what, parameter, type(value).__name__)))
    return value


def dim_argument(value, what, parameter="dim"):
    """An axis number as int."""
    value = plain(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise FeError(TypeError("%s(): '%s' must be an integer, not %s"
                                % (what, parameter, type(value).__name__)))
    if not -2**31 <= value < 2**31:
        raise FeError(ValueError("%s(): '%s' is out of range: %d" % (what, parameter, value)))
    return value


def bool_argument(value, what, parameter):
    """A flag. The product's binding also accepts integers."""
    number = plain(value)
    if not isinstance(number, int):
        raise FeError(TypeError("%s(): '%s' must be a bool, not %s"
                                % (what, parameter, type(value).__name__)))
    return bool(number)


from ._ops import OPS  # noqa: E402  (made from ops.def)
from .tensor import Tensor  # noqa: E402  (needs the functions above)
