"""The operations of a kernel, done again with torch: floating operands in FP32, one rounding to the
dtype of the result. An operation that is not listed cannot be replayed, which is said, not guessed."""
import math


class Unknown(Exception):
    """The operation, or this form of it, cannot be replayed."""


# What a replay under a guess may raise if the guess does not fit the operation.
FAILURES = (Unknown, RuntimeError, IndexError, ValueError, TypeError, ArithmeticError)


def wide(torch, value):
    """A floating tensor as FP32 (DOUBLE stays), anything else as it is."""
    if isinstance(value, torch.Tensor) and value.is_floating_point() and value.element_size() < 4:
        return value.float()
    return value


def _tensor(torch, value):
    return value if isinstance(value, torch.Tensor) else torch.tensor(float(value))


def _unary(name):
    return lambda torch, record, given: getattr(torch, name)(given[0])


def _binary(name):
    return lambda torch, record, given: getattr(torch, name)(_tensor(torch, given[0]),
                                                             _tensor(torch, given[1]))


def _keeps(record, given):
    return len(record.shape) == given.dim()


def reduce(torch, name, value, dim, keeps):
    """sum, amax, amin or prod along one axis."""
    if name == "prod":
        return torch.prod(value, dim, keepdim=keeps)
    return getattr(torch, name)(value, dim, keepdim=keeps)


def _reduction(name):
    def run(torch, record, given):
        dim = record.attributes["dim"]
        return reduce(torch, name, given[0], dim, _keeps(record, given[0]))
    return run


def matmul(torch, left, right, a_trans, b_trans):
    """A product with operands transposed as asked, of as many elements as both have valid."""
    left = left.transpose(-1, -2) if a_trans else left
    right = right.transpose(-1, -2) if b_trans else right
    inner = min(left.shape[-1], right.shape[-2])
    left, right = left[..., :inner], right[..., :inner, :]
    if left.dtype != right.dtype or not left.is_floating_point():
        left, right = left.double(), right.double()
    return torch.matmul(left, right)


def _matmul(torch, record, given):
    if len([value for value in given if value is not None]) > 2:
        raise Unknown("matmul with a bias")
    attributes = record.attributes
    return matmul(torch, given[0], given[1], attributes["a_trans"], attributes["b_trans"])


def _reshape(torch, record, given):
    if given[0].numel() == math.prod(record.shape):
        return given[0].reshape(record.shape)
    # If it only adds or drops axes of one element, a guess may have changed the extents of the others.
    before = [extent for extent in record.read_shapes[0] if extent > 1]
    now = [extent for was, extent in zip(record.read_shapes[0], given[0].shape) if was > 1]
    if before != [extent for extent in record.shape if extent > 1] or given[0].numel() != math.prod(now):
        raise Unknown("reshape of a partly valid tensor")
    return given[0].reshape([now.pop(0) if extent > 1 else 1 for extent in record.shape])


def _full(torch, record, given):
    return torch.full(record.shape, float(given[0]))


def _where(torch, record, given):
    return torch.where(given[0].bool(), _tensor(torch, given[1]), _tensor(torch, given[2]))


def _clip(torch, record, given):
    low, high = (list(given[1:3]) + [None, None])[:2]
    if any(isinstance(bound, torch.Tensor) for bound in (low, high)):
        raise Unknown("clip by tensors")
    return torch.clamp(given[0], low, high)


def _triangle(name):
    return lambda torch, record, given: getattr(torch, name)(
        given[0], max(-(1 << 31), min(1 << 31, record.attributes["diagonal"])))


# Modes of a cast to integers; 0 is the usual one, 6 (to odd) is not replayed.
CAST_MODES = {1: "round", 3: "floor", 4: "ceil", 5: "trunc"}
_RANGES = {"DT_INT8": (-128, 127), "DT_UINT8": (0, 255), "DT_INT16": (-32768, 32767)}


def cast(torch, value, dtype, mode):
    """A conversion: to integers with the rounding of the mode, else a result that is not rounded yet."""
    if not dtype.startswith(("DT_INT", "DT_UINT")) or not value.is_floating_point():
        return value
    if mode == 2:  # halves away from zero
        value = torch.sign(value) * torch.floor(value.abs() + 0.5)
    elif mode in CAST_MODES:
        value = getattr(torch, CAST_MODES[mode])(value)
    elif bool((value != value.trunc()).any()):
        raise Unknown("a cast that rounds to integers")
    return torch.clamp(value, *_RANGES[dtype]) if dtype in _RANGES else value


def is_out_of_range(torch, value, dtype):
    """Which elements an integer dtype cannot hold: a cast clamps them or leaves some bits."""
    low, high = _RANGES.get(dtype, (-math.inf, math.inf))
    return (value < low) | (value > high)


def _cast(torch, record, given):
    return cast(torch, given[0], record.dtype, record.attributes["mode"])


def _topk(torch, record, given):
    # Equal ones in the order of their places, which torch.topk does not promise.
    dim = record.attributes["dim"]
    order = torch.sort(given[0], dim=dim, descending=record.attributes["largest"], stable=True)
    return order[record.result].narrow(dim, 0, record.shape[dim])


def _argsort(torch, record, given):
    return torch.sort(given[0], dim=record.attributes["dim"],
                      descending=record.attributes["largest"], stable=True)[1]


def _gather(torch, record, given):
    return torch.gather(given[0], record.attributes["dim"], given[1].long())


def _scatter(torch, record, given):
    dim, index = record.attributes["dim"], given[1].long()
    if record.attributes["mode"] != 0:
        raise Unknown("scatter that reduces")
    if isinstance(given[2], torch.Tensor):
        return given[0].scatter(dim, index, given[2].to(given[0].dtype))
    return given[0].scatter(dim, index, given[2])


def _index_select(torch, record, given):
    dim, index = record.attributes["dim"], given[1].long()
    picked = torch.index_select(given[0], dim, index.reshape(-1))
    shape = list(given[0].shape)
    return picked.reshape(shape[:dim] + list(index.shape) + shape[dim + 1:])


def _one_hot(torch, record, given):
    return torch.nn.functional.one_hot(given[0].long(), record.shape[-1])


def _extreme_place(name):
    def run(torch, record, given):
        dim = record.attributes["dim"]
        return getattr(torch, name)(given[0], dim, keepdim=_keeps(record, given[0]))
    return run


def _pad(torch, record, given):
    made = torch.full(record.shape, float(given[1] if len(given) > 1 else 0.0))
    made[tuple(slice(0, extent) for extent in given[0].shape)] = given[0]
    return made


def _var(torch, record, given):
    return variance(torch, record, given[0], record.attributes["real"])


def variance(torch, record, value, correction):
    """The variance along the axes of a record, divided by their extent less `correction`."""
    axes = record.attributes["shape"] or list(range(value.dim()))
    count = math.prod(value.shape[axis] for axis in axes)
    centred = value - value.mean(axes, keepdim=True)
    return (centred * centred).sum(axes, keepdim=_keeps(record, value)) / max(count - correction, 0.0)


OPERATIONS = {
    "transpose": lambda torch, record, given: given[0].transpose(record.attributes["dim"],
                                                                 record.attributes["dim1"]),
    "permute": lambda torch, record, given: given[0].permute(record.attributes["shape"]),
    "concat": lambda torch, record, given: torch.cat(list(given), record.attributes["dim"]),
    "expand_clone": lambda torch, record, given: given[0].expand(record.shape),
    "reshape": _reshape, "unsqueeze": _reshape, "clone": lambda torch, record, given: given[0],
    "full": _full, "where": _where, "clip": _clip, "cast": _cast, "matmul": _matmul,
    "tril": _triangle("tril"), "triu": _triangle("triu"),
    "greater": _binary("gt"), "floor_div": _binary("floor_divide"),
    "cumsum": lambda torch, record, given: torch.cumsum(given[0], record.attributes["dim"]),
    "cumprod": lambda torch, record, given: torch.cumprod(given[0], record.attributes["dim"]),
    "topk": _topk, "argsort": _argsort, "gather": _gather, "scatter": _scatter, "pad": _pad, "fillpad": _pad,
    "index_select": _index_select, "one_hot": _one_hot, "argmax": _extreme_place("argmax"),
    "argmin": _extreme_place("argmin"),
    "var": _var, "bitwise_not": _unary("bitwise_not"), "logical_not": _unary("logical_not"),
}
UNARY = ("neg", "abs", "sign", "reciprocal", "relu", "exp", "exp2", "expm1", "log", "log2", "log10",
         "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos",
         "atan", "erf", "erfc", "floor", "ceil", "trunc", "round", "isfinite", "isnan")
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum", "pow", "fmod", "remainder", "gt", "ge",
          "lt", "le", "eq", "ne", "logical_and", "logical_or", "hypot", "atan2", "copysign")
_SECOND = ("topk",)  # operations with a second result
REDUCTIONS = ("sum", "amax", "amin", "prod")
OPERATIONS.update({name: _unary(name) for name in UNARY})
OPERATIONS.update({name: _binary(name) for name in BINARY})
OPERATIONS.update({name: _reduction(name) for name in REDUCTIONS})


BY_ELEMENT = frozenset(UNARY + BINARY + ("where", "clip", "cast", "greater", "floor_div",
                                          "bitwise_not", "logical_not", "clone"))


def _shape_of(torch, record, given):
    """The valid shape of a result whose operands a guess may have made larger or smaller. Along each axis where the result had
    the extent of the smallest operand, it gets the new extent of the smallest."""
    rank, found = len(record.shape), []
    sizes = [value.shape for value in given if isinstance(value, torch.Tensor) and value.dim() == rank]
    before = [shape for shape in record.read_shapes if len(shape) == rank]
    for axis, extent in enumerate(record.shape):
        was, now = {shape[axis] for shape in before}, {size[axis] for size in sizes}
        now = now - {1} or now  # operands of one element are repeated
        was = was - {1} if extent > 1 else was
        found.append(min(now) if was and now and min(was) == extent else extent)
    return found


def _fitted(torch, value, shape):
    """The part of an operand that a partly valid result is computed from; NaN where the operand is
    the one that is partly valid."""
    if not isinstance(value, torch.Tensor) or value.dim() != len(shape):
        return value
    for axis, extent in enumerate(shape):
        if value.shape[axis] > extent:
            value = value.narrow(axis, 0, extent)
    if not is_partial(value.shape, shape) or not value.is_floating_point():
        return value
    whole = value.new_full([one if one == 1 else extent for one, extent in
                            zip(value.shape, shape)], float("nan"))
    whole[tuple(slice(0, extent) for extent in value.shape)] = value
    return whole


def is_partial(shape, wanted):
    """Does an operand have fewer elements than a result, but more than one, along an axis?"""
    return len(shape) == len(wanted) and any(1 < one < extent
                                             for one, extent in zip(shape, wanted))


def run(torch, record, given):
    """The result of one record with these operands, before it is rounded."""
    function = OPERATIONS.get(record.op)
    if function is None or record.partial or (record.result != 0 and record.op not in _SECOND):
        raise Unknown(record.op)
    try:
        if record.op in BY_ELEMENT:
            shape = _shape_of(torch, record, given)
            given = [_fitted(torch, value, shape) for value in given]
        return function(torch, record, given)
    except (RuntimeError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Unknown(record.op) from error


def run_as(torch, name, given, shape=None):
    """The result of an operation of another name, element by element; `shape`: valid extents."""
    function = OPERATIONS.get(name)
    try:
        given = given if shape is None else [_fitted(torch, value, shape) for value in given]
        return function(torch, None, given)
    except (RuntimeError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Unknown(name) from error
