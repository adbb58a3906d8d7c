"""Writes of outputs that leave elements out, put them into the wrong place, or take the wrong tensor; also swapped
outputs."""
import itertools
import math

from . import gaps, matching, misplaced, outputs_of_run, regroupings, said
from .replay_ops import Unknown

_MOST_NEAR = 400  # records before a write among which its right source is looked for
_MOST_WORK = 1500 * 1000 * 1000  # elements that are compared


class Writes:
    """Part of blame.Blame, whose fields it reads."""

    def _never_written(self, outputs):
        """Wrong elements that no write covers."""
        for output in outputs:
            if not output.complete or not bool(output.free.any()) or not output.windows:
                continue
            if int(output.free.sum()) < int(output.wrong.sum()):
                continue
            write, gap = output.windows[0].write, gaps.find(output, self.trace, self.text)
            return self._answer(write, "low", gap.kind, gap.detail,
                                line=gap.line and (write.file, gap.line))
        return None

    def _swapped(self, outputs):
        """Swapped outputs: the arguments of a call are in the wrong order, or the return statement is, or the writes are
        if the call and the return statement agree."""
        pairs = {number: (leaf.get("where") or {}).get("equals")
                 for number, leaf in enumerate(self._leaves)}
        swapped = [number for number, other in pairs.items()
                   if other is not None and pairs.get(other) == number]
        lines = self.text.permuted_calls() if swapped else []
        name = self.job["wrapper_function"]
        writes = [output.windows[0].write for output in outputs
                  if output.leaf in swapped and output.windows]
        if len(writes) == len(swapped) > 0 and not lines and self.text.returns_in_order(name):
            first, *others = sorted(writes, key=lambda write: write.line)
            return self._answer(first, "low", "swapped_outputs", {},
                                [(write.file, write.line) for write in others])
        line = lines[0] if len(lines) == 1 else self.text.return_line(name) if swapped else None
        return None if line is None else self._about_text("swapped_outputs", {}, line)

    def _misplaced(self, outputs):
        """A write that puts its window into the wrong place: the reference has the elements elsewhere in the same output,
        and the windows leave gaps or overlap."""
        for output in outputs:
            tiled = sum(math.prod(window.extents) for window in output.windows)
            if not output.complete or tiled == output.given.numel():
                continue
            largest = float(output.expected.double().abs().max())
            for window in output.windows:
                if window.wrong and matching.is_telling(window.given):
                    distance = misplaced.elsewhere(self.trace, window, output.expected, largest,
                                                   _MOST_WORK)
                    if distance is not None:
                        return self._answer(window.write, "high", "misplaced",
                                            {"distance": distance, "output": output.leaf})
        return None

    def _other_source(self, cones):
        """A write that takes the wrong tensor: another tensor of the same iteration is what all wrong windows should
        be."""
        # If elements are not finite, an operation made them so, even if the write could take another tensor.
        found = [self._source_for(window) if self._made_nan is None else None for window, _ in cones]
        if None in found or len({self.trace.records[number].line for number in found}) != 1:
            return None
        number = found[0]
        window = cones[0][0]
        return self._answer(window.write, "low", "operand", {"tensor": number},
                            result=said.difference(self.torch, window.given, window.expected))

    def _source_for(self, window):
        # A tensor before its conversion is not another tensor.
        write, same = window.write, {record.number for record in self.trace.forms(window.source)}
        later = range(write.number + 1, min(write.number + _MOST_NEAR, len(self.trace.records)))
        for number in itertools.chain(range(write.number - 1, max(-1, write.number - _MOST_NEAR), -1), later):
            record = self.trace.records[number]
            if number in later and record.write:
                continue
            value = self._left_before(record, write) if record.write else record.value
            if value is None or record.shape != window.extents or record.kind != "op" or \
                    (record.loops != write.loops and not record.write) or number in same:
                continue
            *_, made = self.trace.forms(record.number)
            if made.kind != "parameter" and \
                    not bool(outputs_of_run.wrong(self.torch, value, window.expected, self._tolerance).any()):
                return record.number
        return None

    def _left_before(self, record, write):
        """What a write left in a tensor that a loop before another write carries, or None."""
        if not regroupings.is_carried(record) or record.loops[:len(write.loops)] != write.loops:
            return None
        try:
            return self.trace.read(record.number, {})
        except Unknown:
            return None
