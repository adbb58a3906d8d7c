"""Outputs, leaf by leaf: what differs in number, shape and dtype, and where nothing does, the
values."""
from . import arithmetic, places
from .failures import Contract, class_name

MOST_LEAVES = 4096  # of an operator's outputs; its report would be of no use to anybody
_METRICS = ("max_abs_diff", "max_rel_diff", "elements", "out_of_tolerance", "nonfinite")


def outputs(value):
    """What a function returned, as a tuple of leaves."""
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
    """A leaf that is not compared yet."""
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
    """(leaves, exact) of two tuples: the leaves of the reference, then those that only the
    candidate has. `exact`: all floating leaves are equal bit for bit, and it says something."""
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


_MANY = 16  # elements; fewer may well be one number


def proves_nothing(torch, truth, atol, rtol):
    """Sentences about outputs of a reference that a kernel would meet without computing."""
    told, zeros, looked_at = [], 0, 0
    for index, leaf in enumerate(truth):
        if not leaf.numel() or leaf.is_complex():
            continue
        value, looked_at = arithmetic.host(leaf).double(), looked_at + 1
        if bool((value.abs() <= atol + rtol * value.abs()).all()):
            zeros += 1
            told.append("zeros would pass out%d of this case: its reference is within the "
                        "tolerance of 0 everywhere" % index)
        elif value.numel() >= _MANY and leaf.is_floating_point() and \
                bool((value == value.reshape(-1)[0]).all()):
            told.append("one number would pass out%d of this case: its reference is the same "
                        "everywhere" % index)
    if zeros and zeros == looked_at:
        return ["zeros would pass this case: its reference is within the tolerance of 0 "
                "everywhere (atol %g, rtol %g)" % (atol, rtol)]
    return told


def contract_form(torch, candidate, truth, atol, rtol):
    """What the function _compare of a runner gives:
    {"all_close", "per_tensor": [{"name", "max_abs_diff", "max_rel_diff", "all_close"}]}."""
    leaves, _ = compare(torch, outputs(candidate), outputs(truth), atol, rtol)
    keys = ("name", "max_abs_diff", "max_rel_diff", "all_close")
    return {"all_close": all(leaf["all_close"] for leaf in leaves),
            "per_tensor": [{key: leaf[key] for key in keys} for leaf in leaves]}
