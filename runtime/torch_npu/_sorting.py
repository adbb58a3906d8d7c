"""Sorting as the device does it: stable, equal keys in the order of their indices."""
import torch

_torch_sort = torch.sort  # torch's own: here no route stands before it yet


def _topk(func, args, kwargs):
    names = ("input", "k", "dim", "largest", "sorted")
    given = dict(zip(names, args), **kwargs)
    if "out" in given or not isinstance(given.get("input"), torch.Tensor):
        return NotImplemented
    values, k, dim = given["input"], given["k"], given.get("dim", -1)
    if values.dim() == 0 or not 0 <= k <= values.shape[dim]:
        return func(*args, **kwargs)  # torch's own message
    ordered = _torch_sort(values.float() if values.dtype == torch.float16 else values, dim=dim,
                         descending=given.get("largest", True), stable=True)
    indices = ordered.indices.narrow(dim, 0, k).contiguous()
    return torch.return_types.topk((values.gather(dim, indices), indices))


def _stable(func, args, kwargs):
    """sort and argsort; the forms that name `stable` by position stay as they are."""
    if any(isinstance(argument, bool) for argument in args[1:]) and kwargs.get("stable") is None:
        descending = [argument for argument in args[1:] if isinstance(argument, bool)]
        dims = [argument for argument in args[1:] if not isinstance(argument, bool)]
        if len(descending) != 1:
            return NotImplemented
        return func(args[0], dim=dims[0] if dims else -1, descending=descending[0], stable=True)
    return func(*args, **{**kwargs, "stable": True}) if "dim" in kwargs or len(args) < 2 else \
        func(args[0], dim=args[1], **{**kwargs, "stable": True})


def _argsort(func, args, kwargs):
    del func
    result = _stable(_torch_sort, args, kwargs)
    return result if result is NotImplemented else result.indices


def _sort(func, args, kwargs):
    return _stable(_torch_sort if "out" not in kwargs else func, args, kwargs)


ROUTES = {"topk": _topk, "sort": _sort, "argsort": _argsort}
