"""End-to-end test of the softmax kernel against its torch reference.

Level 0 runs small shapes, level 1 the P0 shapes of SPEC.md. The reference always
runs on the CPU. Run directly or with pytest; a direct run prints a verdict marker.
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np
import torch

try:
    import torch_npu  # noqa: F401  (registers torch.npu)
except ImportError:
    torch_npu = None

sys.path.insert(0, str(Path(__file__).resolve().parent))

from softmax_golden import softmax_golden  # noqa: E402
from softmax_impl import softmax_wrapper  # noqa: E402

# Tolerances are those of SPEC.md.
ATOL = 0.00001
RTOL = 0.001
SEED = 42

SMALL_SHAPES = [[1, 16], [5, 64], [16, 16]]
P0_SHAPES = [[64, 512], [1000, 512]]


def select_device():
    """Return the NPU named by the environment, or the CPU where there is none."""
    if torch_npu is None or not torch.npu.is_available():
        return torch.device("cpu")
    device_id = int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))
    torch.npu.set_device(device_id)
    return torch.device(f"npu:{device_id}")


def check(shape, scale=1.0):
    device = select_device()
    torch.manual_seed(SEED)
    x = torch.randn(shape, dtype=torch.float32) * scale
    expected = softmax_golden(x)
    actual = softmax_wrapper(x.to(device)).cpu()
    np.testing.assert_allclose(
        actual.numpy(),
        expected.numpy(),
        rtol=RTOL,
        atol=ATOL,
        equal_nan=False,
        err_msg=f"softmax {shape}, inputs scaled by {scale}",
    )


def test_softmax_l0():
    for shape in SMALL_SHAPES:
        check(shape)


def test_softmax_large_values_l0():
    # exp overflows float32 from 89 on, so this needs the subtraction of the row maximum.
    check([5, 64], scale=100.0)


def test_softmax_l1():
    for shape in P0_SHAPES:
        check(shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", choices=["l0", "l1", "all"], default="all")
    level = parser.parse_args().level
    try:
        if level in ("l0", "all"):
            test_softmax_l0()
            test_softmax_large_values_l0()
        if level in ("l1", "all"):
            test_softmax_l1()
    except AssertionError as error:
        print(error)
        print("[PRECISION_FAIL] softmax")
        return 1
    print("[PRECISION_PASS] softmax")
    return 0


if __name__ == "__main__":
    sys.exit(main())
