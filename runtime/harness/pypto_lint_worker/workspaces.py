"""Guesses that a write into memory that later loops read, such as row statistics, should go to another parameter or to
another place in the same one. Views of that memory then show what the writes would have left there."""
from . import changes, outputs_of_run, remake, replay, replay_ops

_MOST_GUESSES = 80
_MOST_LINES = 8  # of writes


class Memory:
    """The parameters of a run that operations read, and the writes into each."""

    def __init__(self, trace):
        self.trace, self._roots, self.writes = trace, {}, []
        for record in trace.records:
            if record.write and record.op == "assemble" and record.sources() and not record.partial and record.target >= 0:
                self.writes.append(record)

    def root(self, number):
        """The number of the record that made a tensor, before all writes into it."""
        path = []
        while number not in self._roots and self.trace.records[number].write and self.trace.records[number].target >= 0:
            path.append(number)
            number = self.trace.records[number].target
        found = self._roots.get(number, number)
        self._roots.update(dict.fromkeys(path, found))
        return found

    def read_in(self, cones):
        """{number: parameter} of those that the views of cones read."""
        found = {self.root(record.sources()[0]) for _, cone in cones for record in cone if record.op == "view"}
        return {number: self.trace.records[number] for number in sorted(found)
                if self.trace.records[number].kind == "parameter" and self.trace.records[number].value is not None}


class Reads(changes.Group):
    """The views of some parameters, under the guess that the writes of `write`'s line go to parameter `target`, to the offsets
    that `move(record)` gives."""

    def __init__(self, memory, write, target, move):
        super().__init__(write, 0)
        self._memory = memory
        self._into = {target: [], memory.root(write.number): []}
        for one in memory.writes:
            is_moved = one.key() == write.key()
            root = target if is_moved else memory.root(one.number)
            if root in self._into:
                self._into[root].append((one, move(one) if is_moved else one.attributes["offsets"],
                                         memory.trace.records[one.sources()[0]].shape))

    def has(self, record):
        return record.op == "view" and self._memory.root(record.sources()[0]) in self._into

    def shown(self, view):
        """[(write, offsets)] that a view shows, oldest first."""
        found, writes = [], self._into[self._memory.root(view.sources()[0])]
        self._memory.trace.work += len(writes) * replay.VISIT_WORK
        for write, offsets, extents in writes:
            if write.number > view.number:
                break
            if replay.meets(offsets, extents, view.attributes["offsets"], view.shape):
                found.append((write, offsets))
        return found

    def also(self, view):
        """The numbers of the records that it shows."""
        return [write.sources()[0] for write, _ in self.shown(view)] if self.has(view) else []

    def make(self, view, trace, values):
        """What the view reads under the guess."""
        root = trace.records[self._memory.root(view.sources()[0])]
        made = replay.window(replay_ops.wide(trace.torch, root.value), view.attributes["offsets"], view.shape).clone()
        for write, offsets in self.shown(view):
            value = replay_ops.wide(trace.torch, trace.value(write.sources()[0], values))
            replay.paste(made, view.attributes["offsets"], value, offsets)
        return made


class Workspaces:
    """Part of blame.Blame, whose fields it reads."""

    def _misdirected(self, cones):
        """A write whose elements are read elsewhere: the answer if all wrong windows are right when it goes there."""
        memory, found = Memory(self.trace), {}
        for guess in self._explaining(self._other_targets(memory, memory.read_in(cones)), cones):
            found.setdefault(guess.group.line(), guess)
        if len(found) > 1:
            return self._several(found)
        return next((self._answer(guess.record, "low", guess.kind, guess.detail) for guess in found.values()), None)

    def _elsewhere(self):
        """An output that no launch wrote, although one line wrote all its elements somewhere else: the answer if it is the only
        such line."""
        memory, lines = Memory(self.trace), {}
        for write in memory.writes:
            lines.setdefault(write.key(), []).append(write)
        written = {output.leaf for output in self.outputs}
        for number, (leaf, truth, given) in enumerate(zip(self._leaves, self._truth, self._given)):
            parameter = None if leaf["all_close"] or number in written else self._parameter_like(given, memory)
            found = [] if parameter is None else [writes[0] for writes in list(lines.values())[:_MOST_LINES]
                                                  if all(self._is_right(write, truth) for write in writes)]
            if len(found) == 1:
                return self._answer(found[0], "low", "target", {"name": parameter.name})
        return None

    def _parameter_like(self, given, memory):
        """The only parameter that nothing writes and that may be an output of the wrapper, or None."""
        written = {memory.root(record.number) for record in self.trace.records if record.write}
        found = [record for record in self.trace.records if record.kind == "parameter" and record.value is not None and
                 record.number not in written and self._is_same_memory(record.value, given)]
        return found[0] if len(found) == 1 else None

    def _is_same_memory(self, one, other):
        """Do two tensors have the same elements? Elements that were never written may be NaN."""
        return one.shape == other.shape and one.dtype == other.dtype and \
            bool(((one == other) | ((one != one) & (other != other))).all())

    def _is_right(self, write, truth):
        """Is what a write gets the part of an output at its offsets?"""
        value, offsets = self.trace.records[write.sources()[0]].value, write.attributes["offsets"]
        if value is None or value.dim() != truth.dim() or any(
                low + size > extent for low, size, extent in zip(offsets, value.shape, truth.shape)):
            return False
        expected = replay.window(truth, offsets, value.shape)
        return not bool(outputs_of_run.wrong(self.torch, value.to(truth.dtype), expected, self._tolerance).any())

    def _other_targets(self, memory, parameters):
        lines, guesses = {write.key(): write for write in reversed(memory.writes)
                          if memory.root(write.number) in parameters}, []
        for write in list(lines.values())[:_MOST_LINES]:
            own = memory.root(write.number)
            extents = self.trace.records[write.sources()[0]].shape
            for number, parameter in parameters.items():
                if number != own and len(parameter.shape) == len(write.shape) and not self._is_input(parameter):
                    guesses.append(self._write_guess(memory, write, number, _offsets_of, "target", {"name": parameter.name}))
            moved = [(axis, move) for axis in range(len(extents)) for move in remake.moves(write, axis, extents)]
            guesses += [self._write_guess(memory, write, own, move, "write_offset", {"axis": axis}) for axis, move in moved]
        return guesses[:_MOST_GUESSES]

    def _is_input(self, parameter):
        return any(self._is_same(parameter.value, value) for value in self._named.values())

    @staticmethod
    def _write_guess(memory, write, target, move, kind, detail):
        group = Reads(memory, write, target, move)
        return changes.Repair(group, kind, detail, group.make, also=group.also)


def _offsets_of(write):
    return write.attributes["offsets"]
