"""Kind `bisect`: from which iteration on do intermediates of a kernel differ from the reference, and
which is the first? docs/kernel-authors/bisect.md. Only relative errors, counts and places leave."""
import math

from . import arithmetic, case, drift_blocks, drift_probe, drift_reference, outputs, watches
from .failures import Contract

_MOST_STEPS = 2000  # in the result, of one expression
_GROWS = 4  # times the first error: then it grows
# A value that is kept in 16 bits is rounded in each iteration: two units in the last place are not drift.
_ROUNDING = {"bfloat16": 2.0 ** -7, "float16": 2.0 ** -10}
_AMBIGUOUS = "the kernel computes it at several places in the same iteration (functions with the same " \
    "variable, or a function that is called at several places): give its `line`, or watch what the " \
    "function returns"
_ANOTHER_ORDER = "the kernel's loop takes the blocks in another order than the reference"


def run(job, result, packages):
    """Runs the job; puts what it finds into the result."""
    if job.get("propose"):
        axis, found = watches.propose(job["impl"])
        result.bisect = {"axis": axis, "proposed": [{"name": name, "line": line}
                                                    for name, line in found]}
        return
    plan = watches.Plan(job["impl"], [watches.Watch(entry) for entry in job["watches"]],
                        job.get("axis"))
    one_case = case.Case(job, result, packages)
    result.enter("golden")
    truths = drift_reference.find(one_case, plan)
    if job.get("probe"):
        probes = _Probes(one_case, plan, truths)
        answer = one_case.ask(more=probes.buffers)
        result.enter("compare")
        taken = probes.taken(answer)
    else:
        answer = one_case.ask()
        result.enter("compare")
        taken = _taken(answer, len(plan.watches))
    found = [_judge(one_case, plan, number, taken[number], truths[number], answer)
             for number in range(len(plan.watches))]
    result.bisect = {"axis": job.get("axis"), "watches": found,
                     "first": _first(found, _claimed(answer, "order") or [])}


class _Taken:
    """A snapshot as the kernel's process describes it."""

    def __init__(self, place, key, dtype, shape, value=None):
        self.place, self.key, self.dtype, self.shape = place, key, dtype, shape
        self.value = value  # None: among the outputs of the process, at its place


def _without_loop(plan, number, truth):
    """Why a probe's buffer has no size, which comes from the reference's iterations; None: it has one."""
    if truth.steps[0][0] or not any(plan.indices(site) for site in plan.sites[number]):
        return None
    return "a probe needs a reference that computes it in a loop, or along an axis (golden_axis)"


class _Probes:
    """Buffers that a probe file fills: NaN where nothing was written."""

    def __init__(self, one_case, plan, truths):
        torch = self._torch = one_case.torch
        device = next((value.device for value in one_case.values.values()
                       if isinstance(value, torch.Tensor)), None)
        self.buffers, self._layout, self._count = {}, {}, len(plan.watches)
        for number, truth in enumerate(truths):
            truth.why = truth.why or drift_probe.why_not(plan, number) or _without_loop(plan, number, truth)
            form = None if truth.why else self._form(truth)
            if form is None:
                truth.why = truth.why or "on a device only tensors of two axes can be watched"
                continue
            rows, columns, iterations, outer = form
            self._layout[number] = (rows, iterations)
            self.buffers[drift_probe.buffer_name(number)] = torch.full(
                (rows * iterations * outer, columns), float("nan"), device=device)
        self.buffers[drift_probe.LAYOUT] = self._layout

    @staticmethod
    def _form(truth):
        """(rows, columns, iterations, outer iterations) of a snapshot."""
        keys, shape = [key for key, _ in truth.steps], list(truth.steps[0][1].shape)
        iterations = len({key[-1:] for key in keys})
        outer = len(keys) // iterations
        while len(shape) > 2:  # axes that the reference computes at once are outer loops of the kernel
            outer *= shape.pop(0)
        return (shape[0], shape[1], iterations, outer) if len(shape) == 2 else None

    def taken(self, answer):
        """The snapshots by watch."""
        found = [[] for _ in range(self._count)]
        names = [name for name in self.buffers if name != drift_probe.LAYOUT]
        wanted = [self._torch.empty(self.buffers[name].shape) for name in names]
        for name, filled in zip(names, answer.outputs(0, wanted)):
            (number,) = drift_probe.numbers_of([name])
            if filled is None or filled.shape != self.buffers[name].shape or \
                    filled.dtype != self._torch.float32:
                raise Contract("the kernel's process has made another tensor of a probe's buffer")
            found[number] = self._cut(filled, *self._layout[number])
        return found

    def _cut(self, filled, rows, iterations):
        blocks = filled.to(self._torch.float64).reshape(-1, iterations, rows, filled.shape[1])
        dtype, found = self._kept_in(filled), []
        for outer in range(blocks.shape[0]):
            for index in range(iterations):
                block = blocks[outer, index]
                written = ~block.isnan().all(1)
                if index + 1 == iterations:  # a tail; elsewhere NaN is what the kernel computed
                    block = block[:int(written.nonzero().max()) + 1 if written.any() else 0]
                if written.any():
                    key = (outer, index) if blocks.shape[0] > 1 else (index,)
                    found.append(_Taken(len(found), key, dtype, list(block.shape),
                                        block.contiguous()))
        return found

    def _kept_in(self, filled):
        """The dtype that the kernel keeps it in, as far as all its numbers show it."""
        finite = filled[filled.isfinite()]
        for name in _ROUNDING:
            if finite.numel() and self._torch.equal(
                    finite.to(getattr(self._torch, name)).to(finite.dtype), finite):
                return name
        return "float32"


def _first(found, order):
    """The number of the watch that drifts first. In the same iteration that is the one that the kernel's
    process claims to compute first; without a claim, the one at the earlier line."""
    drifting = [number for number, one in enumerate(found) if one["onset"] is not None]
    return min(drifting, default=None, key=lambda number: (
        found[number]["onset"], order.index(number) if number in order else len(order), found[number]["line"]))


def _claimed(answer, key):
    """A list that the kernel's process claims about its snapshots; None if there is no such list."""
    claimed = answer.reader.claims.get("snapshots")
    found = claimed.get(key) if isinstance(claimed, dict) else None
    return found if isinstance(found, list) else None


def _is_integers(value, least):
    return isinstance(value, list) and len(value) <= 16 and \
        all(type(item) is int and item >= least for item in value)


def _taken(answer, count):
    """The snapshots by watch. The kernel's process claims them; only well-formed entries count."""
    claimed = _claimed(answer, "taken")
    if claimed is None:
        raise Contract("the kernel's process has left no snapshots")
    found = [[] for _ in range(count)]
    for place, entry in enumerate(claimed):
        if not isinstance(entry, list) or len(entry) != 4 or type(entry[0]) is not int or \
                not 0 <= entry[0] < count or not _is_integers(entry[1], -2 ** 62) or \
                not isinstance(entry[2], str) or not _is_integers(entry[3], 0):
            continue
        dtype = entry[2] if entry[2] in outputs.DTYPES else None
        found[entry[0]].append(_Taken(place, tuple(entry[1]), dtype, entry[3]))
    return found


def _judge(one_case, plan, number, taken, truth, answer):
    """What is said of one watch."""
    watch = plan.watches[number]
    told = {"name": watch.name, "expression": watch.expression, "line": plan.line(number),
            "carried": plan.is_carried(number), "why": truth.why, "onset": None, "outer": None,
            "pattern": None, "grows": False, "loop_carried": None, "iterations": 0, "dtype": None,
            "shape": None, "worst": None, "steps": []}
    if not taken:
        told["why"] = told["why"] or "the kernel never computed it as a tensor in this case"
        return told
    told["dtype"], told["shape"] = taken[0].dtype, taken[0].shape
    if number in (_claimed(answer, "several") or []):  # a wrong claim can only prevent a comparison
        told["why"] = told["why"] or _AMBIGUOUS
    outers = sorted({one.key[:-1] for one in taken})
    iterations = sorted({one.key[-1:] for one in taken})
    told["iterations"] = len(iterations)
    if told["why"] is None:
        truth = _in_blocks(taken, truth)
        told["why"] = _matching(taken, truth, outers, iterations)
    if told["why"] is None:
        told["why"] = _compare(one_case, watch, taken, (outers, iterations, truth), answer, told)
    if told["why"] is None:
        _describe(told)
    return told


def _in_blocks(taken, truth):
    """The reference, cut into the kernel's blocks if it has them in one tensor outside of loops."""
    if len(truth.steps) != 1 or truth.steps[0][0] or len(taken) == 1:
        return truth
    whole, keys, shapes = truth.steps[0][1], [one.key for one in taken], [one.shape for one in taken]
    parts = drift_blocks.cut(whole, shapes)
    parts = drift_blocks.cut_by_outer_loops(whole, keys, shapes) if parts is None else parts
    if parts is None:
        return truth
    return drift_reference.Truth([(one.key, part) for one, part in zip(taken, parts)], is_cut=True)


def _matching(taken, truth, outers, iterations):
    """Why iterations of kernel and reference cannot be matched; None: they can."""
    if len(taken) != len(outers) * len(iterations):
        return "the kernel computes it in %d of %d iterations" % (
            len(taken), len(outers) * len(iterations))
    if len(truth.steps) not in (len(taken), len(iterations)):
        return "the reference has it in %d iterations, the kernel in %d" % (
            len(truth.steps), len(taken))
    return None


def _theirs(one, place, parts):
    """The part of the reference for a snapshot; None when it has another size."""
    outers, iterations, truth = parts
    if len(truth.steps) == len(outers) * len(iterations) and len(truth.steps[0][0]) > 1 or \
            len(outers) == 1:
        whole = truth.steps[place if len(outers) > 1 else iterations.index(one.key[-1:])][1]
        return whole
    whole = truth.steps[iterations.index(one.key[-1:])][1]
    if whole.numel() % len(outers):
        return None
    return whole.contiguous().reshape(len(outers), -1, *_tail(whole, len(outers)))[
        outers.index(one.key[:-1])]


def _tail(tensor, count):
    """The last axes, after those that together are the outer loops."""
    leading, axis = 1, 0
    while axis < tensor.dim() and leading < count:
        leading *= tensor.shape[axis]
        axis += 1
    return list(tensor.shape[axis:]) if leading == count else list(tensor.shape[-1:])


def _fitted(theirs, shape, may_be_padded):
    """The reference's tensor in the kernel's shape: without axes of one element, with its rows joined, or
    only its valid part. None if the shapes differ otherwise."""
    if theirs is None:
        return None
    mine = [extent for extent in shape if extent != 1]
    theirs = theirs.squeeze()
    yours = list(theirs.shape)
    if mine == yours:
        return theirs.reshape(shape)
    if may_be_padded and len(mine) == len(yours) and all(a <= b for a, b in zip(mine, yours)):
        for axis, extent in enumerate(mine):
            theirs = theirs.narrow(axis, 0, extent)
        return theirs.reshape(shape)
    if mine and yours and mine[-1] == yours[-1] and math.prod(mine) == math.prod(yours):
        return theirs.reshape(shape)
    return None


def _tolerances(watch, job, dtype):
    rtol = float(job["rtol"] if watch.rtol is None else watch.rtol)
    atol = float(job["atol"] if watch.atol is None else watch.atol)
    return atol, rtol if watch.rtol is not None else max(rtol, _ROUNDING.get(dtype, 0.0))


def _compare(one_case, watch, taken, parts, answer, told):
    """Fills in the steps; returns why it cannot."""
    torch, wanted, truth = one_case.torch, {}, parts[2]
    # What the manifest names as a part, or one of several launches computes, may not begin where the reference does.
    may_be_padded = bool(truth.steps[0][0]) and "[" not in watch.expression
    for place, one in enumerate(taken):
        theirs = _theirs(one, place, parts)
        fitted = _fitted(theirs, one.shape, may_be_padded)
        if fitted is None:
            return "the kernel has shape %s, the reference %s" % (
                one.shape, "another" if theirs is None else list(theirs.shape))
        wanted[one.place] = fitted.to(torch.float64).contiguous()
    leaves = None if taken[0].value is not None else answer.outputs(0, _Wanted(wanted))
    steps, values = {}, []
    for one in taken:
        theirs, mine = wanted[one.place], one.value
        if leaves is not None:
            mine = leaves[one.place] if one.place < len(leaves) else None
        if mine is None or mine.shape != theirs.shape or mine.dtype != theirs.dtype:
            return "the kernel's process handed over another tensor than it describes"
        tolerances = _tolerances(watch, one_case.job, one.dtype)
        _add_step(torch, steps, one, mine, theirs, tolerances)
        values.append(mine)
    if truth.is_cut and drift_blocks.is_in_another_order(
            values, [wanted[one.place] for one in taken],
            lambda *pair: arithmetic.measure(torch, *pair, *tolerances)["all_close"]):
        return _ANOTHER_ORDER
    told["steps"] = [steps[index] for index in sorted(steps)]
    return None


class _Wanted:
    """The reference's tensors by place, as Reader.leaves() asks for them."""

    def __init__(self, tensors):
        self._tensors = tensors

    def __len__(self):
        return max(self._tensors, default=-1) + 1

    def __getitem__(self, place):
        return self._tensors.get(place)


def _add_step(torch, steps, one, mine, theirs, tolerances):
    """Adds a comparison to those of its iteration in other outer loops."""
    metrics = arithmetic.measure(torch, mine, theirs, *tolerances)
    largest = float(theirs.abs().max()) if theirs.numel() else 0.0
    error = _relative(metrics["max_abs_diff"], largest)
    step = steps.setdefault(one.key[-1:], {
        "iter": one.key[-1] if one.key else 0, "relative_error": 0.0, "out_of_tolerance": 0,
        "elements": 0, "nonfinite": 0, "all_close": True, "outer": None})
    known = error is not None and step["relative_error"] is not None
    step["relative_error"] = max(error, step["relative_error"]) if known else None
    for name in ("out_of_tolerance", "elements", "nonfinite"):
        step[name] += metrics[name]
    if not metrics["all_close"] and step["all_close"]:
        step["all_close"], step["outer"] = False, list(one.key[:-1])


def _relative(difference, largest):
    """To three digits: more would be a value of the reference where it has one element."""
    if difference is None or not math.isfinite(difference) or not math.isfinite(largest):
        return None
    if difference == 0.0:
        return 0.0
    return None if largest == 0.0 else float("%.3g" % (difference / largest))


def _describe(told):
    """Onset, pattern, and whether an error is handed from iteration to iteration."""
    steps = told["steps"]
    bad = [not step["all_close"] for step in steps]
    errors = [step["relative_error"] for step in steps if step["relative_error"] is not None]
    told["worst"] = max(errors, default=None)
    if True in bad:
        onset = bad.index(True)
        told["onset"], told["outer"] = onset, steps[onset]["outer"]
        told["pattern"] = _pattern(bad, onset)
        first, last = steps[onset]["relative_error"], steps[-1]["relative_error"]
        told["grows"] = bool(first and last and last >= _GROWS * first)
        told["loop_carried"] = None if told["carried"] and told["pattern"] == "last" else \
            told["carried"] and told["pattern"] in ("all", "from")
        told["onset_iter"] = steps[onset]["iter"]
    told["steps"] = steps[:_MOST_STEPS]


def _pattern(bad, onset):
    """Which iterations differ: all, from one on, the first or the last only, some."""
    if len(bad) > 1 and onset == len(bad) - 1:
        return "last"
    if all(bad[onset:]):
        return "all" if onset == 0 else "from"
    return "first" if onset == 0 and not any(bad[1:]) else "some"
