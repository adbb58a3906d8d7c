"""Kinds `compose` and `self_test`: the composed reference of a phase against the operator's own."""
from . import arguments, case, structure
from .failures import Contract

_ITSELF = ("the operator has one module and no module files: its golden is compared with a second "
           "run of itself")


def run(job, result, packages):
    """Runs the job; puts what it finds into the result."""
    made = case.Case(job, result, packages, _draw if job["kind"] == "compose" else arguments.make)
    result.enter("golden")
    reference = made.load(job["reference"], job["reference_function"])
    truth = _leaves(made, reference)
    composed = made.load(job["golden"], job["golden_function"])
    candidate = _leaves(made, composed)
    if job["golden"] == job["reference"]:
        result.warnings.append(_ITSELF)
    result.enter("compare")
    result.leaves, _ = structure.compare(packages.torch, candidate, truth, job["atol"], job["rtol"])
    if case.differs(result.leaves) and not made.touched:
        result.golden_deterministic = case.repeats(made, reference, truth) and \
            case.repeats(made, composed, candidate)


def _leaves(made, reference):
    return structure.check_reference(made.torch, made.call(reference, reference.function),
                                     reference.name)


_MOST_INTEGER = 8  # drawn integers lie below it, and below every extent: they may be indices


def _draw(job, packages, result):
    """(values, names) for the primary inputs of the contract."""
    del result
    generator = packages.torch.Generator()
    generator.manual_seed(int(job["seed"]))
    values = {}
    for entry in job["primary_inputs"]:
        values[entry["name"]] = _value(packages.torch, generator, entry, job["shape"])
    return values, list(values)


def _value(torch, generator, entry, numbers):
    """The value of one primary input {name, shape, dtype, problem}: normal floats, small integers,
    bools; for `int` and `float` a Python number, which is the extent of the dimension of that name if
    there is one. `problem`: why there is no shape."""
    dtype = entry.get("dtype") or "float32"
    if dtype in ("int", "float"):
        if type(numbers.get(entry["name"])) is int:
            return numbers[entry["name"]]
        return 1 if dtype == "int" else 1.0
    if entry.get("problem"):
        raise Contract(entry["problem"])
    kind = getattr(torch, dtype, None)
    if not isinstance(kind, torch.dtype):
        raise Contract("no dtype is called %s" % dtype)
    if kind.is_floating_point:
        return torch.randn(entry["shape"], generator=generator).to(kind)
    smallest = min([n for n in numbers.values() if type(n) is int and n > 0] or [_MOST_INTEGER])
    limit = 2 if kind is torch.bool else max(1, min(_MOST_INTEGER, smallest))
    return torch.randint(0, limit, entry["shape"], generator=generator).to(kind)
