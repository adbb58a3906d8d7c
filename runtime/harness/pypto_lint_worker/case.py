"""Kind `case`: this process, the judge, makes the inputs, calls the reference and compares. It never
imports the implementation: the wrapper runs in the kernel's process (kernel.py)."""
import ast
import contextlib

from . import (arguments, arithmetic, blame, golden_record, input_facts, inspection, loading, provenance, repeat,
               streams, structure)

# Without one of these, a kernel may well equal its reference to the last bit.
_TRANSCENDENTAL = frozenset("""
    exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh asin acos atan atan2 sigmoid
    logsigmoid softmax log_softmax logsumexp erf erfc erfinv gelu silu softplus mish elu selu celu
    pow sqrt rsqrt rms_norm layer_norm group_norm batch_norm normalize cross_entropy lgamma
    digamma scaled_dot_product_attention logcumsumexp std var norm
    exp_ log_ sqrt_ rsqrt_ pow_ tanh_ sigmoid_""".split())


class Case:
    """Inputs and reference, with which the kinds `case`, `tolerance` and `self_test` begin."""

    def __init__(self, job, result, packages, make=arguments.make):
        self.job, self.result, self.packages, self.torch = job, result, packages, packages.torch
        loading.prepare_path(job["op_dir"])
        result.enter("inputs")
        self.values, self.names = make(job, packages, result)
        self.touched = set()
        self.chosen = None
        self.copies = {}  # arguments of the last call of a reference

    def positional(self, names, values=None):
        """The arguments of a call."""
        values = self.values if values is None else values
        return [values[name] for name in names]

    def load(self, path, function):
        """Imports a reference silently."""
        with streams.silence():
            reference = loading.Reference(path, function)
        self.chosen = reference.names = arguments.of_reference(reference.function, self.names)
        return reference

    def call(self, reference, function, values=None, watched=None):
        """Calls a function of the reference with copies of the inputs, or of `values`. `watched`: a
        golden_record.GoldenRecord of the call."""
        copies = arguments.clone(self.torch, self.values if values is None else values)
        before = arguments.versions(self.torch, copies)
        recording = (contextlib.nullcontext() if watched is None else
                     golden_record.recording(self.torch, watched))
        with streams.silence(), reference.present(), recording:
            value = function(*self.positional(reference.names, copies))
            self.packages.synchronize()
        after = arguments.versions(self.torch, copies)
        self.copies = copies
        self.touched |= {name for name in before if before[name] != after[name]}
        return value

    def ask(self, others=None, more=None, repeat=False, blame=False):
        """Lets the kernel's process call the wrapper with the inputs. `others`: a second set of inputs
        for the calls in between; `more`: keywords of the call."""
        more = more or {}
        sets = [dict(self.values, **more)] + ([others] if others is not None else [])
        return self.packages.kernel.ask(
            self.result, sets, self.names, self.chosen, keywords=list(more), repeat=repeat,
            blame=blame,
            touched=sorted(self.touched), seed=self.job["case"].get("seed", 42))


def run(job, result, packages):
    """Runs the job; puts what it finds into the result."""
    case = Case(job, result, packages)
    result.inputs = input_facts.of(packages.torch, case.values)
    result.enter("golden")
    reference = case.load(job["golden"], job["golden_function"])
    if job.get("inspect"):
        inspection.run(case, reference)
        return
    watched = golden_record.GoldenRecord(packages.torch) if job.get("blame") else None
    truth = structure.check_reference(packages.torch,
                                      case.call(reference, reference.function, watched=watched),
                                      reference.name)
    given_back = provenance.given_back(packages.torch, truth, case.copies, case.touched)
    case.copies = {}
    plan = repeat.Plan(case, job)
    answer = case.ask(others=plan.others, repeat=plan.wanted, blame=watched is not None)
    result.enter("compare")
    precision = job.get("precision", True)
    candidate = answer.outputs(0, truth)
    result.provenance = answer.claims["provenance"]
    result.leaves, exact = structure.compare(packages.torch, candidate, truth, job["atol"],
                                             job["rtol"], precision)
    if result.provenance is not None:
        provenance.judge(packages.torch, result, candidate, given_back)
    if precision:
        result.warnings += structure.proves_nothing(packages.torch, truth, job["atol"],
                                                    job["rtol"])
    result.exact = exact and precision and is_transcendental(reference.path) and \
        _is_more_than_inputs(case, truth)
    result.repeat = plan.judge(answer, reference, truth)
    if watched is not None:
        result.blame = blame.explain(case, answer, watched, truth, candidate)
    if differs(result.leaves):
        result.golden_deterministic = repeats(case, reference, truth)


def _is_more_than_inputs(case, truth):
    """Does the reference have an output that shows something and is not a copy of an input? With one key the weights
    of attention are 1, so that every correct kernel returns its input bit for bit."""
    torch = case.torch
    inputs = [arithmetic.host(value) for value in case.values.values()
              if isinstance(value, torch.Tensor)]
    outputs = [arithmetic.host(leaf) for leaf in truth]
    return any(arithmetic.is_telling(torch, leaf) and
               not any(arithmetic.same_bits(torch, leaf, value) for value in inputs)
               for leaf in outputs)


def is_transcendental(path):
    """Does the reference call a function whose last bit depends on its implementation?"""
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    names = {getattr(node, "attr", None) or getattr(node, "id", None) for node in ast.walk(tree)
             if isinstance(node, (ast.Attribute, ast.Name))}
    return not _TRANSCENDENTAL.isdisjoint(names)


def differs(leaves):
    """Do the values of a leaf differ from the reference?"""
    return any(leaf["structure"] is None and not leaf["all_close"] for leaf in leaves)


def repeats(case, reference, truth):
    """Does a second call of the reference return the same bits?"""
    try:
        again = structure.outputs(case.call(reference, reference.function))
    except BaseException:  # the first call did not raise
        return False
    return len(again) == len(truth) and all(
        isinstance(new, case.torch.Tensor) and arithmetic.same_bits(
            case.torch, arithmetic.host(new), arithmetic.host(old))
        for new, old in zip(again, truth))
