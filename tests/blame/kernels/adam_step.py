"""A step of Adam with decoupled weight decay: parameters, first and second moments."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

WIDTH = 64
TILE = 16
RATE, DECAY = 1e-2, 0.1
BETA1, BETA2 = 0.9, 0.99
EPSILON = 1e-6


@pypto.frontend.jit
def adam_step_kernel(
    weight: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    grad: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    first: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    second: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    new_weight: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    new_first: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    new_second: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TILE, WIDTH)
    rows = weight.shape[0]
    for step in pypto.loop((rows + TILE - 1) // TILE, name="tiles", idx_name="step"):
        at = step * TILE
        valid = [pypto.min(rows - at, TILE), WIDTH]
        w = pypto.view(weight, [TILE, WIDTH], [at, 0], valid_shape=valid)
        g = pypto.view(grad, [TILE, WIDTH], [at, 0], valid_shape=valid)
        m_old = pypto.view(first, [TILE, WIDTH], [at, 0], valid_shape=valid)
        v_old = pypto.view(second, [TILE, WIDTH], [at, 0], valid_shape=valid)
        m = m_old * BETA1 + g * (1.0 - BETA1)
        v = v_old * BETA2 + g * g * (1.0 - BETA2)
        m_hat = m / (1.0 - BETA1 ** 3)
        v_hat = v / (1.0 - BETA2 ** 3)
        direction = m_hat / (pypto.sqrt(v_hat) + EPSILON)
        shrunk = w * (1.0 - RATE * DECAY)
        pypto.assemble(shrunk - direction * RATE, [at, 0], new_weight)
        pypto.assemble(m, [at, 0], new_first)
        pypto.assemble(v, [at, 0], new_second)
