"""Matrix products by tiles: all transposes, a bias, and sizes that are no multiple of a tile."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS, DEPTH, COLUMNS = 75, 50, 41


def product(a_trans, b_trans):
    """A kernel for one combination of transposes, F32, with a bias."""
    a_shape = [DEPTH, ROWS] if a_trans else [ROWS, DEPTH]
    b_shape = [COLUMNS, DEPTH] if b_trans else [DEPTH, COLUMNS]

    @pypto.frontend.jit
    def product_kernel(
        a: pypto.Tensor(a_shape, pypto.DT_FP32),
        b: pypto.Tensor(b_shape, pypto.DT_FP32),
        bias: pypto.Tensor([1, COLUMNS], pypto.DT_FP32),
        c: pypto.Tensor([ROWS, COLUMNS], pypto.DT_FP32),
    ):
        pypto.set_cube_tile_shapes([32, 64], [16, 64], [16, 32])
        c[:] = pypto.matmul(a, b, pypto.DT_FP32, a_trans=a_trans, b_trans=b_trans,
                            extend_params={"bias_tensor": bias})
    return product_kernel


@pypto.frontend.jit
def row_blocks_kernel(
    a: pypto.Tensor([pypto.DYNAMIC, DEPTH], pypto.DT_FP16),
    b: pypto.Tensor([DEPTH, COLUMNS], pypto.DT_FP16),
    c: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [16, 64], [16, 32])
    rows = a.shape[0]
    for step in pypto.loop((rows + 15) // 16, name="row_blocks", idx_name="step"):
        start = step * 16
        block = pypto.view(a, [16, DEPTH], [start, 0],
                           valid_shape=[pypto.min(rows - start, 16), DEPTH])
        pypto.assemble(pypto.matmul(block, b, pypto.DT_FP32), [start, 0], c)


def main():
    torch.manual_seed(8)
    checks = Checks("matmul_tiled")
    for a_trans in (False, True):
        for b_trans in (False, True):
            a, b = torch.randn(ROWS, DEPTH), torch.randn(DEPTH, COLUMNS)
            bias = torch.randn(1, COLUMNS)
            c = torch.zeros(ROWS, COLUMNS, device=DEVICE)
            left = a.t().contiguous() if a_trans else a
            right = b.t().contiguous() if b_trans else b
            product(a_trans, b_trans)(left.to(DEVICE), right.to(DEVICE), bias.to(DEVICE), c)
            want = (a.double() @ b.double() + bias.double()).float()
            checks.close(f"a_trans={a_trans} b_trans={b_trans}", c, want, 1e-4, 1e-4)
    for rows in (1, 16, 75):
        a, b = torch.randn(rows, DEPTH).half(), torch.randn(DEPTH, COLUMNS).half()
        c = torch.zeros(rows, COLUMNS, device=DEVICE)
        row_blocks_kernel(a.to(DEVICE), b.to(DEVICE), c)
        checks.close(f"{rows} rows in blocks", c, a.float() @ b.float(), 1e-4, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
