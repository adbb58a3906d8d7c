"""Normalisations chosen by name: closures, comprehensions, names that loops bind again, nested loops."""
import torch
import torch_npu  # noqa: F401

import pypto

SIZES = {"small": (16, 64), "wide": (8, 128)}
STEPS = ("rms", "layer", "rms")


def rms(x, eps):
    mean = pypto.sum(x * x, -1, keepdim=True) * (1.0 / x.shape[-1])
    return x * pypto.rsqrt(mean + eps)


def layer(x, eps):
    width = x.shape[1]
    mean = pypto.sum(x, 1, keepdim=True) / width
    rest = x - mean
    return rest / pypto.sqrt(pypto.sum(rest * rest, 1, keepdim=True) / width + eps)


NORMS = {"rms": rms, "layer": layer}


def chain(names, eps=1e-6):
    steps = [NORMS[name] for name in names]

    def apply(x):
        value = x * 1.0
        for step in steps:
            value = step(value, eps)
        return value

    return apply


def build(size):
    rows, cols = SIZES[size]
    norm = chain(STEPS)

    @pypto.frontend.jit
    def norm_kernel(
        x: pypto.Tensor([2 * rows, cols], pypto.DT_BF16),
        gamma: pypto.Tensor([1, cols], pypto.DT_FP32),
        y: pypto.Tensor([2 * rows, cols], pypto.DT_BF16),
        total: pypto.Tensor([rows, 1], pypto.DT_FP32),
    ):
        pypto.set_vec_tile_shapes(rows // 2, cols)
        acc = pypto.tensor([rows, 1], pypto.DT_FP32, "acc")
        acc[:] = pypto.full([rows, 1], 0.0, pypto.DT_FP32)
        for half in pypto.loop(2, name=f"HALF_{rows}", idx_name="half"):
            start = half * rows
            part = pypto.cast(pypto.view(x, [rows, cols], [start, 0]), pypto.DT_FP32)
            result = norm(part) * gamma
            for power in range(2):
                result = result * 0.5 if power else result + part
            acc[:] = acc + pypto.sum(result, -1, keepdim=True)
            y[start:start + rows, :] = pypto.cast(result, pypto.DT_BF16)
        total[:] = acc * 1.0

    return norm_kernel


@pypto.frontend.jit
def pooled_kernel(
    x: pypto.Tensor([4, 32, 64], pypto.DT_FP32),
    y: pypto.Tensor([4, 64], pypto.DT_FP32),
    z: pypto.Tensor([4, 64, 32], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 32, 64)
    for outer in pypto.loop(2, idx_name="outer"):
        for inner in pypto.loop(2, idx_name="inner"):
            number = outer * 2 + inner
            item = pypto.view(x, [1, 32, 64], [number, 0, 0])
            flipped = pypto.transpose(item, 1, 2)
            pypto.assemble(flipped, [number, 0, 0], z)
            mean = pypto.sum(item, 1) / 32.0
            pypto.set_vec_tile_shapes(1, 64)
            y[number:number + 1, :] = pypto.clip(mean, -1.0, 1.0)
            pypto.set_vec_tile_shapes(1, 32, 64)


def run(size):
    rows, cols = SIZES[size]
    kernel = build(size)
    inputs = [torch.rand(2 * rows, cols).bfloat16(), torch.ones(1, cols)]
    outputs = [torch.zeros_like(inputs[0]), torch.zeros(rows, 1)]
    kernel(*inputs, *outputs)
    return outputs


def main():
    for size in SIZES:
        run(size)
    x = torch.rand(4, 32, 64)
    pooled_kernel(x, torch.zeros(4, 64), torch.zeros(4, 64, 32))


if __name__ == "__main__":
    main()
