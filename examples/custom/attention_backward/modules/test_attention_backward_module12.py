"""Test of phase M2 of attention_backward: the kernel of both modules against its reference.

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

from attention_backward_module12_golden import attention_backward_module12_golden  # noqa: E402
from attention_backward_module12_impl import attention_backward_module12_wrapper  # noqa: E402
from test_inputs import PRIMARY_INPUT_ORDER, make_inputs  # noqa: E402

ATOL = 0.0001
RTOL = 0.0001


def check(heads, rows, width):
    torch.npu.set_device(int(os.environ.get("TILE_FWK_DEVICE_ID", "0")))
    torch.manual_seed(42)
    inputs = make_inputs({"shape": {"H": heads, "S": rows, "D": width}, "seed": 42})
    ordered = [inputs[name] for name in PRIMARY_INPUT_ORDER]
    expected = attention_backward_module12_golden(*[tensor.cpu() for tensor in ordered])
    actual = attention_backward_module12_wrapper(*ordered)
    assert len(actual) == len(expected)
    for index, (got, want) in enumerate(zip(actual, expected)):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(
            got.cpu().numpy(),
            want.numpy(),
            rtol=RTOL,
            atol=ATOL,
            equal_nan=False,
            err_msg=f"module12_out{index} [{heads}, {rows}, {width}]",
        )


def test_module12_l0():
    check(1, 1, 16)
    check(2, 16, 16)


def test_module12_l1():
    check(2, 64, 64)
    check(3, 100, 32)


if __name__ == "__main__":
    try:
        test_module12_l0()
        test_module12_l1()
    except AssertionError as error:
        print(error)
        sys.exit("[PRECISION_FAIL] attention_backward module 12")
    print("[PRECISION_PASS] attention_backward module 12")
