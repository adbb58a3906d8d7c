"""detailed_tensor_compare: how far a tensor is from its reference, in numbers, with the outliers.

The tests of operators import it. The arithmetic is that of `pypto-lint verify`
(docs/kernel-authors/verify.md) and runs in the simulator's extension if there is one, else in torch;
the results are the same.
PYPTO_LINT_COMPARE_LOG names a file to which each call appends a line of JSON without values.
"""
import importlib.util
import json
import logging
import math
import os
import sys

logger = logging.getLogger(__name__)
if logger.level == logging.NOTSET:
    logger.setLevel(logging.INFO)

_HERE = os.path.dirname(os.path.abspath(__file__))
_LEAST = 1e-12  # the recorded relative difference divides by at least this
# Compared in F64, because their values do not fit into F32.
_WIDE = ("torch.int32", "torch.int64", "torch.uint32", "torch.uint64", "torch.float64")


class _Result(dict):
    """The result of a call: a dict that prints only its numbers where the reference is a secret."""

    def __repr__(self):
        if os.environ.get("PYPTO_LINT_REDACT") != "1":
            return super().__repr__()
        return "{%s}" % ", ".join(
            "%r: %s" % (key, repr(value) if isinstance(value, (bool, int, float, type(None)))
                        else "(withheld)") for key, value in self.items())


def _find_extension():
    """(the module pypto_lint_extension, `_ptosim`), or None for each. The module lies beside this
    file, whose folder need not be on the path."""
    path = os.path.join(_HERE, "pypto_lint_extension.py")
    spec = importlib.util.spec_from_file_location("pypto_lint_extension", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        return module, module.load()
    except (ImportError, OSError):  # a copy of this file alone; an extension of another machine
        return None, None


_extension, _ptosim = _find_extension()


def _number(tensor):
    """The extension's number for the tensor's dtype; None if it has none, or does not exist."""
    return _ptosim and _extension.dtype_number(tensor.dtype)


def _on_host(value):
    """The tensor as dense memory of the CPU."""
    import torch
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    tensor = tensor.detach().cpu()
    if tensor.is_complex():
        raise TypeError("detailed_tensor_compare: complex tensors cannot be compared, compare "
                        "torch.view_as_real of them")
    if getattr(tensor, "is_quantized", False):
        tensor = tensor.dequantize()
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    return tensor.resolve_neg().contiguous()


def _common(first, second):
    """Both in one dtype that can be compared, and the dtype of the calculation."""
    import torch
    names = (str(first.dtype), str(second.dtype))
    wide = torch.float64 if any(name in _WIDE for name in names) else torch.float32
    if names[0] == names[1] and _number(first) is not None:
        return first, second, wide
    return first.to(wide), second.to(wide), wide


def _by_extension(first, second, wide, atol, rtol):
    """(figures, differences, mask)"""
    import torch
    diff = torch.empty(first.shape, dtype=wide, device="cpu")
    mask = torch.empty(first.shape, dtype=torch.bool, device="cpu")
    figures = _ptosim.compare_details(
        first.data_ptr(), second.data_ptr(), first.numel(), _number(first), atol, rtol,
        diff.data_ptr(), mask.data_ptr())
    return figures, diff, mask


def _by_torch(first, second, wide, atol, rtol):
    """The same without the extension. 64-bit integers are compared in F64."""
    import torch
    diff = (first - second).abs()
    diff[first == second] = 0
    size = second.abs()
    mask = ((diff <= atol + rtol * size) & torch.isfinite(diff)) | (diff == 0)
    real, out = diff.double(), diff[~mask].double()
    elements, nonfinite = diff.numel(), int((~torch.isfinite(diff)).sum())
    relative = diff / size.clamp(min=_LEAST)
    figures = {
        "max_diff": real.max().item() if elements else 0.0,
        "mean_diff": real.mean().item() if elements else 0.0,
        "std_diff": real.std().item() if elements > 1 else 0.0,
        "max_out_of_tolerance_diff": out.max().item() if out.numel() else 0.0,
        "mean_out_of_tolerance_diff": out.mean().item() if out.numel() else 0.0,
        "elements": elements, "out_of_tolerance": out.numel(), "nonfinite": nonfinite,
        "max_rel_diff": relative.max().item() if elements else 0.0, "exact": None,
    }
    return figures, diff, mask


def _order(diff, mask, count):
    """Flat indices of the outliers, largest difference first."""
    import torch
    if _ptosim is None:
        flat = (~mask).reshape(-1).nonzero().reshape(-1)
        return flat[torch.sort(diff.reshape(-1)[flat], descending=True, stable=True).indices]
    order = torch.empty(count, dtype=torch.int64, device="cpu")
    _ptosim.compare_order(diff.data_ptr(), _number(diff), mask.data_ptr(), mask.numel(),
                          order.data_ptr())
    return order


def _coordinates(flat, shape):
    """One tensor of indices for each axis; a tensor without axes has one element."""
    found = []
    for size in reversed(shape):
        found.append(flat % size)
        flat = flat.div(size, rounding_mode="floor")
    return tuple(reversed(found)) or (flat,)


def _outliers(first, second, wide, diff, mask, count):
    """The entries of the result about outliers; all None when there are none."""
    names = ("outlier_indices", "outlier_values1", "outlier_values2", "outlier_diffs",
             "outlier_relative_diffs")
    if count == 0:
        return dict.fromkeys(names)
    order = _order(diff, mask, count)
    value1 = first.reshape(-1)[order].to(wide)
    value2 = second.reshape(-1)[order].to(wide)
    diffs = diff.reshape(-1)[order]
    return dict(zip(names, (_coordinates(order, first.shape), value1, value2, diffs,
                            diffs / (value2.abs() + 1e-8))))


def launches():
    """Kernels launched so far; None where the backend does not count them."""
    state = sys.modules.get("pypto._state")
    counters = getattr(state, "counters", None)
    return getattr(counters, "launches", None)


def _finite(value):
    return value if value is not None and math.isfinite(value) else None


def _record(line):
    """Appends a line to the log in one write, so that lines of several processes stay whole."""
    path = os.environ.get("PYPTO_LINT_COMPARE_LOG")
    if not path:
        return
    text = json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        data = text.encode("ascii")
        while data:
            data = data[os.write(file, data):]
    finally:
        os.close(file)


def _line(name, tensors, figures, rtol, atol):
    """The record of a call; `figures` is None when the shapes differ."""
    known = figures or {}
    count, elements = known.get("out_of_tolerance"), known.get("elements")
    return {
        "name": str(name),
        "all_close": count == 0,
        "error": None if figures else "shape",
        "total_elements": elements,
        "out_of_tolerance_count": count,
        "out_of_tolerance_ratio": count / elements if elements else (0.0 if figures else None),
        "nonfinite": known.get("nonfinite"),
        "exact": known.get("exact"),
        "max_diff": _finite(known.get("max_diff")),
        "mean_diff": _finite(known.get("mean_diff")),
        "std_diff": _finite(known.get("std_diff")),
        "max_rel_diff": _finite(known.get("max_rel_diff")),
        "shape": list(tensors[0].shape), "reference_shape": list(tensors[1].shape),
        "dtype": str(tensors[0].dtype).replace("torch.", ""),
        "reference_dtype": str(tensors[1].dtype).replace("torch.", ""),
        "rtol": _finite(float(rtol)), "atol": _finite(float(atol)),
        "launches": launches(),
    }


def _rows(result, most):
    """The table of outliers."""
    shown = min(most, result["out_of_tolerance_count"])
    yield "Largest deviations (%d shown)" % shown
    yield "-" * 80
    yield "%-20s%15s%15s%12s%12s" % ("index", "value 1", "value 2", "absolute", "relative")
    if os.environ.get("PYPTO_LINT_REDACT") == "1":
        yield "(rows with values are withheld)"
        return
    for row in range(shown):
        index = ", ".join(str(int(axis[row])) for axis in result["outlier_indices"])
        yield "%-20s%15.6g%15.6g%12.4g%12.4g" % (
            "(%s)" % index, result["outlier_values1"][row], result["outlier_values2"][row],
            result["outlier_diffs"][row], result["outlier_relative_diffs"][row])
    if result["out_of_tolerance_count"] > shown:
        yield "… and %s more" % format(result["out_of_tolerance_count"] - shown, ",")


def _report(result, name, rtol, atol, most):
    """The lines that are printed."""
    count, ratio = result["out_of_tolerance_count"], result["out_of_tolerance_ratio"]
    rule = "=" * 60
    yield rule
    yield "Tensor comparison"
    yield "name: %s" % name
    yield rule
    yield "elements:                %s" % format(result["total_elements"], ",")
    yield "beyond the tolerance:    %s" % format(count, ",")
    yield "ratio:                   %.6f (%.4f%%)" % (ratio, ratio * 100)
    yield "difference, maximum:     %.6f" % result["max_diff"]
    yield "difference, average:     %.6f" % result["mean_diff"]
    yield "difference, deviation:   %.6f" % result["std_diff"]
    yield "tolerances:              rtol=%g atol=%g" % (rtol, atol)
    if launches() == 0:
        yield "note: no kernel was launched before this comparison"
    if count:
        yield "outliers, maximum:       %.6f" % result["max_out_of_tolerance_diff"]
        yield "outliers, average:       %.6f" % result["mean_out_of_tolerance_diff"]
        yield from _rows(result, max(0, most))
    yield "Tensor Matching: %s" % result["all_close"]
    yield rule


def detailed_tensor_compare(tensor1, tensor2, tensor_name, rtol=1e-3, atol=1e-3, verbose=True,
                            max_outliers_display=20):
    """Compares `tensor1`, the result under test, with `tensor2`, its reference.

    An element is within tolerance when |t1 - t2| <= atol + rtol * |t2|; a NaN never is, an infinity
    only where both have it. A mismatch is returned, not raised; different shapes raise RuntimeError.
    """
    first, second = _on_host(tensor1), _on_host(tensor2)
    if first.shape != second.shape:
        _record(_line(tensor_name, (first, second), None, rtol, atol))
        raise RuntimeError("%s: the shapes of the tensors must match, but they are %s and %s"
                           % (tensor_name, list(first.shape), list(second.shape)))
    given = (first, second)
    first, second, wide = _common(first, second)
    compare = _by_torch if _ptosim is None else _by_extension
    figures, diff, mask = compare(first, second, wide, float(atol), float(rtol))
    count, elements = figures["out_of_tolerance"], figures["elements"]
    result = _Result(total_elements=elements, out_of_tolerance_count=count,
                     out_of_tolerance_ratio=count / elements if elements else 0.0)
    for name in ("max_diff", "mean_diff", "std_diff", "max_out_of_tolerance_diff",
                 "mean_out_of_tolerance_diff"):
        result[name] = figures[name]
    result.update(all_close=count == 0, tolerance_mask=mask, diff_tensor=diff)
    result.update(_outliers(first, second, wide, diff, mask, count))
    _record(_line(tensor_name, given, figures, rtol, atol))
    if verbose and logger.isEnabledFor(logging.INFO):
        for line in _report(result, tensor_name, rtol, atol, max_outliers_display):
            logger.info("%s", line)
    return result
