"""Element-wise operations whose arguments need more than the checks of those that are made from
ops.def."""
import math

from . import _version
from ._cook import cook
from ._emit import (Element, also, emit, enum_argument, real_argument,
                    refuse_negative, tensor_argument)
from ._enums import CastMode, DataType, PrecisionType, SaturationMode
from ._numbers import native
from .error import FeError
from .tensor import Tensor

def _unary(name, value):
    return emit(name, (tensor_argument(value, name, "self"),))


def _binary(name, a, b):
    return emit(name, (tensor_argument(a, name), b))


@also(input="input_tensor")
def add(input_tensor, other):
    return _binary("add", input_tensor, other)


@also(input="input_tensor")
def sub(input_tensor, other):
    return _binary("sub", input_tensor, other)


@also(input="input_tensor")
def mul(input_tensor, other):
    return _binary("mul", input_tensor, other)


def ceil_div(self, other):
    if not isinstance(native(other), int) or isinstance(other, bool):
        tensor_argument(other, "ceil_div", "other")
    return _binary("ceil_div", self, other)


def fmod(input, other, precision_type=PrecisionType.HIGH_PRECISION):
    enum_argument(precision_type, PrecisionType, "fmod", "precision_type")
    number = other.value if isinstance(other, Element) else other
    if isinstance(number, float) and not math.isfinite(number):
        _version.refuse("finite-divisor", "fmod: 'other' must be finite, not %r" % number)
    return _binary("fmod", input, other)


_RANGES = {"INT8": (-2**7, 2**7), "UINT8": (0, 2**8), "INT16": (-2**15, 2**15), "INT32": (-2**31, 2**31)}


def gcd(input, other):
    tensor_argument(input, "gcd", "input")
    number = other.value if isinstance(other, Element) else other
    low, high = _RANGES.get(input.dtype.name[3:], (-2**63, 2**64))
    if isinstance(number, int) and not low <= number < high:
        _version.refuse("range-of-number", "gcd: %d is out of the range of %s"
                        % (number, input.dtype.name))
    return _binary("gcd", input, other)


def _either(name, a, b):
    """Operations whose first argument may be the number."""
    if not isinstance(a, Tensor) and not isinstance(b, Tensor):
        tensor_argument(a, name)
    return emit(name, (a, b))


def maximum(input, other):
    return _either("maximum", input, other)


def minimum(input, other):
    return _either("minimum", input, other)


def copysign(input, other):
    return _binary("copysign", input, other)


@also(input="other")
def lrelu(other, negative_slope=0.01):
    tensor_argument(other, "lrelu")
    return emit("lrelu", (other,), real=real_argument(negative_slope, "lrelu", "negative_slope"))


@also(input="self")
def prelu(self, weight):
    tensor_argument(weight, "prelu", "weight")
    return _binary("prelu", self, weight)


def axpy_(y, x, alpha=1.0):
    return cook("axpy_", y, x, alpha)


def clip(input, min=None, max=None):
    return cook("clip", input, min, max)


@also(input="self")
def asin(self):
    return _unary("asin", self)


@also(input="self")
def acos(self):
    return _unary("acos", self)


def isnan(self):
    _version.note_newer("pypto.isnan exists")
    return _unary("isnan", self)


def _compare(name, input, other):
    if isinstance(native(other), int):
        raise FeError(TypeError("%s(): 'other' must be a tensor, a float or an Element, not int"
                                % name))
    return _binary(name, input, other)


def gt(input, other):
    return _compare("gt", input, other)


def ge(input, other):
    return _compare("ge", input, other)


def lt(input, other):
    return _compare("lt", input, other)


def le(input, other):
    return _compare("le", input, other)


def eq(input, other):
    return _compare("eq", input, other)


def ne(input, other):
    return _compare("ne", input, other)


def greater(input, other):
    return _compare("greater", input, other)


def where(condition, input, other):
    tensor_argument(condition, "where", "condition")
    if condition.dtype is not DataType.DT_BOOL:
        raise FeError(TypeError("where(): 'condition' must be a DT_BOOL tensor, not %s"
                                % condition.dtype))
    dtypes = [DataType.DT_FP32 if isinstance(value, float) else getattr(value, "dtype", None)
              for value in (input, other)]
    known = [dtype for dtype in dtypes if dtype is not None]
    if len(set(known)) > 1:
        _version.refuse("one-dtype", "where: the values have one data type, not %s and %s%s" % (
            known[0].name, known[1].name, "; a float goes with DT_FP32 tensors only, use pypto.Element"
            if isinstance(input, float) or isinstance(other, float) else ""))
    for value in (input, other):
        if known and not isinstance(value, Tensor):
            refuse_negative(value, known[0], "where")
    return emit("where", (condition, input, other))


def _bits(name, a, b):
    for value in (a, b):
        if not isinstance(native(value), (Tensor, int)) or isinstance(value, bool):
            raise FeError(TypeError("%s() takes tensors and integers, not %s"
                                    % (name, type(value).__name__)))
    return _either(name, a, b)


@also(a="self", b="other")
def bitwise_and(self, other):
    return _bits("bitwise_and", self, other)


@also(a="input1", b="input2")
def bitwise_or(input1, input2):
    return _bits("bitwise_or", input1, input2)


@also(a="first", b="second")
def bitwise_xor(first, second):
    return _bits("bitwise_xor", first, second)


def bitwise_left_shift(input, other):
    return _bits("bitwise_left_shift", input, other)


def bitwise_right_shift(input, other):
    return _bits("bitwise_right_shift", input, other)


def cast(input, dtype, mode=CastMode.CAST_NONE, satmode=SaturationMode.OFF):
    return cook("cast", input, dtype, mode, satmode)
