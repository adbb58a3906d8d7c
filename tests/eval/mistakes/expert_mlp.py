"""A gated product for each expert: a dataclass, a factory, functools.partial, star arguments, a context manager."""
import contextlib
import functools
from dataclasses import dataclass, field

import torch
import torch_npu  # noqa: F401

import pypto


@dataclass(frozen=True)
class Config:
    experts: int = 2
    rows: int = 16
    hidden: int = 64
    inner: int = 128
    dtype: object = pypto.DT_FP16
    vector: list = field(default_factory=lambda: [8, 128])
    options: dict = field(default_factory=lambda: {"alpha": 1.5, "limit": 7.0})


@contextlib.contextmanager
def narrow_tile(*entries):
    with pypto.options(vec_tile_shapes=list(entries)):
        yield


@contextlib.contextmanager
def labelled(name, rows):
    pypto.set_semantic_label(name)
    yield rows * 2
    pypto.set_semantic_label("")


def gate(up, gated, alpha, limit=None):
    if limit is not None:
        gated = pypto.minimum(gated, limit)
        up = pypto.maximum(up, -limit)
    return gated * pypto.sigmoid(gated * alpha) * up


def project(x, weight, *, out_dtype, trans=False):
    return pypto.matmul(x, weight, out_dtype, b_trans=trans)


def collect(parts, tensor, rows):
    for number in range(2):
        parts.append(pypto.view(tensor, [rows, tensor.shape[1]], [number * rows, 0]))


def fill(found, product, *others):
    for number, tensor in enumerate((product, *others)):
        found.append(tensor if number == 0 else tensor * 1.0)


def make_kernel(config):
    rows, hidden, inner = config.rows, config.hidden, config.inner
    product = functools.partial(project, out_dtype=pypto.DT_FP32)

    @pypto.frontend.jit
    def expert_kernel(
        x: pypto.Tensor([rows, hidden], config.dtype),
        w_up: pypto.Tensor([config.experts * hidden, inner], config.dtype),
        w_gate: pypto.Tensor([config.experts * hidden, inner], config.dtype),
        w_down: pypto.Tensor([config.experts * inner, hidden], config.dtype),
        y: pypto.Tensor([config.experts * rows, hidden], pypto.DT_FP32),
    ):
        pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
        pypto.set_vec_tile_shapes(*config.vector)
        ups, gates = [], []
        for expert in range(config.experts):
            fill(ups, product(x, pypto.view(w_up, [hidden, inner], [expert * hidden, 0])))
            fill(gates, product(x, pypto.view(w_gate, [hidden, inner], [expert * hidden, 0])))
        for expert in range(config.experts):
            mixed = gate(ups[expert], gates[expert], **config.options)
            mixed = pypto.cast(mixed, config.dtype)
            down = w_down[expert * inner:(expert + 1) * inner, :]
            pypto.assemble(product(mixed, down), [expert * rows, 0], y)

    return expert_kernel


def scaled(x, factor):
    with narrow_tile(8, 64):
        halves = []
        collect(halves, x, 8)
        with labelled("halves", 4) as rows:
            window = pypto.view(halves[0], [rows, 64], [0, 0])
        joined = pypto.concat([half * factor for half in halves], 0)
        return joined + pypto.sum(window, 0, keepdim=True)


@pypto.frontend.jit
def scale_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y[:] = scaled(x, 0.5)


class Experts:
    def __init__(self, config=None):
        self.config = config or Config()
        self.kernel = make_kernel(self.config)

    def weights(self):
        c = self.config
        shapes = dict(up=(c.experts * c.hidden, c.inner), gate=(c.experts * c.hidden, c.inner),
                      down=(c.experts * c.inner, c.hidden))
        return {name: torch.rand(*shape, dtype=torch.float16) for name, shape in shapes.items()}

    def __call__(self, x, weights):
        c = self.config
        y = torch.zeros(c.experts * c.rows, c.hidden, dtype=torch.float32, device=x.device)
        self.kernel(x, weights["up"], weights["gate"], weights["down"], y)
        return y


def main():
    experts = Experts(Config(rows=16))
    x = torch.rand(16, 64).to(torch.float16)
    y = experts(x, experts.weights())
    scale_kernel(y[:16], torch.empty(16, 64))


if __name__ == "__main__":
    main()
