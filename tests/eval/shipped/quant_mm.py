"""Quantised products: per-token and per-channel scales, NZ weights, batched, with bias."""
import torch
import torch_npu  # noqa: F401
import pypto
from mla_ops import dequant, quant_per_token


def cube(m=16, k=64, n=64):
    pypto.set_cube_tile_shapes([m, m], [k, k * 2], [n, n])


@pypto.frontend.jit
def w8a8_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_INT8),
    w: pypto.Tensor([128, 256], pypto.DT_INT8, format=pypto.TileOpFormat.TILEOP_NZ),
    x_scale: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    w_scale: pypto.Tensor([1, 256], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_BF16),
):
    m_tile = 32
    m = x.shape[0]
    cube(m_tile)
    pypto.set_vec_tile_shapes(m_tile, 64)
    for i in pypto.loop((m + m_tile - 1) // m_tile, name="LOOP_M", idx_name="i"):
        valid = (m - i * m_tile).min(m_tile)
        xt = pypto.view(x, [m_tile, 128], [i * m_tile, 0], valid_shape=[valid, 128])
        st = pypto.view(x_scale, [m_tile, 1], [i * m_tile, 0], valid_shape=[valid, 1])
        for n in range(0, 256, 128):
            wt = pypto.view(w, [128, 128], [0, n])
            acc = pypto.matmul(xt, wt, pypto.DT_INT32)
            out = dequant(acc, st, pypto.view(w_scale, [1, 128], [0, n]))
            y[i * m_tile:(i + 1) * m_tile, n:n + 128] = pypto.cast(out, pypto.DT_BF16)


@pypto.frontend.jit
def dynamic_quant_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_FP16),
    q: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_INT8),
    scale: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(8, 256)
    for i in pypto.loop(x.shape[0] // 8):
        qt, st = quant_per_token(x[i * 8:i * 8 + 8, :])
        q[i * 8:, :] = qt
        scale[i * 8:, :] = st


@pypto.frontend.jit
def batched_kernel(
    a: pypto.Tensor([4, 32, 64], pypto.DT_FP16),
    b: pypto.Tensor([4, 48, 64], pypto.DT_FP16),
    c: pypto.Tensor([4, 32, 48], pypto.DT_FP32),
):
    cube(16, 32, 16)
    pypto.set_vec_tile_shapes(1, 16, 48)
    c[:] = pypto.matmul(a, b, pypto.DT_FP32, b_trans=True)


@pypto.frontend.jit
def bias_kernel(
    a: pypto.Tensor([32, 64], pypto.DT_FP16),
    b: pypto.Tensor([64, 32], pypto.DT_FP16),
    bias: pypto.Tensor([1, 32], pypto.DT_FP32),
    c: pypto.Tensor([32, 32], pypto.DT_FP32),
):
    cube(16, 32, 32)
    options = {"bias_tensor": bias, "relu_type": pypto.ReLuType.RELU}
    options.pop("relu_type")
    c[:] = pypto.matmul(a, b, pypto.DT_FP32, extend_params=options)


@pypto.frontend.jit
def accumulate_kernel(
    a: pypto.Tensor([32, 512], pypto.DT_BF16),
    b: pypto.Tensor([512, 64], pypto.DT_BF16),
    c: pypto.Tensor([32, 64], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([32, 32], [64, 128], [64, 64], enable_split_k=False)
    pypto.set_vec_tile_shapes(32, 64)
    acc = pypto.tensor([32, 64], pypto.DT_FP32, "acc")
    for k in pypto.loop(0, 512, 128, name="K", idx_name="k", submit_before_loop=True):
        part = pypto.matmul(pypto.view(a, [32, 128], [0, k]), pypto.view(b, [128, 64], [k, 0]), pypto.DT_FP32)
        if pypto.cond(pypto.is_loop_begin(k)):
            acc[:] = part
        else:
            acc[:] = acc + part
        if pypto.cond(pypto.is_loop_end(k)):
            c[:] = acc


@pypto.options(pass_options={"enable_slice": True})
def quant_linear(x, weight, w_scale):
    shape = x.shape
    x = x.reshape(-1, shape[-1])
    rows = x.size(0)
    pad = -rows % 8
    if pad:
        x = torch.cat([x, x.new_zeros(pad, x.size(1))])
    q = torch.empty(x.shape, dtype=torch.int8, device=x.device)
    scale = torch.empty((x.shape[0], 1), dtype=torch.float32, device=x.device)
    dynamic_quant_kernel(x, q, scale)
    return q[:rows], scale[:rows]


def main():
    d = "npu:0"
    for m in (32, 50):
        w = torch_npu.npu_format_cast(torch.randint(-9, 9, (128, 256), dtype=torch.int8, device=d), 29)
        w8a8_kernel(torch.randint(-9, 9, (m, 128), dtype=torch.int8, device=d), w, torch.rand(m, 1, device=d),
                    torch.rand(1, 256, device=d), torch.zeros(m, 256, dtype=torch.bfloat16, device=d))
    quant_linear(torch.randn(2, 8, 256).half().to(d), None, None)
    quant_linear(torch.randn(13, 256).half().to(d), None, None)
    a, b = torch.randn(4, 32, 64).half().to(d), torch.randn(4, 48, 64).half().to(d)
    batched_kernel(a, b, torch.zeros(4, 32, 48, device=d))
    bias_kernel(a[0], torch.randn(64, 32).half().to(d), torch.randn(1, 32).to(d), torch.zeros(32, 32).to(d))
    accumulate_kernel(torch.randn(32, 512).bfloat16().to(d), torch.randn(512, 64).bfloat16().to(d), torch.zeros(32, 64).to(d))


if __name__ == "__main__":
    main()
