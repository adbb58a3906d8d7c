"""A loop over sizes that only the launch makes known."""
from dataclasses import dataclass

import pypto
import torch


@dataclass
class Cfg:
    rows: int = 16
    eps: float = 1e-6
    name: str = "a"


def add_eps(t, cfg):
    return t + cfg.eps


@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32),
           y: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32), cfg, mode):
    rows, columns = x.shape
    pypto.set_vec_tile_shapes(16, columns)
    for b in range(rows // 16):
        part = pypto.view(x, [16, columns], [b * 16, 0])
        if mode == "fast":
            part = add_eps(part, cfg)
        else:
            part = part * cfg.eps
        pypto.assemble(part, [b * 16, 0], y)


def test_kernel():
    x = torch.rand(64, 64)
    y = torch.empty(64, 64)
    kernel(x, y, Cfg(), "fast")


if __name__ == "__main__":
    test_kernel()
