"""Which number an operation should have, found without a list: another number moves the elements of a wrong window into one
direction, and a few steps in that direction lead to where they should be. If it is another direction, one replay rules the
place out for all numbers."""
from .replay_ops import Unknown

_LEAST_SHARE = 0.25  # of the squared distance that the first direction has to explain
_LEAST_GAIN = 0.5  # of the squared distance that each step has to leave at most
_MOST_STEPS = 10
_FEWEST_WRONG = 8  # elements; fewer can be made right by many numbers
_DONE = 1e-12  # of the squared distance: rounding is all that is left
_CLOSE = 1e-3  # of the squared distance, above which nothing was found
# How close a fitted number is to the one that is meant, by the dtype of the output.
_NEAR = {"DT_BF16": 3e-3, "DT_FP16": 1e-3}
_NEAR_ELSE = 3e-4


class Fit:
    """A wrong window with its cone, and how far its elements are from where they should be."""

    def __init__(self, torch, trace, window, cone):
        self._torch, self._trace, self._window, self._cone = torch, trace, window, cone
        self._wanted = window.expected.double().reshape(-1)
        self._given = window.given.double().reshape(-1)
        self.near = _NEAR.get(trace.records[window.source].dtype, _NEAR_ELSE)

    def number(self, guess_of, start, step):
        """The number for which the guess `guess_of(number)` makes the window right, or None. With `start` it changes
        nothing; `start + step` is tried first."""
        if self._window.wrong < _FEWEST_WRONG or not bool(self._torch.isfinite(self._given).all()):
            return None
        made = self._made(guess_of(start + step))
        slope = None if made is None else (made - self._given) / step
        distance = first = _squared(self._wanted - self._given)
        if slope is None or not self._is_towards(slope):
            return None
        here, last = start, self._given
        for _ in range(_MOST_STEPS):
            at = here + float(slope @ (self._wanted - last)) / _squared(slope)
            made = None if at == here else self._made(guess_of(at))
            left = distance if made is None else _squared(self._wanted - made)
            if left > _LEAST_GAIN * distance:
                break
            slope, here, last, distance = (made - last) / (at - here), at, made, left
            if distance < _DONE * first or not _squared(slope):
                break
        return here if distance < _CLOSE * first else None

    def _is_towards(self, slope):
        distance = self._wanted - self._given
        most = _squared(slope) * _squared(distance)
        return most > 0.0 and float(slope @ distance) ** 2 > _LEAST_SHARE * most

    def _made(self, guess):
        """The elements of the window under a guess; None if they are not known or not finite."""
        try:
            made = self._trace.value(self._window.source, self._trace.replay(self._cone, guess)).double().reshape(-1)
        except (Unknown, RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
            return None
        is_usable = made.numel() == self._wanted.numel() and bool(self._torch.isfinite(made).all())
        return made if is_usable else None


def _squared(values):
    return float(values @ values)
