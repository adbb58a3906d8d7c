"""Errors against a run in double: of each operation by NumPy, and the line that seeded mistakes are traced to."""
import inspect
import math

import numpy as np
import torch
from support import F32, KernelTest, main, pypto
from test_numerics import BF16, F16, I8, OperationTest
from pypto import _precision

SEED = torch.Generator().manual_seed(11)
SHAPE = (5, 32)
POSITIVE = torch.rand(SHAPE, generator=SEED) * 3 + 0.25
SIGNED = torch.randn(SHAPE, generator=SEED) * 2
UNIT = torch.rand(SHAPE, generator=SEED) * 1.8 - 0.9
OTHER = torch.randn(SHAPE, generator=SEED) * 2 + 5
DTYPES = (torch.float32, torch.float16, torch.bfloat16)
ERF = np.vectorize(math.erf)
ERFC = np.vectorize(math.erfc)

UNARY = {
    "abs": (np.abs, SIGNED), "neg": (np.negative, SIGNED), "relu": (lambda x: np.maximum(x, 0), SIGNED),
    "reciprocal": (np.reciprocal, POSITIVE), "exp": (np.exp, SIGNED), "exp2": (np.exp2, SIGNED),
    "expm1": (np.expm1, SIGNED), "log": (np.log, POSITIVE), "log2": (np.log2, POSITIVE),
    "log10": (np.log10, POSITIVE), "log1p": (np.log1p, POSITIVE), "sqrt": (np.sqrt, POSITIVE),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE), "cbrt": (np.cbrt, SIGNED), "tan": (np.tan, UNIT),
    "tanh": (np.tanh, SIGNED), "sinh": (np.sinh, SIGNED), "cosh": (np.cosh, SIGNED),
    "asinh": (np.arcsinh, SIGNED), "acosh": (np.arccosh, POSITIVE + 1), "atanh": (np.arctanh, UNIT),
    "asin": (np.arcsin, UNIT), "acos": (np.arccos, UNIT), "atan": (np.arctan, SIGNED),
    "erf": (ERF, SIGNED), "erfc": (ERFC, SIGNED), "sin": (np.sin, SIGNED), "cos": (np.cos, SIGNED),
    "clone": (lambda x: x, SIGNED),
}
NO_BF16 = ("sin", "cos")
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
    "maximum": np.maximum, "minimum": np.minimum, "hypot": np.hypot, "atan2": np.arctan2,
    "copysign": np.copysign, "expand_exp_dif": lambda a, b: np.exp(a - b),
}
# Others: function of the package, its reference, inputs, dtypes.
OTHERS = {
    "sum": (lambda t: pypto.sum(t, -1), lambda x: x.sum(-1), [SIGNED], (0, 2)),
    "prod": (lambda t: pypto.prod(t, -1), lambda x: x.prod(-1), [UNIT], (0,)),
    "var": (lambda t: pypto.var(t, -1), lambda x: x.var(-1, ddof=1), [SIGNED], (0, 1, 2)),
    "cumsum": (lambda t: pypto.cumsum(t, 1), lambda x: x.cumsum(1), [SIGNED], (0, 1, 2)),
    "cumprod": (lambda t: pypto.cumprod(t, 1), lambda x: x.cumprod(1), [UNIT + 1.5], (0, 1, 2)),
    "amax": (lambda t: pypto.amax(t, -1), lambda x: x.max(-1), [SIGNED], (0, 1, 2)),
    "amin": (lambda t: pypto.amin(t, -1), lambda x: x.min(-1), [SIGNED], (0, 1, 2)),
    "lrelu": (lambda t: pypto.lrelu(t, 0.25), lambda x: np.where(x < 0, x * 0.25, x), [SIGNED],
              (0, 1, 2)),
    "pow": (lambda t: pypto.pow(t, 1.7), lambda x: x ** 1.7, [POSITIVE], (0, 1, 2)),
    "clip": (lambda t: pypto.clip(t, -1.0, 1.0), lambda x: x.clip(-1, 1), [SIGNED], (0, 1, 2)),
    "matmul": (lambda a, b: pypto.matmul(a, b, F32, b_trans=True), lambda a, b: a @ b.T,
               [SIGNED, OTHER], (0, 1, 2)),
    "matmul with bias": (
        lambda a, b, c: pypto.matmul(a, b, F32, b_trans=True, extend_params={"bias_tensor": c}),
        lambda a, b, c: a @ b.T + c, [SIGNED, OTHER, OTHER[:1, :5]], (0,)),
    "matmul with relu": (
        lambda a, b: pypto.matmul(a, b, F32, b_trans=True,
                                  extend_params={"relu_type": pypto.ReLuType.RELU}),
        lambda a, b: np.maximum(a @ b.T, 0), [SIGNED, OTHER], (0, 1)),
    "transpose": (lambda t: pypto.transpose(t, 0, 1), lambda x: x.T, [SIGNED[:, :8].repeat(8, 1)[:32]],
                  (0, 1, 2)),
    "where": (lambda a, b: pypto.where(pypto.gt(a, b), a, b), np.maximum, [SIGNED, OTHER], (0, 1)),
}


def error_of(result, doubles):
    """The definition of the page: |r − d| / max(|d|, root mean square of d), at its largest."""
    scale = np.sqrt(np.mean(doubles ** 2))
    return float(np.max(np.abs(result - doubles) / np.maximum(np.abs(doubles), scale)))


class Operations(OperationTest):
    """What an operation adds is what NumPy says in float64."""

    def check(self, name, function, reference, inputs):
        _precision.start()
        self.addCleanup(_precision.stop)
        result = self.compute(function, *inputs).double().numpy()
        found = _precision.report()
        doubles = reference(*[t.double().numpy() for t in inputs])
        rows = [row for row in found["precision"] if row["operation"] == name.split()[0]]
        self.assertEqual(len(rows), 1, found["precision"])
        expected = error_of(result, doubles)
        self.assertAlmostEqual(rows[0]["added"], expected, delta=1e-9 + expected * 1e-6)
        self.assertNotIn("no-double", rows[0]["flags"])
        self.assertAlmostEqual(found["output_error"], expected, delta=1e-9 + expected * 1e-6)
        return expected

    def test_unary(self):
        for name, (reference, values) in UNARY.items():
            for dtype in DTYPES:
                if name in NO_BF16 and dtype == torch.bfloat16:
                    continue
                with self.subTest(name, dtype=dtype):
                    self.check(name, getattr(pypto, name), reference, [values.to(dtype)])

    def test_binary(self):
        for name, reference in BINARY.items():
            for dtype in DTYPES:
                with self.subTest(name, dtype=dtype):
                    self.check(name, getattr(pypto, name), reference,
                               [SIGNED.to(dtype), OTHER.to(dtype)])

    def test_others(self):
        for name, (function, reference, inputs, dtypes) in OTHERS.items():
            for dtype in (DTYPES[i] for i in dtypes):
                with self.subTest(name, dtype=dtype):
                    self.check(name, function, reference, [t.to(dtype) for t in inputs])

    def test_rounding_is_seen(self):
        """A check of the checks: 16 bits do round."""
        half = self.check("mul", pypto.mul, np.multiply, [SIGNED.half(), OTHER.half()])
        self.assertGreater(half, 2.0 ** -13)

    def test_integers_become_real(self):
        whole = (torch.arange(160, dtype=torch.int32).reshape(5, 32) + 4000)
        error = self.check("cast", lambda t: pypto.cast(t, F16), lambda x: x, [whole])
        self.assertGreater(error, 1e-4)  # 4097 is no F16
        self.check("cast", lambda t: pypto.cast(t, F32), lambda x: x, [whole])

    def test_a_slot_that_changes_its_dtype(self):
        """A tensor is declared F32 and gets integers; the cast is one from integers."""
        def moved(t):
            local = pypto.tensor([5, 32], F32)
            local[:] = t
            return pypto.cast(local, F16)
        whole = (torch.arange(160, dtype=torch.int32).reshape(5, 32) + 4000)
        self.check("cast", moved, lambda x: x, [whole])

    def test_casts_and_constants(self):
        self.check("cast", lambda t: pypto.cast(t, F16), lambda x: x, [SIGNED])
        self.check("cast", lambda t: pypto.cast(t, BF16), lambda x: x, [SIGNED])
        _precision.start()
        self.addCleanup(_precision.stop)
        self.compute(lambda t: t * 0.0 + pypto.full([5, 32], 0.1, F16), SIGNED.half())
        rows = {row["operation"]: row for row in _precision.report()["precision"]}
        self.assertAlmostEqual(rows["full"]["added"], abs(float(np.float16(0.1)) - 0.1) / 0.1)

    def test_choices_follow_the_run(self):
        _precision.start()
        self.addCleanup(_precision.stop)
        steps = torch.tensor([[0.4999, 0.5001, 1.5, -2.5] * 8])
        self.compute(lambda t: pypto.round(t * 1.0001), steps.half())
        found = _precision.report()
        self.assertEqual(found["output_error"], rows_error(found, "mul"))
        _precision.start()
        self.compute(lambda t: pypto.topk(t * 1.1, 8, -1, True)[0], SIGNED)
        self.assertLess(_precision.report()["output_error"], 1e-6)

    def test_what_has_no_double_form_says_so(self):
        _precision.start()
        self.addCleanup(_precision.stop)
        small = (torch.arange(160, dtype=torch.int32).reshape(5, 32) - 80).to(torch.int8)
        self.compute(lambda t, s: pypto.dequantize(t, s, F32, -1) * 3.0, small,
                     torch.full((5,), 0.1))
        rows = {row["operation"]: row for row in _precision.report()["precision"]}
        self.assertEqual(rows["dequantize"]["flags"], ["no-double"])
        self.assertFalse(rows["dequantize"]["accused"])
        self.assertEqual(rows["mul"]["flags"], [])
        self.assertGreater(rows["mul"]["added"], 0)


def rows_error(found, operation):
    """What that operation added."""
    return next(row["added"] for row in found["precision"] if row["operation"] == operation)


# ---- kernels with a mistake, marked "# here", and without ----

H, S = pypto.Tensor([16, 32], F16), pypto.Tensor([16, 32], F32)
STACK, COLUMN = pypto.Tensor([64, 16, 32], F16), pypto.Tensor([16, 1], F32)


@pypto.frontend.jit
def accumulates(x: STACK, y: H):
    pypto.set_vec_tile_shapes(1, 16, 32)
    acc = pypto.tensor([16, 32], F16)
    acc[:] = pypto.full([16, 32], 0.0, F16)
    for i in pypto.loop(64):
        row = pypto.reshape(pypto.view(x, [1, 16, 32], [i, 0, 0]), [16, 32])
        acc[:] = acc + row * 0.5  # here
    y[:] = acc * 0.25


@pypto.frontend.jit
def accumulates_wide(x: STACK, y: H):
    pypto.set_vec_tile_shapes(1, 16, 32)
    acc = pypto.tensor([16, 32], F32)
    acc[:] = pypto.full([16, 32], 0.0, F32)
    for i in pypto.loop(64):
        row = pypto.reshape(pypto.view(x, [1, 16, 32], [i, 0, 0]), [16, 32])
        acc[:] = acc + pypto.cast(row, F32) * 0.5
    y[:] = pypto.cast(acc * 0.25, F16)


@pypto.frontend.jit
def cancels(x: S, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    part = pypto.cos(x)
    part = 1.0 - part  # here
    y[:] = part / (x * x)


@pypto.frontend.jit
def cancels_not(x: S, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    half = pypto.sin(x * 0.5)
    y[:] = half * half * 2.0 / (x * x)


@pypto.frontend.jit
def variance_by_squares(x: S, y: COLUMN):
    pypto.set_vec_tile_shapes(16, 32)
    mean = pypto.sum(x, -1, True) * (1 / 32)
    square = pypto.sum(x * x, -1, True) * (1 / 32)
    y[:] = square - mean * mean  # here


@pypto.frontend.jit
def overflows(x: H, y: H):
    pypto.set_vec_tile_shapes(16, 32)
    power = pypto.exp(x)  # here
    wide = pypto.cast(power, F32)
    y[:] = pypto.cast(wide / pypto.sum(wide, -1, True), F16)


@pypto.frontend.jit
def overflows_in_double(x: S, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    power = pypto.exp(x * 100.0)  # here
    y[:] = power / pypto.sum(power, -1, True)


@pypto.frontend.jit
def softmax(x: H, y: H):
    pypto.set_vec_tile_shapes(16, 32)
    wide = pypto.cast(x, F32)
    power = pypto.exp(wide - pypto.amax(wide, -1, True))
    y[:] = pypto.cast(power / pypto.sum(power, -1, True), F16)


@pypto.frontend.jit
def underflows(x: H, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    square = x * x  # here
    norm = pypto.sqrt(pypto.sum(pypto.cast(square, F32), -1, True))
    y[:] = pypto.cast(x, F32) / norm


@pypto.frontend.jit
def normalises(x: H, y: H):
    pypto.set_vec_tile_shapes(16, 32)
    wide = pypto.cast(x, F32)
    norm = pypto.rsqrt(pypto.sum(wide * wide, -1, True) * (1 / 32) + 1e-12)
    y[:] = pypto.cast(wide * norm, F16)


@pypto.frontend.jit
def saturates(x: S, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    scaled = pypto.cast(x * 100.0, F16)
    small = pypto.cast(scaled, I8)  # here
    y[:] = pypto.cast(pypto.cast(small, F16), F32) * 0.01


@pypto.frontend.jit
def quantises(x: S, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    scale = pypto.amax(pypto.abs(x), -1, True) * (1 / 127)
    small = pypto.cast(pypto.cast(pypto.round(x / scale), F16), I8)
    y[:] = pypto.cast(pypto.cast(small, F16), F32) * scale


@pypto.frontend.jit
def masks(x: H, y: H):
    pypto.set_vec_tile_shapes(16, 32)
    hidden = pypto.cast(pypto.full([16, 32], -1e9, F32), F16)
    wide = pypto.cast(pypto.where(pypto.gt(x, 0.5), x, hidden), F32)
    power = pypto.exp(wide - pypto.amax(wide, -1, True))
    y[:] = pypto.cast(power / pypto.sum(power, -1, True), F16)


@pypto.frontend.jit
def sigmoid(x: S, y: S):
    pypto.set_vec_tile_shapes(16, 32)
    y[:] = 1.0 / (pypto.exp(-x) + 1.0)


MANY, ODD = 100, 37  # iterations, and the one that is wrong


@pypto.frontend.jit
def overflows_once(x: pypto.Tensor([MANY * 64, 128], F32), y: pypto.Tensor([MANY * 64, 128], F16)):
    pypto.set_vec_tile_shapes(64, 128)
    for i in pypto.loop(MANY):
        part = pypto.view(x, [64, 128], [i * 64, 0])
        half = pypto.cast(part * part, F16)  # here
        pypto.assemble(half * 0.5, [i * 64, 0], y)


@pypto.frontend.jit
def cancels_once(x: pypto.Tensor([MANY * 64, 128], F32), c: pypto.Tensor([MANY * 64, 128], F32),
                 y: pypto.Tensor([MANY * 64, 128], F32)):
    pypto.set_vec_tile_shapes(64, 128)
    for i in pypto.loop(MANY):
        far = pypto.view(c, [64, 128], [i * 64, 0])
        total = pypto.view(x, [64, 128], [i * 64, 0]) + far
        pypto.assemble(total - far, [i * 64, 0], y)  # here


def tensor(low, high, *shape):
    """Numbers between the two, the same ones each time."""
    values = torch.rand(shape or (16, 32), generator=torch.Generator().manual_seed(5))
    return values * (high - low) + low


class Kernels(KernelTest):
    def look(self, kernel, out, *inputs):
        """The report after a launch."""
        _precision.start()
        self.addCleanup(_precision.stop)
        kernel(*inputs, out)
        return _precision.report()

    def line_of(self, kernel):
        """The line that ends with "# here"."""
        kernel = getattr(kernel, "__wrapped__", kernel)
        lines, first = inspect.getsourcelines(kernel)
        return first + next(i for i, line in enumerate(lines) if line.rstrip().endswith("# here"))

    def accused(self, kernel, flag, out, *inputs):
        """The seeded line comes first, with that flag, and it is the only one with a flag."""
        found = self.look(kernel, out, *inputs)
        first = found["precision"][0]
        self.assertEqual(first["line"], self.line_of(kernel), found["precision"][:3])
        self.assertIn(flag, first["flags"])
        self.assertEqual({row["line"] for row in found["precision"] if row["accused"]},
                         {first["line"]})
        return found

    def innocent(self, kernel, out, *inputs):
        """Nothing is accused, and no value is beyond its tolerance at the output."""
        found = self.look(kernel, out, *inputs)
        self.assertEqual([row for row in found["precision"] if row["accused"]], [])
        self.assertFalse(found["output_is_wrong"])
        self.assertIsNone(found["first_beyond"])
        self.assertGreater(len(found["precision"]), 0)
        return found

    def test_16_bit_accumulation(self):
        found = self.accused(accumulates, "accumulation-16", torch.zeros(16, 32).half(),
                             tensor(0, 1, 64, 16, 32).half())
        row = found["precision"][0]
        self.assertEqual((row["operation"], row["executions"]), ("add", 64))
        self.assertGreater(row["share"], 2 * row["added"])  # turns add up
        self.innocent(accumulates_wide, torch.zeros(16, 32).half(),
                      tensor(0, 1, 64, 16, 32).half())

    def test_cancellation(self):
        found = self.accused(cancels, "cancellation", torch.zeros(16, 32), tensor(1e-4, 1e-3))
        self.assertEqual(found["first_beyond"]["line"], found["precision"][0]["line"])
        self.innocent(cancels_not, torch.zeros(16, 32), tensor(1e-4, 1e-3))
        self.accused(variance_by_squares, "cancellation", torch.zeros(16, 1), tensor(999, 1001))

    def test_cancellation_of_some_elements(self):
        """Few elements are wrong, so the difference as a whole is not; the division shows it."""
        values = tensor(1, 2)
        values[:, ::8] = tensor(1e-4, 1e-3, 16, 4)
        self.accused(cancels, "cancellation", torch.zeros(16, 32), values)

    def test_overflow(self):
        found = self.accused(overflows, "overflow", torch.zeros(16, 32).half(),
                             tensor(0, 20).half())
        self.assertTrue(found["output_is_wrong"])
        self.accused(overflows_in_double, "overflow", torch.zeros(16, 32), tensor(8, 20))
        self.innocent(softmax, torch.zeros(16, 32).half(), tensor(-20, 20).half())

    def test_one_iteration_of_many(self):
        """Most executions of a long loop get a glance only; one wrong element of one of them is seen."""
        values = tensor(-2, 2, MANY * 64, 128)
        far = torch.zeros(MANY * 64, 128)
        far[ODD * 64 + 5, 7] = 1e6
        found = self.look(cancels_once, torch.zeros(MANY * 64, 128), values, far)
        self.assertEqual((found["first_beyond"]["line"], found["first_beyond"]["iteration"]),
                         (self.line_of(cancels_once), ODD))
        self.assertTrue(found["output_is_wrong"])
        values[ODD * 64 + 5, 7] = 1000
        found = self.accused(overflows_once, "overflow", torch.zeros(MANY * 64, 128).half(), values)
        self.assertEqual((found["first_beyond"]["iteration"], found["output_is_wrong"]), (ODD, True))
        self.assertLess(found["precision"][0]["executions"], MANY)

    def test_underflow(self):
        self.accused(underflows, "underflow", torch.zeros(16, 32), tensor(0, 1e-4).half())
        self.innocent(normalises, torch.zeros(16, 32).half(), tensor(-1, 1).half())

    def test_saturation(self):
        self.accused(saturates, "saturation", torch.zeros(16, 32), tensor(-3, 3))
        self.innocent(quantises, torch.zeros(16, 32), tensor(-3, 3))

    def test_what_a_kernel_copes_with(self):
        found = self.innocent(masks, torch.zeros(16, 32).half(), tensor(0, 1).half())
        self.assertIn("overflow", {name for row in found["precision"] for name in row["harmless"]})
        self.innocent(sigmoid, torch.zeros(16, 32), tensor(-95, 95))

    def test_results_stay(self):
        """The run's own values are the same with and without."""
        plain, looked = torch.zeros(16, 32).half(), torch.zeros(16, 32).half()
        values = tensor(-20, 20).half()
        softmax(values, plain)
        self.look(softmax, looked, values)
        self.equal(looked, plain)

    def test_tolerance(self):
        values = tensor(-20, 20).half()
        _precision.start(1e-5)
        self.addCleanup(_precision.stop)
        softmax(values, torch.zeros(16, 32).half())
        found = _precision.report()
        self.assertEqual(found["first_beyond"]["operation"], "cast")
        self.assertEqual(found["first_beyond"]["tolerance"], 1e-5)
        self.assertIn("first beyond the tolerance", _precision.text(found))

    def test_stop(self):
        _precision.start()
        _precision.stop()
        with self.assertRaises(RuntimeError):
            _precision.report()


if __name__ == "__main__":
    main()
