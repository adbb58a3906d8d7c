"""Runs a kernel again with edits of its text (text_edits.py), and tells which edits make all outputs right."""
from . import arithmetic, outputs_of_run

BATCH = 8  # texts that one process runs
# What reruns may cost, in microseconds on a usual machine.
MOST_WORK = 4 * 1000 * 1000
_RUN_WORK, _LINE_WORK, _RECORD_WORK = 3000, 200, 0.8  # of a run, of each line of the edited function, of each record
_MOST_RECORDS = 6000  # of the run; in a larger case, the guesses take all the time
_FEWEST = 16  # fewer edits seldom include the right one
_NEAR = 0.5  # once an edit makes the outputs right, others run only if they cost at most this much more
_LEAST_SECONDS = 0.3


def of(case, answer, truth):
    """The Reruns of a case, or None for a case that is too large."""
    record_count = case.result.ops or 0
    return Reruns(case, answer, truth, record_count) if record_count <= _MOST_RECORDS else None


class Reruns:
    """The reruns of one case."""

    def __init__(self, case, answer, truth, record_count):
        self._case, self._truth = case, truth
        self._seconds = max(_LEAST_SECONDS, 4 * answer.seconds)
        self._record_count = record_count
        self._hosts = [arithmetic.host(leaf) for leaf in truth]

    def explaining(self, source, edits):
        """The edits of `edits`, a list of (cost, edit), that make the outputs right, the cheapest first. `source`: the
        edit_source.Source of the text."""
        ordered = sorted(edits, key=lambda one: (one[0], one[1].line, one[1].changes))
        try:
            return self._tried(source.data, ordered[:self._affordable(source, ordered)])
        except OSError:  # nothing answers, or not in time
            return []

    def _affordable(self, source, ordered):
        """How many edits may run; none if the limit allows only very few."""
        lengths, work = source.function_lengths(), 0
        for number, (_, edit) in enumerate(ordered):
            work += _RUN_WORK + _LINE_WORK * lengths.get(edit.line, 0) + _RECORD_WORK * self._record_count
            if work > MOST_WORK:
                return number if number >= _FEWEST else 0
        return len(ordered)

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
        made = self._case.packages.kernel.rerun(texts, self._seconds, self._truth)
        if made is None and len(edits) > 1:  # one of them ended the process
            return [right for edit in edits for right in self._right(data, [edit])]
        return [self._is_right(leaves) for leaves in made or [()] * len(edits)]

    def _is_right(self, leaves):
        job, torch = self._case.job, self._case.torch
        return len(leaves) == len(self._hosts) and all(
            leaf is not None and leaf.shape == host.shape and leaf.dtype == host.dtype and
            not bool(outputs_of_run.wrong(torch, leaf, host, (job["atol"], job["rtol"])).any())
            for leaf, host in zip(leaves, self._hosts))
