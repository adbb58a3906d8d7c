"""Other expressions that may be meant where a kernel computes a scalar: operands in the other order, another name or constant,
one more or less, a missing factor, term or bound. The likeliest come first."""
import ast
import difflib
import itertools

from . import source_calls, source_definitions

_OTHERS = {ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add, ast.FloorDiv),
           ast.FloorDiv: (ast.Mod, ast.Mult), ast.Mod: (ast.FloorDiv,)}
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
_SWAPPED = (ast.Sub, ast.FloorDiv, ast.Mod)
_MOST_PARTS = 24  # of one expression
_ALIKE = 0.5  # likeness of names that may be mistaken for each other
MOST_SHOWN = 60  # characters, as BLAME_MOST_EXPRESSION


def edits(root, names, constants, indices=()):
    """Yields (rank, part of the expression, expression to put there). `names`: of scalars; `constants`: of the module;
    `indices`: names of loops' indices."""
    parts = [part for part in ast.walk(root) if isinstance(part, (ast.BinOp, ast.Call, ast.Name, ast.Constant, ast.Subscript))]
    present = {part.id for part in parts if isinstance(part, ast.Name)}
    shapes = {id(part) for whole in parts if isinstance(whole, ast.Call) for part in ast.walk(whole.func)}
    for part in parts[:_MOST_PARTS]:
        if id(part) in shapes:
            continue
        if isinstance(part, ast.BinOp):
            yield from _of_operation(part)
        elif isinstance(part, ast.Call):
            yield from _of_choice(part, indices)
        elif isinstance(part, ast.Subscript):
            for other in names + constants:
                yield 1.5, part, ast.Name(other)
        elif isinstance(part, ast.Name):
            for other in sorted(names + constants, key=lambda one: -_likeness(one, part.id)):
                if other != part.id:
                    is_alike = (other in constants) == (part.id in constants) and other not in present and \
                        _likeness(other, part.id) >= _ALIKE
                    yield (0 if is_alike else 1.5), part, ast.Name(other)
        elif type(part.value) is int:
            for step in (1, -1):
                yield 1, part, ast.Constant(part.value + step)
            for other in constants + names:
                yield 1.5, part, ast.Name(other)
        yield from _more(part, names, constants)


def _likeness(one, other):
    return difflib.SequenceMatcher(None, one, other).ratio()


def _of_operation(part):
    if isinstance(part.op, _SWAPPED):
        yield 0, part, ast.BinOp(part.right, part.op, part.left)
    for other in _OTHERS.get(type(part.op), ()):
        yield 1.25, part, ast.BinOp(part.left, other(), part.right)
    yield 1, part, part.left
    yield 1, part, part.right


def _of_choice(part, indices):
    name = source_calls.callee(part)
    if name not in ("min", "max") or len(part.args) != 2:
        return
    yield 1.25, part, ast.Call(ast.Name("max" if name == "min" else "min"), part.args, [])
    for one in part.args:
        yield 1.25, part, one
    for (one, tile), index in itertools.product((part.args, part.args[::-1]), indices):
        if name == "min" and isinstance(tile, ast.Name):  # what is left of `one` at the tile number `index`
            yield 1, one, ast.BinOp(one, ast.Sub(), ast.BinOp(ast.Name(index), ast.Mult(), tile))


def _more(part, names, constants):
    """Factors, terms and bounds that may be missing."""
    for step, rank in ((1, 1), (2, 3)):
        for sign in (ast.Add, ast.Sub):
            yield rank, part, ast.BinOp(part, sign(), ast.Constant(step))
    for other in constants + names:
        for sign in (ast.Mult, ast.Add, ast.Sub, ast.FloorDiv):
            yield 2, part, ast.BinOp(part, sign(), ast.Name(other))
    for other in names:
        for name in ("min", "max"):
            yield 3, part, ast.Call(ast.Name(name), [part, ast.Name(other)], [])
    yield 3, part, ast.Constant(0)
    yield 3, part, ast.BinOp(part, ast.Mult(), ast.Constant(2))
    yield 3, part, ast.BinOp(part, ast.FloorDiv(), ast.Constant(2))


def shown(node, part=None, instead=None):
    """The text of an expression with another part, or None if it is too long or has parts of other kinds."""
    made = _text(node, part, instead)
    return made if made is not None and len(made) <= MOST_SHOWN else None


def _text(node, part, instead, is_inner=False):
    if node is part and part is not None:
        node, part = instead, None  # which may contain the part
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return str(node.value) if type(node.value) is int else None
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        left, right = (_text(one, part, instead, True) for one in (node.left, node.right))
        if left is None or right is None:
            return None
        return ("(%s %s %s)" if is_inner else "%s %s %s") % (left, _SIGNS[type(node.op)], right)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):  # x.shape[0]
        whole, index = _text(node.value.value, part, instead), _text(source_definitions.index_in(node), part, instead)
        return None if None in (whole, index) else "%s.%s[%s]" % (whole, node.value.attr, index)
    if isinstance(node, ast.Call):
        given = [_text(one, part, instead) for one in node.args]
        name = source_calls.callee(node)
        return None if None in given or name is None else "%s(%s)" % (name, ", ".join(given))
    return None
