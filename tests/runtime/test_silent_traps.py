"""Where PyPTO 9.2 computes something else without a word: errors that say so."""
from pypto import _diagnose, _version
from support import KernelTest, main, matrix, pypto, torch

T = pypto.Tensor


def moved(t):
    """Rebinds its parameter, which 9.2 does to the caller's name as well."""
    t = t + 1.0
    return t


def lessened(t, count):
    """The same with a number."""
    count = count - 1
    return t * float(count)


def filled(t, bias=None):
    """Rebinds what its caller has not given."""
    if bias is None:
        bias = t + 1.0
    return t + bias


class TrapTest(KernelTest):
    def run_kernel(self, body, x=None, **options):
        """x → y over 16×16."""
        y = torch.zeros(16, 16)
        pypto.frontend.jit(**options)(body)(matrix() if x is None else x, y)
        return y

    def refused(self, body, *texts):
        """The kernel is an error that has these texts."""
        with self.assertRaises(pypto.error.PyptoError) as caught:
            self.run_kernel(body)
        for text in texts:
            self.assertIn(text, str(caught.exception))


class Rebinding(TrapTest):
    def test_helper_that_rebinds_what_the_caller_reads_again(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a = x + 1.0
            b = moved(a)
            y[:] = a * 10.0 + b
        self.refused(body, "helper-rebind", "'moved'", "'t'", "'a'", "y[:] = a * 10.0 + b")
        self.equal(self.run_kernel(body, new_ir=False), (matrix() + 1) * 10 + matrix() + 2)

    def test_in_the_same_statement(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a = x + 1.0
            y[:] = moved(a) + a
        self.refused(body, "helper-rebind")

    def test_numbers(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            heads = 3
            z = lessened(x, 3)  # small numbers are one object
            y[:] = z + float(heads)
        self.refused(body, "helper-rebind", "'heads'")

    def test_read_at_the_start_of_the_next_iteration(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a = x + 1.0
            for _ in pypto.loop(2):
                y[:] = a
                moved(a)
        self.refused(body, "helper-rebind", "'a'")

    def test_nested_function(self):
        def body(x: T[...], y: T[...]):
            def inner(t):
                t = t * 2.0
                return t
            pypto.set_vec_tile_shapes(16, 16)
            a = x + 1.0
            b = inner(a)
            y[:] = a + b
        self.refused(body, "helper-rebind", "'inner'")

    def test_names_that_are_not_read_again(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            scale = 2.0
            a = x + 1.0
            b = moved(a)
            a = b * scale
            for _ in pypto.loop(2):
                a = moved(a)
            y[:] = moved(a) + lessened(x, 300) + filled(x)
        self.equal(self.run_kernel(body), (matrix() + 2) * 2 + 3 + matrix() * 299 + matrix() * 2 + 1)

    def test_on_one_path_only(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(4):
                a = x + 1.0
                if i == 1:
                    y[:] = moved(a)
                else:
                    y[:] = a
        self.equal(self.run_kernel(body), matrix() + 1)

    def test_parameter_of_the_kernel(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = moved(x)
        before = len(_diagnose.told)
        self.equal(self.run_kernel(body), matrix() + 1)
        self.assertEqual([name for _, _, name, _, _ in _diagnose.told[before:]], ["helper-rebind"])


class Conditions(TrapTest):
    def test_words(self):
        def both(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                if i > 0 and i < 2:
                    y[:] = x

        def either(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                if i > 0 or i < 2:
                    y[:] = x

        def chosen(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                y[:] = x + (1.0 if i > 1 else 2.0)

        def chained(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                if 0 < i < 2:
                    y[:] = x
        for body, what in ((both, "'and'"), (either, "'or'"), (chosen, "'x if c else y'"),
                           (chained, "a chained comparison")):
            with self.subTest(body.__name__):
                self.refused(body, "Not concrete value.", what, "silently", "None", "symbolic-bool")

    def test_order_and_values_are_those_of_python(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            log = []

            def told(value):
                log.append(value)
                return value
            a = told(1) and told(0) and told(2)
            b = told(0) or told(3) or told(4)
            c = told(5) if told(1) else told(6)
            d = told(1) < told(7) < told(8) < told(2) < told(9)
            e = [n for n in (1, 2, 3) if 0 < n - 1 < 2]
            assert (a, b, c, d, e) == (0, 3, 5, False, [2])
            assert log == [1, 0, 0, 3, 1, 5, 1, 7, 8, 2], log
            y[:] = x
        self.equal(self.run_kernel(body), matrix())

    def test_plain_not(self):
        def body(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                if not i > 2:
                    y[:] = x
        self.refused(body, "Not concrete value.")


class Names(TrapTest):
    def test_bound_nowhere(self):
        def body(x: T[...], y: T[...]):
            if nowhere:  # noqa: F821
                y[:] = x
        self.refused(body, "name 'nowhere' is not defined", "PyPTO 9.2 silently takes None")

    def test_not_bound_on_this_path(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                if i > 1:
                    v = x + 1.0
                y[:] = v
        self.refused(body, "'v'", "PyPTO 9.2 silently")

    def test_deleted(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            n, table = 3, {"a": 1.0, "b": 2.0}
            del n, table["a"]
            y[:] = x + table["b"] if n is None and "a" not in table else x
        self.equal(self.run_kernel(body), matrix() + 2)


class Merges(TrapTest):
    def test_conflict(self):
        def dtype(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                if i > 1:
                    v = x + 1.0
                else:
                    v = pypto.cast(x, pypto.DT_FP16)
                y[:] = pypto.cast(v, pypto.DT_FP32)

        def shape(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            v = x + 1.0
            for i in pypto.loop(3):
                if i > 1:
                    v = pypto.view(x, [8, 16], [0, 0])
                pypto.assemble(v, [0, 0], y)

        def kind(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                v = None
                if i > 1:
                    v = x + 1.0
                y[:] = x if v is None else v
        for body in (dtype, shape, kind):
            with self.subTest(body.__name__):
                self.refused(body, "Conflicted var v: ", "test_silent_traps.py:")

    def test_legal_until_it_is_used(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                for k in range(2):
                    if i > 1:
                        v = x + 1.0
                        n = 1
                    else:
                        v = pypto.cast(x, pypto.DT_FP16)
                        n = 2 + i
                    v = x * 2.0
                    w = pypto.view(x, [16, 8 << k], [0, 0])
                    if i == 2:
                        w = w + 1.0
                    pypto.assemble(w, [0, 0], y)
                if n > 2:
                    y[:] = y + v
        self.equal(self.run_kernel(body), matrix() + 1)

    def test_objects(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                word = "less"
                if i > 1:
                    word = "more"
                y[:] = x + (1.0 if word == "more" else 2.0)
        before = len(_diagnose.told)
        self.equal(self.run_kernel(body), matrix() + 1)
        self.assertEqual([name for _, _, name, _, _ in _diagnose.told[before:]], ["object-rebound"])


    def test_objects_that_are_alike(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                sizes, mode, pair = [16, 16], "up", (x, i)
                if i > 1:
                    sizes, mode, pair = [16, 16], "u" + "p", (x + 1.0, i + 1)
                y[:] = pypto.view(pair[0], sizes, [0, 0]) + float(len(mode))
        before = len(_diagnose.told)
        self.equal(self.run_kernel(body), matrix() + 3)
        self.assertEqual(_diagnose.told[before:], [])


class Loops(TrapTest):
    def test_edges_of_the_innermost_loop(self):
        def outer(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                for _ in pypto.loop(2):
                    if pypto.is_loop_begin(i):
                        y[:] = x

        def outside(x: T[...], y: T[...]):
            if pypto.is_loop_begin(1):
                y[:] = x
        self.refused(outer, "is_loop_begin", "inner loop's bounds", "new_ir=False")
        self.refused(outside, "IndexError")

    def test_any_scalar(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x
            for _ in pypto.loop(2):
                for i in pypto.loop(4, 10, 2):
                    if pypto.is_loop_begin(i):
                        y[:] = y + 1.0
                    if pypto.is_loop_end(i + 2):  # from 6 on
                        y[:] = y + 10.0
                    if pypto.is_loop_end(8):
                        y[:] = y + 100.0
        self.equal(self.run_kernel(body), matrix() + 2 + 40 + 600)


class Notes(TrapTest):
    def told_lines(self, body):
        """The lines, from that of `def` on, of the notes that name the version."""
        _diagnose._subjects.clear()
        before = len(_diagnose.told)
        self.run_kernel(body)
        return sorted({line - body.__code__.co_firstlineno for _, _, name, _, line
                       in _diagnose.told[before:] if name == "pypto-version"})

    def test_what_only_this_version_takes(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            sizes, table, pair = [16, 16], {"a": 1}, [0, 0]
            add = lambda t: t + float(sizes[0])  # noqa: E731
            del table["a"]
            pair[0], pair[1] = 1, 2
            z = pypto.view(x, *[sizes, [0, 0]])  # an expression: as before
            y[:] = add(z) + float(sum(pair))
            same = lambda t: t  # noqa: E731  without local names: as before
            y[:] = same(y)
        self.assertEqual(self.told_lines(body), [] if _version.is_given else [3, 4, 5])

    def test_names(self):
        _diagnose._subjects.clear()
        before = len(_diagnose.told)
        with self.subTest("guarded"):
            self.assertTrue(hasattr(pypto, "jit"))
            try:
                pypto.jit
            except AttributeError:
                self.fail()
            if hasattr(pypto, "jit"):
                pypto.jit
            getattr(pypto, "jit", None)
            self.assertEqual(_diagnose.told[before:], [])
        with self.subTest("plain"):
            self.assertIs(pypto.jit, pypto.frontend.jit)
            from pypto import jit
            self.assertIs(jit, pypto.frontend.jit)
            told = [name for _, _, name, _, _ in _diagnose.told[before:]]
            self.assertEqual(told, [] if _version.is_given else ["pypto-version"])
        self.assertIn("jit", dir(pypto))


if __name__ == "__main__":
    main()
