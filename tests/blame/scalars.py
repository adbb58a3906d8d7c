"""Bugs in the form of bugs.py: scalars that other expressions should compute, missing iterations of loops, states that
are names, results of helpers, and parts of tensors."""

B, F, G, S = "attention_backward", "flash_attention", "gru_cell", "swiglu_ffn"

# A scalar that places windows or masks: a wrong constant, operands in the wrong order.
SCALARS = [
    ("f_constant", F, "case0", "k_start = k_step * K_TILE", "k_start = k_step * Q_TILE"),
    ("b_order", B, "L2_canonical", "distance = q_start - k_start", "distance = k_start - q_start"),
]
# Bounds of loops that carry sums: one iteration too few (in one loop and, because of a constant, in three), or a first
# iteration too late.
BOUNDS = [
    ("b_last", B, "L2_canonical", "k_block + REACH + 1, block_count)", "k_block + REACH, block_count)"),
    ("b_reach", B, "L2_canonical", "(WINDOW + BLOCK - 2) // BLOCK", "WINDOW // BLOCK"),
    ("b_first", B, "L2_canonical", "pypto.max(q_block - REACH, 0)", "pypto.max(q_block - REACH + 1, 0)"),
]
# States that are names: an operation reads their start, nothing is carried, or the state is written before it is computed.
STATES = [
    ("u_start", G, "case1", "project(state, hidden_weight", "project(start, hidden_weight"),
    ("u_kept", G, "case1", "+ state * keep", "+ start * keep"),
    ("u_never", G, "case1", "        state = candidate * (1.0 - keep) + state * keep\n        pypto.assemble(state,",
     "        made = candidate * (1.0 - keep) + state * keep\n        pypto.assemble(made,"),
    ("u_stale", G, "case1", "        state = candidate * (1.0 - keep) + state * keep\n"
     "        pypto.assemble(state, [step * BATCH, 0], y)\n",
     "        pypto.assemble(state, [step * BATCH, 0], y)\n"
     "        state = candidate * (1.0 - keep) + state * keep\n"),
    ("b_block_maximum", B, "L2_canonical", "row_max[:] = new_max", "row_max[:] = pypto.amax(scores, -1, keepdim=True)"),
]
# Mistakes in loops that carry names: after the first iteration, operands are wrong, too, because of the state.
BETWEEN = [
    ("u_grouped", G, "case1", "input_new + pypto.sigmoid(input_reset + reset) * new",
     "pypto.sigmoid(input_reset + reset) * (input_new + new)"),
    ("u_gate", G, "case1", "keep = pypto.sigmoid(input_update + update)", "keep = pypto.sigmoid(input_update + reset)"),
]
# Results of a helper in the wrong order, in the helper and in a call.
RESULTS = [
    ("u_slices", G, "case1", "gates[:, :HIDDEN], gates[:, HIDDEN:2 * HIDDEN]", "gates[:, HIDDEN:2 * HIDDEN], gates[:, :HIDDEN]"),
    ("u_names", G, "case1", "reset, update, new = project(state", "update, reset, new = project(state"),
]
# A part of a tensor instead of all of it.
PARTS = [
    ("s_column", S, "case0", "pypto.sigmoid(gate)", "pypto.sigmoid(gate[:, 0:1])"),
    ("s_row", S, "case0", "pypto.sigmoid(gate)", "pypto.sigmoid(gate[0:1, :])"),
]
