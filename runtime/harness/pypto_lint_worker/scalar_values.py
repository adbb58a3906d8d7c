"""The values of scalar expressions of a kernel's text, such as offsets, extents and bounds of loops, in one iteration: from the
indices of the loops, the shapes of the parameters, elements of integer inputs and constants. Only integers are computed, with a
few operations."""
import ast
import math

from . import source_calls, source_definitions

_MOST_STEPS = 200  # names and operations of one expression
_LARGEST = 1 << 40
_OPERATIONS = {
    ast.Add: lambda one, other: one + other, ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other, ast.FloorDiv: lambda one, other: one // other,
    ast.Mod: lambda one, other: one % other,
}
_CHOICES = {"min": min, "max": max}


class NoValue(Exception):
    """The text does not show the value."""


class Place:
    """An iteration: the line of an operation there, the lines of the calls around it, and the indices of its loops."""

    __slots__ = ("line", "callers", "loops", "launch")

    def __init__(self, line, callers, loops, launch):
        self.line, self.callers, self.loops, self.launch = line, tuple(callers), tuple(loops), launch

    @classmethod
    def of(cls, record, index):
        """The place of a record. `index`: a changes.Index."""
        return cls(record.line, index.helpers(record), record.loops, record.launch)

    def of_call(self):
        """The place of the call of the function around this one."""
        if not self.callers:
            raise NoValue
        return Place(self.callers[0], self.callers[1:], self.loops, self.launch)

    def at(self, line):
        """Another line of the same function."""
        return Place(line, self.callers, self.loops, self.launch)


class ScalarValues:
    """`parameters`: the parameter records of all launches; `text`: a source_lines.SourceText."""

    _types, _operations = (int,), _OPERATIONS

    def __init__(self, text, parameters):
        self._text = text
        self._shapes = {(record.launch, record.name): record.shape for record in parameters}
        self._integers = {(record.launch, record.name): record.value for record in parameters if record.value is not None and
                          not record.value.is_floating_point()}
        self._edited, self._edit, self._steps = None, None, 0
        self._meanings = {}  # of names, by place
        self.count = 0  # of values computed

    def value(self, node, place, edited=None, edit=None):
        """The value of an expression, with the expression `edit` instead of `edited` wherever that occurs."""
        self._edited, self._edit, self._steps = edited, edit, 0
        self.count += 1
        return self._of(node, place)

    def behind(self, node, place):
        """[(expression, its line, its place)]: an expression, and those that the names in it stand for, except indices of
        loops."""
        found, waiting = {}, [(node, place)]
        while waiting and len(found) < _MOST_STEPS:
            node, at = waiting.pop(0)
            if id(node) not in found:
                found[id(node)] = node, getattr(node, "lineno", at.line), at
                names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
                waiting += [one for one in (self._definition(name.id, at) for name in names) if one[0] is not None]
        return list(found.values())

    def _definition(self, name, place):
        """(expression, place) of what a name stands for, (None, None) for others."""
        _, value, line = self._meaning(name, place)
        if value is None:
            return None, None
        return value, place.of_call() if line is None else place.at(line)

    def _meaning(self, name, place):
        """(depth, None, None) for the index of a loop, (None, expression, its line) for an assigned name, and
        (None, argument of the call, None) for a parameter."""
        key = name, place.line, place.callers
        found = self._meanings.get(key)
        if found is None:
            found = self._text.loop_of(*key), None, None
            if found[0] is None:
                found = (None, *self._text.scalar_definition(name, place.line))
            if found == (None, None, None) and place.callers:
                found = None, self._text.passed(name, place.line, place.callers[0]), None
            self._meanings[key] = found
        return found

    def _of(self, node, place):
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise NoValue
        if node is self._edited and node is not None:
            return self._of_edit(place)
        find = _FORMS.get(type(node))
        if find is None:
            raise NoValue
        found = find(self, node, place)
        if type(found) not in self._types or not abs(found) <= _LARGEST:
            raise NoValue
        return found

    def _of_edit(self, place):
        edited, self._edited = self._edited, None  # what takes its place may contain it
        try:
            return self._of(self._edit, place)
        finally:
            self._edited = edited

    def _of_constant(self, node, _):
        return node.value

    def _of_operation(self, node, place):
        operation = self._operations.get(type(node.op))
        if operation is None:
            raise NoValue
        try:
            return operation(self._of(node.left, place), self._of(node.right, place))
        except (ArithmeticError, ValueError):
            raise NoValue from None

    def _of_sign(self, node, place):
        if not isinstance(node.op, ast.USub):
            raise NoValue
        return -self._of(node.operand, place)

    def _of_call(self, node, place):
        choose = _CHOICES.get(source_calls.callee(node))
        if choose is None or len(node.args) != 2 or node.keywords:
            raise NoValue
        return choose(*(self._of(one, place) for one in node.args))

    def _of_subscript(self, node, place):
        """`x.shape[0]` of a parameter of the kernel or `x[i, 0]` of an integer one, also through parameters of helpers."""
        whole, index = node.value, source_definitions.index_in(node)
        if isinstance(whole, ast.Name):
            return self._element(whole, getattr(index, "elts", [index]), place)
        if not (isinstance(whole, ast.Attribute) and whole.attr == "shape" and isinstance(whole.value, ast.Name) and
                isinstance(index, ast.Constant) and type(index.value) is int):
            raise NoValue
        shape = self._shapes[self._parameter(whole.value.id, place)]
        if not -len(shape) <= index.value < len(shape):
            raise NoValue
        return shape[index.value]

    def _element(self, whole, indices, place):
        tensor = self._integers.get(self._parameter(whole.id, place))
        at = [self._of(one, place) for one in indices]
        if tensor is None or len(at) != tensor.dim() or not all(0 <= one < size for one, size in zip(at, tensor.shape)):
            raise NoValue
        return int(tensor[tuple(at)])

    def _parameter(self, name, place):
        """The launch and name of the kernel's parameter that a name stands for."""
        while (place.launch, name) not in self._shapes:
            given, place = self._definition(name, place)
            if not isinstance(given, ast.Name):
                raise NoValue
            name = given.id
        return place.launch, name

    def _of_name(self, node, place):
        depth, *_ = self._meaning(node.id, place)
        if depth is not None and depth < len(place.loops):
            return place.loops[depth]
        value, at = self._definition(node.id, place)
        if value is None:
            raise NoValue
        return self._of(value, at)


class FloatValues(ScalarValues):
    """The same with fractions, for the numbers of operations."""

    _types = (int, float)
    _operations = {**_OPERATIONS, ast.Div: lambda one, other: one / other,
                   ast.Pow: lambda one, other: math.pow(one, other)}

    def _of_call(self, node, place):
        if source_calls.callee(node) == "float" and len(node.args) == 1 and not node.keywords:
            return float(self._of(node.args[0], place))
        return super()._of_call(node, place)


def name(text):
    """The expression of a name."""
    return ast.Name(text, ast.Load())


_FORMS = {
    ast.Constant: ScalarValues._of_constant, ast.BinOp: ScalarValues._of_operation, ast.UnaryOp: ScalarValues._of_sign,
    ast.Call: lambda values, node, place: values._of_call(node, place),  # which a subclass extends
    ast.Subscript: ScalarValues._of_subscript, ast.Name: ScalarValues._of_name,
}
