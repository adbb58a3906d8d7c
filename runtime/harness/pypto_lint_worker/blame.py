"""Which line of a kernel makes its outputs wrong (docs/internals/blame.md).

The records of the run say from which operations the wrong elements come. Repairs are tried on them;
where none explains the outputs, the first operation whose tensor the reference does not have, although
it has its operands, is named as a suspicion. No element of a tensor leaves this module: lines, names of
operations, axes and places do."""
import math

from . import (arithmetic, blame_record, claims, matching, outputs_of_run, repairs, replay,
               source_lines)
from .golden_record import GoldenTensor
from .replay_ops import Unknown

# What repairs may cost, in elements computed (replay.py): a second and a half on a usual machine.
MOST_WORK = 1500 * 1000 * 1000
_MOST_WINDOWS = 4000
_MOST_CANDIDATES = 5
# A repaired output may have this share of the wrong elements left: rounding differs a little.
_LEFT_WRONG = 0.002


def explain(case, answer, watched, truth, given):
    """`blame` of the result, or None where the case passed or nothing was watched."""
    place = answer.claims["watched"]
    leaves = case.result.leaves
    if place is None or all(leaf["all_close"] for leaf in leaves):
        return None
    try:
        records = blame_record.read(case.torch, answer.reader.attached(place["index"]),
                                    answer.reader.attached(place["elements"]))
        blame = Blame(case, records, watched, truth, given)
        found = blame.run()
    except Exception as error:  # the verdict does not need it
        return {"status": "failed", "why": type(error).__name__}
    found["left_out"] = place["left_out"] + watched.left_out
    return found


class Blame:
    """The search for one case."""

    def __init__(self, case, records, watched, truth, given):
        self.job, self.torch = case.job, case.torch
        self._watched = watched
        self._inputs = [arithmetic.host(value) for value in case.values.values()
                        if isinstance(value, case.torch.Tensor)]
        self._leaves = case.result.leaves
        self._truth = [arithmetic.host(leaf) for leaf in truth]
        self._given = [arithmetic.host(leaf) for leaf in given]
        self._tolerance = case.job["atol"], case.job["rtol"]
        self.trace = replay.Trace(self.torch, records)
        self.index = repairs.Index(records)
        self._pool = None
        self._text = source_lines.SourceText(case.job["impl"])
        self._known = {}

    def run(self):
        """The answer as JSON."""
        outputs = outputs_of_run.find(self.torch, self.trace, self._leaves, self._truth,
                                      self._given, self._tolerance)
        for output in outputs:
            output.find_windows(self.trace, _MOST_WINDOWS)
        wrong = [output for output in outputs if bool(output.wrong.any())]
        if not wrong:
            return {"status": "unsure", "why": "outputs"}
        found = self._misplaced(wrong) or self._never_written(wrong)
        if found is not None:
            return found
        cones = self._cones(wrong)
        if not cones:
            return {"status": "unsure", "why": "records"}
        return self._by_repairs(cones, outputs) or self._by_frontier(cones) or \
            {"status": "unsure", "why": "nothing"}

    # ---- the write itself

    def _never_written(self, outputs):
        """Wrong elements that no write covers."""
        for output in outputs:
            if not output.complete or not bool(output.free.any()) or not output.windows:
                continue
            if int(output.free.sum()) < int(output.wrong.sum()):
                continue
            write = output.windows[0].write
            line = self._text.bound_line(write.line, write.callers)
            return self._answer(write, "low", "never_written", {"output": output.leaf},
                                line=line and (write.file, line))
        return None

    def _misplaced(self, outputs):
        """A window whose elements the reference has elsewhere in the same output, while the windows
        leave gaps or overlap: the write has the wrong place."""
        for output in outputs:
            tiled = sum(math.prod(window.extents) for window in output.windows)
            if not output.complete or tiled == output.given.numel():
                continue
            for window in output.windows:
                if window.wrong and matching.is_telling(window.given):
                    distance = _elsewhere(self.torch, window, output.expected)
                    if distance is not None:
                        return self._answer(window.write, "high", "misplaced",
                                            {"distance": distance, "output": output.leaf})
        return None

    # ---- repairs

    def _cones(self, outputs):
        """[(window, cone)] of wrong windows: of each output the first and the last."""
        found = []
        for output in outputs:
            wrong = [window for window in reversed(output.windows) if window.wrong]
            for window in wrong[:1] + wrong[1:][-1:]:
                try:
                    found.append((window, self.trace.cone(window.source)))
                except Unknown:
                    continue
        return found[:6]

    def _numbers(self, cone):
        """Numbers that may be meant: the reference's, and those that extents give."""
        found = list(self._watched.numbers) + [0.0, 1.0, -1.0, 2.0, 0.5]
        extents = {extent for tensor in self._watched.tensors[:200]
                   for extent in tensor.value.shape}
        extents |= {extent for record in cone[:200] for extent in record.shape}
        for extent in sorted(extents):
            if extent > 1:
                found += [1.0 / extent, float(extent), extent ** -0.5, extent ** 0.5,
                          1.0 / (extent - 1)]
        found += [-number for number in self._watched.numbers]
        found += [1.0 / number for number in self._watched.numbers if number]
        return list(dict.fromkeys(found))

    def _by_repairs(self, cones, outputs):
        first, cone = cones[0]
        innocent = set().union(*(self._innocent(one) for _, one in cones[:2]))
        guesses = repairs.Guesses(self.torch, self.trace, self.index, cone, self._numbers(cone),
                                  innocent)
        best, found = None, []
        for guess in guesses.all(_ratio(self.torch, first)):
            cost = repairs.COSTS[guess.kind]
            if (best is not None and cost > best) or self.trace.work > MOST_WORK:
                break
            if self._explains(guess, cones, outputs):
                found.append(guess)
                best = cost
        return self._choose(found, cones) if found else None

    def _explains(self, guess, cones, outputs):
        """Does the guess make all wrong windows right, and no right one wrong?"""
        if not all(self._repaired(guess, window, cone) for window, cone in cones):
            return False
        for output in outputs:
            right = [window for window in output.windows if not window.wrong][:1]
            for window in right:
                try:
                    if not self._repaired(guess, window, self.trace.cone(window.source)):
                        return False
                except Unknown:
                    continue
        return True

    def _repaired(self, guess, window, cone):
        try:
            values = self.trace.replay(cone, guess)
            made = self.trace.value(window.source, values)
        except (Unknown, RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
            return False
        if list(made.shape) != list(window.expected.shape):
            return False
        left = outputs_of_run.wrong(self.torch, made.to(window.expected.dtype), window.expected,
                                    self._tolerance)
        return int(left.sum()) <= _LEFT_WRONG * window.wrong

    def _choose(self, found, cones):
        """The answer for guesses of one cost that all explain the outputs."""
        broad = {guess.record.key() for guess in found if not guess.group.depth}
        found = [guess for guess in found
                 if not guess.group.depth or guess.record.key() not in broad]
        lines = list(dict.fromkeys(guess.group.line() for guess in found))
        if len(lines) > 1:
            suspects = {record.key()[:2] for record in self._frontier(cones)}
            kept = [guess for guess in found if guess.group.line() in suspects]
            found = kept or found
        named = {self._lacking(guess)[0] for guess in found if self._is_near(guess)} or \
            {self._lacking(guess)[0] for guess in found}
        if len(named) > 1:
            return {"status": "unsure", "why": "several", "candidates": self._places(lines)}
        guess = max(found, key=self._is_near)
        line, confidence = self._lacking(guess)
        return self._answer(guess.record, confidence, guess.kind, guess.detail, lines, line)

    def _is_near(self, guess):
        """Was the tensor that lacks made in the same call of a function as what it is to change?"""
        position, tensor = guess.detail.get("position"), guess.detail.get("tensor")
        if tensor is None:
            return False
        maker = guess.record if position is None else \
            self.trace.records[guess.record.operands[position][1]]
        return maker.callers == self.trace.records[tensor].callers

    def _lacking(self, guess):
        """(line, confidence): a step that lacks may lack where its operand was made, too. An added
        number belongs to the operation that needs it; what scales or changes a tensor mostly to the
        one that made it."""
        position = guess.detail.get("position")
        line = guess.group.line()
        if guess.kind in ("missing", "missing_tensor") and position is None:
            return line, "low"
        if guess.kind not in ("missing", "missing_tensor") or position is None:
            return self._in_text(guess, line)
        maker = self.trace.records[guess.record.operands[position][1]]
        if maker.kind != "op" or maker.write or maker.op in ("view", "cast", "full") or \
                (maker.file, maker.line) == line:
            return line, "high" if maker.kind == "op" and maker.line == line[1] else "low"
        is_added = guess.kind == "missing" and guess.detail["also"] == "add"
        return (line if is_added else (maker.file, maker.line)), "low"

    def _in_text(self, guess, named):
        """(line, confidence) of a guess whose argument was made in another line."""
        record, line, confidence = guess.record, None, "high"
        if guess.kind == "number":
            line = self._text.number_line(record.line, record.op, guess.detail["position"],
                                          record.callers)
            confidence = "high" if line in (None, record.line) else "low"
        elif guess.kind == "offset" and not guess.group.depth:
            line = self._text.window_line(record.line, record.op, ("offsets", 2),
                                          guess.detail["axis"])
        elif guess.kind in ("source", "exchanged", "operand"):
            permuted = self._text.permuted_calls()
            line = permuted[0] if len(permuted) == 1 else None
            confidence = "low" if guess.kind == "exchanged" and line is None else "high"
        return (named if line is None else (record.file, line)), confidence

    # ---- the frontier

    def _matches(self, record):
        if self._pool is None:
            inputs = [GoldenTensor(None, value) for value in self._inputs]
            self._pool = matching.Pool(self.torch, inputs + self._watched.tensors)
        if record.value is None or not matching.is_telling(record.value):
            return None
        return self._pool.find(record.value, record.dtype) or False

    def _judged(self, cone):
        """For each record of a cone whether the reference has its tensor; None = it tells nothing."""
        for record in cone:
            if record.number not in self._known and record.kind != "end" and not record.write:
                self._known[record.number] = self._matches(record)
        return self._known

    def _innocent(self, cone):
        """Records whose tensors the reference has, or from which such a one is computed. A window of
        an input is always one of the reference's, so that this says nothing about views."""
        known = self._judged(cone)
        back = self._comes_back(cone, known)
        return {record.number for record in cone if record.op != "view" and
                (record.number in back or
                 (known.get(record.number) and not self._changes_nothing(record)))}

    def _changes_nothing(self, record):
        """Is its tensor the one of the reference that an operand is already? Then it is so for no
        merit of its own: a factor of 1, an addend too small to show."""
        mine = self._known.get(record.number)
        theirs = [self._known.get(number) for number in self.trace.needs(record)]
        return any(other and (other.tensor, other.first) == (mine.tensor, mine.first)
                   for other in theirs)

    def _frontier(self, cones):
        """Operations whose tensor the reference does not have, while it has all operands, and from
        which the flow of data never comes back to one that it has."""
        found = {}
        for _, cone in cones[:2]:
            known = self._judged(cone)
            back = self._comes_back(cone, known)
            for record in cone:
                if known.get(record.number) is not False or record.kind != "op" or \
                        record.number in back:
                    continue
                if all(known.get(number) is not False for number in self.trace.needs(record)):
                    found.setdefault(record.key(), record)
        return list(found.values())

    def _comes_back(self, cone, known):
        """Records from which a later, matched one is computed."""
        back = set()
        for record in reversed(cone):
            own = known.get(record.number) and not self._changes_nothing(record)
            if own or record.number in back:
                back.update(number for number in self.trace.needs(record))
        return back

    def _by_frontier(self, cones):
        lines = self._frontier(cones)
        places_of = list(dict.fromkeys(record.key()[:2] for record in lines))
        if len(places_of) == 1:
            return self._answer(lines[0], "low", "unmatched", {})
        if not places_of:
            return None
        return {"status": "unsure", "why": "several", "candidates": self._places(places_of)}

    # ---- the answer

    def _answer(self, record, confidence, kind, detail, lines=(), line=None):
        named = line or (record.file, record.line)
        file, line = claims.place(*named, self.job)
        if file is None:
            return {"status": "unsure", "why": "place"}
        return {"status": "found", "file": file, "line": line, "operation": record.op,
                "iteration": list(record.loops), "confidence": confidence, "kind": kind,
                "detail": detail,
                "candidates": self._places([one for one in lines
                                            if one != named])}

    def _places(self, lines):
        listed = [claims.place(file, line, self.job) for file, line in lines[:_MOST_CANDIDATES]]
        return [{"file": file, "line": line} for file, line in listed if file is not None]


def _ratio(torch, window):
    """By which one factor the wrong elements are off, or None."""
    given, expected = window.given.double().reshape(-1), window.expected.double().reshape(-1)
    good = (given.abs() > 1e-6 * given.abs().max()) & torch.isfinite(given)
    if int(good.sum()) < 4:
        return None
    factors = expected[good] / given[good]
    middle = float(factors.median())
    near = (factors - middle).abs() <= 0.02 * abs(middle)
    return middle if middle and float(near.double().mean()) > 0.9 else None


def _elsewhere(torch, window, expected):
    """[distance along each axis] to where the reference has the elements of a window, or None."""
    for axis in range(expected.dim()):
        extent, size = expected.shape[axis], window.extents[axis]
        for start in range(0, extent - size + 1):
            if start == window.offsets[axis]:
                continue
            part = expected
            for other, (low, count) in enumerate(zip(window.offsets, window.extents)):
                part = part.narrow(other, start if other == axis else low, count)
            if bool(((window.given.double() - part.double()).abs() <=
                     1e-3 * part.double().abs() + 1e-5 * float(part.double().abs().max())).all()):
                distance = [0] * expected.dim()
                distance[axis] = start - window.offsets[axis]
                return distance
    return None
