"""The operators into which bugs are seeded: two of examples/custom, and programs of examples/sim and of
kernels/ that get the files of an operator here and in more_operators.py."""
import json
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../examples")

_GOLDEN = "import torch\n\n\ndef %s_golden(%s):\n%s\n"
_INPUTS = '''import torch

PRIMARY_INPUT_ORDER = %r


def make_inputs(case):
    torch.manual_seed(case.get("seed", 42))
    sizes = dict(case["shape"])
    return {name: tensor.to("npu:0") for name, tensor in draw(sizes).items()}


def draw(sizes):
%s
'''


class Program:
    """A program of examples/sim as an operator: names of the inputs, bodies of the reference, of the
    wrapper and of the function that draws inputs, and the cases."""

    def __init__(self, inputs, golden, wrapper, draw, shapes, tolerance):
        self.inputs, self.golden, self.wrapper, self.draw = inputs, golden, wrapper, draw
        self.shapes, self.tolerance = shapes, tolerance

    def make(self, name, folder):
        """Writes the operator's files."""
        path = os.path.join(HERE, "kernels", name + ".py")
        if not os.path.exists(path):
            path = os.path.join(EXAMPLES, "sim", name + ".py")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        kernel = text.partition("def main():")[0].replace("from checking import Checks\n", "")
        wrapper = "def %s_module1_wrapper(%s):\n%s\n" % (name, ", ".join(self.inputs),
                                                         self.wrapper)
        for part in ("modules", "eval"):
            os.makedirs(os.path.join(folder, part))
        files = {
            "modules/%s_module1_impl.py" % name: kernel + wrapper,
            "modules/%s_module1_golden.py" % name:
                _GOLDEN % (name + "_module1", ", ".join(self.inputs), self.golden),
            "eval/test_inputs.py": _INPUTS % (self.inputs, self.draw),
            "eval/adversarial_suite.json": json.dumps({
                "op_name": name, "total_modules": 1,
                "test_cases": [dict(shape=shape, id="case%d" % number, level="L2",
                                    dtype="float32", atol=self.tolerance, rtol=self.tolerance)
                               for number, shape in enumerate(self.shapes)]}),
        }
        for path, content in files.items():
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(content)


PROGRAMS = {
    "layer_norm": Program(
        ["x", "gamma", "beta"],
        "    return torch.nn.functional.layer_norm(x.float(), [72], gamma[0], beta[0], 1e-5).half()",
        "    y = torch.empty(x.shape, dtype=torch.float16, device=x.device)\n"
        "    layer_norm_kernel(x, gamma, beta, y)\n    return y",
        "    return {'x': torch.randn(sizes['rows'], 72).half() * sizes.get('scale', 1),\n"
        "            'gamma': torch.rand(1, 72) + 0.5, 'beta': torch.randn(1, 72)}",
        [{"rows": 24}, {"rows": 29}, {"rows": 16, "scale": 0.01}], 2e-3),
    "flash_attention": Program(
        ["query", "key", "value"],
        "    scores = torch.matmul(query, key.t()) * query.shape[-1] ** -0.5\n"
        "    return torch.matmul(torch.softmax(scores, -1), value)",
        "    out = torch.empty(query.shape, dtype=torch.float32, device=query.device)\n"
        "    flash_attention_kernel(query, key, value, out)\n    return out",
        "    return {name: torch.randn(sizes[size], 32)\n"
        "            for name, size in (('query', 'q'), ('key', 'k'), ('value', 'k'))}",
        [{"q": 32, "k": 96}, {"q": 37, "k": 70}], 1e-4),
    "swiglu_ffn": Program(
        ["x", "gate_weight", "up_weight", "down_weight"],
        "    gate, up = x.float() @ gate_weight.float(), x.float() @ up_weight.float()\n"
        "    gated = (gate * torch.sigmoid(gate) * up).bfloat16()\n"
        "    return (gated.float() @ down_weight.float()).bfloat16()",
        "    y = torch.empty(x.shape, dtype=torch.bfloat16, device=x.device)\n"
        "    swiglu_ffn_kernel(x, gate_weight, up_weight, down_weight, y)\n    return y",
        "    return {'x': torch.randn(sizes['tokens'], 64).bfloat16(),\n"
        "            'gate_weight': torch.randn(64, 96).bfloat16() / 8,\n"
        "            'up_weight': torch.randn(64, 96).bfloat16() / 8,\n"
        "            'down_weight': torch.randn(96, 64).bfloat16() / 8}",
        [{"tokens": 32}, {"tokens": 43}], 1e-2),
    "gru_cell": Program(
        ["x", "start", "input_weight", "hidden_weight", "input_bias", "hidden_bias"],
        "    state, made = start, []\n"
        "    for rows in x.split(16):\n"
        "        given = rows @ input_weight.t() + input_bias\n"
        "        kept = state @ hidden_weight.t() + hidden_bias\n"
        "        reset = torch.sigmoid(given[:, :48] + kept[:, :48])\n"
        "        update = torch.sigmoid(given[:, 48:96] + kept[:, 48:96])\n"
        "        candidate = torch.tanh(given[:, 96:] + reset * kept[:, 96:])\n"
        "        state = (1 - update) * candidate + update * state\n"
        "        made.append(state)\n"
        "    return torch.cat(made)",
        "    y = torch.empty([x.shape[0], 48], dtype=torch.float32, device=x.device)\n"
        "    gru_kernel(x, start, input_weight, hidden_weight, input_bias, hidden_bias, y)\n"
        "    return y",
        "    return {'x': torch.randn(sizes['steps'] * 16, 32), 'start': torch.randn(16, 48),\n"
        "            'input_weight': torch.randn(144, 32) / 6,\n"
        "            'hidden_weight': torch.randn(144, 48) / 7,\n"
        "            'input_bias': torch.randn(1, 144) / 7, 'hidden_bias': torch.randn(1, 144) / 7}",
        [{"steps": 1}, {"steps": 4}], 1e-4),
}


def make(name, folder):
    """Puts the operator into `folder`/custom; returns (its folder, suffix of the phase)."""
    target = os.path.join(folder, "custom", name)
    if name in PROGRAMS:
        PROGRAMS[name].make(name, target)
        return target, "1"
    shutil.copytree(os.path.join(EXAMPLES, "custom", name), target,
                    ignore=shutil.ignore_patterns("__pycache__"))
    return target, "12"


def implementation(folder, suffix):
    """The file into which bugs are seeded."""
    return os.path.join(folder, "modules/%s_module%s_impl.py" % (os.path.basename(folder), suffix))
