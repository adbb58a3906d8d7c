"""Test of phase M1 of gated_rmsnorm: the kernel of module 1 against the composed reference.

Inputs come from eval/test_inputs.py, so every phase is tested with the same values.
"""

import os
import sys
from pathlib import Path

import numpy as np
import torch

try:
    import torch_npu  # noqa: F401  (registers torch.npu)
except ImportError:
    torch_npu = None

MODULES = Path(__file__).resolve().parent
for folder in (MODULES.parent / "eval", MODULES):
    sys.path.insert(0, str(folder))

from gated_rmsnorm_module1_golden import gated_rmsnorm_module1_golden  # noqa: E402
from gated_rmsnorm_module1_impl import gated_rmsnorm_module1_wrapper  # noqa: E402
from test_inputs import PRIMARY_INPUT_ORDER, make_inputs  # noqa: E402

PHASE_INPUTS = ["x", "weight"]
ATOL = 0.0001
RTOL = 0.0001


def select_device():
    """Return the NPU named by the environment, or the CPU where there is none."""
    if torch_npu is None or not torch.npu.is_available():
        return torch.device("cpu")
    device_id = int(os.environ.get("TILE_FWK_DEVICE_ID", "0"))
    torch.npu.set_device(device_id)
    return torch.device(f"npu:{device_id}")


def check(rows, width):
    device = select_device()
    torch.manual_seed(42)
    inputs = make_inputs({"shape": {"R": rows, "C": width}, "dtype": "bfloat16", "seed": 42})
    ordered = [inputs[name] for name in PRIMARY_INPUT_ORDER if name in PHASE_INPUTS]
    expected = gated_rmsnorm_module1_golden(*[tensor.cpu() for tensor in ordered])
    actual = gated_rmsnorm_module1_wrapper(*[tensor.to(device) for tensor in ordered])
    actual = actual if isinstance(actual, tuple) else (actual,)
    assert len(actual) == len(expected)
    for index, (got, want) in enumerate(zip(actual, expected)):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(
            got.cpu().to(torch.float32).numpy(),
            want.to(torch.float32).numpy(),
            rtol=RTOL,
            atol=ATOL,
            equal_nan=False,
            err_msg=f"module1_out{index} [{rows}, {width}]",
        )


def test_module1_l0():
    check(5, 16)


def test_module1_l1():
    check(64, 1024)
    check(300, 1024)


if __name__ == "__main__":
    try:
        test_module1_l0()
        test_module1_l1()
    except AssertionError as error:
        print(error)
        sys.exit("[PRECISION_FAIL] gated_rmsnorm module 1")
    print("[PRECISION_PASS] gated_rmsnorm module 1")
