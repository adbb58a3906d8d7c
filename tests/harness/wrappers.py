"""Wrappers of one operator that doubles its input: those that cheat, and those that are odd but right.

Each is a function of the input x (rows × 16, F32). The kernels: `double(x, y)` writes 2x, `heads(x, y)`
only the first 16 rows of it, `twice(x)` doubles its argument in place, `copy(x, y)` copies.
"""

HEAD = '''
import numpy
import pypto
import torch
import double_helper

DYN = pypto.DYN


@pypto.frontend.jit
def double(x: pypto.Tensor([DYN, 16], pypto.DT_FP32), y: pypto.Tensor([DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    for i in pypto.loop((x.shape[0] + 15) // 16):
        rows = pypto.min(x.shape[0] - i * 16, 16)
        part = pypto.view(x, [16, 16], [i * 16, 0], valid_shape=[rows, 16])
        pypto.assemble(part * 2.0, [i * 16, 0], y)


@pypto.frontend.jit
def heads(x: pypto.Tensor([DYN, 16], pypto.DT_FP32), y: pypto.Tensor([DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    y[0:16, :] = x[0:16, :] * 2.0


@pypto.frontend.jit
def twice(x: pypto.Tensor([32, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    x[:] = x * 2.0


@pypto.frontend.jit
def copy(x: pypto.Tensor([DYN, 16], pypto.DT_FP32), y: pypto.Tensor([DYN, 16], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 16)
    y[:] = x


def made(x, kernel=double):
    y = torch.empty_like(x)
    kernel(x, y)
    return y


KEPT = torch.full((32, 16), 0.5)  # one of a module

'''

HELPER = '''
def finish(y, x):
    """Torch arithmetic in a module of its own."""
    return x + x


def allocate(x):
    return x.new_empty(x.shape)
'''

# The body of the wrapper, and what its failure must say.
CHEATS = {
    "ignored": ("made(x)\nreturn x * 2.0", "torch computed 512 of 512 elements (mul"),
    "added": ("y = made(x)\nreturn x + x", "(add at modules/"),
    "method": ("made(x)\nreturn x.mul(2)", "(mul"),
    "product": ("made(x)\nreturn x @ (torch.eye(16, device=x.device) * 2)", "torch computed"),
    "in_place": ("y = made(x)\ny.copy_(x * 2.0)\nreturn y", "(mul"),
    "in_a_helper": ("return double_helper.finish(made(x), x)", "double_helper.py:4"),
    "out_argument": ("y = made(x)\ntorch.mul(x, 2.0, out=y)\nreturn y", "(mul"),
    "tail": ("y = made(x, heads)\ny[16:] = x[16:] * 2.0\nreturn y",
             "torch computed 256 of 512 elements"),
    "one_row": ("y = made(x)\ny[31] = x[31] * 2\nreturn y", "torch computed 16 of 512 elements"),
    "mended": ("return made(x, copy) * 2.0", "(mul"),
    "copied": ("y = torch.empty_like(x)\ncopy(x * 2.0, y)\nreturn y", "(mul"),
    "added_to": ("y = made(x, copy)\ny += x\nreturn y", "(add"),
    "cat": ("y = made(x)\nreturn torch.cat([y[:16], x[16:] * 2.0])",
            "torch computed 256 of 512 elements"),
    "through_numpy": ("made(x, copy)\nreturn torch.from_numpy(x.cpu().numpy() * 2).npu()",
                      "no launch wrote out0"),
    "into_numpy": ("y = made(x, copy).cpu()\ny.numpy()[:] *= 2\nreturn y.npu()",
                   "no launch wrote out0"),
    "of_numpy": ("y = made(x, copy).cpu()\na = y.numpy()\na *= 2\nreturn torch.from_numpy(a).npu()",
                 "no launch wrote out0"),
    "from_a_list": ("made(x, copy)\nreturn torch.tensor((x * 2).tolist(), device=x.device)",
                    "no launch wrote out0"),
    "chosen": ("y = made(x, copy)\nreturn torch.where(x > 0, y * 2, y)", "torch computed"),
    "lambda": ("made(x)\nf = lambda t: -(-t - t)\nreturn f(x)", "torch computed"),
    "view_of_cheat": ("made(x)\nreturn (x * 2.0).reshape(16, 32).reshape(32, 16)", "(mul"),
    "cast_of_cheat": ("made(x)\nreturn (x.double() * 2.0).float()", "(mul"),
    "einsum": ("made(x)\nreturn torch.einsum('ij,k->ij', x, torch.ones(2, device=x.device))",
               "torch computed"),
}

CORRECT = {
    "plain": "return made(x)",
    "zeros": "y = torch.zeros_like(x)\ndouble(x, y)\nreturn y",
    "helper_allocates": "y = double_helper.allocate(x)\ndouble(x, y)\nreturn y",
    "in_place": "y = x.clone()\ntwice(y)\nreturn y",
    "padded": "p = torch.nn.functional.pad(x, (0, 0, 0, 16))\nreturn made(p)[:x.shape[0]]",
    "sliced_and_contiguous": "p = torch.cat([x, x])\nreturn made(p)[:32].contiguous()",
    "moved_into_zeros": "z = torch.zeros(48, 16, device=x.device)\nz[:32] = made(x)\nreturn z[:32]",
    "reshaped": "return made(x.reshape(16, 32).reshape(32, 16)).view(2, 16, 16).flatten(0, 1)",
    "transposed": "return made(x).t().contiguous().t()",
    "in_parts": "return torch.cat([made(x[:16].contiguous()), made(x[16:].contiguous())])",
    "stacked": "return torch.stack([made(r.contiguous()) for r in x.view(2, 16, 16)]).view(32, 16)",
    "split": "a, b = made(x).split(16)\nreturn torch.cat((a, b), 0)",
    "cast_there_and_back": "return made(x).double().float()",
    "to_the_host_and_back": "return made(x).cpu().to(x.device)",
    "chained": "y = made(x, copy)\nreturn made(y)",
    "twice_the_same_memory": "y = made(x)\ndouble(x, y)\nreturn y",
    "kept_buffer": "y = KEPT.to(x.device)\ndouble(x, y)\nreturn y",
    "sorted_back": "i = torch.arange(31, -1, -1, device=x.device)\nreturn made(x[i])[i]",
    "permuted_by_integers": ("i = torch.argsort(torch.arange(32, device=x.device) * 7 % 32)\n"
                             "y = made(x[i])\nz = torch.empty_like(y)\nz[i] = y\nreturn z"),
    "gathered": "i = torch.arange(32)\nreturn made(x).index_select(0, i)",
    "flipped": "return made(x.flip(0)).flip(0)",
    "through_numpy": "return torch.from_numpy(made(x).cpu().numpy().copy()).to(x.device)",
    "no_grad": "with torch.no_grad():\n    return made(x).detach()",
    "checked_on_the_host": ("assert bool((x > 0).any()) and float(x.abs().max()) < 9\n"
                            "return made(x)"),
    "unused_arithmetic": "scale = (x * 2).sum()\ndel scale\nreturn made(x)",
    "resized": "y = torch.empty(0, device=x.device)\ny.resize_(32, 16)\ndouble(x, y)\nreturn y",
    "repeated": "return made(x[:1].repeat(32, 1) * 0 + x)",
    "written_in_strides": ("z = torch.empty(64, 16, device=x.device)\nz[::2] = made(x)\n"
                           "return z[::2]"),
    "copied_into_an_argument": ("y = torch.empty(1, 32, 16, device=x.device)\n"
                                "return y.copy_(made(x))[0]"),
    "host_loop": ("y = torch.empty_like(x)\nfor k in range(2):\n"
                  "    double(x[16 * k:16 * k + 16], y[16 * k:16 * k + 16])\nreturn y"),
}
