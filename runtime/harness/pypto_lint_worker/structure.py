"""Compares outputs leaf by leaf: number, shape and dtype, and where these are the same, values."""
from . import arithmetic, places
from .failures import Contract, class_name

MOST_LEAVES = 4096  # outputs; nobody could read a report with more
_METRICS = ("max_abs_diff", "max_rel_diff", "elements", "out_of_tolerance", "nonfinite")


def outputs(value):
    """The value of a function as a tuple of leaves."""
    return value if isinstance(value, tuple) else (value,)


def check_reference(torch, value, name):
    """The leaves of a reference, which must be tensors."""
    leaves = outputs(value)
    if len(leaves) > MOST_LEAVES:
        raise Contract("%s returns %d tensors; at most %d can be compared"
                       % (name, len(leaves), MOST_LEAVES))
    if not leaves:
        raise Contract("%s returns no tensor" % name)
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor):
            raise Contract("%s must return tensors, but output %d is of type %s"
                           % (name, index, class_name(leaf)))
    return leaves


def new_leaf(name, truth=None, candidate=None, torch=None):
    """A leaf before it is compared."""
    leaf = {"name": name, "structure": None, "expected_shape": None, "shape": None,
            "expected_dtype": None, "dtype": None, "all_close": False}
    leaf.update(dict.fromkeys(_METRICS))
    for prefix, tensor in (("expected_", truth), ("", candidate)):
        if torch is not None and isinstance(tensor, torch.Tensor):
            leaf[prefix + "shape"] = [int(extent) for extent in tensor.shape]
            leaf[prefix + "dtype"] = arithmetic.dtype_name(tensor.dtype)
    return leaf


_NOTHING = object()


def _difference(torch, candidate, truth):
    if candidate is _NOTHING:
        return "missing"
    if truth is _NOTHING:
        return "extra"
    if not isinstance(candidate, torch.Tensor) or candidate.is_meta:
        return "not a tensor"
    if candidate.shape != truth.shape:
        return "shape"
    return "dtype" if candidate.dtype != truth.dtype else None


def measured(leaf, metrics):
    """Puts metrics into a leaf."""
    for key in _METRICS:
        leaf[key] = metrics[key]
    leaf["all_close"] = metrics["all_close"]
    return leaf


def compare(torch, candidate, truth, atol, rtol, precision=True):
    """(leaves, exact) of two tuples: the leaves of the reference, then those that only the candidate
    has. `exact`: all floating leaves are equal bit for bit, and one of them is telling."""
    leaves, floats, telling = [], [], False
    for index in range(min(max(len(candidate), len(truth)), len(truth) + MOST_LEAVES)):
        mine = candidate[index] if index < len(candidate) else _NOTHING
        theirs = truth[index] if index < len(truth) else _NOTHING
        leaf = new_leaf("out%d" % index, theirs, mine, torch)
        leaf["structure"] = _difference(torch, mine, theirs)
        if leaf["structure"] is not None:
            floats.append(False)
        elif not precision:
            leaf["all_close"] = True
        else:
            mine, theirs = arithmetic.host(mine), arithmetic.host(theirs)
            metrics = arithmetic.measure(torch, mine, theirs, atol, rtol)
            measured(leaf, metrics)
            if theirs.is_floating_point() or theirs.is_complex():
                floats.append(bool(metrics["exact"]))
                telling = telling or (floats[-1] and arithmetic.is_telling(torch, theirs))
        leaves.append(leaf)
    if precision:
        places.add(torch, leaves, candidate, truth, atol, rtol)
    return leaves, telling and all(floats)


_MANY = 16  # elements; fewer may well be the same number


def proves_nothing(torch, truth, atol, rtol):
    """Sentences about outputs of a reference that a kernel could return without computing."""
    found, zeros, checked = [], 0, 0
    for index, leaf in enumerate(truth):
        if not leaf.numel() or leaf.is_complex():
            continue
        value, checked = arithmetic.host(leaf).double(), checked + 1
        if bool((value.abs() <= atol + rtol * value.abs()).all()):
            zeros += 1
            found.append("zeros would pass out%d of this case: its reference is within the "
                         "tolerance of 0 everywhere" % index)
        elif value.numel() >= _MANY and leaf.is_floating_point() and \
                bool((value == value.reshape(-1)[0]).all()):
            found.append("one number would pass out%d of this case: its reference is the same "
                         "everywhere" % index)
    if zeros and zeros == checked:
        return ["zeros would pass this case: its reference is within the tolerance of 0 "
                "everywhere (atol %g, rtol %g)" % (atol, rtol)]
    return found
