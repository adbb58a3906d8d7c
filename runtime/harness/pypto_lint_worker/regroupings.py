"""Guesses about one statement of a kernel as a whole (repairs.py has those about one operation): other
parentheses, operands in each other's place, a carried tensor that is overwritten instead of added to, a
window that begins where another one does, another number of elements kept."""
import bisect
import itertools

from . import replay_ops
from .replay_ops import Unknown

_JOINED = ("add", "sub", "mul", "div", "maximum", "minimum")
_MOST_SIBLINGS = 8
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
    """((present, wanted), function (record, trace, values)) that compute `record`'s statement otherwise: its
    three leaves in any order and its two operations in either, or two of its four leaves exchanged. The two
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
    """[(position, record, position of its operand)] of operations that `record` reads, casts between them or not, and that
    change one tensor by numbers or by smaller tensors."""
    for position, operand in enumerate(record.operands):
        below = trace.records[operand[1]] if operand[0] == "record" else None
        while below is not None and below.op == "cast" and below.sources():
            below = trace.records[below.sources()[0]]
        if below is None or not _is_step(below) or below.shape != record.shape or below.loops != record.loops:
            continue
        for inner, one in enumerate(below.operands):
            if one[0] == "record" and trace.records[one[1]].shape == record.shape:
                yield position, below, inner


def _is_step(record):
    return record.kind == "op" and not record.write and (record.op in replay_ops.BINARY or record.op in ("clip",))


def other_order(torch, trace, record):
    """Functions that take two steps after each other, which are of different lines or operations, in the other order."""
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


# ---- what a loop carries

def is_carried(record):
    """Does it overwrite a tensor that exists already?"""
    return record.write and record.op == "move" and record.target >= 0 and \
        not record.partial and bool(record.sources())


def carried(torch, trace, index, record, alternatives):
    """(detail, function) for a write into a carried tensor: another tensor is written, or what is
    written is added to what was there. `alternatives`: (identity, record) of tensors made before."""
    for identity, other in alternatives:
        if other.number != record.sources()[0] and other.shape == record.shape:
            yield {"tensor": other.number}, replaced(torch, index, identity)
    yield None, _added(torch, index, None)
    for identity, other in alternatives[:_MOST_CARRIED]:
        if other.number != record.sources()[0]:
            yield None, _added(torch, index, identity)


def replaced(torch, index, identity):
    """A function that gives another tensor in a record's place."""
    def make(one, trace, values):
        number = index.before(identity, one.number)
        if number is None:
            raise Unknown("no such tensor")
        value = trace.value(number, values)
        if list(value.shape) != one.shape:
            raise Unknown("it does not fit")
        return value
    return make


def _added(torch, index, identity):
    def make(one, trace, values):
        before = replay_ops.wide(torch, trace.read(one.target, values))
        if identity is not None:
            number = index.before(identity, one.number)
            if number is None:
                raise Unknown("no such tensor")
            factor = replay_ops.wide(torch, trace.value(number, values))
            before = replay_ops.run_as(torch, "mul", [before, factor], one.shape)
        new = replay_ops.wide(torch, trace.value(one.sources()[0], values))
        made = replay_ops.run_as(torch, "add", [before, new], one.shape)
        if list(made.shape) != one.shape:
            raise Unknown("it does not fit")
        return made
    return make


def chains(trace, record, shape):
    """The tensors of a shape that loops carry, as functions from the number of a record to that of what each is
    before it (None = it is not there yet), with a record of each that comes before `record`."""
    lines = {}
    for other in trace.records:
        if is_carried(other) and other.launch == record.launch and other.shape == shape:
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
    return found[:_MOST_SIBLINGS]


def begins(trace):
    """The numbers of the records that carried tensors are before all writes."""
    return {start(trace, record.number) for record in trace.records
            if is_carried(record) and not trace.records[record.target].write}


def start(trace, number):
    """What a carried tensor was before all writes."""
    for _ in range(_MOST_WRITES):
        record = trace.records[number]
        if not record.write or record.target < 0:
            break
        number = record.target
    return number


# ---- windows and counts

def extents_like(trace, record):
    """The shapes of windows of other lines of the same call, of which one is larger along an axis along which this one has
    one element."""
    found = []
    for other in trace.views:
        if other.launch == record.launch and other.loops == record.loops and other.callers == record.callers and \
                len(other.shape) == len(record.shape) and other.shape not in found and any(
                    one == 1 < extent for one, extent in zip(record.shape, other.shape)) and all(
                    one in (1, extent) for one, extent in zip(record.shape, other.shape)):
            found.append(other.shape)
    return found[:_MOST_SIBLINGS]


def begins_of_windows(trace, record):
    """[{(launch, loops): number}] of where the windows of each line begin along each axis, where they move."""
    found = {}
    for other in trace.views:
        if other.launch == record.launch and len(other.loops) <= len(record.loops):
            for axis, begin in enumerate(other.attributes["offsets"]):
                found.setdefault((other.key(), other.callers, axis), {})[(other.launch, tuple(other.loops))] = float(begin)
    listed, seen = [], set()
    for places in found.values():
        key = tuple(sorted(places.items()))
        if len(set(places.values())) > 1 and key not in seen:
            seen.add(key)
            listed.append(places)
    return listed[:_MOST_SIBLINGS]


def at_ends(trace, record, axis):
    """Functions from a view to offsets at the end, along an axis, of what other windows have that is valid, and one before it:
    where a tile that is not full ends, the next rows belong."""
    listed = []
    for key in dict.fromkeys(other.key() for other in trace.views if other.launch == record.launch and
                             other.loops == record.loops and other.line != record.line):
        places, extents = {}, set()
        for other in trace.views:
            if other.key() == key:
                places[other.launch, tuple(other.loops)] = tuple(other.shape)
                extents.add(tuple(other.shape))
        for of in range(len(next(iter(extents)))) if len(extents) > 1 else ():
            if len({shape[of] for shape in extents}) > 1:
                listed += [_at_end(places, of, axis, before) for before in (0, 1)]
    return listed[:_MOST_SIBLINGS]


def _at_end(places, of, axis, before):
    def move(one):
        offsets, shape = list(one.attributes["offsets"]), places.get((one.launch, tuple(one.loops)))
        if shape is not None:
            offsets[axis] = max(0, shape[of] - before)
        return offsets
    return move


def siblings(trace, record):
    """Views of other lines in the same iteration that are as large: where they begin."""
    found, lines = [], {record.line}
    for other in trace.views:
        if other.launch == record.launch and other.loops == record.loops and \
                other.shape == record.shape and other.line not in lines:
            lines.add(other.line)
            found.append(other.key())
    return found[:_MOST_SIBLINGS]


def offsets_like(trace, key):
    """A function from a view to the offsets of the view `key` in the same iteration."""
    places = {}
    for other in trace.views:
        if other.key() == key:
            places[(other.launch, tuple(other.loops))] = other.attributes["offsets"]

    def move(one):
        place = places.get((one.launch, tuple(one.loops)))
        return list(one.attributes["offsets"] if place is None else place)
    return move


def counts(record, extent, numbers):
    """Other numbers of elements that topk may have been meant to keep, of `extent`."""
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
