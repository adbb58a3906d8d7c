"""Loops, conditions, paths, and what tensors carry from one iteration to the next."""
from support import F32, KernelTest, front_end_of_9_1, main, matrix, pypto, torch

T = pypto.Tensor
setUpModule, tearDownModule = front_end_of_9_1()
I32 = pypto.DT_INT32


def run(body, rows=16, out=None):
    """x [rows, 16] → y."""
    y = torch.zeros(16, 16) if out is None else out
    pypto.frontend.jit(body)(matrix(rows), y)
    return y


class Loop(KernelTest):
    def test_bounds(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                y[i:i + 1, :] = x[i:i + 1, :] + 1.0
            for i in pypto.loop(4, 6):
                y[i:i + 1, :] = x[i:i + 1, :] + 2.0
            for i in pypto.loop(8, x.shape[0], 3):
                y[i:i + 1, :] = x[i:i + 1, :] + 3.0
        expected = torch.zeros(16, 16)
        for rows, add in ((range(3), 1), (range(4, 6), 2), (range(8, 16, 3), 3)):
            for i in rows:
                expected[i] = matrix()[i] + add
        self.equal(run(body), expected)

    def test_a_symbolic_step(self):
        def body(x: T([pypto.DYN, 16], F32), n: T([1], I32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(0, x.shape[0], n[0]):
                y[i:i + 1, :] = x[i:i + 1, :] + 1.0
        kernel = pypto.frontend.jit(body)
        for step in (1, 5, 16, -1):
            y, expected = torch.zeros(16, 16), torch.zeros(16, 16)
            kernel(matrix(), torch.tensor([step], dtype=torch.int32), y)
            for i in range(0, 16, step):
                expected[i] = matrix()[i] + 1
            self.equal(y, expected)
        self.fails("F00002", "the step of loop", kernel, matrix(),
                   torch.tensor([0], dtype=torch.int32), y)

    def test_the_line_of_an_error_in_the_head(self):
        """It is that of the head, not the last one of the body."""
        def tensor(x: T([16, 16], F32), y: T([16, 16], F32)):
            for row in x:
                y[:] = row
                y[:] = row

        def manager(x: T([16, 16], F32), y: T([16, 16], F32)):
            with pypto.options():
                y[:] = x
                y[:] = x
        for body in (tensor, manager):
            with self.assertRaises(pypto.error.PyptoError) as caught:
                run(body)
            self.assertEqual(caught.exception.lineno, body.__code__.co_firstlineno + 1)

    def test_wrong_bounds(self):
        def real(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3.0):
                pass

        def text(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop("3"):
                pass

        def none(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop():
                pass

        def step(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(0, 3, 0):
                pass

        def flag(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3, parallel="yes"):
                pass
        for body, code in ((real, "F00001"), (text, "F00001"), (none, "F00001"),
                           (step, "F00002"), (flag, "F00001")):
            with self.subTest(body.__name__):
                self.fails(code, "loop()", run, body)

    def test_index_is_symbolic(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3):
                [1, 2, 3][i]
        self.fails("F00001", "TypeError", run, body)

    def test_body_is_walked_once_a_path(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            count = 0
            for i in pypto.loop(10):
                walks.append(str(i))
                count = count + 1
                y[i:i + 1, :] = x[i:i + 1, :] + float(count)
        walks = []
        y = run(body)
        self.assertEqual(len(walks), 1)
        self.equal(y[:10], matrix()[:10] + 1)  # the Python integer does not advance

    def test_no_iteration_is_walked_all_the_same(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(16, x.shape[0]):
                walks.append(i)
                y[0:1, :] = x[0:1, :] + 9.0
        walks = []
        self.equal(run(body), torch.zeros(16, 16))
        self.assertEqual(len(walks), 1)

    def test_names(self):
        def same(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3, idx_name="i"):
                for j in pypto.loop(3, idx_name="i"):
                    pass

        def fine(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3, name="outer", idx_name="i"):
                names.append(str(i))
            for i in pypto.loop(3, idx_name="i"):
                pass
        names = []
        self.assertRaises(pypto.error.PyptoError, run, same)
        run(fine)
        self.assertEqual(names, ["i"])

    def test_parallel_holds_no_other_parallel(self):
        def nested(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3, parallel=True):
                for j in pypto.loop(3, parallel=True):
                    pass
        self.assertRaises(pypto.error.PyptoError, run, nested)

    def test_left_early(self):
        def walk(n):
            for i in pypto.loop(n):
                break

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            walk(3)
            y[:] = x + 1.0
        self.fails("F00003", "left before its end", run, body)

    def test_badly_nested(self):
        def walk():
            for i, j in zip(pypto.loop(3), pypto.loop(4)):
                pass

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            walk()
        self.fails("F00003", "nested", run, body)

    def test_outside_of_kernels(self):
        self.fails("F00003", "RuntimeError", pypto.loop, 3)
        self.fails("F00003", "RuntimeError", pypto.is_loop_begin, 3)


class Unroll(KernelTest):
    def test_unroll_list_computes_the_same(self):
        for factors in ([8, 4], [4], [3, 2, 1], [5]):
            def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                total = pypto.full([1, 16], 0.0, F32)
                for i in pypto.loop(0, x.shape[0], 2, unroll_list=factors):
                    walks.append(str(i))
                    if pypto.is_loop_begin(i):
                        total[:] = x[i:i + 1, :] * 10.0
                    else:
                        total[:] = total + x[i:i + 1, :]
                    if pypto.is_loop_end(i):
                        y[0:1, :] = total * 2.0
            for rows in (16, 21, 2):
                walks = []
                y = run(body, rows)
                expected = matrix(rows)[0] * 10
                for i in range(2, rows, 2):
                    expected = expected + matrix(rows)[i]
                self.equal(y[0], expected * 2)

    def test_loop_unroll(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            total = pypto.full([1, 16], 0.0, F32)
            for i, factor in pypto.loop_unroll(0, x.shape[0], unroll_list=[2, 8, 2]):
                factors.append(factor)
                for j in range(factor):
                    total[:] = total + x[i + j:i + j + 1, :]
                if pypto.is_loop_end(i):
                    y[0:1, :] = total
        factors = []
        kernel = pypto.frontend.jit(body)
        for rows in (1, 7, 8, 19):
            y = torch.zeros(16, 16)
            kernel(matrix(rows), y)
            self.assertEqual(factors, [8, 8, 2, 2, 1, 1])  # two paths each, walked once for all
            expected = torch.zeros(16)
            for i in range(rows):
                expected = expected + matrix(rows)[i]
            self.equal(y[0], expected)

    def test_wrong_lists(self):
        for given in ([0], ["a"], 4, [2.0], {-1}):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                for i in pypto.loop(3, unroll_list=given):
                    pass
            self.assertRaises(pypto.error.PyptoError, run, body)

    def test_too_large_a_factor(self):
        for loop in (pypto.loop, pypto.loop_unroll):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                for i in loop(3, unroll_list=[2, 4097]):
                    pass
            with self.assertRaises(pypto.error.PyptoError) as caught:
                run(body)
            self.assertIn("'unroll_list' has 4097; the simulator unrolls 4096 times at most",
                          str(caught.exception))


class Conditions(KernelTest):
    def test_independent_conditions_make_four_paths(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(4):
                t = x[i:i + 1, :] + 0.0
                if i < 2:
                    t = t + 10.0
                if i % 2 == 0:
                    t = t + 100.0
                walks.append(1)
                y[i:i + 1, :] = t
        walks = []
        y = run(body)
        self.assertEqual(len(walks), 4)
        self.equal(y[:4], matrix()[:4] + torch.tensor([[110.0], [10.0], [100.0], [0.0]]))

    def test_edges(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(1, 12, 4):  # 1, 5, 9
                if pypto.is_loop_begin(i):
                    y[i:i + 1, :] = x[i:i + 1, :] + 1.0
                elif pypto.is_loop_end(i):
                    y[i:i + 1, :] = x[i:i + 1, :] + 3.0
                else:
                    y[i:i + 1, :] = x[i:i + 1, :] + 2.0
        expected = torch.zeros(16, 16)
        for i, add in ((1, 1), (5, 2), (9, 3)):
            expected[i] = matrix()[i] + add
        self.equal(run(body), expected)

    def test_edges_want_a_loop_index(self):
        def expression(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3):
                if pypto.is_loop_begin(i + 1):
                    pass

        def number(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3):
                if pypto.is_loop_end(2):
                    pass
        self.fails("F00002", "not loop index", run, expression)
        self.fails("F00002", "not loop index", run, number)

    def test_cond_in_undecorated_code(self):
        def sign(i):
            if pypto.cond(i < 2):
                return 1.0
            return -1.0

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(4):
                y[i:i + 1, :] = x[i:i + 1, :] * sign(i)
        y = run(body)
        self.equal(y[:4], matrix()[:4] * torch.tensor([[1.0], [1.0], [-1.0], [-1.0]]))

    def test_too_many_paths(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(4):
                for bit in range(14):
                    if i + bit < x.shape[0]:
                        pass
        self.assertRaises(pypto.error.PyptoError, run, body)

    def test_bodies_must_repeat_themselves(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            calls.append(1)
            t = x[0:16, :] + float(len(calls))
            if x.shape[0] > 3:
                y[:] = t
        calls = []
        with self.assertRaisesRegex(pypto.error.PyptoError, "not deterministic"):
            run(body)


class State(KernelTest):
    def test_writing_carries_state(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            total = pypto.full([1, 16], 1.0, F32)
            for i in pypto.loop(16):
                total[:] = total + x[i:i + 1, :]
                y[i:i + 1, :] = total
        expected = torch.ones(16, 16)
        for i in range(16):
            expected[i] = (expected[i - 1] if i else 1) + matrix()[i]
        self.equal(run(body), expected)

    def test_rebinding_does_not(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            total = pypto.full([1, 16], 1.0, F32)
            for i in pypto.loop(16):
                total = total + x[i:i + 1, :]
                y[i:i + 1, :] = total
        self.equal(run(body), matrix() + 1)

    def test_paths_start_with_the_names_of_before_the_loop(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            row = x[0:1, :]
            for i in pypto.loop(4):
                for k in range(2):  # an unrolled loop is no path: it goes on from where it was
                    row = row + 1.0
                if i == 0:
                    row = row * 10.0
                y[i:i + 1, :] = row
        first = matrix()[0] + 2.0
        expected = torch.zeros(16, 16)
        expected[0], expected[1:4] = first * 10.0, first
        self.equal(run(body), expected)

    def test_what_looks_carried_is_told(self):
        def told(body):
            with self.assertLogs("pypto", "WARNING") as log:
                run(body)
            return " ".join(log.output)

        def tensor(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            total = pypto.full([1, 16], 1.0, F32)
            for i in pypto.loop(16):
                total = total + x[i:i + 1, :]
                y[i:i + 1, :] = total

        def number(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            count = 0
            for i in pypto.loop(16):
                if i > 3:
                    count += 1
                y[i:i + 1, :] = x[i:i + 1, :] + float(count)

        def fine(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = 0
            for k in range(3):
                n += k
            for i in pypto.loop(16):
                t = x[i:i + 1, :] + float(n)
                t = t + 1.0
                m = 0
                for k in range(3):
                    m += k
                y[i:i + 1, :] = t + float(m)
        self.assertIn("'total' is bound to a new tensor", told(tensor))
        self.assertIn("'count' is computed once", told(number))
        if hasattr(self, "assertNoLogs"):
            with self.assertNoLogs("pypto", "WARNING"):
                self.equal(run(fine), matrix() + 7)

    def test_reverse_order(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            last = pypto.tensor([1, 16], F32)
            for i in pypto.loop(16):
                k = 15 - i
                if pypto.is_loop_begin(i):
                    last[:] = x[k:k + 1, :] + 0.0
                else:
                    last[:] = last * 0.5 + x[k:k + 1, :]
                y[k:k + 1, :] = last
        expected = matrix()
        for k in range(14, -1, -1):
            expected[k] = expected[k + 1] * 0.5 + matrix()[k]
        self.equal(run(body), expected)

    def test_move_takes_shape_and_dtype(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.tensor([16, 16], F32)
            t[:] = pypto.cast(x[0:4, 0:8], pypto.DT_INT32)
            found.append((t.shape, t.dtype))
            y[0:4, 0:8] = pypto.cast(t, F32)
        found = []
        expected = torch.zeros(16, 16)
        expected[:4, :8] = matrix()[:4, :8].trunc()
        self.equal(run(body), expected)
        self.assertEqual(found, [([4, 8], I32)])

    def test_a_parameters_memory_gets_the_leading_part(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x[0:4, :] + 1.0
            found.append(y.shape)
        found = []
        expected = torch.zeros(16, 16)
        expected[:4] = matrix()[:4] + 1
        self.equal(run(body), expected)
        self.assertEqual(found, [[4, 16]])

    def test_moving_nothing_empties(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = x + 1.0
            t[:] = pypto.tensor([16, 16], F32)
            y[:] = t + 1.0
        self.fails("F74007", "WORKSPACE_ITER_INVALID", run, body)

    def test_reading_what_was_never_written(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.tensor([16, 16], F32)
            y[:] = t + x
        self.fails("F74007", "WORKSPACE_ITER_INVALID", run, body)

    def test_assemble_keeps_the_rest(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            t = pypto.full([16, 16], 7.0, F32)
            pypto.assemble(x[0:2, 0:8] + 0.0, [3, 8], t)
            y[:] = t
        expected = torch.full((16, 16), 7.0)
        expected[3:5, 8:16] = matrix()[:2, :8]
        self.equal(run(body), expected)

    def test_nested_loops_with_state(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            best = pypto.full([1, 16], 0.0, F32)
            for i in pypto.loop(0, x.shape[0], 4):
                row = pypto.full([1, 16], 0.0, F32)
                for j in pypto.loop(i, pypto.min(i + 4, x.shape[0])):
                    row[:] = row + x[j:j + 1, :]
                best[:] = pypto.maximum(best, row)
            y[0:1, :] = best
        y = run(body, 10)
        x = matrix(10)
        rows = [(x[i] + x[i + 1]) + x[i + 2] + x[i + 3] if i < 8 else x[8] + x[9]
                for i in (0, 4, 8)]
        self.equal(y[0], torch.stack(rows).amax(0))


if __name__ == "__main__":
    main()
