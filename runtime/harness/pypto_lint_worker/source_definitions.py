"""Which expression gives a name its value, for scalar_values.py: assignments, also of several names at once, indices of
loops, and arguments of calls."""
import ast

from . import source_calls


class Definitions:
    """Part of source_lines.SourceText, whose fields it reads."""

    def loop_of(self, name, line, callers):
        """The depth of the `pypto.loop` around a line whose index is called `name`, or None."""
        here = [node for node in self._for_statements(line) if node.lineno < line]
        loops = self._loops_around(line, callers)
        found = [depth for depth, node in enumerate(loops) if node in here and
                 isinstance(node.target, ast.Name) and node.target.id == name]
        return found[-1] if found else None

    def loops_around(self, line, callers):
        """[(`pypto.loop`, lines of the calls around it)] around a line, outermost first."""
        found = []
        for depth, at in enumerate([line, *callers]):
            here = [node for node in self._for_statements(at) if node.lineno < at and source_calls.is_loop(node.iter)]
            found = [(node, tuple(callers[depth:])) for node in here] + found
        return found

    def scalar_definition(self, name, line):
        """(expression, its line) of the last assignment to a name before a line of a function, or of the module's constant;
        (None, None) for other names."""
        function = self._function_at(line)
        if function is not None:
            found = [(value, made.lineno) for target, value, made in self._assigned(function)
                     if target == name and self._reaches(made.lineno, line)]
            if found:
                return max(found, key=lambda one: one[1])
            if any(argument.arg == name for argument in function.args.args):
                return None, None
        made = self._globals.get(name)
        return (None, None) if made is None else (made.value, made.lineno)

    def _assigned(self, function):
        """[(name, expression, assignment)] in a function; `a, b = 1, 2` assigns two names."""
        if function not in self._assignments:
            found = []
            for node in ast.walk(function):
                for target in node.targets if isinstance(node, ast.Assign) else ():
                    pairs = [(target, node.value)]
                    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                        pairs = zip(target.elts, node.value.elts)
                    found += [(one.id, value, node) for one, value in pairs if isinstance(one, ast.Name)]
            self._assignments[function] = found
        return self._assignments[function]

    def scalar_names(self, line):
        """The names that a line of a function may use for a scalar: assigned before it, indices of loops, parameters."""
        function = self._function_at(line)
        if function is None:
            return []
        names = [name for name, _, made in self._assigned(function) if self._reaches(made.lineno, line)]
        names += [node.target.id for node in self._for_statements(line) if node.lineno < line and
                  isinstance(node.target, ast.Name)]
        return list(dict.fromkeys(names + [argument.arg for argument in function.args.args]))

    def _reaches(self, at, line):
        """Does line `at` come before another line that is also in its innermost loop?"""
        loops = self._for_statements(at)
        return at < line and (not loops or loops[-1].end_lineno >= line)

    def is_in_function(self, line):
        return self._function_at(line) is not None

    def function_name(self, line):
        """The name of the function around a line, or None."""
        function = self._function_at(line)
        return None if function is None else function.name

    def constants(self, line):
        """The names of the constants of the module that a line may use."""
        return [name for name, made in self._globals.items() if self.is_in_function(line) or made.lineno < line]

    def window_entries(self, line, ordinal, axis):
        """(begin, end, valid extent) of a window along an axis as expressions, None where the text has none: of a call of
        `view`, or of the slice `x[:, a:b]` that runs as number `ordinal` in the line."""
        if self._call(line, "view") is not None:
            return self._offset(line, axis)[0], None, self._entry(line, "view", ("valid_shape", 3), axis)
        slices = self._slices.get(line, [])
        parts = _parts(slices[ordinal]) if ordinal < len(slices) else []
        part = parts[axis] if axis < len(parts) else None
        return (part.lower, part.upper, None) if isinstance(part, ast.Slice) else (None, None, None)

    def diagonal(self, line, name):
        """The expression of the diagonal of `tril` or `triu` in a line, or None."""
        call = self._call(line, name)
        return None if call is None else source_calls.argument_of(call, "diagonal", 1)

    def valid_extent(self, line, name, axis):
        """The valid extent along an axis that a call has as `valid_shape`, or None."""
        return self._entry(line, name, ("valid_shape", None), axis)


def index_in(node):
    """The expression between the brackets of `x[…]`."""
    return node.slice.value if type(node.slice).__name__ == "Index" else node.slice  # Python 3.8 wraps it


def _parts(node):
    index = index_in(node)
    return list(getattr(index, "elts", getattr(index, "dims", [index])))


def slices_of(tree):
    """{line: [x[:, a:b] that the kernel reads]} in the order in which they run."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and \
                any(isinstance(part, ast.Slice) for part in _parts(node)):
            found.setdefault(node.lineno, []).append(node)
    for nodes in found.values():
        nodes.sort(key=lambda node: (node.end_lineno, node.end_col_offset))
    return found
