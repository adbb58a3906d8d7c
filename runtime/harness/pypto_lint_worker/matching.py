"""Which tensor of the reference a tensor of the kernel is, or a part of, whatever its axes and place.

All elements of the reference's tensors are sorted once. The largest element of a kernel's tensor is
looked up there; each place where it occurs, with each choice of axes to walk along, is a candidate that
a few further elements confirm or rule out, and the whole tensor at last."""
import collections

# Elements of the reference that are sorted; what is beyond them cannot be matched.
MOST_ELEMENTS = 4 << 20
_MOST_CANDIDATES = 20000  # places of one element; more tell nothing
_HIDDEN = -1e4  # elements up to this, if all of them are equal, hide scores
_INSTEAD = -0.7310585  # replaces them; kernels do not use it, and it is not the largest element
_SAME = 1e-3  # relative difference of equal numbers that hide scores
_SAMPLES = 8
_MOST_SURVIVORS = 12
_VOTERS, _MOST_NEAR = 32, 200  # elements that are looked up for a part, and places of one that tell something
# Relative errors between a kernel's intermediate and the reference's, by the kernel's dtype.
_CLOSE = {"DT_BF16": 1.6e-2, "DT_FP16": 2e-3}
_CLOSE_ELSE = 2e-4


class Match:
    """A part of a tensor of the reference: where it begins and how its axes are walked."""

    __slots__ = ("tensor", "first", "strides", "error")

    def __init__(self, tensor, first, strides, error):
        self.tensor, self.first, self.strides, self.error = tensor, first, strides, error


class Pool:
    """The tensors of the reference, prepared for looking up."""

    def __init__(self, torch, tensors):
        self._torch, self.tensors, self.left_out = torch, [], 0
        parts, size = [], 0
        for tensor in tensors:
            value = tensor.value
            if value.is_complex() or value.numel() == 0 or value.dim() > 6:
                continue
            if size + value.numel() > MOST_ELEMENTS:
                self.left_out += 1
                continue
            parts.append(_without_hidden(value.reshape(-1).float()))
            size += value.numel()
            self.tensors.append(tensor)
        self._flat = torch.cat(parts) if parts else torch.zeros(0)
        self._starts = torch.tensor([0] + [len(part) for part in parts]).cumsum(0)
        self._sorted, self._order = torch.sort(torch.nan_to_num(self._flat, nan=float("inf")))

    def find(self, value, dtype):
        """A Match of the tensor, or None; `is_telling` says beforehand whether a match means anything."""
        torch = self._torch
        for axis, extent in enumerate(value.shape):  # what is repeated along an axis is matched once
            first = value.narrow(axis, 0, min(extent, 1))
            if extent > 1 and value.numel() > extent and bool((value == first).all()):
                value = first
        shape = [extent for extent in value.shape if extent > 1]
        value = _without_hidden(value.float().reshape(shape))
        if len(shape) > 3 or not len(self._flat):
            return None
        close = _CLOSE.get(dtype, _CLOSE_ELSE)
        flat = value.reshape(-1)
        anchor = int(flat.abs().argmax())
        near = self._near(float(flat[anchor]), close)
        if near is None or not len(near):
            return None
        samples = torch.linspace(0, len(flat) - 1, _SAMPLES).long()
        owners = torch.bucketize(near, self._starts, right=True) - 1
        for owner in owners.unique().tolist():
            found = self._in_tensor(owner, near[owners == owner], value, anchor, samples, close)
            if found is not None:
                return found
        return None

    def has(self, number, dtype):
        """Is the number an element of the reference? True where it cannot be looked up."""
        near = self._near(number, _CLOSE.get(dtype, _CLOSE_ELSE))
        return near is None or bool(len(near))

    def nearest(self, value, dtype):
        """The part of a tensor of the reference that has most elements of `value` in their places, as a tensor of
        its shape; None where none has a quarter of them."""
        close = _CLOSE.get(dtype, _CLOSE_ELSE)
        shape = [extent for extent in value.shape if extent > 1]
        flat = _without_hidden(value.float().reshape(-1))
        if not 0 < len(shape) <= 3 or not len(self._flat):
            return None
        votes = collections.Counter()
        for sample in self._torch.linspace(0, len(flat) - 1, _VOTERS).long().unique().tolist():
            near = self._near(float(flat[sample]), close)
            if near is not None and len(near) <= _MOST_NEAR:
                votes.update(self._places_of(near, _subscript(sample, shape), shape))
        best, share = None, 0.25
        for (start, strides), _ in votes.most_common(_MOST_SURVIVORS):
            other = self._torch.as_strided(self._flat, shape, strides, start).reshape(-1)
            equal = (other - flat).abs() <= close * other.abs() + self._slack(flat, close)
            if float(equal.double().mean()) > share:
                best, share = other, float(equal.double().mean())
        return None if best is None else best.reshape(value.shape).clone()

    def _places_of(self, near, subscript, shape):
        """{(start, strides)} of windows that have an element of these places at a subscript."""
        found, owners = set(), (self._torch.bucketize(near, self._starts, right=True) - 1).tolist()
        for place, owner in zip(near.tolist(), owners):
            for strides in _walks(list(self.tensors[owner].value.shape), shape):
                start = place - sum(at * stride for at, stride in zip(subscript, strides))
                last = start + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
                if int(self._starts[owner]) <= start and last < int(self._starts[owner + 1]):
                    found.add((start, tuple(strides)))
        return found

    def _near(self, number, close):
        torch = self._torch
        if number != number or abs(number) == float("inf"):
            return None
        margin = abs(number) * close + 1e-12
        low, high = torch.searchsorted(self._sorted, torch.tensor(
            [number - margin, number + margin])).tolist()
        return self._order[low:high] if high - low <= _MOST_CANDIDATES else None

    def _in_tensor(self, owner, near, value, anchor, samples, close):
        shape = list(value.shape)
        tensor = self.tensors[owner]
        begin, end = int(self._starts[owner]), int(self._starts[owner + 1])
        for strides in _walks(list(tensor.value.shape), shape):
            offset = sum(at * stride for at, stride in zip(_subscript(anchor, shape), strides))
            first = near - offset
            reach = sum((extent - 1) * stride for extent, stride in zip(shape, strides))
            first = first[(first >= begin) & (first + reach < end)]
            for sample in samples.tolist():
                if not len(first):
                    break
                step = sum(at * stride
                           for at, stride in zip(_subscript(sample, shape), strides))
                wanted = float(value.reshape(-1)[sample])
                first = first[(self._flat[first + step] - wanted).abs()
                              <= close * abs(wanted) + self._slack(value, close)]
            for start in first[:_MOST_SURVIVORS].tolist():
                error = self._error(value, start, strides, close)
                if error is not None:
                    return Match(tensor, start - begin, strides, error)
        return None

    def _slack(self, value, close):
        return close * 0.1 * float(value.abs().mean())

    def _error(self, value, start, strides, close):
        other = self._torch.as_strided(self._flat, value.shape, strides, start)
        apart = (other - value).abs()
        if bool((apart <= close * other.abs() + self._slack(value, close)).all()):
            return float(apart.norm() / (other.norm() + 1e-30))
        return None


def _without_hidden(value):
    """The elements with the same number wherever scores are hidden. The kernel may hide them with any very small number, and the
    reference with another one."""
    hidden = value <= _HIDDEN
    if not bool(hidden.any()):
        return value
    least, most = float(value[hidden].min()), float(value[hidden].max())
    is_one = least == most or abs(least - most) <= _SAME * abs(least)
    return value.masked_fill(hidden, _INSTEAD) if is_one else value


def is_telling(value):
    """Does the tensor have enough different elements for a match to mean something?"""
    if value.numel() < 4:
        return False
    return int(value.reshape(-1)[:256].float().unique().numel()) >= 4


def _subscript(flat, shape):
    found = []
    for extent in reversed(shape):
        found.append(flat % extent)
        flat //= extent
    return found[::-1]


def _walks(extents, shape):
    """Strides in a dense tensor of these extents with which a tensor of `shape` may be walked."""
    strides, size = [], 1
    for extent in reversed(extents):
        if extent > 1:
            strides.insert(0, size)
        size *= extent
    if len(shape) > len(strides) and len(shape) > 1:
        return [_dense(shape)] if _count(shape) <= _count(extents) else []
    if not shape:
        return [[]]
    found = [[]]
    for _ in shape:
        found = [chosen + [stride] for chosen in found for stride in strides
                 if stride not in chosen]
    # In the reference's own order first.
    found.sort(key=lambda chosen: chosen != sorted(chosen, reverse=True))
    return found


def _dense(shape):
    strides, size = [], 1
    for extent in reversed(shape):
        strides.insert(0, size)
        size *= extent
    return strides


def _count(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count
