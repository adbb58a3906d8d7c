"""Element-wise operations: arithmetic, functions, comparisons, logic, bits."""
from . import _version
from ._emit import (also, dim_argument, dtype_argument, emit, enum_argument, real_argument,
                    tensor_argument)
from ._enums import CastMode, DataType, PrecisionType, SaturationMode
from .error import FeError
from .tensor import Tensor

_HIGH, _INTRINSIC = PrecisionType.HIGH_PRECISION, PrecisionType.INTRINSIC


def _precision(value, what):
    enum_argument(value, PrecisionType, what, "precision_type")


def _unary(name, value, parameter="input"):
    return emit(name, (tensor_argument(value, name, parameter),))


def _binary(name, a, b):
    return emit(name, (tensor_argument(a, name), b))


# ---- arithmetic ----

@also(input="input_tensor")
def add(input_tensor, other):
    return _binary("add", input_tensor, other)


@also(input="input_tensor")
def sub(input_tensor, other):
    return _binary("sub", input_tensor, other)


@also(input="input_tensor")
def mul(input_tensor, other):
    return _binary("mul", input_tensor, other)


def div(input, other, precision_type=_HIGH):
    _precision(precision_type, "div")
    return _binary("div", input, other)


def floor_div(input, other):
    return _binary("floor_div", input, other)


def ceil_div(self, other):
    if not isinstance(other, int) or isinstance(other, bool):
        tensor_argument(other, "ceil_div", "other")
    return _binary("ceil_div", self, other)


def fmod(input, other, precision_type=_HIGH):
    _precision(precision_type, "fmod")
    return _binary("fmod", input, other)


def remainder(input, other, precision_type=_HIGH):
    _precision(precision_type, "remainder")
    return _either("remainder", input, other)


def pow(base, other, precision_type=_HIGH):
    _precision(precision_type, "pow")
    return _binary("pow", base, other)


def hypot(self, other):
    tensor_argument(other, "hypot", "other")
    return _binary("hypot", self, other)


def _either(name, a, b):
    """Operations whose first argument may be the number."""
    if not isinstance(a, Tensor) and not isinstance(b, Tensor):
        tensor_argument(a, name)
    return emit(name, (a, b))


def maximum(input, other):
    return _either("maximum", input, other)


def minimum(input, other):
    return _either("minimum", input, other)


def neg(a):
    return _unary("neg", a, "a")


def abs(a):
    return _unary("abs", a, "a")


def sign(a):
    return _unary("sign", a, "a")


def signbit(a):
    return _unary("signbit", a, "a")


def copysign(input, other):
    return _binary("copysign", input, other)


def reciprocal(a, precision_type=_HIGH):
    _precision(precision_type, "reciprocal")
    return _unary("reciprocal", a, "a")


def relu(a):
    return _unary("relu", a, "a")


@also(input="other")
def lrelu(other, negative_slope=0.01):
    tensor_argument(other, "lrelu")
    return emit("lrelu", (other,), real=real_argument(negative_slope, "lrelu", "negative_slope"))


@also(input="self")
def prelu(self, weight):
    tensor_argument(weight, "prelu", "weight")
    return _binary("prelu", self, weight)


def axpy_(y, x, alpha=1.0):
    tensor_argument(y, "axpy_", "y")
    tensor_argument(x, "axpy_", "x")
    emit("move", (emit("axpy_", (y, x), real=real_argument(alpha, "axpy_", "alpha")), y))
    return y


def clip(input, min=None, max=None):
    tensor_argument(input, "clip")
    if min is None and max is None:
        return input
    return emit("clip", (input, min, max))


def gcd(input, other):
    return _binary("gcd", input, other)


def expand_exp_dif(input, other):
    tensor_argument(other, "expand_exp_dif", "other")
    return _binary("expand_exp_dif", input, other)


# ---- functions ----

def exp(input, precision_type=_INTRINSIC):
    _precision(precision_type, "exp")
    return _unary("exp", input)


def exp2(input):
    return _unary("exp2", input)


def expm1(input):
    return _unary("expm1", input)


def log(input, precision_type=_INTRINSIC):
    _precision(precision_type, "log")
    return _unary("log", input)


def log2(input, precision_type=_INTRINSIC):
    _precision(precision_type, "log2")
    return _unary("log2", input)


def log10(input, precision_type=_INTRINSIC):
    _precision(precision_type, "log10")
    return _unary("log10", input)


def log1p(input):
    return _unary("log1p", input)


def sqrt(input, precision_type=_INTRINSIC):
    _precision(precision_type, "sqrt")
    return _unary("sqrt", input)


def rsqrt(input, precision_type=_INTRINSIC):
    _precision(precision_type, "rsqrt")
    return _unary("rsqrt", input)


def cbrt(self):
    return _unary("cbrt", self)


def sin(self):
    return _unary("sin", self)


def cos(self):
    return _unary("cos", self)


def tan(x):
    return _unary("tan", x)


def tanh(a):
    return _unary("tanh", a)


def sinh(input):
    return _unary("sinh", input)


def cosh(input):
    return _unary("cosh", input)


def asinh(input):
    return _unary("asinh", input)


def acosh(input):
    return _unary("acosh", input)


def atanh(input):
    return _unary("atanh", input)


@also(input="self")
def asin(self):
    return _unary("asin", self)


@also(input="self")
def acos(self):
    return _unary("acos", self)


def atan(self):
    return _unary("atan", self)


def atan2(y, x):
    tensor_argument(x, "atan2", "x")
    return _binary("atan2", y, x)


def erf(self):
    return _unary("erf", self)


def erfc(input):
    return _unary("erfc", input)


def round(input, decimals=0):
    tensor_argument(input, "round")
    return emit("round", (input,), mode=dim_argument(decimals, "round", "decimals"))


def floor(input):
    return _unary("floor", input)


def ceil(input):
    return _unary("ceil", input)


def trunc(input):
    return _unary("trunc", input)


def isfinite(self):
    return _unary("isfinite", self)


def isnan(self):
    _version.note_newer("pypto.isnan exists")
    return _unary("isnan", self)


# ---- comparisons, logic, bits ----

def _compare(name, input, other):
    if isinstance(other, int):
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


def logical_not(input):
    return _unary("logical_not", input)


def logical_and(input, other):
    tensor_argument(other, "logical_and", "other")
    return _binary("logical_and", input, other)


def where(condition, input, other):
    tensor_argument(condition, "where", "condition")
    if condition.dtype is not DataType.DT_BOOL:
        raise FeError(TypeError("where(): 'condition' must be a DT_BOOL tensor, not %s"
                                % condition.dtype))
    return emit("where", (condition, input, other))


def _bits(name, a, b):
    for value in (a, b):
        if not isinstance(value, (Tensor, int)) or isinstance(value, bool):
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


def bitwise_not(self):
    return _unary("bitwise_not", self)


def bitwise_left_shift(input, other):
    return _bits("bitwise_left_shift", input, other)


def bitwise_right_shift(input, other):
    return _bits("bitwise_right_shift", input, other)


# ---- conversion ----

def cast(input, dtype, mode=CastMode.CAST_NONE, satmode=SaturationMode.OFF):
    tensor_argument(input, "cast")
    number = dtype_argument(dtype, "cast")
    mode = enum_argument(mode, CastMode, "cast", "mode")
    if input.dtype is dtype and mode in (0, 1):
        return input
    return emit("cast", (input,), dtype=number, mode=mode,
                saturation=enum_argument(satmode, SaturationMode, "cast", "satmode"))
