"""pypto.frontend: the decorators."""
from ..error import FeError
from ..symbolic_scalar import SymbolicScalar
from ._jit import function, jit

__all__ = ["jit", "function", "dynamic"]


def dynamic(name):
    """A named dynamic dimension for annotations."""
    if not isinstance(name, str):
        raise FeError(TypeError("dynamic() takes a name, not %s" % type(name).__name__))
    return SymbolicScalar(name)
