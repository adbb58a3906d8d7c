"""Guesses that the number of an operation is wrong or missing. The right number comes from a list or from a fit
(fitting.py)."""
import functools
import itertools

from . import changes, fitted_constants, other_tensors, remake, replay_ops

_FILLED = (0.0, 1.0, -1.0, -1e30, 1e30)
_FLOATS = ("DT_FP32", "DT_FP16", "DT_BF16", "DT_DOUBLE")
_LARGEST = 1e15  # larger numbers stand for infinity
# Ranks of guesses: nothing suggests the number, or the operation would do nothing with it.
UNLISTED, _IDLE = 40, 22
_NEUTRAL = {"mul": 1.0, "div": 1.0, "add": 0.0, "sub": 0.0}
_MOST_OWN = 16  # numbers of the reference that are tried for each constant
_STEP = 0.03  # the first step of a fit, relative to the number or to the tensor's elements


class OtherNumbers(fitted_constants.FittedConstants):
    """Part of repairs.Guesses, whose fields it reads."""

    def _numbers_of(self, record, group):
        for position, operand in enumerate(record.operands):
            if operand[0] == "number":
                for number in self._candidates(record, operand[1]):
                    yield self._with_number(group, position, number)

    def _with_number(self, group, position, number):
        detail = {"position": position, "wanted": number, "present": group.record.operands[position][1]}
        guess = self._guess(group, "number", detail, remake.with_number(self._torch, position, number))
        guess.rank = _IDLE if is_idle(guess) else 0
        return guess

    def _shared_numbers(self):
        """Another number for a name that several operations use."""
        for group, present in self._numbers_by_name():
            for number in self._candidates(group.record, present):
                yield self._with_shared(group, present, number)

    def _with_shared(self, group, present, number):
        detail = {"position": group.position(group.record), "wanted": number, "present": present}
        return self._guess(group, "number", detail, remake.with_shared_number(self._torch, group, number))

    def _numbers_by_name(self):
        """Yields (changes.Shared, number) for each name whose number several operations use."""
        shared = {}
        for record in (one for cone in self.cones for one in cone):
            for position, operand in enumerate(record.operands if record.kind == "op" else ()):
                if operand[0] == "number":
                    ordinal = self._index.ordinal(record)
                    line = self._text.definition_line(record.line, record.op, position, record.callers, ordinal)
                    if line is not None:
                        _, positions = shared.setdefault((record.file, line, operand[1]), (record, {}))
                        positions.setdefault((record.key(), ordinal), position)
        for (_, line, present), (record, positions) in shared.items():
            if len(positions) > 1:
                yield changes.Shared(record, line, positions, self._index), present

    def _candidates(self, record, number):
        # A number that fills a tensor, or the hidden part of one, never comes from the extent of another tensor.
        numbers = _FILLED if record.op in ("full", "where") else self._numbers
        found = list(numbers) + [-number]
        if number:
            found.append(1.0 / number)
        if self._ratio:
            for factor in (self._ratio, 1.0 / self._ratio, self._ratio ** 2, self._ratio ** -2):
                found += [number * factor]
        return [one for one in dict.fromkeys(found) if one != number]

    def _named_numbers(self):
        """Numbers of the reference for constants, and any candidates for names that several operations use."""
        for guess_of, present in self._constants():
            yield from (guess_of(number) for number in self.own_numbers[:_MOST_OWN] if number != present)
        yield from self._shared_numbers()

    # ---- fitted ones

    def _fitted(self, groups):
        """Other numbers for operations or names, and missing factors and addends, if a fit finds them."""
        groups = [group for group in groups if group.record.dtype in _FLOATS]
        for guess_of, present in itertools.chain(self._makers(groups), self._constants()):
            number = self.fit.number(guess_of, present, _STEP * (abs(present) or 1.0))
            listed = None if number is None else self._listed(number, present, (1.0, 2.0, 0.5))
            # If all elements are off by one factor, a number that nothing suggests may only hide another mistake.
            if number is not None and (listed is not None or not self._ratio):
                guess = guess_of(number if listed is None else listed)
                guess.rank += UNLISTED if listed is None else 0
                yield guess
        for group in groups:
            yield from self._fitted_missing(group, self._steps(group.record))
        known = {}  # operations whose results the reference has; the step after them may be missing
        for record in self._cone:
            if record.number in self._innocent and record.op in replay_ops.OPERATIONS and record.dtype in _FLOATS and \
                    other_tensors.computes(record):
                known.setdefault(record.key(), changes.Group(record, 0))
        for group in known.values():
            yield from self._fitted_missing(group, [None])

    def _makers(self, groups):
        """Yields (function from a number to a guess, present number)."""
        for group in groups:
            for position, operand in enumerate(group.record.operands if group.record.op != "full" else ()):
                if operand[0] == "number" and abs(operand[1]) < _LARGEST:
                    yield functools.partial(self._with_number, group, position), operand[1]
        for group, present in self._numbers_by_name():
            if group.record.dtype in _FLOATS and abs(present) < _LARGEST:
                yield functools.partial(self._with_shared, group, present), present

    def _listed(self, number, present, factors=(1.0,)):
        """The candidate that a fitted number stands for: a number of the reference or of an extent, times one of the factors.
        None if no candidate is close enough."""
        numbers = [factor * one for factor in factors for one in self._numbers] + [-present]
        near = [one for one in numbers if one != present and abs(one - number) <= self.fit.near * abs(number)]
        return min(near, key=lambda one: abs(one - number), default=None)

    def _fitted_missing(self, group, positions):
        for position in positions:
            size = self._size_at(group.record, position)
            for name, start, step in (("mul", 1.0, _STEP), ("add", 0.0, _STEP * size)):
                def guess_of(number, name=name, position=position):
                    return self._missing_number(group, name, number, position)
                number = self.fit.number(guess_of, start, step) if step else None
                listed = None if number is None else self._listed(number, start)
                if listed is not None:
                    yield guess_of(listed)

    def _size_at(self, record, position):
        """The mean magnitude of the elements of a result or an operand; 0 if they are not finite numbers."""
        value = record.value if position is None else self._trace.records[record.operands[position][1]].value
        if value is None or not value.is_floating_point() or not value.numel():
            return 0.0
        size = float(value.double().abs().mean())
        return size if size < _LARGEST else 0.0


def is_idle(guess):
    """Would the operation do nothing under the guess, as a product with 1 or a sum with 0 does?"""
    return guess.kind == "number" and guess.detail.get("wanted") == _NEUTRAL.get(guess.record.op, "")


def constants(torch, record):
    """Guesses that a constant tensor should be filled with another number."""
    present = record.operands[0][1]
    for number in _FILLED:
        if number != present:
            detail = {"position": 0, "wanted": number, "present": present}
            yield changes.Repair(changes.Group(record, 0), "number", detail,
                                 remake.with_number(torch, 0, number))
