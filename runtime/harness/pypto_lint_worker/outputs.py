"""Outputs from the kernel's process to the judge: raw elements in a file without a name, with a header
of a fixed form. The kernel's process may leave any bytes there: Reader checks all numbers against
limits, and raises Malformed."""
import json
import os
import struct

from . import arithmetic, wire

MAGIC, VERSION = b"PYPTOOUT", 1
HEADER = struct.Struct("<8sIIQQ")  # magic, version, records, offset and length of the claims
RECORD = struct.Struct("<IIIIQQ16q")  # call, index, dtype, rank, offset, bytes, extents
FIRST_RECORD = 64
MOST_RECORDS, MOST_RANK, MOST_EXTENT = 16384, 16, 1 << 40
MOST_CLAIMS, MOST_BYTES = 1 << 20, 1 << 38
NO_TENSOR = 0  # in the place of a dtype
# Their positions, from 1, are the numbers in records.
DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8",
          "bool", "complex64", "complex128", "uint16", "uint32", "uint64", "float8_e4m3fn",
          "float8_e5m2", "float8_e8m0fnu", "complex32", "qint8", "quint8", "qint32")
_PAYLOAD = wire.aligned(FIRST_RECORD + MOST_RECORDS * RECORD.size)


class Malformed(Exception):
    """The kernel's process left no valid answer."""


class Writer:
    """The side of the kernel's process."""

    def __init__(self, torch, fd):
        self._torch, self._fd, self._end, self._records = torch, fd, _PAYLOAD, []
        self.attached = None

    def add(self, call, leaves):
        """The outputs of one call."""
        for index, leaf in enumerate(leaves[:MOST_RECORDS - len(self._records)]):
            self._records.append(self._leaf(call, index, leaf))

    def _leaf(self, call, index, leaf):
        nothing = RECORD.pack(call, index, NO_TENSOR, 0, 0, 0, *[0] * MOST_RANK)
        if not isinstance(leaf, self._torch.Tensor) or leaf.is_meta or leaf.dim() > MOST_RANK:
            return nothing
        name = arithmetic.dtype_name(leaf.dtype)
        if name not in DTYPES:
            return nothing
        host = arithmetic.host(leaf)
        count = host.numel() * host.element_size()
        wire.write(self._fd, self._end, host.data_ptr(), count)
        record = RECORD.pack(call, index, DTYPES.index(name) + 1, leaf.dim(), self._end, count,
                             *(list(leaf.shape) + [0] * (MOST_RANK - leaf.dim())))
        self._end = wire.aligned(self._end + count)
        return record

    def attach(self, index, elements, left_out):
        """The records of a watched run (blame_record.py), for the claims."""
        places = []
        for data in (index, elements):
            wire.write_bytes(self._fd, self._end, data)
            places.append([self._end, len(data)])
            self._end = wire.aligned(self._end + len(data))
        self.attached = {"index": places[0], "elements": places[1], "left_out": left_out}

    def finish(self, claims):
        """Writes the header last: without it there is no answer."""
        data = json.dumps(claims).encode("ascii", "backslashreplace")[:MOST_CLAIMS]
        os.pwrite(self._fd, data, self._end)
        os.pwrite(self._fd, b"".join(self._records), FIRST_RECORD)
        os.pwrite(self._fd, HEADER.pack(MAGIC, VERSION, len(self._records), self._end, len(data)),
                  0)


class Claimed:
    """One output as a record describes it."""

    __slots__ = ("call", "index", "dtype", "shape", "offset", "length")

    def __init__(self, fields, size):
        self.call, self.index, dtype, rank, self.offset, self.length = fields[:6]
        if dtype > len(DTYPES) or rank > MOST_RANK or self.call > 8:
            raise Malformed("an output has a dtype or a rank that does not exist")
        self.shape = list(fields[6:6 + rank])
        if any(extent < 0 or extent > MOST_EXTENT for extent in self.shape):
            raise Malformed("an output has an impossible extent")
        self.dtype = None if dtype == NO_TENSOR else DTYPES[dtype - 1]
        if self.dtype is not None and (self.offset < FIRST_RECORD or
                                       self.offset + self.length > size):
            raise Malformed("an output lies outside the file")


class Reader:
    """The judge's side. Reads the header once, and copies elements before it uses them, for outputs
    that the reference has, too."""

    def __init__(self, torch, fd):
        self._torch, self._fd = torch, fd
        self._size = os.fstat(fd).st_size
        head = os.pread(fd, HEADER.size, 0)
        if len(head) < HEADER.size:
            raise Malformed("there is no header")
        magic, version, count, at, length = HEADER.unpack(head)
        if magic != MAGIC or version != VERSION:
            raise Malformed("there is no header")
        if self._size > MOST_BYTES or count > MOST_RECORDS or length > MOST_CLAIMS or \
                at + length > self._size:
            raise Malformed("the header is out of bounds")
        table = os.pread(fd, count * RECORD.size, FIRST_RECORD)
        if len(table) != count * RECORD.size:
            raise Malformed("the header is out of bounds")
        self._calls = {}
        self._read_table(table)
        self.claims = self._read_claims(at, length)

    def _read_table(self, table):
        places = []
        for fields in RECORD.iter_unpack(table):
            claimed = Claimed(fields, self._size)
            leaves = self._calls.setdefault(claimed.call, [])
            if claimed.index != len(leaves):
                raise Malformed("the outputs are out of order")
            leaves.append(claimed)
            if claimed.length > 0:
                places.append((claimed.offset, claimed.offset + claimed.length))
        places.sort()
        end = FIRST_RECORD + len(table)
        for start, stop in places:
            if start < end:
                raise Malformed("two outputs overlap")
            end = stop

    def _read_claims(self, at, length):
        try:
            claims = json.loads(os.pread(self._fd, length, at).decode("utf-8"))
        except (ValueError, RecursionError, MemoryError):
            raise Malformed("its claims cannot be read") from None
        if not isinstance(claims, dict):
            raise Malformed("its claims cannot be read")
        return claims

    def has(self, call):
        """Are there outputs of that call?"""
        return call in self._calls

    def leaves(self, call, truth):
        """The outputs of a call, for comparing with those of the reference."""
        found = []
        for index, claimed in enumerate(self._calls.get(call, [])):
            wanted = truth[index] if index < len(truth) else None
            found.append(self._leaf(claimed, wanted))
        return tuple(found)

    def _leaf(self, claimed, wanted):
        """The elements if shape and dtype are those of the reference, else a tensor of the claimed
        shape and dtype without elements of its own; None for anything but a tensor."""
        dtype = None if claimed.dtype is None else getattr(self._torch, claimed.dtype, None)
        if dtype is None:
            return None
        if wanted is not None and wanted.dtype == dtype and list(wanted.shape) == claimed.shape:
            return self._elements(claimed, wanted)
        try:
            return self._torch.zeros((), dtype=dtype).expand(claimed.shape)
        except (RuntimeError, OverflowError):
            raise Malformed("an output has an impossible shape") from None

    def _elements(self, claimed, wanted):
        like = arithmetic.host(wanted)
        tensor = self._torch.zeros(like.shape, dtype=like.dtype)
        count = tensor.numel() * tensor.element_size()
        if claimed.length != count:
            raise Malformed("an output has another size than its shape")
        try:
            wire.read(self._fd, claimed.offset, tensor.data_ptr(), count)
        except EOFError:
            raise Malformed("an output lies outside the file") from None
        return tensor

    def attached(self, place):
        """The bytes at [place, length]; Malformed outside the file."""
        at, length = place
        data = os.pread(self._fd, length, at) if at + length <= self._size else b""
        while 0 < len(data) < length:  # one call reads at most 2 GiB
            more = os.pread(self._fd, length - len(data), at + len(data))
            if not more:
                break
            data += more
        if len(data) != length:
            raise Malformed("records lie outside the file")
        return data

    def same(self, first, second):
        """Are the bytes of two calls the same?"""
        mine, theirs = self._calls.get(first), self._calls.get(second)
        if mine is None or theirs is None or len(mine) != len(theirs):
            return False
        return all((a.dtype, a.shape, a.length) == (b.dtype, b.shape, b.length) and
                   self._same_bytes(a, b) for a, b in zip(mine, theirs))

    def _same_bytes(self, one, other, part=1 << 22):
        for start in range(0, one.length, part):
            count = min(part, one.length - start)
            if os.pread(self._fd, count, one.offset + start) != \
                    os.pread(self._fd, count, other.offset + start):
                return False
        return True
