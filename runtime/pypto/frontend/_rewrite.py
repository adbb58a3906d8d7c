"""Rewrites a kernel's source so that Python runs it the way the product reads it.

The product parses the body and evaluates expressions one by one. Here the body stays Python code,
with the places changed where the product differs: tests of `if`, the iterables of `for`, names that
are bound to known symbolic scalars, `min` and `max`. Statements that the product cannot read become
calls that raise, so that they are errors when they are reached. Helpers are reached through one
free variable, `_HELPER`, whose methods are in _body.py. Positions stay those of the source.
"""
import ast
import sys

from ..error import ParserError

HELPER = "__pto"
_UNSAFE_CALLS = frozenset(("eval", "exec", "compile", "open", "input", "breakpoint", "__import__"))
_UNSAFE_ATTRIBUTES = frozenset((
    "__class__", "__bases__", "__subclasses__", "__dict__", "__globals__", "__code__",
    "__builtins__", "__loader__"))
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OTHER_SCOPES = _SCOPES + (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_EAGER_COMPREHENSIONS = sys.version_info >= (3, 12)  # they see the locals there


def _at(new, old):
    """Gives a generated node, and all nodes in it, the place of the node it replaces. Nodes that have a place keep it, and
    so does everything in them."""
    waiting = [new]
    while waiting:
        node = waiting.pop()
        if hasattr(node, "lineno"):
            continue
        if "lineno" in node._attributes:
            ast.copy_location(node, old)
            if isinstance(node, ast.Attribute):  # Python takes the last line of f.name for f.name(…)
                node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
        waiting.extend(ast.iter_child_nodes(node))
    return new


def _call(method, *arguments):
    return ast.Call(
        func=ast.Attribute(value=ast.Name(id=HELPER, ctx=ast.Load()), attr=method,
                           ctx=ast.Load()),
        args=list(arguments), keywords=[])


def _raise(kind, message, node):
    return _at(ast.Expr(_call("fail", ast.Constant(kind), ast.Constant(message))), node)


def unsupported(what):
    """The product's message for a construct that it cannot read."""
    return "%s is not supported by the PTO parser yet." % what


def scan(node):
    """Constructs that are errors everywhere, even in branches that are never taken."""
    for inner in ast.walk(node):
        if inner is node:
            continue
        if isinstance(inner, ast.Return):
            raise _placed(ValueError(
                "Return statements are not allowed. Use an out parameter and out.move(...) "
                "inside the kernel instead."), inner)
    for inner in ast.walk(node):
        if isinstance(inner, ast.While):
            raise _placed(NotImplementedError(unsupported("While")), inner)
        if isinstance(inner, ast.Yield) or isinstance(inner, ast.YieldFrom):
            raise _placed(NotImplementedError(unsupported(type(inner).__name__)), inner)


def _placed(error, node):
    made = ParserError(error)
    made.lineno = node.lineno
    made.columns = (node.col_offset, getattr(node, "end_col_offset", None))
    return made


class _Expressions(ast.NodeTransformer):
    """Changes expressions: min and max, names hidden from inner scopes."""

    def __init__(self, local_names):
        self.local_names = local_names
        self.hidden = None  # names bound in the inner scopes we are in; None = in none

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            keywords = node.keywords
            made = _call("extreme", ast.Constant(node.func.id), node.func, *node.args)
            made.keywords = keywords
            return _at(made, node)
        return node

    def _refused(self, node):
        """An error that is raised when it is reached."""
        return _at(_call("fail", *(ast.Constant(word) for word in self.refusal(node))), node)

    visit_NamedExpr = _refused

    @staticmethod
    def refusal(node):
        """The kind and the text of the error for something that kernels cannot use."""
        return "NotImplementedError", unsupported(type(node).__name__)

    def visit_Name(self, node):
        if self.hidden is not None and isinstance(node.ctx, ast.Load) and \
                node.id in self.local_names and node.id not in self.hidden:
            return _at(_call("outer", ast.Constant(node.id)), node)
        return node

    def visit_Lambda(self, node):
        defaults = node.args.defaults + [d for d in node.args.kw_defaults if d is not None]
        changed = {id(default): self.visit(default) for default in defaults}
        node.args.defaults = [changed[id(default)] for default in node.args.defaults]
        node.args.kw_defaults = [d if d is None else changed[id(d)]
                                 for d in node.args.kw_defaults]
        arguments = node.args
        bound = {a.arg for a in arguments.args + arguments.kwonlyargs +
                 getattr(arguments, "posonlyargs", [])}
        bound |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
        outer, self.hidden = self.hidden, (self.hidden or set()) | bound
        node.body = self.visit(node.body)
        self.hidden = outer
        return node

    def _comprehension(self, node):
        if _EAGER_COMPREHENSIONS and not isinstance(node, ast.GeneratorExp):
            return self.generic_visit(node)
        first = node.generators[0]
        first.iter = self.visit(first.iter)  # this one is evaluated outside
        bound = {name.id for generator in node.generators
                 for name in ast.walk(generator.target) if isinstance(name, ast.Name)}
        outer, self.hidden = self.hidden, (self.hidden or set()) | bound
        for generator in node.generators:
            if generator is not first:
                generator.iter = self.visit(generator.iter)
            generator.ifs = [self.visit(test) for test in generator.ifs]
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        self.hidden = outer
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _is_unsafe(node):
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and \
                inner.func.id in _UNSAFE_CALLS:
            return True
        if isinstance(inner, ast.Attribute) and inner.attr in _UNSAFE_ATTRIBUTES:
            return True
    return False


class Body:
    """Rewrites statements. `parameters` are the names of tensor parameters."""

    def __init__(self, parameters, local_names):
        self.parameters = frozenset(parameters)
        self.loops = 0
        self.carried = []  # of each recorded loop that we are in: what it expects to carry over
        self.expressions = _Expressions(frozenset(local_names))

    def block(self, statements):
        """A list of statements, never empty."""
        made = []
        for statement in statements:
            made += self.statement(statement)
        return made or [_at(ast.Pass(), statements[0])]

    def statement(self, node):
        """What stands for one statement."""
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            return [_raise(*self.expressions.refusal(node), node)]
        return method(node)

    def _value(self, node):
        """An expression, changed."""
        return self.expressions.visit(node)

    def _checked(self, node, *expressions):
        """None, or the statement that stands for one with an unsafe expression."""
        for expression in expressions:
            if expression is not None and _is_unsafe(expression):
                return [_raise("ValueError", "Expression contains unsafe operations", node)]
        return None

    def _binder(self, node):
        """The helper that binds a name; some bindings look as if they were carried over."""
        return "bind_carried" if any(node in nodes for nodes in self.carried) else "bind"

    # ---- targets ----

    def _names(self, target, node):
        """The names that a target binds, or the statements that raise instead: (names, error)."""
        if isinstance(target, ast.Name):
            names = [target.id]
        elif isinstance(target, (ast.Tuple, ast.List)) and \
                all(isinstance(item, ast.Name) for item in target.elts):
            names = [item.id for item in target.elts]
        else:
            return [], [_raise("NotImplementedError", unsupported(
                "Assignment to %s" % type(target).__name__), node)]
        for name in names:
            if name in self.parameters:
                return [], [_raise("ValueError", (
                    "Input tensor '%s' cannot be reassigned. Use %s[:] = … or %s.move(…) to "
                    "write into it." % (name, name, name)), node)]
        return names, None

    def _assignment(self, target, value, node):
        if isinstance(target, ast.Subscript):
            target = ast.copy_location(ast.Subscript(
                value=self._value(target.value), slice=self._value(target.slice),
                ctx=ast.Store()), target)
            return [ast.copy_location(ast.Assign(targets=[target], value=value), node)]
        names, error = self._names(target, node)
        if error is not None:
            return error
        if isinstance(target, ast.Name):
            bound = _call(self._binder(node), ast.Constant(names[0]), value)
        else:
            bound = _call("bind_all", ast.Constant(tuple(names)), value)
        return [ast.copy_location(ast.Assign(targets=[target], value=_at(bound, node)), node)]

    def _assign(self, node):
        unsafe = self._checked(node, node.value, *node.targets)
        if unsafe:
            return unsafe
        if len(node.targets) != 1:
            return [_raise("NotImplementedError", unsupported("Assignment to several targets"),
                           node)]
        return self._assignment(node.targets[0], self._value(node.value), node)

    def _annassign(self, node):
        unsafe = self._checked(node, node.value, node.target)
        if unsafe:
            return unsafe
        if node.value is None:
            return [_at(ast.Pass(), node)]
        return self._assignment(node.target, self._value(node.value), node)

    def _augassign(self, node):
        unsafe = self._checked(node, node.value, node.target)
        if unsafe:
            return unsafe
        if isinstance(node.target, ast.Subscript):
            node.target.value = self._value(node.target.value)
            node.target.slice = self._value(node.target.slice)
            node.value = self._value(node.value)
            return [node]
        _, error = self._names(node.target, node)
        if error is not None:
            return error
        if not isinstance(node.target, ast.Name):
            return [_raise("NotImplementedError", unsupported("Augmented assignment"), node)]
        name = node.target.id
        again = ast.Assign(
            targets=[ast.Name(id=name, ctx=ast.Store())],
            value=_call(self._binder(node), ast.Constant(name),
                        ast.Name(id=name, ctx=ast.Load())))
        node.value = self._value(node.value)
        return [node, _at(again, node)]

    # ---- the other statements ----

    def _expr(self, node):
        unsafe = self._checked(node, node.value)
        if unsafe:
            return unsafe
        node.value = self._value(node.value)
        return [node]

    def _pass(self, node):
        return [node]

    def _delete(self, node):
        if not all(isinstance(target, ast.Name) for target in node.targets):
            return [_raise("NotImplementedError", unsupported("del of anything but names"), node)]
        return [node]

    def _assert(self, node):
        unsafe = self._checked(node, node.test, node.msg)
        if unsafe:
            return unsafe
        node.test = self._value(node.test)
        if node.msg is not None:
            node.msg = self._value(node.msg)
        return [node]

    def _if(self, node):
        unsafe = self._checked(node, node.test)
        if unsafe:
            return unsafe
        test = _at(_call("test", self._value(node.test)), node.test)
        sides = [self.block(side) if side else [] for side in (node.body, node.orelse)]
        for side in sides:
            side.append(_at(ast.Expr(_call("leave")), node))
        made = ast.If(test=test, body=sides[0], orelse=sides[1])
        return [ast.copy_location(made, node)]

    def _for(self, node):
        if node.orelse:
            return [_raise("NotImplementedError", unsupported("for … else"), node)]
        unsafe = self._checked(node, node.iter)
        if unsafe:
            return unsafe
        names, error = self._names(node.target, node)
        if error is not None:
            return error
        iterable = node.iter
        if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and \
                iterable.func.id == "range":
            function = iterable.func
            iterable = self._value(iterable)
            iterable.func = _at(_call("range_of", function), function)
        else:
            iterable = self._value(iterable)
        count = 0 if isinstance(node.target, ast.Name) else len(names)
        self.carried.append(_self_updates(node) if _is_recorded_loop(node.iter) else [])
        bound = sorted(_bound_names(node.body) - set(names) - self.parameters)
        body = self.block(node.body)
        self.carried.pop()
        self.loops += 1
        before = "%s_before_%d" % (HELPER, self.loops)
        body = [_restore(before, name, node) for name in bound] + body
        made = ast.For(target=node.target,
                       iter=_at(_call("items", iterable, ast.Constant(count)), node.iter),
                       body=body, orelse=[], type_comment=None)
        made = ast.copy_location(made, node)
        if not bound:
            return [made]
        noted = ast.Assign(targets=[ast.Name(id=before, ctx=ast.Store())], value=_call("bindings"))
        return [_at(noted, node), made]


def _restore(before, name, node):
    """if restores(before, name): name = before's value."""
    load = ast.Name(id=before, ctx=ast.Load())
    values = ast.Subscript(value=load, slice=_index(ast.Constant(1)), ctx=ast.Load())
    value = ast.Subscript(value=values, slice=_index(ast.Constant(name)), ctx=ast.Load())
    return _at(ast.If(
        test=_call("restores", load, ast.Constant(name)),
        body=[ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)],
        orelse=[]), node)


def _index(node):
    """A subscript; before Python 3.9 it has a node of its own."""
    return node if sys.version_info >= (3, 9) else ast.Index(value=node)


def _is_recorded_loop(iterable):
    """Is it a call of pypto.loop or loop_unroll, judging by the text?"""
    function = iterable.func if isinstance(iterable, ast.Call) else None
    name = getattr(function, "attr", None) or getattr(function, "id", None)
    return name in ("loop", "loop_unroll")


def _statements(body):
    """The statements of a body and of the bodies inside it, in source order."""
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        inner = []
        for field in ("body", "orelse"):
            inner += getattr(node, field, None) or []
        stack.extend(reversed(inner))


def _self_updates(loop):
    """The statements of a loop's body that compute a name from its own value, where the body did
    not give it one before: n = n + 1."""
    bound = {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    found = []
    for node in _statements(loop.body):
        target = getattr(node, "target", None)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or \
                not isinstance(target, ast.Name):
            if isinstance(target, (ast.Tuple, ast.List)) or isinstance(node, ast.For):
                bound |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
            continue
        reads = isinstance(node, ast.AugAssign) or node.value is not None and any(
            isinstance(name, ast.Name) and name.id == target.id for name in ast.walk(node.value))
        if reads and target.id not in bound:
            found.append(node)
        bound.add(target.id)
    return found


def local_names(node):
    """Parameters and every name that the body binds outside of inner scopes."""
    return {argument.arg for argument in node.args.args} | _bound_names(node.body)


def _bound_names(body):
    """The names that statements bind outside of inner scopes."""
    names = set()
    stack = list(body)
    while stack:
        inner = stack.pop()
        if type(inner) is ast.Name:
            if type(inner.ctx) is ast.Store:
                names.add(inner.id)
        elif not isinstance(inner, _OTHER_SCOPES):
            for value in vars(inner).values():
                if type(value) is list:
                    stack += [item for item in value if isinstance(item, ast.AST)]
                elif isinstance(value, ast.AST):
                    stack.append(value)
    return names
