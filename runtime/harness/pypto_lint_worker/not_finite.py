"""The first operation of a kernel that makes NaN or infinity where the reference has neither."""
from . import regroupings


def is_finite(torch, value):
    """Are all its elements numbers?"""
    return not value.is_floating_point() or bool(torch.isfinite(value).all())


def first(torch, trace, cones):
    """The first record that makes such elements of finite operands, or None."""
    for window, cone in cones:
        if is_finite(torch, window.given) or not is_finite(torch, window.expected):
            continue
        for record in cone:
            operands = [trace.records[number].value for number in record.sources()]
            if record.kind == "op" and record.value is not None and operands and \
                    not is_finite(torch, record.value) and \
                    all(value is not None and is_finite(torch, value) for value in operands):
                return record
    return None


def without_iterations(trace, record):
    """If an operation reads a tensor that a loop should have filled, but the loop ran no iterations: a write of that loop
    from another iteration of an outer loop. Else None."""
    writes = {}
    for one in trace.records:
        if regroupings.is_carried(one):
            writes.setdefault(trace.records[regroupings.start(trace, one.number)].key(), one)
    read = [trace.records[number] for number in record.sources()]
    return next((writes[one.key()] for one in read if one.kind == "op" and not one.write and one.key() in writes), None)


def cancelled(torch, trace, cones):
    """The first record that subtracts infinities, where an output has NaN and should not, or None."""
    for window, cone in cones:
        if window.given.is_floating_point() and bool(window.given.isnan().any()) and \
                is_finite(torch, window.expected):
            for record in cone:
                if _cancels(trace, record):
                    return record
    return None


def _cancels(trace, record):
    """Does it subtract or add infinities so that NaN comes out although its operands have none?"""
    if record.op not in ("sub", "add") or record.value is None or \
            not record.value.is_floating_point() or not bool(record.value.isnan().any()):
        return False
    operands = [trace.records[number].value for number in record.sources()]
    return bool(operands) and all(
        value is not None and value.is_floating_point() and bool(value.isinf().any()) and
        not bool(value.isnan().any()) for value in operands)
