"""pypto.pypto_impl: the names of the product's low-level binding that programs use."""
from . import _enums
from ._emit import Element, emit
from .tensor import Tensor

# The package takes its enumerations from here.
_ENUMERATIONS = {name: value for name, value in vars(_enums).items()
                 if isinstance(value, type) and issubclass(value, _enums._Enum) and name[0] != "_"}
globals().update(_ENUMERATIONS)
globals().update({dtype.name: dtype for dtype in _enums.DataType})

__all__ = sorted(_ENUMERATIONS) + [
    "Element", "Tensor", "ScalarDivS", "GetCompilerMonitorTotalElapsed", "LogTopFolder", "TileL1Info",
    "TileL0Info"]


def ScalarDivS(tensor, element, reverse):
    """tensor / element, or element / tensor."""
    if not reverse:
        return emit("div", (tensor, element))
    return emit("mul", (emit("reciprocal", (tensor,)), element))


def GetCompilerMonitorTotalElapsed():
    """Seconds of compile time; there is no compiler here."""
    return 0.0


def LogTopFolder():
    """Where the product writes its logs."""
    return "output"


class _Info:
    """Numbers given by name; those given by position are kept as they are, since their order is
    undocumented."""

    def __init__(self, *values, **named):
        self.values = values
        self.__dict__.update(named)

    def __repr__(self):
        shown = [repr(value) for value in self.values]
        shown += ["%s=%r" % pair for pair in vars(self).items() if pair[0] != "values"]
        return "%s(%s)" % (type(self).__name__, ", ".join(shown))


class TileL1Info(_Info):
    """Tile of a convolution in L1: tileHin, tileHout, tileWin, tileWout, tileCinFmap, tileCinWeight, tileN,
    tileBatch."""


class TileL0Info(_Info):
    """Tile of a convolution in L0: tileH, tileW, tileK, tileN."""
