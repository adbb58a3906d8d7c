"""What a reference has where a kernel is watched: the buffers of module_<k>_inspect(), or variables of
the reference itself, seen in a copy of its text in memory. Nothing of it leaves the judge."""
import sys

from . import arithmetic, callers, loading, streams, watches

_ITERATIONS = 2  # the axis of inspection buffers [B, H, NT, …]
_NAME = "_pypto_lint_reference"


class Truth:
    """The values of one expression: (key, tensor) by iteration, or why there are none. `is_cut`: the
    reference has no iterations, and its tensor was cut into the kernel's blocks."""

    def __init__(self, steps=None, why=None, is_cut=False):
        self.steps, self.why, self.is_cut = steps or [], why, is_cut


class _Watched(loading.Reference):
    """A reference with hooks in it."""

    def __init__(self, path, function, text, hook):
        self.path, self.name, self.names = path, function, []
        self._module = loading.load_text(path, _NAME, text, [(watches.HOOK, hook)])
        self.function = loading.function_of(self._module, function)


def find(case, plan):
    """A Truth for each watch of the plan."""
    job = case.job
    reference = case.load(job["golden"], job["golden_function"])
    buffers = _inspected(case, reference)
    truths, rest = {}, []
    for number, watch in enumerate(plan.watches):
        buffer = buffers.get(watch.golden or watch.name)
        if buffer is not None:
            truths[number] = _sliced(buffer, _ITERATIONS if watch.golden_axis is None
                                     else watch.golden_axis)
        else:
            rest.append(number)
    truths.update(_variables(case, reference, plan, rest))
    return [truths[number] for number in range(len(plan.watches))]


def _inspected(case, reference):
    """{name: tensor} of the file's inspect function, if it has one."""
    name = "module_%d_inspect" % case.job["module"]
    if not reference.has(name):
        return {}
    found = case.call(reference, reference.other(name))
    return {key: arithmetic.host(value) for key, value in found.items()
            if isinstance(value, case.torch.Tensor)} if isinstance(found, dict) else {}


def _sliced(tensor, axis):
    if not -tensor.dim() <= axis < tensor.dim():
        return Truth(why="the reference's tensor has no axis %d" % axis)
    return Truth([((index,), tensor.select(axis, index)) for index in range(tensor.shape[axis])])


def _entry(watch):
    """The reference's expression for a watch: as the manifest says, else of the same name."""
    expression = watch.golden or watch.name
    if not watch.golden and not watch.name.isidentifier():
        expression = watches.root_of(watch.expression, "snapshot '%s'" % watch.name)
    return watches.Watch({"name": watch.name, "expression": expression})


def _variables(case, reference, plan, numbers):
    wanted = [_entry(plan.watches[number]) for number in numbers]
    there = watches.Plan(reference.path, wanted, None, complain=False)
    seen = [dict() for _ in wanted]  # {key: (way, tensor)}
    counted, several = callers.Numbers(), set()

    def hook(number, value, *indices):
        if isinstance(value, case.torch.Tensor):
            way, indices = there.reached(sys._getframe(1), indices)
            key = counted.key(number, indices)
            if key in seen[number] and seen[number][key][0] != way:
                several.add(number)
            seen[number][key] = way, value.detach().clone()

    if numbers and len(there.missing) < len(wanted):
        with streams.silence():
            watched = _Watched(reference.path, reference.name, there.instrumented(), hook)
        watched.names = reference.names
        case.call(watched, watched.function)
    found = {}
    for place, number in enumerate(numbers):
        watch = plan.watches[number]
        steps = [(key, arithmetic.host(value)) for key, (_, value) in sorted(seen[place].items())]
        if not steps and isinstance(case.values.get(watch.golden), case.torch.Tensor):
            steps = [((), arithmetic.host(case.values[watch.golden]))]  # a parameter of the reference
        if not steps:
            found[number] = Truth(why="the reference has no buffer and no tensor '%s' "
                                      "(module_%d_inspect, or `golden:` in the manifest)"
                                      % (wanted[place].expression, case.job["module"]))
        elif place in several:
            found[number] = Truth(why="the reference computes '%s' at several places in an iteration"
                                      % wanted[place].expression)
        elif watch.golden_axis is not None and len(steps) == 1:
            found[number] = _sliced(steps[0][1], watch.golden_axis)
        else:
            found[number] = Truth(steps)
    return found
