"""What one operation might have been meant to be: each guess is a change of one line of the kernel,
which is tried on the records of the run. A guess that makes wrong outputs right explains them."""
import collections
import itertools

from . import (after_loops, call_arguments, call_results, changes, loop_states, name_states, other_branches, other_scalars,
               other_tensors, regroupings, remake, replay_ops, shared_windows, unread_inputs, windows)

_ARITHMETIC = ("add", "sub", "mul", "div", "maximum", "minimum")
# Operations of torch, and the steps that they hide.
_HIDDEN = {"_softmax": ("exp", "amax", "sum", "div", "sub"), "mean": ("sum", "mul"),
           "_log_softmax": ("exp", "log", "amax", "sum", "sub"), "silu": ("sigmoid", "mul"),
           "native_layer_norm": ("sub", "mul", "sum", "rsqrt", "add"),
           "native_group_norm": ("sub", "mul", "sum", "rsqrt", "add", "square"),
           "native_batch_norm": ("sub", "mul", "sum", "rsqrt", "add"), "max": ("amax",),
           "min": ("amin",), "mm": ("matmul",), "bmm": ("matmul",), "gelu": ("erf", "tanh", "mul"),
           "var": ("sub", "mul", "sum"), "rsub": ("sub",), "clamp": ("maximum", "minimum"),
           "clamp_max": ("minimum",), "clamp_min": ("maximum",),
           "sigmoid": ("exp", "reciprocal", "div")}
_COMPARISONS = ("gt", "ge", "lt", "le", "eq", "ne")
_SIMPLE = ("neg", "exp", "log", "sqrt", "rsqrt", "reciprocal", "abs", "relu", "sigmoid", "tanh",
           "square", "sin", "cos", "floor", "ceil", "round", "trunc", "exp2", "log1p", "expm1",
           "sign", "erf")
_INSERTED = ("neg", "exp", "log", "sqrt", "rsqrt", "reciprocal", "abs", "relu", "sigmoid", "square")
_UNORDERED = ("add", "mul", "maximum", "minimum", "eq", "ne", "logical_and", "logical_or")
_MOST_NUMBERS = 64
_FREE = ("amax", "maximum", "full")  # may be anything in an online softmax
_FILLED = (0.0, 1.0, -1.0, -1e30, 1e30)
_MOST_CALLERS = 4  # callers of a helper that tell its calls apart, and one
_NARROW = ("DT_BF16", "DT_FP16")
# What a guess of a kind costs: of several explanations the cheapest counts.
COSTS = {"operation": 1, "strange": 3, "axis": 1, "number": 1, "order": 1, "transposed": 1, "offset": 1,
         "rounding": 1, "diagonal": 1, "cast_mode": 1, "correction": 1,
         "count": 1, "grouping": 2, "steps": 2, "carried": 2, "operand": 2, "source": 2, "superfluous": 2, "missing": 3,
         "missing_tensor": 4, "exchanged": 2, "extent": 1, "begins_once": 2, "begins_again": 2,
         "argument": 3, "arguments": 3,
         "unread": 2, "unread_step": 3, "begin": 1, "end": 1, "scalar": 2, "not_carried": 2, "branch": 2, "in_loop": 2, "results": 2}


def usual(names):
    """The operations that a reference with torch's operations of these names suggests."""
    found = set(_COMPARISONS) | {"square", "tril", "triu", "add", "sub"}  # a sign is mistaken easily
    for name in names:
        name = (name or "").rstrip("_")
        found.update((name,) + _HIDDEN.get(name, ()))
    return found


class Guesses(after_loops.AfterLoops, call_arguments.CallArguments, call_results.CallResults, loop_states.LoopStates,
              name_states.NameStates, other_branches.OtherBranches, other_scalars.OtherScalars, other_tensors.OtherTensors,
              shared_windows.SharedWindows, unread_inputs.UnreadInputs, windows.Windows):
    """All guesses about the records of a cone."""

    def __init__(self, torch, trace, index, cone, numbers, innocent, names, first=(), text=None, only=None):
        """`first`: keys of records whose guesses come before all others. `only`: guesses are about these records only,
        by number; None = about all."""
        self._text = text
        self._torch, self._trace, self._index, self._cone = torch, trace, index, cone
        self._numbers, self._innocent = numbers[:_MOST_NUMBERS], innocent
        self._usual = usual(names)
        self._has_softmax = bool({"_softmax", "_log_softmax"} & set(names))
        self._ends = self._find_ends()
        self._readers = collections.Counter(
            number for record in cone for number in set(trace.needs(record)))
        self._computed_from = {number for record in cone if other_tensors.computes(record) for number in trace.needs(record)}
        groups = [group for group in self._make_groups() if only is None or group.record.number in only]
        self._phases = [[group for group in groups if group.record.key() in first],
                        [group for group in groups if group.record.key() not in first]]
        self._ratio, self.cones = None, [cone]
        self.done = set()  # phases that are the same for all records, and need not be tried again
        self.acquitted = ()  # places (other_scalars.py) that right outputs depend on, too

    def _make_groups(self):
        """Groups of records whose tensor may be wrong: of all records of a place in the text, then
        narrower ones where it has several callers, or several operations of one name."""
        groups, seen = [], set()
        operations = [record for record in self._cone if record.kind == "op" and not record.write
                      and (self._may_lack(record) or self._is_mirrored(record))]
        operations.sort(key=lambda record: not self._may_lack(record))  # a first iteration may be right
        places = {}
        for record in self._trace.records:
            found = places.setdefault(record.key(), [])
            if len(found) < windows.MOST_MEMBERS:
                found.append(record)
        for depth, is_one in itertools.product(range(_MOST_CALLERS), (True, False)):
            for record in operations:
                ordinal = self._index.ordinal(record) if is_one else None
                path = record.key() + record.callers[:depth] + (ordinal,)
                if len(record.callers) < depth or path in seen:
                    continue
                seen.add(path)
                group = changes.Group(record, depth, ordinal, self._index)
                members = tuple(other.number for other in places[record.key()]
                                if group.has(other))
                if members not in seen:  # a helper with one caller is one group
                    seen.add(members)
                    groups.append(group)
        return groups

    def _may_lack(self, record):
        """May something be missing there, although the reference has the tensor?"""
        return record.number not in self._innocent or record.number in self._ends or \
            record.dtype in _NARROW

    def _is_mirrored(self, record):
        """May the reference have the transposed tensor because the operands are in the wrong order? That happens with matrix
        products, and with the differences of all pairs of elements of a column."""
        return record.op == "matmul" or (
            record.op in replay_ops.BINARY and record.op not in _UNORDERED and len(record.shape) >= 2 and
            record.shape[-1] == record.shape[-2] > 1 and len(record.sources()) == 2 and
            all(self._trace.records[number].shape != record.shape for number in record.sources()))

    def _find_ends(self):
        """The records that reach the output by moves of data only: a step that is missing after them
        is missing from the whole kernel."""
        ends, waiting = set(), [self._cone[-1].number]
        while waiting:
            record = self._trace.records[waiting.pop()]
            if record.number not in ends:
                ends.add(record.number)
                if record.write or record.op in ("view", "reshape"):
                    waiting += self._trace.needs(record)
        return ends

    def phases(self, ratio=None):
        """(guesses, is_local) of one step of the search after the other, the cheapest kinds first: about the first
        operations, and then about all. With `is_local`, a guess counts only if the reference has its own tensor.
        `ratio`: the factor by which the output is off, if it is the same everywhere."""
        self._ratio = ratio
        cheap = (self._operations, self._orders, self._axes, self._transposed, self._numbers_of, self._diagonals,
                 self._cast_modes, self._corrections, self._counts, self._offsets, self._roundings)
        swaps = (self._groupings, self._other_orders, self._extents, self._numbers_of_windows, self._superfluous,
                 self._others, self._states, self._earlier, self._sources, self._exchanges)
        steps = (self._missing_carried, self._missing_tensors, self._missing)
        first, rest = self._phases
        yield self._of_groups(cheap, first, False), False
        yield self._unused(first + rest), False
        yield self._missing_unused(first + rest), True
        yield self._unread(first + rest), True
        for maker in (self._beginnings, self._other_beginnings, self._late_reads, self._missing_factors, self._carried,
                      self._name_states, self._results, self._branches, self._after_loops):
            yield self._once(maker), False
        yield self._of_groups(swaps + (self._far_offsets, self._strange) + steps[::-1], first, False), True
        yield self._of_groups(swaps + (self._missing_carried,), first, False), False
        yield self._of_groups((self._missing_of_result,), rest, False), False
        yield self._arguments(), False
        yield self._of_groups((self._diagonals,), first + rest, False), False
        yield self._of_groups((self._missing_near,), first, False), False
        yield self._other_scalars(), False
        yield self._shared_windows(), False
        yield self._of_groups((self._exchanges,), rest, False), False
        yield self._of_groups(cheap + swaps + (self._far_offsets,), rest, True), False
        yield self._unread(first + [group for group in rest if group.record.op == "full"]), False
        for groups, is_last in ((first, False), (rest, True)):
            yield self._of_groups((self._strange,) + steps, groups, is_last), False

    def _once(self, maker):
        if maker.__name__ not in self.done:
            yield from maker()
            self.done.add(maker.__name__)

    def _of_groups(self, makers, groups, is_last):
        for maker in makers:
            if maker == self._diagonals and is_last:
                yield from self._shared_numbers()
            if maker == self._exchanges and is_last:
                yield from self._parameters()
            # The reference may have the tensor and need it more precisely elsewhere.
            lacks = maker in (self._missing, self._missing_tensors, self._missing_carried, self._missing_near, self._roundings)
            is_plain = maker in (self._operations, self._axes, self._numbers_of, self._numbers_of_windows)
            for group in groups:
                if self._has_softmax and group.record.op in _FREE and not is_plain:
                    continue
                is_mirrored = maker == self._orders and self._is_mirrored(group.record)
                if (lacks and self._may_lack(group.record)) or is_mirrored or \
                        group.record.number not in self._innocent:
                    yield from maker(group.record, group)

    @staticmethod
    def _guess(group, kind, detail, make, rounds=True, also=None):
        return changes.Repair(group, kind, detail, make, rounds, also)

    # ---- one operation for another

    def _operations(self, record, group, strange=False):
        given = len(record.operands)
        if record.op in replay_ops.UNARY and given == 1:
            names = _SIMPLE
        elif record.op in _ARITHMETIC and given == 2:
            names = _ARITHMETIC + ("pow",)
        elif record.op in _COMPARISONS or record.op == "greater":
            names = _COMPARISONS
        elif record.op in replay_ops.REDUCTIONS:
            names = replay_ops.REDUCTIONS + ("mean",)
        elif record.op in ("tril", "triu"):
            names = ("tril", "triu")
        else:
            return
        for name in names:
            if name != record.op and (name in self._usual) != strange:
                yield self._guess(group, "strange" if strange else "operation", {"instead": name},
                                  remake.as_operation(self._torch, name))

    def _strange(self, record, group):
        """Operations that the reference lacks."""
        return self._operations(record, group, strange=True)

    def _orders(self, record, group):
        given = [operand for operand in record.operands if operand != ["none"]]
        if len(given) == 2 and record.op not in _UNORDERED and \
                (record.op in replay_ops.BINARY or record.op in ("matmul", "concat")):
            yield self._guess(group, "order", {},
                              lambda one, trace, values: remake.run(
                                  self._torch, one, trace.operands(one, values)[::-1]))

    def _axes(self, record, group):
        if record.op not in replay_ops.REDUCTIONS and record.op != "cumsum":
            return
        source = self._trace.records[record.sources()[0]]
        groups, call = [group], changes.Call(record, replay_ops.REDUCTIONS)
        if any(call.has(one) and one.op != record.op for one in self._cone):
            groups.append(call)
        for axis, one in itertools.product(range(len(source.shape)), groups):
            if axis != record.attributes["dim"]:
                yield self._guess(one, "axis", {"axis": axis},
                                  remake.along(self._torch, axis))

    def _transposed(self, record, group):
        torch = self._torch
        if record.op == "matmul":
            for left, right in ((True, False), (False, True), (True, True)):
                def product(one, trace, values, left=left, right=right):
                    given, asked = trace.operands(one, values), one.attributes
                    return remake.guarded(lambda: replay_ops.matmul(
                        torch, given[0], given[1], asked["a_trans"] != left,
                        asked["b_trans"] != right))
                yield self._guess(group, "transposed",
                                  {"operands": [left, right]}, product)
        elif record.op in replay_ops.OPERATIONS and len(record.shape) >= 2 and \
                record.shape[-1] == record.shape[-2] and record.shape[-1] > 1:
            yield self._guess(group, "transposed", {}, lambda one, trace, values:
                              trace.compute(one, values).transpose(-1, -2))

    # ---- numbers

    def _numbers_of(self, record, group):
        for position, operand in enumerate(record.operands):
            if operand[0] != "number":
                continue
            for number in self._candidates(record, operand[1]):
                detail = {"position": position, "wanted": number, "present": operand[1]}
                yield self._guess(group, "number", detail, remake.with_number(self._torch, position, number))

    def _shared_numbers(self):
        """One number that several operations get by one name."""
        shared = {}
        for record in self._cone:
            for position, operand in enumerate(record.operands if record.kind == "op" else ()):
                if operand[0] == "number":
                    ordinal = self._index.ordinal(record)
                    line = self._text.definition_line(record.line, record.op, position, record.callers, ordinal)
                    if line is not None:
                        _, positions = shared.setdefault((record.file, line, operand[1]), (record, {}))
                        positions.setdefault((record.key(), ordinal), position)
        for (_, line, present), (record, positions) in shared.items():
            if len(positions) < 2:
                continue
            group = changes.Shared(record, line, positions, self._index)
            for number in self._candidates(record, present):
                detail = {"position": group.position(record), "wanted": number, "present": present}
                yield self._guess(group, "number", detail, remake.with_shared_number(self._torch, group, number))

    def _candidates(self, record, number):
        # A number that fills a tensor, or the hidden part of one, never comes from the extent of another tensor.
        numbers = _FILLED if record.op in ("full", "where") else self._numbers
        found = list(numbers) + [-number]
        if number:
            found.append(1.0 / number)
        if self._ratio:
            for factor in (self._ratio, 1.0 / self._ratio, self._ratio ** 2, self._ratio ** -2):
                found += [number * factor]
        return [one for one in dict.fromkeys(found) if one != number]

    def _diagonals(self, record, group):
        if record.op not in ("tril", "triu"):
            return
        for step in (-2, -1, 1, 2):
            def moved(one, trace, values, step=step):
                return getattr(self._torch, one.op)(trace.operands(one, values)[0],
                                                    one.attributes["diagonal"] + step)
            yield self._guess(group, "diagonal", {"step": step}, moved)

    # ---- rounding

    def _cast_modes(self, record, group):
        """Other modes of a cast to integers."""
        if record.op != "cast" or record.operands[0][0] != "record" or \
                not record.dtype.startswith(("DT_INT", "DT_UINT")):
            return
        for mode in (1, 2, 3, 4, 5):
            if mode != record.attributes["mode"]:
                yield self._guess(group, "cast_mode", {"mode": mode}, lambda one, trace, values, mode=mode:
                                  replay_ops.cast(self._torch, trace.operands(one, values)[0],
                                                  one.dtype, mode))

    def _corrections(self, record, group):
        """Variances that divide by the extent, or by one less."""
        if record.op != "var" or record.attributes["real"] not in (0.0, 1.0):
            return
        wanted = 1.0 - record.attributes["real"]
        yield self._guess(group, "correction", {"form": "plain", "value": wanted}, lambda one, trace, values:
                          replay_ops.variance(self._torch, one, trace.operands(one, values)[0], wanted))

    def _roundings(self, record, group):
        if record.dtype not in _NARROW:
            return
        yield self._guess(group, "rounding", {},
                          lambda one, trace, values: trace.compute(one, values), rounds=False)

    # ---- whole statements

    def _groupings(self, record, group):
        for (present, wanted), make in regroupings.groupings(self._torch, self._trace, record):
            yield self._guess(group, "grouping", {"formula": wanted, "instead_of": present}, make)

    def _carried(self):
        """Writes into what a loop carries."""
        seen = set()
        for record in self._trace.records:
            if not regroupings.is_carried(record) or record.key() in seen or \
                    record.launch != self._cone[-1].launch:
                continue
            seen.add(record.key())
            group = changes.Group(record, 0)
            others = self._alternatives(record, record.shape)
            for detail, make in regroupings.carried(self._torch, self._trace, self._index, record,
                                                    others):
                also = changes.reads(group, lambda one: one.target) if detail is None else None
                yield self._guess(group, "operand" if detail else "carried", detail or {}, make,
                                  also=also)

    def _other_orders(self, record, group):
        for below, make in regroupings.other_order(self._torch, self._trace, record):
            if self._has_softmax and below.op in _FREE:
                continue
            yield self._guess(group, "steps", {}, make)
        for make in regroupings.other_places(self._torch, self._trace, record):
            yield self._guess(group, "steps", {}, make)

    def _counts(self, record, group):
        if record.op == "topk":
            extent = self._trace.records[record.sources()[0]].shape[record.attributes["dim"]]
            for count in regroupings.counts(record, extent, self._numbers):
                yield self._guess(group, "count", {"count": count}, regroupings.kept(self._torch, count))

    # ---- too much, too little

    def _superfluous(self, record, group):
        for position, operand in enumerate(record.operands):
            if operand[0] == "record" and record.op not in ("view", "reshape", "matmul") and \
                    self._trace.records[operand[1]].shape == record.shape:
                yield self._guess(group, "superfluous", {}, lambda one, trace, values,
                                  position=position: trace.operands(one, values)[position])

    def _steps(self, record):
        """Where a step may be missing: None = after the record, else before an operand. A step after
        a record that only one operation reads is one before that operation's operand."""
        # Only a step after it is one before the operand of what computes something.
        is_shared = record.number not in self._innocent and (
            self._readers.get(record.number, 0) > 1 or record.number not in self._computed_from)
        found = [None] if record.number in self._ends or is_shared else []
        if other_tensors.computes(record) or (record.op == "reshape" and any(
                self._readers.get(number, 0) > 1 for number in record.sources())):
            found += [position for position, operand in enumerate(record.operands)
                      if operand[0] == "record" and self._trace.records[operand[1]].dtype != "DT_BOOL"]
        return found

    def _step_guess(self, group, kind, detail, step, also=None):
        """The guess that `step`, a function (record, tensor, trace, values), is missing at the position of `detail`."""
        position = detail["position"]

        def make(one, trace, values):
            if position is None:
                return step(one, trace.compute(one, values), trace, values)
            given = trace.operands(one, values)
            given[position] = step(one, given[position], trace, values)
            return remake.run(self._torch, one, given)
        guess = self._guess(group, kind, detail, make, also=also)
        guess.step = step
        return guess

    def _missing(self, record, group):
        numbers = self._numbers + ([self._ratio] if self._ratio else [])
        for position in self._steps(record):
            for name in _INSERTED:
                def function(one, value, trace, values, name=name):
                    return remake.apply(self._torch, name, value)
                yield self._step_guess(group, "missing", {"also": name, "position": position}, function)
            for name, number in itertools.product(("mul", "add"), dict.fromkeys(numbers)):
                if number == 0.0 or (name, number) == ("mul", 1.0):
                    continue

                def with_number(one, value, trace, values, name=name, number=number):
                    return value * number if name == "mul" else value + number
                guess = self._step_guess(group, "missing", {"also": name, "position": position}, with_number)
                guess.number = number
                yield guess


def constants(torch, record):
    """Guesses that a tensor of one number is one of another."""
    present = record.operands[0][1]
    for number in _FILLED:
        if number != present:
            detail = {"position": 0, "wanted": number, "present": present}
            yield changes.Repair(changes.Group(record, 0), "number", detail,
                                 remake.with_number(torch, 0, number))
