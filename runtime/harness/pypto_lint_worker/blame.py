"""Which line of a kernel makes its outputs wrong (docs/internals/blame.md).

The records of the run show which operations compute the wrong elements, and repairs are tried on these
records. If no repair explains the outputs, the answer is a suspicion: the first operation whose result the
reference lacks although it has the operands. Lines, names of operations, axes and places leave this module,
but elements of tensors do not."""
import collections

from . import (arithmetic, blame_record, changes, claims, edited_text, fitting, guess_places, matching, misplaced,
               not_finite, other_numbers, outputs_of_run, regroupings, repairs, replay, replay_ops, rerun, said, scalar_sites,
               signs, source_lines, suspicions, workspaces, worth, writers, writes, wrong_arguments)
from .frontier import Frontier
from .replay_ops import Unknown

# What repairs may cost in computed elements (replay.py), about a second and a half on a usual machine.
MOST_WORK = 2400 * 1000 * 1000
_MOST_FURTHER_WORK = 300 * 1000 * 1000  # for guesses about the wrapper's arguments, and again for those about workspaces
_MOST_WINDOWS = 4000
_MOST_CANDIDATES = 5
_MOST_EXPLAINING = 5  # if this many lines can explain the outputs, the answer is unsure
_SHARE = 0.8  # of the work that guesses about tensors missing from the reference may take
_ADDING = ("missing", "missing_tensor")  # guesses of these kinds are useless if they only return an operand
_FEWEST_WRONG = 4  # elements; with fewer, a change may make them right by chance
# This share of the wrong elements may stay wrong in a repaired output, because rounding differs a little.
_LEFT_WRONG = 0.002


def explain(case, answer, watched, truth, given):
    """`blame` of the result, or None where the case passed or nothing was watched."""
    place = answer.claims["watched"]
    if place is None or all(leaf["all_close"] for leaf in case.result.leaves):
        return None
    try:
        reruns = rerun.of(case, answer, truth)
        found = search(case, (answer.reader.attached(place["index"]),
                              answer.reader.attached(place["elements"])), watched, truth, given, reruns)
    except Exception as error:  # the verdict does not need it
        return {"status": "failed", "why": type(error).__name__}
    found["precision"] = answer.claims["precision"]
    found["left_out"] = place["left_out"] + watched.left_out
    return found


def search(case, recorded, watched, truth, given, reruns=None):
    """The answer without `precision` and `left_out`. `case` has `job`, `torch`, `values` (the inputs) and
    `result`, for the leaves `truth` and `given`; `recorded`: the records and their elements as bytes; `reruns`: a
    rerun.Reruns, or None if the kernel cannot run again."""
    blame = Blame(case, blame_record.read(case.torch, *recorded), watched, truth, given)
    found = blame.by_edits(blame.run(), reruns)
    found["writers"] = writers.of_worst(blame.trace, blame.outputs, case.result.leaves, case.job, blame.text)
    found["unmatched"] = blame.unmatched()
    found["iterations"] = outputs_of_run.iterations(blame.outputs)
    return found


class Blame(edited_text.EditedText, suspicions.Suspicions, workspaces.Workspaces, worth.Worth, writes.Writes,
            wrong_arguments.WrongArguments):
    """The search for one case."""

    def __init__(self, case, records, watched, truth, given):
        self.job, self.torch = case.job, case.torch
        self._watched = watched
        self._named = {name: arithmetic.host(value) for name, value in case.values.items()
                       if isinstance(value, case.torch.Tensor)}
        self._leaves = case.result.leaves
        self._truth = [arithmetic.host(leaf) for leaf in truth]
        self._given = [arithmetic.host(leaf) for leaf in given]
        self._tolerance = case.job["atol"], case.job["rtol"]
        self.trace = replay.Trace(self.torch, records)
        self.index = changes.Index(records)
        self.text = source_lines.SourceText(case.job["impl"])
        self.frontier, self.outputs, self.cones, self._extents = None, [], [], ()
        self._right = []  # (window, cone) of the first right window of each output
        self._made_nan = None  # the first record that makes NaN or infinity where the reference has neither
        self._done = set()  # phases of repairs.Guesses
        self._begins, self.places = regroupings.begins(self.trace), None
        self.is_ambiguous = False  # several lines explain the outputs

    def run(self):
        """The answer as JSON."""
        outputs = outputs_of_run.find(self.torch, self.trace, self._leaves, self._truth,
                                      self._given, self._tolerance)
        self.outputs = outputs
        for output in outputs:
            output.find_windows(self.trace, _MOST_WINDOWS)
        wrong = [output for output in outputs if bool(output.wrong.any())]
        repeated = self._repeated() or (None if wrong else self._returned()) or self._elsewhere()
        if repeated is not None or not wrong:
            return repeated or {"status": "unsure", "why": "outputs"}
        found = self._swapped(wrong) or self._misplaced(wrong) or self._never_written(wrong)
        if found is not None:
            return found
        self.cones = cones = self._cones(wrong)
        if not cones:
            return {"status": "unsure", "why": "records"}
        for output in outputs:
            self._right += self._with_cones([window for window in output.windows if not window.wrong][:1])
        self.frontier = Frontier(self.trace, self.torch, list(self._named.values()), self._watched.tensors)
        self.places = guess_places.GuessPlaces(self.trace, self.index, self.text, self.frontier, cones)
        self._made_nan = not_finite.first(self.torch, self.trace, cones)
        repaired = self._other_source(cones) or self._passed_twice(cones) or self._by_repairs(cones)
        repaired = self._or_argument(repaired, cones)
        if repaired is None or repaired["status"] != "found":
            repaired = self._misdirected(cones) or (self._not_finite(cones) if repaired else None) or repaired
        if repaired is None or repaired.get("confidence") != "high":
            repaired = self._infinities(cones) or self._rather_unread(repaired, cones) or repaired
        return repaired or self._partly_written(wrong) or self._suspect(cones) or {"status": "unsure", "why": "nothing"}

    # ---- repairs

    def _cones(self, outputs):
        """[(window, cone)] of the first and the last wrong window of each output."""
        found = []
        for output in outputs:
            wrong = [window for window in reversed(output.windows) if window.wrong]
            found += self._with_cones(wrong[:1] + wrong[1:][-1:])
        return found[:6]

    def _with_cones(self, windows):
        """[(window, cone)] of the windows whose cone is known."""
        found = []
        for window in windows:
            try:
                found.append((window, self.trace.cone(window.source)))
            except Unknown:
                continue
        return found

    def _numbers(self, cone):
        """The numbers that an operation may need: those of the reference and those computed from extents."""
        found = list(self._watched.numbers) + [0.0, 1.0, -1.0, 2.0, 0.5]
        found += [1.0 / number for number in self._watched.numbers if number]
        extents = {extent for tensor in self._watched.tensors[:200]
                   for extent in tensor.value.shape}
        extents |= {extent for record in cone[:200] for extent in record.shape}
        self._extents = extents
        for extent in sorted(extents):
            if extent > 1:
                found += [1.0 / extent, float(extent), extent ** -0.5, extent ** 0.5,
                          1.0 / (extent - 1)]
        found += [-number for number in self._watched.numbers]
        return list(dict.fromkeys(found))

    def _by_repairs(self, cones):
        """The answer of guesses about operations whose results the reference lacks, else of guesses about the others:
        a right result may be used in the wrong place."""
        innocent = set().union(*(self.frontier.innocent(one) for _, one in cones[:2]))
        found = self._search(cones, innocent, MOST_WORK * _SHARE)
        if found is None and self.trace.work <= MOST_WORK:
            found = self._search(cones, set(), MOST_WORK, innocent)
            if found is not None and found["status"] == "found":
                found["confidence"] = "low"
        return found

    def _search(self, cones, innocent, most, only=None):
        first, cone = cones[0]
        guesses = repairs.Guesses(self.torch, self.trace, self.index, cone, self._numbers(cone),
                                  innocent, [tensor.op for tensor in self._watched.tensors],
                                  {record.key() for record in self.frontier.first_lacking(cones)}, self.text, only)
        guesses.cones = [one for _, one in cones]
        guesses.done = self._done
        guesses.own_numbers = list(self._watched.numbers)
        guesses.fit = fitting.Fit(self.torch, self.trace, *min(cones, key=lambda one: len(one[1])))
        guesses.acquitted = {scalar_sites.place_of(record) for _, cone in self._right for record in cone}
        best, found, lines = None, [], set()
        for phase, is_local in guesses.phases(misplaced.ratio(self.torch, first)):
            for guess in phase:
                if (best is not None and repairs.COSTS[guess.kind] > best) or self.trace.work > most:
                    break
                if best is not None and worth.least_cost(guess) > best:
                    continue
                if (not is_local or self._is_known(guess)) and self._explains(guess, cones):
                    cost = self._cost(guess, cone)
                    lines.update([guess.group.line()] if worth.is_telling(guess) else [])
                    if best is None or cost < best:
                        best, found = cost, []
                    if cost == best:
                        found.append(guess)
        if len(lines) >= _MOST_EXPLAINING and not any(guess.confirmed for guess in found):
            return self._several(sorted(lines))  # the wrong elements tell too little
        return self._choose(found, cones) if found else None

    def _is_known(self, guess):
        """Does the reference have what the first operation would make under a guess?"""
        try:
            made = guess(guess.record, self.trace, {})
        except replay_ops.FAILURES:
            return False
        if made is None or not matching.is_telling(made):
            return False
        self.trace.work += replay.RECORD_WORK + made.numel()
        found = self.frontier.pool.find(made, guess.record.dtype)
        return bool(found) and not (guess.kind in _ADDING and self.frontier.has_operand(guess.record, found))

    def _explains(self, guess, cones):
        """Does the guess make all wrong windows right, and no right one wrong? A right window that
        cannot be replayed says nothing."""
        guess.is_rough = False
        # The smallest cone is replayed first: most guesses fail there.
        by_size = sorted(cones, key=lambda one: len(one[1]))
        return all(self._repaired(guess, window, cone) for window, cone in by_size) and \
            all(self._repaired(guess, window, cone) is not False for window, cone in self._right)

    def _explaining(self, guesses, cones):
        """Yields the guesses that explain the outputs, until that has cost too much."""
        most = self.trace.work + _MOST_FURTHER_WORK
        for guess in guesses:
            if self.trace.work > most:
                return
            if self._explains(guess, cones):
                yield guess

    def _repaired(self, guess, window, cone):
        """Is the window right under the guess? None = it cannot be replayed."""
        try:
            if guess.also is not None:
                cone = self.trace.cone(window.source, guess.also)
            values = self.trace.replay(cone, guess)
            made = self.trace.value(window.source, values)
        except replay_ops.FAILURES:
            return None
        extents = window.expected.shape
        if made.dim() != len(extents):
            return False
        # Under the guess, the write may have more or fewer elements.
        made = replay.window(made, [0] * made.dim(), [min(one, extent) for one, extent in zip(made.shape, extents)])
        if list(made.shape) != list(extents):
            made = self._with_unwritten(window, made)
        if made is None:
            return False
        made = made.to(window.expected.dtype)
        left = outputs_of_run.wrong(self.torch, made, window.expected, self._tolerance)
        if int(left.sum()) > _LEFT_WRONG * window.wrong:
            return False
        if window.wrong and outputs_of_run.is_rough(self.torch, made, window.expected, self._tolerance):
            guess.is_rough = True
        return True

    def _with_unwritten(self, window, made):
        """The whole window if a guess writes only its first part; the rest keeps what the wrapper passed. None if that is not
        known."""
        before = self.trace.records[regroupings.start(self.trace, window.write.number)]
        if made.dim() != len(window.extents) or before.kind != "parameter" or before.value is None or \
                any(size > extent for size, extent in zip(made.shape, window.extents)):
            return None
        whole = replay.window(before.value, window.offsets, window.extents).to(made.dtype).clone()
        replay.paste(whole, [0] * made.dim(), made, [0] * made.dim())
        return whole

    def _likeliest(self, found, cones):
        """(guesses, lines): the likeliest of the guesses that explain the outputs at the same cost, and the lines that may be
        wrong."""
        broad = {guess.record.key() for guess in found if not guess.group.depth}
        found = [guess for guess in found
                 if not guess.group.depth or guess.record.key() not in broad]
        found = self._specific(self._positional(self._after_loops(found)))
        found = worth.cheapest_kinds(found)
        lines = list(dict.fromkeys(guess.group.line() for guess in found))
        if len(lines) > 1:
            found = self._best_matching(found, cones[0][1])
            lines = list(dict.fromkeys(guess.group.line() for guess in found))
        if len(lines) > 1:
            suspects = {record.key()[:2] for record in self.frontier.first_lacking(cones)}
            kept = [guess for guess in found if guess.group.line() in suspects]
            found = kept or found
        if len(lines) == 1 and len(found) > 1:
            found = [guess for guess in found if self._makes_operand(guess)] or found
        return found, lines

    def _choose(self, found, cones):
        """The answer for guesses that explain the outputs at the same cost."""
        found, lines = self._likeliest(found, cones)
        placed = {guess: self.places.of(guess) for guess in found}
        named = {placed[guess][0] for guess in found if self.places.is_near(guess)} or {line for line, _ in placed.values()}
        is_split = len(lines) == 1 and len(named) > 1
        if is_split:
            found = self._of_split(placed, lines[0], cones)
        if len(named) > 1 and len(lines) > 1:
            return self._several(lines)
        guess = max(found, key=self.places.is_near)
        constant = self._constant_instead(guess, cones)
        if constant is not None:
            return self._answer(constant.record, "low", "number", constant.detail, [constant.group.line()] + lines)
        line, confidence = placed[guess]
        alias = self.places.alias(guess, line[1])
        if alias is not None:
            line, confidence = (line[0], alias), "low"
        lines += [other.group.line() for other in signs.others(self.torch, self.trace, guess)
                  if self._explains(other, cones)]
        is_sure = guess.confirmed and not guess.is_rough and \
            sum(window.wrong for window, _ in cones) >= _FEWEST_WRONG
        confidence = confidence if len(lines) == 1 and is_sure and not is_split else "low"
        if confidence == "low":
            lines += [(line[0], other) for other in self.places.as_good(guess, line[1])]
        return self._answer(guess.record, confidence, guess.kind, guess.detail, list(dict.fromkeys(lines)), line,
                            said.repaired(self.torch, self.trace, guess, cones[0][1]))

    def _of_split(self, placed, changed, cones):
        """The guesses to name if they all change one line but blame several. `placed`: {guess: (line, confidence)}."""
        first = {record.key() for record in self.frontier.first_lacking(cones)}
        nearest = [guess for guess in placed if guess.record.key() in first]
        if nearest:  # the operands of these operations are still right
            return nearest
        counts = collections.Counter(line for line, _ in placed.values())
        # On a tie, the changed line wins, because a step there changes nothing else.
        most = min(counts, key=lambda one: (-counts[one], one != changed, one))
        return [guess for guess, (line, _) in placed.items() if line == most]

    def _constant_instead(self, guess, cones):
        """If a guess replaces an operation on a constant tensor, the guess that explains the outputs by another constant
        instead, or None. A constant is chosen for the operation that reads it."""
        if guess.kind not in ("operation", "strange"):
            return None
        for number in self.trace.needs(guess.record):
            full = self.trace.records[number]
            if full.op == "full" and full.operands and full.operands[0][0] == "number":
                for other in other_numbers.constants(self.torch, full):
                    if self._explains(other, cones):
                        return other
        return None

    # ---- the answer

    def _answer(self, record, confidence, kind, detail, lines=(), line=None, result=None):
        """`result`: where the record's tensor is wrong (said.py)."""
        record = self.trace.records[detail.get("record", record.number)]  # the execution that differs
        named = line or (record.file, record.line)
        file, line = claims.place(*named, self.job)
        if file is None:
            return {"status": "unsure", "why": "place"}
        return {"status": "found", "file": file, "line": line, "operation": record.op,
                "iteration": list(record.loops), "confidence": confidence, "kind": kind,
                "loops": self.text.loop_names(record.line, record.callers, len(record.loops)),
                "detail": self._shown(detail), "result": result,
                "candidates": self._places([one for one in lines
                                            if one != named])}

    def _about_text(self, kind, detail, line):
        """The answer for a line that runs no operation, such as the wrapper's call, or None if no launch finished."""
        end = self.trace.end()
        return None if end is None else self._answer(end, "low", kind, detail, line=(end.file, line))

    def _several(self, lines, is_proved=True):
        """The answer that any of several lines may be wrong. `is_proved`: each of them explains the outputs."""
        self.is_ambiguous = is_proved
        return {"status": "unsure", "why": "several", "candidates": self._places(list(lines))}

    def _shown(self, detail):
        """A detail without the numbers of the run and of the reference."""
        shown = dict(detail)
        tensor, wanted, present = (shown.pop(key, None) for key in ("tensor", "wanted", "present"))
        if tensor is not None:
            shown.update(said.source(self.text, self.trace, self.trace.records[tensor]))
        if wanted is not None:
            shown.update(said.number(wanted, present, self._extents))
        return shown

    def unmatched(self):
        """The places that make tensors missing from the reference."""
        return [] if self.frontier is None else self._places(said.lacking(self.frontier, self.cones))

    def _places(self, lines):
        listed = [claims.place(file, line, self.job) for file, line in lines[:_MOST_CANDIDATES]]
        return [{"file": file, "line": line} for file, line in listed if file is not None]
