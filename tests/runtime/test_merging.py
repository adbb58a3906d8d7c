"""Many conditions in one body: the front end of 9.2 merges what their sides leave, so that n of them are not 2^n
paths. Python itself, with the same kernel's text, says what comes out."""
import pathlib
import re

from pypto import _diagnose
from pypto.frontend import _merge
from support import KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
COUNT = 20


def raised(t, n):
    """A helper with a condition of its own."""
    if n > 1:
        made = t * 0.5
    else:
        made = t + 1.0
    return made


class Merging(KernelTest):
    def setUp(self):
        self.numbers = torch.tensor([[(7 * j) % 5 - 1 for j in range(COUNT)]], dtype=torch.int32)

    def run_kernel(self, body, numbers=None, rows=16):
        y = torch.zeros(rows, 16)
        pypto.jit(body)(self.numbers if numbers is None else numbers, matrix(rows), y)
        return y

    def test_twenty_conditions(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t, count, many = x + 0.0, 0, n[0, 0]
            for j in range(COUNT):
                if many > j:
                    t = t + float(j)
                    count = count + j
            y[:] = t
            n[0, 1] = count
        for many in (0, 1, 13, COUNT + 9):
            numbers = torch.tensor([[many, 0]], dtype=torch.int32)
            y = self.run_kernel(body, numbers)
            total = sum(range(min(many, COUNT)))
            self.equal(y, matrix() + float(total))
            self.assertEqual(numbers[0, 1].item(), total)

    def test_in_a_loop_with_elif_and_nested(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            carried = x[0:16, :] * 0.0
            for i in pypto.loop(3):
                b = x[i * 16:(i + 1) * 16, :]
                for j in range(COUNT):
                    w = n[0, j]
                    if w > i:
                        b = b * 0.5
                    elif w == -1:
                        b = b - 1.0
                        if i == 2:
                            carried = carried + b
                    else:
                        b = b + float(j)
                carried = carried + 1.0
                y[i * 16:(i + 1) * 16, :] = b + carried
        x, carried, rows = matrix(48), torch.zeros(16, 16), []
        for i in range(3):
            b = x[i * 16:(i + 1) * 16]
            for j, w in enumerate(self.numbers[0].tolist()):
                b = b * 0.5 if w > i else b - 1 if w == -1 else b + j
                carried = carried + b if w == -1 and i == 2 else carried
            carried = carried + 1
            rows.append(b + carried)
        self.equal(self.run_kernel(body, rows=48), torch.cat(rows))

    def test_writes_and_what_one_side_alone_binds(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t, state = x + 0.0, x * 0.0
            for j in range(COUNT):
                if n[0, j] > 0:
                    u = t + 1.0
                if n[0, j] > 0:
                    t = u
                if n[0, j] < 0:
                    state[:] = state + t
                if n[0, j] == 3:
                    y[0:4, 0:8] = t[0:4, 0:8]
            y[4:16, :] = (state + t)[4:16, :]
        t, state, y = matrix(), torch.zeros(16, 16), torch.zeros(16, 16)
        for w in self.numbers[0].tolist():
            t = t + 1 if w > 0 else t
            state = state + t if w < 0 else state
            if w == 3:
                y[:4, :8] = t[:4, :8]
        y[4:] = (state + t)[4:]
        self.equal(self.run_kernel(body), y)

    def test_helpers(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t = x
            for j in range(COUNT):
                t = raised(t, n[0, j])
            y[:] = t
        t = matrix()
        for w in self.numbers[0].tolist():
            t = t * 0.5 if w > 1 else t + 1
        self.equal(self.run_kernel(body), t)

    def test_numbers_that_only_paths_keep_apart(self):
        """Python's own numbers do not go through memory: these two conditions stay paths."""
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t, factor, name = x + 0.0, 2.0, "a"
            for j in range(COUNT):
                if n[0, j] > 0:
                    t = t + 1.0
            if n[0, 1] > 0:
                factor = 3.0
            if n[0, 2] > 0:
                name = "b"
            y[:] = t * factor if name == "a" else t - factor
        w = self.numbers[0].tolist()
        t, factor = matrix() + float(sum(one > 0 for one in w)), 3.0 if w[1] > 0 else 2.0
        self.equal(self.run_kernel(body), t - factor if w[2] > 0 else t * factor)

    def test_paths_within_a_side(self):
        """The conditions around one that stays paths are paths, too, up to the loop around them."""
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t, factor = x + 0.0, 2.0
            for j in range(COUNT):
                if n[0, j] > 0:
                    t = t + 1.0
            if n[0, 0] > 5:
                if n[0, 1] > 5:
                    factor = 3.0
                else:
                    factor = 5.0
                for i in pypto.loop(2):
                    if n[0, i] > 6:
                        t = t * factor
            elif n[0, 1] > 5:
                factor = 7.0
            y[:] = t * factor
        for first in (0, 6, 7):
            for second in (0, 6, 7):
                numbers = torch.ones(1, COUNT, dtype=torch.int32)
                numbers[0, 0], numbers[0, 1] = first, second
                t, factor = matrix() + float((numbers > 0).sum()), 2.0
                if first > 5:
                    factor = 3.0 if second > 5 else 5.0
                    for one in (first, second):
                        t = t * factor if one > 6 else t
                elif second > 5:
                    factor = 7.0
                with self.subTest(first=first, second=second):
                    self.equal(self.run_kernel(body, numbers), t * factor)

    def test_settings_of_a_side_stay_there(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 0.0
            for j in range(COUNT):
                if n[0, j] > 0:
                    pypto.set_vec_tile_shapes(8, 16)
                    t = t + 1.0
                if pypto.get_vec_tile_shapes() != [16, 16]:
                    raise ValueError("the tile of a side is in force behind it")
            y[:] = t
        self.equal(self.run_kernel(body), matrix() + float((self.numbers > 0).sum()))

    def test_conflicts_are_those_of_paths(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 0.0
            for j in range(COUNT):
                if n[0, j] > 0:
                    t = t + 1.0
            if n[0, 0] > 0:
                t = pypto.cast(t, pypto.DT_FP16)
            y[:] = t
        self.fails("F00003", "Conflicted var t", self.run_kernel, body)

    def test_a_kernel_that_is_wrong_is_refused_in_its_own_words(self):
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 0.0
            for j in range(8):
                if n[0, j] > 0:
                    t = t + 1.0
            y[:] = pypto.matmul(t, x, pypto.DT_FP32)  # without a cube tile
        self.fails("F21003", "tile", self.run_kernel, body)

    def test_few_conditions_are_paths(self):
        """A correlated condition is the same on both of its places: it causes no error and no poison."""
        def body(n: T[...], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            if n[0, 0] > 0:
                t = x + 1.0
            else:
                t = x + 2.0
            y[:] = t
        before = len(_diagnose.told)
        self.run_kernel(body)
        self.assertEqual(_diagnose.told[before:], [])
        self.assertGreater(_merge.MOST_PATHS, 16)

    def test_the_evaluator_has_the_same_limit(self):
        """Beyond it names that only some paths bind are judged in another way, by both."""
        header = pathlib.Path(__file__).resolve().parents[2] / "src" / "eval" / "drive.h"
        limit = re.search(r"\bDRIVE_APART = (\d+)\b", header.read_text(encoding="utf-8"))
        self.assertEqual(int(limit[1]), _merge.MOST_PATHS)


if __name__ == "__main__":
    main()
