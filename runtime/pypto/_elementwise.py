"""Element-wise operations whose Python functions have more than their arguments: further names for them,
notes of the version."""
from . import _version
from ._cook import cook
from ._emit import also
from ._enums import CastMode, PrecisionType, SaturationMode


@also(input="input_tensor")
def add(input_tensor, other):
    return cook("add", input_tensor, other)


@also(input="input_tensor")
def sub(input_tensor, other):
    return cook("sub", input_tensor, other)


@also(input="input_tensor")
def mul(input_tensor, other):
    return cook("mul", input_tensor, other)


def ceil_div(self, other):
    return cook("ceil_div", self, other)


def fmod(input, other, precision_type=PrecisionType.HIGH_PRECISION):
    return cook("fmod", input, other, precision_type)


def gcd(input, other):
    return cook("gcd", input, other)


def maximum(input, other):
    return cook("maximum", input, other)


def minimum(input, other):
    return cook("minimum", input, other)


def copysign(input, other):
    return cook("copysign", input, other)


@also(input="other")
def lrelu(other, negative_slope=0.01):
    return cook("lrelu", other, negative_slope)


@also(input="self")
def prelu(self, weight):
    return cook("prelu", self, weight)


def axpy_(y, x, alpha=1.0):
    return cook("axpy_", y, x, alpha)


def clip(input, min=None, max=None):
    return cook("clip", input, min, max)


@also(input="self")
def asin(self):
    return cook("asin", self)


@also(input="self")
def acos(self):
    return cook("acos", self)


def isnan(self):
    _version.note_newer("pypto.isnan exists")
    return cook("isnan", self)


def gt(input, other):
    return cook("gt", input, other)


def ge(input, other):
    return cook("ge", input, other)


def lt(input, other):
    return cook("lt", input, other)


def le(input, other):
    return cook("le", input, other)


def eq(input, other):
    return cook("eq", input, other)


def ne(input, other):
    return cook("ne", input, other)


def greater(input, other):
    return cook("greater", input, other)


def where(condition, input, other):
    return cook("where", condition, input, other)


@also(a="self", b="other")
def bitwise_and(self, other):
    return cook("bitwise_and", self, other)


@also(a="input1", b="input2")
def bitwise_or(input1, input2):
    return cook("bitwise_or", input1, input2)


@also(a="first", b="second")
def bitwise_xor(first, second):
    return cook("bitwise_xor", first, second)


def bitwise_left_shift(input, other):
    return cook("bitwise_left_shift", input, other)


def bitwise_right_shift(input, other):
    return cook("bitwise_right_shift", input, other)


def cast(input, dtype, mode=CastMode.CAST_NONE, satmode=SaturationMode.OFF):
    return cook("cast", input, dtype, mode, satmode)
