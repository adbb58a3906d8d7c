"""Rewrites a kernel's source for the front end of 9.2: what differs from _rewrite.py.

Names that a recorded loop rebinds are carried to its next iteration, helpers are part of the kernel, and
most of Python is allowed where Python itself runs it.
"""
import ast

from ._rewrite import (HELPER, Body, _at, _bound_names, _call, _Expressions,
                       _is_recorded_loop, _placed, _raise)
from ._uses import READ, first_use

_IF, _LOOP, _RECORDED = "if", "loop", "recorded"


class _NewExpressions(_Expressions):
    """Inner scopes see the locals; what is called may become part of the kernel."""

    def visit_Call(self, node):
        function = node.func
        node = super().visit_Call(node)
        while isinstance(function, ast.Attribute):
            function = function.value
        if node.func is not None and not (isinstance(function, ast.Name) and
                                          function.id in ("pypto", HELPER)) and \
                not _is_helper(node.func):
            node.func = _at(_call("callee", node.func), node.func)
        return node

    def visit_Lambda(self, node):
        return self.generic_visit(node)

    def _comprehension(self, node):
        return self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _is_helper(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and \
        node.value.id == HELPER


class NewBody(Body):
    """Rewrites statements. `results` are the tensor parameters; in a helper there are none."""

    def __init__(self, results, local_names, is_kernel=True):
        super().__init__((), local_names)
        self.results = results
        self.is_kernel = is_kernel
        self.expressions = _NewExpressions(frozenset(local_names))
        self.jumps = []   # what we are in: _IF, _LOOP, _RECORDED
        self.after = []   # [(statements behind the current one, body of the loop around or None)]

    def whole(self, statements):
        """The body of a function."""
        rebound = sorted(set(self.results) & _bound_names(statements))
        made = self.block(statements)
        place = statements[0]
        before = [_at(ast.Assign(targets=[_store("%s_of_%s" % (HELPER, name))], value=_load(name)),
                      place) for name in rebound]
        behind = [_at(ast.Expr(_call("result", _load("%s_of_%s" % (HELPER, name)), _load(name))),
                      statements[-1]) for name in rebound]
        return before + made + behind

    def block(self, statements, loop=None):
        made = []
        for i, statement in enumerate(statements):
            self.after.append((statements[i + 1:], loop))
            made += self.statement(statement)
            self.after.pop()
        return made or [_at(ast.Pass(), statements[0])]

    def _is_read_later(self, name):
        for statements, loop in reversed(self.after):
            use = first_use(statements, name)
            if use is not None:
                return use is READ
            if loop is not None and first_use(loop, name) is READ:
                return True
        return name in self.results

    def _checked(self, node, *expressions):
        return None

    def _binder(self, node):
        return "bind"

    def _newer(self, node, what):
        """A kernel's statement that 9.1 refuses, with a note in front."""
        if not self.is_kernel:
            return [node]
        head = ast.Pass(lineno=node.lineno, col_offset=node.col_offset,
                        end_lineno=node.lineno, end_col_offset=node.col_offset + 1)
        return [_at(ast.Expr(_call("newer", ast.Constant(what))), head), node]

    # ---- assignments ----

    def _plain(self, node):
        """A statement whose expressions are rewritten, and nothing else."""
        return [self.expressions.generic_visit(node)]

    _delete = _raise = _nop = _plain

    def _assign(self, node):
        target = node.targets[0]
        if len(node.targets) == 1 and (isinstance(target, (ast.Name, ast.Subscript)) or (
                isinstance(target, (ast.Tuple, ast.List)) and
                all(isinstance(item, ast.Name) for item in target.elts))):
            return self._assignment(target, self._value(node.value), node)
        return self._plain(node)

    def _annassign(self, node):
        if node.value is not None and isinstance(node.target, ast.Attribute):
            return self._plain(node)
        return super()._annassign(node)

    def _augassign(self, node):
        return self._plain(node) if isinstance(node.target, ast.Attribute) \
            else super()._augassign(node)

    # ---- jumps ----

    def _leaves(self, until):
        """Leaves the sides of `if` that a jump ends."""
        made = []
        for kind in reversed(self.jumps):
            if kind in until:
                break
            if kind is _IF:
                made.append(ast.Expr(_call("leave_by_jump")))
        return made

    def _jump(self, node):
        word = type(node).__name__.lower()
        around = [kind for kind in self.jumps if kind is not _IF]
        if around and around[-1] is _RECORDED:
            return [_raise("SyntaxError", "%s is not supported in pypto.loop" % word, node)]
        return [_at(leave, node) for leave in self._leaves((_LOOP,))] + self._newer(node, "a " + word)

    _break = _continue = _jump

    def _return(self, node):
        if self.is_kernel:
            raise _placed(SyntaxError("Unsupported syntax <class 'ast.Return'>: return statement in "
                                      "entry point"), node)
        if _RECORDED in self.jumps:
            return [_raise("SyntaxError", "return is not supported in pypto.loop", node)]
        if node.value is not None:
            node.value = self._value(node.value)
            kept = _at(ast.Assign(targets=[_store(HELPER + "_value")], value=node.value), node)
            node.value = _at(_load(HELPER + "_value"), node)
            return [kept] + [_at(leave, node) for leave in self._leaves(())] + [node]
        return [_at(leave, node) for leave in self._leaves(())] + [node]

    def _functiondef(self, node):
        inner = NewBody((), _bound_names(node.body), is_kernel=False)
        node.body = inner.whole(node.body)
        return self._newer(node, "a nested def")

    # ---- conditions and loops ----

    def _if(self, node):
        self.jumps.append(_IF)
        made = super()._if(node)
        self.jumps.pop()
        return made

    def _while(self, node):
        if node.orelse:
            return [_raise("SyntaxError", "while … else is not supported", node)]
        node.test = _at(_call("truth", self._value(node.test)), node.test)
        self.jumps.append(_LOOP)
        node.body = self.block(node.body, list(node.body))
        self.jumps.pop()
        return self._newer(node, "a while")

    def _for(self, node):
        if node.orelse:
            return [_raise("SyntaxError", "for … else is not supported", node)]
        recorded = _is_recorded_loop(node.iter)
        targets = {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
        bound = sorted(_bound_names(node.body) - targets)
        needed = tuple(name for name in bound
                       if first_use(node.body, name) is READ or self._is_read_later(name))
        read = tuple(name for name in needed if first_use(node.body, name) is READ)
        items = self._items(node)
        self.loops += 1
        walk, before = ("%s_%s_%d" % (HELPER, word, self.loops) for word in ("walk", "before"))
        self.jumps.append(_RECORDED if recorded else _LOOP)
        body = self.block(node.body, list(node.body))
        self.jumps.pop()
        body = [_when("starts", before, name, _rebind(before, name), node) for name in bound] + \
            [_when("forgets", before, name, _unbind(name), node) for name in bound] + body + \
            [_when("shares", before, name, ast.Assign(
                targets=[_store(name)], value=_call("apart", _load(name))), node)
                for name in bound] + \
            [_when("carries", before, name, ast.Expr(
                _call("carry", _load(before), ast.Constant(name), _load(name))), node)
                for name in needed]
        made = ast.copy_location(ast.For(target=node.target, iter=_at(_load(walk), node.iter),
                                         body=body, orelse=[], type_comment=None), node)
        opened = _call("open_loop", _load(walk), ast.Constant(tuple(bound)),
                       ast.Constant(needed), ast.Constant(read))
        return [_at(ast.Assign(targets=[_store(walk)], value=items), node),
                _at(ast.Assign(targets=[_store(before)], value=opened), node), made] + \
            [_when("carries", before, name, _rebind(before, name), node) for name in needed]

    def _items(self, node):
        iterable, function = node.iter, getattr(node.iter, "func", None)
        ranged = isinstance(function, ast.Name) and function.id == "range"
        iterable = self._value(iterable)
        if ranged:
            iterable.func = _at(_call("range_of", function), function)
        return _call("any_items", iterable)


def _load(name):
    return ast.Name(id=name, ctx=ast.Load())


def _store(name):
    return ast.Name(id=name, ctx=ast.Store())


def _rebind(before, name):
    return ast.Assign(targets=[_store(name)],
                      value=_call("carried", _load(before), ast.Constant(name)))


def _unbind(name):
    """Bound first: it may be unbound already."""
    return ast.If(test=ast.Constant(True), orelse=[], body=[
        ast.Assign(targets=[_store(name)], value=ast.Constant(None)),
        ast.Delete(targets=[ast.Name(id=name, ctx=ast.Del())])])


def _when(question, before, name, statement, node):
    return _at(ast.If(test=_call(question, _load(before), ast.Constant(name)), body=[statement],
                      orelse=[]), node)


__all__ = ["NewBody"]
