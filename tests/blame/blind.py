"""Bugs of bugs.py's form over the operators of more_operators.py: written before the search had met one
of these operators. The kinds: algorithm, axis, tail, dtype, accumulation, uninitialised, offset,
broadcast, carried state, order of parameters."""
import more_operators  # noqa: F401  (adds the operators)

N, C, A, X, S, Q, M, R, I, G = ("residual_norm", "causal_attention", "adam_step", "smooth_loss",
                                "state_scan", "rms_quant", "moe_gate", "rope", "quantized_matmul",
                                "gated_scan")
B = "causal_backward"

# Stopped by the simulator: (bug, line of the file that its error names).
STOPPED = [
    (("g_uninitialised", G, "case0", "state = pypto.full([1, BATCH, WIDTH], 0.0, pypto.DT_FP32)",
      "state = pypto.tensor([1, BATCH, WIDTH], pypto.DT_FP32, \"state\")"), "line 24"),
    (("c_mask_transposed", C, "case0", "[q_first, k_first],\n", "[k_first, q_first],\n"), "line 40"),
]
BLIND = [
    # residual_norm
    ("n_residual_twice", N, "case0", "pypto.cast(one, pypto.DT_FP32) + pypto.cast(other, pypto.DT_FP32)",
     "pypto.cast(one, pypto.DT_FP32) + pypto.cast(one, pypto.DT_FP32)"),
    ("n_no_centre", N, "case0", "normal = shifted * pypto.rsqrt", "normal = added * pypto.rsqrt"),
    ("n_sample_variance", N, "case0", "spread = pypto.sum(shifted * shifted, -1, keepdim=True) / WIDTH",
     "spread = pypto.sum(shifted * shifted, -1, keepdim=True) / (WIDTH - 1)"),
    ("n_epsilon_outside", N, "case0", "pypto.rsqrt(spread + EPSILON)", "(pypto.rsqrt(spread) + 0.01)"),
    ("n_tail_rows", N, "case1", "count = pypto.min(rows - begin, TILE)",
     "count = pypto.min(rows - begin, TILE // 2)"),
    ("n_no_beta", N, "case0", "pypto.assemble(scaled + beta, [begin, 0], y)",
     "pypto.assemble(scaled, [begin, 0], y)"),
    ("n_total_of_normal", N, "case0", "pypto.cast(added, pypto.DT_BF16), [begin",
     "pypto.cast(shifted, pypto.DT_BF16), [begin"),
    ("n_half_sum", N, "case0",
     "pypto.cast(one, pypto.DT_FP32) + pypto.cast(other, pypto.DT_FP32)",
     "pypto.cast(one + other, pypto.DT_FP32)"),
    ("n_call_order", N, "case0", "residual_norm_kernel(x, residual, gamma, beta, y",
     "residual_norm_kernel(x, residual, beta, gamma, y"),
    # causal_attention
    ("c_mask_block", C, "case0", "[q_first, k_first],\n", "[q_first, 0],\n"),
    ("c_mask_scaled", C, "case0", "scores = pypto.mul(raw, HEAD ** -0.5) + hidden",
     "scores = pypto.mul(raw, HEAD ** -0.5) - hidden"),
    ("c_head_offset", C, "case0", "v = pypto.view(value, [TILE, HEAD], [head * TOKENS + k_first, 0]",
     "v = pypto.view(value, [TILE, HEAD], [k_first, 0]"),
    ("c_scale", C, "case0", "HEAD ** -0.5", "TILE ** -0.5"),
    ("c_peak", C, "case0", "highest[:] = peak", "highest[:] = highest"),
    ("c_decay_twice", C, "case0", "mixed[:] = mixed * decay + part", "mixed[:] = (mixed + part) * decay"),
    ("c_weight_kept", C, "case0", "weight[:] = weight * decay + pypto.sum(powers, -1, keepdim=True)",
     "weight[:] = weight * decay + pypto.amax(powers, -1, keepdim=True)"),
    ("c_out_offset", C, "case0", "pypto.assemble(rows, [head * TOKENS + q_first, 0], out)",
     "pypto.assemble(rows, [q_first, 0], out)"),
    # adam_step
    ("a_beta_swapped", A, "case0", "m = m_old * BETA1 + g * (1.0 - BETA1)",
     "m = m_old * (1.0 - BETA1) + g * BETA1"),
    ("a_no_square", A, "case0", "v = v_old * BETA2 + g * g * (1.0 - BETA2)",
     "v = v_old * BETA2 + g * (1.0 - BETA2)"),
    ("a_wrong_bias", A, "case0", "v_hat = v / (1.0 - BETA2 ** 3)", "v_hat = v / (1.0 - BETA2 ** 2)"),
    ("a_epsilon_inside", A, "case0", "pypto.sqrt(v_hat) + EPSILON", "pypto.sqrt(v_hat + 0.01)"),
    ("a_uses_v", A, "case0", "pypto.sqrt(v_hat)", "pypto.sqrt(v)"),
    ("a_decay_sign", A, "case1", "shrunk = w * (1.0 - RATE * DECAY)", "shrunk = w * (1.0 + RATE * DECAY)"),
    ("a_outputs_swapped", A, "case0", "pypto.assemble(m, [at, 0], new_first)\n"
     "        pypto.assemble(v, [at, 0], new_second)",
     "pypto.assemble(v, [at, 0], new_first)\n        pypto.assemble(m, [at, 0], new_second)"),
    ("a_order", A, "case0", "adam_step_kernel(weight, grad, first, second,",
     "adam_step_kernel(weight, first, grad, second,"),
    ("a_not_written", A, "case1", "pypto.loop((rows + TILE - 1) // TILE", "pypto.loop(rows // TILE"),
    # smooth_loss
    ("x_no_log", X, "case0", "log_mass = pypto.log(mass)", "log_mass = mass"),
    ("x_smooth", X, "case0", "hit * (1.0 - SMOOTH) + spread * SMOOTH", "hit * (1.0 - SMOOTH) + hit * SMOOTH"),
    ("x_average", X, "case0", "(1.0 / CLASSES)", "(1.0 / (CLASSES - 8))"),
    ("x_picked_row", X, "case0", "picked = pypto.gather(centred, 1, label)",
     "picked = pypto.gather(row, 1, label)"),
    ("x_sign", X, "case1", "hit = log_mass - picked", "hit = log_mass + picked"),
    ("x_label_offset", X, "case0", "label = pypto.view(labels, [TILE, 1], [at, 0]",
     "label = pypto.view(labels, [TILE, 1], [0, 0]"),
    # state_scan
    ("s_no_keep", S, "case0", "state[:] = state * keep + fed", "state[:] = state + fed"),
    ("s_growing", S, "case0", "pypto.exp(pypto.neg(pypto.view(decay, [1, WIDTH], [t, 0])))",
     "pypto.exp(pypto.view(decay, [1, WIDTH], [t, 0]))"),
    ("s_forgets", S, "case0", "state[:] = state * keep + fed", "state[:] = fed"),
    ("s_old_column", S, "case0", "c = pypto.view(outof, [STATES, 1], [0, t])",
     "c = pypto.view(outof, [STATES, 1], [0, 0])"),
    ("s_same_column", S, "case0", "b = pypto.view(into,", "b = pypto.view(outof,"),
    ("s_amax", S, "case0", "mixed = pypto.sum(read, 0, keepdim=True)",
     "mixed = pypto.amax(read, 0, keepdim=True)"),
    ("s_skip", S, "case0", "mixed + now * skip", "mixed + skip"),
    # rms_quant
    ("q_scale", Q, "case0", "scale = largest * (1.0 / 127.0)", "scale = largest * (1.0 / 128.0)"),
    ("q_no_abs", Q, "case0", "pypto.amax(pypto.abs(normal), -1, keepdim=True)",
     "pypto.amax(normal, -1, keepdim=True)"),
    ("q_trunc", Q, "case0", "whole = pypto.cast(ratio, pypto.DT_INT32, pypto.CastMode.CAST_RINT)",
     "whole = pypto.cast(ratio, pypto.DT_INT32, pypto.CastMode.CAST_TRUNC)"),
    ("q_sum_not_mean", Q, "case0", "power = pypto.sum(wide * wide, -1, keepdim=True) * (1.0 / WIDTH)",
     "power = pypto.sum(wide * wide, -1, keepdim=True)"),
    ("q_gamma_late", Q, "case0", "normal = wide * inverse * gamma", "normal = wide * inverse"),
    # moe_gate
    ("m_bias_in_weight", M, "case0", "chosen = pypto.gather(scores, 1, best)",
     "chosen = pypto.gather(biased, 1, best)"),
    ("m_one_best", M, "case0", "best_two, _ = pypto.topk(grouped, 2, -1)",
     "best_two, _ = pypto.topk(grouped, 1, -1)"),
    ("m_no_bias", M, "case0", "biased = scores + bias", "biased = scores"),
    ("m_factor", M, "case0", "FACTOR = 2.5", "FACTOR = 2.0"),
    ("m_mask", M, "case0", "pypto.where(mask > 0.5, grouped, -1e30)", "pypto.where(mask < 0.5, grouped, -1e30)"),
    # rope
    ("r_sign", R, "case0", "second * c + first * s", "second * c - first * s"),
    ("r_halves", R, "case0", "second = pypto.view(x, [TOKEN_TILE, HEADS, HALF], [start, 0, HALF]",
     "second = pypto.view(x, [TOKEN_TILE, HEADS, HALF], [start, 0, 0]"),
    ("r_write", R, "case0", "[start, 0, HALF], y)", "[start, 0, 0], y)"),
    ("r_sine", R, "case1", "s = pypto.view(sine, [TOKEN_TILE, 1, HALF], [start, 0, 0]",
     "s = pypto.view(sine, [TOKEN_TILE, 1, HALF], [0, 0, 0]"),
    ("r_order", R, "case0", "rope_kernel(x, cosine, sine, y)", "rope_kernel(x, sine, cosine, y)"),
    # quantized_matmul
    ("i_scale", I, "case0", "(largest / 127.0) * weight_scale", "(largest / 127.0)"),
    ("i_floor", I, "case0", "whole = pypto.cast(scaled, pypto.DT_INT32, pypto.CastMode.CAST_RINT)",
     "whole = pypto.cast(scaled, pypto.DT_INT32, pypto.CastMode.CAST_FLOOR)"),
    ("i_range", I, "case0", "scaled = x * (127.0 / largest)", "scaled = x * (255.0 / largest)"),
    # gated_scan
    ("g_time", G, "case0", "a = pypto.view(gate, [1, BATCH, WIDTH], [time, 0, 0])",
     "a = pypto.view(gate, [1, BATCH, WIDTH], [0, 0, 0])"),
    ("g_start", G, "case0", "pypto.full([1, BATCH, WIDTH], 0.0", "pypto.full([1, BATCH, WIDTH], 1.0"),
    ("g_order", G, "case0", "state[:] = a * state + b", "state[:] = b * state + a"),
    ("g_gated_input", G, "case0", "state[:] = a * state + b", "state[:] = a * (state + b)"),
    ("g_read_late", G, "case0", "b = pypto.view(x, [1, BATCH, WIDTH], [time, 0, 0])",
     "b = pypto.view(x, [1, BATCH, WIDTH], [pypto.min(time + 1, x.shape[0] - 1), 0, 0])"),
]

# Once suspected in another line: one axis for all reductions of a softmax, steps that are missing before a sum and
# before two products, and a product of operands in the wrong order.
MENDED = [
    ("b_axis", B, "case0", "weights = pypto.softmax(masked, -1)", "weights = pypto.softmax(masked, -2)"),
    ("b_mean", B, "case0", "pypto.sum(weight_gradient * weights, -1, keepdim=True)",
     "pypto.sum(weight_gradient, -1, keepdim=True)"),
    ("b_scale", B, "case0", "score_gradient = weights * (weight_gradient - mean) * SCALE",
     "score_gradient = weights * (weight_gradient - mean)"),
    ("b_order", B, "case0", "pypto.matmul(gradient, value, pypto.DT_FP32, b_trans=True)",
     "pypto.matmul(value, gradient, pypto.DT_FP32, b_trans=True)"),
]
