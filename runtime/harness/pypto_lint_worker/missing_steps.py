"""Guesses that a step is missing: a function, a mask, or a factor or addend."""
import itertools

from . import other_tensors, remake, replay_ops

_INSERTED = ("neg", "exp", "log", "sqrt", "rsqrt", "reciprocal", "abs", "relu", "sigmoid", "square")
MASKS = ("tril", "triu")
_UNUSUAL = 4  # the rank of a missing number that neither the reference nor a mean suggests
_SAME = 1e-6  # relative difference of equal numbers


class MissingSteps:
    """Part of repairs.Guesses, whose fields it reads."""

    def _steps(self, record):
        """The positions where a step may be missing: None = after the record, else before that operand. If only one
        operation reads a record, a step after it is tried as a step before that operation's operand."""
        # Steps before operands are only tried for operations that compute something.
        is_shared = record.number not in self._innocent and (
            self._readers.get(record.number, 0) > 1 or record.number not in self._computed_from)
        found = [None] if record.number in self._ends or is_shared else []
        if other_tensors.computes(record) or (record.op == "reshape" and any(
                self._readers.get(number, 0) > 1 for number in record.sources())):
            found += [position for position, operand in enumerate(record.operands)
                      if operand[0] == "record" and self._trace.records[operand[1]].dtype != "DT_BOOL"]
        return found

    def _step_guess(self, group, kind, detail, step, also=None):
        """The guess that `step`, a function (record, tensor, trace, values), is missing at the position of `detail`."""
        position = detail["position"]

        def make(one, trace, values):
            if position is None:
                return step(one, trace.compute(one, values), trace, values)
            given = trace.operands(one, values)
            given[position] = step(one, given[position], trace, values)
            return replay_ops.run(self._torch, one, given)
        guess = self._guess(group, kind, detail, make, also=also)
        guess.step = step
        return guess

    def _missing(self, record, group):
        for position in self._steps(record):
            shape = self._shape_at(record, position)
            is_square = len(shape) > 1 and shape[-1] == shape[-2] > 1
            for name in _INSERTED + (MASKS if is_square else ()):
                def function(one, value, trace, values, name=name):
                    return remake.apply(self._torch, name, value)
                yield self._step_guess(group, "missing", {"also": name, "position": position}, function)

    def _missing_numbers(self, record, group):
        numbers = self._numbers + ([self._ratio] if self._ratio else [])
        for position in self._steps(record):
            for name, number in itertools.product(("mul", "add"), dict.fromkeys(numbers)):
                if number != 0.0 and (name, number) != ("mul", 1.0):
                    yield self._missing_number(group, name, number, position)

    def _missing_number(self, group, name, number, position):
        """The guess that `name`, "mul" or "add", with a number is missing."""
        def step(one, value, trace, values):
            return value * number if name == "mul" else value + number
        guess = self._step_guess(group, "missing", {"also": name, "position": position}, step)
        guess.number, guess.rank = number, 0 if self._is_usual_number(number) else _UNUSUAL
        return guess

    def _is_usual_number(self, number):
        """Does the reference have a number or its reciprocal, or is the number simple or the reciprocal of an integer, as in a
        mean? The root of an extent may be equal by chance."""
        if _is_any(number, (0.5, -1.0, 2.0, *self.own_numbers)):
            return True
        return number != 0.0 and _is_any(1.0 / number, (*self.own_numbers, round(1.0 / number)))


def _is_any(number, others):
    return any(abs(number - one) <= _SAME * abs(one) for one in others)
