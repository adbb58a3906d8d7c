"""Bugs in the form of bugs.py, of kinds that occur in larger operators: a loop-carried tensor that is initialized or read
at the wrong time, windows of packed tensors, swapped calls of a helper, swapped steps."""
from everyday import N
from more_operators import _empty
from operators import PROGRAMS, Program

P, C, S, W = "packed_tiles", "causal_attention", "state_scan", "past_rows"

PROGRAMS.update({
    P: Program(
        ["packed", "shifts", "gains", "labels"],
        "    heads = packed.float().unflatten(1, (8, 32))\n"
        "    keys = ((heads[:, 4:6] - shifts) * gains).clamp(-1, 1) + 0.5\n"
        "    gates = heads[:, 0:2].sigmoid() * heads[:, 2:4]\n"
        "    places = torch.nn.functional.one_hot(labels[:, 0].long(), 64).float()\n"
        "    return keys.flatten(1), gates.flatten(1), places",
        "".join(_empty(name, "packed", shape="[packed.shape[0], 64]") for name in ("keys", "gates", "places")) +
        "    packed_tiles_kernel(packed, shifts, gains, labels, keys, gates, places)\n    return keys, gates, places",
        "    return {'packed': torch.randn(sizes['rows'], 256).bfloat16(), 'shifts': torch.randn(2, 32),\n"
        "            'gains': 1 + torch.rand(2, 32), 'labels': torch.randint(0, 64, (sizes['rows'], 1)).float()}",
        [{"rows": 32}, {"rows": 48}], 1e-5),
    W: Program(
        ["x", "state", "taps"],
        "    wide = torch.cat([state.unflatten(0, (-1, 2)), x.unflatten(0, (2, -1)).float()], 1).transpose(1, 2)\n"
        "    made = torch.nn.functional.conv1d(wide, taps.T.unsqueeze(1), groups=32)\n"
        "    y = torch.nn.functional.silu(made).transpose(1, 2).flatten(0, 1).bfloat16()\n"
        "    return y, wide[:, :, -2:].transpose(1, 2).flatten(0, 1)",
        _empty("y", "x", "torch.bfloat16") + _empty("last", "state") +
        "    past_rows_kernel(x, state, taps, y, last)\n    return y, last",
        "    return {'x': torch.randn(2 * sizes['rows'], 32).bfloat16(), 'state': torch.randn(4, 32),\n"
        "            'taps': torch.randn(3, 32)}",
        [{"rows": 48}, {"rows": 40}], 1e-2),
})

_TILES = ["highest = pypto.full([TILE, 1], -1e30, pypto.DT_FP32)\n", "weight = pypto.full([TILE, 1], 0.0, pypto.DT_FP32)\n",
          "mixed = pypto.full([TILE, HEAD], 0.0, pypto.DT_FP32)\n"]
_ROWS = """\
        for i in pypto.loop(blocks, name="rows", idx_name="i"):
            q_first = i * TILE
            q_rows = pypto.min(TOKENS - q_first, TILE)
            q = pypto.view(query, [TILE, HEAD], [head * TOKENS + q_first, 0],
                           valid_shape=[q_rows, HEAD])
"""
_DECAY = "                decay = pypto.exp(highest - peak)\n"
_BEFORE = """\
                weight[:] = weight * decay + pypto.sum(powers, -1, keepdim=True)
                part = pypto.matmul(powers, v, pypto.DT_FP32)
                mixed[:] = mixed * decay + part
"""
_KEEP = "                highest[:] = peak\n"

# Loop-carried tensors. In c_replaced_early two statements are swapped, and either may be named.
CARRIED = [
    ("c_begins_once", C, "case0", _ROWS + "".join(" " * 12 + one for one in _TILES),
     "".join(" " * 8 + one for one in _TILES) + _ROWS, *_TILES),
    ("c_replaced_early", C, "case0", _DECAY + _BEFORE + _KEEP, _KEEP + _DECAY + _BEFORE, _BEFORE),
    ("c_no_decay", C, "case0", "mixed[:] = mixed * decay + part", "mixed[:] = mixed + part"),
    ("s_begins_again", S, "case0", "        fed = pypto.mul(",
     "        state[:] = pypto.full([STATES, WIDTH], 0.0, pypto.DT_FP32)\n"
     "        fed = pypto.mul("),
]
# A sum that starts at one instead of zero; a state that starts with zeros, or with that of the first sequence, instead of
# its own; old rows after the new ones; a product missing before a conversion; a list that is not read to its end.
BEGINNINGS = [
    ("n_sum_of_one", N, "case0", "gamma_sum = pypto.full([1, width], 0.0,",
     "gamma_sum = pypto.full([1, width], 1.0,"),
    ("w_given", W, "case0", "past = pypto.fillpad(old, \"constant\", 0.0)",
     "past = pypto.full([PAST, WIDTH], 0.0, pypto.DT_FP32)"),
    ("w_first", W, "case0", "pypto.view(state, [PAST, WIDTH], [row * PAST, 0])",
     "pypto.view(state, [PAST, WIDTH], [0, 0])"),
    ("w_behind", W, "case0", "pypto.concat([past, fresh], 0)", "pypto.concat([fresh, past], 0)"),
    ("w_gate", W, "case0", "active = pypto.mul(total, pypto.sigmoid(total))", "active = pypto.sigmoid(total)"),
    ("w_last_tap", W, "case0", "for tap in range(1, PAST + 1):", "for tap in range(1, PAST):"),
]
# Windows. The one of w_full_block has to begin where the valid rows of a block end.
PACKED = [
    ("p_base", P, "case0", "part = part_of(packed, start, BASE + column)", "part = part_of(packed, start, column)"),
    ("p_first_column", P, "case0", "pypto.view(shifts, [1, WIDTH], [head, 0])", "pypto.view(shifts, [1, 1], [head, 0])"),
    ("p_number", P, "case0", "pypto.full([ROWS, 1], column, pypto.DT_FP32)", "pypto.full([ROWS, 1], start, pypto.DT_FP32)"),
    ("w_full_block", W, "case1", "pypto.view(window, [PAST, WIDTH], [count, 0])",
     "pypto.view(window, [PAST, WIDTH], [ROWS, 0])"),
]
# Two swapped calls of a helper, and two swapped steps.
EXCHANGED = [
    ("p_halves", P, "case0",
     "gate = part_of(packed, start, column)\n            value = part_of(packed, start, 2 * WIDTH + column)",
     "gate = part_of(packed, start, 2 * WIDTH + column)\n            value = part_of(packed, start, column)", "value = "),
    ("p_limit", P, "case0", "limited = pypto.clip(pypto.mul(part - shift, gain), -1.0, 1.0)\n"
     "            raised = pypto.add(limited, 0.5)",
     "limited = pypto.add(pypto.mul(part - shift, gain), 0.5)\n            raised = pypto.clip(limited, -1.0, 1.0)",
     "raised = "),
]
# Loops that run too few iterations.
BOUNDS = [
    ("c_no_iteration", C, "case0", "for j in pypto.loop(blocks, name=\"columns\"",
     "for j in pypto.loop(i, name=\"columns\""),
    ("p_few_rows", P, "case1", "for block in pypto.loop(packed.shape[0] // ROWS,",
     "for block in pypto.loop(packed.shape[0] // ROWS - 1,"),
]
