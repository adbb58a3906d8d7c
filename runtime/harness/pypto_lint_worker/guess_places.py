"""The line of the text that a guess blames. A step may be missing, or a number wrong, in another line than that of the
operation that the guess changes."""
from . import changes, fitted_constants, moved_steps, roundings
from .replay_ops import Unknown

# Operations that get an added number to stay finite.
_NEEDING = ("rsqrt", "sqrt", "log", "reciprocal", "div")
_SAME = 1e-6  # relative; numbers that the text has once
_MISSING = ("missing", "missing_tensor", "unread_step")


class GuessPlaces:
    """`of` gives the line of a guess that explains the outputs of `cones`."""

    def __init__(self, trace, index, text, frontier, cones):
        self._trace, self._index, self._text = trace, index, text
        self._frontier, self._cones = frontier, cones

    def of(self, guess):
        """(line, confidence). A step before an operand may instead be missing where the operand was made. An added number is
        missing in the line of the operation that needs it, a factor or a function usually in the line that made the tensor."""
        position = guess.detail.get("position")
        line = guess.group.line()
        if guess.kind not in _MISSING:
            return self._in_text(guess, line)
        maker = self._maker(guess)
        if position is None:
            if self._has_siblings(guess):
                return (maker.file, maker.line), "low"
            moved = self._before_moves(maker)
            return line if moved is None or self._is_used_beside(guess, maker) else moved, "low"
        product = self._product_before(guess, maker)
        if product is not None:
            return (product.file, product.line), "low"
        call = self._call_before(guess, maker)
        if call is not None:
            return (line[0], call), "low"
        is_shared = self._has_other_readers(guess, maker) and not self._text.alias_line(maker.line)
        is_here, made = (maker.file, maker.line) == line, maker
        maker = self._visible(maker)
        if is_here and maker is not made and guess.kind == "missing" and guess.number is None:
            return line, "low"  # a root is missing after an epsilon as often as before it
        if not self._computes(maker) or \
                (maker.file, maker.line) == line:
            return line, "high" if maker.kind == "op" and maker.line == line[1] else "low"
        if is_shared:
            return line, "low"
        # A missing term is usually part of a sum.
        is_added = guess.kind == "missing" and guess.detail["also"] == "add" and maker.op not in ("add", "sub")
        tensor = guess.detail.get("tensor")
        is_later = tensor is not None and self._trace.records[tensor].number > maker.number
        is_summed = guess.kind in ("missing_tensor", "unread_step") and guess.record.op in ("sum", "add", "sub")
        # A later tensor did not exist where the operand was made, and a summed operand is usually a product.
        is_added = is_added or is_later or is_summed
        return (line if is_added else (maker.file, maker.line)), "low"

    def _call_before(self, guess, maker):
        """The line of the call of a helper that made the operand, if other calls of the helper do not need the missing step:
        then this call's result needs it. None if the operation itself needs the step, such as an epsilon."""
        record, depth = guess.record, len(maker.callers) - len(guess.record.callers)
        is_factor = guess.kind != "missing" and record.op == "sum"  # a summed operand is usually a product
        if depth <= 0 or is_factor or maker.callers[depth:] != record.callers or record.op in _NEEDING or \
                maker.callers[depth - 1] == record.line:
            return None
        is_called_elsewhere = any(one.key() == maker.key() and one.callers[-len(maker.callers):] != maker.callers
                                  for _, cone in self._cones for one in cone if one.kind == "op")
        return maker.callers[depth - 1] if is_called_elsewhere else None

    def _before_moves(self, record):
        """The line that computed what a record only converts or moves, or None if that is the record's own line."""
        *_, made = self._trace.forms(record.number)
        return (made.file, made.line) if self._computes(made) and made.line != record.line else None

    def alias(self, guess, line):
        """The line of a statement `a = b` that should do the missing step, or None."""
        if guess.kind not in _MISSING:
            return None
        maker, found = self._maker(guess), self._text.alias_line(line)
        if found is None and maker.kind == "op":
            found = self._text.alias_line(maker.line)
        read = next(filter(None, map(self._text.alias_read, (guess.record.line, line))), None)
        return read if found is None else found

    def as_good(self, guess, line):
        """The lines where the step would have the same effect. For a missing step on an operand, that is the statement before
        if only this one reads its result, else the statement after if it is the only reader of this one's."""
        if isinstance(guess, moved_steps.Moved):
            return [guess.place.line]
        if isinstance(guess.group, roundings.Narrow):
            return guess.group.lines
        if guess.kind not in _MISSING:
            return []
        is_before = guess.detail["position"] is not None and line == guess.record.line
        return [one for one in self._text.adjacent(line) if (one < line) == is_before]

    def _maker(self, guess):
        """The record whose result lacks a step."""
        position = guess.detail.get("position")
        return guess.record if position is None else self._trace.records[guess.record.operands[position][1]]

    def _has_siblings(self, guess):
        """Does another operation in the same call of a helper use the number that is missing here? Then the arguments of
        the call are right, and the line in the helper is wrong."""
        record = guess.record
        return guess.number is not None and guess.group.depth > 0 and any(
            other.op == guess.detail["also"] and other.callers == record.callers and other.launch == record.launch and
            other.file == record.file and ["number", guess.number] in other.operands for other in self._trace.records)

    def _is_used_beside(self, guess, maker):
        """Is the missing number used in other lines of the same call of a function, but not where the tensor was made?"""
        *_, made = self._trace.forms(maker.number)
        return guess.number is not None and made.callers != maker.callers and any(
            other.op == guess.detail["also"] and other.callers == maker.callers and other.launch == maker.launch and
            other.line != maker.line and any(kind == "number" and abs(value - guess.number) <= _SAME * abs(value)
                                             for kind, value in (one for one in other.operands if len(one) == 2))
            for other in self._trace.records)

    def is_near(self, guess):
        """Was the missing tensor made in the same call of a function as the tensor that lacks it?"""
        tensor = guess.detail.get("tensor")
        if tensor is None or guess.kind != "missing_tensor":
            return False
        return self._maker(guess).callers == self._trace.records[tensor].callers

    def _in_text(self, guess, named):
        """(line, confidence) of a guess whose argument may have been made in another line."""
        if isinstance(guess.group, (changes.Shared, fitted_constants.Constant, roundings.Narrow)):
            return named, "low"  # each use may be another mistake
        find = _BY_KIND.get(guess.kind)
        line, confidence = (None, "high") if find is None else find(self, guess, named)
        return (named if line is None else (guess.record.file, line)), confidence

    def _of_operation(self, guess, _):
        # A number, which may come from another line, is as likely to be wrong.
        return None, "low" if any(self._is_number(operand) for operand in guess.record.operands) else "high"

    def _of_number(self, guess, _):
        record = guess.record
        argument, ordinal = (record.line, record.op, guess.detail["position"]), self._index.ordinal(record)
        line = self._text.number_line(*argument, record.callers, ordinal)
        is_here = line == record.line and not self._text.is_named(*argument, ordinal)
        return line, "high" if is_here else "low"

    def _of_offset(self, guess, _):
        """The line of the offset, or of the only call of a helper that passes a wrong one."""
        if guess.group.depth:
            return None, "high"
        record, axis = guess.record, guess.detail["axis"]
        here = self._text.window_line(record.line, axis)
        views = [one for _, cone in self._cones for one in cone if guess.group.has(one) and one.callers]
        wrong = {one.callers[0] for one in views if self._changes(guess, one)}
        passed = {self._text.passed_line(record.line, axis, call) for call in wrong} - {None}
        if not passed:
            return here, "high"
        is_one = len(passed) == len(wrong) == 1 and len({one.callers[0] for one in views}) > 1
        return passed.pop() if is_one else here, "low"

    def _of_operand(self, guess, _):
        permuted = self._text.permuted_calls()
        if len(permuted) == 1:
            return permuted[0], "low"  # the function's parameters may be in the wrong order instead
        if "earlier" in guess.detail:
            call = self._call_after(guess)
            if call is not None:
                return call, "low"
        if guess.kind == "operand" and self._comes_from_outside(guess):
            return self._argument(guess.record, guess.detail["position"], 1) or guess.record.callers[0], "low"
        confidence = "low" if guess.kind == "exchanged" else "high"
        return self._argument(guess.record, guess.detail.get("position"), guess.group.depth), confidence

    def _call_after(self, guess):
        """If a helper reads what another helper replaced, the line of the reading call, which comes too late; else None."""
        record, write = guess.record, self._trace.records[guess.detail["tensor"]]
        mine, theirs = ((one.line,) + one.callers for one in (record, write))
        alike = next((at for at, (one, other) in enumerate(zip(mine[::-1], theirs[::-1])) if one != other), None)
        if not write.write or alike is None or len(mine) - alike < 2 or len(theirs) - alike < 2 or write.loops != record.loops:
            return None
        return mine[::-1][alike]

    def _of_window(self, guess, named):
        """The line of the scalar that determines where windows begin or end, which may be right by chance."""
        if named[1] != guess.record.line:
            return None, "low"
        record, axis = guess.record, guess.detail["axis"]
        return self._text.end_line(record.line, axis, record.callers, guess.kind == "begin"), "low"

    def _of_argument(self, guess, _):
        position = next(iter(guess.group.replaced(guess.record)), None)
        return self._argument(guess.record, position, guess.group.depth), "low"  # the helper may be wrong instead

    def _suspected(self, *_):
        return None, "low"  # another line, such as that of a helper or of a name, may be wrong instead

    def _of_order(self, guess, _):
        if isinstance(guess, moved_steps.Moved):
            return None, "low"  # the other place has another line
        permuted = [one for one in self._text.permuted_calls() if one in guess.record.callers]
        if len(permuted) == 1:
            return permuted[0], "low"
        passed = [self._argument(guess.record, position, guess.group.depth) for position in (0, 1)]
        return min((line for line in passed if line is not None), default=None), "high"

    def _argument(self, record, position, depth):
        """The line of the argument that becomes an operand, in the call `depth` levels above the record, or None."""
        if position is None or not depth:
            return None
        return self._text.argument_line((record.line, record.op, position, self._index.ordinal(record)), record.callers[:depth])

    def _changes(self, guess, record):
        """Does a guess change the value of a record whose operands stay the same?"""
        try:
            made = guess(record, self._trace, {})
        except Unknown:
            return True
        return made is not None and not made.equal(self._trace.value(record.number, {}).to(made.dtype))

    def _comes_from_outside(self, guess):
        """Is the right operand a tensor that the helper cannot see? Then the call has to pass it."""
        record, tensor = guess.record, guess.detail.get("tensor")
        if tensor is None or guess.group.depth or "earlier" in guess.detail or not self._index.helpers(record):
            return False
        calls = {one.callers[0] for _, cone in self._cones for one in cone if guess.group.has(one)}
        inside = [one for one in self._trace.records if one.kind == "op" and one.callers == record.callers and
                  one.launch == record.launch and one.loops == record.loops]
        is_given = self._trace.records[tensor].op != "full"  # nobody passes zeros instead of a wrong tensor
        return is_given and len(calls) == 1 and not any(tensor == one.number or tensor in one.sources() for one in inside)

    def _is_number(self, operand):
        """Is an operand a number, or a tensor filled with one?"""
        return operand[0] == "number" or (operand[0] == "record" and self._trace.records[operand[1]].op == "full")

    def _visible(self, record):
        """The record that made a tensor, before operations too small to show, such as adding an epsilon."""
        known = self._frontier.known
        while record.op in ("add", "sub") and known.get(record.number) and self._frontier.changes_nothing(record):
            record = next(self._trace.records[number] for number in record.sources()
                          if known.get(number) and known[number].tensor is known[record.number].tensor)
        return record

    def _product_before(self, guess, maker):
        """If a factor is missing from a product of several lines, the record of the line that has the factor already, such as a
        square that should be a cube, else that of the first line. None for a product of a single line."""
        if guess.detail["also"] not in ("mul", "div"):
            return None
        products = []
        while maker.kind == "op" and maker.op in ("mul", "div", "neg", "cast") and not self._has_other_readers(
                guess if not products else changes.Repair(changes.Group(products[-1], 0), "", {}, None), maker):
            products.append(maker)
            maker = self._trace.records[maker.sources()[0]]
        if len({(one.file, one.line) for one in products}) < 2:
            return None
        having = [one for one in products if guess.detail.get("tensor") in one.sources()]
        return (having or products)[-1]

    def _has_other_readers(self, guess, maker):
        """Do other operations read the maker's tensor, so that it is probably right as it is?"""
        return any(maker.number in record.sources() and not guess.group.has(record)
                   for _, cone in self._cones for record in cone)

    def _computes(self, record):
        """Does a record compute something, rather than pass on a parameter or a loop-carried tensor?"""
        while record.op == "cast":
            record = self._trace.records[record.sources()[0]]
        return record.kind == "op" and not record.write and record.op not in ("view", "full")


# How the line is found for a kind of guess: functions of (self, guess, line of its group) to (line or None, confidence).
_BY_KIND = {
    "operation": GuessPlaces._of_operation, "strange": GuessPlaces._of_operation,
    "number": GuessPlaces._of_number, "offset": GuessPlaces._of_offset,
    "source": GuessPlaces._of_operand, "exchanged": GuessPlaces._of_operand, "operand": GuessPlaces._of_operand,
    "begin": GuessPlaces._of_window, "end": GuessPlaces._of_window,
    "scalar": GuessPlaces._suspected, "not_carried": GuessPlaces._suspected, "results": GuessPlaces._suspected,
    "branch": GuessPlaces._suspected, "in_loop": GuessPlaces._suspected,
    "argument": GuessPlaces._of_argument, "arguments": GuessPlaces._of_argument,
    "order": GuessPlaces._of_order, "steps": GuessPlaces._of_order,
}
