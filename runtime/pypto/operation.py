"""pypto.operation: all operations in one place."""
import functools

from . import _elementwise, _indexed, _made, _matrix, _ops, _shaping
from ._emit import Element
from .error import FeError

_MODULES = (_elementwise, _shaping, _indexed, _matrix, _made)


def op_wrapper(function):
    """Marks a user's function as an operation; it is called as it is."""
    @functools.wraps(function)
    def call(*args, **keywords):
        return function(*args, **keywords)
    return call


def _missing(name):
    """What stands for an operation that is not built."""
    def operation(*args, **keywords):
        raise FeError(NotImplementedError("pypto.%s is not simulated yet" % name))
    operation.is_missing = True
    operation.__name__ = operation.__qualname__ = name.rpartition(".")[2]
    return operation


def public():
    """{name: function} of all operations of ops.def, and of the forms that belong to them."""
    found = {}
    for name, (meaning, call) in _ops.MEANINGS.items():
        if "." in name or name in _ops.SYNTAX:
            continue
        function = next((getattr(module, name) for module in _MODULES
                         if hasattr(module, name)), None)
        if function is None:
            function = _missing(name)
        if not function.__doc__:
            function.__doc__ = "%s\n\n%s" % (call, meaning)
        found[name] = function
    for name in ("tril_", "triu_", "index_add", "index_add_ub", "index_add__ub"):
        found[name] = next(getattr(module, name) for module in _MODULES if hasattr(module, name))
    return found


__all__ = sorted(list(public()) + ["op_wrapper", "Element"])
globals().update(public())
