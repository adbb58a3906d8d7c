"""Rewrites a kernel's source for the front end of 9.2: what differs from _rewrite.py.

Names that a recorded loop rebinds are carried to its next iteration, helpers are part of the kernel, and
most of Python is allowed where Python itself runs it.
"""
import ast
import copy

from ._rewrite import (_EAGER_COMPREHENSIONS, HELPER, Body, _at, _bound_names, _call, _Expressions,
                       _index, _is_recorded_loop, _placed, _raise)
from ._uses import READ, first_use

_IF, _LOOP, _RECORDED = "if", "loop", "recorded"


class _NewExpressions(_Expressions):
    """Gives inner scopes the locals, and lets called functions become part of the kernel."""

    newer = None  # called with an expression and what of it 9.1 does not have

    def __init__(self, local_names, watched):
        super().__init__(local_names)
        self.watched = watched  # the names that may mean what must not be read

    visit_Yield = visit_YieldFrom = visit_Await = _Expressions._refused

    @staticmethod
    def refusal(node):
        return "AttributeError", "'Parser' object has no attribute 'visit_%s'" % type(node).__name__

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.watched:
            return _at(_call("used", ast.Constant(node.id), _load(node.id)), node)
        return node

    def visit_BoolOp(self, node):
        word = "'and'" if isinstance(node.op, ast.And) else "'or'"
        node = self.generic_visit(node)
        node.values[:-1] = [_at(_call("known", ast.Constant(word), value), value)
                            for value in node.values[:-1]]
        return node

    def visit_IfExp(self, node):
        node = self.generic_visit(node)
        node.test = _at(_call("known", ast.Constant("'x if c else y'"), node.test), node.test)
        return node

    def visit_Compare(self, node):
        """a < b < c: every comparison but the last decides."""
        node = self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        tests, left = [], node.left
        for i, (op, right) in enumerate(zip(node.ops, node.comparators)):
            is_last = i == len(node.ops) - 1
            again = right
            if not is_last and not isinstance(right, (ast.Name, ast.Constant)):
                self.kept += 1  # evaluated once
                name = "%s_kept_%d" % (HELPER, self.kept)
                right, again = ast.NamedExpr(target=_store(name), value=right), _load(name)
            test = ast.Compare(left=left, ops=[op], comparators=[right])
            tests.append(test if is_last else
                         _call("known", ast.Constant("a chained comparison"), test))
            left = again
        return _at(ast.BoolOp(op=ast.And(), values=tests), node)

    kept = 0

    def visit_Call(self, node):
        function = node.func
        node = super().visit_Call(node)
        while isinstance(function, ast.Attribute):
            function = function.value
        if node.func is not None and not (isinstance(function, ast.Name) and
                                          function.id in ("pypto", HELPER)) and \
                not _is_helper(node.func):
            node.func = _at(_call("callee", node.func), node.func)
            node.args = [_own(argument) for argument in node.args]
            for keyword in node.keywords:
                keyword.value = _own(keyword.value)
        return node

    def visit_Lambda(self, node):
        bound = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        self._tell_if_local(node.body, bound, node, "a lambda")
        return self.generic_visit(node)

    def _comprehension(self, node):
        bound = {name.id for generator in node.generators
                 for name in ast.walk(generator.target) if isinstance(name, ast.Name)}
        if not _EAGER_COMPREHENSIONS or isinstance(node, ast.GeneratorExp):
            inner = copy.copy(node)
            inner.generators = [copy.copy(generator) for generator in node.generators]
            inner.generators[0].iter = ast.Constant(None)  # evaluated outside
            self._tell_if_local(inner, bound, node, "a comprehension")
        return self.generic_visit(node)

    def _tell_if_local(self, inner, bound, node, what):
        if any(isinstance(name, ast.Name) and name.id in self.local_names and name.id not in bound
               for name in ast.walk(inner)):
            self._tell(node, what + " that reads local names")

    def _tell(self, node, what):
        if self.newer is not None:
            self.newer(node, what)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _own(node):
    """An argument. A number literal becomes an object of its own, unless it is a small integer: Python's
    compiler would share one object among equal literals."""
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(value, ast.Constant) and type(value.value) in (int, float) and (
            isinstance(value.value, float) or not -6 < value.value < 257):
        return _at(_call("own", node), node)
    return node


def _is_helper(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and \
        node.value.id == HELPER


class NewBody(Body):
    """Rewrites statements of a kernel, whose tensor parameters are its `results`, or of a helper with
    these parameters."""

    def __init__(self, parameters, local_names, is_kernel=True):
        super().__init__((), local_names)
        self.results = parameters if is_kernel else ()
        self.given = () if is_kernel else parameters
        self.is_kernel = is_kernel
        self.local_names = frozenset(local_names)
        self.jumps = []   # what we are in: _IF, _LOOP, _RECORDED
        self.after = []   # [(statements after the current one, body of the loop around or None)]
        self.merges = 0
        self.notes = []   # statements that go before the one that is being rewritten

    def whole(self, statements):
        """The body of a function."""
        self.expressions = _NewExpressions(self.local_names, _watched(statements, self.local_names))
        if self.is_kernel:
            self.expressions.newer = self._note
        self.rebound = sorted(set(self.given) & _bound_names(statements))
        rebound = sorted(set(self.results) & _bound_names(statements))
        made = self.block(statements)
        place = statements[0]
        before = [_at(ast.Assign(targets=[_store("%s_of_%s" % (HELPER, name))], value=_load(name)),
                      place) for name in rebound + self.rebound]
        behind = [_at(ast.Expr(_call("result", _load("%s_of_%s" % (HELPER, name)), _load(name))),
                      statements[-1]) for name in rebound]
        if self.expressions.watched and self.results:
            behind.append(_at(ast.Expr(_call("ends_kernel", ast.Constant(tuple(self.results)))),
                              statements[-1]))
        return before + made + self._rebound(statements[-1]) + behind

    def _rebound(self, node):
        """The end of a helper that rebinds its parameters."""
        return [_at(ast.Expr(_call("rebound", ast.Constant(name),
                                   _load("%s_of_%s" % (HELPER, name)), _load(name))), node)
                for name in self.rebound]

    def statement(self, node):
        outer, self.notes = self.notes, []
        made = super().statement(node)
        made, self.notes = self.notes + made, outer
        return made

    def _note(self, node, what):
        self.notes.append(self._newer(node, what)[0])

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

    _raise = _nop = _plain

    def _delete(self, node):
        """A name that is deleted is None."""
        made = []
        for target in node.targets:
            if isinstance(target, ast.Name):
                made.append(ast.Assign(targets=[_store(target.id)], value=ast.Constant(None)))
                continue
            self._note(node, "del of anything but names")
            made.append(ast.Delete(targets=[self.expressions.visit(target)]))
        return [_at(statement, node) for statement in made]

    def _assign(self, node):
        target = node.targets[0]
        if len(node.targets) == 1 and (isinstance(target, (ast.Name, ast.Subscript)) or (
                isinstance(target, (ast.Tuple, ast.List)) and
                all(isinstance(item, ast.Name) for item in target.elts))):
            return self._assignment(target, self._value(node.value), node)
        self._note(node, "an assignment to %s" % (
            "several targets" if len(node.targets) > 1 else
            "an attribute" if isinstance(target, ast.Attribute) else "a tuple of anything but names"))
        return self._plain(node)

    def _annassign(self, node):
        if node.value is not None and isinstance(node.target, ast.Attribute):
            return self._plain(node)
        return super()._annassign(node)

    def _augassign(self, node):
        if isinstance(node.target, ast.Attribute):
            self._note(node, "an assignment to an attribute")
            return self._plain(node)
        made = super()._augassign(node)
        if isinstance(node.target, ast.Name) and node.target.id in self.expressions.watched:
            made.insert(0, _at(ast.Expr(_call("used", ast.Constant(node.target.id),
                                              _load(node.target.id))), node))
        return made

    # ---- jumps ----

    def _leaves(self, until):
        """Leaves the sides of `if` statements that a jump ends."""
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
            return [kept] + self._rebound(node) + [
                _at(leave, node) for leave in self._leaves(())] + [node]
        return self._rebound(node) + [_at(leave, node) for leave in self._leaves(())] + [node]

    def _functiondef(self, node):
        given = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
        inner = NewBody(given, _bound_names(node.body) | set(given), is_kernel=False)
        node.body = inner.whole(node.body)
        return self._newer(node, "a nested def")

    # ---- conditions and loops ----

    def _if(self, node):
        """Its sides are two statements, so that both can be walked, one after the other (_merge.py)."""
        bound = tuple(sorted(_bound_names(node.body) | _bound_names(node.orelse)))
        names = tuple(name for name in bound if self._is_read_later(name))
        self.merges += 1
        side, merged = ("%s_%s_%d" % (HELPER, word, self.merges) for word in ("side", "merged"))
        opened = _call("sides", self._value(node.test),
                       ast.Constant((node.lineno, node.col_offset)), ast.Constant(names),
                       ast.Constant(bound))
        self.jumps.append(_IF)
        sides = [self.block(one) if one else [] for one in (node.body, node.orelse)]
        self.jumps.pop()
        for one in sides:
            one.append(ast.Expr(_call("leave_side", _load(side))))
        changed = sorted(_bound_names(node.body))
        if changed:
            sides[1].insert(0, ast.If(test=_attribute(side, "is_region"), orelse=[], body=[
                _put_back(name, _attribute(side, "values")) for name in changed]))
        second = ast.Call(func=_attribute(side, "second"), args=[], keywords=[])
        made = [ast.Assign(targets=[_store(side)], value=_at(opened, node.test)),
                ast.If(test=_attribute(side, "first"), body=sides[0], orelse=[]),
                ast.If(test=second, body=sides[1], orelse=[]),
                ast.If(test=_attribute(side, "is_region"), body=[
                    ast.Assign(targets=[_store(merged)], value=_call("close_region", _load(side)))] +
                    [_put_back(name, _load(merged), unbinds=False) for name in names], orelse=[])]
        if names:
            made[-1].orelse = [ast.Expr(_call(
                "merge", ast.Constant(self.merges), ast.Constant(names), ast.Constant(node.lineno)))]
        return [_at(statement, node) for statement in made]

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
        late = tuple(name for name in bound if self._is_read_later(name)) if recorded else ()
        watched = tuple(name for name in sorted(self.expressions.watched - targets)
                        if first_use(node.body, name) is READ) if recorded else ()
        items = self._items(node)
        self.loops += 1
        walk, before = ("%s_%s_%d" % (HELPER, word, self.loops) for word in ("walk", "before"))
        self.jumps.append(_RECORDED if recorded else _LOOP)
        body = self.block(node.body, list(node.body))
        self.jumps.pop()
        body = [_when("starts", before, name, _rebind(before, name), node) for name in bound] + \
            [_when("forgets", before, name, _unbind(name), node) for name in bound] + body + \
            [_at(ast.Expr(_call("ends_iteration", _load(before), ast.Constant(watched))), node)
             for _ in watched[:1]] + \
            [_at(ast.Expr(_call("ends_path", _load(before), ast.Constant(late))), node)
             for _ in late[:1]] + \
            [_when("shares", before, name, ast.Assign(
                targets=[_store(name)], value=_call("apart", _load(name))), node)
                for name in bound] + \
            [_when("carries", before, name, ast.Expr(
                _call("carry", _load(before), ast.Constant(name), _load(name))), node)
                for name in needed]
        made = ast.copy_location(ast.For(target=node.target, iter=_at(_load(walk), node.iter),
                                         body=body, orelse=[], type_comment=None), node)
        opened = _call("open_loop", _load(walk), ast.Constant((node.lineno, node.col_offset)),
                       *(ast.Constant(names) for names in (tuple(bound), needed, read, late)))
        return [_at(ast.Assign(targets=[_store(walk)], value=items), node),
                _at(ast.Assign(targets=[_store(before)], value=opened), node), made] + \
            [_when("carries", before, name, _rebind(before, name), node) for name in needed] + \
            [_when("lasts", before, name, ast.Assign(targets=[_store(name)], value=_call(
                "last", _load(before), ast.Constant(name))), node) for name in late]

    def _items(self, node):
        iterable, function = node.iter, getattr(node.iter, "func", None)
        ranged = isinstance(function, ast.Name) and function.id == "range"
        iterable = self._value(iterable)
        if ranged:
            iterable.func = _at(_call("range_of", function), function)
        return _call("any_items", iterable)


def _watched(statements, local_names):
    """The local names that may get a value that must not be read: all of them where a helper may be
    called, else what the sides of an `if` bind."""
    names = set()
    stack = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.If):
            names |= _bound_names(node.body) | _bound_names(node.orelse)
        if isinstance(node, ast.Call):
            function = node.func
            while isinstance(function, ast.Attribute):
                function = function.value
            if not (isinstance(function, ast.Name) and function.id == "pypto"):
                return frozenset(local_names)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            stack.extend(ast.iter_child_nodes(node))
    return frozenset(names & local_names)


def _load(name):
    return ast.Name(id=name, ctx=ast.Load())


def _store(name):
    return ast.Name(id=name, ctx=ast.Store())


def _attribute(name, attribute):
    return ast.Attribute(value=_load(name), attr=attribute, ctx=ast.Load())


def _put_back(name, values, unbinds=True):
    """Takes the value of a name from an expression that is a dictionary, if it has one."""
    test = ast.Compare(left=ast.Constant(name), ops=[ast.In()], comparators=[values])
    value = ast.Subscript(value=copy.deepcopy(values), slice=_index(ast.Constant(name)), ctx=ast.Load())
    return ast.If(test=test, body=[ast.Assign(targets=[_store(name)], value=value)],
                  orelse=[_unbind(name)] if unbinds else [])


def _rebind(before, name):
    return ast.Assign(targets=[_store(name)],
                      value=_call("carried", _load(before), ast.Constant(name)))


def _unbind(name):
    """Unbinds the name. It is bound first, because `del` fails on an unbound name."""
    return ast.If(test=ast.Constant(True), orelse=[], body=[
        ast.Assign(targets=[_store(name)], value=ast.Constant(None)),
        ast.Delete(targets=[ast.Name(id=name, ctx=ast.Del())])])


def _when(question, before, name, statement, node):
    return _at(ast.If(test=_call(question, _load(before), ast.Constant(name)), body=[statement],
                      orelse=[]), node)


__all__ = ["NewBody"]
