"""Kinds `compose` and `self_test`: the composed reference of a phase against the operator's own."""
from . import arguments, case, dimensions, structure

_ITSELF = ("the operator has one module and no module files: its reference is held against a second "
           "run of itself")


def run(job, result, packages):
    """The kind's work; what it finds goes into the result."""
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


def _draw(job, packages, result):
    """(values, names) for the primary inputs of the contract."""
    del result
    generator = packages.torch.Generator()
    generator.manual_seed(int(job["seed"]))
    values = {}
    for entry in job["primary_inputs"]:
        values[entry["name"]] = dimensions.draw(packages.torch, generator, entry,
                                                job.get("shape") or {})
    return values, list(values)
