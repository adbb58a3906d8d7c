"""RMS norm whose rows are quantised to int8, with a scale for each row."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto

WIDTH = 80
TILE = 8
EPSILON = 1e-5


@pypto.frontend.jit
def rms_quant_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP16),
    gamma: pypto.Tensor([1, WIDTH], pypto.DT_FP32),
    codes: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_INT8),
    scales: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(TILE, WIDTH)
    rows = x.shape[0]
    for block in pypto.loop((rows + TILE - 1) // TILE, name="rows", idx_name="block"):
        top = block * TILE
        left = pypto.min(rows - top, TILE)
        half = pypto.view(x, [TILE, WIDTH], [top, 0], valid_shape=[left, WIDTH])
        wide = pypto.cast(half, pypto.DT_FP32)
        power = pypto.sum(wide * wide, -1, keepdim=True) * (1.0 / WIDTH)
        inverse = pypto.rsqrt(power + EPSILON)
        normal = wide * inverse * gamma
        largest = pypto.amax(pypto.abs(normal), -1, keepdim=True)
        scale = largest * (1.0 / 127.0)
        ratio = normal / scale
        whole = pypto.cast(ratio, pypto.DT_INT32, pypto.CastMode.CAST_RINT)
        short = pypto.cast(whole, pypto.DT_FP16)
        code = pypto.cast(short, pypto.DT_INT8, pypto.CastMode.CAST_RINT)
        pypto.assemble(code, [top, 0], codes)
        pypto.assemble(scale, [top, 0], scales)
