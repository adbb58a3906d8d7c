"""Matrix products: tiles from a configuration, transposes, batches, a fused bias."""
import torch

import pypto
from tiling import CUBE

MODEL = {"m": 32, "k": 64, "n": 32}
M, K, N = MODEL["m"], MODEL["k"], MODEL["n"]


class CubeConfig:
    m = [16, 32]
    k = [16, 64]
    n = [16, 32]
    split_k = False


@pypto.frontend.jit
def matmul_kernel(a: pypto.Tensor([M, K], pypto.DT_FP16), b: pypto.Tensor([K, N], pypto.DT_FP16),
                  c: pypto.Tensor([M, N], pypto.DT_FP32)):
    pypto.set_cube_tile_shapes(CubeConfig.m, CubeConfig.k, CubeConfig.n)
    c[:] = pypto.matmul(a, b, pypto.DT_FP32)


@pypto.frontend.jit
def matmul_square_kernel(a: pypto.Tensor([M, K], pypto.DT_FP16), b: pypto.Tensor([K, N], pypto.DT_FP16),
                         c: pypto.Tensor([M, N], pypto.DT_FP32)):
    pypto.set_cube_tile_shapes([CUBE.l0, CUBE.l1], CUBE.axes(), [CUBE.l0, CUBE.l1])
    c[:] = pypto.matmul(a, b, pypto.DT_FP32)


@pypto.frontend.jit
def matmul_three_levels_kernel(a: pypto.Tensor([M, K], pypto.DT_FP16), b: pypto.Tensor([K, N], pypto.DT_FP16),
                               c: pypto.Tensor([M, N], pypto.DT_FP32)):
    pypto.set_cube_tile_shapes([16, 32], [16, 64, 64], [16, 32])
    c[:] = pypto.matmul(a, b, pypto.DT_FP32)


@pypto.frontend.jit
def matmul_nt_kernel(a: pypto.Tensor([M, K], pypto.DT_BF16), b: pypto.Tensor([N, K], pypto.DT_BF16),
                     c: pypto.Tensor([M, N], pypto.DT_BF16), m0: int, n0: int):
    pypto.set_cube_tile_shapes([m0, M], [16, K], [n0, N])
    c[:] = pypto.matmul(a, b, pypto.DT_BF16, b_trans=True)


@pypto.frontend.jit
def linear_kernel(x: pypto.Tensor([pypto.DYNAMIC, K], pypto.DT_FP16), w: pypto.Tensor([K, N], pypto.DT_FP16),
                  bias: pypto.Tensor([1, N], pypto.DT_FP32), y: pypto.Tensor([pypto.DYNAMIC, N], pypto.DT_FP32)):
    tile_m = 16
    pypto.set_cube_tile_shapes([tile_m, tile_m], [16, w.shape[0]], [16, w.shape[1]])
    pypto.set_vec_tile_shapes(tile_m, w.shape[1])
    rows = x.shape[0]
    for step in pypto.loop((rows + tile_m - 1) // tile_m, name="m", idx_name="step"):
        left = pypto.min(rows - step * tile_m, tile_m)
        part = pypto.view(x, [tile_m, K], [step * tile_m, 0], valid_shape=[left, K])
        pypto.assemble(pypto.matmul(part, w, pypto.DT_FP32) + bias, [step * tile_m, 0], y)


def batched(count):
    @pypto.frontend.jit
    def batched_kernel(a: pypto.Tensor([count, M, K], pypto.DT_FP16), b: pypto.Tensor([count, K, N], pypto.DT_FP16),
                       c: pypto.Tensor([count, M, N], pypto.DT_FP32)):
        pypto.set_cube_tile_shapes([16, 32], [16, 64], [16, 32])
        c[:] = pypto.matmul(a, b, pypto.DT_FP32)
    return batched_kernel


class Linear(torch.autograd.Function):
    """y = x w + bias, with a gradient by torch."""

    @staticmethod
    def forward(ctx, x, w, bias):
        ctx.save_for_backward(x, w)
        y = torch.empty(x.shape[0], N, device=x.device)
        linear_kernel(x, w, bias, y)
        return y

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad.half() @ w.t(), x.t() @ grad.half(), grad.sum(0, keepdim=True)


def close(got, want, tolerance=1e-2):
    return torch.allclose(got.cpu().float(), want.float(), atol=tolerance, rtol=tolerance)


def main():
    torch.manual_seed(5)
    a, b = torch.randn(M, K).half(), torch.randn(K, N).half()
    want = a.float() @ b.float()
    for kernel in (matmul_kernel, matmul_square_kernel, matmul_three_levels_kernel):
        c = torch.empty(M, N, device="npu:0")
        kernel(a.npu(), b.npu(), c)
        assert close(c, want), kernel
    c = torch.empty(M, N, dtype=torch.bfloat16, device="npu:0")
    matmul_nt_kernel(a.bfloat16().npu(), b.t().contiguous().bfloat16().npu(), c, 16, 16)
    assert close(c, a.bfloat16().float() @ b.bfloat16().float(), 0.3)
    for rows in (1, 16, 45):
        x, bias = torch.randn(rows, K).half(), torch.randn(1, N)
        assert close(Linear.apply(x.npu(), b.npu(), bias.npu()), x.float() @ b.float() + bias)
    c = torch.empty(3, M, N, device="npu:0")
    batched(3)(a.expand(3, M, K).contiguous().npu(), b.expand(3, K, N).contiguous().npu(), c)
    assert close(c, want.expand(3, M, N))


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    main()
