"""Guesses about the arguments that the wrapper passes to a kernel: one input is passed twice and another one nowhere, or the
wrapper changes an input, for example by a reshape that scrambles its elements."""
from . import changes

_MOST_GUESSES = 40


class Argument(changes.Group):
    """A parameter of each launch that gets the same elements for it."""

    def __init__(self, torch, record):
        super().__init__(record, 0)
        self._torch = torch

    def has(self, record):
        mine = self.record
        is_mine = record.kind == "parameter" and record.parameter == mine.parameter and record.name == mine.name
        return is_mine and record.value is not None and (record is mine or self._torch.equal(record.value, mine.value))


class WrongArguments:
    """Part of blame.Blame, whose fields it reads."""

    def _passed_twice(self, cones):
        """One input is passed twice and another one nowhere: the answer if passing the other one explains the outputs."""
        parameters = self._arguments_of(cones)
        unused = {name: value for name, value in self._named.items()
                  if not any(self._is_same(record.value, value) for record in parameters)}
        twice = [record for record in parameters if any(
            other.parameter != record.parameter and other.launch == record.launch and self._is_same(other.value, record.value)
            for other in parameters)]
        return self._of_arguments(twice, unused, cones)

    def _or_argument(self, repaired, cones):
        """`repaired`, or the answer that the wrapper should pass another input. If an operation has been found already, only
        parameters that the wrapper may have changed are tried, and both lines become candidates."""
        is_found = repaired is not None and repaired["status"] == "found"
        parameters = self._arguments_of(cones)
        changed = [record for record in parameters if self.frontier.known.get(record.number) is False]  # not part of an input
        rest = [] if is_found else [record for record in parameters if record not in changed]
        other = self._of_arguments(changed + rest, self._named, cones)
        if other is None or not is_found:
            return other or repaired
        if other["status"] != "found":
            return repaired
        self.is_ambiguous = True
        return {"status": "unsure", "why": "several",
                "candidates": [{"file": one["file"], "line": one["line"]} for one in (other, repaired)]}

    def _repeated(self):
        """A tensor that the wrapper passes or returns twice, while another one that it made for the same purpose is left out."""
        line = self.text.repeated_line(self.job["wrapper_function"])
        return None if line is None else self._about_text("repeated", {}, line)

    def _returned(self):
        """A wrong output that no launch wrote, because the wrapper returns an input instead."""
        wrapper = self.job["wrapper_function"]
        for leaf, given in zip(self._leaves, self._given):
            name = next((name.split()[-1] for name, value in self._named.items() if self._is_same(value, given)), None)
            line = None if name is None or leaf["all_close"] else self.text.returned_line(wrapper, name)
            if line is not None:
                return self._about_text("returned", {"name": name}, line)
        return None

    def _arguments_of(self, cones):
        """The parameters of launches that wrong outputs are computed from, once for each launch."""
        found = {record.number: record for _, cone in cones for record in cone
                 if record.kind == "parameter" and record.value is not None}
        return list(found.values())

    def _of_arguments(self, parameters, inputs, cones):
        found, end = {}, self.trace.end()
        for guess in self._explaining(self._other_inputs(parameters, inputs), cones):
            line = self.text.launch_argument(guess.record.parameter, guess.record.name)
            if line is None:
                return None
            found.setdefault(line, guess)
        if not found or end is None:
            return None
        if len(found) > 1:
            return self._several((end.file, line) for line in found)
        [(line, guess)] = found.items()
        return self._about_text("passed", guess.detail, line)

    def _other_inputs(self, parameters, inputs):
        """Guesses that a parameter should be another input, also transposed first, in the shape of the parameter."""
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
        """Do two tensors have the same elements in the same order?"""
        return one is not None and other is not None and one.numel() == other.numel() and \
            self.torch.equal(one.reshape(-1), other.reshape(-1).to(one.dtype))
