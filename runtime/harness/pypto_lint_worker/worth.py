"""What a guess that explains the outputs is worth: is it about what may be anything, and does the reference have
what it makes?"""
from . import matching, regroupings, repairs
from .replay_ops import Unknown

_MOST_WEIGHED = 12  # guesses of one cost that are compared by what else they explain
# They give their operand's elements in another form, so that what reads them tells whether a repair was right.
_HANDED_ON = ("view", "cast", "reshape", "expand_clone")
_ABOUT_OPERANDS = ("operand", "superfluous", "missing", "missing_tensor", "strange")
_EXPONENTS = {"exp", "exp2", "expm1", "logsumexp"}
_SAME = 1e-6  # of the largest element: what (a + b) - b differs from a
_ROUGH = 3  # what it costs that outputs are within the tolerance only


class Worth:
    """Part of blame.Blame, whose fields it reads."""

    def _cost(self, guess, cone):
        """What a guess that explains the outputs costs: less if it gives a tensor of the reference.
        What an online softmax subtracts may be anything, and so may what a loop begins with: such
        a guess may only hide the mistake of another line. One that is right within the tolerance only is so by chance."""
        guess.confirmed = self._confirms(guess, cone)
        is_free = (guess.record.op == "full" and not self._is_sum(guess)) or (self._has_exponents() and (
            guess.record.op in ("amax", "maximum") or self._is_subtracted(guess)))
        if guess.record.number in self._begins:
            guess.confirmed = False
        if guess.kind == "exchanged" and len(self.text.permuted_calls()) == 1:
            return repairs.COSTS[guess.kind] - 1  # the names say so, too
        if guess.kind == "exchanged":
            is_free, guess.confirmed = True, False  # no call says so
        if guess.kind in ("begins_once", "begins_again"):
            is_free, guess.confirmed = False, False
        rough = _ROUGH if guess.is_rough else 0
        # An operation whose result should be transposed is rarer than two operands in the wrong order.
        rough += 1 if guess.kind == "transposed" and guess.record.op != "matmul" else 0
        return repairs.COSTS[guess.kind] + rough + (0 if guess.confirmed else 6 if is_free else 2)

    def _is_sum(self, guess):
        """Would a loop's sum begin with zero under a guess? Sums do, so that another beginning is no free choice."""
        return guess.kind == "number" and guess.detail.get("wanted") == 0.0 and any(
            regroupings.is_carried(record) and record.target == guess.record.number and
            self.trace.records[record.sources()[0]].op == "add" and record.target in
            self.trace.records[record.sources()[0]].sources() for record in self.trace.records)

    def _is_subtracted(self, guess):
        """Is it about what is subtracted of each row before the exponential?"""
        record = guess.record
        if record.op == "exp" and record.sources():
            record = self.trace.records[record.sources()[0]]
        return guess.kind in _ABOUT_OPERANDS and record.op == "sub" and \
            any(self.trace.records[number].shape != record.shape for number in record.sources())

    def _has_exponents(self):
        """Does the reference compute exponentials, from which a kernel may subtract what it likes first?"""
        names = {tensor.op.rstrip("_") for tensor in self._watched.tensors if tensor.op}
        return bool(names & _EXPONENTS) or any("softmax" in name for name in names)

    def _confirms(self, guess, cone):
        """Does the repaired operation make a tensor that the reference has, and did it not before? Of
        a window, a cast or an operation left out, which always do, those that read it are asked."""
        is_free = self._is_subtracted(guess)
        try:
            values = self.trace.replay(cone, guess)
        except Unknown:
            return False
        changed = {record.number for record in cone if record.number in values and
                   (guess.group.has(record) or guess.kind == "exchanged")}
        for record in cone:
            if record.number not in values or record.op in _HANDED_ON:
                if record.number in values and any(number in changed
                                                   for number in self.trace.needs(record)):
                    changed.add(record.number)
                continue
            is_one = record.number in changed and guess.kind != "superfluous"
            reads = any(number in changed and (
                guess.kind == "superfluous" or
                self.trace.records[number].op in _HANDED_ON + ("full", ""))
                for number in self.trace.needs(record))
            known = self.frontier.known.get(record.number)
            is_one = is_one and not (is_free and self._is_operand(record, values))
            if (is_one or reads) and (not known or self.frontier.changes_nothing(record)) and \
                    matching.is_telling(values[record.number]) and \
                    self.frontier.pool.find(values[record.number], record.dtype):
                return True
        return False

    def _is_operand(self, record, values):
        """Is what an operation makes under a guess but its operand, as a difference from zero?"""
        made = values[record.number]
        for number in record.sources():
            value = values.get(number, self.trace.records[number].value)
            if value is not None and list(value.shape) == list(made.shape) and \
                    self.torch.allclose(value.double(), made.double(), 0, _SAME * float(made.double().abs().max())):
                return True
        return False

    def _best_matching(self, found, cone):
        """Of guesses of one cost those after which the reference has most of the kernel's tensors."""
        if len(found) > _MOST_WEIGHED:
            return found
        counts = [self._unmatched_after(guess, cone) for guess in found]
        return [guess for guess, count in zip(found, counts) if count == min(counts)]

    def _unmatched_after(self, guess, cone):
        """How many places of the text make a tensor that the reference lacks, under a guess."""
        try:
            values = self.trace.replay(cone, guess)
        except Unknown:
            return len(cone)
        lacking = set()
        for record in cone:
            if record.write or record.kind != "op" or record.key() in lacking:
                continue
            value = values.get(record.number)
            known = self.frontier.known.get(record.number) if value is None else \
                not matching.is_telling(value) or self.frontier.pool.find(value, record.dtype)
            if known is False or (value is not None and not known):
                lacking.add(record.key())
        return len(lacking)
