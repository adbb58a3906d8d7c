"""Comparing the values of two tensors: `_ptosim.compare` does it in C, on the memory that it gets here."""
import pypto_lint_extension
from pypto_lint_extension import dtype_name, dtype_number

from .failures import Unavailable


def extension():
    """`_ptosim`."""
    try:
        return pypto_lint_extension.load()
    except (ImportError, OSError) as error:
        raise Unavailable("the extension that compares cannot be loaded: %s" % error) from error


def host(tensor):
    """The values of a tensor in dense memory of the host."""
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


def comparable(torch, tensor):
    """(tensor, dtype number): complex numbers as pairs, unknown dtypes as doubles."""
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor).contiguous()
    if dtype_number(tensor.dtype) is None:
        tensor = tensor.to(torch.float64)
    return tensor, dtype_number(tensor.dtype)


def measure(torch, candidate, truth, atol, rtol):
    """The metrics of two host tensors of one shape and dtype: max_abs_diff, max_rel_diff,
    all_close, elements, out_of_tolerance, nonfinite, exact."""
    candidate, number = comparable(torch, candidate)
    truth, _ = comparable(torch, truth)
    return extension().compare(candidate.data_ptr(), truth.data_ptr(), truth.numel(), number,
                               float(atol), float(rtol))


_TELLING = 16  # different numbers; fewer may be equal by chance
_SAMPLE = 4096  # elements that are searched for them


def is_telling(torch, truth):
    """Would another computation hardly give this host tensor bit for bit? In half precision rounding
    may well give the same, and so may a tensor of few different numbers."""
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
