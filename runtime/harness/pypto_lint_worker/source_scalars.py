"""Which statements compute a scalar that an operation gets, such as an offset or an extent of a window: names are followed
to their definitions, and parameters of helpers to the arguments of the calls."""
import ast

from . import source_calls

_MOST_CALLS = 8  # of helpers that pass a parameter on
_MOST_STATEMENTS = 64
_OFFSETS, _EXTENTS = ("offsets", 2), ("valid_shape", 3)  # of a view


class Scalars(source_calls.Calls):
    """Part of source_lines.SourceText, whose fields it reads."""

    # ---- from a name to its value

    def _defined(self, name, line):
        """(assignment, None) for a name that has a definition, (None, index) for a parameter."""
        function = self._function_at(line)
        if function is None:
            return self._globals.get(name), None
        made = [node for target, value, node in self._assigned(function) if target == name and value is node.value]
        if made:
            before = [node for node in made if node.lineno <= line]
            return (max(before, key=lambda node: node.lineno) if before else None), None
        names = [argument.arg for argument in function.args.args]
        if name in names:
            return None, names.index(name)
        return self._globals.get(name), None

    def passed(self, name, line, call):
        """The argument in line `call` for the parameter `name` of the function around `line`, or None."""
        function = self._function_at(line)
        made, index = self._defined(name, line)
        outer = self._call(call, function.name) if made is None and index is not None else None
        if outer is None:
            return None
        return source_calls.argument_of(outer, name, index)

    def _origin(self, node, line, callers):
        """(expression, line, assignment): where an expression comes from if parameters of helpers pass it on. If it is a name that
        is defined there, also its assignment. The expression is None if the text does not show it."""
        for call in [*callers[:_MOST_CALLS], None]:
            made = self._defined(node.id, line)[0] if _is_name(node) else None
            if made is not None or not _is_name(node):
                return node, line, made
            node, line = None if call is None else self.passed(node.id, line, call), call
        return None, line, None

    def _value_of(self, name, line, callers):
        """(expression, its line, callers there) of the value that a name is assigned or a parameter is passed; None for other
        names."""
        made, index = self._defined(name, line)
        if made is not None:
            return (made.value, made.lineno, callers) if self._is_local(made) else None
        return (self.passed(name, line, callers[0]), callers[0], callers[1:]) if index is not None and callers else None

    def _is_local(self, made):
        """Does an assignment of a function define a single name?"""
        return _is_name(made.targets[0]) and made is not self._globals.get(made.targets[0].id)

    # ---- numbers

    def number_line(self, line, name, position, callers, ordinal=0):
        """The line to change for another number of an operation: that of the number, or that of its definition if nothing else
        uses the definition. None if the text does not show it."""
        node, at, made = self._origin(self._argument(line, name, position, ordinal), line, callers)
        if made is None:
            return None if node is None else node.lineno
        return made.lineno if self._is_used_once(made, node.id, at) else at

    def definition_line(self, line, name, position, callers, ordinal=0):
        """The line of the assignment that an operation's number comes from, or None."""
        *_, made = self._origin(self._argument(line, name, position, ordinal), line, callers)
        return None if made is None else made.lineno

    def number_node(self, line, name, position, ordinal):
        """The expression of an operation's number if it is more than a constant, or None."""
        node = self._argument(line, name, position, ordinal)
        return None if isinstance(node, ast.Constant) else node

    def is_named(self, line, name, position, ordinal=0):
        """Does an operation get its number by a name? Then the name's definition may be wrong instead."""
        return _is_name(self._argument(line, name, position, ordinal))

    def _is_used_once(self, made, name, line):
        if made is self._globals.get(name):
            return self._uses.get(name, 0) == 1
        return 1 == sum(_is_name(node) and node.id == name and isinstance(node.ctx, ast.Load)
                        for node in ast.walk(self._function_at(line)))

    # ---- entries of lists of offsets or extents

    def _entry(self, line, name, argument, axis):
        """An entry of a list that is an operation's keyword argument[0], or its operand argument[1]."""
        call = self._call(line, name)
        if call is None:
            return None
        given = source_calls.argument_of(call, *argument)
        return given.elts[axis] if _is_list(given, axis) else given

    def _offset(self, line, axis):
        """(entry, its line) of a view's list of offsets, from the list's definition if the list has a name."""
        entry = self._entry(line, "view", _OFFSETS, axis)
        made = self._defined(entry.id, line)[0] if _is_name(entry) else None
        if made is None or not _is_name(made.targets[0]) or not _is_list(made.value, axis):
            return entry, line
        return made.value.elts[axis], made.lineno

    def entry_line(self, line, name, argument, axis, callers):
        """The line that computes an entry, or None."""
        node, _, made = self._origin(self._entry(line, name, argument, axis), line, callers)
        found = made or node
        return None if found is None else found.lineno

    def window_line(self, line, axis):
        """The line in which a view's list of offsets has the entry for an axis."""
        entry, _ = self._offset(line, axis)
        return None if entry is None else entry.lineno

    def passed_line(self, line, axis, call):
        """The line of the argument in line `call` that determines where a view's window begins in the function called there;
        None if the offset is not a parameter."""
        entry = self._entry(line, "view", _OFFSETS, axis)
        given = self.passed(entry.id, line, call) if _is_name(entry) else None
        return None if given is None else given.lineno

    def has_valid_extent(self, line, axis):
        """Does a view compute its valid extent along an axis?"""
        entry = self._entry(line, "view", _EXTENTS, axis)
        return entry is not None and not isinstance(entry, ast.Constant) and \
            not (_is_name(entry) and entry.id in self._globals)

    def end_line(self, line, axis, callers, is_begin):
        """The line that computes where a view's window begins along an axis, or how long it is; for a length `end - begin`
        the line that computes `end`. None if the text does not show it."""
        begin = self._entry(line, "view", _OFFSETS, axis)
        entry = begin if is_begin else self._entry(line, "view", _EXTENTS, axis)
        at, around = line, callers
        for _ in range(_MOST_STATEMENTS if entry is not None else 0):
            entry = entry.left if _is_length_from(entry, begin) else entry
            if not _is_name(entry):
                return at if entry is None or at != line else entry.lineno
            found = self._value_of(entry.id, at, around)
            if found is None:
                return None if at == line else at
            entry, at, around = found
        return None

    # ---- all names that an offset depends on

    def is_moved_by_loop(self, line, callers, axis, is_write=False):
        """Does the index of the innermost `pypto.loop` around a view or a write place its window along an axis?"""
        start = (self._entry(line, "assemble", ("offsets", 1), axis), line) if is_write else self._offset(line, axis)
        for loop in self._loops_around(line, callers)[-1:]:
            return _is_name(loop.target) and any(
                name == loop.target.id and loop.lineno <= at <= loop.end_lineno
                for name, at in self._names_behind(*start, callers))
        return False

    def definitions_behind(self, line, callers, axis):
        """The lines of assignments in functions that determine where a view's window begins along an axis."""
        made = (self._defined(name, at)[0] for name, at in self._names_behind(*self._offset(line, axis), callers))
        return {one.lineno for one in made if one is not None and self._is_local(one)}

    def _names_behind(self, node, line, callers):
        """[(name, line)] of all names that an expression is computed from."""
        found, waiting = [], [(node, line, callers)]
        while waiting and len(found) < _MOST_STATEMENTS:
            node, at, around = waiting.pop()
            for part in ast.walk(node) if node is not None else ():
                if _is_name(part) and (part.id, at) not in found:
                    found.append((part.id, at))
                    value = self._value_of(part.id, at, around)
                    waiting += [] if value is None else [value]
        return found


def _is_name(node):
    return isinstance(node, ast.Name)


def _is_list(node, axis):
    """Is an expression a list or tuple that has an element for an axis?"""
    return isinstance(node, (ast.List, ast.Tuple)) and axis < len(node.elts)


def _is_length_from(node, begin):
    """Is an expression `end - begin`?"""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_name(node.left) and \
        _is_name(node.right) and _is_name(begin) and node.right.id == begin.id
