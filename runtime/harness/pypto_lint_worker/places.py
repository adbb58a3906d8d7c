"""Where outputs differ from the reference, and what they look like there: indices, counts and
relations from `_ptosim.places`, but no elements."""
from . import arithmetic

_MOST_AXES = 8  # of the extension; further leading axes are joined
_MOST_OUTPUTS = 16  # with more, swapped outputs are not searched for: each is compared with each


def add(torch, leaves, candidates, truths, atol, rtol):
    """Puts `where` into each leaf whose values differ. The tensors are those of the leaves."""
    failing = [index for index, leaf in enumerate(leaves)
               if leaf["structure"] is None and not leaf["all_close"]]
    for index in failing:
        mine, theirs = arithmetic.host(candidates[index]), arithmetic.host(truths[index])
        where = of(torch, mine, theirs, atol, rtol)
        if where is not None:
            leaves[index]["where"] = where
    if len(leaves) <= _MOST_OUTPUTS:
        _find_swapped(torch, leaves, failing, (candidates, truths), (atol, rtol))


def of(torch, candidate, truth, atol, rtol):
    """`where` of two host tensors of one shape and dtype; None where memory ran out."""
    shape = (list(truth.shape) + ([2] if truth.is_complex() else [])) or [1]
    while len(shape) > _MOST_AXES:
        shape[:2] = [shape[0] * shape[1]]
    candidate, number = arithmetic.comparable(torch, candidate)
    truth, _ = arithmetic.comparable(torch, truth)
    try:
        return arithmetic.extension().places(candidate.data_ptr(), truth.data_ptr(), shape, number,
                                             float(atol), float(rtol))
    except Exception:  # the verdict does not need it
        return None


def _find_swapped(torch, leaves, failing, tensors, tolerances):
    """Notes outputs that equal the reference of another output."""
    candidates, truths = tensors
    for index in failing:
        for other in range(min(len(truths), len(leaves))):
            mine, theirs = candidates[index], truths[other]
            if other == index or "where" not in leaves[index] or mine.shape != theirs.shape or \
                    mine.dtype != theirs.dtype:
                continue
            metrics = arithmetic.measure(torch, arithmetic.host(mine), arithmetic.host(theirs),
                                         *tolerances)
            if metrics["all_close"]:
                leaves[index]["where"]["equals"] = other
                break
