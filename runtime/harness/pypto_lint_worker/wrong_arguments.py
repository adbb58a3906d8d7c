"""Arguments of the wrapper's call of a kernel that should be another input, or an input as it is: one is passed twice while
another one is passed nowhere, or the wrapper changes an input, such as by a reshape that scrambles its elements."""
from . import changes

_MOST_GUESSES = 40
_MOST_WORK = 300 * 1000 * 1000  # of all guesses, in elements (replay.py)


class Argument(changes.Group):
    """The memory of one parameter before each launch that gets the same elements."""

    def __init__(self, torch, record):
        super().__init__(record, 0)
        self._torch = torch

    def has(self, record):
        mine = self.record
        return record.kind == "parameter" and record.parameter == mine.parameter and record.name == mine.name and \
            (record is mine or self._torch.equal(record.value, mine.value) if record.value is not None else False)


class WrongArguments:
    """Part of blame.Blame, whose fields it reads."""

    def _passed_twice(self, cones):
        """An input is passed nowhere and another one twice: the answer if the first explains the outputs."""
        parameters = self._arguments_of(cones)
        unused = {name: value for name, value in self._named.items()
                  if not any(self._is_same(record.value, value) for record in parameters)}
        twice = [record for record in parameters if any(
            other.parameter != record.parameter and other.launch == record.launch and self._is_same(other.value, record.value)
            for other in parameters)]
        return self._of_arguments(twice, unused, cones)

    def _wrong_argument(self, cones):
        """Any other input as a parameter: first of those that are no part of an input, which the wrapper has changed."""
        parameters = sorted(self._arguments_of(cones), key=lambda record: self.frontier.known.get(record.number) is not False)
        return self._of_arguments(parameters, self._named, cones)

    def _arguments_of(self, cones):
        """The parameters of launches that wrong outputs are computed from, each once for each launch."""
        found = {record.number: record for _, cone in cones for record in cone
                 if record.kind == "parameter" and record.value is not None}
        return list(found.values())

    def _of_arguments(self, parameters, inputs, cones):
        found, most = {}, self.trace.work + _MOST_WORK
        for guess in self._other_inputs(parameters, inputs):
            if self.trace.work <= most and self._explains(guess, cones, self.outputs):
                line = self.text.launch_argument(guess.record.parameter, guess.record.name)
                if line is None:
                    return None
                found.setdefault(line, guess)
        end = next((one for one in reversed(self.trace.records) if one.kind == "end"), None)
        if not found or end is None:
            return None
        if len(found) > 1:
            return {"status": "unsure", "why": "several", "candidates": self._places([(end.file, line) for line in found])}
        [(line, guess)] = found.items()
        return self._answer(end, "low", "passed", guess.detail, line=(end.file, line))

    def _other_inputs(self, parameters, inputs):
        """The guesses that one of the parameters is one of the inputs, in its shape or transposed before."""
        guesses, seen = [], []
        for record in parameters:
            if any(group.has(record) for group in seen):
                continue
            seen.append(Argument(self.torch, record))
            for name, value in inputs.items():
                if value.numel() == record.value.numel() and not self._is_same(value, record.value):
                    layouts = [value] if value.dim() < 2 else [value, value.transpose(-1, -2)]
                    guesses += [self._as_argument(seen[-1], name, layout) for layout in layouts]
        return guesses[:_MOST_GUESSES]

    def _as_argument(self, group, name, value):
        made = value.reshape(group.record.shape)
        return changes.Repair(group, "passed", {"name": name.split()[-1]}, lambda one, trace, values: made)

    def _is_same(self, one, other):
        """Have two tensors the same elements in the same order?"""
        return one is not None and other is not None and one.numel() == other.numel() and \
            self.torch.equal(one.reshape(-1), other.reshape(-1).to(one.dtype))
