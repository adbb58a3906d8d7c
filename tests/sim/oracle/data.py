"""Input data of random kernels, in the oracle's storage types."""
import numpy as np

from rounding import FLOATS, STORAGE, bf16


def floats(rng, shape, dtype):
    """Mostly small numbers; sometimes ties, zeros, huge, tiny and special values."""
    kind = rng.random()
    if kind < 0.35:
        x = rng.integers(-16, 17, shape) / 8.0
    elif kind < 0.45:
        x = rng.integers(-3, 4, shape).astype(np.float64)
    elif kind < 0.9:
        x = rng.standard_normal(shape) * rng.choice([0.1, 1.0, 30.0])
    else:
        x = rng.standard_normal(shape) * np.exp2(rng.integers(-130, 120, shape).astype(float))
    if rng.random() < 0.12:
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504.0, 1e-8, 300.0, -2.5, 6e-40])
        x = np.where(rng.random(shape) < 0.05, rng.choice(special, shape), x)
    with np.errstate(over="ignore"):
        x = x.astype(np.float32)
        return bf16(x) if dtype == "BF16" else x.astype(STORAGE[dtype])


def integers(rng, shape, dtype):
    info = np.iinfo(STORAGE[dtype])
    if rng.random() < 0.6:
        return rng.integers(max(info.min, -20), 21, shape).astype(STORAGE[dtype])
    return rng.integers(info.min, info.max, shape, endpoint=True, dtype=STORAGE[dtype])


def random(rng, shape, dtype):
    if dtype in FLOATS:
        return floats(rng, shape, dtype)
    if dtype == "BOOL":
        return rng.random(shape) < 0.5
    return integers(rng, shape, dtype)
