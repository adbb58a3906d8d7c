"""Guesses that another expression should compute a scalar (scalar_edits.py): an offset or an extent of windows, the diagonal
of a mask, the number of an operation, the bound of a loop. The values come from the text (scalar_values.py) and count only if
they agree with the run."""
import ast
import math

from . import other_iterations, remake, replay_ops, scalar_edits, scalar_values
from .replay_ops import Unknown
from .scalar_sites import Attribute, Computed, Site, place_of

_MOST_PLACES = 64  # views and masks in the text
_MOST_SAMPLES = 6  # records of a place by which two guesses are distinguished
_MOST_SITES = 160  # expressions
_MOST_DEPTH = 8  # operations between a window or mask and a result that the reference lacks
_MOST_TRIED = 4000  # other expressions
_MOST_GUESSES = 400
_MOST_WORK = 400 * 1000 * 1000  # in elements (replay.py)
_FAR = 0.6  # orders guesses later that are far from the first operations, or that right outputs also depend on
_USED = 0.25  # added to the rank of edits where a name is used, because a mistake in its definition is likelier
_OUTSIDE = 0.5  # added to the rank of edits outside of functions
_VALUE_WORK = 8000  # elements that cost as much as one value


class OtherScalars:
    """Part of repairs.Guesses, whose fields it reads."""

    def _other_scalars(self):
        reader = _Reader(self._trace, self._text, self._index)
        near, inside = self._places_near(), [{place_of(record) for record in cone} for cone in self.cones]
        listed = []
        sites = sorted(self._sites(reader), key=lambda one: isinstance(one.root, (ast.Name, ast.Constant)))
        for site in sites[:_MOST_SITES]:
            if any(cone.isdisjoint(site.places) for cone in inside):
                continue  # it does not explain all outputs
            names, constants = reader.names(site.place)
            indices = [one for one in names if reader.is_index(one, site.place)]
            site.is_local = self._text.is_in_function(site.line)
            order = near.isdisjoint(site.places) + all(place in self.acquitted for place in site.places)
            extra = 0 if site.is_local else _OUTSIDE
            for rank, part, edit in scalar_edits.edits(site.root, names, constants, indices):
                rank += extra + (_USED if rank and isinstance(site.root, ast.Name) else 0)
                listed.append((rank + _FAR * order, rank, site, part, edit))
        listed.sort(key=lambda one: one[:2])
        yield from self._of_edits(reader, [one[1:] for one in listed[:_MOST_TRIED]])

    def _sites(self, reader):
        """The expressions that determine the windows, the masks and the loop bounds of all cones. An expression of windows and
        masks counts only if at least one of them may be wrong."""
        sites = {}
        records = {record.number: record for cone in self.cones for record in cone if record.kind == "op"}
        records = [records[number] for number in sorted(records)]
        suspects = {place_of(self._trace.records[number]) for number in self._suspects(records)}
        for place, (samples, attributes) in self._scalar_users(reader, records, suspects).items():
            for attribute in attributes:
                for root, line, at in reader.values.behind(attribute.node, reader.place(samples[0])):
                    site = sites.setdefault(id(root), Site(root, line, at))
                    site.users.setdefault(place, (samples, []))[1].append(attribute)
                    site.places.add(place)
        sites = {key: site for key, site in sites.items() if not suspects.isdisjoint(site.places)}
        for loop in other_iterations.loops_of(self._trace, self._text, self._index, records):
            keys = reader.agreeing_runs(loop, records)
            for node in loop.node.iter.args if keys else ():
                place = scalar_values.Place(loop.node.lineno, loop.callers, keys[0][1], keys[0][0])
                for root, line, at in reader.values.behind(node, place):
                    site = sites.setdefault(id(root), Site(root, line, at))
                    site.loops[loop] = keys
                    site.places.update(place_of(one) for run in loop.runs.values() for here in run.values() for one in here)
        return list(sites.values())

    def _places_near(self):
        """The places of the first operations whose tensors the reference lacks, and of the operations a few steps before
        them."""
        found, waiting = set(), [(group.record.number, 0) for group in self._phases[0]]
        while waiting:
            number, depth = waiting.pop(0)
            if number not in found and depth <= _MOST_DEPTH:
                found.add(number)
                waiting += [(one, depth + 1) for one in self._trace.needs(self._trace.records[number])]
        return {place_of(self._trace.records[number]) for number in found}

    def _scalar_users(self, reader, records, suspects):
        """{place: (sample records, [Attribute])} of the cone's operations whose scalars the text shows, suspects first."""
        members = {}
        for record in sorted(records, key=lambda one: place_of(one) not in suspects):
            if not record.write and (record.op in _READ or _integers(record)) and \
                    (len(members) < _MOST_PLACES or place_of(record) in members):
                members.setdefault(place_of(record), []).append(record)
        found = {}
        for place, records in members.items():
            step = max(1, len(records) // _MOST_SAMPLES)
            samples = (records[::step][:_MOST_SAMPLES - 1] + records[-1:])
            attributes = [one for one in reader.attributes(records[0])
                          if all(reader.agrees(one, sample) for sample in samples)]
            if attributes:
                found[place] = samples, attributes
        return found

    def _suspects(self, records):
        """The numbers of the records whose windows or masks may be wrong. They are right if the reference has the results of
        all operations that read them, directly or through other windows. A window that ends too early is always a suspect,
        because the reference also has the results for a part."""
        found, readers = set(), {}
        for record in reversed(records):  # each after its readers
            mine = readers.get(record.number, ())
            if not mine or self._ends_early(record) or any(
                    one.number in found if one.op == "view" else one.number not in self._innocent for one in mine):
                found.add(record.number)
            for number in record.sources():
                readers.setdefault(number, []).append(record)
        return found

    def _ends_early(self, record):
        """Does a window have fewer valid elements than its tile, although its source has more?"""
        return record.op == "view" and any(
            extent < min(tile, whole - begin) for extent, tile, whole, begin in
            zip(record.shape, record.attributes["shape"], self._trace.records[record.sources()[0]].shape,
                record.attributes["offsets"]))

    def _of_edits(self, reader, listed):
        seen, count, most = {}, 0, self._trace.work + _MOST_WORK
        for rank, site, part, edit in listed:
            before = reader.values.count
            signature = reader.signature(site, part, edit)
            self._trace.work += _VALUE_WORK * (reader.values.count - before)
            if signature is None or seen.get(signature, rank + 1) <= rank:
                continue
            seen[signature] = rank
            guess = self._of_edit(reader, site, part, edit)
            if guess is not None:
                guess.rank = rank
                count += 1
                yield guess
            if count > _MOST_GUESSES or self._trace.work > most:
                return

    def _of_edit(self, reader, site, part, edit):
        texts = {"expression": scalar_edits.shown(site.root, part, edit), "expression_now": scalar_edits.shown(site.root)}
        detail = texts if None not in texts.values() else {}
        try:
            run = other_iterations.OtherRun(reader, self._trace, reader.ranges(site, part, edit))
        except Unknown:
            return None
        if not site.users and not run.numbers():
            return None

        def moved_of(one):
            _, attributes = site.users.get(place_of(one), (None, None))
            return None if attributes is None else reader.moved(one, attributes, part, edit)

        def make(one, trace, values):
            moved = moved_of(one)
            made = run.made(one, values) if moved is None else reader.made(self._torch, one, moved, values)
            if made is not None:
                detail["record"] = min(one.number, detail.get("record", one.number))
            return made

        def also(one):
            moved = moved_of(one) if one.op == "view" and self._is_written(one) else None
            return run.also(one) + ([] if moved is None else self._trace.shown(one.sources()[0], *moved[:2]))
        has_written = run.numbers() or any(samples[0].op == "view" and self._is_written(samples[0])
                                           for samples, _ in site.users.values())
        group = Computed(site, run.numbers(), self._trace)
        return self._guess(group, "scalar", detail, make, also=also if has_written else None)


class _Reader:
    """Values of the scalars of records, as the text computes them."""

    def __init__(self, trace, text, index):
        self._trace, self._text, self._index, self._attributes = trace, text, index, {}
        self.values = scalar_values.ScalarValues(text, [record for record in trace.records if record.kind == "parameter"])

    def place(self, record):
        return scalar_values.Place.of(record, self._index)

    def attributes(self, record):
        """The scalars of an operation that are expressions of the text."""
        key = place_of(record), self._index.ordinal(record)
        if key not in self._attributes:
            self._attributes[key] = self._find_attributes(record)
        return self._attributes[key]

    def _find_attributes(self, record):
        found = []
        for position in _integers(record):
            node = self._text.number_node(record.line, record.op, position, self._index.ordinal(record))
            found.append(Attribute("number", position, node))
        if record.op in ("tril", "triu"):
            found.append(Attribute("diagonal", 0, self._text.diagonal(record.line, record.op)))
        elif record.op == "full":
            found += [Attribute("valid", axis, self._text.valid_extent(record.line, "full", axis))
                      for axis in range(len(record.shape))]
        elif record.op == "view":
            for axis in range(len(record.shape)):
                begin, end, valid = self._text.window_entries(record.line, self._index.ordinal(record), axis)
                found += [Attribute("begin", axis, begin), Attribute("end", axis, end), Attribute("valid", axis, valid)]
        return [one for one in found if one.node is not None]

    def agrees(self, attribute, record):
        """Does the text give what the record has?"""
        try:
            value = self.values.value(attribute.node, self.place(record))
        except scalar_values.NoValue:
            return False
        if attribute.kind == "diagonal":
            return value == record.attributes["diagonal"]
        if attribute.kind == "number":
            return value == record.operands[attribute.axis][1]
        if attribute.kind == "valid":
            return record.shape[attribute.axis] == max(0, min(value, self._most(record, attribute.axis, None)))
        begin = record.attributes["offsets"][attribute.axis]
        return value == begin if attribute.kind == "begin" else value == begin + record.shape[attribute.axis]

    def _most(self, record, axis, begin):
        """The largest valid extent of a window or of a constant tensor."""
        tile = record.attributes["shape"][axis] if record.attributes["shape"] else None
        if record.op != "view":
            return record.shape[axis] if tile is None else tile
        begin = record.attributes["offsets"][axis] if begin is None else begin
        left = self._trace.records[record.sources()[0]].shape[axis] - begin
        return left if tile is None else min(tile, left)

    def names(self, place):
        """(names, constants) of integers that an expression at a place may use."""
        def known(name):
            try:
                self.values.value(scalar_values.name(name), place)
            except scalar_values.NoValue:
                return False
            return True
        constants = [one for one in self._text.constants(place.line) if known(one)]
        return [one for one in self._text.scalar_names(place.line) if known(one)], constants

    def is_index(self, name, place):
        """Is it the index of a loop around a place?"""
        return self._text.loop_of(name, place.line, place.callers) is not None

    def moved(self, record, attributes, part, edit):
        """The attributes of a record with another expression, as (offsets, shape, diagonal, numbers); None if they stay the
        same. Raises Unknown if they do not fit."""
        if record.op in ("tril", "triu"):
            diagonal = self._value(attributes[0], record, part, edit)
            return None if diagonal == record.attributes["diagonal"] else (None, None, diagonal, None)
        numbers = {one.axis: self._value(one, record, part, edit) for one in attributes if one.kind == "number"}
        numbers = {position: number for position, number in numbers.items() if number != record.operands[position][1]}
        offsets, shape = self._window(record, attributes, part, edit) if record.op in _READ else (None, None)
        same = offsets is None or \
            (offsets == list(record.attributes["offsets"] or [0] * len(record.shape)) and shape == list(record.shape))
        return None if same and not numbers else (offsets, shape, None, numbers)

    def _window(self, record, attributes, part, edit, loops=None):
        offsets, shape = list(record.attributes["offsets"] or [0] * len(record.shape)), list(record.shape)
        ends, valid = {}, {}
        for one in attributes:
            if one.kind == "number":
                continue
            value = self._value(one, record, part, edit, loops)
            if one.kind == "begin":
                offsets[one.axis] = value
            else:
                (ends if one.kind == "end" else valid)[one.axis] = value
        for axis, begin in enumerate(offsets):
            was = record.shape[axis]
            most = self._most(record, axis, begin)
            if axis in ends:
                shape[axis] = min(ends[axis] - begin, most)
            elif axis in valid:
                shape[axis] = min(valid[axis], most)
            elif record.op == "view" and begin != record.attributes["offsets"][axis]:
                has_extent = any(one.axis == axis and one.kind != "begin" for one in self.attributes(record))
                shape[axis] = min(was, most) if has_extent else most
            if begin < 0 or shape[axis] <= 0:
                raise Unknown("a window over the edge")
        return offsets, shape

    # ---- the same operation in another iteration

    def window_at(self, record, loops):
        """(offsets, shape) of a window for other indices of the loops."""
        attributes = self.attributes(record)
        if not all(self.agrees(one, record) for one in attributes):
            raise Unknown("no value")
        begins = {one.axis for one in attributes if one.kind == "begin"}
        if any(begin and axis not in begins for axis, begin in enumerate(record.attributes["offsets"])):
            raise Unknown("no value")
        return self._window(record, attributes, None, None, loops)

    def constant(self, record):
        """The tensor of an operation that reads none, such as `arange`, if it is the same in all iterations."""
        values = [self._trace.records[number].value for number in self._index.members[self._index.identity(record)]]
        if any(value is None or not value.equal(record.value) for value in values):
            raise Unknown("another tensor in each iteration")
        return record.value

    def numbers_at(self, record, loops):
        """{position of an operand: number} of the numbers that the text computes, for other indices of the loops."""
        numbers = [one for one in self.attributes(record) if one.kind == "number" and self.agrees(one, record)]
        return {one.axis: self._value(one, record, None, None, loops) for one in numbers}

    def diagonal_at(self, record, loops):
        attributes = self.attributes(record)
        if not attributes or not self.agrees(attributes[0], record):
            raise Unknown("no value")
        return self._value(attributes[0], record, None, None, loops)

    def _value(self, attribute, record, part, edit, loops=None):
        place = self.place(record)
        if loops is not None:
            place = scalar_values.Place(place.line, place.callers, loops, place.launch)
        try:
            return self.values.value(attribute.node, place, part, edit)
        except scalar_values.NoValue:
            raise Unknown("no value") from None

    def made(self, torch, record, moved, values):
        """The result of a record with other attributes."""
        offsets, shape, diagonal, numbers = moved
        if diagonal is not None:
            return getattr(torch, record.op)(self._trace.operands(record, values)[0], max(-(1 << 31), min(1 << 31, diagonal)))
        if record.op == "full":
            return torch.full(shape, float((numbers or {}).get(0, record.operands[0][1])))
        if record.op != "view":
            return remake.with_numbers(torch, lambda _: numbers)(record, self._trace, values)
        return self._trace.read(record.sources()[0], values, offsets, shape)

    def agreeing_runs(self, loop, records):
        """The keys of a few runs of a loop that records belong to, if the text gives the indices of all of them."""
        keys = list(dict.fromkeys(filter(None, map(loop.run_of, records[::-1]))))[:_MOST_SAMPLES]
        try:
            return keys if all(sorted(loop.runs[key]) == list(loop.range(self.values, key)) for key in keys) else []
        except scalar_values.NoValue:
            return []

    def ranges(self, site, part, edit, only_samples=False):
        """{(loop, key): range} of the runs that have other indices with another expression."""
        found = {}
        for loop, samples in site.loops.items():
            for key in samples if only_samples else loop.runs:
                try:
                    wanted = loop.range(self.values, key, part, edit)
                except scalar_values.NoValue:
                    raise Unknown("no value") from None
                if sorted(loop.runs[key]) != list(wanted):
                    found[loop, key] = wanted
        return found

    def signature(self, site, part, edit):
        """The attributes of the samples, which distinguish guesses. None if they stay the same or do not fit."""
        found = []
        try:
            for samples, attributes in site.users.values():
                found += [(one.number, repr(self.moved(one, attributes, part, edit))) for one in samples]
            ranges = self.ranges(site, part, edit, only_samples=True)
            found += [(id(loop), key, repr(wanted)) for (loop, key), wanted in ranges.items()]
        except Unknown:
            return None
        changed = tuple(one for one in found if one[1] != "None")
        return changed or None


def _integers(record):
    """The positions of integers among the operands of an operation."""
    return [position for position, operand in enumerate(record.operands) if operand[0] == "number" and
            record.op in replay_ops.OPERATIONS and record.op != "clip" and math.isfinite(operand[1]) and
            operand[1] == int(operand[1])]


_READ = ("view", "tril", "triu", "full")
