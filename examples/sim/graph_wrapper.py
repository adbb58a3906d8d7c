"""A kernel as an operator of a model: in torch.compile with torchair, and replayed from a graph."""
import torch
import torch_npu  # noqa: F401  (registers the device)
import torchair
from torch._dynamo import allow_in_graph
from torchair.configs.compiler_config import CompilerConfig

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 64
TILE = 16


@pypto.frontend.jit
def add_norm_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    residual: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    rows = x.shape[0]
    pypto.set_vec_tile_shapes(TILE, WIDTH)
    for block in pypto.loop((rows + TILE - 1) // TILE, name="blocks", idx_name="block"):
        start = block * TILE
        left = pypto.min(rows - start, TILE)
        added = (pypto.view(x, [TILE, WIDTH], [start, 0], valid_shape=[left, WIDTH]) +
                 pypto.view(residual, [TILE, WIDTH], [start, 0], valid_shape=[left, WIDTH]))
        square = pypto.sum(added * added, -1, keepdim=True) * (1.0 / WIDTH)
        pypto.assemble(added * pypto.rsqrt(square + 1e-6), [start, 0], y)


@allow_in_graph
def add_norm(x, residual):
    """What a model calls; the compiler does not look into it."""
    y = torch.empty_like(x)
    add_norm_kernel(x, residual, y)
    return y


def main():
    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.project = torch.nn.Linear(WIDTH, WIDTH, bias=False)

        def forward(self, x):
            return add_norm(self.project(x), x)

    def reference(added):
        return added / (added.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()

    torch.manual_seed(18)
    checks = Checks("graph_wrapper")
    block = Block().to(DEVICE)
    config = CompilerConfig()
    config.mode = "reduce-overhead"
    config.experimental_config.frozen_parameter = True
    compiled = torch.compile(block, dynamic=False, fullgraph=True,
                             backend=torchair.get_npu_backend(compiler_config=config))
    with torch.no_grad():
        for rows in (16, 37):
            x = torch.randn(rows, WIDTH)
            added = x @ block.project.weight.cpu().t() + x
            checks.close(f"compiled, {rows} rows", compiled(x.to(DEVICE)), reference(added), 1e-4)
        # Captured once, then replayed with other numbers in the same memory.
        x, y = torch.zeros(21, WIDTH, device=DEVICE), torch.zeros(21, WIDTH, device=DEVICE)
        residual = torch.ones(21, WIDTH, device=DEVICE)
        graph = torch.npu.NPUGraph()
        with torch.npu.graph(graph):
            add_norm_kernel(x, residual, y)
        for number in range(2):
            values = torch.randn(21, WIDTH)
            x.copy_(values)
            graph.replay()
            checks.close(f"replay {number}", y, reference(values + 1), 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
