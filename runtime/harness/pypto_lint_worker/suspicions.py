"""What is suspected if no guess explains the outputs: the first operation that makes NaN, a statement that does nothing,
names in the wrong order, an input that is not read to its end, or the first operation whose result the reference lacks."""
from . import gaps, never_read, not_finite, said


class Suspicions:
    """Part of blame.Blame, whose fields it reads."""

    def _suspect(self, cones):
        """The first of them that applies, or None."""
        return self._unpacked(cones) or self._never_read(cones) or self._never_used(cones) or self._not_finite(cones) or \
            self._idle(cones) or self._unread_parameter(cones) or self._by_frontier(cones)

    def _partly_written(self, outputs):
        """Windows that are too short, although elements that a write covers are wrong, too."""
        for output in outputs:
            if output.complete and output.windows and bool(output.free.any()):
                write, gap = output.windows[0].write, gaps.too_short(output, self.trace, self.text)
                if gap is not None:
                    return self._answer(write, "low", "partly_written", gap.detail, line=(write.file, gap.line))
        return None

    def _not_finite(self, cones):
        record = not_finite.first(self.torch, self.trace, cones)
        earlier = [one for one in self.frontier.first_lacking(cones) if record and one.number < record.number]
        if len({one.key()[:2] for one in earlier}) == 1:  # its operands are wrong already
            return None
        write = record and not_finite.without_iterations(self.trace, record)
        line = write and self.text.bound_line(write.line, write.callers)
        if line:
            return self._answer(record, "low", "never_ran", {}, line=(record.file, line))
        return record and self._answer(record, "low", "not_finite", {})

    def _infinities(self, cones):
        """An operation that cancels infinities, which explains more than a guess that only drops them."""
        record = not_finite.cancelled(self.torch, self.trace, cones)
        return record and self._answer(record, "low", "inf_minus_inf", {})

    def _idle(self, cones):
        """A statement that gives a tensor its own value: something else was meant."""
        lines = self.text.idle_lines()
        record = cones[0][1][-1]
        if len(lines) != 1 or record.file is None:
            return None
        return self._answer(record, "low", "idle", {}, line=(record.file, lines[0]))

    def _unread_parameter(self, cones):
        """A function that never reads one of its parameters: something else is used in its place."""
        found, lacking = {}, {record.line for record in self.frontier.first_lacking(cones)}
        for function, name in self.text.unread_parameters():
            inside = {record.line: record for _, cone in cones for record in cone
                      if record.kind == "op" and function.lineno <= record.line <= function.end_lineno}
            inside = {line: inside[line] for line in lacking & set(inside)} or inside
            if inside:
                found[name] = list(inside.values())
        if len(found) != 1 or len(next(iter(found.values()))) != 1:
            return None
        [(name, [record])] = found.items()
        return self._answer(record, "low", "unread_parameter", {"name": name})

    def _rather_unread(self, repaired, cones):
        """A function that never reads one of its parameters, if a guess about another function is only a suspicion."""
        if repaired is None or repaired.get("confidence") != "low":
            return None
        found = self._unread_parameter(cones)
        is_apart = found is not None and found["status"] == "found" and \
            self.text.function_name(found["line"]) != self.text.function_name(repaired["line"])
        return found if is_apart else None

    def _unpacked(self, cones):
        """A call whose results are bound to swapped names."""
        lines = [line for line in self.text.permuted_results()
                 if any(line in record.callers for _, cone in cones for record in cone)]
        if len(lines) != 1:
            return None
        return self._about_text("unpacked", {}, lines[0])

    def _never_read(self, cones):
        """A loop that ends before its input does."""
        found = {}
        for one in never_read.find(self.trace, cones, self.text):
            line = self.text.bound_line(one.view.line, one.view.callers)
            found.setdefault(one.view.line if line is None else line, one)
        if len(found) != 1:
            return None
        [(line, one)] = found.items()
        return self._answer(one.view, "low", "never_read",
                            {"name": one.parameter.name, "axis": one.axis, "written": one.reach, "left": one.extent},
                            line=(one.view.file, line))

    def _never_used(self, cones):
        """A Python loop that ends before its list does."""
        found = {}
        for record, reader in never_read.unused(self.trace, cones):
            line = self.text.range_line(reader.line)
            if line is not None:
                found[reader.file, line] = record
        if len(found) != 1:
            return None
        [(line, record)] = found.items()
        return self._answer(record, "low", "never_used", {}, line=line)

    def _by_frontier(self, cones):
        lines = self.frontier.first_lacking(cones)
        places_of = list(dict.fromkeys(record.key()[:2] for record in lines))
        for window, _ in cones:
            if lines and lines[0].number == window.source and \
                    window.source in self.frontier.written_elsewhere:
                return self._answer(window.write, "low", "elsewhere", {})
        if len(places_of) == 1:
            return self._unmatched(lines[0])
        if not places_of:
            return None
        return self._several(places_of, is_proved=False)

    def _unmatched(self, record):
        return self._answer(record, "low", "unmatched", said.inputs(self.trace, record),
                            result=said.closest(self.torch, self.frontier, record))
