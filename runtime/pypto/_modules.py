"""The sub-modules of the product's package: pypto.op.math, pypto.config … They hold the same objects as
the top level, which is where programs should take them from."""
import sys
import types

_OPERATIONS = ("comparison", "creation", "indexing", "joining", "math", "matmul", "conv", "mutating",
               "other", "quantization", "random", "verify", "reduction")
_OTHERS = ("config", "converter", "cost_model", "functions", "logging", "operator", "pass_config")
# Importable, but no attribute of the package: there the name is taken for what it is, a leak of the product's.
_IMPORTABLE = ("enum",)
# Those that the package also has as attributes; the others are operations there.
_ATTRIBUTES = ("comparison", "creation", "indexing", "joining", "math", "mutating", "other",
               "quantization", "random", "reduction")


def _module(name, public, is_package=False):
    made = types.ModuleType(name, "Part of the product's package; holds what pypto holds.")
    made.__dict__.update(public)
    made.__all__ = sorted(public)
    if is_package:
        made.__path__ = []
    sys.modules[name] = made
    return made


def install(package):
    """Makes them attributes of the package, and importable."""
    public = {name: value for name, value in vars(package).items()
              if not name.startswith("_") and not isinstance(value, types.ModuleType)}
    package.op = _module("pypto.op", public, True)
    for name in _OPERATIONS:
        part = _module("pypto.op." + name, public)
        setattr(package.op, name, public.get(name, part))
        if name in _ATTRIBUTES:
            setattr(package, name, part)
            sys.modules["pypto." + name] = part
    for name in _IMPORTABLE:
        _module("pypto." + name, public)
    for name in _OTHERS:
        setattr(package, name, _module("pypto." + name, public))
