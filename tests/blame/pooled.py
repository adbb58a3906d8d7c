"""Bugs in the form of bugs.py that involve several lines of a kernel: scalars that windows share, arguments of helpers, inputs
that nothing reads."""
import larger  # noqa: F401  (past_rows)
from more_operators import _empty
from operators import PROGRAMS, Program

A, D, M, W = "masked_attention", "decayed_pairs", "pooled_mix", "past_rows"

PROGRAMS.update({
    D: Program(
        ["query", "key", "value", "logits", "start"],
        "    ages = torch.cumsum(torch.nn.functional.logsigmoid(logits[:, 0]) / 4.0, 0)\n"
        "    between = ages[:, None] - ages[None, :]\n"
        "    fade = torch.exp(between.masked_fill(~torch.ones_like(between).tril().bool(), float('-inf')))\n"
        "    attention = torch.einsum('td,sd->ts', query, key) * fade\n"
        "    out = torch.einsum('ts,se->te', attention, value)\n"
        "    out = out + torch.einsum('td,de,t->te', query, start[32:], ages.exp())\n"
        "    last = torch.einsum('td,t,te->de', key, torch.exp(ages[-1] - ages), value)\n"
        "    return out, last + start[32:] * ages[-1].exp()",
        _empty("y", "value") + _empty("last", "value", shape="[32, 48]") +
        "    decayed_pairs_kernel(query, key, value, logits, start, y, last)\n    return y, last",
        "    drawn = {name: torch.randn(sizes['rows'], 32) for name in ('query', 'key')}\n"
        "    drawn.update(value=torch.randn(sizes['rows'], 48), logits=torch.randn(sizes['rows'], 1))\n"
        "    return dict(drawn, start=torch.randn(64, 48))",
        [{"rows": 32}], 1e-3),
    M: Program(
        ["x", "matrix", "bias", "gates"],
        "    pooled = torch.nn.functional.avg_pool1d(x.t()[None], 5, stride=3, padding=1, count_include_pad=False)[0].t()\n"
        "    mixed = torch.nn.functional.linear(pooled, matrix, bias[0, 32:])\n"
        "    return mixed * torch.nn.functional.silu(gates), torch.softmax(mixed, -1).sum(0, keepdim=True)",
        _empty("y", "gates") + _empty("shares", "x", shape="[1, 32]") +
        "    pooled_mix_kernel(x, matrix, bias, gates, y, shares)\n    return y, shares",
        "    rows = (sizes['rows'] - 3) // 3 + 1\n"
        "    return {'x': torch.randn(sizes['rows'], 64), 'matrix': torch.randn(32, 64) / 4,\n"
        "            'bias': torch.randn(1, 64), 'gates': torch.randn(rows, 32)}",
        [{"rows": 48}, {"rows": 40}], 1e-4),
})

# A wrong scalar that several windows use: where they begin, where they end, how long they are.
WINDOWS = [
    ("m_begin", M, "case0", "pypto.max(row * STRIDE - PADDING, 0)", "pypto.max(row * STRIDE, 0)"),
    ("m_end", M, "case0", "- PADDING + WINDOW, tokens)", "- PADDING + WINDOW - 1, tokens)"),
    ("m_size", M, "case0", "size = end - begin", "size = pypto.min(tokens - begin, WINDOW)"),
    ("a_overlap", A, "case0", "start = block * K_BLOCK", "start = block * (K_BLOCK - 1)"),
    ("m_all_ones", M, "case0", "pypto.DT_FP32, valid_shape=[size, 1])", "pypto.DT_FP32)"),
]
# Wrong arguments of right operations: rows beyond the valid ones, an offset, swapped arguments.
ARGUMENTS = [
    ("m_all_rows", M, "case1", "probabilities(seen)", "probabilities(moved)"),
    ("g_rows", "gated_rmsnorm", "L2_canonical", "gate_tile = view_rows(gate, row_start,", "gate_tile = view_rows(gate, 0,"),
    ("d_arguments", D, "case0", "pairs_within(queries, keys, age)", "pairs_within(keys, queries, age)"),
]
# Inputs that nothing reads: the initial value of a state, and a bias that is not added.
UNREAD = [
    ("d_start", D, "case0", "state[:] = pypto.view(start, [KEY, VALUE], [KEY, 0])",
     "state[:] = pypto.full([KEY, VALUE], 0.0, pypto.DT_FP32)"),
    ("m_bias", M, "case0", "moved = pypto.add(mixed, pypto.view(bias, [1, MIXED], [0, MIXED]))",
     "moved = mixed"),
]
# Products summed over too few columns: all steps but the last, and only the first.
DEPTHS = [
    ("m_depth", M, "case0", "pypto.loop(WIDTH // DEPTH,", "pypto.loop(WIDTH // DEPTH - 1,"),
    ("m_first_depth", M, "case0", "pypto.loop(WIDTH // DEPTH,", "pypto.loop(1,"),
]
# A difference that the reference has transposed, a missing factor of a gate, a missing sign before an exponential.
STEPS = [
    ("d_order", D, "case0", "pypto.sub(age, pypto.transpose(age, 0, 1))", "pypto.sub(pypto.transpose(age, 0, 1), age)"),
    ("m_gate", M, "case0", "swish = pypto.mul(gate, pypto.sigmoid(gate))", "swish = pypto.sigmoid(gate)"),
    ("d_sign", D, "case0", "pypto.exp(pypto.neg(logit))", "pypto.exp(logit)"),
]
# Windows that a plain Python loop reads, all at the same place.
EXECUTIONS = [
    ("w_tap_place", W, "case0", "[ROWS, WIDTH], [tap, 0])", "[ROWS, WIDTH], [1, 0])"),
    ("w_first_weight", W, "case0", "[1, WIDTH], [tap, 0])", "[1, WIDTH], [0, 0])"),
]
