"""How likely a guess that explains the outputs is: whether it may only hide a mistake in another line, and whether the
reference has the tensor that it makes."""
import collections
import functools

from . import matching, missing_steps, not_finite, other_numbers, regroupings, repairs, replay, replay_ops
from .replay_ops import Unknown

_MOST_WEIGHED = 12  # guesses of one cost that are compared by what else they explain
# They only move elements of their operand: whether a repair was right shows in the operations that read them.
_HANDED_ON = replay.MOVES + ("expand_clone",)
_ABOUT_OPERANDS = ("operand", "superfluous", "missing", "missing_tensor", "strange")
# Operations of torch that compute exponentials.
_EXPONENTS = {"exp", "exp2", "expm1", "logsumexp", "_softmax", "_log_softmax", "_safe_softmax", "_softmax_backward_data",
              "_log_softmax_backward_data"}
_UNREAD, _USEFUL = 1.5, 0.5  # the cost of a result that loses its only reader, and the gain if an unread one gets a reader
_MOST_OF_ONE = 2  # if more values of one operand explain the outputs, they hardly depend on it
_SAME = 1e-6  # of the largest element: rounding of (a + b) - b
_MOST_STEPS = 6  # from a changed operation to a tensor of the reference
_RANK = 0.05  # the cost of one rank, by which guesses of the same kind differ
_OF_TWO = ("steps", "grouping")  # these change an operation and the one before it
_HIDES = 4  # the cost of avoiding the operation that makes NaN instead of changing it
_START = 0.5  # the cost of the guess that a loop's sum should begin with zero
_ROUGH = 3  # the cost of outputs that are within the tolerance, but not close to the reference


def least_cost(guess):
    """The least cost of a guess with this kind and rank."""
    return repairs.COSTS[guess.kind] + _RANK * guess.rank


def is_telling(guess):
    """Is an explanation by this guess evidence against its line? A factor, for example, may be missing in many lines."""
    return guess.kind not in ("number", "missing", "missing_tensor", "unread_step")


def cheapest_kinds(found):
    """Drops unconfirmed guesses about operands or missing steps if guesses of a cheaper kind are among the others."""
    least = min(repairs.COSTS[guess.kind] for guess in found)
    return [guess for guess in found if guess.confirmed or repairs.COSTS[guess.kind] == least or
            guess.kind not in ("operand", "missing")]


class Worth:
    """Part of blame.Blame, whose fields it reads."""

    def _cost(self, guess, cone):
        """The cost of a guess that explains the outputs: less if it makes a tensor of the reference, more if it is right
        only within the tolerance, which may be chance."""
        values, is_free = self._replayed(guess, cone), self._is_free(guess)
        guess.confirmed = self._confirms(guess, cone, values)
        if guess.record.number in self._begins or guess.rank >= other_numbers.UNLISTED:
            guess.confirmed = False
        if guess.kind == "exchanged":
            if len(self.text.permuted_calls()) == 1:
                return repairs.COSTS[guess.kind] - 1  # the names say so, too
            is_free, guess.confirmed = True, False
        elif guess.kind in ("begins_once", "begins_again", "unread"):
            is_free, guess.confirmed = False, False
        if self._is_sum(guess):
            return least_cost(guess) + _START  # other guesses may only make up for the wrong start
        cost = least_cost(guess) + (_ROUGH if guess.is_rough else 0) + self._idle_cost(guess) + \
            (_HIDES if self._hides_nan(guess, values) else 0)
        if guess.kind == "unread" and guess.record.number in self._sums:
            cost += 2  # more often, a step after the sum is missing
        if guess.kind == "transposed" and guess.record.op != "matmul":
            cost += 1  # operands in the wrong order are more frequent
        return cost + (0 if guess.confirmed else 6 if is_free else 1 if self._arrives(guess, cone, values) else 2)

    def _hides_nan(self, guess, values):
        """Do the outputs become finite although the operation that made NaN still does?"""
        nan = self._made_nan
        if nan is None or guess.group.has(nan) or (guess.kind in _OF_TWO and nan.number in guess.record.sources()):
            return False
        made = values.get(nan.number)
        return made is None or not not_finite.is_finite(self.torch, made)

    def _idle_cost(self, guess):
        """A cost if a result that the kernel computes would lose its only reader, a gain if an unread result would get one:
        kernels rarely compute what they do not need."""
        if guess.kind not in ("operand", "superfluous", "missing_tensor"):
            return 0
        tensor = guess.detail.get("tensor")
        if tensor is not None and self._computes(tensor) and not self._readers[self.index.identity(self.trace.records[tensor])]:
            return -_USEFUL
        if guess.kind == "missing_tensor":
            return 0
        dropped = [guess.detail["position"]] if "position" in guess.detail else guess.dropped
        numbers = [guess.record.operands[at][1] for at in dropped if guess.record.operands[at][0] == "record"]
        return _UNREAD * any(self._computes(number) and self._is_read_once(number, guess) for number in numbers)

    def _is_read_once(self, number, guess):
        """Is the operation of a guess the only reader of a tensor, and does it read it only once?"""
        made, record = self.trace.records[number], guess.record
        is_part = made.line in (record.line,) + record.callers  # of the same statement or of the call's argument
        return not is_part and record.sources().count(number) == 1 and \
            all(guess.group.has(self.trace.records[reader]) for reader in self._readers[self.index.identity(made)])

    def _computes(self, number):
        """Does a record compute its tensor, rather than read a window or make a constant?"""
        record = self.trace.records[number]
        return record.kind == "op" and not record.write and record.op not in ("view", "full", "reshape", "cast")

    @functools.cached_property
    def _readers(self):
        """{identity of a tensor: numbers of the records that read it}."""
        found = collections.defaultdict(list)
        for record in self.trace.records:
            for number in record.sources() if record.kind in ("op", "end") else ():
                found[self.index.identity(self.trace.records[number])].append(record.number)
        return found

    def _replayed(self, guess, cone):
        """{number: tensor} of what a guess changes; empty if the cone cannot be replayed."""
        try:
            return self.trace.replay(cone, guess)
        except Unknown:
            return {}

    def _is_free(self, guess):
        """Is the guess about something that may have any value, such as the number that an online softmax subtracts or
        the start of a loop-carried tensor? Then it may only hide a mistake in another line."""
        if guess.record.op == "full":
            return guess.kind != "scalar" and not self._is_sum(guess)
        return self._has_exponents() and (guess.record.op in ("amax", "maximum") or self._is_subtracted(guess))

    def _is_sum(self, guess):
        """Does the guess make a loop's sum begin with zero, as every sum should?"""
        return guess.kind == "number" and guess.detail.get("wanted") == 0.0 and guess.record.number in self._sums

    @functools.cached_property
    def _sums(self):
        """The numbers of the records whose tensors a loop adds to."""
        found = set()
        for record in filter(regroupings.is_carried, self.trace.records):
            made, target = self.trace.records[record.sources()[0]], self.trace.records[record.target]
            if made.op == "add" and target.number in made.sources():
                found.update([target.number], target.sources() if target.op == "move" else ())
        return found

    def _is_subtracted(self, guess):
        """Is the guess about what is subtracted from each row before the exponential?"""
        record = guess.record
        if record.op == "exp" and record.sources():
            record = self.trace.records[record.sources()[0]]
        return guess.kind in _ABOUT_OPERANDS and record.op == "sub" and \
            any(self.trace.records[number].shape != record.shape for number in record.sources())

    def _has_exponents(self):
        """Does the reference compute exponentials? A kernel may subtract any number before them."""
        return any(tensor.op and tensor.op.rstrip("_") in _EXPONENTS for tensor in self._watched.tensors)

    def _confirms(self, guess, cone, values):
        """Does the repaired operation make a tensor of the reference that it did not make before? Windows, casts and
        omitted operations always do, so the operations that read their results decide."""
        is_omitted = guess.kind == "superfluous" or other_numbers.is_idle(guess)
        may_be_idle = self._is_subtracted(guess) or guess.kind in ("operation", "strange")
        changed = {record.number for record in cone if record.number in values and
                   (guess.group.has(record) or guess.kind == "exchanged")}
        for record in cone:
            if record.number not in values:
                continue
            if record.op in _HANDED_ON:
                if any(number in changed for number in self.trace.needs(record)):
                    changed.add(record.number)
                continue
            is_one = record.number in changed and not is_omitted and \
                not (may_be_idle and self._is_operand(record, values))
            reads = any(number in changed and (
                is_omitted or
                self.trace.records[number].op in _HANDED_ON + ("full", ""))
                for number in self.trace.needs(record))
            known = self.frontier.known.get(record.number)
            if (is_one or reads) and (not known or self.frontier.changes_nothing(record)) and \
                    matching.is_telling(values[record.number]) and self._computes_known(record, values):
                return True
        return False

    def _computes_known(self, record, values):
        """Does the reference have what an operation makes under a guess? Arithmetic that returns an input does nothing."""
        found = self.frontier.pool.find(values[record.number], record.dtype)
        return bool(found) and (found.tensor.op is not None or record.op not in replay_ops.BINARY)

    def _arrives(self, guess, cone, values):
        """Does a missing function or another operand change a later result into a tensor of the reference that the kernel did
        not make, if each result on the way has one reader? The reference may compute it in other steps. Factors do not count,
        because they may be missing anywhere on the way."""
        if guess.kind not in ("missing", "operand") or guess.number is not None:
            return False
        record = next((one for one in cone if one.number in values and guess.group.has(one)), None)
        for _ in range(_MOST_STEPS):
            readers = [one for one in cone if record is not None and record.number in self.trace.needs(one)]
            if len(readers) != 1 or readers[0].write or readers[0].number not in values:
                return False
            record = readers[0]
            if self.frontier.known.get(record.number) is False and matching.is_telling(values[record.number]) and \
                    self.frontier.pool.find(values[record.number], record.dtype):
                return True
        return False

    def _makes_operand(self, guess):
        """Does the reference have the operand that a missing step makes? For an operation that only converts or moves its
        operand, the answer is no, because it would say nothing."""
        position, record = guess.detail.get("position"), guess.record
        if guess.step is None or position is None or record.op in _HANDED_ON:
            return False
        operand = self.trace.records[record.operands[position][1]]
        try:
            made = guess.step(record, self.trace.operands(record, {})[position], self.trace, {})
        except replay_ops.FAILURES:
            return False
        return list(made.shape) == operand.shape and matching.is_telling(made) and \
            bool(self.frontier.pool.find(made, operand.dtype))

    def _after_loops(self, found):
        """Drops guesses that a step on a loop-carried tensor is missing in the loop, if the same step may be missing after
        the loop. In the loop, the step would run in each iteration, which has the same effect only if there are few."""
        carried = {number for record in self.trace.records if regroupings.is_carried(record) for number in record.sources()}

        def is_in_loop(guess):
            return guess.detail.get("position", 0) is None and guess.record.number in carried
        late = {(guess.kind, guess.detail["also"]) for guess in found
                if guess.detail.get("position", 0) is None and not is_in_loop(guess)}
        return [guess for guess in found if not is_in_loop(guess) or (guess.kind, guess.detail["also"]) not in late]

    def _specific(self, found):
        """Drops guesses about an operand or an operation that several others could replace, because the outputs hardly
        depend on it."""
        counts = collections.Counter(place for place, _ in {(_place_of(guess), str(guess.detail)) for guess in found})
        return [guess for guess in found
                if counts[_place_of(guess)] <= (1 if guess.kind == "operation" else _MOST_OF_ONE)] or found

    def _positional(self, found):
        """If only missing masks explain the outputs, keeps those on the tensors with the fewest matrix products behind them:
        kernels mask positions and decays rather than data."""
        if not found or any(guess.kind != "missing" or guess.detail["also"] not in missing_steps.MASKS for guess in found):
            return found
        counts = [sum(one.op == "matmul" for one in self.trace.cone(self._masked(guess))) for guess in found]
        return [guess for guess, count in zip(found, counts) if count == min(counts)]

    @staticmethod
    def _masked(guess):
        position = guess.detail["position"]
        return guess.record.number if position is None else guess.record.operands[position][1]

    def _is_operand(self, record, values):
        """Would an operation only return an operand under a guess, as `x - 0` does?"""
        made = values[record.number]
        for number in record.sources():
            value = values.get(number, self.trace.records[number].value)
            if value is not None and list(value.shape) == list(made.shape) and \
                    self.torch.allclose(value.double(), made.double(), 0, _SAME * float(made.double().abs().max())):
                return True
        return False

    def _best_matching(self, found, cone):
        """Keeps the guesses under which the reference has the most of the kernel's tensors."""
        if len(found) > _MOST_WEIGHED:
            return found
        counts = [self._unmatched_after(guess, cone) for guess in found]
        return [guess for guess, count in zip(found, counts) if count == min(counts)]

    def _unmatched_after(self, guess, cone):
        """How many places of the text would make a tensor that the reference lacks under a guess."""
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


def _place_of(guess):
    """What a guess changes. Guesses with the same place differ only in what replaces the operand or operation."""
    position = guess.detail.get("position")
    is_one = guess.kind == "operation" or (guess.kind in ("number", "operand") and position is not None)
    return (guess.kind, guess.group.line(), guess.record.key(), position) if is_one else id(guess)
