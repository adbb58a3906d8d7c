"""Inspection: an intermediate of the kernel, iteration by iteration, instead of its outputs."""
from . import arithmetic
from .failures import Contract

ITERATION_AXIS = 2  # [B, H, NT, …]
MOST_ITERATIONS = 20000  # in a report


class Inspected:
    """A buffer that the wrapper fills, and the contents that it should have."""

    def __init__(self, name, truth, buffer):
        self.name, self.truth, self.buffer = name, truth, buffer

    def keywords(self):
        """The keyword arguments that give the buffer to the wrapper."""
        return {"inspection_" + self.name: self.buffer}


def run(case, reference):
    """Runs a case and compares its inspection buffer."""
    inspected = prepare(case, reference)
    answer = case.ask(more=inspected.keywords())
    (filled,) = answer.outputs(0, (inspected.truth,)) or (None,)
    if filled is None or filled.shape != inspected.truth.shape or \
            filled.dtype != inspected.truth.dtype:
        raise Contract("the wrapper has made another tensor of the buffer '%s'" % inspected.name)
    inspected.buffer = filled
    compare(case, inspected)


def prepare(case, reference):
    """Asks the reference for the buffer's contents, which also give its shape and dtype."""
    torch, name = case.torch, case.job["inspect"]
    function = "module_%d_inspect" % case.job["module"]
    found = case.call(reference, reference.other(function))
    if not isinstance(found, dict) or name not in found:
        raise Contract("%s() gives no buffer '%s'" % (function, name))
    truth = found[name]
    if not isinstance(truth, torch.Tensor) or truth.dim() <= ITERATION_AXIS:
        raise Contract("%s(): the buffer '%s' must be a tensor [B, H, NT, …]" % (function, name))
    if truth.shape[ITERATION_AXIS] > MOST_ITERATIONS:
        raise Contract("%s(): the buffer '%s' has more than %d iterations"
                       % (function, name, MOST_ITERATIONS))
    return Inspected(name, truth, torch.zeros_like(truth, memory_format=torch.contiguous_format))


def compare(case, inspected):
    """Adds one entry for each iteration. The outputs are not compared."""
    case.result.enter("inspect")
    torch, job = case.torch, case.job
    mine, theirs = arithmetic.host(inspected.buffer), arithmetic.host(inspected.truth)
    steps = []
    for index in range(theirs.shape[ITERATION_AXIS]):
        metrics = arithmetic.measure(torch, mine.select(ITERATION_AXIS, index).contiguous(),
                                     theirs.select(ITERATION_AXIS, index).contiguous(),
                                     job["atol"], job["rtol"])
        steps.append({"iter": index, "max_abs_diff": metrics["max_abs_diff"],
                      "max_rel_diff": metrics["max_rel_diff"], "all_close": metrics["all_close"]})
    case.result.inspection = {"name": inspected.name, "per_iter": steps}
