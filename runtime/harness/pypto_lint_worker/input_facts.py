"""What the inputs of a case look like: extents, and whether a row is all zeros. The binary compares this over
cases (src/harness/judge/case_patterns.c); never elements."""
from . import arithmetic

_MOST_INPUTS = 16
_MOST_ELEMENTS = 1 << 24  # of one input; rows of a larger one are not looked at


def of(torch, values):
    """A list of {name, shape, zero_row} for the tensors among the inputs."""
    found = []
    for name, value in values.items():
        if isinstance(value, torch.Tensor) and len(found) < _MOST_INPUTS:
            found.append({"name": name, "shape": list(value.shape),
                          "zero_row": _has_zero_row(torch, value)})
    return found


def _has_zero_row(torch, value):
    """Is a whole row (along the last axis) of floating numbers 0? A single element does not count."""
    if not value.is_floating_point() or value.dim() == 0 or value.shape[-1] < 2 or \
            not 0 < value.numel() <= _MOST_ELEMENTS:
        return False
    return not bool(arithmetic.host(value).any(-1).all())
