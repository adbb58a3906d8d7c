"""pypto, simulated: kernels are recorded and interpreted on the host.

This package stands in for the product of the same name. It has the same names and the same errors;
docs/kernel-authors/simulator.md says what it computes and checks.
"""
import difflib as _difflib
import os as _os
import sys as _sys

from . import _coverage, _state, _version  # noqa: F401  first: it teaches the core our exceptions
from . import error
from .error import FeError, InternalError, PyptoError, VerifyError
from ._enums import (AtomicRMWMode, AtomicType, CachePolicy, CastMode, CompStage, DataType,
                     DequantScaleRoundingMode, OpType, OutType, PrecisionType, ReduceMode,
                     ReLuType, RunMode, SatStatus, SaturationMode, ScatterMode, StatusType, TileOpFormat,
                     TopKAlgo, TransMode, bytes_of)
from ._emit import Element
from ._names import (LogLevel, PassConfigKey, PassConfigs, check, get_current_function,
                     get_last_function, get_log_level, get_pass_config, get_pass_configs,
                     get_pass_default_config, internal_check, log_debug, log_error, log_event,
                     log_fatal, log_info, log_warn, raise_error, set_log_level, set_pass_config,
                     set_pass_default_config)
from ._names import why_missing as _why_missing
from .tensor import Tensor
from . import _methods  # noqa: F401
from ._config import (ConfigScope, ConvTile, CubeTile, Scope as options, get_codegen_options, get_conv_tile_shapes,
                      get_cube_tile_shapes, get_current_scope, get_debug_options,
                      get_global_config, get_host_options, get_options_tree, get_pass_options,
                      get_runtime_options, get_vec_tile_shapes, get_verify_options, reset_options,
                      set_build_static, set_codegen_options, set_conv_tile_shapes,
                      set_cube_tile_shapes, set_debug_options, set_global_config,
                      set_host_options, set_matrix_size, set_options, set_pass_options,
                      set_print_options, set_runtime_options, set_semantic_label,
                      set_vec_tile_shapes, set_verify_options)
from ._control import cond, is_loop_begin, is_loop_end, loop, loop_unroll
from . import operation
from .operation import *  # noqa: F401,F403
from .operation import op_wrapper  # noqa: F401
from . import experimental
from .distributed import *  # noqa: F401,F403
from .distributed import ShmemTensor  # noqa: F401
from . import ir, pil
from . import platform
from . import pypto_impl
from . import runtime
from .runtime import (Function, Function as function, from_torch, pass_verify_print, pass_verify_save,
                      set_verify_golden_data, verify)
from . import frontend
from .frontend import parser as _parser  # noqa: F401
from . import _modules
from .symbolic_scalar import SymbolicScalar, SymInt, maximum as max, minimum as min
from .symbolic_scalar import SymbolicScalar as symbolic_scalar

__version__ = "0.1.0+ptosim"

tensor = Tensor
element = Element
DYN, DYNAMIC, STATIC = StatusType.DYN, StatusType.DYNAMIC, StatusType.STATIC
ROUND_UP, ROUND_DOWN = DequantScaleRoundingMode.ROUND_UP, DequantScaleRoundingMode.ROUND_DOWN
globals().update({dtype.name: dtype for dtype in DataType})


def __getattr__(name):
    """The error for a missing name, with the name that may be meant. Only 9.2 has `jit`."""
    if name == "jit" and not _version.is_9_1:
        _version.note_name(name)
        return frontend.jit
    known = _why_missing(name)
    if known:
        raise AttributeError("module 'pypto' has no attribute '%s'%s" % (name, known))
    close = _difflib.get_close_matches(name, [n for n in globals() if not n.startswith("_")], 1)
    raise AttributeError("module 'pypto' has no attribute '%s'%s"
                         % (name, ". Did you mean: '%s'?" % close[0] if close else ""))


def __dir__():
    return sorted(list(globals()) + ([] if _version.is_9_1 else ["jit"]))


def ceildiv(a, b):
    """The quotient, rounded up."""
    return (a + b - 1) // b


if _version.is_9_1:  # programs ask with hasattr() which version they have
    for _newer in _coverage.SINCE_9_2:
        globals().pop(_newer, None)
    del Tensor.copy, Tensor.set_logical_tensor

_modules.install(_sys.modules[__name__])
if _os.environ.get("PTOSIM_RUNNER") == "1":  # this process, or the one that started it
    import ptosim_run as _runner
    _runner.follow_torch()
__all__ = [_name for _name in __dir__() if not _name.startswith("_")]
