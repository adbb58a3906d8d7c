"""Comparing two tensors' values: `_ptosim.compare` does it in C, this hands it the memory."""
import importlib.util
import os

from .failures import Unavailable

_extension = None


def extension():
    """`_ptosim`. In mode npu the simulator is on no path, and the extension is loaded from its
    file."""
    global _extension
    if _extension is None:
        try:
            import _ptosim as found
        except ImportError:
            found = _load_by_path()
        _extension = found
    return _extension


def _load_by_path():
    path = os.path.join(os.environ.get("PYPTO_LINT_SIM_HOME", ""), "_ptosim.abi3.so")
    try:
        spec = importlib.util.spec_from_file_location("_ptosim", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (ImportError, OSError) as error:
        raise Unavailable("the extension that compares cannot be loaded: %s" % error) from error
    return module


def host(tensor):
    """Its values in dense memory of the host."""
    tensor = tensor.detach()
    if getattr(tensor, "_npu_index", None) is None and tensor.device.type != "cpu":
        tensor = tensor.cpu()
    if getattr(tensor, "is_quantized", False):
        tensor = tensor.dequantize()
    if str(tensor.layout) != "torch.strided":
        tensor = tensor.to_dense()
    for lazy in ("resolve_conj", "resolve_neg"):
        if hasattr(tensor, lazy):
            tensor = getattr(tensor, lazy)()
    return tensor.contiguous()


def dtype_name(dtype):
    """"float32" for torch.float32."""
    return str(dtype).replace("torch.", "")


def comparable(torch, tensor):
    """(tensor, dtype number): complex numbers as pairs, unknown dtypes as doubles."""
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor).contiguous()
    numbers = extension().TORCH_DTYPES
    number = numbers.get(dtype_name(tensor.dtype))
    if number is None:
        tensor, number = tensor.to(torch.float64), numbers["float64"]
    return tensor, number


def measure(torch, candidate, truth, atol, rtol):
    """The metrics of two host tensors of one shape and dtype: max_abs_diff, max_rel_diff,
    all_close, elements, out_of_tolerance, nonfinite, exact."""
    candidate, number = comparable(torch, candidate)
    truth, _ = comparable(torch, truth)
    return extension().compare(candidate.data_ptr(), truth.data_ptr(), truth.numel(), number,
                               float(atol), float(rtol))


_TELLING = 16  # different numbers; fewer are met by chance
_SAMPLE = 4096  # elements that are looked at for them


def is_telling(torch, truth):
    """Would it say something if a host tensor were met bit for bit? Not for half precision, where
    rounding may well give the same, and not for a few numbers again and again."""
    if truth.dtype not in (torch.float32, torch.float64):
        return False
    numbers = torch.unique(truth.reshape(-1)[:_SAMPLE])
    return int((torch.isfinite(numbers) & (numbers != 0)).sum()) >= _TELLING


def same_bits(torch, first, second):
    """Are two host tensors equal bit for bit? Other shapes or dtypes are not."""
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    return first.numel() == 0 or torch.equal(first.reshape(-1).view(torch.uint8),
                                             second.reshape(-1).view(torch.uint8))
