"""Symbolic scalars as text, in the product's grammar: `(a+3)`, `RUNTIME_Min(n, 64)`.

The text is that of the expression as it was written, with only constants folded; the core keeps another,
canonical form. What comes from the core (extents, loop indexes) is its canonical text in the same grammar.
"""
import ast

from . import _state

NEGATE, NOT = "negate", "not"
_MOST_DEPTH = 150  # of operations in operations; what is deeper is shown in the canonical form
_SYMBOLS = ("+", "-", "*", "/", "%", None, None, None, None, "<", "<=", ">", ">=")
_CALLS = {5: "RUNTIME_Min", 6: "RUNTIME_Max", 7: "RUNTIME_Eq", 8: "RUNTIME_Ne"}
_ADD, _MIN, _MAX = 0, 5, 6


class _Text(str):
    """A text that keeps the parts with which later operations merge."""

    __slots__ = ("base", "added", "call", "parts")

    def __new__(cls, text, base=None, added=0, call=None, parts=()):
        made = super().__new__(cls, text)
        made.base, made.added, made.call, made.parts = base, added, call, parts
        return made


def _truncated(a, b):
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


_FOLD = (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, _truncated,
         lambda a, b: a - b * _truncated(a, b), min, max, lambda a, b: int(a == b),
         lambda a, b: int(a != b), lambda a, b: int(a < b), lambda a, b: int(a <= b),
         lambda a, b: int(a > b), lambda a, b: int(a >= b))


def form(value, depth=0):
    """An int, or the text."""
    if isinstance(value, int):
        return int(value)
    if value._handle is None:
        return ""
    if value._named is not None:
        return _Text(value._named)
    written = value._written
    if isinstance(written, (str, int)):
        return written
    if written is None or depth > _MOST_DEPTH:
        return _of_core(value)
    operands = [form(operand, depth + 1) for operand in written[1:]]
    value._written = _node(written[0], *operands)  # it is asked for again
    return value._written


def written(op, a, b):
    """What a scalar keeps of how it came about. A chain of sums with numbers does not grow."""
    if op != _ADD:
        return (op, a, b)
    if isinstance(a, int):
        a, b = b, a
    inner = getattr(a, "_written", None)
    if isinstance(b, int) and isinstance(inner, tuple) and inner[0] == _ADD and \
            isinstance(inner[2], int):
        return (_ADD, inner[1], inner[2] + b)
    return (_ADD, a, b)


def _node(op, a, b=None):
    if op is NEGATE:
        return -a if isinstance(a, int) else _Text("(-%s)" % a)
    if op is NOT:
        return int(not a) if isinstance(a, int) else _Text("(!%s)" % a)
    if isinstance(a, int) and isinstance(b, int):
        return _FOLD[op](a, b)
    if op == _ADD:
        return _sum(a, b)
    if op in (_MIN, _MAX):
        return _extreme(op, a, b)
    if op in _CALLS:
        return _Text("%s(%s, %s)" % (_CALLS[op], a, b))
    return _Text("(%s%s%s)" % (a, _SYMBOLS[op], b))


def _sum(a, b):
    """The text of a sum: a number goes to the right and is added to the number there."""
    if isinstance(a, int):
        a, b = b, a
    if not isinstance(b, int):
        return _Text("(%s+%s)" % (a, b))
    base = a if a.base is None else a.base
    return _Text("(%s+%d)" % (base, a.added + b), base, a.added + b)


def _extreme(op, a, b):
    """The text of min and max: several operands are nested to the right."""
    parts = []
    for operand in (a, b):
        parts += operand.parts if getattr(operand, "call", None) == op else [operand]
    text = str(parts[-1])
    for part in reversed(parts[:-1]):
        text = "%s(%s, %s)" % (_CALLS[op], part, text)
    return _Text(text, call=op, parts=tuple(parts))


# ---- the core's canonical text ----

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.Lt: "<",
              ast.LtE: "<="}
_NAMES = {"min": "RUNTIME_Min", "max": "RUNTIME_Max"}


def _of_core(value):
    known = _state.context().value(value._handle)
    if known is not None:
        return known
    text = _state.context().text(value._handle)
    try:
        return _Text(_printed(ast.parse(text, mode="eval").body, 0))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _Text(text)  # a name that is no identifier, or a text that was cut


def _printed(node, depth):
    if depth > _MOST_DEPTH:
        raise ValueError
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return "(-%s)" % _printed(node.operand, depth + 1)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return "(%s%s%s)" % (_printed(node.left, depth + 1), _OPERATORS[type(node.op)],
                             _printed(node.right, depth + 1))
    if isinstance(node, ast.Call) and len(node.args) == 2 and isinstance(node.func, ast.Name):
        return "%s(%s, %s)" % (_NAMES.get(node.func.id, node.func.id),
                               _printed(node.args[0], depth + 1), _printed(node.args[1], depth + 1))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _printed(node.left, depth + 1), _printed(node.comparators[0], depth + 1)
        kind = type(node.ops[0])
        if kind in _OPERATORS:
            return "(%s%s%s)" % (left, _OPERATORS[kind], right)
        return "RUNTIME_%s(%s, %s)" % ("Eq" if kind is ast.Eq else "Ne", left, right)
    raise ValueError
