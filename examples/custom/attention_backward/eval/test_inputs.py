"""Inputs for the phase tests and the adversarial suite of attention_backward.

A case gives the dimensions H, S and D and a seed; the same case always gives the same values.
Knobs of this operator:

q_scale        factor of the queries; a large one saturates the softmax
loud_position  a key whose scores are far above all others; only its window may hear it
"""

import os

import torch

try:
    import torch_npu  # noqa: F401  (registers torch.npu)
except ImportError:
    torch_npu = None

DEVICE = torch.device("npu:" + os.environ.get("TILE_FWK_DEVICE_ID", "0"))
PRIMARY_INPUT_ORDER = ["q", "k", "v", "grad_out"]
DTYPES = {"float32": torch.float32, "fp32": torch.float32}
WINDOW = 24
SCALE_FACTORS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01)  # large values first: there lost digits weigh most
RESTARTS = 64


def _dtype_from_str(dtype):
    return DTYPES[dtype["default"] if isinstance(dtype, dict) else dtype]


def _resolve_shape(case):
    return tuple(int(case["shape"][name]) for name in ("H", "S", "D"))


def _subtraction(values):
    """The two sides of prob_grad - delta, 0 for the pairs outside the window."""
    position = torch.arange(values["q"].shape[1], device=DEVICE)
    distance = position[:, None] - position[None, :]
    seen = (distance >= 0) & (distance < WINDOW)
    scores = torch.matmul(values["q"], values["k"].transpose(1, 2)) * values["q"].shape[-1] ** -0.5
    prob = torch.softmax(scores.masked_fill(~seen, float("-inf")), dim=-1)
    prob_grad = torch.matmul(values["grad_out"], values["v"].transpose(1, 2)) * seen
    delta = torch.sum(prob * prob_grad, dim=-1, keepdim=True)
    return prob_grad, delta * seen


def relative_gap(values):
    left, right = _subtraction(values)
    largest = torch.maximum(left.abs().max(), right.abs().max())
    return float((left - right).abs().max() / largest.clamp_min(1e-30))


def _cancel(values, stress):
    """Makes the values of all positions so alike that prob_grad - delta cancels."""
    torch.manual_seed(stress.get("seed", 42))
    best = (float("inf"), values["v"])
    for restart in range(RESTARTS):
        scale = SCALE_FACTORS[restart % len(SCALE_FACTORS)]
        common = torch.randn_like(values["v"][:, :1])
        noise = torch.randn_like(values["v"])
        spread = 0.1 * stress["relative_gap"]
        attempt = {**values, "v": scale * (common + spread * noise)}
        best = min(best, (relative_gap(attempt), attempt["v"]), key=lambda pair: pair[0])
        if best[0] <= stress["relative_gap"]:
            break
    return {**values, "v": best[1]}


def make_inputs(case):
    """Return a dict with one tensor for each parameter of the golden."""
    dtype = _dtype_from_str(case.get("dtype", "float32"))
    shape = _resolve_shape(case)
    torch.manual_seed(case.get("seed", 42))
    values = {
        name: torch.randn(shape, dtype=dtype, device=DEVICE) for name in PRIMARY_INPUT_ORDER
    }
    values["q"] *= case.get("q_scale", 1.0)
    if "loud_position" in case:
        common = torch.randn(shape[-1], dtype=dtype, device=DEVICE)
        values["q"] += common
        values["k"][:, case["loud_position"]] = 2.0 * common
    if "cancellation_stress" in case:
        values = _cancel(values, case["cancellation_stress"])
    return values
