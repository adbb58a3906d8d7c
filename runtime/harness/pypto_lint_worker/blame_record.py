"""What a launch read and made, from the kernel's process to the judge (docs/internals/blame.md): the
records of the simulator as JSON and their elements, both after the outputs. Like all that comes from
there they are claims: `read` takes what is well formed, or raises Malformed."""
import json
import sys

# Limits of one run: beyond them records are left out, and the report says how many.
MOST_RECORDS = 60000
MOST_ROWS = 8  # lines of the errors against double
MOST_BYTES = 256 << 20
_MOST_INDEX = 96 << 20  # bytes of the records as JSON
_MOST_RANK = 5  # of a tensor in a kernel
_MOST_EXTENT = 1 << 40
_DTYPES = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT8": "int8",
           "DT_INT16": "int16", "DT_INT32": "int32", "DT_INT64": "int64", "DT_UINT8": "uint8",
           "DT_BOOL": "bool", "DT_DOUBLE": "float64"}


class Malformed(Exception):
    """The records are not what the simulator writes."""


def start():
    """Watches the launches of this process from now on. False where the backend cannot."""
    state = sys.modules.get("pypto._state")
    if state is None:
        return False
    state.context().watch_start(MOST_RECORDS, MOST_BYTES)
    state.context().precision_start(0.0)
    state.names_callers = True
    return True


def precision():
    """The errors against the same run in double, by line (pypto._precision), those with the
    largest share in an output first; nothing is compared any longer."""
    context = sys.modules["pypto._state"].context()
    found = context.precision_report()
    context.precision_stop()
    return {"wrong": found["output_is_wrong"], "unchecked": found["unchecked"],
            "beyond": found["first_beyond"], "rows": found["precision"][:MOST_ROWS]}


def take():
    """(records as bytes, elements as bytes, how many are missing)."""
    records, elements, left_out = sys.modules["pypto._state"].context().watch_take()
    return json.dumps(records).encode("ascii"), elements, left_out


class Record:
    """One result of an operation, or a parameter's memory before or after a launch."""

    __slots__ = ("number", "kind", "op", "name", "file", "line", "launch", "parameter", "result",
                 "target", "write", "partial", "loops", "operands", "attributes", "dtype", "shape", "value",
                 "callers", "read_shapes")

    def __init__(self, number, fields):
        self.number = number
        for name, check in _FIELDS.items():
            value = fields.get(name)
            if not check(value):
                raise Malformed("%s of a record" % name)
            setattr(self, name, value)
        if any(not _is_operand(operand, number) for operand in self.operands) or \
                self.target >= number:
            raise Malformed("an operand of a record")
        self.value, self.read_shapes = None, []
        file, _, lines = (self.file or "").partition("\t")
        self.file = file or None
        self.callers = tuple(int(line) for line in lines.split("\t")
                             if line.isdigit() and len(line) < 8)

    def key(self):
        """The same for every run of one operation of the kernel's text."""
        return (self.file, self.line, self.op, self.result)

    def sources(self):
        """The numbers of the records that it read."""
        return [operand[1] for operand in self.operands if operand[0] == "record"]


def _is_count(value):
    return type(value) is int and 0 <= value < _MOST_EXTENT


def _is_number(value):
    return type(value) is int and -1 <= value < _MOST_EXTENT


def _integers(value):
    return isinstance(value, list) and len(value) <= 8 and all(
        type(one) is int and abs(one) < _MOST_EXTENT for one in value)


def _is_attributes(value):
    if not isinstance(value, dict):
        return False
    return all(type(value.get(name)) is int for name in ("dim", "dim1", "mode", "diagonal")) and \
        all(type(value.get(name)) is bool for name in ("has_dim", "keepdim", "a_trans",
                                                       "b_trans", "largest")) and \
        type(value.get("real")) is float and _integers(value.get("shape")) and \
        _integers(value.get("offsets"))


def _is_operand(operand, number):
    if not isinstance(operand, list) or not operand:
        return False
    if operand[0] == "record":
        return len(operand) == 2 and _is_count(operand[1]) and operand[1] < number
    return (operand[0] == "number" and len(operand) == 2 and type(operand[1]) is float) or \
        operand == ["none"]


_FIELDS = {
    "kind": lambda value: value in ("parameter", "end", "op"),
    "op": lambda value: isinstance(value, str) and len(value) <= 64,
    "name": lambda value: isinstance(value, str) and len(value) <= 64,
    "file": lambda value: value is None or isinstance(value, str),
    "line": _is_count, "launch": _is_count, "parameter": _is_count, "result": _is_count,
    "target": _is_number,
    "write": lambda value: type(value) is bool, "partial": lambda value: type(value) is bool,
    "loops": _integers, "operands": lambda value: isinstance(value, list) and len(value) <= 8,
    "attributes": _is_attributes,
    "dtype": lambda value: isinstance(value, str),
    "shape": lambda value: _integers(value) and len(value) <= _MOST_RANK and
    all(extent >= 0 for extent in value),
}


def read(torch, index, elements):
    """The records; `value` of each is a tensor, or None where its elements are missing."""
    if len(index) > _MOST_INDEX:
        raise Malformed("there are too many records")
    try:
        listed = json.loads(index.decode("ascii"))
    except (ValueError, RecursionError, MemoryError):
        raise Malformed("they cannot be read") from None
    if not isinstance(listed, list) or len(listed) > MOST_RECORDS:
        raise Malformed("they are not a list")
    memory = bytearray(elements)
    records = []
    for number, fields in enumerate(listed):
        if not isinstance(fields, dict):
            raise Malformed("a record is not an object")
        record = Record(number, fields)
        record.read_shapes = [records[source].shape for source in record.sources()]
        record.value = _value(torch, record, fields.get("at"), memory)
        records.append(record)
    return records


def _value(torch, record, at, memory):
    name = _DTYPES.get(record.dtype)
    if type(at) is not int or at < 0 or name is None:
        return None
    dtype = getattr(torch, name)
    count = 1
    for extent in record.shape:
        count *= extent
    size = torch.tensor([], dtype=dtype).element_size()
    if at + count * size > len(memory):
        raise Malformed("elements lie outside")
    if count == 0:
        return torch.zeros(record.shape, dtype=dtype)
    if at % size:  # records of smaller elements came before
        part = bytearray(memory[at:at + count * size])
        return torch.frombuffer(part, dtype=dtype, count=count).reshape(record.shape)
    return torch.frombuffer(memory, dtype=dtype, count=count, offset=at).reshape(record.shape)
