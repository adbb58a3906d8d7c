"""What CPU torch lacks and the device has: kernels for half precision, int32 indices, random
integers. A call that torch refuses is made again with wider types, and its results are rounded."""
import torch

_MISSING = ("not implemented for 'Half'", 'not implemented for "Half"')
_NO_BFLOAT = "not implemented for 'BFloat16'"
_WANTS_LONG = ("expected dtype int64 for index", "must be long", "Expected dtype int64",
               "expected scalar type Long", "Index tensor must have integer type",
               "tensors used as indices must be", "Expected tensor for argument #1 'indices'",
               "Expected dtype int32/int64", "only applicable to index tensor")
_SHORT = (torch.int32, torch.int16)
_RANDOM = {"rand", "randn", "rand_like", "randn_like", "normal_", "uniform_", "randint"}


def _convert(value, old, new):
    if isinstance(value, torch.Tensor):
        return value.to(new) if value.dtype in old else value
    if isinstance(value, (tuple, list)):
        items = [_convert(item, old, new) for item in value]
        return items if type(value) is list else tuple(items)
    if isinstance(value, dict):
        return {key: _convert(item, old, new) for key, item in value.items()}
    return value


def _in_place(name):
    return name.endswith("_") and not name.endswith("__")


def _narrow_again(result, dtype):
    """Float results of a widened call, back in the 16-bit dtype."""
    if isinstance(result, torch.Tensor):
        return result.to(dtype) if result.dtype == torch.float32 else result
    if isinstance(result, (tuple, list)):
        return type(result)([_narrow_again(item, dtype) for item in result])
    return result


def _widened(func, name, args, kwargs, dtype):
    asked = kwargs.get("dtype")
    wide_kwargs = _convert(kwargs, (dtype,), torch.float32)
    if asked is dtype:
        wide_kwargs["dtype"] = torch.float32
    result = func(*_convert(args, (dtype,), torch.float32), **wide_kwargs)
    if _in_place(name) and args and isinstance(args[0], torch.Tensor):
        return args[0].copy_(result)
    return _narrow_again(result, dtype)


def _random_integers(func, args, kwargs):
    dtype = kwargs.pop("dtype")
    return func(*args, **kwargs).to(dtype)


def _with_long_indices(name, args):
    """The arguments with indices of 64 bits: they follow the tensor that they index, and
    what is written into it follows them."""
    if name == "one_hot":
        return _convert(args, _SHORT, torch.int64)
    last = 2 if "item__" in name else 3
    return tuple(args[:1]) + _convert(tuple(args[1:last]), _SHORT, torch.int64) + tuple(args[last:])


def again(func, name, args, kwargs, error, on_device):
    """The call that torch has refused, made in another way where the device does it;
    NotImplemented where it does not."""
    text = str(error)
    if any(part in text for part in _MISSING):
        return _widened(func, name, args, kwargs, torch.float16)
    if _NO_BFLOAT in text:
        return _widened(func, name, args, kwargs, torch.bfloat16)
    dtype = kwargs.get("dtype")
    if name in _RANDOM and isinstance(dtype, torch.dtype) and not dtype.is_floating_point:
        return _random_integers(func, args, dict(kwargs))
    if any(part in text for part in _WANTS_LONG) and (on_device or "item__" in name):
        return func(*_with_long_indices(name, args), **_convert(kwargs, _SHORT, torch.int64))
    return NotImplemented
