"""pypto.pypto_impl: the names of the product's low-level binding that programs use."""
from ._emit import Element, emit
from ._enums import DataType, ReLuType as ConvReLuType
from .tensor import Tensor

__all__ = ["Element", "Tensor", "DataType", "ScalarDivS", "GetCompilerMonitorTotalElapsed",
           "LogTopFolder", "ConvReLuType", "TileL1Info", "TileL0Info"]


def ScalarDivS(tensor, element, reverse):
    """tensor / element, or element / tensor."""
    if not reverse:
        return emit("div", (tensor, element))
    return emit("mul", (emit("reciprocal", (tensor,)), element))


def GetCompilerMonitorTotalElapsed():
    """Seconds that compiling took; there is no compiler."""
    return 0.0


def LogTopFolder():
    """Where the product writes its logs."""
    return "output"


class _Info:
    """Attributes by position or name."""

    def __init__(self, *values, **named):
        self.values = values
        self.__dict__.update(named)


class TileL1Info(_Info):
    """Tile of a convolution in L1."""


class TileL0Info(_Info):
    """Tile of a convolution in L0."""
