"""The tensors of the oracle: data, valid extents, and which elements the rules define at all."""
import numpy as np

from rounding import FLOATS, STORAGE, round_float, wrap


class Unsure(Exception):
    """The rules give no single answer: the kernel is not compared."""


class Fault(Exception):
    """The kernel must be rejected; the argument is the expected code."""


class Value:
    """An array of `dtype`. `defined` is False where the content is unspecified (outside the valid
    extents, or the result of something unspecified); such elements are never compared."""

    def __init__(self, dtype, data, defined=None, valid=None):
        self.dtype = dtype
        self.data = np.asarray(data)
        if self.data.dtype != STORAGE[dtype]:
            raise AssertionError("%s stored as %s" % (dtype, self.data.dtype))
        self.valid = tuple(self.data.shape if valid is None else valid)
        self.defined = np.ones(self.data.shape, bool) if defined is None else np.array(defined)
        self.defined &= inside(self.data.shape, self.valid)
        self.wide = None  # (data in F32 before rounding, piece of a body): chains.py

    @property
    def shape(self):
        return self.data.shape

    def copy(self):
        return Value(self.dtype, self.data.copy(), self.defined.copy(), self.valid)

    def region(self):
        """Slices of the valid region."""
        return tuple(slice(0, max(n, 0)) for n in self.valid)

    def fully_valid(self):
        return self.valid == tuple(self.shape)


def inside(shape, valid):
    """Mask of the elements within the valid extents."""
    mask = np.zeros(shape, bool)
    mask[tuple(slice(0, max(n, 0)) for n in valid)] = True
    return mask


class Slot:
    """What a Python name of the kernel stands for. `buffer` is there for parameters only: moves and
    assembles reach it because the value's arrays are windows of it."""

    def __init__(self, dtype, shape, value=None, parameter=False):
        self.dtype, self.shape = dtype, tuple(shape)
        self.value = value
        self.additions = None  # how many there were of each element, and how many were rounded
        self.buffer = (value.data.reshape(-1), value.defined.reshape(-1)) if parameter else None

    def read(self):
        if self.value is None:
            raise Fault("F74007")
        return self.value

    def move(self, source):
        """Rebinding: shape, valid extents and dtype become the source's."""
        if source is None:
            if self.buffer is not None:
                raise Unsure("a parameter becomes unwritten")
            self.value = None
            return
        if self.buffer is None:
            self.value = source.copy()
            return
        data, defined = self.buffer
        count = source.data.size
        if count > data.size or source.dtype != self.dtype:
            raise Unsure("a parameter takes a value that does not fit")
        window, marks = data[:count].reshape(source.shape), defined[:count].reshape(source.shape)
        window[source.region()] = source.data[source.region()].copy()
        marks[...] = source.defined.copy()
        self.value = source.copy()
        self.value.data, self.value.defined = window, marks

    def assemble(self, source, offsets):
        """The valid region of the source, written in place."""
        if self.value is None:
            empty = np.zeros(self.shape, STORAGE[self.dtype])
            self.value = Value(self.dtype, empty, np.zeros(self.shape, bool))
        if source.dtype != self.value.dtype or len(source.shape) != len(self.value.shape):
            raise Fault("F0FFFF")
        region = source.region()
        if any(n <= 0 for n in source.valid):
            return
        for offset, part, size in zip(offsets, region, self.value.shape):
            if offset < 0 or offset + part.stop > size:
                raise Unsure("assemble leaves the destination")
        target = tuple(slice(o, o + p.stop) for o, p in zip(offsets, region))
        self.value.wide = None
        self.value.data[target] = source.data[region].copy()
        self.value.defined[target] = source.defined[region].copy()


    def add(self, source, offsets):
        """atomic_add. The order of additions is nobody's promise: where it matters nothing is known."""
        if self.value is None:
            raise Fault("F74007")
        region = source.region()
        for offset, part, size in zip(offsets, region, self.value.shape):
            if offset < 0 or offset + part.stop > size:
                raise Unsure("atomic_add leaves the destination")
        if any(n <= 0 for n in source.valid):
            return
        target = tuple(slice(o, o + p.stop) for o, p in zip(offsets, region))
        if self.additions is None:
            self.additions = np.zeros((2,) + self.value.shape, np.int32)
        dtype, before = self.value.dtype, self.value.data[target]
        if dtype in FLOATS:
            exact = before.astype(np.float64) + source.data[region]
            after = round_float(exact, dtype)
            self.additions[1][target] += after.astype(np.float64) != exact
        else:
            after = wrap(before.astype(np.int64) + source.data[region], dtype)
        self.additions[0][target] += 1
        clear = (self.additions[0][target] < 2) | (self.additions[1][target] == 0)
        self.value.wide = None
        self.value.data[target] = after
        self.value.defined[target] &= source.defined[region] & clear


class Alias(Slot):
    """A reshape in place: another description of the memory of `base`."""

    def __init__(self, base, shape):
        value = base.value
        super().__init__(base.dtype, shape)
        self.base = base
        if value is None:  # a declared tensor gets its memory now
            empty = np.zeros(base.shape, STORAGE[base.dtype])
            base.value = Value(base.dtype, empty, np.zeros(base.shape, bool))

    def read(self):
        value = self.base.read()
        seen = Value(value.dtype, value.data.reshape(self.shape))
        seen.defined = value.defined.reshape(self.shape)
        return seen

    def move(self, source):
        raise Unsure("a move through a reshape in place")

    def assemble(self, source, offsets):
        value = self.base.value
        value.wide = None
        self.value = self.read()
        if not np.shares_memory(self.value.data, value.data):
            raise Unsure("memory with gaps")
        super().assemble(source, offsets)
