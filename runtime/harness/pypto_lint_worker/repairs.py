"""Guesses about what an operation should have been. Each guess changes one line of the kernel and is tried
on the records of the run. A guess that makes wrong outputs right explains them."""
import collections
import itertools

from . import (after_loops, call_arguments, call_results, changes, loop_states, missing_steps, moved_steps, name_states,
               other_branches, other_numbers, other_scalars, other_tensors, regroupings, remake, replay_ops, roundings,
               shared_windows, unread_inputs, windows)

_ARITHMETIC = ("add", "sub", "mul", "div", "maximum", "minimum")
_PAIRS = (("add", "sub"), ("mul", "div"), ("maximum", "minimum"))
_OPPOSITE = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_UNLIKE = 5  # the rank of an arithmetic operation that is not the opposite
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
_UNORDERED = ("add", "mul", "maximum", "minimum", "eq", "ne", "logical_and", "logical_or")
_MOST_NUMBERS = 64
_SHARE_OF_WORK = 300 * 1000 * 1000  # in elements (replay.py), for some kinds of guesses before others have been tried
_FREE = ("amax", "maximum", "full")  # may have any result in an online softmax
_MOST_CALLERS = 4  # one more than the number of callers that distinguish the calls of a helper
# The cost of a guess by its kind. The cheapest of several explanations counts.
COSTS = {
    "operation": 1, "axis": 1, "number": 1, "order": 1, "transposed": 1, "offset": 1, "rounding": 1, "diagonal": 1,
    "cast_mode": 1, "correction": 1, "count": 1, "extent": 1, "begin": 1, "end": 1,
    "grouping": 2, "steps": 2, "carried": 2, "operand": 2, "source": 2, "superfluous": 2, "exchanged": 2, "begins_once": 2,
    "begins_again": 2, "unread": 2, "scalar": 2, "not_carried": 2, "branch": 2, "in_loop": 2, "results": 2,
    "strange": 3, "missing": 3, "argument": 3, "arguments": 3, "unread_step": 3,
    "missing_tensor": 4,
}


def usual(names):
    """The operations that a reference with torch's operations of these names suggests."""
    found = set(_COMPARISONS) | {"square", "tril", "triu", "add", "sub"}  # a sign is mistaken easily
    for name in names:
        name = (name or "").rstrip("_")
        found.update((name,) + _HIDDEN.get(name, ()))
    return found


class Guesses(after_loops.AfterLoops, call_arguments.CallArguments, call_results.CallResults, loop_states.LoopStates,
              missing_steps.MissingSteps, moved_steps.MovedSteps, name_states.NameStates, other_branches.OtherBranches,
              other_numbers.OtherNumbers, other_scalars.OtherScalars, other_tensors.OtherTensors, roundings.Roundings,
              shared_windows.SharedWindows, unread_inputs.UnreadInputs, windows.Windows):
    """All guesses about the records of a cone."""

    def __init__(self, torch, trace, index, cone, numbers, innocent, names, first=(), text=None, only=None):
        """`first`: keys of records whose guesses come before all others. `only`: the numbers of the records that guesses may
        be about; None = all."""
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
        self._phases[1].sort(key=self._distances([group.record for group in self._phases[0]]))
        self._ratio, self.cones = None, [cone]
        self.done = set()  # phases that are the same for all records, and need not be tried again
        self.fit, self.own_numbers = None, ()  # a fitting.Fit, and the numbers that the reference has
        self.acquitted = ()  # places (other_scalars.py) that right outputs depend on, too

    def _distances(self, records):
        """A function from a group to the number of operations from it to the nearest of some records."""
        found, waiting = {}, [(record, 0) for record in records]
        seen = {record.number for record in records}
        while waiting:
            record, distance = waiting.pop(0)
            for depth in range(_MOST_CALLERS):
                found.setdefault((record.key(), record.callers[:depth]), distance)
            for number in self._trace.needs(record):
                if number not in seen:
                    seen.add(number)
                    waiting.append((self._trace.records[number], distance + 1))
        return lambda group: found.get((group.record.key(), group.record.callers[:group.depth]), len(self._trace.records))

    def _make_groups(self):
        """Groups of records whose tensors may be wrong: first all records of a place in the text, then narrower groups if
        the place has several callers or several operations of one name."""
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
            record.dtype in roundings.NARROW

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
        """Yields (guesses, is_local) for each step of the search, the cheapest kinds first, about the first operations
        before all others. With `is_local`, a guess counts only if the reference has the tensor that it makes.
        `ratio`: the factor by which the output is off, if it is the same everywhere."""
        self._ratio = ratio
        cheap = (self._operations, self._orders, self._axes, self._transposed, self._diagonals, self._cast_modes,
                 self._corrections, self._counts)
        swaps = (self._groupings, self._other_orders, self._extents, self._numbers_of_windows, self._superfluous,
                 self._others, self._states, self._earlier, self._sources, self._exchanges)
        steps = (self._missing, self._missing_carried, self._missing_tensors, self._missing_numbers)
        first, rest = self._phases
        yield self._of_groups(cheap + (self._numbers_of, self._offsets), first, False), False
        yield self._of_groups((self._roundings,), first + rest, False), False
        yield self._roundings_together(), False
        yield self._fitted(first + rest), False
        named = self._named_numbers()
        yield self._at_most(named, _SHARE_OF_WORK), False
        yield self._unread_sources(first + rest), False
        yield self._unused(first + rest), False
        yield self._unread_results(), False
        yield self._missing_unused(first + rest), True
        yield self._unread(first + rest), True
        for maker in (self._beginnings, self._other_beginnings, self._late_reads, self._missing_factors, self._carried,
                      self._name_states, self._results, self._branches, self._after_loops):
            yield self._once(maker), False
        yield self._of_groups(swaps + (self._far_offsets, self._strange, self._missing, self._missing_numbers,
                                       self._missing_tensors, self._missing_carried), first, False), True
        yield self._of_groups(swaps + (self._missing_carried,), first, False), False
        yield self._of_groups((self._missing_of_result,), rest, False), False
        yield self._arguments(), False
        yield self._of_groups((self._diagonals,), first + rest, False), False
        yield self._of_groups((self._missing_near,), first, False), False
        yield self._other_scalars(), False
        yield self._shared_windows(), False
        yield self._moved_steps(), False
        yield self._of_groups((self._exchanges,), rest, False), False
        late = [self._of_groups(makers, groups, True) for makers, groups in (
            ((self._strange,) + steps, first), (cheap + (self._offsets,), rest), (swaps + (self._far_offsets,), rest))]
        for guesses in late:
            yield self._at_most(guesses, _SHARE_OF_WORK), False
        yield self._unread(first + [group for group in rest if group.record.op == "full"]), False
        for guesses in late[::-1]:
            yield guesses, False
        yield self._of_groups((self._strange,) + steps, rest, False), False
        yield itertools.chain(named, self._of_groups((self._numbers_of,), rest, False)), False

    def _at_most(self, guesses, work):
        """The next guesses, until that much work is done."""
        most = self._trace.work + work
        for guess in guesses:
            yield guess
            if self._trace.work > most:
                return

    def _once(self, maker):
        if maker.__name__ not in self.done:
            yield from maker()
            self.done.add(maker.__name__)

    def _of_groups(self, makers, groups, is_last):
        for maker in makers:
            if maker == self._exchanges and is_last:
                yield from self._parameters()
            # The reference may have the tensor and need it more precisely elsewhere.
            lacks = maker in (self._missing, self._missing_numbers, self._missing_tensors, self._missing_carried,
                              self._missing_near, self._roundings)
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
                guess = self._guess(group, "strange" if strange else "operation", {"instead": name},
                                    remake.as_operation(self._torch, name))
                guess.rank = _UNLIKE if names[:1] == _ARITHMETIC[:1] and name != _OPPOSITE.get(record.op) else 0
                yield guess

    def _strange(self, record, group):
        """Operations that the reference lacks."""
        return self._operations(record, group, strange=True)

    def _orders(self, record, group):
        given = [operand for operand in record.operands if operand != ["none"]]
        if len(given) == 2 and record.op not in _UNORDERED and \
                (record.op in replay_ops.BINARY or record.op in ("matmul", "concat")):
            yield self._guess(group, "order", {},
                              lambda one, trace, values: replay_ops.run(
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

    # ---- attributes

    def _diagonals(self, record, group):
        if record.op not in ("tril", "triu"):
            return
        for step in (-2, -1, 1, 2):
            def moved(one, trace, values, step=step):
                return getattr(self._torch, one.op)(trace.operands(one, values)[0],
                                                    one.attributes["diagonal"] + step)
            yield self._guess(group, "diagonal", {"step": step}, moved)

    # ---- casts

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

    # ---- too much

    def _superfluous(self, record, group):
        for position, operand in enumerate(record.operands):
            if operand[0] == "record" and record.op not in ("view", "reshape", "matmul") and \
                    self._trace.records[operand[1]].shape == record.shape:
                guess = self._guess(group, "superfluous", {}, lambda one, trace, values,
                                    position=position: trace.operands(one, values)[position])
                guess.dropped = [at for at in range(len(record.operands)) if at != position]
                yield guess
