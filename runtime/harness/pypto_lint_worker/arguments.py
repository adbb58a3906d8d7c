"""The inputs of a case, in the order in which reference and wrapper take them."""
import inspect

from . import arithmetic, failures, loading, streams
from .failures import Contract, Mismatch

_DEEPEST = 8  # of lists in lists in an input


def make(job, packages, result):
    """({name: value}, names in order) of the case: the names of PRIMARY_INPUT_ORDER for which
    make_inputs returns a value."""
    with streams.silence():
        order, make_inputs = loading.load_inputs(job["inputs"])
        packages.seed(job["case"].get("seed", 42))
        values = make_inputs(clone(packages.torch, job["case"]))
        packages.synchronize()
    if not isinstance(values, dict):
        raise Contract("make_inputs() must return a dict, not %s"
                       % failures.class_name(values))
    names = [name for name in order if name in values]
    if not names:
        raise Contract("make_inputs() gives none of the names in PRIMARY_INPUT_ORDER")
    unlisted = sorted(name if isinstance(name, str) and name.isidentifier() else "something"
                      for name in values if name not in order)
    if unlisted:
        result.warnings.append("make_inputs() gives %s, which PRIMARY_INPUT_ORDER does not list"
                               % ", ".join(unlisted))
    return {name: values[name] for name in names}, names


def clone(torch, value, depth=0):
    """A copy that shares no memory."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if depth < _DEEPEST and isinstance(value, dict):
        return {key: clone(torch, item, depth + 1) for key, item in value.items()}
    if depth < _DEEPEST and type(value) in (list, tuple):
        return type(value)(clone(torch, item, depth + 1) for item in value)
    return value


def _signature(function):
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def accepts(function, count, keywords=()):
    """Can it be called with that many positional arguments? Yes, if it has no signature."""
    signature = _signature(function)
    if signature is None:
        return True
    try:
        signature.bind(*range(count), **dict.fromkeys(keywords))
    except TypeError:
        return False
    return True


def _crosses(function, names):
    """Would a parameter that has the name of one input get another input?"""
    signature = _signature(function)
    parameters = [] if signature is None else list(signature.parameters)
    return any(parameter in names and parameter != name
               for parameter, name in zip(parameters, names))


def of_reference(function, names):
    """The names that a reference is called with: all. If its parameters are the names of some of the
    primary inputs and nothing else: these, in the order of all."""
    fits = accepts(function, len(names))
    signature = _signature(function)
    if signature is None or (fits and not _crosses(function, names)):
        return names
    chosen = [name for name in names if name in signature.parameters]
    if accepts(function, len(chosen)):
        return chosen
    if fits:
        return names
    raise Contract("%s(%s) cannot be called with the inputs (%s)" % (
        getattr(function, "__name__", "the reference"), _names_only(signature), ", ".join(names)))


def of_wrapper(function, names, chosen, keywords=()):
    """The names that a wrapper is called with: those of its reference, or all. A wrapper cannot
    choose them, because one that leaves out an input is wrong."""
    fitting = [candidate for candidate in (chosen, names)
               if accepts(function, len(candidate), keywords)]
    for candidate in fitting:
        if not _crosses(function, candidate):
            return candidate
    if fitting:
        return fitting[0]
    raise Mismatch(failures.CANNOT_CALL % (
        getattr(function, "__name__", "the wrapper"), _names_only(_signature(function)),
        ", ".join(list(chosen) + ["%s=…" % name for name in keywords])))


def _names_only(signature):
    return ", ".join(
        {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "") + name
        for name, parameter in signature.parameters.items())


def modified(torch, names, values, copies, touched):
    """The names whose values differ from the copies. Those in `touched` do not count: the reference
    writes to them, too, so that changing them is part of the contract."""
    return [name for name in names
            if name not in touched and not _same(torch, values[name], copies[name])]


def _same(torch, first, second, depth=0):
    if isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor):
        return arithmetic.same_bits(torch, arithmetic.host(first), arithmetic.host(second))
    if depth < _DEEPEST and isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            _same(torch, first[key], second[key], depth + 1) for key in first)
    if depth < _DEEPEST and isinstance(first, (list, tuple)) and type(first) is type(second):
        return len(first) == len(second) and all(
            _same(torch, a, b, depth + 1) for a, b in zip(first, second))
    return True  # kernels do not write to values of other types


def versions(torch, values):
    """The number of writes to each tensor, by name."""
    return {name: value._version for name, value in values.items()
            if isinstance(value, torch.Tensor) and not _is_uncounted(value)}


def _is_uncounted(tensor):
    return hasattr(tensor, "is_inference") and tensor.is_inference()
