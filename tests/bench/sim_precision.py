"""What --precision costs: the same launches without and with it, turn about in one process;
medians of processor time.

Usage: sim_precision.py BUILD_FOLDER
"""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(sys.argv[1], "share/pypto-lint/sim"))
os.environ.update(PTOSIM_RUN_MODE="SIM", PTOSIM_THREADS="1")
import torch  # noqa: E402
import pypto  # noqa: E402
from pypto import _precision  # noqa: E402

F32, BF16, F16 = pypto.DT_FP32, pypto.DT_BF16, pypto.DT_FP16
TURNS, ROUNDS = 2000, 61


@pypto.frontend.jit
def small(x: pypto.Tensor([512, 16], F32), y: pypto.Tensor([512, 16], F32)):
    pypto.set_vec_tile_shapes(16, 16)
    for i in pypto.loop(TURNS):
        part = pypto.view(x, [16, 16], [i % 32 * 16, 0])
        pypto.assemble(part + part, [i % 32 * 16, 0], y)


@pypto.frontend.jit
def softmax(x: pypto.Tensor([512, 128], F16), y: pypto.Tensor([512, 128], F16)):
    pypto.set_vec_tile_shapes(32, 128)
    for i in pypto.loop(TURNS // 20):
        part = pypto.cast(pypto.view(x, [32, 128], [i % 16 * 32, 0]), F32)
        power = pypto.exp(part - pypto.amax(part, -1, True))
        pypto.assemble(pypto.cast(power / pypto.sum(power, -1, True), F16), [i % 16 * 32, 0], y)


@pypto.frontend.jit
def chain(x: pypto.Tensor([512, 128], F32), y: pypto.Tensor([512, 128], F32)):
    pypto.set_vec_tile_shapes(64, 128)
    for i in pypto.loop(TURNS // 20):
        part = pypto.view(x, [64, 128], [i % 8 * 64, 0])
        part = pypto.relu(part * part + 1.0) - part
        part = part * 0.5 + part / (part * part + 2.0)
        pypto.assemble(part, [i % 8 * 64, 0], y)


@pypto.frontend.jit
def attention(q: pypto.Tensor([64, 128], BF16), k: pypto.Tensor([2048, 128], BF16),
              o: pypto.Tensor([64, 128], F32)):
    pypto.set_vec_tile_shapes(64, 128)
    pypto.set_cube_tile_shapes([64, 64], [128, 128], [128, 128])
    acc = pypto.tensor([64, 128], F32)
    acc[:] = pypto.full([64, 128], 0.0, F32)
    for i in pypto.loop(16):
        block = pypto.view(k, [128, 128], [i * 128, 0])
        scores = pypto.matmul(q, block, F32, b_trans=True)
        weights = pypto.cast(pypto.exp(scores * 0.01), BF16)
        acc[:] = acc + pypto.matmul(weights, block, F32)
    o[:] = acc


KERNELS = {
    "view, add, assemble of 16x16 F32": (small, (512, 16), (512, 16)),
    "softmax of 32x128 F16 by way of F32": (softmax, (512, 128), (512, 128)),
    "arithmetic on 64x128 F32": (chain, (512, 128), (512, 128)),
    "attention of 64x128 BF16 with 2048 keys": (attention, (64, 128), (2048, 128), (64, 128)),
}


def seconds(kernel, tensors, looks):
    """The processor time of a launch."""
    if looks:
        _precision.start()
    before = time.process_time()
    kernel(*tensors)
    spent = time.process_time() - before
    if looks:
        _precision.stop()
    return spent


def main():
    """One line a kernel."""
    for name, (kernel, *shapes) in KERNELS.items():
        kinds = {softmax: (torch.half, torch.half),
                 attention: (torch.bfloat16, torch.bfloat16, torch.float)}.get(
                     kernel, (torch.float, torch.float))
        tensors = [torch.rand(shape).to(kind) for shape, kind in zip(shapes, kinds)]
        kernel(*tensors)
        turns = [(seconds(kernel, tensors, False), seconds(kernel, tensors, True))
                 for _ in range(ROUNDS)]
        plain, looked = (statistics.median(column) for column in zip(*turns))
        print("%-42s %8.2f ms %8.2f ms  x %.2f" % (name, plain * 1e3, looked * 1e3, looked / plain))


if __name__ == "__main__":
    main()
