"""The first use of a name: is its value read before it is bound again?"""
import ast

READ, BOUND = "read", "bound"


def _names(node):
    """The names that a node reads and those that it binds. They are kept on the node, because each name of
    a body asks about the same statements again; so they are those of the text before any rewriting."""
    found = getattr(node, "pto_names", None)
    if found is None:
        found = node.pto_names = (set(), set())
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                found[isinstance(inner.ctx, ast.Store)].add(inner.id)
    return found


def _loads(node, name):
    return node is not None and name in _names(node)[0]


def stores(node, name):
    """Does a statement or target bind the name?"""
    return name in _names(node)[1]


def _both(first, second):
    if READ in (first, second):
        return READ
    return BOUND if first is BOUND and second is BOUND else None


def _of(node, name):
    if isinstance(node, ast.If):
        if _loads(node.test, name):
            return READ
        return _both(first_use(node.body, name), first_use(node.orelse, name))
    if isinstance(node, (ast.For, ast.While)):
        if _loads(node.iter if isinstance(node, ast.For) else node.test, name):
            return READ
        if isinstance(node, ast.For) and stores(node.target, name):
            return None  # bound in its iterations, if there are any
        return READ if first_use(node.body, name) is READ else None
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and \
            node.target.id == name:
        return READ
    if _loads(node, name):
        return READ
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return BOUND if node.name == name else None
    return BOUND if stores(node, name) else None


def first_use(statements, name):
    """READ, BOUND (on every path through them), or None if neither is certain."""
    for node in statements:
        use = _of(node, name)
        if use is not None:
            return use
    return None
