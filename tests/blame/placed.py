"""Bugs in the form of bugs.py: statements in the wrong branch or on the wrong side of a loop's end, missing steps with carried
tensors, arguments of helpers that several lines call, and a function and a step in the wrong order."""

A, B, F, G, L, S = "gated_rmsnorm", "attention_backward", "flash_attention", "gru_cell", "layer_norm", "swiglu_ffn"

# A branch runs in the wrong iteration, a state is not replaced at the end of an iteration, a sum is computed after the loop.
STATEMENTS = [
    ("f_first_block", F, "case0", "pypto.is_loop_end(k_step)", "pypto.is_loop_begin(k_step)"),
    ("b_no_maximum", B, "L2_canonical", "    row_max[:] = new_max\n", "", "new_max = pypto.maximum(row_max"),
    ("f_no_maximum", F, "case0", "                largest[:] = new_largest\n", "", "new_largest = pypto.maximum(largest"),
    ("b_after", B, "L2_canonical", "                dv_sum[:] = pypto.add(dv_sum", "            dv_sum[:] = pypto.add(dv_sum"),
    ("b_after_keys", B, "L2_canonical", "                dq_sum[:] = pypto.add(dq_sum", "            dq_sum[:] = pypto.add(dq_sum"),
]
# A step with a tensor that a loop carries is missing after the loop.
CARRIED = [
    ("b_maximum", B, "L2_canonical", "lse_tile = pypto.add(row_max, pypto.log(row_sum))", "lse_tile = pypto.log(row_sum)"),
    ("b_mean", B, "L2_canonical", "delta_tile = pypto.div(row_grad, row_sum)", "delta_tile = row_grad"),
    ("f_mean", F, "case0", "mixed / total", "mixed"),
]
# A helper that several lines call gets, or reads, a wrong tensor; the parameters of a kernel are in the wrong order.
HELPERS = [
    ("b_product", B, "L2_canonical", "    return prob, pypto_score_gradient(prob, prob_grad,",
     "    return prob, pypto_score_gradient(prob, pypto.mul(prob, prob_grad),"),
    ("b_operand", B, "L2_canonical", "    return prob, pypto_score_gradient(prob, prob_grad,",
     "    return prob, pypto_score_gradient(prob, scores,"),
    ("s_parameters", S, "case0", "    gate_weight: pypto.Tensor([WIDTH, HIDDEN], pypto.DT_BF16),\n    up_weight:",
     "    up_weight: pypto.Tensor([WIDTH, HIDDEN], pypto.DT_BF16),\n    gate_weight:"),
]
# A function before a step instead of after it, or the other way round. It runs as one operation or as several.
ORDERS = [
    ("s_argument", S, "case0", "gate * pypto.sigmoid(gate) * up", "gate * pypto.sigmoid(gate * up)"),
    ("g_outside", G, "case1", "pypto.sigmoid(input_reset + reset) * new", "pypto.sigmoid(input_reset + reset * new)"),
    ("l_outside", L, "case2", "pypto.rsqrt(variance + EPSILON)", "(pypto.rsqrt(variance) + EPSILON)"),
    ("l_root", L, "case0", "normal = centred * pypto.rsqrt(variance + EPSILON)", "normal = centred / (variance + EPSILON)"),
    ("a_outside", A, "L3_zero_rows_of_x", "pypto.rsqrt(pypto.add(mean_square, EPSILON))",
     "pypto.add(pypto.rsqrt(mean_square), EPSILON)"),
]
# Windows that are too narrow along the axis of a product or of an output.
NARROW = [
    ("s_columns", S, "case0", "valid_shape=[left, WIDTH]", "valid_shape=[left, TOKEN_TILE]"),
    ("l_columns", L, "case0", "valid_shape=[left, WIDTH]", "valid_shape=[left, ROW_TILE]"),
    ("b_rows", B, "L2_narrow_head", "                k_rows = pypto.min(row_count - k_start, BLOCK)\n                k_tile",
     "                k_rows = pypto.min(row_count - q_start, BLOCK)\n                k_tile"),
]
# Operations on scores that a mask hides with another number than in the reference, and an output that nothing writes.
HIDDEN = [
    ("b_scores", B, "L2_canonical", "pypto.sum(pypto.mul(power, prob_grad), -1", "pypto.sum(pypto.mul(scores, prob_grad), -1"),
    ("b_factor", B, "L2_canonical", "pypto.sum(pypto.mul(power, prob_grad), -1", "pypto.sum(prob_grad, -1"),
    ("b_output", B, "L2_canonical", "[head, k_start, 0], dk)", "[head, k_start, 0], dv)"),
]
