"""Extents and values of the contract's primary inputs: "[B, T//BT]" with numbers for the names."""
import ast
import operator

from .failures import Contract

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
           ast.FloorDiv: operator.floordiv}
_UNARY = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_MOST_TEXT = 1000
_MOST_INTEGER = 8  # drawn integers lie below it, and below every extent: they may be indices


def shape_of(shape, numbers):
    """A list of extents. `shape` is a text as in the contract, or a list of texts and numbers."""
    if isinstance(shape, str):
        node = _parse(shape.strip() or "[]")
        entries = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    else:
        entries = [_parse(str(entry)) for entry in shape or []]
    extents = [_value(entry, numbers, shape) for entry in entries]
    if any(extent < 0 for extent in extents):
        raise Contract("the shape %s has a negative extent" % (shape,))
    return extents


def _parse(text):
    try:
        if len(text) > _MOST_TEXT:
            raise ValueError
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Contract("the shape %s cannot be read" % text[:100]) from None


def _value(node, numbers, shape):
    """Limited by _MOST_TEXT: the parser refuses what is nested deeper than Python allows."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        if type(numbers.get(node.id)) is int:
            return numbers[node.id]
        raise Contract("the shape %s needs a number for %s" % (shape, node.id))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_value(node.operand, numbers, shape))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = _value(node.left, numbers, shape), _value(node.right, numbers, shape)
        if isinstance(node.op, ast.FloorDiv) and right == 0:
            raise Contract("the shape %s divides by zero" % (shape,))
        return _BINARY[type(node.op)](left, right)
    raise Contract("the shape %s cannot be read" % (shape,))


def draw(torch, generator, entry, numbers):
    """The value of one primary input {name, shape, dtype}: normal floats, small integers, bools; a
    Python number for `int`, that of the dimension of its name if there is one."""
    dtype = entry.get("dtype") or "float32"
    if dtype in ("int", "float"):
        if type(numbers.get(entry["name"])) is int:
            return numbers[entry["name"]]
        return 1 if dtype == "int" else 1.0
    shape = shape_of(entry.get("shape"), numbers)
    kind = getattr(torch, dtype, None)
    if not isinstance(kind, torch.dtype):
        raise Contract("no dtype is called %s" % dtype)
    if kind.is_floating_point:
        return torch.randn(shape, generator=generator).to(kind)
    smallest = min([n for n in numbers.values() if type(n) is int and n > 0] or [_MOST_INTEGER])
    limit = 2 if kind is torch.bool else max(1, min(_MOST_INTEGER, smallest))
    return torch.randint(0, limit, shape, generator=generator).to(kind)
