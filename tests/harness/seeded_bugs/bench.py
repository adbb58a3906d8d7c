"""A bench for the verifier over the sample operators: small bugs of kinds that people make, and
correct code that looks odd. What is expected of each is derived from what the edit does, not from
what the program said.

A bug tells which output differs, where and how (docs/kernel-authors/verify.md, "Places"), in the first case that
its edit touches. Several names mean that the values decide among them. None: no likeness.
"""
import dataclasses

RMS1 = ("gated_rmsnorm", 1, "modules/gated_rmsnorm_module1_impl.py")
RMS2 = ("gated_rmsnorm", 2, "modules/gated_rmsnorm_module12_impl.py")
SOFTMAX = ("softmax", 1, "softmax_impl.py")
ATTENTION1 = ("attention_backward", 1, "modules/attention_backward_module1_impl.py")
ATTENTION2 = ("attention_backward", 2, "modules/attention_backward_module12_impl.py")
UNWRITTEN = ("not_finite", "never_written")  # memory that nobody wrote is NaN in the simulator
ANYWHERE = ("everywhere", "scattered")
# The first query has one key: its dq is 0, whatever it is multiplied by.
NOT_FIRST = ("all_but_first",)


@dataclasses.dataclass(frozen=True)
class Bug:
    name: str
    phase: tuple
    edits: tuple  # (old, new)
    case: str = "L2_canonical"  # the first that fails
    cases: str = ""  # levels that are run; else those of the case
    output: str = ""  # the first that differs
    place: tuple = ()
    likeness: tuple = (None,)
    category: str = "precision"
    verdict: str = "precision"
    code: str = ""
    line: str = ""  # a text of the line that the report must name
    number: tuple = ()  # key of `where`, value to two digits
    warns: str = ""  # an id among the warnings; without a category the case passes
    warns_line: str = ""
    quick: bool = False  # runs in ctest


@dataclasses.dataclass(frozen=True)
class Oddity:
    name: str
    phase: tuple
    edits: tuple
    quick: bool = False
    flags: tuple = ()  # of verify


BUGS = [
    # --- algorithm, constants, scales
    # For tiny x the mean of the squares is 1e-6: 1e-5 instead of 1e-6 beside it counts, and by how
    # much depends on each row's mean.
    Bug("epsilon", RMS1, (("EPSILON = 1e-6", "EPSILON = 1e-5"),), case="L5_tiny_x",
        output="normed", place=ANYWHERE, likeness=("row_factor",), quick=True),
    # 1024 columns would be right; 128 of them make the mean 8 times too small.
    Bug("mean_over_a_constant", RMS1, (("1.0 / col_count", "1.0 / COL_TILE"),), case="L2_narrow",
        output="normed", place=("everywhere",), likeness=("factor",), number=("factor", 2.83)),
    Bug("missing_weight", RMS1, (("pypto.mul(pypto.mul(x_wide, inv_rms), weight_wide)",
                                  "pypto.mul(x_wide, inv_rms)"),),
        output="normed", place=ANYWHERE, likeness=("column_factor",)),
    Bug("missing_reciprocal_scale", ATTENTION2,
        (("return pypto.mul(pypto.mul(prob, pypto.sub(prob_grad, delta_tile)), scale)",
          "return pypto.mul(prob, pypto.sub(prob_grad, delta_tile))"),),
        output="dq", place=NOT_FIRST, likeness=("factor",), number=("factor", 8.0), quick=True),
    Bug("scale_applied_twice", ATTENTION2,
        (("return pypto.mul(pypto.mul(prob, pypto.sub(prob_grad, delta_tile)), scale)",
          "return pypto.mul(pypto.mul(prob, pypto.sub(prob_grad, delta_tile)), scale * scale)"),),
        output="dq", place=NOT_FIRST, likeness=("factor",), number=("factor", 0.125)),
    Bug("subtraction_swapped", ATTENTION2,
        (("pypto.sub(prob_grad, delta_tile)", "pypto.sub(delta_tile, prob_grad)"),),
        output="dq", place=NOT_FIRST, likeness=("sign",)),
    Bug("missing_activation", RMS2, (("pypto.mul(gate_wide, pypto.sigmoid(gate_wide))",
                                      "gate_wide"),),
        output="y", place=ANYWHERE),
    Bug("wrong_activation", RMS2, (("pypto.sigmoid(gate_wide)", "pypto.exp(gate_wide)"),),
        output="y", place=ANYWHERE),
    Bug("residual_subtracted", RMS2, (("pypto.add(gated, residual_wide)",
                                       "pypto.sub(gated, residual_wide)"),),
        output="y", place=ANYWHERE),
    Bug("missing_residual", RMS2, (("pypto.cast(pypto.add(gated, residual_wide), pypto.DT_BF16)",
                                    "pypto.cast(gated, pypto.DT_BF16)"),),
        output="y", place=ANYWHERE),
    Bug("missing_normalisation", SOFTMAX, (("return pypto.div(numerator, row_sum)",
                                            "return numerator"),),
        output="y", place=ANYWHERE, likeness=("row_factor",), quick=True),
    Bug("temperature", SOFTMAX, (("numerator = pypto.exp(shifted)",
                                  "numerator = pypto.exp(pypto.mul(shifted, 2.0))"),),
        output="y", place=ANYWHERE),
    # Random numbers do not need the maximum; those of some hundred overflow.
    Bug("missing_maximum", SOFTMAX, (("shifted = pypto.sub(x_tile, row_max)", "shifted = x_tile"),),
        case="L5_large", output="y", likeness=("not_finite",)),
    Bug("maximum_minus_x", SOFTMAX, (("pypto.sub(x_tile, row_max)", "pypto.sub(row_max, x_tile)"),),
        output="y", place=ANYWHERE),
    Bug("missing_maximum_in_lse", ATTENTION1,
        (("pypto.add(row_max, pypto.log(row_sum))", "pypto.log(row_sum)"),), output="lse",
        place=ANYWHERE + ("last",)),
    # --- axes, broadcasts
    Bug("reduction_over_rows", RMS1, (("pypto.sum(square, -1, keepdim=True)",
                                       "pypto.sum(square, 0, keepdim=True)"),),
        output="normed", place=ANYWHERE),
    Bug("maximum_for_sum", SOFTMAX, (("row_sum = pypto.sum(numerator, -1, keepdim=True)",
                                      "row_sum = pypto.amax(numerator, -1, keepdim=True)"),),
        output="y", place=ANYWHERE, likeness=("row_factor",)),
    Bug("sum_of_inputs", SOFTMAX, (("pypto.sum(numerator, -1, keepdim=True)",
                                    "pypto.sum(x_tile, -1, keepdim=True)"),),
        output="y", place=ANYWHERE, likeness=("row_factor",)),
    # --- tails, loop counts
    # 33 rows are two blocks, of which the second has one row.
    Bug("tail_dropped", RMS1, (("block_count = (row_count + ROW_BLOCK - 1) // ROW_BLOCK",
                                "block_count = row_count // ROW_BLOCK"),),
        case="L3_tail_block", output="normed", place=("last",), likeness=UNWRITTEN, quick=True),
    Bug("last_block_skipped", RMS2, (("pypto.loop(block_count, name", "pypto.loop(block_count - 1, name"),),
        output="y", place=("last_half",), likeness=UNWRITTEN),
    Bug("first_block_skipped", RMS2, (("pypto.loop(block_count, name", "pypto.loop(1, block_count, name"),),
        output="y", place=("first_half",), likeness=UNWRITTEN),
    # The window of the second block reaches beyond the 33 rows.
    Bug("tail_not_cut", RMS1, (("valid_rows = pypto.min(row_count - row_start, ROW_BLOCK)",
                                "valid_rows = ROW_BLOCK"),), case="L3_tail_block",
        category="runtime", verdict="other", code="F74006"),
    # Every block but the first begins a row early; the rest at the end is missing: of 1000 rows the
    # blocks 0 … 15 reach row 15 · 63 + 63 = 1008 all the same, of 64 · 3 = 192 they reach 190.
    Bug("stride_of_blocks", SOFTMAX, (("row_start = block * ROW_BLOCK", "row_start = block * 32"),),
        output="y", place=("last",), likeness=UNWRITTEN),
    # --- offsets
    Bug("input_offset_constant", RMS1,
        (("x, [ROW_BLOCK, col_count], [row_start, 0]", "x, [ROW_BLOCK, col_count], [0, 0]"),),
        output="normed", place=("last_half",), likeness=("repeated",), quick=True),
    Bug("output_offset_constant", SOFTMAX,
        (("pypto.assemble(prob_tile, [row_start, 0], y)", "pypto.assemble(prob_tile, [0, 0], y)"),),
        output="y", place=("everywhere", "last")),
    Bug("output_offset_by_one", RMS1,
        (("pypto.assemble(normed_tile, [row_start, 0], normed)",
          "pypto.assemble(normed_tile, [row_start + 1, 0], normed)"),),
        category="runtime", verdict="other", code="F74006",
        line="pypto.assemble(normed_tile"),
    Bug("input_offset_by_two", RMS1,
        (("x, [ROW_BLOCK, col_count], [row_start, 0]",
          "x, [ROW_BLOCK, col_count], [pypto.max(row_start - 2, 0), 0]"),),
        output="normed", place=("last_half",), likeness=("shifted",)),
    Bug("head_constant_in_view", ATTENTION2,
        (("q_tile = view_block(q, head, q_start, q_rows, width)\n"
          "            grad_tile = view_block(grad_out, head, q_start, q_rows, width)\n"
          "            lse_tile",
          "q_tile = view_block(q, 0, q_start, q_rows, width)\n"
          "            grad_tile = view_block(grad_out, head, q_start, q_rows, width)\n"
          "            lse_tile"),),
        output="dq", place=("last_half",)),
    Bug("head_constant_in_assemble", ATTENTION2,
        (("pypto.assemble(valid_rows(dq_sum, q_rows, width), [head, q_start, 0], dq)",
          "pypto.assemble(valid_rows(dq_sum, q_rows, width), [0, q_start, 0], dq)"),),
        output="dq", place=ANYWHERE),
    # --- another tensor
    Bug("tile_of_another_tensor", RMS2, (("gate_tile = view_rows(gate,", "gate_tile = view_rows(residual,"),),
        output="y", place=ANYWHERE),
    Bug("arguments_swapped", RMS2,
        (("        gate.contiguous(),\n        residual.contiguous(),\n",
          "        residual.contiguous(),\n        gate.contiguous(),\n"),),
        output="y", place=ANYWHERE),
    Bug("outputs_swapped", ATTENTION2, (("return dq, dk, dv", "return dk, dq, dv"),),
        output="dq", place=ANYWHERE, likeness=("another_output",), quick=True),
    Bug("statistics_swapped", ATTENTION1, (("return lse, delta", "return delta, lse"),),
        output="lse", place=ANYWHERE, likeness=("another_output",)),
    Bug("weight_of_another_product", ATTENTION2,
        (("pypto_sum_over_queries(prob, grad_tile)", "pypto_sum_over_queries(prob, q_tile)"),),
        output="dv", place=ANYWHERE),
    # --- state that a loop carries
    # dq of a block also has what the blocks before it gave: the first 16 rows are right.
    Bug("stale_accumulator", ATTENTION2,
        (("        for q_block in pypto.loop(block_count, name=\"queries\", idx_name=\"query\"):\n",
          "        dq_sum = pypto.full([1, BLOCK, width], 0.0, pypto.DT_FP32)\n"
          "        for q_block in pypto.loop(block_count, name=\"queries\", idx_name=\"query\"):\n"),
         ("            dq_sum = pypto.full([1, BLOCK, width], 0.0, pypto.DT_FP32)\n"
          "            first_seen", "            first_seen")),
        output="dq", place=NOT_FIRST, likeness=("accumulated",), quick=True),
    Bug("accumulator_starts_at_one", ATTENTION2,
        (("dq_sum = pypto.full([1, BLOCK, width], 0.0,", "dq_sum = pypto.full([1, BLOCK, width], 1.0,"),),
        output="dq", place=("everywhere",), likeness=("offset",), number=("offset", 1.0)),
    Bug("lost_accumulation", ATTENTION2,
        (("dq_sum[:] = pypto.add(dq_sum, pypto_sum_over_keys(score_grad, k_tile))",
          "dq_sum[:] = pypto_sum_over_keys(score_grad, k_tile)"),),
        output="dq", place=NOT_FIRST),
    # In the front end of 9.1 the name is a new tensor in each iteration: only the last one's share is left.
    Bug("state_rebound", ATTENTION2,
        (("dq_sum[:] = pypto.add(dq_sum, pypto_sum_over_keys(score_grad, k_tile))",
          "dq_sum = pypto.add(dq_sum, pypto_sum_over_keys(score_grad, k_tile))"),
         ("@pypto.frontend.jit\n", "@pypto.frontend.jit(new_ir=False)\n")),
        output="dq", place=NOT_FIRST, warns="uncarried-state", warns_line="dq_sum = pypto.add(dq_sum,"),
    Bug("parallel_state", ATTENTION1,
        (("pypto.loop(first_seen, q_block + 1, name=\"stat_keys\", idx_name=\"seen\")",
          "pypto.loop(first_seen, q_block + 1, name=\"stat_keys\", idx_name=\"seen\", parallel=True)"),),
        category="", warns="parallel-accumulation", warns_line="name=\"stat_keys\"", quick=True),
    # --- masks
    # The first 24 queries see all keys before them in any case.
    Bug("missing_mask", ATTENTION2,
        (("    return pypto.triu(not_later, distance - (WINDOW - 1))\n", "    return not_later\n"),),
        output="dq", place=NOT_FIRST),
    # A query sees the key after it, but for the last one of a block: its next key is not visited.
    Bug("mask_of_the_future", ATTENTION2,
        (("not_later = pypto.tril(ones, distance)", "not_later = pypto.tril(ones, distance + 1)"),),
        output="dq", place=("periodic",)),
    # --- dtypes
    Bug("narrow_probabilities", SOFTMAX,
        (("return pypto.div(numerator, row_sum)",
          "return pypto.cast(pypto.cast(pypto.div(numerator, row_sum), pypto.DT_BF16), "
          "pypto.DT_FP32)"),),
        output="y", place=ANYWHERE, likeness=("small_error",), quick=True),
    Bug("narrow_sum", SOFTMAX,
        (("row_sum = pypto.sum(numerator, -1, keepdim=True)",
          "row_sum = pypto.cast(pypto.cast(pypto.sum(numerator, -1, keepdim=True), pypto.DT_BF16), "
          "pypto.DT_FP32)"),),
        output="y", likeness=("row_factor", "small_error")),
    Bug("output_dtype", RMS2, (("    return y\n", "    return y.float()\n"),), case="L1_canonical",
        cases="L1,L2", category="structural", verdict="other", output="y"),
    Bug("output_shape", RMS2, (("    return y\n", "    return y.transpose(0, 1)\n"),),
        case="L1_canonical", cases="L1,L2", category="structural", verdict="other", output="y"),
    Bug("wrapper_misspells", SOFTMAX, (("x = x.contiguous()", "x = x.contigous()"),),
        case="L1_canonical", category="runtime", verdict="other", line="x.contigous()"),
    # --- tiles
    Bug("tile_too_large", RMS1, (("ROW_TILE = 4", "ROW_TILE = 512"),), category="runtime",
        verdict="tile_shape", code="F40005"),
    Bug("no_tile", SOFTMAX, (("    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)\n", ""),),
        category="runtime", verdict="tile_shape", code="F21003", line="row_max = pypto.amax"),
]

ODDITIES = [
    Oddity("blocks_backwards", RMS1, (("row_start = block * ROW_BLOCK",
                                       "row_start = (block_count - 1 - block) * ROW_BLOCK"),),
           quick=True),
    Oddity("small_blocks", RMS2, (("ROW_BLOCK = 32", "ROW_BLOCK = 16"),)),
    Oddity("zeroed_outputs", RMS2, (("torch.empty(x.shape, dtype=torch.bfloat16",
                                     "torch.zeros(x.shape, dtype=torch.bfloat16"),)),
    Oddity("division_for_rsqrt", RMS1,
           (("inv_rms = pypto.rsqrt(pypto.add(mean_square, EPSILON))",
             "rms = pypto.sqrt(pypto.add(mean_square, EPSILON))"),
            ("return pypto.mul(pypto.mul(x_wide, inv_rms), weight_wide)",
             "return pypto.mul(pypto.div(x_wide, rms), weight_wide)"))),
    Oddity("narrow_on_the_way", RMS2,
           (("gated = pypto.mul(normed_tile, swish)",
             "gated = pypto.mul(pypto.cast(pypto.cast(normed_tile, pypto.DT_BF16), pypto.DT_FP32), "
             "swish)"),), quick=True),
    Oddity("factors_in_another_order", RMS2,
           (("return pypto.mul(pypto.mul(x_wide, inv_rms), weight_wide)",
             "return pypto.mul(pypto.mul(weight_wide, inv_rms), x_wide)"),)),
    Oddity("mean_by_hand", RMS1,
           (("mean_square = pypto.mul(pypto.sum(square, -1, keepdim=True), inv_width)",
             "mean_square = pypto.sum(pypto.mul(square, inv_width), -1, keepdim=True)"),)),
    Oddity("reciprocal", SOFTMAX,
           (("return pypto.div(numerator, row_sum)",
             "return pypto.mul(numerator, pypto.reciprocal(row_sum))"),), quick=True),
    Oddity("shift_by_more", SOFTMAX,
           (("shifted = pypto.sub(x_tile, row_max)",
             "shifted = pypto.sub(pypto.sub(x_tile, row_max), 1.0)"),)),
    Oddity("clamped_exponent", SOFTMAX,
           (("numerator = pypto.exp(shifted)",
             "numerator = pypto.exp(pypto.maximum(shifted, -80.0))"),)),
    Oddity("row_by_row", SOFTMAX, (("ROW_BLOCK = 64", "ROW_BLOCK = 8"),)),
    Oddity("positive_axis", SOFTMAX,
           (("row_max = pypto.amax(x_tile, -1, keepdim=True)",
             "row_max = pypto.amax(x_tile, 1, keepdim=True)"),)),
    Oddity("computed_twice", SOFTMAX,
           (("    prob_tile = pypto_row_softmax(x_tile)\n",
             "    pypto_row_softmax(x_tile)\n    prob_tile = pypto_row_softmax(x_tile)\n"),)),
    Oddity("launched_twice", SOFTMAX, (("    softmax_kernel(x, y)\n",
                                        "    softmax_kernel(x, y)\n    softmax_kernel(x, y)\n"),),
           flags=("--no-lint-gate",)),  # KS21: one launch is what the workflow wants
    Oddity("two_launches_of_halves", SOFTMAX,
           (("    softmax_kernel(x, y)\n",
             "    middle = x.shape[0] // 2\n"
             "    if middle > 0:\n"
             "        softmax_kernel(x[:middle], y[:middle])\n"
             "    softmax_kernel(x[middle:], y[middle:])\n"),), quick=True,
           flags=("--no-lint-gate",)),
    Oddity("a_copy_first", SOFTMAX, (("    x = x.contiguous()\n", "    x = x.clone()\n"),)),
    Oddity("wide_then_converted", RMS1,
           (("    return normed\n", "    return normed.view(x.shape).to(torch.float32)\n"),)),
    Oddity("scaled_queries", ATTENTION1,
           (("return pypto.mul(pypto.matmul(q_tile, k_tile, pypto.DT_FP32, b_trans=True), scale)",
             "return pypto.matmul(pypto.mul(q_tile, scale), k_tile, pypto.DT_FP32, b_trans=True)"),)),
    Oddity("larger_mask_number", ATTENTION1, (("HIDDEN = -1.0e30", "HIDDEN = -1.0e28"),)),
    Oddity("more_blocks_than_the_window", ATTENTION2,
           (("REACH = (WINDOW + BLOCK - 2) // BLOCK", "REACH = 3"),)),
]
