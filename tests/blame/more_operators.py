"""The operators of the bugs that were written before the search had seen one of them (blind.py)."""
from operators import PROGRAMS, Program


def _empty(name, like, dtype="torch.float32", shape=None):
    return "    %s = torch.empty(%s, dtype=%s, device=%s.device)\n" % (
        name, shape or like + ".shape", dtype, like)


MORE = {
    "rms_norm": Program(
        ["x", "gamma"],
        "    wide = x.float()\n"
        "    return (wide / torch.sqrt((wide * wide).mean(-1, keepdim=True) + 1e-6) * gamma).bfloat16()",
        _empty("y", "x", "torch.bfloat16") + "    rms_norm_kernel(x, gamma, y)\n    return y",
        "    return {'x': torch.randn(sizes['rows'], 80).bfloat16() * 0.001,\n"
        "            'gamma': torch.rand(1, 80) + 0.5}",
        [{"rows": 32}], 1e-2),
    "residual_norm": Program(
        ["x", "residual", "gamma", "beta"],
        "    total = x.float() + residual.float()\n"
        "    y = torch.nn.functional.layer_norm(total, [96], gamma[0], beta[0], 1e-6)\n"
        "    return y, total.bfloat16()",
        _empty("y", "x") + _empty("total", "x", "torch.bfloat16") +
        "    residual_norm_kernel(x, residual, gamma, beta, y, total)\n    return y, total",
        "    return {'x': torch.randn(sizes['rows'], 96).bfloat16(),\n"
        "            'residual': torch.randn(sizes['rows'], 96).bfloat16(),\n"
        "            'gamma': torch.rand(1, 96) + 0.5, 'beta': torch.randn(1, 96)}",
        [{"rows": 24}, {"rows": 19}], 1e-3),
    "causal_attention": Program(
        ["query", "key", "value", "mask"],
        "    q, k, v = [t.view(2, 40, 32) for t in (query, key, value)]\n"
        "    scores = torch.einsum('hqd,hkd->hqk', q, k) / 32 ** 0.5 + mask\n"
        "    return torch.einsum('hqk,hkd->hqd', scores.softmax(-1), v).reshape(80, 32)",
        _empty("out", "query") +
        "    causal_attention_kernel(query, key, value, mask, out)\n    return out",
        "    return {'query': torch.randn(80, 32), 'key': torch.randn(80, 32),\n"
        "            'value': torch.randn(80, 32),\n"
        "            'mask': torch.triu(torch.full((40, 40), -1e4), 1)}",
        [{"tokens": 40}], 1e-4),
    "adam_step": Program(
        ["weight", "grad", "first", "second"],
        "    m = 0.9 * first + 0.1 * grad\n"
        "    v = 0.99 * second + 0.01 * grad.square()\n"
        "    step = (m / (1 - 0.9 ** 3)) / ((v / (1 - 0.99 ** 3)).sqrt() + 1e-6)\n"
        "    return weight * (1 - 1e-2 * 0.1) - 1e-2 * step, m, v",
        _empty("new_weight", "weight") + _empty("new_first", "weight") +
        _empty("new_second", "weight") +
        "    adam_step_kernel(weight, grad, first, second, new_weight, new_first, new_second)\n"
        "    return new_weight, new_first, new_second",
        "    draw = lambda: torch.randn(sizes['rows'], 64)\n"
        "    return {'weight': draw(), 'grad': draw(), 'first': draw() / 3,\n"
        "            'second': draw().square() / 9}",
        [{"rows": 32}, {"rows": 41}], 1e-5),
    "smooth_loss": Program(
        ["logits", "labels"],
        "    return torch.nn.functional.cross_entropy(\n"
        "        logits, labels[:, 0].long(), reduction='none', label_smoothing=0.1)[:, None]",
        _empty("loss", "logits", shape="[logits.shape[0], 1]") +
        "    smooth_loss_kernel(logits, labels, loss)\n    return loss",
        "    return {'logits': torch.randn(sizes['tokens'], 120) * 3,\n"
        "            'labels': torch.randint(0, 120, (sizes['tokens'], 1), dtype=torch.int32)}",
        [{"tokens": 16}, {"tokens": 21}], 1e-4),
    "state_scan": Program(
        ["x", "decay", "into", "outof", "skip"],
        "    h, made = torch.zeros(16, 48), []\n"
        "    for t in range(x.shape[0]):\n"
        "        h = h * torch.exp(-decay[t]) + into[:, t, None] * x[t]\n"
        "        made.append((outof[:, t, None] * h).sum(0) + skip[0] * x[t])\n"
        "    return torch.stack(made)",
        _empty("y", "x") + "    state_scan_kernel(x, decay, into, outof, skip, y)\n    return y",
        "    return {'x': torch.randn(sizes['steps'], 48), 'decay': torch.rand(sizes['steps'], 48),\n"
        "            'into': torch.randn(16, sizes['steps']),\n"
        "            'outof': torch.randn(16, sizes['steps']), 'skip': torch.randn(1, 48)}",
        [{"steps": 12}], 1e-4),
    "rms_quant": Program(
        ["x", "gamma"],
        "    wide = x.float()\n"
        "    normal = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5) * gamma\n"
        "    scale = normal.abs().amax(-1, keepdim=True) / 127\n"
        "    return torch.round(normal / scale).to(torch.int8), scale",
        _empty("codes", "x", "torch.int8") +
        _empty("scales", "x", shape="[x.shape[0], 1]") +
        "    rms_quant_kernel(x, gamma, codes, scales)\n    return codes, scales",
        "    return {'x': torch.randn(sizes['rows'], 80).half(), 'gamma': torch.rand(1, 80) + 0.5}",
        [{"rows": 16}, {"rows": 21}], 1e-3),
    "moe_gate": Program(
        ["logits", "bias"],
        "    scores = torch.sigmoid(logits)\n"
        "    biased = scores + bias\n"
        "    groups = biased.view(-1, 8, 8).topk(2, -1).values.sum(-1).topk(3, -1).indices\n"
        "    allowed = torch.zeros(logits.shape[0], 8).scatter(1, groups, 1.0)\n"
        "    allowed = allowed.repeat_interleave(8, -1).bool()\n"
        "    best = biased.masked_fill(~allowed, float('-inf')).topk(6, -1).indices\n"
        "    chosen = scores.gather(1, best)\n"
        "    return chosen / chosen.sum(-1, keepdim=True) * 2.5, best.int()",
        _empty("weights", "logits", shape="[logits.shape[0], 6]") +
        _empty("experts", "logits", "torch.int32", "[logits.shape[0], 6]") +
        "    gate_kernel(logits, bias, weights, experts)\n    return weights, experts",
        "    return {'logits': torch.randn(sizes['tokens'], 64), 'bias': torch.randn(1, 64) / 5}",
        [{"tokens": 16}, {"tokens": 21}], 1e-4),
    "rope": Program(
        ["x", "cosine", "sine"],
        "    first, second = x[..., :16], x[..., 16:]\n"
        "    return torch.cat([first * cosine - second * sine,\n"
        "                      second * cosine + first * sine], -1)",
        _empty("y", "x") + "    rope_kernel(x, cosine, sine, y)\n    return y",
        "    angle = torch.arange(sizes['tokens'])[:, None, None] * 10000.0 ** (-torch.arange(16) / 16)\n"
        "    return {'x': torch.randn(sizes['tokens'], 3, 32), 'cosine': angle.cos(),\n"
        "            'sine': angle.sin()}",
        [{"tokens": 16}, {"tokens": 27}], 1e-5),
    "quantized_matmul": Program(
        ["x", "weight", "weight_scale"],
        "    largest = x.abs().amax(-1, keepdim=True)\n"
        "    codes = torch.round(x * (127.0 / largest))\n"
        "    sums = codes.double() @ weight.double()\n"
        "    return sums.float() * (largest / 127.0) * weight_scale",
        _empty("y", "x", shape="[x.shape[0], 48]") +
        "    quantized_matmul_kernel(x, weight, weight_scale, y)\n    return y",
        "    return {'x': torch.randn(19, 96),\n"
        "            'weight': torch.randint(-127, 128, (96, 48)).to(torch.int8),\n"
        "            'weight_scale': torch.rand(1, 48) / 50 + 0.01}",
        [{"rows": 19}], 1e-2),
    "gated_scan": Program(
        ["x", "gate"],
        "    state, made = torch.zeros(5, 40), []\n"
        "    for value, a in zip(x, gate):\n"
        "        state = torch.addcmul(value, a, state)\n"
        "        made.append(state)\n"
        "    return torch.stack(made)",
        _empty("y", "x") + "    forward_scan_kernel(x, gate, y)\n    return y",
        "    return {'x': torch.randn(sizes['steps'], 5, 40),\n"
        "            'gate': torch.rand(sizes['steps'], 5, 40)}",
        [{"steps": 13}], 1e-5),
    "causal_backward": Program(
        ["query", "key", "value", "gradient"],
        "    scores = query @ key.transpose(1, 2) * 0.125\n"
        "    later = torch.ones(32, 32).triu(1).bool()\n"
        "    weights = scores.masked_fill(later, float('-inf')).softmax(-1)\n"
        "    towards = gradient @ value.transpose(1, 2)\n"
        "    mean = (towards * weights).sum(-1, keepdim=True)\n"
        "    back = weights * (towards - mean) * 0.125\n"
        "    return back @ key, back.transpose(1, 2) @ query, weights.transpose(1, 2) @ gradient",
        _empty("dq", "query") + _empty("dk", "query") + _empty("dv", "query") +
        "    backward_kernel(query, key, value, gradient, dq, dk, dv)\n    return dq, dk, dv",
        "    return {name: torch.randn(3, 32, 64) for name in ('query', 'key', 'value', 'gradient')}",
        [{"heads": 3}], 1e-4),
}

PROGRAMS.update(MORE)
