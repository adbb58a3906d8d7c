"""Bugs of bugs.py's form of kinds that larger operators have: what a loop carries begins at the wrong time or is read at
the wrong time, packed tensors, helpers that are called twice, steps that change places."""
from more_operators import _empty
from operators import PROGRAMS, Program

P, C, S = "packed_tiles", "causal_attention", "state_scan"

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
        [{"rows": 32}], 1e-5),
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

# What a loop carries. Of the second either statement may be called the wrong one: the replacement, which comes in the
# line of the factor now, and the factor, which comes a line later.
CARRIED = [
    ("c_begins_once", C, "case0", _ROWS + "".join(" " * 12 + one for one in _TILES),
     "".join(" " * 8 + one for one in _TILES) + _ROWS, *_TILES),
    ("c_replaced_early", C, "case0", _DECAY + _BEFORE + _KEEP, _KEEP + _DECAY + _BEFORE, _BEFORE),
    ("c_no_decay", C, "case0", "mixed[:] = mixed * decay + part", "mixed[:] = mixed + part"),
    ("s_begins_again", S, "case0", "        fed = pypto.mul(", "        state[:] = pypto.full([STATES, WIDTH], 0.0, pypto.DT_FP32)\n"
     "        fed = pypto.mul("),
]
# Windows.
PACKED = [
    ("p_base", P, "case0", "part = part_of(packed, start, BASE + column)", "part = part_of(packed, start, column)"),
    ("p_first_column", P, "case0", "pypto.view(shifts, [1, WIDTH], [head, 0])", "pypto.view(shifts, [1, 1], [head, 0])"),
    ("p_number", P, "case0", "pypto.full([ROWS, 1], column, pypto.DT_FP32)", "pypto.full([ROWS, 1], start, pypto.DT_FP32)"),
]
# Two calls of a helper, and two steps, in each other's place.
EXCHANGED = [
    ("p_halves", P, "case0", "gate = part_of(packed, start, column)\n            value = part_of(packed, start, 2 * WIDTH + column)",
     "gate = part_of(packed, start, 2 * WIDTH + column)\n            value = part_of(packed, start, column)", "value = "),
    ("p_limit", P, "case0", "limited = pypto.clip(pypto.mul(part - shift, gain), -1.0, 1.0)\n"
     "            raised = pypto.add(limited, 0.5)",
     "limited = pypto.add(pypto.mul(part - shift, gain), 0.5)\n            raised = pypto.clip(limited, -1.0, 1.0)", "raised = "),
]
