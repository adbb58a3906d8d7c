"""Kind `tolerance`: is a kernel beyond the tolerance to blame, or does the reference itself exceed the
tolerance when it adds up in another order? docs/kernel-authors/tolerance.md has the rule; here are its
numbers."""
import math

from . import arithmetic, case, structure, summation

EXPLAINED = 10  # times the difference of the orders: up to that an element differs by rounding
ALIKE = 3  # times the differences of an order: up to that a kernel is like one more order
FEW = 3  # unexplained elements that are too few for a verdict


def run(job, result, packages):
    """Runs the job; puts what it finds into the result."""
    one_case = case.Case(job, result, packages)
    result.enter("golden")
    reference = one_case.load(job["golden"], job["golden_function"])
    truth = structure.check_reference(packages.torch, one_case.call(reference, reference.function),
                                      reference.name)
    counts = summation.Counts()
    others = _other_orders(one_case, reference, truth, counts)
    answer = one_case.ask()
    result.enter("compare")
    candidate = answer.outputs(0, truth)
    atol, rtol = float(job["atol"]), float(job["rtol"])
    result.leaves, _ = structure.compare(packages.torch, candidate, truth, atol, rtol)
    leaves = [_judge(packages.torch, leaf, index, candidate, truth, others, (atol, rtol))
              for index, leaf in enumerate(result.leaves)]
    result.tolerance = {
        "verdict": overall(leaves),
        "leaves": leaves,
        "orders": [{"name": name, "leaves": [_difference(packages.torch, leaf, mine, atol, rtol)
                                             for leaf, mine in zip(truth, values)]}
                   for name, values in others],
        "reductions": {name: counts.replaced[name] for name in sorted(counts.replaced)},
        "not_reordered": sorted(counts.kept),
    }


def overall(leaves):
    """One guilty leaf makes the kernel guilty, one undecided leaf the verdict undecided."""
    verdicts = {leaf["verdict"] for leaf in leaves}
    for verdict in ("guilty", "undecided", "innocent"):
        if verdict in verdicts:
            return verdict
    return "none" if verdicts else "innocent"


def _other_orders(one_case, reference, truth, counts):
    """[(name, leaves)] of the reference in each order."""
    found = []
    for number, order in enumerate(summation.ORDERS):
        this = counts if number == 0 else summation.Counts()  # they all replace the same
        try:
            with summation.active(order, this):
                values = structure.outputs(one_case.call(reference, reference.function))
        except Exception as error:  # of the reference: only its type is reported
            one_case.result.warnings.append("the reference does not run in the order '%s': %s"
                                        % (order.name, type(error).__name__))
            continue
        if len(values) == len(truth) and all(
                isinstance(value, one_case.torch.Tensor) and value.shape == leaf.shape
                for value, leaf in zip(values, truth)):
            found.append((order.name, [arithmetic.host(value) for value in values]))
        else:
            one_case.result.warnings.append("the reference returns something else in the order '%s'"
                                        % order.name)
    return found


# ---- differences ----

def _comparing_dtype(torch, tensor):
    wide = tensor.dtype in (torch.float64, torch.int32, torch.int64)
    return torch.float64 if wide else torch.float32


def _differences(torch, value, truth):
    """|value - truth| of host tensors; 0 where they are equal, infinite where one is NaN."""
    dtype = _comparing_dtype(torch, truth)
    value, truth = value.to(dtype).reshape(-1), truth.to(dtype).reshape(-1)
    difference = (value - truth).abs()
    difference[value == truth] = 0.0
    return difference.nan_to_num(nan=math.inf, posinf=math.inf)


def _allowed(torch, truth, atol, rtol):
    size = truth.to(_comparing_dtype(torch, truth)).reshape(-1).abs()
    return (atol + rtol * size).nan_to_num(nan=0.0)


def _worst(difference, allowed):
    """The largest difference in units of the allowed one; infinite where that is 0."""
    if difference.numel() == 0:
        return 0.0
    ratio = difference.double() / allowed.double()
    ratio[difference == 0] = 0.0
    return ratio.nan_to_num(nan=0.0, posinf=math.inf).max().item()


def _finite(value):
    return value if math.isfinite(value) else None


def _difference(torch, truth, value, atol, rtol):
    """The difference of one leaf in another order from the reference."""
    truth = arithmetic.host(truth)
    if value.dtype != truth.dtype:
        value = value.to(truth.dtype)
    metrics = arithmetic.measure(torch, value, truth, atol, rtol)
    found = {key: metrics[key] for key in ("max_abs_diff", "max_rel_diff", "out_of_tolerance",
                                           "nonfinite")}
    found["worst"] = _finite(_worst(_differences(torch, value, truth),
                                    _allowed(torch, truth, atol, rtol)))
    return found


# ---- the verdict on one leaf ----

def _unexplained(difference, spread, rounding, allowed):
    """(number of elements beyond the tolerance that orders do not explain, the worst of them)"""
    beyond = (difference > allowed) & (difference > EXPLAINED * spread + rounding)
    count = int(beyond.sum())
    return count, _worst(difference[beyond], allowed[beyond]) if count else 0.0


def _spreads(torch, differences):
    """(the largest difference of all orders, for each order the largest of the others)"""
    largest = torch.zeros_like(differences[0])
    second = torch.zeros_like(largest)
    for difference in differences:
        second = torch.maximum(second, torch.minimum(largest, difference))
        largest = torch.maximum(largest, difference)
    return largest, [torch.where(difference == largest, second, largest)
                     for difference in differences]


def _rounding(torch, truth):
    """The last bit of the leaf's dtype, which may be rounded either way."""
    size = truth.to(_comparing_dtype(torch, truth)).reshape(-1).abs()
    eps = torch.finfo(truth.dtype).eps if truth.is_floating_point() else 0.0
    return (size * eps).nan_to_num(nan=0.0, posinf=0.0)


def _judge(torch, leaf, index, candidate, truth, others, tolerance):
    """The verdict on one output, with its numbers."""
    found = {"name": leaf["name"], "verdict": "guilty", "reason": "structure"}
    found.update({key: leaf[key] for key in ("max_abs_diff", "max_rel_diff", "elements",
                                            "out_of_tolerance", "nonfinite")})
    found.update(worst=None, orders_worst=None, unexplained=None, unexplained_worst=None,
                orders_unexplained=None, orders_unexplained_worst=None)
    if leaf["structure"] is not None:
        return found
    theirs = arithmetic.host(truth[index])
    allowed = _allowed(torch, theirs, *tolerance)
    mine = _differences(torch, arithmetic.host(candidate[index]), theirs)
    differences = [_differences(torch, values[index], theirs) for _, values in others]
    differences = differences or [torch.zeros_like(mine)]
    spread, spreads = _spreads(torch, differences)
    rounding = _rounding(torch, theirs)
    count, worst = _unexplained(mine, spread, rounding, allowed)
    each = [_unexplained(difference, rest, rounding, allowed)
            for difference, rest in zip(differences, spreads)]
    numbers = {
        "worst": _worst(mine, allowed),
        "orders_worst": max(_worst(difference, allowed) for difference in differences),
        "unexplained": count, "unexplained_worst": worst,
        "orders_unexplained": max(one[0] for one in each),
        "orders_unexplained_worst": max(one[1] for one in each),
    }
    found["verdict"], found["reason"] = decide(leaf["all_close"], numbers)
    if found["reason"] == "within" and not _has_digits(theirs, allowed, differences):
        found["verdict"], found["reason"] = "none", "no_digits"
    found.update({key: value if isinstance(value, int) else _finite(value)
                 for key, value in numbers.items()})
    return found


def _has_digits(truth, allowed, differences):
    """Does a kernel within the tolerance prove anything? Not where zeros or a single number would be
    within it, too, nor for integers that are the same in every order."""
    values = truth.reshape(-1)
    if values.numel() == 0 or truth.is_complex():
        return values.numel() != 0
    if not truth.is_floating_point():
        return any(bool((difference > 0).any()) for difference in differences)
    if bool((values.double().abs() <= allowed.double()).all()):
        return False
    return values.numel() == 1 or not bool((values == values[0]).all())


def decide(all_close, numbers):
    """(verdict, reason) by the rule of docs/kernel-authors/tolerance.md."""
    count, worst = numbers["unexplained"], numbers["unexplained_worst"]
    others, others_worst = numbers["orders_unexplained"], numbers["orders_unexplained_worst"]
    orders_fail = numbers["orders_worst"] > 1
    if all_close:
        return "innocent", "within"
    if count == 0:
        return ("innocent", "explained") if orders_fail else ("undecided", "near")
    if not orders_fail:
        return "guilty", "orders_agree"
    if count <= ALIKE * others and worst <= ALIKE * others_worst:
        return "innocent", "alike"
    if count > ALIKE * others + FEW or worst > ALIKE * max(others_worst, numbers["orders_worst"]):
        return "guilty", "unexplained"
    return "undecided", "few"
