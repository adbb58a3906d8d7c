"""Which statements compute a scalar that an operation gets, as an offset or an extent of a window."""
import ast

_MOST_STATEMENTS = 64


class Scalars:
    """Part of source_lines.SourceText, whose fields it reads."""

    def is_moved_by_loop(self, line, callers, axis):
        """Does the index of the innermost `pypto.loop` around a view say where its window begins along an axis?"""
        inner = self._loops_around(line, callers)[-1:]
        loops = {} if not inner else {inner[0].target.id: inner[0]} if isinstance(inner[0].target, ast.Name) else {}
        return any(name in loops and loops[name].lineno <= at <= loops[name].end_lineno
                   for name, at in self._names_behind(line, callers, axis))

    def alias_read(self, line):
        """The line of the only statement `a = b` whose `a` a call in a line reads, or None."""
        function, found = self._function_at(line), set()
        for argument in (one for call in self._calls.get(line, []) for one in call.args):
            if function is not None and isinstance(argument, ast.Name):
                made, _ = self._defined(function, argument.id, line)
                if made is not None and isinstance(made.value, ast.Name) and isinstance(made.targets[0], ast.Name):
                    found.add(made.lineno)
        return found.pop() if len(found) == 1 else None

    def adjacent(self, line):
        """Lines of the statements next to that of a line which it shares a name with that nothing else reads."""
        function, found = self._function_at(line), []
        body = next((node.body for node in ast.walk(function) if isinstance(getattr(node, "body", None), list) and any(
            one.lineno <= line <= one.end_lineno and not hasattr(one, "body") for one in node.body)), []) if function else []
        at = next((at for at, one in enumerate(body) if one.lineno <= line <= one.end_lineno), 0)
        for first, second in zip(body[max(at - 1, 0):at + 1], body[max(at, 1):at + 2]):
            name = _only_name(first)
            reads = [node.lineno for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name and
                     isinstance(node.ctx, ast.Load)]
            if len(reads) == 1 and not hasattr(second, "body") and second.lineno <= reads[0] <= second.end_lineno:
                found.append(first.lineno if second is body[at] else reads[0])
        return found

    def has_valid_extent(self, line, axis):
        """Does a view compute its valid extent along an axis?"""
        entry = self._entry(line, "view", ("valid_shape", 3), axis)
        return entry is not None and not isinstance(entry, ast.Constant) and \
            not (isinstance(entry, ast.Name) and entry.id in self._globals)

    def end_line(self, line, axis, callers, is_begin):
        """The line that computes where a view's window begins along an axis, or how long it is; for a length `end - begin`
        the line that computes its end. None where the text does not tell."""
        begin = self._entry(line, "view", ("offsets", 2), axis)
        entry = begin if is_begin else self._entry(line, "view", ("valid_shape", 3), axis)
        at, around = line, list(callers)
        for _ in range(_MOST_STATEMENTS if entry is not None else 0):
            is_length = isinstance(entry, ast.BinOp) and isinstance(entry.op, ast.Sub) and _is_name(entry.left) and \
                _is_name(entry.right) and _is_name(begin) and entry.right.id == begin.id
            entry = entry.left if is_length else entry
            if not isinstance(entry, ast.Name):
                return at if entry is None or at != line else entry.lineno
            found = self._value_of(entry.id, at, around)
            if not found:
                return None if at == line else at
            [(entry, at, around)] = found
        return None

    def definitions_behind(self, line, callers, axis):
        """The lines of assignments in functions that say where a view's window begins along an axis."""
        found = set()
        for name, at in self._names_behind(line, callers, axis):
            made, _ = self._defined(self._function_at(at), name, at)
            if made is not None and made is not self._globals.get(name) and _is_name(made.targets[0]):
                found.add(made.lineno)
        return found

    def _names_behind(self, line, callers, axis):
        """[(name, line)] of all names that an entry of a view's offsets is computed from, through assignments and the
        parameters of helpers."""
        entry = self._entry(line, "view", ("offsets", 2), axis)
        listed = self._value_of(entry.id, line, []) if _is_name(entry) else []
        if listed and isinstance(listed[0][0], (ast.List, ast.Tuple)) and axis < len(listed[0][0].elts):
            entry, line = listed[0][0].elts[axis], listed[0][1]
        found, waiting = [], [(entry, line, list(callers))]
        while waiting and len(found) < _MOST_STATEMENTS:
            node, at, around = waiting.pop()
            for part in ast.walk(node) if node is not None else ():
                if isinstance(part, ast.Name) and (part.id, at) not in found:
                    found.append((part.id, at))
                    waiting += self._value_of(part.id, at, around)
        return found

    def _value_of(self, name, line, callers):
        """[(expression, its line, callers there)] that a name stands for; none where it is no plain assignment."""
        function = self._function_at(line)
        made, index = self._defined(function, name, line)
        if made is not None:
            is_plain = made is not self._globals.get(name) and isinstance(made.targets[0], ast.Name)
            return [(made.value, made.lineno, callers)] if is_plain else []
        if index is None or not callers:
            return []
        outer = self._call(callers[0], function.name)
        given = outer.args[index] if outer is not None and index < len(outer.args) else None
        return [(given, callers[0], callers[1:])]


def _is_name(node):
    return isinstance(node, ast.Name)


def _only_name(statement):
    """The name of `a = …`, or None."""
    is_one = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    return statement.targets[0].id if is_one and isinstance(statement.targets[0], ast.Name) else None
