"""pypto.platform: the hardware. `npuarch` can be set: pypto.platform.npuarch = "DAV_3510"."""
import sys
import types

from . import _state
from .error import FeError


class _Platform(types.ModuleType):
    @property
    def npuarch(self):
        """The architecture's name."""
        return _state.context().soc()["arch_name"]

    @npuarch.setter
    def npuarch(self, name):
        if not isinstance(name, str):
            raise FeError(TypeError("npuarch is a string, not %s" % type(name).__name__))
        if name != self.npuarch:
            _state.context().set_soc(_state.default_soc(name))


sys.modules[__name__].__class__ = _Platform
