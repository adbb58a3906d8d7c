"""Results as they would be under a guess: another operation, axis, number, tensor or window."""
import itertools

from . import replay_ops
from .replay_ops import Unknown

_FARTHEST = 9  # far_moves moves a window by fewer windows than this


def guarded(function):
    try:
        return function()
    except (RuntimeError, IndexError, ValueError) as error:
        raise Unknown("it does not fit") from error


def apply(torch, name, value):
    """A function of one tensor by name."""
    if name == "square":
        return value * value
    return guarded(lambda: getattr(torch, name)(value))


def as_operation(torch, name):
    def make(one, trace, values):
        given = trace.operands(one, values)
        if one.op in replay_ops.REDUCTIONS:
            dim, keeps = one.attributes["dim"], len(one.shape) == given[0].dim()
            if name == "mean":
                return given[0].mean(dim, keepdim=keeps)
            return replay_ops.reduce(torch, name, given[0], dim, keeps)
        if one.op in ("tril", "triu"):
            return guarded(lambda: getattr(torch, name)(given[0], one.attributes["diagonal"]))
        if len(given) == 1:
            return apply(torch, name, given[0])
        return replay_ops.run_as(torch, name, given)
    return make


def along(torch, axis):
    def make(one, trace, values):
        given = trace.operands(one, values)
        if one.op == "cumsum":
            return torch.cumsum(given[0], axis)
        return replay_ops.reduce(torch, one.op, given[0], axis, True)
    return make


def with_numbers(torch, replaced):
    """Other numbers as operands; `replaced(record)` gives {position: number}."""
    def make(one, trace, values):
        given = trace.operands(one, values)
        for position, number in replaced(one).items():
            given[position] = number
        return replay_ops.run(torch, one, given)
    return make


def with_number(torch, position, number):
    return with_numbers(torch, lambda _: {position: number})


def with_number_of(torch, position, places):
    """A number that depends on the iteration. `places`, as in windows.py, has it for the iteration or for one around it."""
    def replaced(one):
        around = ((one.launch, tuple(one.loops[:depth])) for depth in range(len(one.loops), -1, -1))
        return {position: known(next((places[place] for place in around if place in places), None))}
    return with_numbers(torch, replaced)


def with_shared_number(torch, group, number):
    """`group`: a changes.Shared."""
    return with_numbers(torch, lambda one: {group.position(one): number})


def with_operands(torch, replaced):
    """Other tensors as operands; `replaced(record)` gives {position: number of the tensor, or None if it does not exist}."""
    def make(one, trace, values):
        given = trace.operands(one, values)
        for position, number in replaced(one).items():
            given[position] = replay_ops.wide(torch, trace.value(known(number), values))
        return replay_ops.run(torch, one, given)
    return make


def of_same_shape(make):
    """What `make` gives if it has the shape of the record's own tensor."""
    def checked(one, trace, values):
        made = make(one, trace, values)
        if list(made.shape) != one.shape:
            raise Unknown("it does not fit")
        return made
    return checked


def with_operand(torch, position, find):
    """Another tensor as an operand; `find(record)` gives its number, or None to keep the operand."""
    def make(one, trace, values):
        number = find(one)
        changed = of_same_shape(with_operands(torch, lambda _: {position: number}))
        return None if number is None else changed(one, trace, values)
    return make


def known(found):
    """What was found; Unknown if it is None."""
    if found is None:
        raise Unknown("no such tensor")
    return found


def with_tensor(torch, position, find):
    """`find` as in with_operand, but None if there is no such tensor."""
    return with_operand(torch, position, lambda one: known(find(one)))


def with_both(torch, find):
    """The same for both operands."""
    return of_same_shape(with_operands(torch, lambda one: dict.fromkeys((0, 1), find(one))))


def with_state(torch, position, before):
    """A loop-carried tensor as an operand; `before` as in regroupings.chains."""
    return with_operand(torch, position, lambda one: known(before(one.number)))


def window(trace, one, offsets, values):
    """The window at other offsets, as far as its source reaches."""
    source = trace.records[one.sources()[0]]
    extents = [min(wanted, extent - low) for wanted, extent, low in
               zip(one.attributes["shape"] or one.shape, source.shape, offsets)]
    kept = [min(extent, size) if extent < wanted else size for extent, size, wanted in
            zip(extents, one.shape, one.attributes["shape"] or one.shape)]
    if any(extent <= 0 for extent in kept):
        raise Unknown("a window over the edge")
    return trace.read(source.number, values, offsets, kept)


def far_moves(axis, extent, members, reach):
    """Functions from a record to offsets that move all `members` by several windows along an axis of `reach` elements."""
    begins = [one.attributes["offsets"][axis] for one in members]
    for count in range(2, _FARTHEST):
        for step in (count * extent, -count * extent):
            if min(begins) + step < 0 or max(begins) + step + extent > reach:
                continue

            def move(one, step=step):
                offsets = list(one.attributes["offsets"])
                offsets[axis] += step
                return offsets
            yield move


def moves(record, axis, extents):
    """Functions from a record to offsets: other places of a window along one axis."""
    def put(value):
        def move(one):
            offsets = list(one.attributes["offsets"])
            offsets[axis] = value(one, offsets)
            return offsets
        return move
    extent = extents[axis] if axis < len(extents) else 1
    for step in sorted({1, -1, extent, -extent, extent // 2, -(extent // 2)}):
        yield put(lambda one, offsets, step=step: offsets[axis] + step)
    yield put(lambda one, offsets: 0)
    for depth, scale in itertools.product(range(len(record.loops)), (1, extent)):
        yield put(lambda one, offsets, depth=depth, scale=scale:
                  one.loops[depth] * scale if depth < len(one.loops) else offsets[axis])
    for other in range(len(record.shape)):
        if other != axis:
            yield put(lambda one, offsets, other=other: offsets[other])
