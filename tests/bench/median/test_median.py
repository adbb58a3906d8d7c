"""One launch, as most kernels have."""

import numpy as np
import torch

from median_golden import median_golden
from median_impl import median_wrapper


def test_median():
    torch.manual_seed(0)
    x = torch.randn(1000, 512, dtype=torch.float32)
    actual = median_wrapper(x)
    np.testing.assert_allclose(actual.numpy(), median_golden(x).numpy(), rtol=1e-3, atol=1e-5)


if __name__ == "__main__":
    test_median()
