#!/usr/bin/env python3
"""Single steps of the search for a blamed line, on records and texts written by hand.

Usage: test_helpers.py SHARE [UNITTEST_ARGUMENTS…]     SHARE: …/share/pypto-lint of a build
Status 77 (skipped) without torch.
"""
import importlib.util
import os
import sys
import tempfile
import types
import unittest

if importlib.util.find_spec("torch") is None:
    sys.exit(77)


def record(number=0, op="add", line=1, **fields):
    """A record with the fields that the helpers read."""
    made = dict(number=number, op=op, kind="op", file="kernel.py", line=line, launch=0, loops=(0,), callers=(),
                operands=[], write=False, dtype="DT_FP32")
    made.update(fields)
    made = types.SimpleNamespace(**made)
    made.key = lambda: (made.file, made.line, made.op)
    made.sources = lambda: [operand[1] for operand in made.operands if operand[0] == "record"]
    return made


def view(offset, extent, loops):
    return record(op="view", loops=loops, shape=[extent], attributes={"offsets": [offset]})


class Rough(unittest.TestCase):
    def ask(self, given, expected, dtype="float32"):
        import torch
        from pypto_lint_worker import outputs_of_run
        given, expected = (torch.tensor([one], dtype=getattr(torch, dtype)) for one in (given, expected))
        return outputs_of_run.is_rough(torch, given, expected, (0.01, 0.0))

    def test_share_of_the_tolerance(self):
        """More than a quarter of it is rough."""
        self.assertFalse(self.ask(1.002, 1.0))
        self.assertTrue(self.ask(1.003, 1.0))

    def test_types_without_an_answer(self):
        self.assertFalse(self.ask(1.0078125, 1.0, "bfloat16"))
        self.assertFalse(self.ask(2, 1, "int32"))


class Windows(unittest.TestCase):
    """Windows of two elements in the iterations of an inner loop, by iteration of the outer one."""

    def ask(self, name, *rows):
        from pypto_lint_worker import never_read
        return getattr(never_read, name)([view(offset, 2, (outer, inner)) for outer, row in enumerate(rows)
                                          for inner, offset in enumerate(row)], 0)

    def test_equal_steps(self):
        self.assertTrue(self.ask("_is_even", [0, 2, 4], [0, 2, 4]))

    def test_table(self):
        """Unequal steps, and steps back."""
        self.assertFalse(self.ask("_is_even", [0, 2, 6]))
        self.assertFalse(self.ask("_is_even", [4, 2, 0]))

    def test_lengths(self):
        """Rows that begin at the same place and end at different ones, but not rows that begin at different ones."""
        self.assertTrue(self.ask("_is_ragged", [0, 2, 4], [0, 2]))
        self.assertFalse(self.ask("_is_even", [0, 2, 4], [0, 2]))
        self.assertFalse(self.ask("_is_ragged", [0, 2], [4, 6]))


class Suspicions(unittest.TestCase):
    """A call that binds results to swapped names is blamed at the end of the launch, which long runs do not record."""

    def ask(self, *records):
        from pypto_lint_worker import blame, replay
        search = types.SimpleNamespace(
            trace=types.SimpleNamespace(records=records), text=types.SimpleNamespace(permuted_results=lambda: [7]))
        search.trace.end = lambda: replay.Trace.end(search.trace)
        search._answer = lambda record, *_, line: (record.number, line)
        search._about_text = lambda *given: blame.Blame._about_text(search, *given)
        return blame.Blame._unpacked(search, [(None, [record(0, callers=(7,))])])

    def test_end(self):
        self.assertEqual(self.ask(record(1, kind="end"), record(2, kind="end"), record(3)), (2, ("kernel.py", 7)))

    def test_no_end(self):
        self.assertIsNone(self.ask(record(1)))


class Extents(unittest.TestCase):
    """A window that should be the whole computed tensor, or as large as the result of an operation that repeats it."""

    def ask(self, source, window, *results, kind="op"):
        from pypto_lint_worker import windows
        made = record(1, "view", shape=window, operands=[["record", 0]], attributes={"offsets": [0, 0]})
        cone = [record(0, shape=source, kind=kind), made]
        for number, shape in enumerate(results, 2):
            cone.append(record(number, "mul", shape=shape, operands=[["record", number - 1]]))
        trace = types.SimpleNamespace(records=cone, views=[made])
        guesses = windows.Windows()
        guesses._trace, guesses._guess = trace, lambda group, kind, detail, make: detail
        guesses._cone = cone
        return list(guesses._extents(made, None))

    def test_repeated(self):
        """Also after a step. A window cannot have larger extents than its source."""
        self.assertEqual(self.ask([8, 4], [1, 1], [1, 1], [1, 4], kind="parameter"), [{"axis": 1}])
        self.assertEqual(self.ask([8, 4], [1, 1], [1, 1], [1, 5], kind="parameter"), [])

    def test_part(self):
        self.assertEqual(self.ask([8, 4], [8, 1]), [{"axis": 1}])

    def test_whole(self):
        """A window as large as the tensor, and windows that are larger along an axis."""
        for window in ([8, 4], [16, 4], [16, 1]):
            self.assertEqual(self.ask([8, 4], window), [])


class OtherIterations(unittest.TestCase):
    """In an added iteration, a write of a whole tensor, and one of a part, for which the other elements are not known."""

    def ask(self, extents):
        import torch
        from pypto_lint_worker import other_iterations, replay
        records = [record(0, shape=[2, 3], value=torch.zeros(2, 3), target=-1),
                   record(1, "assemble", write=True, partial=False, shape=extents, operands=[["record", 0]], target=-1)]
        run = other_iterations.OtherRun(None, replay.Trace(torch, records), {})
        return run._again(records[1], 0, 5, {0: torch.ones(2, 3)})

    def test_whole(self):
        self.assertTrue(bool((self.ask([2, 3]) == 1).all()))

    def test_part(self):
        from pypto_lint_worker.replay_ops import Unknown
        with self.assertRaises(Unknown):
            self.ask([8, 3])


class Heads(unittest.TestCase):
    def begins(self, offsets):
        """Where the windows of four heads, of eight elements each, would begin under the guesses."""
        from pypto_lint_worker import shared_windows
        views = [view(offset, 8, (head,)) for head, offset in enumerate(offsets)]
        members = [(one, 0) for one in views]
        return [[one.attributes["offsets"][0] + move(one) for one in views] for move in shared_windows._heads(members)]

    def test_groups(self):
        """Heads 0 and 1 share keys instead of heads 0 and 2, and the other way round. The keys begin at 100."""
        self.assertIn([100, 100, 108, 108], self.begins([100, 108, 100, 108]))
        self.assertIn([100, 108, 100, 108], self.begins([100, 100, 108, 108]))

    def test_no_groups(self):
        """Windows placed by a table."""
        self.assertEqual(self.begins([0, 24, 8, 8]), [])


TEXT = """\
def kernel(x, y):
    made = x * 2.0
    shown = made
    y[:] = shown + 1.0
"""


class Places(unittest.TestCase):
    def places(self, records):
        from pypto_lint_worker import guess_places, replay, source_lines
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "kernel.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(TEXT)
        trace = types.SimpleNamespace(records=records, views=[])
        trace.forms = lambda *given: replay.Trace.forms(trace, *given)
        return guess_places.GuessPlaces(trace, None, source_lines.SourceText(path), None, [])

    def guess(self, one, kind="missing", position=None, depth=0, number=None):
        from pypto_lint_worker import changes
        made = changes.Repair(changes.Group(one, depth), kind, {"also": "mul", "position": position}, None)
        made.number = number
        return made

    def test_alias(self):
        """`shown = made` in line 3 should have had the step, which is missing after line 2 or before the operand in line 4."""
        product = record(0, "mul", 2)
        addition = record(1, "add", 4, operands=[["record", 0], ["number", 1.0]])
        places = self.places([product, addition])
        self.assertEqual(places.alias(self.guess(product), 2), 3)
        self.assertEqual(places.alias(self.guess(addition, position=0), 4), 3)
        self.assertIsNone(places.alias(self.guess(addition), 4))
        self.assertIsNone(places.alias(self.guess(product, kind="number"), 2))

    def test_siblings(self):
        """Another product in the same call of a helper has the number; one in another call says nothing."""
        lacking = record(0, "add", 2, callers=(9,))
        for callers, expected in (((9,), True), ((8,), False)):
            other = record(1, "mul", 3, callers=callers, operands=[["record", 0], ["number", 0.5]])
            places = self.places([lacking, other])
            self.assertEqual(places._has_siblings(self.guess(lacking, depth=1, number=0.5)), expected)
            self.assertFalse(places._has_siblings(self.guess(lacking, depth=1, number=0.25)))
            self.assertFalse(places._has_siblings(self.guess(lacking, depth=0, number=0.5)))

    def test_forms(self):
        """A window of a converted sum was computed by the sum; the sum's operand is another tensor."""
        records = [record(0, "mul", 2), record(1, "add", 3, operands=[["record", 0], ["record", 0]]),
                   record(2, "cast", 4, operands=[["record", 1]]), record(3, "view", 5, operands=[["record", 2]])]
        places = self.places(records)
        self.assertEqual(places._before_moves(records[3]), ("kernel.py", 3))
        self.assertIsNone(places._before_moves(records[1]))


HELPERS = """\
def pairs(q, k, age):
    scores = q @ k
    fade = age * 2
    return scores * fade

def kernel(x, y):
    keys = x + 1
    queries = x + 2
    made = keys
    shown = made + queries
    turned = shown * 2
    for i in y:
        x = turned + i
        z = x - (x +
                 1)
        y[i] = z
    return pairs(keys, queries, x)

def window(x, row, last):
    begin = max(row * 3 - 1, 0)
    end = min(row * 3 + 4, last)
    size = end - begin
    one = view(x, [5, 8], [begin, 0], valid_shape=[size, 8])
    two = view(x, [5, 8], [row, 0], valid_shape=[min(last - row, 5), 8])
    return one + two

def windows(x, y):
    for i in y:
        place = i * 2
        window(x, place, 40)

def scaled(x, factor, start):
    at = [start, 0]
    part = view(x, [5, 8], at)
    return mul(part, factor)

def scales(x):
    first = 2
    half = 0.5
    return scaled(x, start=first, factor=half) + scaled(
        x, 0.25, 3)

del scales
"""


SCALARS = """\
ROWS = 8

def part(x, at):
    return view(x, [ROWS, 4], [at, 0], valid_shape=[min(x.shape[0] - at, ROWS), 4])

def kernel(x, y):
    rows, half = x.shape[0], 2
    for i in loop(rows // ROWS):
        start = i * ROWS
        part(x, start + half)
"""


class Scalars(unittest.TestCase):
    """Offset and valid extent of the window in line 4, in the iteration 2 of the loop in line 8; `x` has 20 rows."""

    def setUp(self):
        import ast
        from pypto_lint_worker import scalar_values, source_lines
        self.ast, self.errors = ast, scalar_values
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(SCALARS)
            file.flush()
            self.text = source_lines.SourceText(file.name)
        x = types.SimpleNamespace(launch=0, name="x", shape=[20, 4], value=None)
        self.values = scalar_values.ScalarValues(self.text, [x])
        self.begin, _, self.valid = self.text.window_entries(4, 0, 0)

    def place(self, loops=(2,)):
        return self.errors.Place(4, (10,), loops, 0)

    def test_values(self):
        """Through a parameter of the helper, assignments, the index of the loop, a shape and a constant."""
        self.assertEqual(self.values.value(self.begin, self.place()), 2 * 8 + 2)
        self.assertEqual(self.values.value(self.valid, self.place()), 20 - 18)
        self.assertEqual(self.values.value(self.valid, self.place((0,))), 8)

    def test_edits(self):
        """`start = i + ROWS` moves the window; `ROWS` may also stand in the place of an expression that contains it."""
        start, _ = self.text.scalar_definition("start", 10)
        edit = self.ast.BinOp(start.left, self.ast.Add(), start.right)
        self.assertEqual(self.values.value(self.begin, self.place(), start, edit), 2 + 8 + 2)
        self.assertEqual(self.values.value(self.begin, self.place(), start, start.right), 8 + 2)
        twice = self.ast.BinOp(start, self.ast.Mult(), self.ast.Constant(2))
        self.assertEqual(self.values.value(self.begin, self.place(), start, twice), 2 * 16 + 2)

    def test_unknown(self):
        """A name that nothing defines, an axis that the tensor lacks, and another attribute than its shape."""
        for text in ("nowhere", "start - nowhere", "x.shape[2]", "x.size"):
            node = self.ast.parse(text, mode="eval").body
            with self.assertRaises(self.errors.NoValue):
                self.values.value(node, self.errors.Place(10, (), (2,), 0))

    def test_shown(self):
        from pypto_lint_worker import scalar_edits
        start, _ = self.text.scalar_definition("start", 10)
        self.assertEqual(scalar_edits.shown(start), "i * ROWS")
        self.assertEqual(scalar_edits.shown(start, start, self.ast.BinOp(start, self.ast.Add(), self.ast.Constant(1))),
                         "(i * ROWS) + 1")
        found = [scalar_edits.shown(start, part, edit) for _, part, edit in scalar_edits.edits(start, ["half"], ["ROWS"])]
        self.assertIn("half * ROWS", found)
        self.assertIn("i + ROWS", found)
        self.assertIn("i * (ROWS - 1)", found)


class Fractions(unittest.TestCase):
    """`1.0 - SHARE` with another SHARE, and an element of an integer input. A fraction is not an offset."""

    def setUp(self):
        import ast
        import torch
        from pypto_lint_worker import scalar_values, source_lines
        self.ast, self.scalars = ast, scalar_values
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write("SHARE = 0.25\n\n\ndef kernel(x, table):\n    left = 1.0 - SHARE\n    part(x, left)\n")
            file.flush()
            self.text = source_lines.SourceText(file.name)
        self.parameters = [types.SimpleNamespace(launch=0, name="x", shape=[4], value=torch.zeros(4)),
                           types.SimpleNamespace(launch=0, name="table", shape=[2, 2], value=torch.tensor([[3, 5], [7, 9]]))]
        self.place = scalar_values.Place(6, (), (), 0)

    def parsed(self, text):
        return self.ast.parse(text, mode="eval").body

    def test_constant(self):
        values = self.scalars.FloatValues(self.text, self.parameters)
        share, _ = self.text.scalar_definition("SHARE", 6)
        self.assertEqual(values.value(self.parsed("left / 2 ** 2"), self.place), 0.1875)
        self.assertEqual(values.value(self.parsed("left"), self.place, share, self.ast.Constant(0.5)), 0.5)

    def test_element(self):
        values = self.scalars.ScalarValues(self.text, self.parameters)
        self.assertEqual(values.value(self.parsed("table[1, 0] * 2"), self.place), 14)
        for text in ("table[2, 0]", "table[0]", "x[0]", "left"):
            with self.assertRaises(self.scalars.NoValue):
                values.value(self.parsed(text), self.place)


class Fitting(unittest.TestCase):
    """The number n of exp(n x), which is 1 and should be 1.7."""

    def setUp(self):
        import torch
        from pypto_lint_worker import fitting
        self.torch, self.x = torch, torch.linspace(-1.0, 1.0, 9)
        self.window = types.SimpleNamespace(expected=torch.exp(1.7 * self.x), given=torch.exp(self.x), source=0, wrong=8)
        trace = types.SimpleNamespace(records=[record()], replay=lambda cone, guess: guess, value=lambda number, made: made)
        self.fit = fitting.Fit(torch, trace, self.window, [])

    def test_found(self):
        found = self.fit.number(lambda number: self.torch.exp(number * self.x), 1.0, 0.03)
        self.assertAlmostEqual(found, 1.7, places=4)

    def test_another_direction(self):
        apart = self.window.expected - self.window.given
        across = self.torch.zeros(9)
        across[0], across[1] = apart[1], -apart[0]
        self.assertIsNone(self.fit.number(lambda number: self.window.given + (number - 1.0) * across, 1.0, 0.03))

    def test_few_elements(self):
        self.window.wrong = 7
        self.assertIsNone(self.fit.number(lambda number: self.torch.exp(number * self.x), 1.0, 0.03))

    def test_not_finite(self):
        self.assertIsNone(self.fit.number(lambda number: self.x / (number - number), 1.0, 0.03))


class Text(unittest.TestCase):
    def setUp(self):
        from pypto_lint_worker import source_lines
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(HELPERS)
            file.flush()
            self.text = source_lines.SourceText(file.name)

    def test_abbreviated(self):
        """`keys, queries` for the parameters `q, k`; `x` for `age` says nothing."""
        self.assertEqual(self.text.permuted_calls(), [17])

    def test_adjacent(self):
        """Neighbouring statements of one block where only the second one reads the name that the first one assigns."""
        found = {line: self.text.adjacent(line) for line in range(1, 18) if self.text.adjacent(line)}
        self.assertEqual(found, {3: [4], 4: [3], 9: [10], 10: [9, 11], 11: [10], 14: [16], 15: [16], 16: [14]})

    def test_ends_of_windows(self):
        """The lines of `begin`, of `end` for the length `end - begin`, of a length computed in another way, and of the
        definition of a caller's argument."""
        self.assertEqual(self.text.end_line(23, 0, (30,), True), 20)
        self.assertEqual(self.text.end_line(23, 0, (30,), False), 21)
        self.assertEqual(self.text.end_line(24, 0, (30,), False), 24)
        self.assertEqual(self.text.end_line(24, 0, (30,), True), 29)
        self.assertTrue(self.text.has_valid_extent(23, 0))
        self.assertFalse(self.text.has_valid_extent(23, 1))

    def test_arguments_of_helpers(self):
        """A parameter is followed to the argument of the call, by position or by keyword. A list with a name is followed to
        its elements."""
        self.assertEqual(self.text.passed_line(24, 0, 30), 30)
        self.assertIsNone(self.text.passed_line(23, 0, 30))  # `begin` is not a parameter
        self.assertEqual(self.text.number_line(35, "mul", 1, (40,)), 39)
        self.assertEqual(self.text.definition_line(35, "mul", 1, (40,)), 39)
        self.assertIsNone(self.text.number_line(35, "mul", 1, ()))
        self.assertEqual(self.text.window_line(34, 0), 33)
        self.assertEqual(self.text.entry_line(24, "view", ("offsets", 2), 0, (30,)), 29)
        self.assertEqual(self.text.definitions_behind(34, (40,), 0), {38})


if __name__ == "__main__":
    share = sys.argv.pop(1)
    sys.path.insert(0, os.path.join(share, "harness"))
    unittest.main()
