"""A selective state space: h = h·a + b·x, y = sum(c·h) + d·x, one time step after the other."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

WIDTH = 48
STATES = 16


@pypto.frontend.jit
def state_scan_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    decay: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    into: pypto.Tensor([STATES, pypto.DYNAMIC], pypto.DT_FP32),
    outof: pypto.Tensor([STATES, pypto.DYNAMIC], pypto.DT_FP32),
    skip: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(STATES, WIDTH)
    state = pypto.full([STATES, WIDTH], 0.0, pypto.DT_FP32)
    for t in pypto.loop(x.shape[0], name="time", idx_name="t"):
        now = pypto.view(x, [1, WIDTH], [t, 0])
        keep = pypto.exp(pypto.neg(pypto.view(decay, [1, WIDTH], [t, 0])))
        b = pypto.view(into, [STATES, 1], [0, t])
        c = pypto.view(outof, [STATES, 1], [0, t])
        fed = pypto.mul(pypto.expand_clone(b, [STATES, WIDTH]), now)
        state[:] = state * keep + fed
        read = pypto.mul(state, c)
        mixed = pypto.sum(read, 0, keepdim=True)
        pypto.assemble(mixed + now * skip, [t, 0], y)
