"""Average and largest of groups of rows; the loops are unrolled by several factors."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
GROUP = 4
WIDTH = 40
FACTORS = (8, 4, 2)


@pypto.frontend.jit
def pooling_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    means: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    peaks: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    groups = x.shape[0] // GROUP
    pypto.set_vec_tile_shapes(GROUP, WIDTH)
    # The frontend repeats this body 8, 4, 2 and 1 times and splits the range greedily.
    for group in pypto.loop(groups, name="means", idx_name="group", unroll_list=set(FACTORS)):
        rows = pypto.view(x, [GROUP, WIDTH], [group * GROUP, 0])
        pypto.assemble(pypto.sum(rows, 0, keepdim=True) / float(GROUP), [group, 0], means)
    # Here the body handles `factor` groups at once.
    for group, factor in pypto.loop_unroll(groups, name="peaks", idx_name="place",
                                           unroll_list=[4, 2, 1]):
        rows = pypto.view(x, [factor * GROUP, WIDTH], [group * GROUP, 0])
        for part in range(factor):
            few = pypto.view(rows, [GROUP, WIDTH], [part * GROUP, 0])
            pypto.assemble(pypto.amax(few, 0, keepdim=True), [group + part, 0], peaks)


def main():
    torch.manual_seed(4)
    checks = Checks("unrolled_pooling")
    for groups in (1, 7, 15, 23):
        x = torch.randn(groups * GROUP, WIDTH)
        means, peaks = (torch.zeros(groups, WIDTH, device=DEVICE) for _ in range(2))
        pooling_kernel(x.to(DEVICE), means, peaks)
        columns = x.t()[None]
        checks.close(f"{groups} groups, mean", means,
                     torch.nn.functional.avg_pool1d(columns, GROUP)[0].t())
        checks.equal(f"{groups} groups, peak", peaks,
                     torch.nn.functional.max_pool1d(columns, GROUP)[0].t())
    checks.finish()


if __name__ == "__main__":
    main()
