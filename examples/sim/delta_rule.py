"""The gated delta rule: a matrix of state that each step decays, corrects and reads."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WIDTH = 64


@pypto.frontend.jit
def delta_kernel(
    query: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    key: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    value: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    rate: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    gate: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(WIDTH, WIDTH)
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
    state = pypto.zeros(WIDTH, WIDTH)
    for step in pypto.loop(query.shape[0], name="steps", idx_name="step"):
        k = pypto.view(key, [1, WIDTH], [step, 0])
        v = pypto.view(value, [1, WIDTH], [step, 0])
        decayed = state * pypto.exp(pypto.view(gate, [1, 1], [step, 0]))
        known = pypto.matmul(k, decayed, pypto.DT_FP32)
        correction = (v - known) * pypto.view(rate, [1, 1], [step, 0])
        state[:] = decayed + pypto.matmul(k, correction, pypto.DT_FP32, a_trans=True)
        q = pypto.view(query, [1, WIDTH], [step, 0])
        pypto.assemble(pypto.matmul(q, state, pypto.DT_FP32), [step, 0], y)


def main():
    torch.manual_seed(12)
    checks = Checks("delta_rule")
    for steps in (1, 19):
        given = [torch.randn(steps, WIDTH) * 0.3 for _ in range(3)]
        given += [torch.rand(steps, 1), -torch.rand(steps, 1)]
        y = torch.zeros(steps, WIDTH, device=DEVICE)
        delta_kernel(*[tensor.to(DEVICE) for tensor in given], y)
        state, rows = torch.zeros(WIDTH, WIDTH), []
        for q, k, v, b, g in zip(*given):
            state = state * g.exp()
            state = state + torch.outer(k, (v - k @ state) * b)
            rows.append(q @ state)
        checks.close(f"{steps} steps", y, torch.stack(rows), 1e-4, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()
