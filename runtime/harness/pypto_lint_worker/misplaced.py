"""Windows of an output whose elements are right but for a factor or a place."""
import math


def ratio(torch, window):
    """The common factor by which the wrong elements are off, or None."""
    given, expected = window.given.double().reshape(-1), window.expected.double().reshape(-1)
    good = (given.abs() > 1e-6 * given.abs().max()) & torch.isfinite(given)
    if int(good.sum()) < 4:
        return None
    factors = expected[good] / given[good]
    middle = float(factors.median())
    near = (factors - middle).abs() <= 0.02 * abs(middle)
    return middle if middle and float(near.double().mean()) > 0.9 else None


def _starts(window, expected, axis, largest):
    """Places along an axis where the reference has the first element of a window."""
    line = expected
    for other, low in enumerate(window.offsets):
        if other != axis:
            line = line.narrow(other, low, 1)
    line = line.reshape(-1)[:expected.shape[axis] - window.extents[axis] + 1].double()
    apart = (line - window.given.reshape(-1)[0].double()).abs()
    found = (apart <= 1e-3 * line.abs() + 1e-5 * largest).nonzero().reshape(-1).tolist()
    return [start for start in found if start != window.offsets[axis]]


def elsewhere(trace, window, expected, largest, most_work):
    """[distance along each axis] to where the reference has the elements of a window, or None.
    `largest`: of the reference's elements, without their signs."""
    for axis in range(expected.dim()):
        for start in _starts(window, expected, axis, largest):
            if trace.work > most_work:
                return None
            trace.work += math.prod(window.extents)
            part = expected
            for other, (low, count) in enumerate(zip(window.offsets, window.extents)):
                part = part.narrow(other, start if other == axis else low, count)
            if bool(((window.given.double() - part.double()).abs() <=
                     1e-3 * part.double().abs() + 1e-5 * float(part.double().abs().max())).all()):
                distance = [0] * expected.dim()
                distance[axis] = start - window.offsets[axis]
                return distance
    return None
