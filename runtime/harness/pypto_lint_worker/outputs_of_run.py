"""Which records wrote the outputs that a wrapper returned, window by window."""


_ROUGH = 0.25  # of the tolerance
_LEAST_ITERATIONS = 3  # with fewer each pattern is every other one


class Window:
    """What one write left in an output: `source` is the record that was written, `write` the one that
    wrote it; `wrong` elements of it are out of tolerance."""

    __slots__ = ("leaf", "write", "source", "offsets", "extents", "wrong", "expected", "given")

    def __init__(self, leaf, write, source, offsets, extents):
        self.leaf, self.write, self.source = leaf, write, source
        self.offsets, self.extents = offsets, extents
        self.wrong, self.expected, self.given = 0, None, None


class Output:
    """One output of the wrapper that a launch wrote as it is."""

    def __init__(self, torch, leaf, end, truth, given, tolerance):
        self.leaf, self.end = leaf, end
        self.expected = truth.reshape(end.shape)
        self.given = given.reshape(end.shape)
        self.wrong = wrong(torch, self.given, self.expected, tolerance)
        self.windows, self.corners, self.complete = [], [], True

    def find_windows(self, trace, most):
        """The writes, newest first; `complete` is false where one is not understood."""
        number, steps = self.end.target, 0
        free = self.wrong.new_ones(self.wrong.shape)
        while number >= 0 and steps < most:
            record, steps = trace.records[number], steps + 1
            if not record.write:
                break
            if record.op not in ("assemble", "move") or record.partial or not record.sources():
                self.complete = False
                break
            source = record.sources()[0]
            moved = record.op == "move"
            extents = self.end.shape if moved else trace.records[source].shape
            offsets = [0] * len(extents) if moved else record.attributes["offsets"]
            if not self._add(record, source, offsets, extents, free) or moved:
                break
            number = record.target
        self.complete = self.complete and steps < most
        self.free = free & self.wrong

    def _add(self, record, source, offsets, extents, free):
        window = Window(self, record, source, list(offsets), list(extents))
        if len(offsets) != self.wrong.dim() or len(extents) != self.wrong.dim() or any(
                low < 0 or low + size > extent
                for low, size, extent in zip(offsets, extents, self.wrong.shape)):
            self.complete = False
            return False
        self.corners.append((window.offsets, window.extents))
        shown = self.box(free, window)
        if bool(shown.all()):  # no later write shows in it
            window.wrong = int(self.box(self.wrong, window).sum())
            window.expected = self.box(self.expected, window)
            window.given = self.box(self.given, window)
            self.windows.append(window)
        shown.fill_(False)
        return True

    @staticmethod
    def box(tensor, window):
        """The part of a tensor of the output's shape that a window is."""
        for axis, (low, size) in enumerate(zip(window.offsets, window.extents)):
            tensor = tensor.narrow(axis, low, size)
        return tensor


def iterations(outputs):
    """Which iterations of the innermost loops around the writes of outputs are wrong: {"pattern": "first",
    "from" or "last", "at": the first wrong one}, or None where all or others are, or where too few are known.
    An output that is right says nothing about them."""
    wrong_ones, right_ones = set(), set()
    for output in outputs:
        if not any(window.wrong for window in output.windows):
            continue
        for window in output.windows:
            if window.write.loops:
                (wrong_ones if window.wrong else right_ones).add(window.write.loops[-1])
    if not wrong_ones or not right_ones or wrong_ones & right_ones or \
            len(wrong_ones | right_ones) < _LEAST_ITERATIONS:
        return None
    at = min(wrong_ones)
    if max(wrong_ones) < min(right_ones):
        return {"pattern": "first", "at": at} if len(wrong_ones) == 1 else None
    if at < max(right_ones):
        return None
    return {"pattern": "last" if len(wrong_ones) == 1 else "from", "at": at}


def wrong(torch, given, expected, tolerance):
    """Which elements are out of tolerance."""
    atol, rtol = tolerance
    given, expected = given.double(), expected.double()
    good = ((given - expected).abs() <= atol + rtol * expected.abs()) | (given == expected)
    return ~good


def is_rough(torch, given, expected, tolerance):
    """Is an output that is within the tolerance still further from the reference than FP32 rounding explains? False for
    narrower types, whose rounding alone may be that large."""
    atol, rtol = tolerance
    if not expected.is_floating_point() or expected.element_size() < 4:
        return False
    given, expected = given.double(), expected.double()
    share = (given - expected).abs() / (atol + rtol * expected.abs() + 1e-30)
    return bool((torch.nan_to_num(share) > _ROUGH).any())


def find(torch, trace, leaves, truth, given, tolerance):
    """Outputs whose elements are those that a launch left in a parameter."""
    found, ends = [], [record for record in trace.records
                       if record.kind == "end" and record.value is not None]
    candidates = {number: [end for end in reversed(ends) if _same(torch, end.value, given[number])]
                  for number, leaf in enumerate(leaves) if leaf["structure"] is None and number < len(given)}
    for number, same in candidates.items():
        if not same:
            continue
        # Outputs that are equal bit for bit are those parameters in their order.
        alike = [other for other, ones in candidates.items() if ones and ones[0] is same[0]]
        of_launch = sorted((end for end in same if end.launch == same[0].launch), key=lambda end: end.number)
        end = of_launch[alike.index(number)] if len(of_launch) == len(alike) else same[0]
        found.append(Output(torch, number, end, truth[number], given[number], tolerance))
    return found


def _same(torch, one, other):
    if one.dtype != other.dtype or one.numel() != other.numel():
        return False
    one, other = one.reshape(-1), other.reshape(-1)
    return one.numel() == 0 or torch.equal(one.view(torch.uint8), other.view(torch.uint8))
