"""The front end of 9.2: loop variables, helpers, and Python where Python runs it."""
from pypto import _diagnose, _version
from support import KernelTest, main, matrix, pypto, torch

T = pypto.Tensor


def scaled(a, n, factor=2.0):
    """A helper that returns early, and in a loop of Python's."""
    if n > 1:
        return a
    b = a
    for _ in range(2):
        b = b * factor
    return b


def added_where(i, a):
    """A helper with a condition that is known only when the kernel runs."""
    if i > 1:
        b = a + 10.0
    else:
        b = a + 1.0
    return b


def raised_by_rows(t):
    if (n := t.shape[0]) > 3:
        return t + float(n)
    return t


class FrontEndTest(KernelTest):
    def run_kernel(self, body, *others, x=None, **options):
        """x → y over 16×16."""
        y = torch.zeros(16, 16)
        pypto.jit(**options)(body)(matrix() if x is None else x, y, *others)
        return y


class Carried(FrontEndTest):
    def test_tensor_integer_and_condition(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            total, n = x * 0.0, 0
            for i in pypto.loop(4):
                total = total + x
                n += 2
                if i > 1:
                    total = total * 2.0
            for _ in pypto.loop(n):
                total = total + 1.0
            y[:] = total
        expected = matrix() * 0
        for i in range(4):
            expected = expected + matrix()
            expected = expected * 2 if i > 1 else expected
        self.equal(self.run_kernel(body), expected + 8)

    def test_without_the_new_front_end_nothing_is_carried(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            total = x + 0.0
            for _ in pypto.loop(3):
                total = total + 1.0
                y[:] = total
        self.equal(self.run_kernel(body, new_ir=False), matrix() + 1)
        self.equal(self.run_kernel(body, new_ir=True), matrix() + 3)

    def test_nested_and_swapped(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a, b = x + 0.0, x * 0.0
            for _ in pypto.loop(3):
                for _ in pypto.loop(2):
                    a, b = a + 1.0, a + b
                b = b * 2.0
            y[:] = a + b
        a, b = matrix(), matrix() * 0
        for _ in range(3):
            for _ in range(2):
                a, b = a + 1, a + b
            b = b * 2
        self.equal(self.run_kernel(body), a + b)

    def test_put_back_to_what_it_was_before_the_loop(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            start = x + 0.0
            value, place, laps = start, 0, 0
            for _ in pypto.loop(8):
                value = value + 1.0
                place += 1
                if place == 3:
                    value, place = start, 0
                    laps += 1
            for _ in pypto.loop(place * 10 + laps):  # 8 is two times 3, and 2
                value = value + 100.0
            y[:] = value
        self.equal(self.run_kernel(body), matrix() + 2 + 2200)

    def test_names_that_change_places(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a, b, m, n = x + 1.0, x * 2.0, 1, 2
            for _ in pypto.loop(3):
                a, b = b, a
                m, n = n, m
            for _ in pypto.loop(m):  # 2
                a = a + 10.0
            y[:] = a * 3.0 + b
        self.equal(self.run_kernel(body), (matrix() * 2 + 20) * 3 + matrix() + 1)

    def test_one_name_keeps_what_another_was(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a = x + 0.0
            for _ in pypto.loop(4):
                last = a
                window = pypto.view(a, [16, 16], [0, 0])
                a = a + 1.0
            y[:] = a * 100.0 + last * 10.0 + window
        x = matrix()
        self.equal(self.run_kernel(body), (x + 4) * 100 + (x + 3) * 10 + x + 3)

    def test_unrolled(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            a, n = x + 0.0, 1
            for _ in pypto.loop(7, unroll_list=[4, 2]):
                a = a * 2.0 + 1.0
                n = n + 1
            for _ in pypto.loop(n):
                a = a + 1.0
            y[:] = a
        a = matrix()
        for _ in range(7):
            a = a * 2 + 1
        self.equal(self.run_kernel(body), a + 8)

    def test_behind_a_loop_that_may_not_run(self):
        def body(x: T[...], y: T[...], n: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            last, z = 3, x + 0.0
            for i in pypto.loop(n[0]):
                last = i * 2
                z = x * 3.0
            for _ in pypto.loop(last):
                z = z + 1.0
            y[:] = z
        for count, expected in ((0, matrix() + 3), (1, matrix() * 3), (3, matrix() * 3 + 4)):
            y = torch.zeros(16, 16)
            pypto.jit(body)(matrix(), y, torch.tensor([count], dtype=torch.int32))
            self.equal(y, expected)

    def test_another_shape_in_a_loop_of_one_iteration(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            z = x + 0.0
            for _ in pypto.loop(1):
                z = pypto.reshape(z, [8, 32])
            y[:] = pypto.reshape(z, [16, 16])
        self.equal(self.run_kernel(body), matrix())

    def test_numbers_in_a_loop_of_one_iteration(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            factor, made = 0.5, None
            for _ in pypto.loop(1):
                factor = factor * 4.0
                if made is None:
                    made = x * factor
            y[:] = made + factor
        self.equal(self.run_kernel(body), matrix() * 2 + 2)

    def test_float(self):
        """Python's floats are carried where the iterations are known: each is walked."""
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            factor, total = 1.0, x * 0.0
            for i in pypto.loop(1, 9, 2):
                total = total + x * factor
                if pypto.is_loop_begin(i):
                    total = total + 100.0
                if i > 4:
                    factor = factor * 0.5
                for j in pypto.loop(2):
                    total = total + factor
                    if pypto.is_loop_end(j):
                        total = total + 1.0
            y[:] = total * factor
        factor, total = 1.0, matrix() * 0
        for i in range(1, 9, 2):
            total = total + matrix() * factor + (100.0 if i == 1 else 0.0)
            factor = factor * 0.5 if i > 4 else factor
            total = total + 2 * factor + 1
        self.equal(self.run_kernel(body), total * factor)

    def test_float_of_an_unknown_number_of_iterations(self):
        def body(x: T[...], y: T[...], n: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            factor = 1.0
            for _ in pypto.loop(n[0]):
                y[:] = x * factor
                factor = factor * 2.0

        def last(x: T[...], y: T[...], n: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            factor = 1.0
            for i in pypto.loop(n[0]):
                y[:] = x
                factor = 2.0
            y[:] = x * factor

        def decided(x: T[...], y: T[...], n: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(2):
                if n[0] > i:
                    factor = 2.0
                else:
                    factor = 3.0
            y[:] = x * factor
        y, n = torch.zeros(16, 16), torch.ones(1, dtype=torch.int32)
        for kernel, code, text in ((body, "F00005", "'factor' is 1.0 before the loop"),
                                   (last, "F00003", "'factor' ends the loop as 1.0 or 2.0"),
                                   (decided, "F00003", "'factor' ends the loop as 2.0 or 3.0")):
            with self.subTest(kernel.__name__):
                self.fails(code, text, pypto.jit(kernel), matrix(), y, n)

    def test_none_that_the_body_asks_for(self):
        """PyPTO 9.2 takes the side of None in every iteration."""
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            total = None
            for _ in pypto.loop(3):
                total = x if total is None else total + x
            y[:] = total
        self.fails("F00005", "silently takes the side of the first one", pypto.jit(body), matrix(),
                   torch.zeros(16, 16))

    def test_what_the_last_iteration_binds(self):
        """On either side of a condition, to a name that nothing bound before the loop."""
        def body(x: T[...], y: T[...], n: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            none = None
            for i in pypto.loop(4):
                if i == n[0]:
                    t, k = x + 1.0, i * 2
                    none = x * 3.0
                else:
                    t, k = x * 2.0, 1
                    none = x * 5.0
            y[:] = t + none
            for _ in pypto.loop(k):
                y[:] = y + 1.0
        for n in (0, 3):
            y = torch.zeros(16, 16)
            pypto.jit(body)(matrix(), y, torch.full((1,), n, dtype=torch.int32))
            x = matrix()
            self.equal(y, x + 1 + x * 3 + 6 if n == 3 else x * 2 + x * 5 + 1)

    def test_statements_that_only_this_version_takes_are_told(self):
        def body(x: T[...], y: T[...]):
            def added(t):
                while True:
                    break  # part of a helper: Python always could
                return t + 1.0

            pypto.set_vec_tile_shapes(16, 16)
            count = 0
            while True:
                count += 1
                if count == 3:
                    break
            y[:] = added(x) + float(count)
        before = len(_diagnose.told)
        self.equal(self.run_kernel(body), matrix() + 4)
        told = [line - body.__code__.co_firstlineno
                for _, _, name, _, line in _diagnose.told[before:] if name == "pypto-version"]
        self.assertEqual(told, [] if _version.is_given else [1, 8, 11])

    def test_what_reads_the_old_value_is_told(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            running, fresh = x + 0.0, x + 1.0
            for _ in pypto.loop(2):
                running = running + 1.0
                fresh = x * 2.0
            y[:] = running + fresh
        before = len(_diagnose.told)
        self.equal(self.run_kernel(body), matrix() + 2 + matrix() * 2)
        told = [name for _, _, name, _, _ in _diagnose.told[before:] if name == "carried-state"]
        self.assertEqual(len(told), 0 if _version.is_given else 1)

    def test_conflicts(self):
        def becomes_a_tensor(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            n = 1
            for _ in pypto.loop(2):
                n = x + n * 1.0
            y[:] = n
        self.assertRaises(pypto.error.PyptoError, self.run_kernel, becomes_a_tensor)


class Python(FrontEndTest):
    def test_while_break_and_continue(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            i, z = 0, x + 0.0
            while True:
                i += 1
                if i == 2:
                    continue
                if i > 3:
                    break
                z = z + 1.0
            for k in [5, 6, 7]:
                if k == 6:
                    break
                z = z * 2.0
            y[:] = z
        self.equal(self.run_kernel(body), (matrix() + 2) * 2)

    def test_iterables_functions_and_results(self):
        def body(x: T[...], y: T[...], mode=1) -> None:
            pypto.set_vec_tile_shapes(16, 16)

            def inner(a):
                return [b + float(mode) for b in [a]][0]
            for _, v in {"a": 1.0, "b": 2.0}.items():
                x = inner(x) + v
            for _ in []:
                x = x * 0.0
            y = x * 2.0
        x = matrix()
        self.equal(self.run_kernel(body, x=x), (matrix() + 5) * 2)
        self.equal(x, matrix() + 5)  # what a parameter's name means at the end is its result

    def test_helpers(self):
        def body(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            z = scaled(x, 1) + scaled(x, 5, factor=3.0)
            for i in pypto.loop(4):
                z = added_where(i, z)
            y[:] = z
        self.equal(self.run_kernel(body), matrix() * 5 + 22)

    def test_what_neither_parser_reads(self):
        """Refused where it is reached, in the words of each front end; a helper with it runs as it is."""
        def named(x: T[...], y: T[...]):
            if (n := x.shape[0]) > 3:
                y[:] = x + float(n)

        def inner(x: T[...], y: T[...]):
            y[:] = x + float(len([q for m in (1, 2) if (q := m)]))

        def guarded(x: T[...], y: T[...]):
            with open(__file__):
                y[:] = x

        def yields(x: T[...], y: T[...]):
            y[:] = x
            yield 1
        for body, node in ((named, "NamedExpr"), (inner, "NamedExpr"), (guarded, "With"), (yields, "Yield")):
            with self.subTest(body.__name__):
                self.fails("F0FFFF", "AttributeError: 'Parser' object has no attribute 'visit_%s'" % node,
                           self.run_kernel, body)
                self.fails("F00005", "%s is not supported by the PTO parser" % node, self.run_kernel, body, new_ir=False)

        def helped(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = raised_by_rows(x)
        self.equal(self.run_kernel(helped), matrix() + 16)

    def test_refused(self):
        def breaks(x: T[...], y: T[...]):
            for _ in pypto.loop(3):
                break

        def continues(x: T[...], y: T[...]):
            for _ in pypto.loop(3):
                if x.dim == 2:
                    continue

        def jumps(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                for _ in range(2):
                    if i > 1:
                        break

        def returns(x: T[...], y: T[...]):
            if x.dim == 3:
                return

        def otherwise(x: T[...], y: T[...]):
            for _ in range(3):
                pass
            else:
                pass

        def symbolic(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                while i < 2:
                    pass

        def both(x: T[...], y: T[...]):
            for i in pypto.loop(3):
                if i > 0 and i < 2:
                    y[:] = x

        def endless(x: T[...], y: T[...]):
            while True:
                pass
        for body, text in ((breaks, "break is not supported in pypto.loop"),
                           (continues, "continue is not supported in pypto.loop"),
                           (jumps, "known only when"), (returns, "return statement in entry point"),
                           (otherwise, "for … else"), (symbolic, "Not concrete value."),
                           (both, "Not concrete value."), (endless, "does not end")):
            with self.subTest(body.__name__):
                with self.assertRaises(pypto.error.PyptoError) as caught:
                    self.run_kernel(body)
                self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    main()
