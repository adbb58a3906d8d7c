"""Routing, quantisation and moving of rows, as the models use them."""
import torch

import pypto

ROWS, WIDTH, EXPERTS = 32, 64, 16
INT8_MAX = 127.0
STEPS = (1, 2, 4)
CONFIG = dict(vec=(8, 64), router=(8, 16))


def row_scale(x):
    """The scale of each row for eight bits."""
    return pypto.amax(pypto.abs(x), -1, keepdim=True) * (1.0 / INT8_MAX)


@pypto.frontend.jit
def quantise_kernel(x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), q: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
                    scale: pypto.Tensor([ROWS, 1], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(CONFIG["vec"][0], CONFIG["vec"][1])
    step = row_scale(x)
    scale[:] = step
    q[:] = pypto.round(x / step)


@pypto.frontend.jit
def dequantise_kernel(q: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), scale: pypto.Tensor([ROWS, 1], pypto.DT_FP32),
                      y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(*CONFIG["vec"])
    y[:] = q * scale


@pypto.frontend.jit
def router_kernel(logits: pypto.Tensor([ROWS, EXPERTS], pypto.DT_FP32),
                  weights: pypto.Tensor([ROWS, EXPERTS], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(*CONFIG["router"])
    weights[:] = pypto.softmax(logits, -1)


@pypto.frontend.jit
def gated_router_kernel(logits: pypto.Tensor([ROWS, EXPERTS], pypto.DT_BF16),
                        bias: pypto.Tensor([1, EXPERTS], pypto.DT_FP32),
                        weights: pypto.Tensor([ROWS, EXPERTS], pypto.DT_FP32)):
    rows, experts = CONFIG["router"]
    pypto.set_vec_tile_shapes(rows, experts)
    weights[:] = pypto.sigmoid(pypto.cast(logits, pypto.DT_FP32)) + bias


@pypto.frontend.jit
def transpose_kernel(x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), y: pypto.Tensor([WIDTH, ROWS], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 8)
    y[:] = pypto.transpose(x, 0, 1)


@pypto.frontend.jit
def concat_kernel(a: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), b: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
                  y: pypto.Tensor([ROWS, 2 * WIDTH], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, WIDTH)
    y[:, :WIDTH] = a * 1.0
    y[:, WIDTH:] = b * 1.0


@pypto.frontend.jit
def swap_halves_kernel(x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32)):
    half = WIDTH // 2
    pypto.set_vec_tile_shapes(8, half)
    pypto.assemble(x[:, half:] * 1.0, [0, 0], y)
    pypto.assemble(x[:, :half] * 1.0, [0, half], y)


@pypto.frontend.jit
def powers_kernel(x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, WIDTH)
    current = x * 1.0
    for _ in range(len(STEPS)):
        current = current * current
    y[:] = current


@pypto.frontend.jit
def where_kernel(x: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), y: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
                 limit: float = 0.0):
    pypto.set_vec_tile_shapes(8, WIDTH)
    y[:] = pypto.where(pypto.gt(x, limit), x, x * 0.1)


@pypto.frontend.jit
def accumulate_kernel(x: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
                      y: pypto.Tensor([1, WIDTH], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(1, WIDTH)
    total = pypto.tensor([1, WIDTH], pypto.DT_FP32, "total")
    for row in pypto.loop(x.shape[0], name="rows", idx_name="row"):
        part = pypto.view(x, [1, WIDTH], [row, 0])
        if pypto.is_loop_begin(row):
            total[:] = part * 1.0
        else:
            total[:] = total + part
        if pypto.is_loop_end(row):
            y[:] = total * 1.0


@pypto.frontend.jit
def step_kernel(weights: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), grad: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
                momentum: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32), out: pypto.Tensor([ROWS, WIDTH], pypto.DT_FP32),
                rate: float, decay: float):
    pypto.set_vec_tile_shapes(8, WIDTH)
    velocity = momentum * decay + grad
    out[:] = weights - velocity * rate


def moe_weights(logits, top):
    """The kernel's softmax; which experts count is the host's choice."""
    weights = torch.empty_like(logits)
    router_kernel(logits, weights)
    chosen, experts = torch.topk(weights, top, -1)
    return chosen / chosen.sum(-1, keepdim=True), experts


def quantise(x):
    q, scale = torch.empty_like(x), torch.empty(ROWS, 1, device=x.device)
    quantise_kernel(x, q, scale)
    return q.to(torch.int8), scale


def same(name, got, want, tolerance=1e-4):
    assert torch.allclose(got.cpu().float(), want.float(), atol=tolerance, rtol=tolerance), name


def main():
    torch.manual_seed(7)
    x, z = torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH)
    y = torch.empty(ROWS, WIDTH, device="npu:0")
    q, scale = quantise(x.npu())
    dequantise_kernel(q.float(), scale, y)
    same("quantised", y, x, 0.05)
    logits = torch.randn(ROWS, EXPERTS)
    chosen, _ = moe_weights(logits.npu(), 2)
    want = torch.topk(torch.softmax(logits, -1), 2, -1).values
    same("experts", chosen, want / want.sum(-1, keepdim=True))
    weights = torch.empty(ROWS, EXPERTS, device="npu:0")
    gated_router_kernel(logits.bfloat16().npu(), torch.ones(1, EXPERTS).npu(), weights)
    same("gated", weights, torch.sigmoid(logits.bfloat16().float()) + 1.0)
    turned = torch.empty(WIDTH, ROWS, device="npu:0")
    transpose_kernel(x.npu(), turned)
    same("transpose", turned, x.t())
    both = torch.empty(ROWS, 2 * WIDTH, device="npu:0")
    concat_kernel(x.npu(), z.npu(), both)
    same("concat", both, torch.cat((x, z), -1))
    swap_halves_kernel(x.npu(), y)
    same("swap", y, torch.roll(x, WIDTH // 2, -1))
    powers_kernel(x.npu(), y)
    same("powers", y, x ** 8, 1e-2)
    where_kernel(x.npu(), y)
    same("where", y, torch.where(x > 0, x, x * 0.1))
    total = torch.empty(1, WIDTH, device="npu:0")
    accumulate_kernel(x.npu(), total)
    same("accumulated", total, x.sum(0, keepdim=True))
    step_kernel(x.npu(), z.npu(), torch.zeros(ROWS, WIDTH).npu(), y, 0.1, 0.9)
    same("step", y, x - z * 0.1)


if __name__ == "__main__":
    import torch_npu  # noqa: F401
    main()
