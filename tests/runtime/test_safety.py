"""No kernel can take the interpreter down: each mistake is a Python exception."""
import copy
import gc
import os
import pickle
import signal
import tempfile
import threading
import time
import warnings

import numpy

from support import F32, KernelTest, main, matrix, pypto, torch

T = pypto.Tensor
I32 = pypto.DT_INT32


def run(body, *arguments):
    """x → y over 16×16, or over the given tensors."""
    y = torch.zeros(16, 16)
    pypto.frontend.jit(body)(*(arguments or (matrix(), y)))
    return y


class Misuse(KernelTest):
    def test_wrong_types_everywhere(self):
        things = (None, "text", 3.5, [1], {}, float("nan"), 2 ** 70, -1, torch.ones(2), int)

        names = [name for name in pypto.operation.__all__ if name not in ("op_wrapper",)]
        reached = 0
        for name in names:
            function = getattr(pypto, name)
            for thing in things:
                def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                    pypto.set_vec_tile_shapes(16, 16)
                    for arguments in [(thing,), (x, thing), (thing, x), (x, x, thing),
                                      (x, thing, thing), (x, thing, x, thing)]:
                        attempt(function, arguments)

                def attempt(called, arguments):
                    nonlocal reached
                    try:
                        called(*arguments)
                    except Exception:
                        reached += 1
                try:
                    pypto.frontend.jit(body).compile([matrix(), matrix()])
                except pypto.error.PyptoError:
                    pass
        self.assertGreater(reached, 3000)

    def test_huge_sizes(self):
        for size in (2 ** 31, 2 ** 62, 2 ** 63 - 1, 2 ** 70, -5):
            def full(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                y[:] = pypto.full([size, 16], 1.0, F32)

            def declared(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                t = pypto.tensor([size, size], F32)
                pypto.assemble(x + 0.0, [0, 0], t)
                y[:] = t[0:16, 0:16] + 1.0
            with self.subTest(size):
                with self.assertRaises((pypto.error.PyptoError, MemoryError)):
                    run(full)
                with self.assertRaises((pypto.error.PyptoError, MemoryError)):
                    run(declared)

    def test_offsets_far_away(self):
        for offset in (2 ** 40, 2 ** 63 - 1, -2 ** 63, -1):
            def body(x: T([16, 16], F32), y: T([16, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                pypto.assemble(x + 0.0, [offset, 0], y)
            with self.subTest(offset):
                self.assertRaises(pypto.error.PyptoError, run, body)

    def test_recursion(self):
        def deeper(n):
            return deeper(n + 1)

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            deeper(0)
        self.fails("F00003", "RecursionError", run, body)

        @pypto.frontend.function
        def itself(x: T([16, 16], F32)):
            itself(x)

        def inline(x: T([16, 16], F32), y: T([16, 16], F32)):
            itself(x)
        self.fails("F00003", "", run, inline)

        def wide(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            n = pypto.SymbolicScalar("n")
            for i in range(20000):
                n = n * 3 + i
            y[:] = x + 1.0
        try:
            run(wide)
        except pypto.error.PyptoError:
            pass  # beyond 64 bits

    def test_deep_loops(self):
        def nest(depth):
            if depth:
                for i in pypto.loop(2):
                    nest(depth - 1)

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            nest(200)
        self.assertRaises(pypto.error.PyptoError, run, body)

    def test_endless_trips(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(2 ** 62):
                for j in pypto.loop(2 ** 62):
                    y[:] = x + 1.0
        started = time.monotonic()
        stop = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
        stop.start()
        try:
            with self.assertRaises((KeyboardInterrupt, pypto.error.PyptoError)):
                run(body)
            self.assertLess(time.monotonic() - started, 30)
        finally:
            stop.cancel()

    def test_host_tensors(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
        kernel = pypto.frontend.jit(body)
        y = torch.zeros(16, 16)
        for wrong in (matrix().t(), matrix(32)[::2], matrix()[:1].expand(16, 16),
                      matrix().to_sparse(), torch.zeros(16, 16, device="meta"), None, 3,
                      [[1.0] * 16] * 16, matrix().numpy()):
            self.assertRaises(pypto.error.PyptoError, kernel, wrong, y)
        kernel(torch.zeros(16, 16, requires_grad=True), y)
        self.equal(y, torch.ones(16, 16))

    def test_rank_beyond_the_limit(self):
        def body(x: T()):
            pass
        self.assertRaises(pypto.error.PyptoError, pypto.frontend.jit(body),
                          torch.zeros(1, 1, 1, 1, 1, 1, 1))

    def test_empty_tensors(self):
        def body(x: T([pypto.DYN, 16], F32), y: T([pypto.DYN, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(0, x.shape[0], 16):
                y[i:i + 16, :] = x[i:i + 16, :] + 1.0
        pypto.frontend.jit(body)(torch.zeros(0, 16), torch.zeros(0, 16))


    def test_output_over_a_file_that_is_mapped_for_reading(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(16 * 16 * 4))
            file.flush()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch warns of arrays that are read-only
                mapped = torch.from_numpy(
                    numpy.memmap(file.name, "float32", "r", shape=(16, 16)))
            with self.assertRaisesRegex(pypto.error.PyptoError, "its memory is read-only"):
                run(body, matrix(), mapped)
            y = torch.zeros(16, 16)
            run(body, mapped, y)  # as an input it is good
            self.equal(y, torch.ones(16, 16))


class Lifetimes(KernelTest):
    def escapees(self):
        """Objects of a kernel that is over."""
        kept = {}

        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            keep("t", x[0:16, :] + 1.0)
            keep("x", x)
            keep("n", x.shape[0])
            keep("loop", pypto.loop(3))
            y[:] = x[0:16, :] + 1.0

        def keep(name, value):
            kept[name] = value
        run(body)
        return kept

    def test_after_the_end(self):
        kept = self.escapees()
        t = kept["t"]
        self.assertEqual((t.shape[1], t.dtype, len(kept["x"].valid_shape)), (16, pypto.DT_FP32, 2))
        for use in (lambda: t + 1.0, lambda: t[0:1, :], lambda: list(kept["loop"]),
                    lambda: pypto.exp(t), lambda: bool(kept["n"])):
            self.assertRaises(pypto.error.PyptoError, use)
        self.assertEqual((t.dim, t.dtype), (len(t.shape), kept["x"].dtype))  # still readable
        repr(t)
        str(kept["n"] + 3)
        t.name = "late"

    def test_in_another_kernel(self):
        kept = self.escapees()

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + kept["t"]
        self.fails("F00003", "no longer being recorded", run, body)

        def loop(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in kept["loop"]:
                pass
        run(loop)  # nothing of it was bound to the first kernel

    def test_half_walked_loop(self):
        kept = []

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            walk = iter(pypto.loop(3))
            kept.append(walk)
            kept.append(next(walk))
        self.fails("F00003", "not walked to its end", run, body)
        self.assertRaises((pypto.error.PyptoError, StopIteration), next, kept[0])
        del kept[:]
        gc.collect()

    def test_exceptions_inside_loops(self):
        class Mine(Exception):
            pass

        def fail():
            raise Mine("inside")

        def body(x: T([pypto.DYN, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(3):
                for j in pypto.loop(x.shape[0]):
                    if j > 2:
                        fail()
        error = self.fails("F0FFFF", "Mine: inside", run, body)
        self.assertIsInstance(error.__cause__, Mine)

        def fine(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = x + 1.0
        self.equal(run(fine), matrix() + 1)

    def test_exits_pass_through(self):
        def leave():
            raise SystemExit(3)

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            for i in pypto.loop(3):
                leave()
        with self.assertRaises(SystemExit):
            run(body)
        self.assertEqual(pypto.get_vec_tile_shapes(), [])

    def test_swallowed_errors_still_count(self):
        def attempt(x):
            try:
                return x + "a"
            except Exception:
                return x

        def core(x):
            try:
                pypto.reshape(x, [3, 5])
            except Exception:
                pass

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            core(x)
            y[:] = x + 1.0
        self.assertRaises(pypto.error.PyptoError, run, body)

        def python(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            y[:] = attempt(x) + 1.0
        self.equal(run(python), matrix() + 1)

    def test_calls_inside_of_kernels(self):
        @pypto.frontend.jit
        def inner(x: T([16, 16], F32)):
            pass

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            inner(matrix())
        self.fails("F00003", "cannot be called in kernel", run, body)

    def test_operations_outside_of_kernels(self):
        t = pypto.Tensor([16, 16], F32)
        for use in (lambda: pypto.add(t, t), lambda: t + 1.0, lambda: t[0:1],
                    lambda: pypto.full([16], 0.0, F32),
                    lambda: pypto.cond(pypto.SymbolicScalar("n"))):
            self.fails("F00003", "RuntimeError", use)

    def test_copies_and_pickles(self):
        error = self.fails("F00003", "", pypto.loop, 3)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.code, type(again)), (str(error), error.code,
                                                                 type(error)))
        self.assertEqual(pickle.loads(pickle.dumps(F32)), F32)
        self.assertIs(copy.deepcopy(pypto.CastMode.CAST_RINT), pypto.CastMode.CAST_RINT)


def add_one(x: T([16, 16], F32), y: T([16, 16], F32)):
    pypto.set_vec_tile_shapes(16, 16)
    y[:] = x + 1.0


class Threads(KernelTest):
    def test_kernels_take_turns(self):
        def make(k):
            @pypto.frontend.jit
            def kernel(x: T([pypto.DYN, 16], F32), y: T([pypto.DYN, 16], F32)):
                pypto.set_vec_tile_shapes(16, 16)
                for i in pypto.loop(0, x.shape[0], 16):
                    t = x[i:i + 16, :] * float(k)
                    y[i:i + 16, :] = t + 1.0
            return kernel
        failures = []

        def work(k):
            try:
                kernel = make(k)
                for rows in (16, 33, 160, 500):
                    y = torch.zeros(rows, 16)
                    kernel(matrix(rows), y)
                    if not torch.equal(y, matrix(rows) * k + 1):
                        failures.append((k, rows))
            except Exception as error:
                failures.append(error)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_a_fork_while_another_thread_runs(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(20000):
                y[:] = y + x * 0.0
        stop = threading.Event()

        def work():
            while not stop.is_set():
                run(body, matrix(), torch.zeros(16, 16))
        thread = threading.Thread(target=work)
        thread.start()
        results = []
        try:
            for _ in range(3):
                time.sleep(0.02)
                child = os.fork()
                if child == 0:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    signal.alarm(20)  # instead of hanging for ever
                    y = torch.zeros(16, 16)
                    run(add_one, matrix(), y)
                    os._exit(0 if torch.equal(y, matrix() + 1) else 1)
                results.append(os.waitpid(child, 0)[1])
        finally:
            stop.set()
            thread.join()
        self.assertEqual(results, [0, 0, 0])

    def test_symbols_of_another_thread_while_one_runs(self):
        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            for i in pypto.loop(20000):
                y[:] = y + x * 0.0
        done = []

        def other():
            n = pypto.SymbolicScalar("n")
            for i in range(1000):
                n = n + i
            done.append(str(n))
        thread = threading.Thread(target=other)
        thread.start()
        run(body)
        thread.join()
        self.assertEqual(done, ["(n+499500)"])

    def test_no_recording_in_another_thread(self):
        errors = []

        def record(x):
            try:
                x + 1.0
            except pypto.error.PyptoError as error:
                errors.append(error.code)

        def spawn(x):
            thread = threading.Thread(target=record, args=(x,))
            thread.start()
            thread.join()

        def body(x: T([16, 16], F32), y: T([16, 16], F32)):
            pypto.set_vec_tile_shapes(16, 16)
            spawn(x)
            y[:] = x + 1.0
        run(body)
        self.assertEqual(errors, ["F00003"])


class Extension(KernelTest):
    """The extension itself, with handles and numbers that nobody handed out."""

    def test_nonsense(self):
        import _ptosim
        from pypto import _state
        context = _state.context()
        program = _ptosim.Program(context, "k", None, 0)
        things = (None, -1, 0, 1, 7, 2 ** 32 - 1, 2 ** 32, 2 ** 64, "a", (), [], {}, [2 ** 31] * 20,
                  ((1, 4000000),), ((9, 1),), ([],), {"dim": 2 ** 40}, {"shape": [4000000]},
                  {"nothing": 1}, {"real": "a"})
        for target in (context, program):
            for name in dir(target):
                if name.startswith("_") or name in ("close", "trace_start", "trace_write",
                                                    "scope_push", "set_soc"):
                    continue
                for thing in things:
                    for arguments in ((), (thing,), (thing, thing), (3, thing, None, None, 0),
                                      (7, thing, thing, "f", 1), (thing,) * 9):
                        if name == "next_path" and not arguments:
                            continue
                        try:
                            getattr(target, name)(*arguments)
                        except Exception:
                            pass
        program.close()
        program.close()
        self.assertRaises(RuntimeError, program.text)
        context.scope_unwind(0)
        for arguments in ((), (1, 2, 3), ("/nonexistent",), ("/dev/null",)):
            self.assertRaises(Exception, _ptosim.Context, *arguments)

    def test_matmul_and_convert(self):
        import _ptosim
        a, b, c = torch.randn(5, 7), torch.randn(7, 3), torch.zeros(5, 3)
        _ptosim.matmul((a.data_ptr(), 7, (5, 7)), False, (b.data_ptr(), 7, (7, 3)), False,
                       (c.data_ptr(), 7, (5, 3)))
        expected = torch.zeros(5, 3)
        for k in range(7):
            expected = expected + a[:, k:k + 1] * b[k:k + 1]
        self.equal(c, expected)
        half = torch.zeros(35, dtype=torch.float16)
        _ptosim.convert(a.data_ptr(), 7, half.data_ptr(), 6, 35)
        self.equal(half, a.half().flatten())
        with self.assertRaises(Exception):
            _ptosim.matmul((a.data_ptr(), 7, (5, 7)), False, (b.data_ptr(), 7, (7, 3)), False,
                           (c.data_ptr(), 7, (5, 4)))


if __name__ == "__main__":
    main()
