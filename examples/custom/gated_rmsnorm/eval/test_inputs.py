"""Inputs for the phase tests and the adversarial suite of gated_rmsnorm.

A case gives the dimensions R and C, a dtype and a seed; the same case always gives
the same values.
"""

import os

import torch

try:
    import torch_npu  # noqa: F401  (registers torch.npu)
except ImportError:
    torch_npu = None

PRIMARY_INPUT_ORDER = ["x", "weight", "gate", "residual"]
DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def _device():
    if torch_npu is None or not torch.npu.is_available():
        return torch.device("cpu")
    return torch.device("npu:" + os.environ.get("TILE_FWK_DEVICE_ID", "0"))


DEVICE = _device()


def make_inputs(case):
    """Return a dict with one tensor for each parameter of the golden."""
    dtype = case.get("dtype", "bfloat16")
    if isinstance(dtype, dict):
        dtype = dtype["default"]
    rows, width = case["shape"]["R"], case["shape"]["C"]
    scale = case.get("x_scale", 1.0)
    torch.manual_seed(case.get("seed", 42))

    def draw(*size):
        return torch.randn(*size, device=DEVICE)

    values = {
        "x": draw(rows, width) * scale,
        "weight": 1.0 + 0.1 * draw(width),
        "gate": draw(rows, width),
        "residual": draw(rows, width),
    }
    return {name: value.to(DTYPES[dtype]) for name, value in values.items()}
