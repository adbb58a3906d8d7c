"""Is a right result right again? The kernel's process calls the wrapper with other inputs and then
with the same ones, all in fresh memory, and sends its first result a second time in between."""
from . import arguments, arithmetic, kernel, structure
from .result import Result

FAR = 10  # times the tolerance is allowed for other inputs
FEW = 0.02  # of their elements may be beyond even that


class Plan:
    """Whether the wrapper is called again, and with which inputs; if not, why."""

    def __init__(self, case, job):
        self._case, self._job = case, job
        self.others, self.why = None, None
        if not job.get("precision", True):
            self.why = "structure only"
        elif case.result.seconds_of("inputs", "golden") > kernel.REPEAT_SECONDS:
            self.why = "slow"
        self.wanted = self.why is None
        if self.wanted:
            self.others = self._draw()

    def _draw(self):
        """Inputs from another seed; None if they are the same or cannot be made."""
        case, job = self._case, self._job
        seed = job["case"].get("seed", 42)
        other = dict(job["case"], seed=seed + 1 if isinstance(seed, int) else 43)
        try:
            values, names = arguments.make(dict(job, case=other), case.packages, Result())
        except Exception:  # the case works with this seed only
            return None
        if names != case.names or not arguments.modified(case.torch, names, values, case.values,
                                                         set()):
            return None
        return values

    def judge(self, answer, reference, truth):
        """{status, finding, why}: docs/internals/harness.md, "Repeated calls"."""
        case, claimed = self._case, answer.claims["repeat"]
        if not self.wanted:
            return _not_checked(self.why)
        if any(not leaf["all_close"] for leaf in case.result.leaves):
            return self._of_wrong(answer, truth)
        if claimed["error"] is not None:
            return _failed("raised", claimed["error"]["type"])
        if not claimed["done"]:
            excused = _is_excused(claimed["why"], answer, truth)
            return _not_checked(claimed["why"]) if excused else _failed("untold")
        if not answer.reader.has(2) or not answer.reader.has(3):
            return _failed("untold")
        if not answer.reader.same(0, 3):
            return _failed("stale output")
        return self._of_later(answer, reference, truth)

    def _of_later(self, answer, reference, truth):
        again = self._right(answer.outputs(2, truth), truth)
        between, wanted = True, None
        if self.others is not None:
            wanted = self._truth_of_others(reference)
        if wanted is not None:
            between = self._like(answer.outputs(1, wanted), wanted)
        if again and between:
            why = "other bits" if not answer.reader.same(0, 2) else \
                None if wanted is not None else "same inputs"
            return {"status": "passed", "finding": None, "why": why}
        returned = answer.reader.same(0, 1) if not between else answer.reader.same(1, 2)
        if returned and (again or between):
            return _failed("stale output")
        if not between and not again:
            return _failed("first call only")
        return _failed("flaky" if between else "input-dependent state")

    def _of_wrong(self, answer, truth):
        """The first call is wrong; was a later one right, or wrong in another way?"""
        if answer.claims["repeat"]["done"] and answer.reader.has(2) and \
                (not answer.reader.same(0, 2) or self._right(answer.outputs(2, truth), truth)):
            return _failed("flaky")
        return _not_checked("wrong")

    def _truth_of_others(self, reference):
        """The reference's outputs; None if it cannot be called with these inputs."""
        case = self._case
        try:
            value = case.call(reference, reference.function, self.others)
            truth = structure.check_reference(case.torch, value, reference.name)
            finite = all(bool(case.torch.isfinite(arithmetic.host(leaf)).all()) for leaf in truth
                         if leaf.is_floating_point())
            return truth if finite else None
        except Exception:  # of any kind: these inputs are not in its suite
            return None

    def _compare(self, candidate, truth, times):
        leaves, _ = structure.compare(self._case.torch, candidate, truth,
                                      times * self._job["atol"], times * self._job["rtol"])
        return leaves

    def _right(self, candidate, truth):
        return all(leaf["all_close"] for leaf in self._compare(candidate, truth, 1))

    def _like(self, candidate, truth):
        """Right, as far as inputs outside the suite can show: the tolerances are made for the suite,
        and a tie may be rounded either way."""
        for leaf in self._compare(candidate, truth, FAR):
            few = leaf["structure"] is None and \
                leaf["out_of_tolerance"] <= max(1, FEW * leaf["elements"])
            if not leaf["all_close"] and not few:
                return False
        return True


def _is_excused(why, answer, truth):
    """Was the first call slow, or are its outputs large, as the kernel's process claims?"""
    if why == "large":
        size = sum(leaf.numel() * leaf.element_size() for leaf in truth)
        return size > kernel.REPEAT_BYTES
    return answer.seconds >= kernel.REPEAT_SECONDS


def _failed(finding, kind=None):
    return {"status": "failed", "finding": finding, "why": kind}


def _not_checked(why):
    return {"status": "not checked", "finding": None, "why": why}
