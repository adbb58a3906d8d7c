"""Bugs of bugs.py's form in operators that the search had not seen when they were written: a delta rule, a
running mean and variance, nucleus sampling, and a softmax in two forms of its loop."""
from more_operators import _empty
from operators import PROGRAMS, Program

D, V, P, S = "delta_rule", "running_statistics", "top_p_filter", "softmax"

PROGRAMS.update({
    D: Program(
        ["query", "key", "value", "rate", "gate"],
        "    state, rows = torch.zeros(64, 64), []\n"
        "    for q, k, v, b, g in zip(query, key, value, rate, gate):\n"
        "        state = state * g.exp()\n"
        "        state = state + torch.outer(k, (v - k @ state) * b)\n"
        "        rows.append(q @ state)\n"
        "    return torch.stack(rows)",
        _empty("y", "query") + "    delta_kernel(query, key, value, rate, gate, y)\n    return y",
        "    return {'query': torch.randn(sizes['steps'], 64) * 0.3, 'key': torch.randn(sizes['steps'], 64) * 0.3,\n"
        "            'value': torch.randn(sizes['steps'], 64) * 0.3, 'rate': torch.rand(sizes['steps'], 1),\n"
        "            'gate': -torch.rand(sizes['steps'], 1)}",
        [{"steps": 9}], 1e-4),
    V: Program(
        ["x"],
        "    return x.mean(0, keepdim=True), x.var(0, unbiased=False, keepdim=True)",
        _empty("mean", "x", shape="[1, 64]") + _empty("variance", "x", shape="[1, 64]") +
        "    statistics_kernel(x, mean, variance)\n    return mean, variance",
        "    return {'x': torch.randn(sizes['rows'], 64) * 2 + 3}",
        [{"rows": 8}, {"rows": 40}], 1e-4),
    P: Program(
        ["logits"],
        "    likely = logits.softmax(-1)\n"
        "    ranked, places = likely.sort(-1, descending=True, stable=True)\n"
        "    kept = torch.where(ranked.cumsum(-1) - ranked < 0.7, ranked, torch.zeros(()))\n"
        "    kept = kept / kept.sum(-1, keepdim=True)\n"
        "    return torch.zeros_like(kept).scatter(1, places, kept), places.int()",
        _empty("y", "logits") + _empty("order", "logits", "torch.int32") +
        "    top_p_kernel(logits, y, order)\n    return y, order",
        "    return {'logits': torch.randn(12, 64) * 3}",
        [{"rows": 12}], 1e-4),
    S: Program(
        ["x"], "    return torch.softmax(x, -1)",
        _empty("y", "x") + "    softmax_kernel(x, y)\n    return y",
        "    return {'x': torch.randn(sizes['rows'], 96) * 5}",
        [{"rows": 32}, {"rows": 37}], 1e-5),
})

FRESH = [
    ("d_no_decay", D, "case0", "decayed = state * pypto.exp(pypto.view(gate, [1, 1], [step, 0]))",
     "decayed = state * pypto.view(rate, [1, 1], [step, 0])"),
    ("d_grow", D, "case0", "pypto.exp(pypto.view(gate", "pypto.sigmoid(pypto.view(gate"),
    ("d_known_old", D, "case0", "known = pypto.matmul(k, decayed", "known = pypto.matmul(k, state"),
    ("d_sign", D, "case0", "correction = (v - known)", "correction = (v + known)"),
    ("d_rate", D, "case0", "pypto.view(rate, [1, 1], [step, 0])", "pypto.view(rate, [1, 1], [0, 0])"),
    ("d_outer", D, "case0", "state[:] = decayed + pypto.matmul(k, correction",
     "state[:] = decayed + pypto.matmul(correction, k"),
    ("d_read_early", D, "case0", "pypto.assemble(pypto.matmul(q, state", "pypto.assemble(pypto.matmul(q, decayed"),
    ("d_query", D, "case0", "q = pypto.view(query,", "q = pypto.view(key,"),
    ("v_count", V, "case1", "block_mean = pypto.sum(rows, 0, keepdim=True) / float(BLOCK)",
     "block_mean = pypto.sum(rows, 0, keepdim=True) / float(BLOCK - 1)"),
    ("v_delta", V, "case1", "delta = block_mean - mean", "delta = mean - block_mean"),
    ("v_cross", V, "case1", "spread + block_spread + delta * delta * (count * share), both",
     "spread + block_spread + delta * (count * share), both"),
    ("v_forgets", V, "case1", "spread + block_spread + delta", "block_spread + delta"),
    ("v_unbiased", V, "case1", "variance_out[:] = spread / count", "variance_out[:] = spread / (count - 1.0)"),
    ("v_rows", V, "case1", "[block * BLOCK, 0])", "[block, 0])"),
    ("v_swapped", V, "case1", "    mean_out[:] = mean\n    variance_out[:] = spread / count",
     "    mean_out[:] = spread / count\n    variance_out[:] = mean"),
    ("p_axis", P, "case0", "likely = pypto.softmax(logits, -1)", "likely = pypto.softmax(logits, 0)"),
    ("p_before", P, "case0", "before = pypto.cumsum(ranked, -1) - ranked", "before = pypto.cumsum(ranked, -1)"),
    ("p_share", P, "case0", "SHARE = 0.7", "SHARE = 0.9"),
    ("p_other", P, "case0", "kept = pypto.where(before < SHARE, ranked, 0.0)",
     "kept = pypto.where(before < SHARE, ranked, 1e-3)"),
    ("p_norm", P, "case0", "kept = kept / pypto.sum(kept, -1, keepdim=True)",
     "kept = kept / pypto.sum(ranked, -1, keepdim=True)"),
    ("s_axis", S, "case0", "pypto.sum(powers, -1, keepdim=True)", "pypto.sum(powers, 0, keepdim=True)"),
    ("s_base", S, "case0", "powers = pypto.exp(shifted)", "powers = pypto.exp2(shifted)"),
    ("s_from", S, "case1", "part = pypto.view(x, [ROW_TILE, COLUMNS], [start, 0]",
     "part = pypto.view(x, [ROW_TILE, COLUMNS], [step, 0]"),
    ("s_left", S, "case1", "left = pypto.min(rows - start, ROW_TILE)",
     "left = pypto.min(rows - start, ROW_TILE) - 1"),
]
