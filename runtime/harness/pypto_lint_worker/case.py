"""Kind `case`: inputs, reference on copies of them, wrapper on themselves, comparison."""
import ast
import sys

from . import arguments, arithmetic, failures, inspection, loading, streams, structure

# A reference that calls none of these may well be met to the last bit.
_TRANSCENDENTAL = frozenset("""
    exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh asin acos atan atan2 sigmoid
    logsigmoid softmax log_softmax logsumexp erf erfc erfinv gelu silu softplus mish elu selu celu
    pow sqrt rsqrt rms_norm layer_norm group_norm batch_norm normalize cross_entropy lgamma
    digamma scaled_dot_product_attention logcumsumexp std var norm
    exp_ log_ sqrt_ rsqrt_ pow_ tanh_ sigmoid_""".split())


class Case:
    """Its inputs and its reference; what both kinds `case` and `self_test` begin with."""

    def __init__(self, job, result, packages, make=arguments.make):
        self.job, self.result, self.packages, self.torch = job, result, packages, packages.torch
        loading.prepare_path(job["op_dir"])
        result.enter("inputs")
        self.values, self.names = make(job, packages, result)
        self.touched = set()
        self.copies = None
        self.chosen = None

    def positional(self, names, values=None):
        """The arguments of a call."""
        values = self.values if values is None else values
        return [values[name] for name in names]

    def load(self, path, function):
        """A reference, its import silenced."""
        with streams.silence():
            reference = loading.Reference(path, function)
        self.chosen = reference.names = arguments.of_reference(reference.function, self.names)
        return reference

    def call(self, reference, function):
        """What a function of the reference gives for copies of the inputs."""
        copies = arguments.clone(self.torch, self.values)
        before = arguments.versions(self.torch, copies)
        with streams.silence(), reference.present():
            value = function(*self.positional(reference.names, copies))
            self.packages.synchronize()
        after = arguments.versions(self.torch, copies)
        self.touched |= {name for name in before if before[name] != after[name]}
        self.copies = copies
        return value


def run(job, result, packages):
    """The kind's work; what it finds goes into the result."""
    case = Case(job, result, packages)
    result.enter("golden")
    reference = case.load(job["golden"], job["golden_function"])
    inspected = inspection.prepare(case, reference) if job.get("inspect") else None
    sealed = None if inspected else structure.Sealed(structure.check_reference(
        packages.torch, case.call(reference, reference.function), reference.name))
    wrapper = load_wrapper(job, result, packages)
    value = call_wrapper(case, wrapper, {} if inspected is None else inspected.keywords())
    if inspected:
        inspection.compare(case, inspected)
        return
    result.enter("compare")
    precision = job.get("precision", True)
    result.leaves, exact = structure.compare(packages.torch, structure.outputs(value),
                                             sealed.leaves, job["atol"], job["rtol"], precision)
    del value
    result.modified_inputs = arguments.modified(packages.torch, case.names, case.values,
                                                case.copies, case.touched)
    result.exact = exact and precision and is_transcendental(reference.path)
    if differs(result.leaves):
        result.golden_deterministic = repeats(case, reference, sealed.leaves)


def load_wrapper(job, result, packages):
    """Imports the implementation."""
    result.enter("implementation")
    before = set(sys.modules)
    module = loading.load_module(job["impl"])
    wrapper = loading.function_of(module, job["wrapper_function"])
    _note_references(result, before)
    return wrapper


def call_wrapper(case, wrapper, keywords=None):
    """The kernel's run. Launches are counted."""
    result, packages = case.result, case.packages
    keywords = keywords or {}
    result.enter("wrapper")
    names = arguments.of_wrapper(wrapper, case.names, case.chosen, keywords)
    before, modules = packages.counts(), set(sys.modules)
    try:
        value = wrapper(*case.positional(names), **keywords)
        packages.synchronize()
        return value
    finally:
        after = packages.counts()
        if before is not None:
            result.launches, result.ops = after[0] - before[0], after[1] - before[1]
        streams.flush()
        _note_references(result, modules)


def _note_references(result, before):
    """Which references the implementation has imported."""
    for name in sorted(set(sys.modules) - before):
        if failures.is_reference(getattr(sys.modules[name], "__file__", None) or ""):
            result.imported_references.append(name)


def is_transcendental(path):
    """Does the reference call a function whose last bit is a matter of the implementation?"""
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    names = {getattr(node, "attr", None) or getattr(node, "id", None) for node in ast.walk(tree)
             if isinstance(node, (ast.Attribute, ast.Name))}
    return not _TRANSCENDENTAL.isdisjoint(names)


def differs(leaves):
    """Does a leaf have other values than the reference?"""
    return any(leaf["structure"] is None and not leaf["all_close"] for leaf in leaves)


def repeats(case, reference, truth):
    """Does the reference give the same bits again? None where its inputs are no longer the same."""
    if case.result.modified_inputs or case.touched:
        return None
    try:
        again = structure.outputs(case.call(reference, reference.function))
    except BaseException:  # it did not before
        return False
    return len(again) == len(truth) and all(
        isinstance(new, case.torch.Tensor) and arithmetic.same_bits(
            case.torch, arithmetic.host(new), arithmetic.host(old))
        for new, old in zip(again, truth))
