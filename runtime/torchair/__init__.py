"""Stands in for torchair, the compiler of graphs for the device: nothing is compiled, functions run
as they are."""
import importlib
import sys
import types

from . import configs
from .configs.compiler_config import CompilerConfig

__all__ = ["CompilerConfig", "configs", "dynamo_export", "get_compiler", "get_npu_backend",
           "inference", "npu_print", "register_fx_node_ge_converter", "scope"]


class _Backend:
    """What torch.compile(backend=…) is given."""

    def __init__(self, compiler_config=None):
        self.config = compiler_config

    def __call__(self, graph_module, example_inputs=None, **_others):
        return graph_module


def get_npu_backend(*, compiler_config=None, **_others):
    """The backend for torch.compile."""
    return _Backend(compiler_config)


def get_compiler(compiler_config=None, **_others):
    """A compiler of graphs that returns them unchanged."""
    return _Backend(compiler_config)


def register_fx_node_ge_converter(_operator):
    """@register_fx_node_ge_converter(op): the converter stays a function that nobody calls."""
    return lambda converter: converter


def register_replacement(*_args, **_kwargs):
    """Patterns that would be replaced in graphs."""


def use_internal_format_weight(_model):
    """Formats of weights stay."""


def patch_for_hcom():
    """There is no communication."""


def npu_print(*values, **keywords):
    """Prints."""
    print(*values, **{name: value for name, value in keywords.items()
                      if name in ("sep", "end", "file", "flush")})


def dynamo_export(*_args, **_kwargs):
    """Graphs cannot be exported: there are none."""
    raise NotImplementedError("torchair.dynamo_export: the simulator compiles no graphs")


def _cache_compile(function, *_args, **_kwargs):
    return function


class _Anything:
    """Takes every use: what converters for graphs mention, which are never called."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything("%s.%s" % (self._name, name))

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) and not kwargs else self

    def __repr__(self):
        return "<%s, not simulated>" % self._name


def _module(name, **values):
    made = types.ModuleType("torchair." + name)
    made.__dict__.update(values)
    made.__path__ = []
    if not values:
        made.__getattr__ = lambda attribute: _unknown(made, attribute)
    sys.modules["torchair." + name] = made
    return made


def _unknown(module, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Anything("%s.%s" % (module.__name__, name))


class _Scope:
    def __init__(self, *_args, **_kwargs):
        """Accepted and ignored."""

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


inference = _module("inference", cache_compile=_cache_compile,
                    readable_cache=lambda *_args, **_kwargs: None,
                    set_dim_gears=lambda *_args, **_kwargs: None,
                    CacheBackend=_Backend)
scope = _module("scope", npu_stream_switch=_Scope, npu_wait_tensor=lambda tensor, _other: tensor,
                super_kernel=_Scope, limit_core_num=_Scope, op_never_timeout=_Scope, data_dump=_Scope)
ge, _ge_concrete_graph = _module("ge"), _module("_ge_concrete_graph")
core, ops, llm_datadist = _module("core"), _module("ops"), _module("llm_datadist")
for _name in ("ge_apis", "ge_converter", "fx2ge_converter", "ge_ir_pb2", "utils", "compat_ir",
              "supported_declaration"):
    setattr(_ge_concrete_graph, _name, _module("_ge_concrete_graph." + _name))
logger = importlib.import_module("logging").getLogger("torchair")
