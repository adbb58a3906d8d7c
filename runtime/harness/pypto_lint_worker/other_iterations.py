"""What loops would leave in the tensors that they carry if they ran other iterations. Some iterations are dropped, others are
run like the last one, with the windows and masks that the text gives for their index."""
import collections

from . import regroupings, remake, replay_ops, scalar_values
from .replay_ops import Unknown

_MOST_MORE = 4  # iterations that are added to one run of a loop
_MOST_COUNT = 4096  # iterations of a run


class Loop:
    """A `pypto.loop` of the text. `runs`: {(launch, indices of the loops around): {index: [record]}}."""

    def __init__(self, node, depth, callers):
        self.node, self.depth, self.callers = node, depth, callers
        self.runs = {}

    def add(self, record):
        run = self.runs.setdefault((record.launch, tuple(record.loops[:self.depth])), {})
        run.setdefault(record.loops[self.depth], []).append(record)

    def last(self, key):
        """The records of the last iteration of a run."""
        run = self.runs[key]
        return run[max(run)]

    def run_of(self, record):
        """The key of the run that a record belongs to, or None."""
        key = record.launch, tuple(record.loops[:self.depth])
        run = self.runs.get(key)
        here = run.get(record.loops[self.depth], ()) if run and len(record.loops) > self.depth else ()
        return key if any(one is record for one in here) else None

    def range(self, values, key, part=None, edit=None):
        """The indices of a run according to the text."""
        launch, loops = key
        place = scalar_values.Place(self.node.lineno, self.callers, loops, launch)
        given = [values.value(node, place, part, edit) for node in self.node.iter.args]
        if not 1 <= len(given) <= 3 or (len(given) == 3 and given[2] <= 0):
            raise scalar_values.NoValue
        found = range(*given)
        if len(found) > _MOST_COUNT:
            raise scalar_values.NoValue
        return found


def loops_of(trace, text, index, wanted):
    """The loops around the records `wanted` whose bounds are expressions of the text."""
    around, found = {}, {}
    lines = {(record.line, index.helpers(record)) for record in wanted if record.loops}
    for record in trace.records:
        place = record.line, index.helpers(record)
        if record.kind != "op" or not record.loops or place not in lines:
            continue
        if place not in around:
            around[place] = text.loops_around(*place)
        if len(around[place]) == len(record.loops):
            for depth, (node, callers) in enumerate(around[place]):
                found.setdefault((id(node), callers), Loop(node, depth, callers)).add(record)
    return list(found.values())


class OtherRun:
    """The tensors of a run in which loops run other iterations. `ranges`: {(loop, key): range}."""

    def __init__(self, reader, trace, ranges):
        self._reader, self._trace = reader, trace
        self._made, self._values = {}, None
        self._plan = {}  # {number of a write: None if it is dropped, else (loop, key, indices to add)}
        for (loop, key), wanted in ranges.items():
            self._plan_run(loop, key, wanted)

    def _plan_run(self, loop, key, wanted):
        run = loop.runs[key]
        more = [index for index in wanted if index not in run]
        if len(more) > _MOST_MORE:
            raise Unknown("too many iterations")
        for index, records in run.items():
            if index not in wanted:
                self._plan.update((one.number, None) for one in records if regroupings.is_carried(one))
        if more:
            self._plan.update((one.number, (loop, key, more)) for one in _left(loop.last(key)))

    def numbers(self):
        """The numbers of the records that change."""
        return self._plan.keys()

    def also(self, record):
        """The numbers of the records whose elements the added iterations read from memory."""
        plan = self._plan.get(record.number)
        if plan is None:
            return []
        loop, key, more = plan
        found, last = [], loop.last(key)
        for number in self._needed(_left(last), {one.number for one in last}):
            view = self._trace.records[number]
            source = self._trace.records[view.sources()[0]] if view.op == "view" else view
            if view.op == "view" and source.write and not regroupings.is_carried(source):
                for index in more:
                    window = self._reader.window_at(view, _with_index(view, loop.depth, index))
                    found += self._trace.shown(source.number, *window)
        return found

    def made(self, record, values):
        """The new value of a record, or None if it stays the same."""
        if record.number not in self._plan:
            return None
        plan = self._plan[record.number]
        if plan is None:
            return self._trace.read(record.target, values)
        if self._values is not values:
            self._values, self._made = values, {}
        if record.number not in self._made:
            self._made.update(self._more(*plan, values))
        return self._made[record.number]

    def _more(self, loop, key, more, values):
        """{number of a record that the last iteration leaves: its tensor after the iterations `more`}."""
        last = loop.last(key)
        left, mine = _left(last), {record.number for record in last}
        needed = self._needed(left, mine)
        carried = {}  # {number that an iteration reads: number of the record that replaces it}
        for record in left:
            first = record
            while first.target in mine:
                first = self._trace.records[first.target]
            carried[first.target] = record.number
        state = {record.number: self._trace.value(record.number, values) for record in left}
        for index in more:
            made = {}
            seen = collections.ChainMap(made, {read: state[number] for read, number in carried.items()}, values)
            for number in needed:
                made[number] = self._again(self._trace.records[number], loop.depth, index, seen)
            state = {number: made[number] for number in state}
        return state

    def _needed(self, left, mine):
        """The numbers of the records of an iteration from which the tensors that it leaves are computed, in order."""
        found, waiting = set(), [record.number for record in left]
        while waiting:
            number = waiting.pop()
            if number in mine and number not in found:
                found.add(number)
                waiting += self._trace.records[number].sources()
        return sorted(found)

    def _again(self, record, depth, index, seen):
        """The result of an operation in another iteration. `seen`: the tensors there that differ from those of the run, by
        number."""
        trace = self._trace
        if record.write:
            written = record.sources()[0]
            if record.partial or trace.records[written].shape != record.shape:
                raise Unknown("a part of a tensor")
            return trace.value(written, seen)
        if not record.sources() and record.op not in replay_ops.OPERATIONS:
            return self._reader.constant(record)
        loops = _with_index(record, depth, index)
        if record.op == "view":
            offsets, shape = self._reader.window_at(record, loops)
            return trace.read(record.sources()[0], seen, offsets, shape)
        if record.op in ("tril", "triu"):
            made = getattr(trace.torch, record.op)(trace.operands(record, seen)[0], self._reader.diagonal_at(record, loops))
        else:
            numbers = self._reader.numbers_at(record, loops)
            made = remake.with_numbers(trace.torch, lambda _: numbers)(record, trace, seen)
        return trace.rounded(record, made)


def _with_index(record, depth, index):
    return [*record.loops[:depth], index, *record.loops[depth + 1:]]


def _left(records):
    """The last write of an iteration into each tensor that the loop carries."""
    writes = [record for record in records if regroupings.is_carried(record)]
    replaced = {record.target for record in writes}
    return [record for record in writes if record.number not in replaced]
