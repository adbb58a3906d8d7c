"""SymbolicScalar: arithmetic, queries, element reads, values at run time."""
from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
S = pypto.SymbolicScalar


class Constants(KernelTest):
    def test_constructors(self):
        self.assertEqual(int(S(7)), 7)
        self.assertTrue(S("n").is_symbol())
        self.assertTrue(S("n", 5).is_concrete())
        self.assertEqual(S("n", 5).concrete(), 5)
        self.assertEqual(str(S(S("n"))), "n")
        for wrong in (1.5, None, [1]):
            self.fails("F00001", "TypeError", S, wrong)
        self.fails("F00002", "64 bits", S, 2 ** 63)
        self.assertIs(pypto.symbolic_scalar, pypto.SymbolicScalar)

    def test_and_or_of_conditions(self):
        for a in (0, 1, 5):
            for b in (0, 1, -3):
                self.assertEqual(int(S(a) & b), int(bool(a and b)), (a, b))
                self.assertEqual(int(a | S(b)), int(bool(a or b)), (a, b))
                self.assertEqual(int((S(a) > 0) & (S(b) < 0)), int(a > 0 and b < 0), (a, b))
        self.assertRaises(TypeError, lambda: S(1) & 1.5)

    def test_check(self):
        unknown = S("n") > 3
        self.assertIs(unknown.check(), pypto.SatStatus.UNKNOWN)
        self.assertIs(unknown.check([S(0)]), pypto.SatStatus.UNSAT)
        self.assertIs(S(1).check([S(2)]), pypto.SatStatus.SAT)

    def test_division_truncates(self):
        # Python's // and % round down; here both go towards zero.
        self.assertEqual(int(S(-7) // 2), -3)
        self.assertEqual(int(S(-7) / 2), -3)
        self.assertEqual(int(S(-7) % 2), -1)
        self.assertEqual(int(7 // S(-2)), -3)
        self.assertEqual(int(7 % S(-2)), 1)
        self.assertRaises(pypto.error.PyptoError, lambda: S(1) // 0)

    def test_arithmetic(self):
        self.assertEqual(int(3 + S(4) * 5 - 1), 22)
        self.assertEqual(int(10 - S(4)), 6)
        self.assertEqual(int(-S(4)), -4)
        self.assertEqual(int(+S(4)), 4)
        self.assertEqual([int(S(3) < 4), int(S(3) >= 4), int(S(3) == 3), int(S(3) != 3)],
                         [1, 0, 1, 0])
        self.assertEqual([int(~S(0)), int(~S(5))], [1, 0])
        self.assertEqual([int(S(3).min(9)), int(S(3).max(9)), int(pypto.min(S(1), 2)),
                          int(pypto.max(1, S(2)))], [3, 9, 1, 2])
        self.assertRaises(TypeError, lambda: S(3) + "a")
        self.assertRaises(TypeError, lambda: S(3) * 1.5)
        self.assertRaises(pypto.error.PyptoError, lambda: S(2 ** 62) * 4)

    def test_what_it_is_not(self):
        self.assertRaises(TypeError, hash, S(3))
        self.assertRaises(TypeError, lambda: [1, 2][S(1)])
        self.fails("F00002", "Not concrete value.", bool, S("n"))
        self.fails("F00002", "Not concrete value.", int, S("n") + 1)
        self.assertTrue(bool(S(3)))

    def test_queries(self):
        n = S("n")
        self.assertEqual([n.is_concrete(), n.is_immediate(), n.is_symbol(), n.is_expression()],
                         [False, False, True, False])
        e = n * 2
        self.assertEqual([e.is_concrete(), e.is_immediate(), e.is_symbol(), e.is_expression()],
                         [False, False, False, True])
        self.assertEqual([S(3).is_concrete(), S(3).is_immediate(), S(3).is_symbol()],
                         [True, True, False])
        self.assertIsInstance(e.simplify(), S)
        e.as_variable()


class Text(KernelTest):
    """The product's grammar: as written, one pair of parentheses a node, no blanks."""

    def test_grammar(self):
        a, b = S("a"), S("b")
        for value, text in (
                (a, "a"), (S(7), "7"), (a + b, "(a+b)"), (a + b + S("c"), "((a+b)+c)"),
                (1 + a + 2, "(a+3)"), (3 + a, "(a+3)"), (a - 1, "(a-1)"), (1 - a, "(1-a)"),
                (2 * a, "(2*a)"), (a / b, "(a/b)"), (a // b, "(a/b)"), (a % 4, "(a%4)"),
                (-a, "(-a)"), (~a, "(!a)"), ((b >= 2) * (b < 8), "((b>=2)*(b<8))"),
                (a == b, "RUNTIME_Eq(a, b)"), (a != 3, "RUNTIME_Ne(a, 3)"),
                (2 <= b, "(b>=2)"), (a > b, "(a>b)"), (a <= b, "(a<=b)"),
                (a.min(b), "RUNTIME_Min(a, b)"), (pypto.max(a, 0), "RUNTIME_Max(a, 0)"),
                (a.min(b).min(5), "RUNTIME_Min(a, RUNTIME_Min(b, 5))"),
                ((a + 1) * 16 - a * 16, "(((a+1)*16)-(a*16))"), (S(2) * 3 + 1, "7")):
            self.assertEqual((str(value), repr(value)), (text, text))

    def test_queries_follow_the_text(self):
        a = S("a")
        known = S(3) < 4
        self.assertEqual((known.is_immediate(), known.is_concrete(), str(known)),
                         (True, True, "1"))
        difference = (a + 1) * 16 - a * 16  # known, but written as an expression
        self.assertEqual((difference.is_expression(), difference.concrete()), (True, 16))
        self.assertEqual(int(S(-7) // 2), -3)
        self.assertEqual(str(S(-7) % 2), "-1")

    def test_of_what_the_core_made(self):
        texts = []

        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = x.shape[0]
            for i in pypto.loop(2, name="L", idx_name="i"):
                part = x[i * 4:i * 4 + 4, :]
                texts.append((str(n), str(i), str(n + 1), str(part.valid_shape[0])))
                y[i * 4:i * 4 + 4, :] = part + 1.0
        pypto.frontend.jit(body)(matrix(), torch.zeros(16, 16))
        n, i, after, valid = texts[0]
        self.assertEqual(after, "(%s+1)" % n)
        self.assertTrue(valid.startswith("RUNTIME_M"), valid)
        self.assertNotIn(" - ", valid)
        self.assertEqual(valid.count("("), valid.count(")"))

    def test_deep_expressions(self):
        value = S("a")
        for k in range(5000):
            value = value * 2 if k % 2 else value + S("b")
            value = value % 1000003
        self.assertIsInstance(str(value), str)

    def test_empty(self):
        empty = S()
        self.assertEqual([empty.is_concrete(), empty.is_symbol(), empty.is_expression(),
                          empty.is_immediate(), str(empty)], [False] * 4 + [""])
        self.fails("F00002", "empty", lambda: empty + 1)
        self.fails("F00002", "empty", lambda: 1 - empty)
        self.fails("F00002", "Not concrete value.", int, empty)


class Identities(KernelTest):
    def test_polynomials_cancel(self):
        i, n, t = S("i"), S("n"), 16
        for expression, value in (((i + 1) * t - i * t, 16), ((i + n) * (i - n) - i * i + n * n, 0),
                                  (2 * (i + 3) - i - i, 6), ((i * 4 + 8) // 4 - i, 2),
                                  ((i + 5).min(i + 2) - i, 2), ((i + 5).max(i + 2) - i, 5)):
            self.assertTrue(expression.is_concrete(), str(expression))
            self.assertEqual(expression.concrete(), value)


class AtRunTime(KernelTest):
    def test_expressions_are_evaluated(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = x.shape[0]
            for i in pypto.loop((n + 3) // 4):
                k = pypto.min(i * 4 + 3, n - 1) % n
                y[i:i + 1, :] = x[k:k + 1, :] + 1.0
        y = torch.zeros(16, 16)
        pypto.frontend.jit(body)(matrix(10), y)
        expected = torch.zeros(16, 16)
        for i, k in enumerate((3, 7, 9)):
            expected[i] = matrix(10)[k] + 1
        self.equal(y, expected)

    def test_unbound_symbols_are_zero(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            if pypto.SymbolicScalar("never_bound_anywhere") > 0:
                y[:] = x + 1.0
            else:
                y[:] = x + 2.0
        y = torch.zeros(16, 16)
        pypto.frontend.jit(body)(matrix(), y)
        self.equal(y, matrix() + 2)

    def test_element_reads(self):
        def body(index: T([2, 4], pypto.DT_INT32), x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                k = index[1, i + 1]
                y[i:i + 1, :] = x[k:k + 1, :] + 1.0
                if index[0, i] > 5:
                    y[i + 8:i + 9, :] = x[0:1, :] + 5.0
            last = index[1, -1]
            y[3:4, :] = x[last:last + 1, :] + 2.0
        index = torch.tensor([[9, 0, 7, 0], [1, 5, 3, 11]], dtype=torch.int32)
        y = torch.zeros(16, 16)
        pypto.frontend.jit(body)(index, matrix(), y)
        expected = torch.zeros(16, 16)
        for i in range(3):
            expected[i] = matrix()[index[1, i + 1]] + 1
        expected[3] = matrix()[11] + 2
        expected[8] = expected[10] = matrix()[0] + 5
        self.equal(y, expected)

    def test_element_reads_of_floats(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            x[0, 0]
        self.assertRaises(pypto.error.PyptoError, pypto.frontend.jit(body), matrix(), matrix())

    def test_division_by_zero_at_run_time(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            k = 5 // (x.shape[0] - 16)
            y[k:k + 1, :] = x[0:1, :] + 1.0
        self.fails("F00002", "zero", pypto.frontend.jit(body), matrix(), matrix())


if __name__ == "__main__":
    main()
