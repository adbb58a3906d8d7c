"""Bugs of bugs.py's form in operators of kinds that are written every day: a group norm in two passes, rotated
heads in int8, attention with running sums, gated experts and the gradients of a layer norm. The search had not seen
them when the bugs were written. Entries after the fifth are texts of further lines that are at fault as well."""
from more_operators import _empty
from operators import PROGRAMS, Program

G, R, M, X, N = "group_norm_silu", "rope_int8", "masked_attention", "gated_experts", "norm_backward"

PROGRAMS.update({
    G: Program(
        ["x", "gamma", "beta"],
        "    y = torch.nn.functional.group_norm(x.float(), 4, gamma, beta, 1e-5)\n"
        "    return torch.nn.functional.silu(y).half()",
        "    y = torch.empty_like(x)\n"
        "    group_norm_silu_kernel(x, gamma.reshape(1, -1, 1), beta.reshape(1, -1, 1), y)\n    return y",
        "    x = torch.randn(2, 32, sizes['length']) * 1.5 + torch.randn(1, 32, 1)\n"
        "    return {'x': x.half(), 'gamma': 1 + 0.3 * torch.randn(32), 'beta': 0.5 * torch.randn(32)}",
        [{"length": 77}], 3e-3),
    R: Program(
        ["x", "cosine", "sine"],
        "    wide = x.float()\n"
        "    half = wide.shape[-1] // 2\n"
        "    rotated = torch.cat((-wide[..., half:], wide[..., :half]), dim=-1)\n"
        "    turned = wide * torch.cat((cosine, cosine), -1)[:, None]\n"
        "    turned = turned + rotated * torch.cat((sine, sine), -1)[:, None]\n"
        "    scale = turned.abs().amax(-1, keepdim=True).clamp(min=1e-6) / 127.0\n"
        "    codes = torch.round(turned / scale).to(torch.int8)\n"
        "    return codes, scale, (codes.float() * scale).to(torch.bfloat16)",
        _empty("codes", "x", "torch.int8") + _empty("scale", "x", shape="[*x.shape[:2], 1]") +
        "    back = torch.empty_like(x)\n"
        "    rope_int8_kernel(x, cosine.unsqueeze(1), sine.unsqueeze(1), codes, scale, back)\n"
        "    return codes, scale, back",
        "    angle = torch.arange(sizes['tokens']).float()[:, None] * 10000.0 ** (-torch.arange(32).float() / 32)\n"
        "    x = torch.randn(sizes['tokens'], 4, 64) * torch.logspace(-1, 1, 4)[None, :, None]\n"
        "    return {'x': x.bfloat16(), 'cosine': angle.cos(), 'sine': angle.sin()}",
        [{"tokens": 21}], 1e-2),
    M: Program(
        ["q", "k", "v", "bias"],
        "    scores = torch.matmul(q.float(), k.float().transpose(-1, -2)) * q.shape[-1] ** -0.5\n"
        "    weights = torch.softmax(scores + bias[:, None, :], dim=-1)\n"
        "    return torch.matmul(weights, v.float()).to(torch.bfloat16)",
        "    out = torch.empty_like(q)\n    masked_attention_kernel(q, k, v, bias, out)\n    return out",
        "    q, k, v = (torch.randn(2, count, 64).bfloat16() for count in (8, sizes['keys'], sizes['keys']))\n"
        "    bias = torch.where(torch.rand(2, sizes['keys']) < 0.2, -10000.0, torch.randn(2, sizes['keys']))\n"
        "    return {'q': q * 2, 'k': k, 'v': v, 'bias': bias}",
        [{"keys": 75}, {"keys": 9}], 2e-2),
    X: Program(
        ["x", "gate", "w1", "b1", "w2"],
        "    wide = x.float()\n"
        "    logits = wide @ gate\n"
        "    best, which = torch.topk(logits, 2, dim=-1)\n"
        "    weights = torch.zeros_like(logits).scatter(1, which, torch.softmax(best, dim=-1))\n"
        "    y = torch.zeros_like(wide)\n"
        "    for expert in range(gate.shape[1]):\n"
        "        hidden = wide @ w1[expert].float() + b1[expert]\n"
        "        active = torch.nn.functional.gelu(hidden, approximate='tanh').half()\n"
        "        y = y + weights[:, expert : expert + 1] * (active.float() @ w2[expert].float())\n"
        "    return y.half(), weights",
        "    y = torch.empty_like(x)\n" + _empty("weights", "x", shape="[x.shape[0], gate.shape[1]]") +
        "    gated_experts_kernel(x, gate, w1, b1, w2, y, weights)\n    return y, weights",
        "    return {'x': torch.randn(sizes['tokens'], 32).half(), 'gate': torch.randn(32, 8) / 6,\n"
        "            'w1': (torch.randn(8, 32, 64) / 6).half(), 'b1': torch.randn(8, 64) * 0.5,\n"
        "            'w2': (torch.randn(8, 64, 32) / 8).half()}",
        [{"tokens": 23}, {"tokens": 1}], 4e-3),
    N: Program(
        ["x", "gamma", "grad"],
        "    wide = x.float()\n"
        "    mean = wide.mean(-1, keepdim=True)\n"
        "    rstd = torch.rsqrt(wide.var(-1, unbiased=False, keepdim=True) + 1e-5)\n"
        "    normal = (wide - mean) * rstd\n"
        "    weighted = grad * gamma\n"
        "    along = (weighted * normal).mean(-1, keepdim=True)\n"
        "    dx = rstd * (weighted - weighted.mean(-1, keepdim=True) - normal * along)\n"
        "    return dx, (grad * normal).sum(0), grad.sum(0)",
        "    dx = torch.empty_like(grad)\n" + _empty("dgamma", "x", shape="[1, x.shape[1]]") +
        _empty("dbeta", "x", shape="[1, x.shape[1]]") +
        "    norm_backward_kernel(x, gamma.reshape(1, -1), grad, dx, dgamma, dbeta)\n"
        "    return dx, dgamma.reshape(-1), dbeta.reshape(-1)",
        "    return {'x': (torch.randn(sizes['rows'], 64) * 2 + 0.7).half(), 'gamma': 1 + 0.3 * torch.randn(64),\n"
        "            'grad': torch.randn(sizes['rows'], 64)}",
        [{"rows": 43}, {"rows": 3}], 1e-3),
})
EVERYDAY = [
    ("g_silu", G, "case0", "pypto.mul(x, pypto.sigmoid(x))", "pypto.mul(x, pypto.tanh(x))"),
    ("g_group_mean", G, "case0", "mean = pypto.mul(pypto.sum(total, 1, keepdim=True), count)",
     "mean = pypto.mul(total, 1.0 / length)"),
    ("g_gamma_from", G, "case0", "scale = pypto.view(gamma, [1, members, 1], [0, group * members, 0])",
     "scale = pypto.view(gamma, [1, members, 1], [0, group, 0])"),
    ("g_total", G, "case0", "total[:] = pypto.add(total, pypto.sum(part, -1, keepdim=True))",
     "total[:] = pypto.sum(part, -1, keepdim=True)"),
    ("g_count", G, "case0", "count = 1.0 / (length * members)",
     "count = 1.0 / (blocks * L_BLOCK * members)", "mean = ", "mean_square = "),
    ("g_squares", G, "case0", "squares[:] = pypto.add(squares,", "squares[:] = pypto.add(total,"),
    ("g_mean_squared", G, "case0", "pypto.sub(mean_square, pypto.mul(mean, mean))", "pypto.sub(mean_square, mean)"),
    ("g_affine", G, "case0", "pypto.add(pypto.mul(normal, scale), shift)",
     "pypto.add(pypto.mul(normal, shift), scale)"),
    ("r_sign", R, "case0", "left = pypto.sub(pypto.mul(first, c), pypto.mul(second, s))",
     "left = pypto.add(pypto.mul(first, c), pypto.mul(second, s))"),
    ("r_sine", R, "case0", "rotate(first_wide, second_wide, c, s)", "rotate(first_wide, second_wide, s, c)"),
    ("r_second", R, "case0", "second = pypto.view(x, [TOKENS, heads, half], [start, 0, half],",
     "second = pypto.view(x, [TOKENS, heads, half], [start, 0, 0],"),
    ("r_half_most", R, "case0", "most = pypto.clip(pypto.maximum(left_most, right_most), LEAST)",
     "most = pypto.clip(left_most, LEAST)"),
    ("r_trunc", R, "case0", "whole = pypto.round(scaled)", "whole = pypto.trunc(scaled)"),
    ("r_steps", R, "case0", "pypto.mul(most, 1.0 / 127.0)", "pypto.mul(most, 1.0 / 128.0)"),
    ("r_first_cosine", R, "case0", "c = pypto.view(cos, [TOKENS, 1, half], [start, 0, 0]",
     "c = pypto.view(cos, [TOKENS, 1, half], [0, 0, 0]"),
    ("r_blocks", R, "case0", "pypto.loop((tokens + TOKENS - 1) // TOKENS,", "pypto.loop(tokens // TOKENS,"),
    ("r_never", R, "case0", "pypto.assemble(high_back, [start, 0, half], back)",
     "pypto.assemble(high_back, [start, 0, 0], back)"),
    ("r_codes", R, "case0", "pypto.assemble(high_codes, [start, 0, half], codes)",
     "pypto.assemble(low_codes, [start, 0, half], codes)"),
    ("m_most", M, "case0", "most[:] = new_most", "most[:] = pypto.amax(scores, -1, keepdim=True)"),
    ("m_fade", M, "case0", "mixed[:] = pypto.add(pypto.mul(mixed, fade), part)", "mixed[:] = pypto.add(mixed, part)"),
    ("m_blocks", M, "case0", "blocks = (keys + K_BLOCK - 1) // K_BLOCK",
     "blocks = keys // K_BLOCK", "for block in pypto.loop(blocks"),
    ("m_scale", M, "case0", "pypto.mul(product, width**-0.5)", "pypto.mul(product, 1.0 / width)"),
    ("m_unpacked", M, "case0", "new_most, fade, powers = weigh(",
     "fade, new_most, powers = weigh(", "return most, fade, powers"),
    ("m_bias_from", M, "case0", "flat = pypto.view(bias, [1, K_BLOCK], [b, start]",
     "flat = pypto.view(bias, [1, K_BLOCK], [0, start]"),
    ("m_total", M, "case0", "pypto.add(pypto.mul(total, fade), pypto.sum(powers, -1, keepdim=True))",
     "pypto.mul(pypto.add(total, pypto.sum(powers, -1, keepdim=True)), fade)"),
    ("m_fade_sign", M, "case0", "fade = pypto.exp(pypto.sub(most_before, most))",
     "fade = pypto.exp(pypto.sub(most, most_before))"),
    ("m_values_from", M, "case0", "v_tile = pypto.view(v, [1, K_BLOCK, width], [b, start, 0]",
     "v_tile = pypto.view(v, [1, K_BLOCK, width], [b, 0, 0]"),
    ("x_root", X, "case0", "pypto.mul(pypto.add(x, pypto.mul(cube, CUBIC)), ROOT)",
     "pypto.add(x, pypto.mul(cube, CUBIC))"),
    ("x_cube", X, "case0", "cube = pypto.mul(pypto.mul(x, x), x)", "cube = pypto.mul(x, x)"),
    ("x_share", X, "case0", "pypto.scatter(none, 1, which, share)", "pypto.scatter(none, 1, which, powers)"),
    ("x_share_from", X, "case0", "pypto.view(shares, [T_BLOCK, 1], [0, e]",
     "pypto.view(shares, [T_BLOCK, 1], [0, 0]"),
    ("x_bias_from", X, "case0", "pypto.view(b1, [1, hidden], [e, 0])", "pypto.view(b1, [1, hidden], [0, 0])"),
    ("x_mixed", X, "case0", "mixed[:] = pypto.add(mixed, pypto.mul(outside, share))",
     "mixed[:] = pypto.mul(outside, share)"),
    ("x_weights_to", X, "case0", "pypto.assemble(shares, [start, 0], weights)",
     "pypto.assemble(shares, [0, 0], weights)"),
    ("x_most_axis", X, "case0", "most = pypto.amax(best, -1, keepdim=True)",
     "most = pypto.amax(best, 0, keepdim=True)"),
    ("x_sum_axis", X, "case0", "pypto.sum(powers, -1, keepdim=True)", "pypto.sum(powers, 0, keepdim=True)"),
    ("x_half_block", X, "case0", "left = pypto.min(tokens - start, T_BLOCK)",
     "left = pypto.min(tokens - start, T_BLOCK // 2)"),
    ("x_background", X, "case0", "none = pypto.full([T_BLOCK, experts], 0.0,",
     "none = pypto.full([T_BLOCK, experts], 1.0,"),
    ("n_mean_axis", N, "case0", "pypto.mul(pypto.sum(x, -1, keepdim=True), 1.0 / width)",
     "pypto.mul(pypto.sum(x, 0, keepdim=True), 1.0 / width)"),
    ("n_forgets", N, "case0", "gamma_sum[:] = pypto.add(gamma_sum, gamma_part)", "gamma_sum[:] = gamma_part"),
    ("n_along", N, "case0", "along = row_mean(pypto.mul(weighted, normal), width)",
     "along = row_mean(pypto.mul(outer, normal), width)"),
    ("n_no_rstd", N, "case0", "pypto.assemble(pypto.mul(pypto.sub(flat, slope), rstd), [start, 0], dx)",
     "pypto.assemble(pypto.sub(flat, slope), [start, 0], dx)"),
    ("n_unpacked", N, "case0", "normal, rstd = normalise(",
     "rstd, normal = normalise(", "return pypto.mul(centred, rstd), rstd"),
    ("n_half_sum", N, "case0", "gamma_part = pypto.sum(pypto.mul(outer, normal), 0, keepdim=True)",
     "gamma_part = pypto.cast(pypto.sum(pypto.cast(pypto.mul(outer, normal), pypto.DT_BF16), 0, keepdim=True),"
     " pypto.DT_FP32)"),
    ("n_correction", N, "case0", "variance = row_mean(pypto.mul(centred, centred), width)",
     "variance = pypto.var(x, -1, keepdim=True)"),
    ("n_other_sum", N, "case0", "beta_sum[:] = pypto.add(beta_sum,", "beta_sum[:] = pypto.add(gamma_sum,"),
    ("n_other_output", N, "case0", "dgamma[:] = gamma_sum", "dgamma[:] = beta_sum"),
    ("n_outputs", N, "case0", "grad, dx, dgamma, dbeta)\n", "grad, dx, dbeta, dgamma)\n"),
    ("n_begins", N, "case0", "beta_sum = pypto.full([1, width], 0.0, pypto.DT_FP32)",
     "beta_sum = pypto.full([1, width], 1.0, pypto.DT_FP32)"),
    # The inner one of two products in a line.
    ("x_cubic", X, "case0", "pypto.mul(cube, CUBIC)", "pypto.mul(cube, 0.44715)"),
    # One block only, and one row: a constant that explains as much as an operation, and a result of one valid row.
    ("n_begins_once", N, "case1", "beta_sum = pypto.full([1, width], 0.0, pypto.DT_FP32)",
     "beta_sum = pypto.full([1, width], 1.0, pypto.DT_FP32)"),
    ("m_fade_once", M, "case1", "fade = pypto.exp(pypto.sub(most_before, most))",
     "fade = pypto.exp(pypto.sub(most, most_before))"),
    ("x_share_once", X, "case1", "pypto.scatter(none, 1, which, share)", "pypto.scatter(none, 1, which, powers)"),
]
