"""How Python is treated inside a kernel's body."""
import sys

from support import F32, KernelTest, front_end_of_9_1, main, matrix, pypto, torch

T = pypto.Tensor
setUpModule, tearDownModule = front_end_of_9_1()
OUTSIDE = 4


def run(body, *extra, x=None):
    """Runs the body as a kernel over x → y; gives y."""
    y = torch.zeros(16, 16)
    pypto.frontend.jit(body)(matrix() if x is None else x, y, *extra)
    return y


class Assignments(KernelTest):
    def test_allowed_forms(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            a, b = x + 1.0, x + 2.0
            [c, d] = (a, b)
            e: int = 3
            e += 1
            f: float
            a += b
            del b
            assert e == 4
            table = [0, 0]
            table[1] = 5
            table[1] += 1
            pass
            y[:] = a + c + d + float(table[1])
        self.equal(run(body), (matrix() + 1) + (matrix() + 2) + (matrix() + 1) + (matrix() + 2) + 6)

    def test_parameters_cannot_be_rebound(self):
        def plain(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y = x + 1.0  # noqa: F841

        def augmented(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y += x

        def unpacked(x: T([16, 16], F32), y: T([16, 16], F32)):
            a, y = 1, 2  # noqa: F841

        def annotated(x: T([16, 16], F32), y: T([16, 16], F32)):
            y: int = 3  # noqa: F841

        def looped(x: T([16, 16], F32), y: T([16, 16], F32)):
            for y in pypto.loop(3):
                pass
        for body in (plain, augmented, unpacked, annotated, looped):
            with self.subTest(body.__name__):
                self.fails("F00002", "Input tensor 'y' cannot be reassigned.", run, body)

    def test_rebinding_another_parameter_is_allowed(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32), n):
            pypto.set_vec_tile_shapes(16, 16)
            n = n + 1
            y[:] = x * float(n)
        self.equal(run(body, 2), matrix() * 3)

    def test_assignment_names_tensors(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            total = x + 1.0
            names.append(total.name)
            p, q = x + 1.0, x + 2.0
            names.extend([p.name, q.name, x.name])
            y[:] = total
        names = []
        run(body)
        self.assertEqual(names, ["total", "p", "q", "x"])

    def test_augmented_assignment_of_a_tensor_makes_a_new_one(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            a = x + 0.0
            b = a
            a += x
            y[:] = b
        self.equal(run(body), matrix())

    def test_augmented_whole_subscript(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
            y[:] += x
        self.equal(run(body), (matrix() + 1) + matrix())

    def test_augmented_slice_is_a_cycle(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[0:8, :] += x[0:8, :]
        self.fails("F21009", "OP_DEPENDENCY_CYCLE", run, body)

    def test_unsupported_targets(self):
        def several(x: T([16, 16], F32), y: T([16, 16], F32)):
            a = b = 3  # noqa: F841

        def starred(x: T([16, 16], F32), y: T([16, 16], F32)):
            a, *b = 1, 2, 3  # noqa: F841

        def attribute(x: T([16, 16], F32), y: T([16, 16], F32)):
            holder.name = 3
        holder = type("Holder", (), {})()
        for body in (several, starred, attribute):
            with self.subTest(body.__name__):
                self.fails("F00005", "is not supported by the PTO parser yet", run, body)


class Tests(KernelTest):
    def test_python_conditions_take_one_side(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            if OUTSIDE > 3:
                y[:] = x + 1.0
            elif True:
                undefined_name()  # noqa: F821
            else:
                raise ValueError("never reached")
        self.equal(run(body), matrix() + 1)

    def test_other_types_are_no_condition(self):
        def number(x: T([16, 16], F32), y: T([16, 16], F32)):
            if OUTSIDE:
                pass

        def tensor(x: T([16, 16], F32), y: T([16, 16], F32)):
            if x:
                pass

        def nothing(x: T([16, 16], F32), y: T([16, 16], F32)):
            if None:
                pass
        for body in (number, tensor, nothing):
            with self.subTest(body.__name__):
                self.fails("F00001", "Test condition must be a symbolic scalar or boolean",
                           run, body)

    def test_symbolic_condition_records_both_sides(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            if x.shape[0] > 16:
                sides.append("then")
                y[:] = x[16:32, :] + 0.0
            else:
                sides.append("else")
                y[:] = x[0:16, :] + 0.0
        sides = []
        kernel = pypto.frontend.jit(body)
        y = torch.zeros(16, 16)
        kernel(matrix(16), y)
        self.equal(y, matrix(16))
        kernel(matrix(32), y)
        self.equal(y, matrix(32)[16:])
        self.assertEqual(sorted(sides), ["else", "then"])

    def test_operators_of_python_need_known_values(self):
        def both(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            if x.shape[0] > 3 and x.shape[0] < 9:
                pass

        def either(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            a = x.shape[0] or 3  # noqa: F841

        def negated(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            a = not x.shape[0]  # noqa: F841

        def choice(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            a = 1 if x.shape[0] > 3 else 2  # noqa: F841

        def asserted(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            assert x.shape[0] > 3

        def chained(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            a = 3 < x.shape[0] < 9  # noqa: F841
        for body in (both, either, negated, choice, asserted, chained):
            with self.subTest(body.__name__):
                self.fails("F00002", "Not concrete value.", run, body)

    def test_undecorated_code_needs_cond(self):
        def branch(n):
            if n > 3:
                return 1.0
            return 2.0

        def cond_branch(n):
            if pypto.cond(n > 3):
                return 1.0
            return 2.0

        def wrong(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            branch(x.shape[0])

        def right(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x[0:16, :] + cond_branch(x.shape[0])
        self.fails("F00002", "Not concrete value.", run, wrong)
        self.equal(run(right), matrix() + 1)


class Loops(KernelTest):
    def test_unrolled(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 0.0
            for i in range(3):
                t = t + float(i)
            for i in (10, 20):
                t = t + float(i)
            for a in [100]:
                t = t + float(a)
            y[:] = t
        self.equal(run(body), matrix() + 133)

    def test_symbolic_range(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            for i in range(x.shape[0]):
                pass
        self.fails("F00001", "range() not support symbolic scalar yet, try use pypto.loop",
                   run, body)

    def test_lists(self):
        def empty(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in []:
                pass

        def pairs(x: T([16, 16], F32), y: T([16, 16], F32)):
            for a, b in [(1, 2), (3, 4)]:
                seen.append(a + b)

        def three(x: T([16, 16], F32), y: T([16, 16], F32)):
            for a, b in [(1, 2), (3, 4), (5, 6)]:
                pass

        def other(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in {1: 2}:
                pass

        def numbered(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i, j in enumerate([1, 2]):
                pass
        seen = []
        self.fails("F00002", "empty", run, empty)
        run(pairs)
        self.assertEqual(seen, [3, 7])
        self.fails("F00002", "targets", run, three)
        self.fails("F00001", "TypeError", run, other)
        self.fails("F00001", "TypeError", run, numbered)


class Rejected(KernelTest):
    def test_when_reached(self):
        def for_else(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in range(3):
                pass
            else:
                pass

        def with_(x: T([16, 16], F32), y: T([16, 16], F32)):
            with pypto.options():
                pass

        def try_(x: T([16, 16], F32), y: T([16, 16], F32)):
            try:
                pass
            except ValueError:
                pass

        def raise_(x: T([16, 16], F32), y: T([16, 16], F32)):
            raise ValueError("x")

        def import_(x: T([16, 16], F32), y: T([16, 16], F32)):
            import math  # noqa: F401

        def from_(x: T([16, 16], F32), y: T([16, 16], F32)):
            from math import pi  # noqa: F401

        def break_(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in range(3):
                break

        def continue_(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in range(3):
                continue

        def def_(x: T([16, 16], F32), y: T([16, 16], F32)):
            def inner():
                pass

        def class_(x: T([16, 16], F32), y: T([16, 16], F32)):
            class Inner:
                pass

        def global_(x: T([16, 16], F32), y: T([16, 16], F32)):
            global OUTSIDE
            OUTSIDE = 4
        for body in (for_else, with_, try_, raise_, import_, from_, break_, continue_, def_,
                     class_, global_):
            with self.subTest(body.__name__):
                error = self.fails("F00005", "is not supported by the PTO parser yet", run, body)
                self.assertIn("Failed to compile function '%s'." % body.__name__, str(error))
                self.assertIn("test_python_subset.py", str(error))
                self.assertIn("^", str(error))

    def test_harmless_when_not_reached(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            if OUTSIDE > 100:
                raise ValueError("x")
            y[:] = x + 1.0
        self.equal(run(body), matrix() + 1)

    def test_even_when_not_reached(self):
        def while_(x: T([16, 16], F32), y: T([16, 16], F32)):
            if OUTSIDE > 100:
                while True:
                    pass

        def return_(x: T([16, 16], F32), y: T([16, 16], F32)):
            if OUTSIDE > 100:
                return
        self.fails("F00005", "While", run, while_)
        self.fails("F00002", "Return statements are not allowed.", run, return_)

    def test_unsafe_expressions(self):
        def call(x: T([16, 16], F32), y: T([16, 16], F32)):
            a = eval("1")  # noqa: F841

        def attribute(x: T([16, 16], F32), y: T([16, 16], F32)):
            a = x.__class__  # noqa: F841

        def opened(x: T([16, 16], F32), y: T([16, 16], F32)):
            if open("/dev/null"):
                pass
        for body in (call, attribute, opened):
            with self.subTest(body.__name__):
                with self.assertRaisesRegex(pypto.error.PyptoError,
                                            "Expression contains unsafe operations"):
                    run(body)


class Expressions(KernelTest):
    def test_min_and_max(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = x.shape[0]
            least = min(n, 4)
            found.extend([str(least), min(3, 4), max([1, 9]), max(2, 3, 4)])
            for i in pypto.loop(max(n, 2) - max(n, 2) + least):
                y[i:i + 1, :] = x[i:i + 1, :] + 1.0
        found = []
        y = run(body)
        self.assertEqual(found[1:], [3, 9, 4])
        self.assertIn("RUNTIME_Min(", found[0])
        expected = torch.zeros(16, 16)
        expected[:4] = matrix()[:4] + 1
        self.equal(y, expected)

    def test_min_outside_of_bodies_is_pythons(self):
        def helper(n):
            return min(n, 4)

        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            helper(x.shape[0])
        self.fails("F00002", "Not concrete value.", run, body)

    def test_known_scalars_are_integers(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = pypto.SymbolicScalar(2)
            y[:] = x + [1.0, 2.0, 3.0][n]
        self.equal(run(body), matrix() + 3)

    def test_comprehensions_do_not_see_locals(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            factor = 2.0
            a = [factor * i for i in range(3)]  # noqa: F841

        def outer_iterable(x: T([16, 16], F32), y: T([16, 16], F32)):
            numbers = [1, 2]
            found.extend([n * OUTSIDE for n in numbers])

        def through_lambda(x: T([16, 16], F32), y: T([16, 16], F32)):
            factor = 2.0
            (lambda v: v * factor)(3)
        found = []
        if sys.version_info < (3, 12):
            self.fails("F00004", "name 'factor' is not defined", run, body)
        self.fails("F00004", "name 'factor' is not defined", run, through_lambda)
        run(outer_iterable)
        self.assertEqual(found, [4, 8])

    def test_python_values_pass_through(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            text = f"{OUTSIDE}-{x.dim}"
            found.append(text)
            rows, columns = x.shape
            found.append((rows, columns, 3 < OUTSIDE < 5, {"a": 1}["a"], [1, 2, 3][1:]))
            y[:] = x + 0.0
        found = []
        run(body)
        self.assertEqual(found, ["4-2", (16, 16, True, 1, [2, 3])])

    def test_errors_of_python_carry_codes(self):
        def name(x: T([16, 16], F32), y: T([16, 16], F32)):
            undefined_name  # noqa: F821, B018

        def key(x: T([16, 16], F32), y: T([16, 16], F32)):
            {}["k"]

        def index(x: T([16, 16], F32), y: T([16, 16], F32)):
            [][3]

        def type_(x: T([16, 16], F32), y: T([16, 16], F32)):
            1 + "a"

        def value(x: T([16, 16], F32), y: T([16, 16], F32)):
            int("a")

        def zero(x: T([16, 16], F32), y: T([16, 16], F32)):
            1 / 0
        for body, code, kind in ((name, "F00004", "NameError"), (key, "F00006", "KeyError"),
                                 (index, "F00008", "IndexError"), (type_, "F00001", "TypeError"),
                                 (value, "F00002", "ValueError"),
                                 (zero, "F0FFFF", "ZeroDivisionError")):
            with self.subTest(body.__name__):
                self.fails(code, "ErrCode: %s, %s: " % (code, kind), run, body)

    def test_place_and_facts_are_shown(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            wide = pypto.view(x, [16, 8], [0, 0])
            y[:] = x + wide
        error = self.fails("FC0000", "CHECK FAILED: ErrCode: FC0000! Enum: ", run, body)
        text = str(error)
        self.assertIn("    y[:] = x + wide\n", text)
        self.assertIn("wide: DataType.DT_FP32 [16, 8]", text)
        self.assertIn("x: DataType.DT_FP32 [16, 16]", text)
        self.assertEqual(error.filename, __file__)
        if sys.version_info >= (3, 11):
            self.assertIn("\n           ^^^^^^^^\n", text)


if __name__ == "__main__":
    main()
