"""Bugs in the form of bugs.py at the edges of a kernel: in the wrapper's call, in calls of helpers that take several lines, in
the condition of a write, and after a loop."""
from operators import PROGRAMS

B, F, G, L, R, S = "attention_backward", "flash_attention", "group_norm_silu", "layer_norm", "gru_cell", "swiglu_ffn"

PROGRAMS[F].shapes.append({"q": 16, "k": 64})  # two blocks of keys: the carried tensors are updated once

# Writes that some iterations of a loop leave out.
CONDITIONS = [
    ("s_last_only", S, "case1", "        pypto.assemble(pypto.matmul(",
     "        if pypto.is_loop_end(step):\n            pypto.assemble(pypto.matmul("),
    ("l_not_first", L, "case1", "        pypto.assemble(pypto.cast(",
     "        if step > 0:\n            pypto.assemble(pypto.cast("),
    ("l_every_other", L, "case1", "        pypto.assemble(pypto.cast(",
     "        if step % 2 == 0:\n            pypto.assemble(pypto.cast("),
    ("g_first_group", G, "case0", "                pypto.assemble(result,",
     "                if group == 0:\n                    pypto.assemble(result,"),
]
# The wrapper passes one input twice, or one whose elements it has put into another order or changed.
INPUTS = [
    ("r_bias_twice", R, "case1", "input_bias, hidden_bias, y)\n", "input_bias, input_bias, y)\n"),
    ("r_weights_twice", R, "case1", "gru_kernel(x, start, input_weight, hidden_weight, input_bias, hidden_bias, y)",
     "gru_kernel(x, start, input_weight, hidden_weight, hidden_bias, hidden_bias, y)"),
    ("s_up_twice", S, "case0", "swiglu_ffn_kernel(x, gate_weight, up_weight,", "swiglu_ffn_kernel(x, up_weight, up_weight,"),
    ("s_scrambled", S, "case0", "    swiglu_ffn_kernel(x, gate_weight, up_weight,",
     "    swiglu_ffn_kernel(x, gate_weight.t().reshape(64, 96).contiguous(), up_weight,"),
    ("s_named", S, "case0", "    swiglu_ffn_kernel(x, gate_weight, up_weight,",
     "    up = up_weight.t().reshape(64, 96).contiguous()\n    swiglu_ffn_kernel(x, gate_weight, up,"),
    ("l_backwards", L, "case0", "layer_norm_kernel(x, gamma, beta, y)", "layer_norm_kernel(x, gamma.flip(1), beta, y)"),
    ("l_rolled", L, "case1", "layer_norm_kernel(x, gamma, beta, y)", "layer_norm_kernel(x, gamma, beta.roll(1, 1), y)"),
]
_SECOND = """\
                delta_tile = view_block(delta, head, q_start, q_rows, 1)
                distance = q_start - k_start
                prob, score_grad = score_gradient_kernel_impl(
"""
# An argument in another line than the call, and an offset of a helper that reads what earlier loops wrote.
CALLS = [
    ("b_values", B, "L2_canonical", _SECOND + "                    q_tile, k_tile, v_tile, grad_tile,",
     _SECOND + "                    q_tile, k_tile, grad_tile, v_tile,"),
    ("b_queries", B, "L2_canonical", _SECOND + "                    q_tile, k_tile,",
     _SECOND + "                    k_tile, q_tile,"),
    ("b_first_head", B, "L2_canonical", "[1, BLOCK, width], [head, start, 0], valid_shape",
     "[1, BLOCK, width], [0, start, 0], valid_shape"),
]
# A step that is missing after a loop.
AFTER_LOOPS = [
    ("f_no_division", F, "case2", "pypto.view(mixed / total,", "pypto.view(mixed,"),
]
# Memory between two loops: a write into another workspace, and writes to another place than later loops read.
WORKSPACES = [
    ("b_delta_into", B, "L2_canonical", "pypto.assemble(valid_rows(delta_tile, q_rows, 1), [head, q_start, 0], delta)",
     "pypto.assemble(valid_rows(delta_tile, q_rows, 1), [head, q_start, 0], lse)"),
    ("b_lse_into", B, "L2_canonical", "pypto.assemble(valid_rows(lse_tile, q_rows, 1), [head, q_start, 0], lse)",
     "pypto.assemble(valid_rows(lse_tile, q_rows, 1), [head, q_start, 0], delta)"),
    ("b_lse_head", B, "L2_canonical", "[head, q_start, 0], lse)", "[0, q_start, 0], lse)"),
    ("b_delta_row", B, "L2_canonical", "[head, q_start, 0], delta)", "[head, 0, 0], delta)"),
]
# Windows with too few valid columns or channels: what is summed over them is wrong, too.
TOO_SHORT = [
    ("l_columns", L, "case0", "valid_shape=[left, WIDTH])", "valid_shape=[left, 64])"),
    ("g_channels", G, "case0", "valid_shape=[1, members, left])", "valid_shape=[1, 6, left])"),
]
# The wrapper changes an input, and an operation of the kernel could undo the change: neither line is more likely.
EITHER = [
    ("l_negative", L, "case0", "layer_norm_kernel(x, gamma, beta, y)", "layer_norm_kernel(x, gamma, -beta, y)"),
    ("s_twice_as_large", S, "case0", "swiglu_ffn_kernel(x,", "swiglu_ffn_kernel(2 * x,"),
]
# Memory that the wrapper passes or returns twice instead of another; a parameter of a helper that nothing reads.
NAMES = [
    ("b_dk_twice", B, "L2_canonical", "        dk,\n        dv,\n    )", "        dk,\n        dk,\n    )"),
    ("b_lse_twice", B, "L2_canonical", "        lse,\n        delta,\n", "        lse,\n        lse,\n"),
    ("b_returned_twice", B, "L2_canonical", "return dq, dk, dv", "return dq, dk, dk"),
    ("w_returned", "adam_step", "case0", "return new_weight, new_first,", "return weight, new_first,"),
    ("b_start", B, "L2_canonical", "[head, start, 0], valid_shape=[1, rows,", "[head, 0, 0], valid_shape=[1, rows,"),
]
