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

    def _names_behind(self, line, callers, axis):
        """[(name, line)] of all names that an entry of a view's offsets is computed from, through assignments and the
        parameters of helpers."""
        found, waiting = [], [(self._entry(line, "view", ("offsets", 2), axis), line, list(callers))]
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
