"""Guesses that a named constant should have another value. That changes all numbers of operations that are computed from
it, such as `SHARE` and `1.0 - SHARE`."""
import ast

from . import changes, remake, scalar_values
from .replay_ops import Unknown

_CLOSE = 1e-6  # relative difference between an operation's number and what the text gives for it


class Constant(changes.Group):
    """The operations whose numbers depend on a constant. `users`: {(key, ordinal): {position: expression}}; `node`: the
    constant in the text."""

    def __init__(self, record, node, line, users, index):
        super().__init__(record, 0, None, index, line)
        self.node, self.users = node, users

    def has(self, record):
        return record.kind == "op" and not record.write and (record.key(), self._index.ordinal(record)) in self.users


class FittedConstants:
    """Part of repairs.Guesses, whose fields it reads."""

    def _constants(self):
        """Yields (function from a number to a guess, present number) for each constant that is a fraction."""
        values = scalar_values.FloatValues(self._text, [one for one in self._trace.records if one.kind == "parameter"])
        sites, seen = {}, set()
        for record in (one for cone in self.cones for one in cone):
            key = record.key(), self._index.ordinal(record) if record.kind == "op" else None
            if record.kind != "op" or record.write or key in seen:
                continue
            seen.add(key)
            for position, node in self._expressions(record, values):
                for root, line, _ in values.behind(node, self._place(record)):
                    if isinstance(root, ast.Constant) and type(root.value) is float:
                        first, *_, users = sites.setdefault(id(root), (record, root, line, {}))
                        users.setdefault(key, {})[position] = node
        for record, root, line, users in sites.values():
            group = Constant(record, root, line, users, self._index)
            yield (lambda number, group=group: self._with_constant(group, values, number)), root.value

    def _expressions(self, record, values):
        """[(position, expression)] of an operation's numbers, if the text gives their values."""
        found = []
        for position, operand in enumerate(record.operands):
            for node in self._candidates_at(record, position) if operand[0] == "number" else ():
                try:
                    value = values.value(node, self._place(record))
                except scalar_values.NoValue:
                    continue
                if abs(value - operand[1]) <= _CLOSE * abs(value):
                    found.append((position, node))
                    break
        return found

    def _candidates_at(self, record, position):
        """The expressions that may be the operand; there are several if the line has several operators."""
        ordinal = self._index.ordinal(record)
        node = self._text.number_node(record.line, record.op, position, ordinal)
        return ([] if node is None else [node]) + self._text.operands_at(record.line, record.op, position)

    def _place(self, record):
        return scalar_values.Place.of(record, self._index)

    def _with_constant(self, group, values, number):
        edit = ast.Constant(number)

        def replaced(one):
            nodes = group.users[one.key(), self._index.ordinal(one)]
            try:
                return {position: float(values.value(node, self._place(one), group.node, edit))
                        for position, node in nodes.items()}
            except scalar_values.NoValue:
                raise Unknown("no value") from None
        position = next(iter(group.users[group.record.key(), self._index.ordinal(group.record)]))
        detail = {"position": position, "wanted": number, "present": group.node.value}
        return self._guess(group, "number", detail, remake.with_numbers(self._torch, replaced))
