"""Edits of a kernel's text that may undo a mistake: another name, number or order, one step less. Edits that undo a likely
mistake cost less. rerun.py runs the kernel with them."""
import ast
import re

from .edit_source import ANY, SCALAR, TENSOR, is_similar

_FIT, _FIT_NOW = 0.8, 0.3  # for each neighbour that the new, or the present, expression also has elsewhere
_MOST_EDITS = 50000
_MOST_SWAPPED = 24  # arguments or elements
_OF_MODULE = 1.0  # a constant of the module has other uses, in which it may be right
_FURTHEST = 6  # statements that a moved statement may pass
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SYMMETRIC = frozenset("add mul maximum minimum eq ne logical_and logical_or".split())
_SIGN = re.compile(rb"[\s()]*([-+*/%<>=!@&|^]+)[\s()]*")
_OPERATORS = ("+", "-", "*", "//")
_FUNCTIONS = frozenset("exp log sqrt rsqrt reciprocal sigmoid abs neg tanh".split())
EDITED, REORDERED, MOVED = "edited", "reordered", "moved"


class Edit:
    """`changes`: [(begin, end, bytes)] of the text. `line`: that of the mistake. `now` and `then`: for the answer, the
    expression in the text and the one to write instead; both are empty if a statement moves."""

    __slots__ = ("cost", "line", "kind", "changes", "now", "then")

    def __init__(self, cost, line, kind, changes, now="", then=""):
        self.cost, self.line, self.kind, self.changes = cost, line, kind, changes
        self.now, self.then = now, then

    def apply(self, data):
        """The text with the edit."""
        for begin, end, new in sorted(self.changes, reverse=True):
            data = data[:begin] + new + data[end:]
        return data


class TextEdits:
    """The edits of one text."""

    def __init__(self, source, operations=()):
        """`source`: an edit_source.Source; `operations`: those of the reference, one of which may be missing."""
        self.source, self._found = source, {}
        self._functions = sorted(name for name in _FUNCTIONS
                                 if any(name in operation for operation in operations))  # logsumexp has a log

    def all(self):
        """Every edit, in no order; for a long text only some."""
        for node in ast.walk(self.source.tree):
            if len(self._found) > _MOST_EDITS:
                break
            if self.source.is_computed(node):
                for kinds, find in _FINDERS:
                    if isinstance(node, kinds):
                        find(self, node)
            if isinstance(node, (ast.FunctionDef, ast.For, ast.If, ast.With)):
                self._blocks(node)
        return list(self._found.values())

    def _add(self, cost, node, kind, *changes, line=None):
        """`changes`: (node or span, new text)."""
        spans = tuple((*(part if isinstance(part, tuple) else self.source.span(part)), new.encode())
                      for part, new in changes)
        if all(self.source.data[begin:end] == new for begin, end, new in spans):
            return
        shown = ("", "")
        if kind == EDITED and len(changes) == 1 and not isinstance(changes[0][0], tuple):
            shown = self.source.text(changes[0][0]), changes[0][1]
        cost += _OF_MODULE * (self.source.function_of(node) is None)
        edit = Edit(cost, line or node.lineno, kind, spans, *shown)
        if spans not in self._found or self._found[spans].cost > cost:
            self._found[spans] = edit

    # ---- names and numbers

    def _names(self, node):
        if not isinstance(node.ctx, ast.Load):
            return
        parent = self.source.parents[node]
        if isinstance(parent, ast.Call) and parent.func is node:
            self._callees(node)
            return
        scope = self.source.in_scope(node)
        if node.id not in scope or isinstance(parent, ast.Attribute) and parent.attr != "shape":
            return
        for name, kind in scope.items():
            if name != node.id and (kind == scope[node.id] or ANY in (kind, scope[node.id])):
                self._add(self._cost_of_name(node, name, kind, scope), node, EDITED, (node, name))
        for name in self._functions if scope[node.id] != SCALAR and isinstance(parent, (ast.Call, ast.BinOp)) else ():
            self._add(3.3, node, EDITED, (node, "pypto.%s(%s)" % (name, node.id)))
        if scope[node.id] != TENSOR and not isinstance(parent, (ast.Attribute, ast.Subscript)):
            for other in ("0", "1", node.id + " + 1", node.id + " - 1"):
                self._add(4.2, node, EDITED, (node, self._enclosed(node, other)))

    def _cost_of_name(self, node, name, kind, scope):
        source = self.source
        cost = 4.0 - 1.0 * is_similar(name, node.id) - 2.5 * source.is_unread(source.function_of(node), name)
        cost -= _FIT * source.fits(node, name) - _FIT_NOW * source.fits(node, node.id)
        cost += 0.5 * ((name in source.globals) != (node.id in source.globals)) + 0.4 * (kind != scope[node.id])
        return cost - self._cost_of_update(source.statement_of(node), name)

    @staticmethod
    def _cost_of_update(statement, name):
        """How much likelier a name is if the statement assigns to it: `total[:] = …` usually reads `total`."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        is_update = isinstance(target, ast.Subscript)
        target = target.value if is_update else target
        if getattr(target, "id", None) != name:
            return 0.0
        reads = any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(statement.value))
        return 1.5 if is_update and not reads else 0.5

    def _callees(self, node):
        source = self.source
        called = next((one for one in source.functions if one.name == node.id), None)
        for other in source.functions:
            if called not in (None, other) and other is not source.function_of(node) and \
                    len(other.args.args) == len(called.args.args) and not other.decorator_list:
                self._add(2.5, node, EDITED, (node, other.name))

    def _numbers(self, node):
        value = node.value
        if type(value) is bool:
            self._add(3.0, node, EDITED, (node, str(not value)))
        elif type(value) is float and value in (0.0, 1.0):
            self._add(3.0, node, EDITED, (node, str(1.0 - value)))
        elif type(value) is int:
            source = self.source
            for name, kind in source.in_scope(node).items():
                if kind != TENSOR:
                    cost = 4.0 - 2.5 * source.is_unread(source.function_of(node), name)
                    cost -= _FIT * source.fits(node, name) - _FIT_NOW * source.fits(node, str(value))
                    self._add(cost, node, EDITED, (node, name))
            for other in (value + 1, value - 1) + ((0, 1, 2) if abs(value) <= 4 else ()):
                self._add(3.0, node, EDITED, (node, str(other)))
            for other in (2 * value, value // 2) if abs(value) > 4 else ():
                self._add(4.5, node, EDITED, (node, str(other)))

    def _enclosed(self, node, text):
        """An expression in the place of a node."""
        is_part = isinstance(self.source.parents[node], (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Attribute))
        return "(%s)" % text if is_part and " " in text else text

    # ---- expressions

    def _attributes(self, node):
        if node.attr.startswith("DT_"):
            for other in ("DT_FP32", "DT_BF16", "DT_FP16", "DT_INT32"):
                self._add(2.5 + 0.5 * (other != "DT_FP32"), node, EDITED,
                          (node, self.source.text(node.value) + "." + other))

    def _calls(self, node):
        text, arguments = self.source.text, node.args
        is_symmetric = getattr(node.func, "attr", None) in _SYMMETRIC
        for at, first in enumerate(arguments[:0 if is_symmetric else _MOST_SWAPPED]):
            for second in arguments[at + 1:_MOST_SWAPPED]:
                if ANY not in (self.source.kind(first), self.source.kind(second)) and \
                        self.source.kind(first) != self.source.kind(second):
                    continue
                self._add(2.5, first, REORDERED, (first, text(second)), (second, text(first)), line=node.lineno)
        if _is_operation(node):
            for argument in arguments[:2]:
                if isinstance(argument, (ast.Name, ast.Call, ast.BinOp)):
                    self._add(3.5 - (node.func.attr == "cast"), node, EDITED,
                              (node, self._enclosed(node, text(argument))))
            self._exchange(node)
        self._drop_arguments(node)
        self._unread(node)

    def _drop_arguments(self, node):
        spans = [self.source.span(argument) for argument in node.args]
        for at, argument in enumerate(node.args) if len(spans) > 1 else ():
            with_comma = (spans[at - 1][1], spans[at][1]) if at else (spans[0][0], spans[1][0])
            self._add(3.5, argument, EDITED, (with_comma, ""))
        for keyword in node.keywords:
            begin, end = self.source.span(keyword.value)
            comma = self.source.data.rfind(b",", 0, begin)
            if keyword.arg and comma > self.source.span(node)[0]:
                self._add(3.5, keyword.value, EDITED, ((comma, end), ""))

    def _unread(self, node):
        """Another tensor that nothing reads, without the keywords: they may be meant for the present one, such as b_trans."""
        source, function = self.source, self.source.function_of(node)
        if not node.keywords or not node.args:
            return
        end = source.span(node.args[-1])[1], source.span(node)[1] - 1
        for argument in node.args[:2]:
            for name, kind in source.in_scope(node).items():
                if isinstance(argument, ast.Name) and kind != SCALAR and source.is_unread(function, name):
                    self._add(2.0, argument, EDITED, (argument, name), (end, ""))

    def _exchange(self, node):
        """f(g(x), y) for g(f(x, y)), and the other way round."""
        text = self.source.text
        for at, inner in enumerate(node.args[:2]):
            if not _is_operation(inner) or not inner.args:
                continue
            outside = [text(argument) for argument in node.args] + _keywords(self.source, node)
            for place, core in enumerate(inner.args[:2]):
                inside = [text(argument) for argument in inner.args] + _keywords(self.source, inner)
                new_inner = outside[:at] + [text(core)] + outside[at + 1:]
                inside[place] = "%s(%s)" % (text(node.func), ", ".join(new_inner))
                self._add(2.8, node, EDITED, (node, "%s(%s)" % (text(inner.func), ", ".join(inside))))

    def _operators(self, node):
        source, text = self.source, self.source.text
        place, sign = self._sign_at(node)
        for other in _OPERATORS:
            if sign in _OPERATORS + ("/", "%") and other != sign:
                self._add(3.5, node, EDITED, (place, other))
        for part in (node.left, node.right):
            self._add(3.5, node, EDITED, (node, self._enclosed(node, text(part))))
        for other in (" + 1", " - 1"):
            self._add(4.0, node, EDITED, (node, "(%s%s)" % (text(node), other)))
        if isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv)):
            self._add(2.5, node, REORDERED, (node.left, text(node.right)), (node.right, text(node.left)))
        self._rotate(node)

    def _rotate(self, node):
        """`a * f(b) * c` for `a * f(b * c)`."""
        for at, part in ((0, node.left), (1, node.right)):
            inner = part.args[0] if isinstance(part, ast.Call) and len(part.args) == 1 else None
            if not isinstance(inner, ast.BinOp):
                continue
            text, other = self.source.text, self.source.text(node.left if at else node.right)
            sign = self._sign(inner)
            for kept, moved in ((inner.left, inner.right), (inner.right, inner.left)):
                call = "%s(%s)" % (text(part.func), text(kept))
                first, second = (other, call) if at else (call, other)
                self._add(2.5, node, EDITED,
                          (node, "(%s%s%s%s%s)" % (first, self._sign(node), second, sign, self._enclosed_part(moved))))

    def _enclosed_part(self, node):
        return "(%s)" % self.source.text(node) if isinstance(node, ast.BinOp) else self.source.text(node)

    def _sign(self, node):
        return " %s " % self._sign_at(node)[1]

    def _sign_at(self, node):
        """((begin, end), text) of the operator of a BinOp or Compare. The text is empty if anything else, such as a comment,
        is between the operands."""
        first, second = (node.left, node.comparators[0]) if isinstance(node, ast.Compare) else (node.left, node.right)
        left, right = self.source.span(first)[1], self.source.span(second)[0]
        found = _SIGN.fullmatch(self.source.data[left:right])
        return ((left, right), "") if found is None else ((left + found.start(1), left + found.end(1)), found[1].decode())

    def _comparisons(self, node):
        if len(node.ops) != 1:
            return
        place, sign = self._sign_at(node)
        for other in _COMPARISONS if sign in _COMPARISONS else ():
            self._add(2.5, node, EDITED, (place, other))

    def _conditions(self, node):
        self._add(2.5, node.test, EDITED, (node.test, "not (%s)" % self.source.text(node.test)))

    def _lists(self, node):
        """Elements, and the names that the results of a call are bound to."""
        parent = self.source.parents[node]
        if not isinstance(node.ctx, ast.Load) and not (isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Call)):
            return
        for at, first in enumerate(node.elts[:_MOST_SWAPPED]):
            for second in node.elts[at + 1:_MOST_SWAPPED]:
                self._add(2.5, first, REORDERED, (first, self.source.text(second)), (second, self.source.text(first)))

    # ---- statements

    def _assignments(self, node):
        """`a[:] = e` that should combine `e` with the old value."""
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            for name in ("add", "maximum"):
                self._add(3.0, node, EDITED,
                          (node.value, "pypto.%s(%s, %s)" % (name, target.value.id, self.source.text(node.value))))

    def _blocks(self, node):
        for block in (node.body, getattr(node, "orelse", [])):
            for at, statement in enumerate(block):
                if isinstance(statement, (ast.Assign, ast.AugAssign, ast.If)) or _is_call(statement):
                    self._moves(node, block, at)

    def _moves(self, parent, block, at):
        source, statement = self.source, block[at]
        begin, end = source.lines_of(statement)
        moved = source.data[begin:end].rstrip(b"\n") + b"\n"
        for other in range(max(0, at - _FURTHEST), min(len(block), at + _FURTHEST + 1)):
            if other == at or other > at and isinstance(block[other], ast.Return):
                continue
            place = source.lines_of(block[other])[other > at]
            self._move(2.6 + 0.2 * abs(other - at), statement, moved, place)
        indent = statement.col_offset - parent.col_offset
        if isinstance(parent, ast.For):
            outside = b"".join(line[indent:] for line in moved.splitlines(True))
            for place in source.lines_of(parent):
                self._move(2.8, statement, outside, place)
        for other in block[at + 1:at + 3]:
            if isinstance(other, ast.For):
                step = other.body[0].col_offset - other.col_offset
                inside = b"".join(b" " * step + line for line in moved.splitlines(True))
                self._move(2.8, statement, inside, source.lines_of(other.body[0])[0])

    def _move(self, cost, statement, moved, place):
        begin, end = self.source.lines_of(statement)
        self._add(cost, statement, MOVED, ((begin, end), ""), ((place, place), moved.decode("utf-8", "replace")))


_FINDERS = ((ast.Name, TextEdits._names), (ast.Constant, TextEdits._numbers), (ast.Attribute, TextEdits._attributes),
            (ast.Call, TextEdits._calls), (ast.BinOp, TextEdits._operators), (ast.Compare, TextEdits._comparisons),
            (ast.If, TextEdits._conditions), ((ast.List, ast.Tuple), TextEdits._lists),
            (ast.Assign, TextEdits._assignments))


def _is_operation(node):
    """Is it a call such as pypto.add(…)?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
        isinstance(node.func.value, ast.Name) and node.func.attr not in ("loop", "view", "assemble")


def _is_call(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def _keywords(source, node):
    return [("%s=" % keyword.arg if keyword.arg else "**") + source.text(keyword.value) for keyword in node.keywords]
