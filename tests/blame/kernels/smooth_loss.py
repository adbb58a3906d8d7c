"""Cross entropy with label smoothing, one loss for each token."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

CLASSES = 120
TILE = 8
SMOOTH = 0.1


@pypto.frontend.jit
def smooth_loss_kernel(
    logits: pypto.Tensor([pypto.DYNAMIC, CLASSES], pypto.DT_FP32),
    labels: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_INT32),
    loss: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TILE, CLASSES)
    tokens = logits.shape[0]
    for step in pypto.loop((tokens + TILE - 1) // TILE, name="tokens", idx_name="step"):
        at = step * TILE
        left = pypto.min(tokens - at, TILE)
        row = pypto.view(logits, [TILE, CLASSES], [at, 0], valid_shape=[left, CLASSES])
        label = pypto.view(labels, [TILE, 1], [at, 0], valid_shape=[left, 1])
        peak = pypto.amax(row, -1, keepdim=True)
        centred = row - peak
        mass = pypto.sum(pypto.exp(centred), -1, keepdim=True)
        log_mass = pypto.log(mass)
        picked = pypto.gather(centred, 1, label)
        hit = log_mass - picked
        average = pypto.sum(centred, -1, keepdim=True) * (1.0 / CLASSES)
        spread = log_mass - average
        pypto.assemble(hit * (1.0 - SMOOTH) + spread * SMOOTH, [at, 0], loss)
