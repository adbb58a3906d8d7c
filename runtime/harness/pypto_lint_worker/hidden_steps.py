"""Steps that functions of torch take inside: tensors and numbers that kernels compute on the way and that a
dispatch mode does not see, from the definition of each function."""
import math


def tensors(torch, op, arguments):
    """The tensors that a call of the operation `op` hides."""
    given = arguments[0] if arguments else None
    maker = _MAKERS.get(op)
    if maker is None or not isinstance(given, torch.Tensor) or not given.is_floating_point():
        return []
    wide = given.float() if given.element_size() < 4 else given
    return maker(torch, wide, arguments)


def numbers(torch, op, arguments):
    """The numbers that the definition of an operation has, and of how many elements a mean is."""
    given = arguments[0] if arguments else None
    if op in _NUMBERS or not isinstance(given, torch.Tensor):
        return _NUMBERS.get(op, ())
    if op in ("mean", "var", "std"):
        axes = arguments[1] if len(arguments) > 1 and arguments[1] else range(given.dim())
        return (float(math.prod(given.shape[axis] for axis in axes)),)
    if op == "native_group_norm":
        return (float(given.numel() // (arguments[3] * arguments[6])),)
    return (float(math.prod(arguments[1])),) if op == "native_layer_norm" else ()


def _softmax(torch, wide, arguments):
    dim = arguments[1]
    largest = wide.amax(dim, keepdim=True)
    power = torch.exp(wide - largest)
    return [largest, wide - largest, power, power.sum(dim, keepdim=True)]


def _moments(torch, wide, axes, eps):
    """What a normalisation along `axes` computes: from what is centred, or from the mean of squares."""
    mean, square = wide.mean(axes, keepdim=True), wide * wide
    centred = wide - mean
    variance = (centred * centred).mean(axes, keepdim=True)
    inverse = torch.rsqrt(variance + eps)
    return [wide.sum(axes, keepdim=True), mean, centred, centred * centred, (centred * centred).sum(axes, keepdim=True),
            variance, variance + eps, square, square.sum(axes, keepdim=True), square.mean(axes, keepdim=True),
            mean * mean, torch.sqrt(variance + eps), inverse, centred * inverse]


def _layer_norm(torch, wide, arguments):
    axes = tuple(range(wide.dim() - len(arguments[1]), wide.dim()))
    normal = _moments(torch, wide, axes, arguments[4])
    return normal + ([normal[-1] * arguments[2].to(wide.dtype)] if arguments[2] is not None else [])


def _group_norm(torch, wide, arguments):
    weight, batch, channels, extent, groups, eps = arguments[1], *arguments[3:8]
    found = [wide.reshape(batch, channels, extent).sum(-1), (wide * wide).reshape(batch, channels, extent).sum(-1)]
    found += _moments(torch, wide.reshape(batch, groups, -1), (2,), eps)
    found = [one.reshape(batch, channels, extent) if one.numel() == wide.numel() else one for one in found]
    if weight is not None:
        found.append(found[-1] * weight.to(wide.dtype)[:, None])
    return found


def _batch_norm(torch, wide, arguments):
    weight, shape = arguments[1], [1, -1] + [1] * (wide.dim() - 2)
    if not arguments[5]:  # with the running statistics
        centred = wide - arguments[3].reshape(shape)
        inverse = torch.rsqrt(arguments[4].reshape(shape) + arguments[7])
        found = [centred, inverse, centred * inverse]
    else:
        found = _moments(torch, wide, tuple(axis for axis in range(wide.dim()) if axis != 1), arguments[7])
    return found + ([found[-1] * weight.reshape(shape)] if weight is not None else [])


def _sums(torch, wide, arguments):
    axes = arguments[1] if len(arguments) > 1 else None
    return [wide.sum() if axes is None else wide.sum(axes, keepdim=True)]


def _gelu(torch, wide, arguments):
    """Both forms: a kernel may have the one where the reference has the other."""
    half, quotient = wide * 0.5, wide * 0.5 ** 0.5
    square = wide * wide
    sum_ = wide + _CUBIC * square * wide
    found = [half, square, square * wide, _CUBIC * square * wide, _CUBIC * square, 1.0 + _CUBIC * square, sum_]
    for inner, outer in ((quotient, torch.erf(quotient)), (sum_ * _ROOT, torch.tanh(sum_ * _ROOT))):
        found += [inner, outer, 1.0 + outer, 0.5 * (1.0 + outer), wide * (1.0 + outer), wide * 0.5 * (1.0 + outer)]
    return found


def _silu(torch, wide, arguments):
    return [torch.sigmoid(wide)]


_ROOT, _CUBIC = math.sqrt(2.0 / math.pi), 0.044715
_MAKERS = {"_softmax": _softmax, "_log_softmax": _softmax, "native_layer_norm": _layer_norm,
           "native_group_norm": _group_norm, "native_batch_norm": _batch_norm, "mean": _sums, "var": _sums,
           "std": _sums, "gelu": _gelu, "silu": _silu}
_NUMBERS = {"gelu": (0.5, 0.5 ** 0.5, 2.0 ** 0.5, _ROOT, _CUBIC, 3.0)}
