"""pypto, simulated: kernels are recorded and interpreted on the host.

This package stands in for the product of the same name. It has the same names and the same errors;
what it computes and checks is told in docs/simulator.md.
"""
from . import _state  # noqa: F401  first: it teaches the core our exceptions
from . import error
from ._enums import (AtomicRMWMode, AtomicType, CachePolicy, CastMode, CompStage, DataType,
                     DequantScaleRoundingMode, OpType, OutType, PrecisionType, ReduceMode,
                     ReLuType, RunMode, SaturationMode, ScatterMode, StatusType, TileOpFormat,
                     TopKAlgo, TransMode, bytes_of)
from ._emit import Element
from .tensor import Tensor
from . import _methods  # noqa: F401
from ._config import (Scope as options, get_codegen_options, get_conv_tile_shapes,
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
from . import platform
from . import pypto_impl
from . import runtime
from .runtime import (Function as function, from_torch, pass_verify_print, pass_verify_save,
                      set_verify_golden_data, verify)
from . import frontend
from .symbolic_scalar import SymbolicScalar, SymInt, maximum as max, minimum as min
from .symbolic_scalar import SymbolicScalar as symbolic_scalar

__version__ = "0.1.0+ptosim"

tensor = Tensor
DYN, DYNAMIC, STATIC = StatusType.DYN, StatusType.DYNAMIC, StatusType.STATIC
ROUND_UP, ROUND_DOWN = DequantScaleRoundingMode.ROUND_UP, DequantScaleRoundingMode.ROUND_DOWN
globals().update({dtype.name: dtype for dtype in DataType})


def ceildiv(a, b):
    """The quotient, rounded up."""
    return (a + b - 1) // b
