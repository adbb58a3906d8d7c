"""What the tests of the simulator's Python side share. Each test file runs as a program; without
torch it ends with status 77, which ctest counts as skipped."""
import sys
import unittest

try:
    import torch
except ImportError:
    print("torch is not installed: skipped")
    sys.exit(77)

import pypto  # noqa: E402  (torch first: the message above)
from pypto.error import PyptoError  # noqa: E402

F32 = pypto.DT_FP32


def matrix(rows=16, columns=16, start=0.0):
    """Different numbers everywhere, exact in F32."""
    return torch.arange(rows * columns, dtype=torch.float32).reshape(rows, columns) / 8 + start


class KernelTest(unittest.TestCase):
    """Assertions about kernels."""

    def fails(self, code, text, function, *args, **keywords):
        """The call raises a PyptoError with that code, and with the text in its own."""
        with self.assertRaises(PyptoError) as caught:
            function(*args, **keywords)
        error = caught.exception
        self.assertEqual(error.code, code, str(error))
        self.assertIn(text, str(error))
        self.assertNotIsInstance(error, (ValueError, TypeError, RuntimeError))
        return error

    def equal(self, result, expected):
        """Same shape, dtype and bits (NaN equals NaN)."""
        self.assertEqual(result.dtype, expected.dtype)
        self.assertEqual(tuple(result.shape), tuple(expected.shape))
        same = torch.equal(result.nan_to_num(7.0) if result.is_floating_point() else result,
                           expected.nan_to_num(7.0) if result.is_floating_point() else expected)
        if not same:
            wrong = (result != expected).nonzero()[:4].tolist()
            self.fail("\n".join("%s: %s instead of %s" % (
                at, result[tuple(at)].item(), expected[tuple(at)].item()) for at in wrong))


def front_end_of_9_1():
    """setUpModule and tearDownModule of a file whose tests are about the front end of 9.1."""
    from pypto import _version
    before = _version.new_front_end

    def begin():
        _version.new_front_end = False

    def end():
        _version.new_front_end = before
    return begin, end


def main():
    """Runs the tests of the calling file."""
    unittest.main(module="__main__")
