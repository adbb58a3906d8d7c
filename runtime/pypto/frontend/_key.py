"""Keys of recorded kernels: everything that a recording depends on."""
import dataclasses
import enum

from .._emit import Element
from ..symbolic_scalar import SymbolicScalar

_PLAIN = (int, float, complex, str, bytes, bool, type(None), enum.Enum, type)
_DEPTH = 8  # deeper values count by identity


def of(value, keep, depth=0):
    """A hashable stand-in for a value: equal when recordings with it are. Objects that can only be
    told apart by identity are added to `keep`, whose owner keeps them alive."""
    if isinstance(value, SymbolicScalar):
        return ("sym", str(value), value.is_symbol())
    if isinstance(value, Element):
        return ("element", value.dtype, repr(value.value))
    if isinstance(value, float):
        return ("float", repr(value))  # nan equals itself, 0.0 and -0.0 differ
    if isinstance(value, _PLAIN):
        return (type(value).__name__, value)
    if depth < _DEPTH:
        if isinstance(value, (list, tuple)):
            return (type(value).__name__,) + tuple(of(item, keep, depth + 1) for item in value)
        if isinstance(value, dict):
            return ("dict",) + tuple((of(key, keep, depth + 1), of(item, keep, depth + 1))
                                     for key, item in value.items())
        if isinstance(value, (set, frozenset)):
            return ("set", frozenset(of(item, keep, depth + 1) for item in value))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return (type(value).__qualname__,) + tuple(
                (field.name, of(getattr(value, field.name, None), keep, depth + 1))
                for field in dataclasses.fields(value))
    keep.append(value)
    return ("object", id(value))


def of_cells(function, keep):
    """The same for what a function's closure holds now."""
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found.append((name, of(cell.cell_contents, keep)))
        except ValueError:  # still empty
            found.append((name, None))
    return tuple(found)
