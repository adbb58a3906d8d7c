"""Times a product of 1024³ in F32 and BF16, in the simulator and in torch on the same cores.

Usage: pypto-lint run tests/bench/sim_matmul.py [THREADS]. Prints the least of five runs each.
"""
import sys
import time

import torch

import pypto

SIZE = 1024
ROUNDS = 5


def kernel(dtype):
    """A kernel that multiplies two matrices of that dtype into F32."""
    @pypto.frontend.jit
    def matmul_kernel(
        a: pypto.Tensor([SIZE, SIZE], dtype),
        b: pypto.Tensor([SIZE, SIZE], dtype),
        c: pypto.Tensor([SIZE, SIZE], pypto.DT_FP32),
    ):
        pypto.set_cube_tile_shapes([128, 128], [64, 256], [128, 128])
        c[:] = pypto.matmul(a, b, pypto.DT_FP32)
    return matmul_kernel


def least(function):
    """Milliseconds of the fastest run."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def main():
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    for dtype, torch_dtype in ((pypto.DT_FP32, torch.float32), (pypto.DT_BF16, torch.bfloat16)):
        a, b = (torch.randn(SIZE, SIZE).to(torch_dtype) for _ in range(2))
        c = torch.zeros(SIZE, SIZE)
        multiply = kernel(dtype)
        multiply(a, b, c)  # records it
        print("%s: simulator %.1f ms, torch %.1f ms" % (
            torch_dtype, least(lambda: multiply(a, b, c)), least(lambda: torch.mm(a, b))))


if __name__ == "__main__":
    main()
