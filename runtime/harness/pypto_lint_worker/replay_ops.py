"""The operations of a kernel, done again with torch: floating operands in FP32, one rounding to the
dtype of the result. An operation that is not listed cannot be replayed, which is said, not guessed."""


class Unknown(Exception):
    """The operation, or this form of it, cannot be replayed."""


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
    """A product with operands transposed as asked."""
    left = left.transpose(-1, -2) if a_trans else left
    right = right.transpose(-1, -2) if b_trans else right
    if left.dtype != right.dtype or not left.is_floating_point():
        left, right = left.double(), right.double()
    return torch.matmul(left, right)


def _matmul(torch, record, given):
    if len([value for value in given if value is not None]) > 2:
        raise Unknown("matmul with a bias")
    attributes = record.attributes
    return matmul(torch, given[0], given[1], attributes["a_trans"], attributes["b_trans"])


def _reshape(torch, record, given):
    count = 1
    for extent in record.shape:
        count *= extent
    if given[0].numel() != count:
        raise Unknown("reshape of a partly valid tensor")
    return given[0].reshape(record.shape)


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


def _cast(torch, record, given):
    if record.dtype.startswith(("DT_INT", "DT_UINT")) and given[0].is_floating_point() and \
            bool((given[0] != given[0].trunc()).any()):
        raise Unknown("a cast that rounds to integers")
    return given[0]


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
    "bitwise_not": _unary("bitwise_not"), "logical_not": _unary("logical_not"),
}
UNARY = ("neg", "abs", "sign", "reciprocal", "relu", "exp", "exp2", "expm1", "log", "log2", "log10",
         "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos",
         "atan", "erf", "erfc", "floor", "ceil", "trunc", "round", "isfinite", "isnan")
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum", "pow", "fmod", "remainder", "gt", "ge",
          "lt", "le", "eq", "ne", "logical_and", "logical_or", "hypot", "atan2", "copysign")
REDUCTIONS = ("sum", "amax", "amin", "prod")
OPERATIONS.update({name: _unary(name) for name in UNARY})
OPERATIONS.update({name: _binary(name) for name in BINARY})
OPERATIONS.update({name: _reduction(name) for name in REDUCTIONS})


def run(torch, record, given):
    """The result of one record with these operands, before it is rounded."""
    function = OPERATIONS.get(record.op)
    if function is None or record.partial or record.result != 0:
        raise Unknown(record.op)
    try:
        return function(torch, record, given)
    except (RuntimeError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Unknown(record.op) from error


def run_as(torch, name, given):
    """The result of an operation of another name, element by element."""
    function = OPERATIONS.get(name)
    try:
        return function(torch, None, given)
    except (RuntimeError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Unknown(name) from error
