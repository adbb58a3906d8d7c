"""Runs a kernel with edits of its text, where no guess about the records of one run explains the outputs: the line of an edit
that makes all of them right is blamed. The edits of suspected lines come first (text_edits.py)."""
from . import arithmetic, edit_source, outputs_of_run, text_edits

BATCH = 8  # texts that one process runs
# What reruns may cost, in microseconds of a usual machine.
MOST_WORK = 4 * 1000 * 1000
_RUN_WORK, _LINE_WORK, _RECORD_WORK = 3000, 200, 0.8  # of a run, of each line of the edited function, of each record
_MOST_RECORDS = 6000  # of the run: a larger case takes its time for guesses
_FEWEST = 16  # edits
_NEAR = 0.5  # edits that cost so much more than the first that explains the outputs are tried, too
_LEAST_SECONDS = 0.3


class Reruns:
    """The reruns of one case."""

    def __init__(self, case, answer, truth, record_count):
        self._case, self._truth = case, truth
        self._seconds = max(_LEAST_SECONDS, 4 * answer.seconds)
        self._record_count = record_count
        self._hosts = [arithmetic.host(leaf) for leaf in truth]

    def explaining(self, costs, operations, is_wanted):
        """[(cost, edit)] of the edits that make the outputs right, the cheapest first. `costs`: by line, what an edit there
        costs more; lines that it lacks are left out. `is_wanted(cost, edit)`: may an edit change the answer?"""
        data = self._read()
        if self._record_count > _MOST_RECORDS:
            return []
        try:
            edits = text_edits.TextEdits(data, operations)
            listed = [(edit.cost + costs[edit.line], edit) for edit in edits.all() if edit.line in costs]
            ordered = sorted((one for one in listed if is_wanted(*one)), key=lambda one: (one[0], one[1].line, one[1].changes))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        return self._tried(data, ordered[:self._affordable(edits.source, ordered)])

    def _affordable(self, source, ordered):
        """How many edits may run; none if these would be very few."""
        lengths, work = source.function_lengths(), 0
        for number, (_, edit) in enumerate(ordered):
            work += _RUN_WORK + _LINE_WORK * lengths.get(edit.line, 0) + _RECORD_WORK * self._record_count
            if work > MOST_WORK:
                return number if number >= _FEWEST else 0  # with so few, the right one is rarely among them
        return len(ordered)

    def _read(self):
        try:
            with open(self._case.job["impl"], "rb") as file:
                return file.read(edit_source.MOST_BYTES)
        except OSError:
            return b""

    def _tried(self, data, ordered):
        found = []
        for at in range(0, len(ordered), BATCH):
            batch = ordered[at:at + BATCH]
            if found and batch[0][0] > found[0][0] + _NEAR:
                break
            found += [one for one, is_right in zip(batch, self._right(data, [edit for _, edit in batch])) if is_right]
        return [one for one in found if one[0] <= found[0][0] + _NEAR]

    def _right(self, data, edits):
        """For each edit whether it makes all outputs right."""
        texts = [edit.apply(data).decode("utf-8", "replace") for edit in edits]
        kernel = self._case.packages.kernel
        made = kernel.rerun(texts, self._seconds, self._truth)
        if made is None and len(edits) > 1:  # one of them ended the process
            return [right for edit in edits for right in self._right(data, [edit])]
        return [self._is_right(leaves) for leaves in made or [()] * len(edits)]

    def _is_right(self, leaves):
        job, torch = self._case.job, self._case.torch
        return len(leaves) == len(self._hosts) and all(
            leaf is not None and leaf.shape == host.shape and leaf.dtype == host.dtype and
            not bool(outputs_of_run.wrong(torch, leaf, host, (job["atol"], job["rtol"])).any())
            for leaf, host in zip(leaves, self._hosts))
