"""PyPTO 9.2: a recurrent layer; its hidden state is a carried name, its gates are a helper's."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
BATCH = 16
WIDTH = 32
HIDDEN = 48
GATES = 144  # three times HIDDEN


def project(rows, weight, bias):
    """The parts for reset gate, update gate and candidate."""
    gates = pypto.matmul(rows, weight, pypto.DT_FP32, b_trans=True) + bias
    return gates[:, :HIDDEN], gates[:, HIDDEN:2 * HIDDEN], gates[:, 2 * HIDDEN:]


@pypto.jit
def gru_kernel(
    x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    start: pypto.Tensor([BATCH, HIDDEN], pypto.DT_FP32),
    input_weight: pypto.Tensor([GATES, WIDTH], pypto.DT_FP32),
    hidden_weight: pypto.Tensor([GATES, HIDDEN], pypto.DT_FP32),
    input_bias: pypto.Tensor([1, GATES], pypto.DT_FP32),
    hidden_bias: pypto.Tensor([1, GATES], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, HIDDEN], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(BATCH, GATES)
    pypto.set_cube_tile_shapes([16, 16], [16, 48], [48, 144])
    state = start
    for step in pypto.loop(x.shape[0] // BATCH, name="steps", idx_name="step"):
        rows = pypto.view(x, [BATCH, WIDTH], [step * BATCH, 0])
        input_reset, input_update, input_new = project(rows, input_weight, input_bias)
        reset, update, new = project(state, hidden_weight, hidden_bias)
        candidate = pypto.tanh(input_new + pypto.sigmoid(input_reset + reset) * new)
        keep = pypto.sigmoid(input_update + update)
        state = candidate * (1.0 - keep) + state * keep
        pypto.assemble(state, [step * BATCH, 0], y)


def main():
    torch.manual_seed(17)
    checks = Checks("gru_cell")
    layer = torch.nn.GRU(WIDTH, HIDDEN)
    parameters = [t.detach() for t in (layer.weight_ih_l0, layer.weight_hh_l0,
                                       layer.bias_ih_l0[None], layer.bias_hh_l0[None])]
    for steps in (1, 9):
        x, start = torch.randn(steps, BATCH, WIDTH), torch.randn(BATCH, HIDDEN)
        y = torch.zeros(steps * BATCH, HIDDEN, device=DEVICE)
        gru_kernel(x.flatten(0, 1).to(DEVICE), start.to(DEVICE),
                   *[t.contiguous().to(DEVICE) for t in parameters], y)
        expected = layer(x, start[None])[0].detach()
        checks.close(f"{steps} steps", y, expected.flatten(0, 1), 1e-5)
    checks.finish()


if __name__ == "__main__":
    main()
