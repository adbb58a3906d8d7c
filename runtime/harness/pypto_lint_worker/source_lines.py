"""Where a wrong number or window of a kernel comes from in its text: the simulator knows the line of an
operation, but not the lines that computed its arguments. The text is parsed, never run."""
import ast

from . import source_calls, source_definitions, source_scalars
from .source_calls import callee, name_in

_MOST_BYTES = 4 << 20
_OPERATORS = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "pow": ast.Pow,
              "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE, "eq": ast.Eq, "ne": ast.NotEq}


class SourceText(source_definitions.Definitions, source_scalars.Scalars):
    """One file."""

    def __init__(self, path):
        self._functions, self._calls, self._uses, self._globals = [], {}, {}, {}
        self._sums, self._names, self._slices, self._assignments = {}, set(), {}, {}
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read(_MOST_BYTES))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                self._functions.append(node)
            elif isinstance(node, ast.Call):
                self._calls.setdefault(node.lineno, []).append(node)
            elif isinstance(node, ast.BinOp):
                self._sums.setdefault(node.lineno, []).append((node.op, node.left, node.right))
            elif isinstance(node, ast.Compare) and len(node.ops) == 1:
                self._sums.setdefault(node.lineno, []).append((node.ops[0], node.left, node.comparators[0]))
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._uses[node.id] = self._uses.get(node.id, 0) + 1
        self._names = {node.name for node in self._functions}
        self._slices = source_definitions.slices_of(tree)
        for node in tree.body:
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Name):
                    self._globals[target.id] = node

    def _function_at(self, line):
        """The innermost function around a line."""
        around = [node for node in self._functions
                  if node.lineno <= line <= getattr(node, "end_lineno", line)]
        return max(around, key=lambda node: node.lineno, default=None)

    def in_one_function(self, line, other):
        """Do two lines belong to the same function?"""
        return self._function_at(line) is self._function_at(other)

    def _call(self, line, name):
        """The first call of a function of that name in a line."""
        for node in self._calls.get(line, []):
            if callee(node) == name:
                return node
        return None

    def _argument(self, line, name, position, ordinal=0):
        """An operand of an operation in a line: of the call, else of the only such expression. `ordinal`: which of
        several calls, in the order in which they run."""
        calls = sorted((node for node in self._calls.get(line, []) if callee(node) == name),
                       key=lambda node: (node.end_lineno, node.end_col_offset))
        call = calls[ordinal] if ordinal < len(calls) else self._call(line, name)
        if call is not None:
            position += name == "full"  # whose shape comes first
            return call.args[position] if position < len(call.args) else None
        found = [node for node in self.operands_at(line, name, position)
                 if not any(isinstance(part, ast.Call) for part in ast.walk(node))]
        numbers = [node for node in found if not isinstance(node, ast.Name) or
                   node.id in self._globals]
        found = numbers or found
        return found[0] if len(found) == 1 else None

    def operands_at(self, line, name, position):
        """The expressions at a position of the operators in a line that stand for an operation, such as `*` for `mul`."""
        return [operands[position] for sign, *operands in self._sums.get(line, [])
                if isinstance(sign, _OPERATORS.get(name, ())) and position < 2]

    def loop_names(self, line, callers, count):
        """The names of the indices of the loops around a line, outermost first; none where the text does not
        show all `count` of them."""
        found = [_index_name(node.target) for node in self._loops_around(line, callers)]
        return found if len(found) == count and all(found) else []

    def _loops_around(self, line, callers):
        """The `pypto.loop`s around a line, outermost first."""
        return [node for node, _ in self.loops_around(line, callers)]

    def _for_statements(self, line):
        """The `for` statements of a function that a line is in, outermost first."""
        function = self._function_at(line)
        found = [] if function is None else [
            node for node in ast.walk(function) if isinstance(node, ast.For) and
            node.lineno <= line <= getattr(node, "end_lineno", line)]
        return sorted(found, key=lambda node: node.lineno)

    def assigned_name(self, line):
        """The name to which a statement in a line assigns, as in `a = …` or `a[:] = …`, or None."""
        for function in self._functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and len(node.targets) == 1 and \
                        node.lineno <= line <= getattr(node, "end_lineno", line):
                    target = node.targets[0]
                    return getattr(target.value if isinstance(target, ast.Subscript) else target, "id", None)
        return None

    def return_line(self, name):
        """The line of the only return statement of a function."""
        found = [node.lineno for function in self._functions if function.name == name
                 for node in ast.walk(function) if isinstance(node, ast.Return)]
        return found[0] if len(found) == 1 else None

    def returns_in_order(self, name):
        """Does a function return its tensors in the order in which the call of another function of the
        file has them? None where the text does not tell."""
        for function in self._functions:
            if function.name != name:
                continue
            ends = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
            if len(ends) != 1 or not isinstance(ends[0].value, (ast.Tuple, ast.List)):
                return None
            returned = [name_in(one) for one in ends[0].value.elts]
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and callee(node) in self._names:
                    given = [name_in(argument) for argument in node.args]
                    if all(one in given for one in returned):
                        places = [given.index(one) for one in returned]
                        return places == sorted(places)
        return None

    def idle_lines(self):
        """Lines of statements like `a[:] = a`."""
        found = []
        for function in self._functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                    target = node.targets[0]
                    target = target.value if isinstance(target, ast.Subscript) else target
                    if getattr(target, "id", None) == node.value.id:
                        found.append(node.lineno)
        return found

    def alias_line(self, line):
        """The line of a statement `a = b` whose `b` an assignment in `line` made; such a statement does
        nothing, so the missing step was meant to be there. None if there is not exactly one."""
        function = self._function_at(line)
        if function is None:
            return None
        made = {name for node in ast.walk(function) if isinstance(node, ast.Assign) and
                node.lineno <= line <= getattr(node, "end_lineno", line)
                for name in map(name_in, node.targets) if name}
        found = [node.lineno for node in ast.walk(function) if isinstance(node, ast.Assign) and
                 isinstance(node.value, ast.Name) and node.value.id in made and
                 isinstance(node.targets[0], ast.Name) and node.lineno > line]
        return found[0] if len(found) == 1 else None

    def alias_read(self, line):
        """The line of the only statement `a = b` whose `a` a call in a line reads, or None."""
        function, found = self._function_at(line), set()
        for argument in (one for call in self._calls.get(line, []) for one in call.args):
            if function is not None and isinstance(argument, ast.Name):
                made, _ = self._defined(argument.id, line)
                if made is not None and isinstance(made.value, ast.Name) and isinstance(made.targets[0], ast.Name):
                    found.add(made.lineno)
        return found.pop() if len(found) == 1 else None

    def adjacent(self, line):
        """Lines of the statements before and after the one in a line: the one before if only this statement reads its
        result, the one after if it alone reads this one's."""
        function, body = self._function_at(line), self._block(line)
        at = next((at for at, one in enumerate(body) if _covers(one, line)), 0)
        found = []
        for first, second in zip(body[max(at - 1, 0):at + 1], body[max(at, 1):at + 2]):
            name = _only_name(first)
            reads = [node.lineno for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name and
                     isinstance(node.ctx, ast.Load)]
            if len(reads) == 1 and not hasattr(second, "body") and _covers(second, reads[0]):
                found.append(first.lineno if second is body[at] else reads[0])
        return found

    def _block(self, line):
        """The statements of the block that a simple statement in a line belongs to."""
        function = self._function_at(line)
        for node in ast.walk(function) if function is not None else ():
            body = getattr(node, "body", None)
            if isinstance(body, list) and any(_covers(one, line) and not hasattr(one, "body") for one in body):
                return body
        return []

    def bound_line(self, line, callers):
        """The line that determines how often the innermost loop around an operation runs: the definition of its bound, else
        the loop itself."""
        for at in [line] + list(callers):
            loops = [node for node in self._for_statements(at) if isinstance(node.iter, ast.Call)]
            if not loops:
                continue
            names = self._names_of(at)
            used = [node for node in loops if isinstance(node.target, ast.Name) and
                    node.target.id in names]
            return self._bound_of((used or loops)[-1])
        return None

    def _bound_of(self, loop):
        """The line that defines a loop's bound in the same function, else the line of the loop."""
        bound = loop.iter.args[:2][-1] if loop.iter.args else None
        if isinstance(bound, ast.Name):
            found, _ = self._defined(bound.id, loop.lineno)
            if found is not None and found is not self._globals.get(bound.id):
                return found.lineno
        return loop.lineno

    def bound_line_of(self, line, callers, depth, count):
        """The line that bounds the loop at `depth` of the `count` `pypto.loop`s around a line; None if the text does not
        show all of them."""
        loops = self._loops_around(line, callers)
        return self._bound_of(loops[depth]) if len(loops) == count else None

    def range_line(self, line):
        """The line that bounds the innermost plain Python loop around a line, such as `for i in range(n)`, or None."""
        loops = [node for node in self._for_statements(line) if node.lineno < line and
                 isinstance(node.iter, ast.Call) and not source_calls.is_loop(node.iter)]
        return self._bound_of(loops[-1]) if loops else None

    def _names_of(self, line):
        """The names that the calls in a line depend on, through assignments in its function."""
        waiting = [part.id for call in self._calls.get(line, []) for part in ast.walk(call)
                   if isinstance(part, ast.Name)]
        found = set()
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            made, _ = self._defined(name, line)
            if isinstance(made, ast.Assign) and isinstance(made.value, (ast.BinOp, ast.Name)):
                waiting += [part.id for part in ast.walk(made.value)
                            if isinstance(part, ast.Name)]
        return found

    def permuted_calls(self):
        """Lines of arguments that have the name of another parameter, whose own argument also has another name. If the
        parameters of the called function are out of order instead, the line of the parameter."""
        found, functions = [], {node.name: node for node in self._functions}
        for nodes in self._calls.values():
            for node in nodes:
                called = functions.get(callee(node))
                if called is None:
                    continue
                names = [argument.arg for argument in called.args.args]
                given = [name_in(argument) for argument in node.args][:len(names)]
                wrong = [at for at, name in enumerate(given) if name in names and name != names[at]] or \
                    _abbreviated(given, names)
                found += [self._odd_line(node, called.args.args, given, at) for at in wrong[:1]]
        return found

    def _odd_line(self, call, parameters, given, at):
        """The line of the argument or of the parameter, whichever is out of order."""
        around, other = self._function_at(call.lineno), parameters[at].arg
        order = [] if around is None else [one.arg for one in around.args.args]
        if not {given[at], other} <= set(order) or other not in given:
            return call.args[at].lineno
        is_as_called = (order.index(given[at]) < order.index(other)) == (at < given.index(other))
        return (parameters[at] if is_as_called else call.args[at]).lineno

    def permuted_results(self):
        """Lines that bind a result of a function of the file to a name that its return statement has in another
        position."""
        found, functions = [], {node.name: node for node in self._functions}
        for function in self._functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and \
                        isinstance(node.targets[0], ast.Tuple) and callee(node.value) in functions:
                    bound = [name_in(one) for one in node.targets[0].elts]
                    returned = self._returned(functions[callee(node.value)])
                    if len(bound) == len(returned) and any(
                            name in returned and returned.index(name) != at for at, name in enumerate(bound)):
                        found.append(node.lineno)
        return found

    @staticmethod
    def _returned(function):
        """The names in the only return statement, None for other expressions."""
        ends = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
        if len(ends) != 1 or not isinstance(ends[0], ast.Tuple):
            return []
        return source_calls.names_of(ends[0].elts)


def _abbreviated(given, names):
    """The places of two arguments whose names begin with each other's parameters, as `keys, queries` do for `q, k`."""
    def fits(at, other):
        return bool(given[at]) and given[at].startswith(names[other])
    return [at for at in range(len(given)) for other in range(len(given))
            if fits(at, other) and fits(other, at) and not fits(at, at) and not fits(other, other)]


def _index_name(target):
    """The index of `for i in …` and of `for i, size in …`."""
    return name_in(target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target)


def _covers(statement, line):
    return statement.lineno <= line <= statement.end_lineno


def _only_name(statement):
    """The name of `a = …`, or None."""
    is_one = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    return statement.targets[0].id if is_one and isinstance(statement.targets[0], ast.Name) else None
