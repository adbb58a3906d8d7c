"""Blame for an operator that its own test runs (kind `tests`): the reference is whatever the test computes with
torch outside of the wrappers, and the outputs are what it compares."""
import contextlib
import functools
import inspect

from . import arithmetic, blame, blame_record, claims, golden_record, structure


class Search:
    """What one test function shows; `job`, `torch`, `values` and `result` are what blame.search asks for."""

    def __init__(self, job, result, packages, recorder):
        self.job, self.result, self.torch = dict(job), result, packages.torch
        self.values, self._returned = {}, []
        self._recorder, self._reference = recorder, golden_record.GoldenRecord(packages.torch)

    @contextlib.contextmanager
    def watching(self):
        """Watches launches and the test's own operations while the block runs."""
        self._recorder.watched = self._reference
        blame_record.start()
        with golden_record.recording(self.torch, self._reference):
            yield

    def of_wrapper(self, wrapper):
        """The wrapper; its inputs and outputs are noted, its operations are not the reference's."""

        @functools.wraps(wrapper)
        def call(*args, **kwargs):
            with self._reference.pause():
                self._note_inputs(wrapper, args, kwargs)
                value = wrapper(*args, **kwargs)
                self._returned += [arithmetic.host(leaf).clone() for leaf in structure.outputs(value)
                                   if isinstance(leaf, self.torch.Tensor)]
                self.job["wrapper_function"] = wrapper.__name__
            return value
        return call

    def _note_inputs(self, wrapper, args, kwargs):
        try:
            given = inspect.signature(wrapper).bind(*args, **kwargs).arguments
        except TypeError:
            return  # the call will raise
        for name, value in given.items():
            if isinstance(value, self.torch.Tensor):
                self.values["%d %s" % (len(self.values), name)] = value.detach().clone()

    def answer(self):
        """`blame` of the result."""
        try:
            records, elements, left_out = blame_record.take()
            precision = claims.precision(blame_record.precision(), self.job)
            truth, given = self._outputs()
            found = blame.search(self, (records, elements), self._reference, truth, given)
        except Exception as error:  # the verdict does not need it
            return {"status": "failed", "why": type(error).__name__}
        found["precision"] = precision
        found["left_out"] = left_out + self._reference.left_out
        return found

    def _outputs(self):
        """(truth, given) of each leaf. A test often converts an output before it compares: then what
        the wrapper returned takes its place. The tolerance is that of the first leaf that differs."""
        truth, given = [], []
        for leaf, (mine, theirs, tolerance) in zip(self.result.leaves, self._recorder.compared):
            if mine is None or theirs is None or leaf["structure"] is not None:
                mine = theirs = self.torch.zeros(0)
            elif not leaf["all_close"] and "atol" not in self.job:
                self.job["atol"], self.job["rtol"] = (part or 0.0 for part in tolerance)
            given.append(self._as_returned(mine))
            truth.append(theirs.expand(mine.shape) if theirs.numel() == 1 else theirs)
        return truth, given

    def _as_returned(self, tensor):
        for returned in self._returned:
            if returned.numel() == tensor.numel() and returned.dtype != tensor.dtype and \
                    arithmetic.same_bits(self.torch, returned.to(tensor.dtype).reshape(tensor.shape),
                                         tensor):
                return returned.reshape(tensor.shape)
        return tensor
