"""Guesses about one statement of a kernel as a whole (repairs.py has those about one operation): other
parentheses, swapped operands or steps, a carried tensor that is overwritten instead of added to, another number of elements
kept."""
import bisect
import itertools

from . import remake, replay_ops
from .replay_ops import Unknown

_JOINED = ("add", "sub", "mul", "div", "maximum", "minimum")
# What a loop gathers with, by the operation that makes the new value.
_JOINING = {"amax": ("maximum",), "maximum": ("maximum",), "amin": ("minimum",), "minimum": ("minimum",)}
_MOST_CHAINS = 8  # carried tensors of one shape
_MOST_CARRIED = 24  # tensors that a carried one may be multiplied by
MOST_COUNT = 64
_MOST_WRITES = 4096  # into one carried tensor


def _is_joined(record):
    return record.kind == "op" and record.op in _JOINED and len(record.operands) == 2


def _made_here(trace, record):
    """[(position, record)] of operands that the same statement made."""
    return [(position, trace.records[operand[1]])
            for position, operand in enumerate(record.operands)
            if operand[0] == "record" and _is_joined(trace.records[operand[1]]) and
            trace.records[operand[1]].line == record.line and
            trace.records[operand[1]].callers == record.callers]


def groupings(torch, trace, record):
    """((present, wanted), function (record, trace, values)) that compute `record`'s statement in other ways:
    with its three leaves and two operations in another order, or with two of its four leaves exchanged. The two
    formulas call the leaves a, b, c, d in the order of the text."""
    if not _is_joined(record):
        return
    inner = _made_here(trace, record)
    if len(inner) == 1:
        for outer_first in (False, True):
            for order in itertools.permutations(range(3)):
                if not outer_first and order in ((0, 1, 2), (1, 0, 2)):
                    continue
                yield _formulas(record, inner[0], outer_first, order), \
                    _three(torch, inner[0][0], outer_first, order)
    elif len(inner) == 2:
        for left, right in itertools.product((0, 1), (0, 1)):
            yield _formulas_of_four(record, inner, left, right), _four(torch, left, right)


def _joined(name, one, other):
    sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}.get(name)
    return "%s(%s, %s)" % (name[:3], one, other) if sign is None else "(%s %s %s)" % (one, sign, other)


def _formulas(record, inner, outer_first, order):
    """(present, wanted) of _three."""
    position, below = inner
    letters = "abc" if position == 0 else "bca"
    made = []
    for names, (one, two, three) in (((below.op, record.op), (0, 1, 2)),
                                     ((record.op, below.op) if outer_first else (below.op, record.op), order)):
        first, last = _joined(names[0], letters[one], letters[two]), letters[three]
        made.append(_joined(names[1], *((first, last) if position == 0 else (last, first))))
    return tuple(made)


def _formulas_of_four(record, inner, left, right):
    """(present, wanted) of _four."""
    present, wanted = ["ab", "cd"], [list("ab"), list("cd")]
    wanted[0][left], wanted[1][right] = wanted[1][right], wanted[0][left]
    return tuple(_joined(record.op, *(_joined(below.op, *leaves) for (_, below), leaves in zip(inner, given)))
                 for given in (present, wanted))


def _three(torch, position, outer_first, order):
    def make(one, trace, values):
        below = trace.records[one.operands[position][1]]
        leaves = trace.operands(below, values) + [_operand(trace, one, 1 - position, values)]
        a, b, c = (leaves[at] for at in order)
        names = (one.op, below.op) if outer_first else (below.op, one.op)
        first = replay_ops.run_as(torch, names[0], [a, b], one.shape)
        return replay_ops.run_as(torch, names[1], [first, c] if position == 0 else [c, first],
                                 one.shape)
    return make


def _four(torch, left, right):
    def make(one, trace, values):
        below = [trace.records[operand[1]] for operand in one.operands]
        leaves = [trace.operands(record, values) for record in below]
        leaves[0][left], leaves[1][right] = leaves[1][right], leaves[0][left]
        parts = [replay_ops.run_as(torch, record.op, given, one.shape)
                 for record, given in zip(below, leaves)]
        return replay_ops.run_as(torch, one.op, parts, one.shape)
    return make


def _operand(trace, one, position, values):
    kind, given = one.operands[position][0], one.operands[position][-1]
    if kind == "record":
        return replay_ops.wide(trace.torch, trace.read(given, values))
    if kind == "number":
        return given
    raise Unknown("no operand")


def _steps_on(trace, record):
    """Yields (position, below, inner): operand `position` of `record` comes from the step `below`, directly or through
    casts; operand `inner` of `below` is the tensor that both steps change."""
    for position, operand in enumerate(record.operands):
        if operand[0] != "record":
            continue
        *_, below = trace.forms(operand[1], ("cast",))
        if not _is_step(below) or below.shape != record.shape or below.loops != record.loops:
            continue
        for inner, one in enumerate(below.operands):
            if one[0] == "record" and trace.records[one[1]].shape == record.shape:
                yield position, below, inner


def _is_step(record):
    return record.kind == "op" and not record.write and record.op in replay_ops.BINARY + replay_ops.UNARY + ("clip",)


def other_order(torch, trace, record):
    """Yields (step before `record`, function that does the two in the other order). Two operations of one statement are
    left to groupings()."""
    if not _is_step(record):
        return
    for position, below, inner in _steps_on(trace, record):
        if below.op == record.op or (_is_joined(record) and _is_joined(below) and below.line == record.line):
            continue

        def make(one, trace, values, position=position, inner=inner):
            lower = next((step for at, step, of in _steps_on(trace, one) if (at, of) == (position, inner)), None)
            if lower is None:
                raise Unknown("no such step")
            given, first = trace.operands(one, values), trace.operands(lower, values)
            given[position] = first[inner]
            first[inner] = replay_ops.run(torch, one, given)
            return replay_ops.run(torch, lower, first)
        yield below, make


def other_places(torch, trace, record):
    """Yields functions that do a step after a function instead of before it, or the other way round. The function, such as a
    sigmoid, runs as several operations; the last one is `record` or makes an operand of it."""
    for position, is_above in _functions_on(trace, record):
        def make(one, trace, values, position=position, is_above=is_above):
            if (position, is_above) not in _functions_on(trace, one):
                raise Unknown("no such step")
            if is_above:
                chain = _function(trace, one)
                step = _read_by(trace, chain)
                given = trace.operands(step, values)
                given[position] = _again(torch, trace, chain, given[position], values)
                return replay_ops.run(torch, step, given)
            chain = _function(trace, trace.records[one.operands[position][1]])
            given = trace.operands(one, values)
            given[position] = trace.operands(chain[0], values)[_varying(trace, chain[0])[0]]
            return _again(torch, trace, chain, replay_ops.run(torch, one, given), values)
        yield make


def _functions_on(trace, record):
    """[(position, whether the function is the later one)] of the tensors in a step before or after a function."""
    chain, found = _function(trace, record), []
    step = _read_by(trace, chain) if chain else record
    if chain and _is_joined(step) and step.loops == record.loops:
        found += [(position, True) for position, operand in enumerate(step.operands)
                  if operand[0] == "record" and trace.records[operand[1]].shape == record.shape]
    if _is_joined(record) and not chain:
        found += [(position, False) for position, operand in enumerate(record.operands)
                  if operand[0] == "record" and _function(trace, trace.records[operand[1]])]
    return found


def _function(trace, record):
    """The operations of one line that compute a function of one tensor and end with `record`; [] if there is only one such
    operation."""
    chain, key = [], record.key()[:2] + record.callers
    while _is_step(record) and record.key()[:2] + record.callers == key and len(_varying(trace, record)) == 1:
        chain.insert(0, record)
        record = trace.records[record.operands[_varying(trace, record)[0]][1]]
    return chain if len(chain) > 1 and any(one.op in replay_ops.UNARY for one in chain) else []


def _read_by(trace, chain):
    """The record whose tensor a function reads."""
    return trace.records[chain[0].operands[_varying(trace, chain[0])[0]][1]]


def _varying(trace, record):
    """The positions of the operands that are tensors, but not constant ones."""
    return [position for position, operand in enumerate(record.operands)
            if operand[0] == "record" and trace.records[operand[1]].op != "full"]


def _again(torch, trace, chain, value, values):
    """The result of a function for another tensor, `value`."""
    for record in chain:
        given = trace.operands(record, values)
        given[_varying(trace, record)[0]] = value
        value = replay_ops.run(torch, record, given)
    return value


# ---- what a loop carries

def is_carried(record):
    """Does it overwrite a tensor that exists already?"""
    return record.write and record.op == "move" and record.target >= 0 and \
        not record.partial and bool(record.sources())


def carried(torch, trace, index, record, alternatives):
    """(detail, function) for a write into a carried tensor: another tensor is written, or what is
    written is added to what was there. `alternatives`: (identity, record) of tensors made before."""
    for _, other in alternatives:
        if other.number != record.sources()[0] and other.shape == record.shape:
            yield {"tensor": other.number}, replaced(index.relation(record, other))
    *_, made = trace.forms(record.sources()[0])
    for name in _JOINING.get(made.op, ("add", "mul")):
        yield None, _joined_with(torch, name)
    for _, other in alternatives[:_MOST_CARRIED]:
        if other.number != record.sources()[0]:
            yield None, _joined_with(torch, "add", index.relation(record, other))


def replaced(find):
    """A function that replaces the tensor of a record with that of record `find(record)`."""
    return remake.of_same_shape(lambda one, trace, values: trace.value(remake.known(find(one)), values))


def _joined_with(torch, name, find=None):
    """A function that joins the old value, times the tensor of record `find(record)`, with the new one."""
    def make(one, trace, values):
        before = replay_ops.wide(torch, trace.read(one.target, values))
        if find is not None:
            factor = replay_ops.wide(torch, trace.value(remake.known(find(one)), values))
            before = replay_ops.run_as(torch, "mul", [before, factor], one.shape)
        new = replay_ops.wide(torch, trace.value(one.sources()[0], values))
        return replay_ops.run_as(torch, name, [before, new], one.shape)
    return remake.of_same_shape(make)


def chains(trace, record, is_wanted):
    """[(record, function)] for the tensors of wanted shapes that loops carry. The function gives, for the number of any record,
    the number of the last state before it (None = there is none yet); the record is the last state before `record`."""
    lines = {}
    for other in trace.records:
        if is_carried(other) and other.launch == record.launch and is_wanted(other.shape):
            lines.setdefault(other.key(), []).append(other.number)
    found = []
    for members in lines.values():
        starts = sorted({start(trace, number) for number in members})
        everything = sorted(members + starts)

        def before(number, everything=everything):
            at = bisect.bisect_left(everything, number)
            return everything[at - 1] if at else None
        first = before(record.number)
        if first is not None:
            found.append((trace.records[first], before))
    return found[:_MOST_CHAINS]


def begins(trace):
    """The numbers of the records that carried tensors start from."""
    return {start(trace, record.number) for record in trace.records
            if is_carried(record) and not trace.records[record.target].write}


def start(trace, number):
    """The number of the record that a carried tensor starts from, before all writes."""
    for _ in range(_MOST_WRITES):
        record = trace.records[number]
        if not record.write or record.target < 0:
            break
        number = record.target
    return number


# ---- counts

def counts(record, extent, numbers):
    """Other numbers of elements, at most `extent`, that topk may have been meant to keep."""
    present = record.shape[record.attributes["dim"]]
    listed = [present + 1, present - 1, 2 * present, present // 2] + \
        [int(number) for number in numbers if 0 < number <= MOST_COUNT and number == int(number)]
    return [count for count in dict.fromkeys(listed)
            if 0 < count <= min(extent, MOST_COUNT) and count != present]


def kept(torch, count):
    """topk with another count."""
    def make(one, trace, values):
        value, dim = trace.operands(one, values)[0], one.attributes["dim"]
        order = torch.sort(value, dim=dim, descending=one.attributes["largest"], stable=True)
        return order[one.result].narrow(dim, 0, count)
    return make
