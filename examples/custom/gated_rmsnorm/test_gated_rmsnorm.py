"""End-to-end test of the gated_rmsnorm kernel against its torch reference.

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

from gated_rmsnorm_golden import gated_rmsnorm_golden  # noqa: E402
from gated_rmsnorm_impl import gated_rmsnorm_wrapper  # noqa: E402

# Tolerances are those of SPEC.md: one unit in the last place of bfloat16 is up to 1/128.
ATOL = 0.01
RTOL = 0.01
SEED = 42

SMALL_SHAPES = [[1, 16], [5, 64], [16, 16]]
P0_SHAPES = [[64, 1024], [300, 1024]]


def select_device():
    """Return the NPU named by the environment, or the CPU where there is none."""
    if torch_npu is None or not torch.npu.is_available():
        return torch.device("cpu")
    device_id = int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))
    torch.npu.set_device(device_id)
    return torch.device(f"npu:{device_id}")


def make_inputs(shape):
    torch.manual_seed(SEED)
    x = torch.randn(shape).to(torch.bfloat16)
    weight = (1.0 + 0.1 * torch.randn(shape[-1])).to(torch.bfloat16)
    gate = torch.randn(shape).to(torch.bfloat16)
    residual = torch.randn(shape).to(torch.bfloat16)
    return x, weight, gate, residual


def check(shape):
    device = select_device()
    inputs = make_inputs(shape)
    expected = gated_rmsnorm_golden(*inputs)
    actual = gated_rmsnorm_wrapper(*[tensor.to(device) for tensor in inputs]).cpu()
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(
        actual.to(torch.float32).numpy(),
        expected.to(torch.float32).numpy(),
        rtol=RTOL,
        atol=ATOL,
        equal_nan=False,
        err_msg=f"gated_rmsnorm {shape}",
    )


def test_gated_rmsnorm_l0():
    for shape in SMALL_SHAPES:
        check(shape)


def test_gated_rmsnorm_l1():
    for shape in P0_SHAPES:
        check(shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", choices=["l0", "l1", "all"], default="all")
    level = parser.parse_args().level
    try:
        if level in ("l0", "all"):
            test_gated_rmsnorm_l0()
        if level in ("l1", "all"):
            test_gated_rmsnorm_l1()
    except AssertionError as error:
        print(error)
        print("[PRECISION_FAIL] gated_rmsnorm")
        return 1
    print("[PRECISION_PASS] gated_rmsnorm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
