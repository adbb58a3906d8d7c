"""pypto.frontend.parser.entry: the class of kernels, and what they have recorded."""
from .._jit import JitCallable as JitCallableWrapper, _cache as _kernel_module_cache, function, jit

__all__ = ["JitCallableWrapper", "function", "jit"]

JitCallableWrapper._kernel_module_cache = _kernel_module_cache
