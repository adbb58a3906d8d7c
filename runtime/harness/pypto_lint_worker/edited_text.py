"""Blames the line of an edit that makes the outputs right (rerun.py), if the records of the run do not explain the outputs or
explain them in an unlikely way."""
import ast

from . import edit_source, scalar_edits, text_edits

# What an edit costs more, by what is known of its line.
_CALLER, _DEFINITION, _INSIDE, _INNOCENT, _ELSEWHERE = 0.3, 0.4, 1.0, 1.6, 2.5
_OTHER_CALL, _CALLED = 0.5, 0.8  # for calls of the function around a line, and for the lines of a function that it calls
_LEVELS = 3  # of definitions behind definitions
# Answers that nothing proves. GAPS say what is missing, which helps more than an edit of the same line.
GAPS = frozenset("never_read never_used never_ran partly_written cut_short never_written idle unread_parameter".split())
SUSPICIONS = GAPS | frozenset("unmatched elsewhere not_finite unpacked".split())
_CHEAP = 2.2  # an edit that costs more does not replace a guess that also explains the outputs
_STATEMENTS = frozenset("not_carried begins_once begins_again carried steps".split())  # guesses about the order of statements


class EditedText:
    """Part of blame.Blame, whose fields it reads."""

    def by_edits(self, found, reruns):
        """The answer of an edit, or `found`, the answer from the records."""
        is_open = found["status"] == "unsure" and (self.is_ambiguous or found["why"] == "place")
        is_proved = found["status"] == "found" and found["kind"] not in SUSPICIONS and not self._is_strange(found)
        if reruns is None or is_open or is_proved and found["confidence"] == "high":
            return found
        made = self._explaining_edits(found, reruns, is_proved)
        is_here = any(edit.line == found.get("line") for _, edit in made)
        if not made or is_here and (is_proved or found.get("kind") in GAPS):
            return dict(found, confidence="low") if self._is_strange(found) else found
        return self._about_edit(made[0][1], [edit.line for _, edit in made]) or found

    def _explaining_edits(self, found, reruns, is_proved):
        """[(cost, edit)] of the edits that make the outputs right."""
        source = edit_source.read(self.job["impl"])
        if source is None:
            return []
        operations = {tensor.op for tensor in self._watched.tensors if tensor.op}
        try:
            costs, edits = _LineCosts(self, found, source).all(), text_edits.TextEdits(source, operations).all()
        except RecursionError:  # expressions that are nested too deeply
            return []
        listed = [(edit.cost + costs[edit.line], edit) for edit in edits if edit.line in costs]
        return reruns.explaining(source, [one for one in listed if not is_proved or _may_replace(*one, found)])

    def _is_strange(self, found):
        """Does the guess stand for something that nobody writes: the maximum of two tensors of the kernel, or an operand
        without a name from another line of the function?"""
        detail = found.get("detail") or {}
        if found.get("kind") == "missing_tensor" and detail.get("also") in ("maximum", "minimum"):
            return True
        return found.get("kind") == "operand" and bool(detail.get("by")) and not detail.get("name") and \
            detail["line"] != found["line"] and self.text.in_one_function(detail["line"], found["line"])

    def _about_edit(self, edit, lines):
        """The answer for an edit that makes the outputs right. `lines`: those of all such edits."""
        path, end = self.job["impl"], self.trace.end()
        is_short = 0 < len(edit.then) <= scalar_edits.MOST_SHOWN >= len(edit.now)
        detail = {"expression": edit.then, "expression_now": edit.now} if is_short else {}
        return None if end is None else self._answer(end, "low", edit.kind, detail, line=(path, edit.line),
                                                     lines=[(path, line) for line in dict.fromkeys(lines)])

    def operations(self):
        """[(record, is it innocent)] of the operations that the wrong windows are computed from."""
        found = []
        for _, cone in self.cones[:2] if self.frontier is not None else ():
            innocent = self.frontier.innocent(cone)
            found += [(record, record.number in innocent) for record in cone if record.kind == "op"]
        return found


def _may_replace(cost, edit, found):
    """Is an edit likelier than a guess that also explains the outputs?"""
    return cost <= _CHEAP or edit.kind == text_edits.MOVED and found["kind"] in _STATEMENTS


class _LineCosts:
    """{line: cost} of the lines of a kernel's file, by statement."""

    def __init__(self, blame, found, source):
        self._blame, self._found, self._source, self._costs = blame, found, source, {}

    def all(self):
        """The costs."""
        for line in [self._found.get("line")] + [one["line"] for one in self._found.get("candidates", ())]:
            self._lower(line, 0)
        for record in self._suspects():
            self._records([record], 0)
        for record, is_innocent in self._blame.operations():
            self._records([record], _INNOCENT if is_innocent else _INSIDE)
        self._definitions()
        for function in self._source.functions:
            for line in range(function.lineno, function.end_lineno + 1):
                self._lower(line, _ELSEWHERE)
        return self._by_statement()

    def _suspects(self):
        if self._blame.frontier is not None:
            return self._blame.frontier.first_lacking(self._blame.cones)
        writes = [window.write for output in self._blame.outputs for window in output.windows]
        return {(write.line, write.callers): write for write in writes}.values()

    def _records(self, records, cost):
        for record in records:
            self._lower(record.line, cost)
            for line in record.callers:
                self._lower(line, cost + _CALLER)

    def _lower(self, line, cost):
        if line and cost < self._costs.get(line, cost + 1):
            self._costs[line] = cost

    def _definitions(self):
        """Adds the statements that define names, the loops and conditions around lines, and calls."""
        for _ in range(_LEVELS):
            known = self._by_statement()
            for node in ast.walk(self._source.tree):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.lineno in known:
                    for statement in self._source.definitions(node):
                        self._lower(statement.lineno, known[node.lineno] + _DEFINITION)
                elif isinstance(node, (ast.For, ast.If)) and node.body:
                    inside = [known[line] for line in range(node.body[0].lineno, node.end_lineno + 1) if line in known]
                    if inside:
                        self._lower(node.lineno, min(inside) + _DEFINITION)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self._blame.frontier is None:
                    self._call(node, known)  # otherwise the records tell which functions are called

    def _call(self, call, known):
        """Adds a call of a function of the file, and that function's lines."""
        for function in self._source.functions:
            if function.name == call.func.id:
                lines = range(function.body[0].lineno, function.end_lineno + 1)
                least = min((known[line] for line in lines if line in known), default=_ELSEWHERE)
                self._lower(call.lineno, least + _OTHER_CALL)
                for line in lines if call.lineno in known else ():
                    self._lower(line, known[call.lineno] + _CALLED)

    def _by_statement(self):
        """The costs; a line costs as much as the cheapest line of its statement."""
        found = dict(self._costs)
        for first, last in self._source.extents():
            least = min((self._costs[line] for line in range(first, last + 1) if line in self._costs), default=None)
            if least is not None:
                found.update(dict.fromkeys(range(first, last + 1), least))
        return found
