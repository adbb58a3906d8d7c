"""Finds the syntax tree of a function in its file."""
import ast
import linecache

_LIMIT = 32  # files kept
_trees = {}


def _tree_of(filename, module_globals):
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, module_globals)
    if not lines:
        raise OSError("could not get source code")
    key = (filename, hash(tuple(lines)))
    if key not in _trees:
        if len(_trees) >= _LIMIT:
            _trees.clear()
        try:
            _trees[key] = ast.parse("".join(lines), filename)
        except (SyntaxError, ValueError, RecursionError):
            raise OSError("could not get source code") from None
    return _trees[key]


def _first_line(node):
    return min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])


def function_node(function):
    """The ast.FunctionDef of a function; OSError when its source is not to be had. The node is
    shared: it must not be changed."""
    code = function.__code__
    tree = _tree_of(code.co_filename, function.__globals__)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and \
                node.name == code.co_name and \
                code.co_firstlineno in (_first_line(node), node.lineno):
            return node
    raise OSError("could not get source code")
