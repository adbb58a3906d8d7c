"""The simulator's extension `_ptosim`, which compares tensors: the one place of the harness that loads
it, and its numbers for torch's dtypes."""
import functools
import importlib.util
import os
import sys

_BESIDE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "sim")


@functools.lru_cache(maxsize=None)
def load():
    """The extension; ImportError or OSError when it cannot be loaded. Where the simulator has not
    imported it, as in mode npu, it is loaded from its file: the simulator is not on the path there."""
    if "_ptosim" in sys.modules:
        return sys.modules["_ptosim"]
    path = os.path.join(os.environ.get("PYPTO_LINT_SIM_HOME") or _BESIDE, "_ptosim.abi3.so")
    spec = importlib.util.spec_from_file_location("_ptosim", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def dtype_name(dtype):
    """"float32" for torch.float32."""
    return str(dtype).replace("torch.", "")


def dtype_number(dtype):
    """The extension's number for a dtype of torch; None where it has none."""
    return load().TORCH_DTYPES.get(dtype_name(dtype))
