"""PyPTO 9.2: a vector carried by its name until it is the eigenvector of the largest eigenvalue."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
SIZE = 48
ROUNDS = 40


def scaled(row):
    """The row with length one, and the length that it had."""
    length = pypto.sqrt(pypto.sum(row * row, -1, keepdim=True))
    return row / length, length


@pypto.jit
def eigen_kernel(
    matrix: pypto.Tensor[[SIZE, SIZE], pypto.DT_FP32],
    start: pypto.Tensor[[1, SIZE], pypto.DT_FP32],
    vector: pypto.Tensor[[1, SIZE], pypto.DT_FP32],
    value: pypto.Tensor[[1, 1], pypto.DT_FP32],
):
    pypto.set_vec_tile_shapes(1, SIZE)
    pypto.set_cube_tile_shapes([16, 16], [48, 48], [48, 48])
    guess, size = scaled(start)
    for _ in pypto.loop(ROUNDS, name="rounds", idx_name="step"):
        guess, size = scaled(pypto.matmul(guess, matrix, pypto.DT_FP32))
    vector[:] = guess
    value[:] = size


def main():
    torch.manual_seed(1)
    checks = Checks("power_iteration")
    basis, _ = torch.linalg.qr(torch.randn(SIZE, SIZE, dtype=torch.float64))
    values = torch.linspace(0.1, 1.0, SIZE, dtype=torch.float64)
    values[-1] = 2.0  # far from the others
    matrix = ((basis * values) @ basis.t()).float()
    start = (basis[:, -1] + basis[:, 0])[None].float()
    vector, value = torch.zeros(1, SIZE, device=DEVICE), torch.zeros(1, 1, device=DEVICE)
    eigen_kernel(matrix.to(DEVICE), start.to(DEVICE), vector, value)
    checks.close("eigenvector", vector, basis[:, -1][None].float(), 1e-4)
    checks.close("eigenvalue", value, torch.tensor([[2.0]]), 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
