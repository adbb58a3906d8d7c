"""End-to-end test of the attention_backward kernel against its torch reference.

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

from attention_backward_golden import attention_backward_golden  # noqa: E402
from attention_backward_impl import attention_backward_wrapper  # noqa: E402

# Tolerances are those of SPEC.md: inputs, outputs and all sums are torch.float32.
ATOL = 0.0001
RTOL = 0.0001
SEED = 42

SMALL_SHAPES = [[1, 1, 16], [1, 16, 16], [2, 16, 8]]
P0_SHAPES = [[2, 64, 64], [3, 100, 32]]
NAMES = ["dq", "dk", "dv"]


def select_device():
    """Return the NPU named by the environment, or the CPU where there is none."""
    if torch_npu is None or not torch.npu.is_available():
        return torch.device("cpu")
    device_id = int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))
    torch.npu.set_device(device_id)
    return torch.device(f"npu:{device_id}")


def check(shape):
    device = select_device()
    torch.manual_seed(SEED)
    inputs = [torch.randn(shape) for _ in range(4)]
    expected = attention_backward_golden(*inputs)
    actual = attention_backward_wrapper(*[tensor.to(device) for tensor in inputs])
    assert len(actual) == len(expected)
    for name, got, want in zip(NAMES, actual, expected):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(
            got.cpu().numpy(),
            want.numpy(),
            rtol=RTOL,
            atol=ATOL,
            equal_nan=False,
            err_msg=f"attention_backward {name} {shape}",
        )


def test_attention_backward_l0():
    for shape in SMALL_SHAPES:
        check(shape)


def test_attention_backward_l1():
    for shape in P0_SHAPES:
        check(shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", choices=["l0", "l1", "all"], default="all")
    level = parser.parse_args().level
    try:
        if level in ("l0", "all"):
            test_attention_backward_l0()
        if level in ("l1", "all"):
            test_attention_backward_l1()
    except AssertionError as error:
        print(error)
        print("[PRECISION_FAIL] attention_backward")
        return 1
    print("[PRECISION_PASS] attention_backward")
    return 0


if __name__ == "__main__":
    sys.exit(main())
