"""Finds the syntax tree of a function in its file."""
import ast
import linecache

_LIMIT = 32  # files kept
_files = {}
_MOST_NODES = 512
_WITH_STATEMENTS = (ast.stmt, ast.ExceptHandler) + ((ast.match_case,) if hasattr(ast, "match_case") else ())
# (file, first line, text of the function) → node. If the file changes elsewhere, the node and what is kept with it stay.
_nodes = {}


def copied(node):
    """A tree, or a list of trees, of its own: copy.deepcopy for syntax trees, several times as fast."""
    if isinstance(node, list):
        return [copied(item) for item in node]
    if not isinstance(node, ast.AST) or isinstance(node, ast.expr_context):
        return node
    made = type(node).__new__(type(node))
    for name, value in vars(node).items():
        setattr(made, name, copied(value))
    return made


def _functions_of(filename, module_globals):
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, module_globals)
    if not lines:
        raise OSError("could not get source code")
    key = (filename, hash(tuple(lines)))
    if key not in _files:
        if len(_files) >= _LIMIT:
            _files.clear()
        try:
            _files[key] = _functions(ast.parse("".join(lines), filename), filename, lines)
        except (SyntaxError, ValueError, RecursionError):
            raise OSError("could not get source code") from None
    return _files[key]


def _functions(tree, filename, lines):
    """{(name, line): node} of the functions of a file. The line is that of the first decorator and
    that of `def`: versions of Python differ."""
    found = {}
    for node in _statements(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if len(_nodes) >= _MOST_NODES:
                _nodes.clear()
            first = _first_line(node)
            node = _nodes.setdefault((filename, first, "".join(lines[first - 1:node.end_lineno])), node)
            found[node.name, node.lineno] = found[node.name, first] = node
    return found


def _statements(tree):
    """A tree and all statements in it. A function that has a name is a statement, so expressions are left out."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for value in vars(node).values():
            if type(value) is list:
                waiting += [item for item in value if isinstance(item, _WITH_STATEMENTS)]


def _first_line(node):
    return min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])


def function_node(function):
    """The ast.FunctionDef of a function; OSError when its source is not to be had. The node is
    shared: it must not be changed."""
    code = function.__code__
    functions = _functions_of(code.co_filename, function.__globals__)
    node = functions.get((code.co_name, code.co_firstlineno))
    if node is None:
        raise OSError("could not get source code")
    return node
