"""Finds the number that an operation should have without a list of candidates. Another number moves the elements of a wrong
window in one direction. If that is towards the expected elements, a few steps lead there. If not, one replay rules out all
numbers for the operation."""
from . import replay_ops

_LEAST_SHARE = 0.25  # of the squared distance that the first direction must explain
_MOST_LEFT = 0.5  # of the squared distance after each step
_MOST_STEPS = 10
_FEWEST_WRONG = 8  # elements; fewer can be made right by many numbers
_DONE = 1e-12  # of the squared distance; what is left is rounding
_CLOSE = 1e-3  # of the squared distance; if more is left, no number was found
# How close a fitted number is to the one that was meant, by the dtype of the output.
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
        """The number for which the guess `guess_of(number)` makes the window right, or None. The guess for `start`
        changes nothing; `start + step` is tried first."""
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
            if left > _MOST_LEFT * distance:
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
        except replay_ops.FAILURES:
            return None
        is_usable = made.numel() == self._wanted.numel() and bool(self._torch.isfinite(made).all())
        return made if is_usable else None


def _squared(values):
    return float(values @ values)
