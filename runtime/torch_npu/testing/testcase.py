"""torch_npu.testing.testcase: unittest's class with one more comparison."""
import unittest

import torch


class TestCase(unittest.TestCase):
    """Has assertRtolEqual."""

    def assertRtolEqual(self, x, y, prec=1e-4, prec16=1e-3):  # noqa: N802  (the product's name)
        """Equal within a relative error; `prec16` is that of 16-bit floats. Tensors or arrays."""
        x, y = (torch.as_tensor(value).detach().cpu() for value in (x, y))
        self.assertEqual(x.shape, y.shape)
        self.assertEqual(x.dtype, y.dtype)
        least = prec16 if x.dtype in (torch.float16, torch.bfloat16) else prec
        torch.testing.assert_close(x.double(), y.double(), rtol=least, atol=least, equal_nan=True)


def run_tests():
    """unittest.main of the calling program."""
    unittest.main(argv=None)
