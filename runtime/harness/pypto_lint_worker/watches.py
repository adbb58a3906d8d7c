"""Watching expressions of a file without editing it: a copy of its text in memory calls a hook after
each statement that gives an expression a value. Calls are added at the ends of lines, so that all
lines keep their numbers. The expressions come from a project's manifest and are untrusted: names,
attributes and subscripts only, nothing is called."""
import ast
import io
import os
import tokenize

from . import callers
from .failures import Contract

HOOK = "__pypto_lint_watch__"
MOST_WATCHES, MOST_EXPRESSION = 64, 200
_MOST_LOOPS = 8
_MOST_SHOWN = 12
_ALLOWED = (ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.Load,
            ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.UnaryOp, ast.USub, ast.Constant)
if hasattr(ast, "Index"):  # Python 3.8
    _ALLOWED += (ast.Index, ast.ExtSlice)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SIZES = frozenset("min max ceildiv ceil_div cdiv int len".split())


class Watch:
    """One entry of a manifest."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.expression = entry["expression"]
        self.line = entry.get("line")
        self.golden = entry.get("golden")
        self.golden_axis = entry.get("golden_axis")
        self.atol, self.rtol = entry.get("atol"), entry.get("rtol")


class Site:
    """A statement after which an expression is watched."""

    def __init__(self, watch, node, loops, in_place):
        self.watch, self.node, self.loops, self.in_place = watch, node, loops, in_place


class Loop:
    """A `for` with the name of its index. `names` are what a manifest may call it."""

    def __init__(self, node):
        target = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts \
            else node.target
        self.index = target.id if isinstance(target, ast.Name) else None
        self.names = {self.index}
        for keyword in getattr(node.iter, "keywords", ()):
            if keyword.arg in ("name", "idx_name") and isinstance(keyword.value, ast.Constant):
                self.names.add(keyword.value.value)


def _is_plain(node):
    if isinstance(node, ast.Constant):
        return node.value is None or type(node.value) is int
    return isinstance(node, _ALLOWED)


def root_of(expression, what):
    """The name that an expression begins with; Contract when it is more than names, attributes and
    subscripts."""
    if len(expression) > MOST_EXPRESSION:
        raise Contract("%s: the expression is longer than %d characters" % (what, MOST_EXPRESSION))
    if any(mark in expression for mark in "#\\\r\n\f"):  # it is put into a line of the copy
        raise Contract("%s: '%s' is not an expression on one line" % (what, expression))
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Contract("%s: '%s' is not an expression of Python" % (what, expression)) from None
    for node in ast.walk(tree):
        if not _is_plain(node):
            raise Contract("%s: '%s' has a %s; an expression to watch consists of names, "
                           "attributes and subscripts" % (what, expression, type(node).__name__))
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            raise Contract("%s: '%s' reaches for %s" % (what, expression, node.attr))
    node = tree.body
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if not isinstance(node, ast.Name):
        raise Contract("%s: '%s' does not begin with a name" % (what, expression))
    return node.id


def read_text(path):
    """The text of a Python file, in the encoding that it declares."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise Contract("%s is not text in its encoding" % os.path.basename(path)) from None


class Plan:
    """The places in a file where its expressions get values. `axis` names the loop whose iterations
    count; None: the innermost one around each. `complain` raises for what is not there, else
    `missing` has the names of those watches."""

    def __init__(self, path, watches, axis=None, complain=True):
        self.path, self.watches, self.axis = path, watches, axis
        self._file = os.path.basename(path)
        self.text = read_text(path)
        try:
            tree = ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Contract("%s does not parse" % self._file) from None
        self._roots = [root_of(w.expression, "snapshot '%s'" % w.name) for w in watches]
        self._callers = callers.Callers(path, tree, Loop)
        self._bound, self._loop_names, found = set(), set(), [[] for _ in watches]
        self._outside = [set() for _ in watches]  # functions that bind the root outside of the axis
        self._walk(tree, found)
        if complain and axis is not None and axis not in self._loop_names:
            raise Contract("the iteration axis '%s' is the index of no loop in %s; there are %s"
                           % (axis, self._file, _listed(self._loop_names)))
        self.sites, self.missing = [], []
        for number, sites in enumerate(found):
            chosen = self._choose(watches[number], sites)
            if not chosen and complain:
                raise Contract(self._nowhere(watches[number], self._roots[number]))
            if not chosen:
                self.missing.append(watches[number].name)
            self.sites.append(chosen)

    def _nowhere(self, watch, root):
        if watch.line is not None:
            return "snapshot '%s': line %d of %s gives '%s' no value" % (
                watch.name, watch.line, self._file, root)
        return "snapshot '%s': nothing in %s gives '%s' a value; assigned there: %s" % (
            watch.name, self._file, root, _listed(self._bound))

    def _walk(self, tree, found):
        """All simple statements in functions, with the loops around them. Its own stack, because
        code may be nested deeply."""
        waiting = [(node, None, ()) for node in reversed(tree.body)]
        while waiting:
            node, function, loops = waiting.pop()
            if isinstance(node, _FUNCTIONS):
                function, loops = node, ()
            elif isinstance(node, (ast.For, ast.AsyncFor)):
                loop = Loop(node)
                self._loop_names |= {name for name in loop.names if isinstance(name, str)}
                loops += (loop,)
            elif isinstance(node, _SIMPLE) and function is not None:
                self._note(node, function, loops, found)
            inner = [child for field in ("orelse", "finalbody", "handlers", "body")
                     for child in reversed(getattr(node, field, None) or ())
                     if isinstance(getattr(node, field), list)]
            waiting += [(child, function, loops) for child in inner]

    def _note(self, node, function, loops, found):
        bound = dict(_bound_by(node))
        if not isinstance(node, ast.Expr):
            self._bound |= {name for name, in_place in bound.items()}
        for number, root in enumerate(self._roots):
            if root in bound and len(loops) <= _MOST_LOOPS:
                site = Site(number, node, loops, bound[root])
                site.function = function
                found[number].append(site)

    def _choose(self, watch, sites):
        """The statements to watch: those in the loop of the axis, else the innermost ones."""
        if watch.line is not None:
            return [site for site in sites if site.node.lineno == watch.line]
        inside = [site for site in sites if self._depth(site) is not None]
        if not inside and sites:
            deepest = max(len(site.loops) for site in sites)
            inside = [site for site in sites if len(site.loops) == deepest]
        for site in inside:  # state that lives longer than an iteration
            site.carried = site.in_place and (
                site.function is None or any(
                    other.function is site.function and other not in inside for other in sites) or
                _is_parameter(site.function, self._roots[site.watch]))
        return inside

    def _depth(self, site):
        """How many of the loops around it count, up to that of the axis; None when it is outside."""
        for number, loop in enumerate(site.loops):
            if self.axis is not None and self.axis in loop.names:
                return number + 1
        return len(site.loops) if self.axis is None and site.loops else None

    def indices(self, site):
        """The names of the loop indices that number the snapshots of a site, outermost first."""
        depth = self._depth(site)
        loops = site.loops if depth is None else site.loops[:depth]
        return [loop.index for loop in loops if loop.index is not None]

    def reached(self, frame, local):
        """How the statement of a frame was reached: (a tuple that identifies the calls, the indices that
        number the snapshot, outermost first). `local` are the indices of the loops in its function."""
        way, around = self._callers.way(frame)
        for depth, (loop, _) in enumerate(around):
            if self.axis is not None and self.axis in loop.names:
                return way, [index for _, index in around[:depth + 1]]
        return way, [index for _, index in around] + list(local)

    def line(self, number):
        """The line of the first statement of a watch."""
        return min(site.node.lineno for site in self.sites[number])

    def is_carried(self, number):
        """Does the value live from one iteration to the next?"""
        return any(site.carried for site in self.sites[number] if hasattr(site, "carried"))

    def instrumented(self):
        """The text with calls of the hook."""
        calls = []
        for sites in self.sites:
            for site in sites:
                words = [str(site.watch), "(%s)" % self.watches[site.watch].expression.strip()]
                calls.append((site.node.end_lineno, site.node.end_col_offset,
                              "; %s(%s)" % (HOOK, ", ".join(words + self.indices(site)))))
        return spliced(self.text, calls)


def spliced(text, additions):
    """The text with (line, column in bytes, addition) put in."""
    lines = [line.encode("utf-8") for line in io.StringIO(text, newline="")]
    for line, column, addition in sorted(additions, reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[:column] + addition.encode("utf-8") + old[column:]
    return b"".join(lines).decode("utf-8")


def _is_parameter(function, name):
    arguments = function.args
    return any(argument.arg == name for argument in
               arguments.args + arguments.kwonlyargs + list(getattr(arguments, "posonlyargs", ())))


def _base(node):
    """(name, in place) of what a target changes."""
    in_place = False
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        in_place, node = in_place or not isinstance(node, ast.Starred), node.value
    return (node.id, in_place) if isinstance(node, ast.Name) else (None, False)


def _bound_by(node):
    """(name, in place) of all that a simple statement gives a value."""
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call):
            call = node.value
            for argument in call.args + [keyword.value for keyword in call.keywords]:
                if isinstance(argument, ast.Name):
                    yield argument.id, True
            if isinstance(call.func, ast.Attribute):
                name, _ = _base(call.func.value)
                yield name, True
        return
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return
    waiting = list(node.targets) if isinstance(node, ast.Assign) else [node.target]
    while waiting:
        target = waiting.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            waiting += target.elts
            continue
        name, in_place = _base(target)
        yield name, in_place or isinstance(node, ast.AugAssign)


def _listed(names):
    shown = sorted(name for name in names if name)[:_MOST_SHOWN]
    return ", ".join(shown) + (" …" if len(names) > _MOST_SHOWN else "") if shown else "none"


def propose(path):
    """(axis, [(name, line)]) of a manifest for a file: the tensors that the innermost loops of its
    kernels compute, also in functions of the file that the loops call."""
    text = read_text(path)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Contract("%s does not parse" % os.path.basename(path)) from None
    axis, found = None, {}
    functions = {node.name: node for node in tree.body if isinstance(node, _FUNCTIONS)}
    waiting = [(node, ()) for node in reversed(tree.body)]
    while waiting:
        node, loops = waiting.pop()
        if isinstance(node, _FUNCTIONS):
            loops = ()
            if not callers.is_kernel(node):
                continue
        elif isinstance(node, ast.For):
            loops += (Loop(node),)
        elif isinstance(node, (ast.Assign, ast.AugAssign)) and loops and _computes(node.value):
            axis = axis or loops[-1].index
            for name, _ in _bound_by(node):
                if name and loops[-1].index == axis:
                    found.setdefault(name, node.lineno)
        if loops and isinstance(node, _SIMPLE):
            for name in _called(node):
                function = functions.pop(name, None)  # each one once
                waiting += [(child, loops) for child in reversed(function.body if function else ())]
        waiting += [(child, loops) for field in ("orelse", "body")
                    for child in reversed(getattr(node, field, None) or ())
                    if isinstance(getattr(node, field), list)]
    return axis, sorted(found.items(), key=lambda item: item[1])[:MOST_WATCHES]


def _called(node):
    """Names of functions that a statement calls."""
    return [inner.func.id for inner in ast.walk(node)
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name)]


def _computes(node):
    """May the value be a tensor? A call, but not one for a size, or arithmetic with subscripts in it."""
    if isinstance(node, ast.Call) and (getattr(node.func, "attr", None) or getattr(node.func, "id", "")) in _SIZES:
        return False
    return any(isinstance(inner, ast.Call) for inner in ast.walk(node)) or \
        isinstance(node, ast.BinOp) and any(isinstance(inner, ast.Subscript)
                                            for inner in ast.walk(node))
