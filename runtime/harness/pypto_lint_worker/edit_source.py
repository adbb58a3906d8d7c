"""A kernel's text with its syntax tree: places, names in scope and blocks, for edits (text_edits.py). The text is only
parsed here, never run."""
import ast
import re

MOST_BYTES = 64 << 10  # longer texts have too many edits
_SCALAR_CALLS = frozenset("min max len int float round loop ceil_div symbolic_scalar SymInt sqrt".split())
TENSOR, SCALAR, ANY = "tensor", "scalar", "any"


def read(path):
    """The Source of a file, or None if it cannot be read or parsed or is too long."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        return Source(data) if len(data) <= MOST_BYTES else None
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class Source:
    """One file."""

    def __init__(self, data):
        self.data = data
        self.tree = ast.parse(data)
        self._starts = [0]
        for line in data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.functions = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        self.globals = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign):
                self.globals.update(dict.fromkeys(_stored(node), _kind(node.value, self.globals)))
        self.scopes = {function: _scope(function, self.globals) for function in self.functions}
        self._reads, self._pairs, self._bindings = {}, {}, {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                key = self.function_of(node), node.id
                self._reads[key] = self._reads.get(key, 0) + 1
            texts = [self.text(one) for one in _listed(node)]
            for pair in zip(texts, texts[1:]):
                self._pairs[pair] = self._pairs.get(pair, 0) + 1

    def span(self, node):
        """(begin, end) of a node in the bytes of the text."""
        return (self._starts[node.lineno - 1] + node.col_offset,
                self._starts[node.end_lineno - 1] + node.end_col_offset)

    def lines_of(self, statement):
        """(begin, end) of the whole lines of a statement."""
        return self._starts[statement.lineno - 1], min(self._starts[statement.end_lineno], len(self.data))

    def text(self, node):
        """The text of a node."""
        begin, end = self.span(node)
        return self.data[begin:end].decode("utf-8", "replace")

    def function_of(self, node):
        """The innermost function around a node, or None."""
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, ast.FunctionDef):
                return node
        return None

    def is_computed(self, node):
        """Does a node belong to the body of a function, or to an assignment of the module?"""
        function = self.function_of(node)
        if function is not None:  # decorators and annotations are expressions before the body
            return not isinstance(node, ast.expr) or node.lineno >= function.body[0].lineno
        return isinstance(node, ast.expr) and isinstance(self.statement_of(node), ast.Assign)

    def statement_of(self, node):
        """The innermost statement that an expression belongs to."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def definitions(self, name):
        """The assignments and loops that bind a name: those in its function, or else those of the module."""
        function = self.function_of(name)
        around = function if function is not None and name.id in self.scopes[function] else None
        if around not in self._bindings:
            self._bindings[around] = _bindings(ast.walk(around) if around is not None else self.tree.body)
        return self._bindings[around].get(name.id, ())

    def extents(self):
        """(first line, last line) of each simple statement and of the head of each loop and condition."""
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.For, ast.If, ast.While, ast.With)):
                yield node.lineno, max(node.lineno, node.body[0].lineno - 1)
            elif isinstance(node, ast.stmt) and not hasattr(node, "body"):
                yield node.lineno, node.end_lineno

    def function_lengths(self):
        """{line: lines of the innermost function around it}."""
        found = {}
        for function in self.functions:  # ast.walk: inner ones come later
            lines = range(function.lineno, function.end_lineno + 1)
            found.update(dict.fromkeys(lines, len(lines)))
        return found

    def is_unread(self, function, name):
        """Does a function bind a name that nothing in it reads?"""
        return name in self.scopes.get(function, ()) and not self._reads.get((function, name))

    def in_scope(self, node):
        """{name: kind} of the variables that a node may read."""
        found, function = {}, self.function_of(node)
        for name, (kind, line) in self.scopes.get(function, {}).items():
            if line < node.lineno:
                found[name] = kind
        return {**self.globals, **found}

    def kind(self, node):
        """TENSOR or SCALAR if the form of an expression shows it, else ANY."""
        return _kind(node, self.in_scope(node))

    def fits(self, node, text):
        """If an expression in a call or list were `text`: beside how many of its two neighbours does `text` also appear
        somewhere else in the file?"""
        listed = _listed(self.parents[node])
        if node not in listed:
            return 0
        at = listed.index(node)
        pairs = [(self.text(listed[at - 1]), text)] if at else []
        pairs += [(text, self.text(listed[at + 1]))] if at + 1 < len(listed) else []
        own = int(text == self.text(node))
        return sum(self._pairs.get(pair, 0) > own for pair in pairs)


def _listed(node):
    """The arguments of a call, the elements of a list."""
    return node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, (ast.List, ast.Tuple)) else []


def is_similar(name, other):
    """Do two names share a word, or the first letters?"""
    return bool(_words(name) & _words(other)) or name[:3] == other[:3] or name.startswith(other) or other.startswith(name)


def _words(name):
    return {word for word in re.split(r"[_0-9]+", name.lower()) if word}


def _bindings(nodes):
    """{name: [assignment or loop that binds it]} of nodes."""
    found = {}
    for node in nodes:
        for name in set(_stored(node)):
            found.setdefault(name, []).append(node)
    return found


def _stored(node):
    """The names that an assignment or a loop binds."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.For) else ()
    return [part.id for target in targets for part in ast.walk(target)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _scope(function, known):
    """{name: (kind, line)} of what a function binds. `known`: the kinds of the module's names."""
    found = {argument.arg: (_kind_of_parameter(argument), function.lineno)
             for argument in function.args.args + function.args.kwonlyargs}
    known = {**known, **{name: kind for name, (kind, _) in found.items()}}
    for node in ast.walk(function):
        for name in _stored(node):
            if name not in found:
                found[name] = _kind_of_loop(node) if isinstance(node, ast.For) else _kind(node.value, known), node.lineno
                known[name] = found[name][0]
    return found


def _kind_of_loop(loop):
    return SCALAR if isinstance(loop.iter, ast.Call) else ANY


def _kind_of_parameter(argument):
    return TENSOR if argument.annotation is not None and "Tensor" in ast.dump(argument.annotation) else ANY


def _kind(value, known):
    """The kind of an expression. `known`: the kinds of names."""
    if isinstance(value, (ast.Constant, ast.Compare, ast.Attribute)):
        return SCALAR
    if isinstance(value, ast.Call):
        name = getattr(value.func, "attr", getattr(value.func, "id", ""))
        if name in _SCALAR_CALLS:
            return SCALAR
        return TENSOR if isinstance(value.func, ast.Attribute) else ANY
    if isinstance(value, ast.Name):
        return known.get(value.id, ANY)
    if isinstance(value, ast.BinOp):
        sides = {_kind(value.left, known), _kind(value.right, known)}
        return SCALAR if sides == {SCALAR} else TENSOR if TENSOR in sides else ANY
    is_extent = isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute) and value.value.attr == "shape"
    return SCALAR if is_extent else ANY
