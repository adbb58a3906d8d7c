"""The line of an argument in a call: a call may take several lines, and the simulator only knows the first one."""
import ast


_MAKERS = ("empty", "zeros", "ones", "full")  # allocate memory for a kernel, also as empty_like or new_empty


class Calls:
    """Part of source_lines.SourceText, whose fields it reads."""

    def argument_line(self, operation, callers):
        """The line, in the call of line `callers[-1]`, of the argument that becomes an operand. `operation`: (line, name,
        position, ordinal) of the operand; `callers`: the calls around it, nearest first. None if the text does not show it."""
        node, line = self._argument(*operation), operation[0]
        for call in callers:
            if not isinstance(node, ast.Name):
                return None
            node, line = self.passed(node.id, line, call), call
        return None if node is None else node.lineno

    def condition_line(self, line, callers):
        """The line of the innermost `if` between an operation and the `pypto.loop` around it, or None."""
        for at in [line] + list(callers):
            loop = max((node.lineno for node in self._loops_around(at, ())), default=0)
            found = [node.test.lineno for node in self._conditions_around(at) if node.lineno > loop]
            if found or loop:
                return max(found, default=None)
        return None

    def _conditions_around(self, line):
        """The `if` statements that have a line in one of their branches."""
        function = self._function_at(line)
        return [] if function is None else [
            node for node in ast.walk(function) if isinstance(node, ast.If) and
            any(one.lineno <= line <= one.end_lineno for one in node.body + node.orelse)]

    def launch_argument(self, index, name):
        """The line of the argument for a parameter of a kernel in the only call that passes it, or of the statement that
        computes it for this call alone. None if there is not exactly one such call."""
        kernels = {function.name for function in self._functions if function.decorator_list and
                   [one.arg for one in function.args.args][index:index + 1] == [name]}
        calls = [node for nodes in self._calls.values() for node in nodes if isinstance(node.func, ast.Name) and
                 node.func.id in kernels]
        if len(calls) != 1:
            return None
        given = argument_of(calls[0], name, index)
        return None if given is None else self._computed(given, calls[0].lineno)

    def _computed(self, given, line):
        """The line of an argument, or of the definition of the name in it if nothing else uses that."""
        name = name_in(given)
        made = None if name is None else self._defined(name, line)[0]
        is_used_once = made is not None and self._is_local(made) and self._is_used_once(made, name, line)
        return made.lineno if is_used_once else given.lineno

    def repeated_line(self, wrapper):
        """The line in which a wrapper passes or returns one of its own tensors twice and leaves out another one that it made
        for the same purpose, or None."""
        for function in (one for one in self._functions if one.name == wrapper):
            nodes = list(ast.walk(function))
            made = {target.id for node in nodes if isinstance(node, ast.Assign) and _makes_memory(node.value)
                    for target in node.targets if isinstance(target, ast.Name)}
            calls = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", None) in self._names]
            passed = {name for call in calls for name in names_of(call.args)}
            lines = [_repeated(call.args, made, made - passed, self._parameters_of(call)) for call in calls]
            lines += [_repeated(node.value.elts, made, made & passed, ()) for node in nodes
                      if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple)]
            return next((line for line in lines if line is not None), None)
        return None

    def returned_line(self, wrapper, name):
        """The line in which a wrapper returns one of its parameters, or None."""
        return next((part.lineno for function in self._functions if function.name == wrapper
                     for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None
                     for part in ast.walk(node.value) if isinstance(part, ast.Name) and part.id == name), None)

    def _parameters_of(self, call):
        found = [one for one in self._functions if one.name == call.func.id]
        return [one.arg for one in found[0].args.args]

    def unread_parameters(self):
        """[(function, name)]: parameters that an undecorated function never reads."""
        found = []
        for function in self._functions:
            read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            found += [(function, one.arg) for one in function.args.args
                      if not function.decorator_list and one.arg not in read and not one.arg.startswith("_")]
        return found


def _makes_memory(node):
    return isinstance(node, ast.Call) and any(word in (getattr(node.func, "attr", None) or "") for word in _MAKERS)


def names_of(nodes):
    """The names in a list of expressions, None for other expressions."""
    return [node.id if isinstance(node, ast.Name) else None for node in nodes]


def name_in(argument):
    """The name in an argument such as `x` or `x.contiguous()`, or None."""
    while isinstance(argument, (ast.Call, ast.Attribute)):
        argument = argument.func if isinstance(argument, ast.Call) else argument.value
    return getattr(argument, "id", None)


def callee(call):
    """The name of the function or method that is called."""
    return getattr(call.func, "attr", None) or getattr(call.func, "id", None)


def is_loop(node):
    """pypto.loop(…) or a variant of it, which the simulator runs as a loop."""
    return isinstance(node, ast.Call) and (callee(node) or "").startswith("loop")


def argument_of(call, name, position):
    """The argument of a call for a parameter, by keyword or by position (None = by keyword only), or None."""
    named = next((word.value for word in call.keywords if word.arg == name), None)
    return call.args[position] if named is None and position is not None and position < len(call.args) else named


def _repeated(nodes, made, missing, parameters):
    """The line of a repeated name: the one passed for a parameter that has a missing name, else the last one."""
    given = names_of(nodes)
    again = [at for at, name in enumerate(given) if name in made and given.count(name) > 1]
    missing = missing - set(given)
    if not again or not missing:
        return None
    return nodes[next((at for at in again if at < len(parameters) and parameters[at] in missing), again[-1])].lineno
