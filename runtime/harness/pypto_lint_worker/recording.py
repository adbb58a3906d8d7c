"""Records the comparisons of a test as leaves: detailed_tensor_compare, and those functions of numpy
and torch that tests of operators use."""
import contextlib
import functools
import os
import sys

from . import arithmetic, failures, loading, places, structure

COMPARISON = os.path.join(os.path.dirname(os.path.realpath(failures.HERE)),
                          "detailed_tensor_compare.py")
# (rtol, atol) of torch.testing.assert_close where none are given.
_DEFAULTS = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5),
             "float64": (1e-7, 1e-7), "complex64": (1.3e-6, 1e-5), "complex128": (1e-7, 1e-7)}


_DEEPEST = 8  # of lists in lists


class Withheld(AssertionError):
    """A comparison that failed, reported without its values."""


class Recorder:
    """Leaves in the order of the calls."""

    def __init__(self, torch, test_file):
        self.torch = torch
        self.leaves = []
        self._exact, self._telling = [], False
        self._test_file = os.path.realpath(test_file)
        self._inside = False  # of a comparison, which may call others
        self.watched = None  # a golden_record.GoldenRecord of the test, if its tensors are asked for
        self.compared = []  # then: (candidate, truth, (atol, rtol)) of each leaf

    def failed(self):
        """Was a comparison not close?"""
        return any(not leaf["all_close"] for leaf in self.leaves)

    def exact(self):
        """Were all floats equal bit for bit, and one of them telling?"""
        return self._telling and all(self._exact)

    def install(self, hooks):
        """Wraps the functions, now or when their module is imported."""
        hooks.on_name("numpy.testing", self._numpy)
        if "numpy.testing" in sys.modules:
            self._wrap_numpy(sys.modules["numpy.testing"])
        if "numpy" in sys.modules:
            self._wrap(sys.modules["numpy"], "allclose", 1e-5, 1e-8, own=True)
        self._wrap(self.torch, "allclose", 1e-5, 1e-8, own=True)
        testing = getattr(self.torch, "testing", None)
        for name in ("assert_close", "assert_allclose"):
            if hasattr(testing, name):
                self._wrap(testing, name, None, None)
        self._wrap_detailed()

    @contextlib.contextmanager
    def _numpy(self, module):
        yield
        self._wrap_numpy(module)

    def _wrap_numpy(self, module):
        self._wrap(module, "assert_allclose", 1e-7, 0.0)
        self._wrap(module, "assert_array_equal", 0.0, 0.0)

    def _wrap(self, owner, name, rtol, atol, own=False):
        """`own`: only calls in the test file itself count as its comparisons."""
        real = getattr(owner, name)

        @functools.wraps(real)
        def wrapped(*args, **kwargs):
            operands = _operands(args, kwargs)
            if self._inside or operands is None or (own and not self._called_by_test()):
                return real(*args, **kwargs)
            given = _tolerances(args[2:], kwargs, rtol, atol)
            with self._alone():
                result, raised = _call(real, args, kwargs)
            close = raised is None and result is not False
            self.record(None, *operands, given, close)
            if raised is None:
                return result
            raise Withheld("%s: the values differ" % name) from None

        setattr(owner, name, wrapped)

    def _wrap_detailed(self):
        """Loads our module, so that a test imports it, whatever folder it puts on the path."""
        module = loading.load_module(COMPARISON)
        real = module.detailed_tensor_compare

        @functools.wraps(real)
        def wrapped(tensor1, tensor2, tensor_name, rtol=1e-3, atol=1e-3, *args, **kwargs):
            result, close = None, False
            try:
                with self._alone():
                    result = real(tensor1, tensor2, tensor_name, rtol, atol, *args, **kwargs)
                close = bool(result["all_close"])
            finally:
                self.record(tensor_name, tensor1, tensor2, (rtol, atol), close)
            return result

        module.detailed_tensor_compare = wrapped

    @contextlib.contextmanager
    def _alone(self):
        before, self._inside = self._inside, True
        try:
            with self.watched.pause() if self.watched else contextlib.nullcontext():
                yield
        finally:
            self._inside = before

    def _called_by_test(self):
        return os.path.realpath(sys._getframe(2).f_code.co_filename) == self._test_file

    def record(self, name, candidate, truth, tolerances, close, depth=0):
        """Adds one leaf, or those of two sequences. `close` is the result of the comparison itself;
        for the parts of sequences that differ it is unknown."""
        if depth < _DEEPEST and isinstance(candidate, (list, tuple)) and \
                isinstance(truth, (list, tuple)) and len(candidate) == len(truth) and \
                self._has_tensors(truth):
            for mine, theirs in zip(candidate, truth):
                self.record(name, mine, theirs, tolerances, close or None, depth + 1)
            return
        mine, theirs = self._tensor(candidate), self._tensor(truth)
        if (mine is None or theirs is None) and close is not False:
            return  # equal, but no numbers
        if len(self.leaves) >= structure.MOST_LEAVES:
            if close is False and not self.failed():
                self.leaves.pop()
                self.compared = self.compared[:len(self.leaves)]
            else:
                return
        name = "out%d" % len(self.leaves) if name is None else failures.clean(str(name)[:200])
        with self._alone():
            leaf = structure.new_leaf(name, theirs, mine, self.torch)
            leaf["structure"] = self._difference(mine, theirs, close)
            if leaf["structure"] is None:
                self._measure(leaf, mine, theirs, tolerances, close)
        self.leaves.append(leaf)
        if self.watched is not None:
            self.compared.append((mine, theirs, tolerances[::-1]))

    def _difference(self, mine, theirs, close):
        if mine is None or theirs is None:
            return "not a tensor"
        return None if close is True or mine.shape == theirs.shape else "shape"

    def _measure(self, leaf, mine, theirs, tolerances, close):
        torch = self.torch
        if mine.shape != theirs.shape:  # they were close: one number against many
            mine, theirs = (part.contiguous() for part in torch.broadcast_tensors(mine, theirs))
        if mine.dtype != theirs.dtype:
            mine, theirs = mine.to(torch.float64), theirs.to(torch.float64)
        rtol, atol = tolerances
        if rtol is None or atol is None:
            rtol, atol = _DEFAULTS.get(arithmetic.dtype_name(theirs.dtype), (0.0, 0.0))
        metrics = arithmetic.measure(torch, mine, theirs, atol, rtol)
        structure.measured(leaf, metrics)
        # In numpy NaN equals NaN, here it does not.
        sure = metrics["all_close"] if close is None else close
        leaf["all_close"] = sure and (metrics["all_close"] or metrics["nonfinite"] == 0)
        where = None if leaf["all_close"] else places.of(torch, mine, theirs, atol, rtol)
        if where is not None:
            leaf["where"] = where
        if theirs.is_floating_point():
            self._exact.append(bool(metrics["exact"]))
            self._telling = self._telling or (self._exact[-1] and
                                              arithmetic.is_telling(torch, theirs))

    def _tensor(self, value):
        """The value as a host tensor; None where that is not possible."""
        torch = self.torch
        with self._alone():
            if isinstance(value, torch.Tensor):
                return arithmetic.host(value)
            import numpy
            for dtype in (None, "float64"):  # torch does not have all dtypes of numpy
                with contextlib.suppress(Exception):  # the user's objects
                    return torch.from_numpy(numpy.ascontiguousarray(value, dtype).copy())
        return None

    def _has_tensors(self, values):
        kinds = (self.torch.Tensor, list, tuple)
        return any(isinstance(value, kinds) or hasattr(value, "__array__") for value in values)


def _call(function, args, kwargs):
    """(result, None), or (None, what it raised when the values differ)."""
    try:
        return function(*args, **kwargs), None
    except AssertionError as error:
        return None, error


# Names of the operands, by function.
_OPERANDS = (("actual", "desired"), ("actual", "expected"), ("input", "other"), ("a", "b"),
             ("x", "y"))


def _operands(args, kwargs):
    """(candidate, truth) of a call; None when it has none."""
    for names in _OPERANDS:
        missing = names[len(args):]
        if all(name in kwargs for name in missing):
            return tuple(args[:2]) + tuple(kwargs[name] for name in missing)
    return None


def _tolerances(positional, kwargs, rtol, atol):
    """(rtol, atol) of a call."""
    rtol = positional[0] if positional else kwargs.get("rtol", rtol)
    atol = positional[1] if len(positional) > 1 else kwargs.get("atol", atol)
    try:
        return (None if rtol is None else float(rtol)), (None if atol is None else float(atol))
    except (TypeError, ValueError):
        return None, None
