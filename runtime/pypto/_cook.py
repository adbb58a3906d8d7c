"""Functions that libptosim has as recipes: their arguments go there as they are."""
import _ptosim

from . import _diagnose, _enums, _state
from ._emit import Element
from ._numbers import native
from ._recording import active, current
from .symbolic_scalar import SymbolicScalar, whole_number
from .tensor import Tensor


def _warn(message):
    _diagnose.warn("pypto-version", message)


_ptosim.cook_setup(
    {"tensor": Tensor, "tensor_of": Tensor._of, "symbol": SymbolicScalar,
     "symbol_of": SymbolicScalar._of, "element": Element, "native": native, "whole": whole_number,
     "warn": _warn, "current": current},
    tuple(kind for kind in vars(_enums).values()
          if isinstance(kind, type) and issubclass(kind, _enums._Enum) and kind is not _enums._Enum))
PARAMETERS = {name: parameters for name, (_, parameters) in _ptosim.recipes().items()}
_NUMBERS = {name: number for name, (number, _) in _ptosim.recipes().items()}


def cook(name, *arguments):
    """Follows a recipe: one argument for each of its parameters."""
    recording = active()
    if recording is None:
        return _ptosim.cook_outside(_state.context(), _NUMBERS[name], arguments)
    recording.check()
    file, line = _state.site()
    return recording.program.cook(recording, _NUMBERS[name], arguments, file, line)
