"""What the tests of the Ascend 950 share: dtypes and kernels of one operation. The environment must say
PTOSIM_SOC=950PR, as the hardware is chosen when the package is imported."""
import itertools
import linecache

import numpy as np

import references
from support import F32, KernelTest, pypto, torch

T = pypto.Tensor
D = pypto
F16, BF16, I8, I32, U8 = D.DT_FP16, D.DT_BF16, D.DT_INT8, D.DT_INT32, D.DT_UINT8
E4M3, E5M2, E8M0, HF8 = D.DT_FP8E4M3, D.DT_FP8E5M2, D.DT_FP8E8M0, D.DT_HF8
KINDS = {F32: torch.float32, F16: torch.float16, BF16: torch.bfloat16, I8: torch.int8,
         I32: torch.int32, U8: torch.uint8, D.DT_UINT64: torch.int64}
E2M1, E1M2 = D.DT_FP4_E2M1X2, D.DT_FP4_E1M2X2
FOUR = {E2M1: references.E2M1, E1M2: references.E1M2}  # two in a byte
NAMES = {F32: "F32", F16: "F16", BF16: "BF16"}
# Dtypes that this torch may have; without them, other memory of the same size is given.
TORCH_OWN = {dtype: getattr(torch, name) for dtype, name in (
    (E4M3, "float8_e4m3fn"), (E5M2, "float8_e5m2"), (E8M0, "float8_e8m0fnu"),
    (D.DT_UINT64, "uint64"))
    if isinstance(getattr(torch, name, None), torch.dtype)}
NUMBERS = itertools.count()
SMALL = {E4M3: references.E4M3, E5M2: references.E5M2, HF8: references.HF8}


def tensor(array):
    """A torch tensor of an array."""
    return torch.from_numpy(np.ascontiguousarray(array))


def as_declared(dtype, given):
    """The same memory as the torch tensor that a parameter of the dtype takes."""
    return given.view(TORCH_OWN[dtype]) if dtype in TORCH_OWN else given


class OperationTest(KernelTest):
    """run(operation, inputs, outputs): inputs are (dtype, torch tensor), outputs (dtype, shape)."""

    def run_kernel(self, operation, inputs, outputs, tile=(32, 128), cube=(64, 128, 64)):
        """The output tensors."""
        results = [torch.zeros([*shape[:-1], shape[-1] // 2] if dtype in FOUR else shape,
                               dtype=KINDS.get(dtype, torch.uint8)) for dtype, shape in outputs]
        count = len(inputs)

        def body(*tensors):
            pypto.set_vec_tile_shapes(*tile)
            pypto.set_cube_tile_shapes(*[[n, n] for n in cube])
            found = operation(*tensors[:count])
            found = found if isinstance(found, tuple) else (found,)
            self.assertEqual(len(found), len(outputs))
            for target, result, (dtype, shape) in zip(tensors[count:], found, outputs):
                self.assertEqual((result.dtype, list(result.shape)), (dtype, list(shape)))
                target[:] = result
        types = [T([*t.shape[:-1], t.shape[-1] * (2 if dtype in FOUR else 1)], dtype)
                 for dtype, t in inputs]
        types += [T(list(shape), dtype) for dtype, shape in outputs]
        names = ["t%d" % i for i in range(len(types))]
        scope = {"body": body, "types": types}
        text = "def kernel(%s):\n    body(%s)\n" % (
            ", ".join("%s: types[%d]" % pair for pair in zip(names, range(len(names)))),
            ", ".join(names))
        path = "<kernel %d>" % next(NUMBERS)
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
        exec(compile(text, path, "exec"), scope)
        pypto.frontend.jit(scope["kernel"])(
            *[as_declared(dtype, t) for dtype, t in inputs],
            *[as_declared(dtype, t) for (dtype, _), t in zip(outputs, results)])
        return results

    def close(self, result, expected, rtol=2e-6, atol=1e-6):
        """Numbers as they should be, but for the order of sums."""
        self.assertEqual(tuple(result.shape), tuple(expected.shape))
        np.testing.assert_allclose(result.double().numpy(), np.asarray(expected, np.float64),
                                   rtol=rtol, atol=atol)


def codes(rng, dtype, shape):
    """Random codes of numbers below 16, and their values."""
    table = SMALL[dtype]
    usable = np.flatnonzero(np.abs(np.nan_to_num(table, nan=99.0)) < 16)
    found = rng.choice(usable, shape).astype(np.uint8)
    return found, table[found]
