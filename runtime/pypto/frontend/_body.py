"""What rewritten kernels call, and how they become functions again."""
import ast
import builtins
import sys
import types

from .. import _config, _control, _diagnose, _recording, _state
from ..error import ParserError
from ..symbolic_scalar import SymbolicScalar, maximum, minimum, plain
from ..tensor import Tensor
from . import _rewrite, _rewrite_new
from ._carry import NewHelper
from ._merge import MergeHelper
from ._poison import PoisonHelper
from ._source import copied

_KINDS = {"NotImplementedError": NotImplementedError, "ValueError": ValueError,
          "TypeError": TypeError, "SyntaxError": SyntaxError, "AttributeError": AttributeError}
_RANGE_TEXT = "range() not support symbolic scalar yet, try use pypto.loop"
_MISSING = object()
_INNER = "__pto_body"  # not its own name, which its body may mean by the name


class Helper(NewHelper, MergeHelper, PoisonHelper):
    """The object that is the free variable of rewritten functions."""

    def __init__(self, namespace, is_new=False):
        self._is_new = is_new
        self._namespace = namespace  # name → value of what the source's own scope sees

    def fail(self, kind, message):
        raise ParserError(_KINDS[kind](message))

    def test(self, value):
        """The test of an `if`. A side of a symbolic one has its own scope, until `leave`."""
        branches = _recording.current("a condition").branches
        if isinstance(value, SymbolicScalar):
            decision = _control.decide(value)
            context = _state.context()
            branches.append((context.scope_depth(), _config.mark()))
            context.scope_push()
            return decision
        if isinstance(value, bool):
            branches.append(None)
            return value
        if self._is_new and not isinstance(value, Tensor):
            branches.append(None)
            return bool(value)
        raise ParserError(TypeError(
            "Test condition must be a symbolic scalar or boolean, but got %s"
            % type(value).__name__))

    def leave(self):
        """The end of a side of an `if`."""
        recording = _recording.current("a condition")
        scope = recording.branches.pop()
        recording.was_symbolic = scope is not None
        if scope is not None:
            _state.context().scope_unwind(scope[0])
            _config.unwind(scope[1])

    def bindings(self):
        """What the names of the calling function mean before a loop, as far as they are tensors."""
        loops = _recording.current("a loop").loops
        values = sys._getframe(1).f_locals
        return len(loops), {name: value for name, value in values.items()
                            if isinstance(value, Tensor)}

    def restores(self, bindings, name):
        """Does a name get back, here, what it meant before the loop? It does where a path of the
        body starts: what another path bound is gone."""
        depth, values = bindings
        if name not in values:
            return False
        loops = _recording.current("a loop").loops
        return len(loops) == depth + 1 and loops[-1].starts_path

    def bind(self, name, value):
        """The value that a name gets: known symbolic scalars become integers, tensors learn their
        name."""
        if self._is_new:
            self.forget(sys._getframe(1), name)
        return self._bound(name, value)

    def _bound(self, name, value):
        if isinstance(value, SymbolicScalar):
            return plain(value)
        if isinstance(value, Tensor) and value._recording is not None and \
                value._recording.state == "recording" and not value._is_parameter():
            value.name = name
        return value

    def bind_carried(self, name, value):
        """A name that a recorded loop computes from its own value: what Python binds does not last
        to the next iteration."""
        if _recording.active() is not None and _recording.active().loops:
            if isinstance(value, Tensor):
                _diagnose.warn("uncarried-state", (
                    "'%s' is bound to a new tensor, which the next iteration does not see; write "
                    "%s[:] = … to carry it over" % (name, name)))
            elif isinstance(value, (int, float, SymbolicScalar)) and not isinstance(value, bool):
                _diagnose.warn("python-increment", (
                    "'%s' is computed once, when the loop is recorded: it does not advance from "
                    "iteration to iteration" % name))
        return self._bound(name, value)

    def bind_all(self, names, values):
        """The same for `a, b = values`."""
        values = list(values)
        if len(values) != len(names):
            raise ParserError(ValueError("%d names get %d values" % (len(names), len(values))))
        if self._is_new:
            for name in names:
                self.forget(sys._getframe(1), name)
        return [self._bound(name, value) for name, value in zip(names, values)]

    def own(self, value):
        """The number as a new object, so that identity distinguishes it."""
        return value * 1.0 if isinstance(value, float) else int(str(value))

    def range_of(self, function):
        """The callable to use for `range` in `for x in range(…)`."""
        if function is not builtins.range:
            return function
        return _range

    def items(self, iterable, targets):
        """The iterable of a `for`, where the product can walk it."""
        if isinstance(iterable, (_control.Loop, range)):
            return iterable
        if isinstance(iterable, (list, tuple)):
            if not iterable:
                raise ParserError(ValueError("for over an empty list or tuple"))
            if targets and len(iterable) != targets:
                raise ParserError(ValueError(
                    "for: %d targets, but the list has %d entries" % (targets, len(iterable))))
            return [plain(item) for item in iterable]
        raise ParserError(TypeError(
            "for takes range, a list, a tuple, pypto.loop or pypto.loop_unroll, not %s"
            % type(iterable).__name__))

    def extreme(self, name, function, *arguments, **keywords):
        """min and max: symbolic if one of their two arguments is."""
        if len(arguments) == 2 and not keywords and function in (min, max) and \
                any(isinstance(argument, SymbolicScalar) for argument in arguments):
            return plain((minimum if name == "min" else maximum)(*arguments))
        return function(*arguments, **keywords)

    def outer(self, name):
        """A kernel's local name in a comprehension or lambda, where the product cannot see it."""
        value = self._namespace(name)
        if value is _MISSING:
            raise ParserError(NameError(
                "name '%s' is not defined (comprehensions and lambdas in a kernel do not see its "
                "local names)" % name))
        return value


def _range(*bounds):
    known = [plain(bound) for bound in bounds]
    if any(isinstance(bound, SymbolicScalar) for bound in known):
        raise ParserError(TypeError(_RANGE_TEXT))
    return range(*known)


def _namespace(function, cells):
    """Looks a name up in the scopes around a function."""
    def find(name):
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:  # still empty
                return _MISSING
        if name in function.__globals__:
            return function.__globals__[name]
        return getattr(builtins, name, _MISSING)
    return find


_KEPT = "_pypto_code"  # attribute of a node: {key: code of the rewritten function}


def rewrite(function, node, parameters, captured, is_new=False):
    """The function that runs the body: same globals, same closure, arguments by position.
    `captured` has the names that the place of decoration saw; `is_new`: the front end of 9.2."""
    if isinstance(node, ast.AsyncFunctionDef):
        raise ParserError(NotImplementedError(_rewrite.unsupported("async def")))
    names = _rewrite.local_names(node)

    def statements():
        if is_new:
            return _rewrite_new.NewBody(parameters, names).whole(copied(node.body))
        _rewrite.scan(node)
        return _rewrite.Body(parameters, names).block(copied(node.body))
    return _made(function, node, (statements, ("kernel", is_new) + tuple(parameters)), names, captured, is_new)


_NATIVE_ONLY = (ast.Try, ast.With, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ClassDef,
                ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


def rewrite_helper(function, node):
    """The same for a function that a kernel calls; None when it runs as it is."""
    if any(isinstance(inner, _NATIVE_ONLY) for inner in ast.walk(node)):
        return None
    names = _rewrite.local_names(node) | {argument.arg for argument in node.args.kwonlyargs}
    given = [argument.arg for argument in node.args.args + node.args.kwonlyargs]

    def statements():
        return _rewrite_new.NewBody(given, names, is_kernel=False).whole(copied(node.body))
    made = _made(function, node, (statements, ("helper",)), names, {}, True)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def _made(function, node, body, names, captured, is_new):
    """The function with other statements as its body. `body`: a function that makes them, and a tuple of everything besides
    the node that they depend on."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name, value in captured.items():
        if name not in cells and name not in function.__globals__ and name not in names and \
                name in function.__code__.co_names:
            cells[name] = types.CellType(value)
    helper = Helper(_namespace(function, dict(cells)), is_new)
    helper.defaults = (function.__defaults__ or ()) + tuple((function.__kwdefaults__ or {}).values())
    cells[_rewrite.HELPER] = types.CellType(helper)
    make, depends = body
    free = [name for name in cells if name not in names]
    code = _code_of(function, node, free, make, depends + (function.__qualname__,) + tuple(free))
    made = types.FunctionType(code, function.__globals__, node.name, None,
                              tuple(cells[name] for name in code.co_freevars))
    made.__module__ = function.__module__
    return made


def _code_of(function, node, free, make, key):
    """The code of the body that `make` makes. It is kept with the node, for later texts in which the function is the same."""
    kept = vars(node).setdefault(_KEPT, {})
    if key not in kept:
        kept[key] = _compiled(function, node, free, make())
    return kept[key]


def _compiled(function, node, free, statements):
    arguments = [ast.arg(arg=argument.arg, annotation=None) for argument in node.args.args]
    keywords = [ast.arg(arg=argument.arg, annotation=None) for argument in node.args.kwonlyargs]
    inner = ast.FunctionDef(name=_INNER, args=_arguments(arguments, keywords), body=statements,
                            decorator_list=[], returns=None, type_comment=None)
    # Around it a function that binds the free names, so that the compiler sees them as such.
    give = ast.Return(value=ast.Name(id=_INNER, ctx=ast.Load()))
    outer = ast.FunctionDef(name="__pto_scope", args=_arguments([ast.arg(arg=name, annotation=None) for name in free]),
                            body=[inner, give], decorator_list=[], returns=None, type_comment=None)
    for made in (inner, outer):
        if hasattr(made, "type_params") or "type_params" in made._fields:
            made.type_params = []
    _place(outer, node)
    module = ast.Module(body=[outer], type_ignores=[])
    code = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    code = _code_named(_code_named(code, "__pto_scope"), _INNER)
    names = {"co_name": node.name}
    if hasattr(code, "co_qualname"):
        names["co_qualname"] = function.__qualname__
    return code.replace(**names)


def _place(outer, node):
    for inner in ast.walk(outer):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            inner.lineno = inner.end_lineno = node.lineno
            inner.col_offset = inner.end_col_offset = node.col_offset


def _arguments(arguments, keywords=()):
    return ast.arguments(posonlyargs=[], args=arguments, vararg=None, kwonlyargs=list(keywords),
                         kw_defaults=[None] * len(keywords), kwarg=None, defaults=[])


def _code_named(code, name):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_name == name:
            return constant
    raise AssertionError(name)
