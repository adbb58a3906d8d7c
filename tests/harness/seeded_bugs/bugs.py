"""Bugs for a copy of examples/custom/attention_backward, and what the harness must say of each.

A bug is a small edit of one phase's implementation, of a kind that people make. The other phase
stays right: its verdict must stay PASS. What is expected is derived from the statuses, categories
and fingerprints of docs/kernel-authors/verify-report.md, case by case from what the bug does:

levels   of the suite that are run
first    the first failing case
leaves   outputs that differ in it, the others must be close there; none: nothing was compared
fails    cases that must fail, with this state of the mode
passes   cases that compare values and that the bug does not touch
lint     rules of S0 and S1 that see it; the linter sees none of the others
"""
import dataclasses

M1 = "modules/attention_backward_module1_impl.py"
M2 = "modules/attention_backward_module12_impl.py"
BOUNDARY = {M1: 1, M2: 2}


@dataclasses.dataclass(frozen=True)
class Bug:
    name: str
    file: str
    edits: list  # (old, new)
    levels: str = "L2,L3"
    status: str = "FAIL"
    category: str = "precision"
    verdict: str = "precision"
    fingerprint: str = "all_fail"
    first: str = "L2_canonical"
    state: str = "FAIL"
    leaves: tuple = ()
    fails: tuple = ()
    passes: tuple = ()
    lint: tuple = ()


BUGS = [
    # The weights of a pair of blocks are square, so the product has the right shape either way.
    # dq does not go through it; one position has a matrix of one element.
    Bug("wrong_transpose", M2,
        [("    return pypto.matmul(weight, q_tile, pypto.DT_FP32, a_trans=True)\n",
          "    return pypto.matmul(weight, q_tile, pypto.DT_FP32)\n")],
        leaves=("dk", "dv"), fails=("L2_canonical", "L2_narrow_head", "L3_window"),
        passes=("L3_one_position",)),
    # The sum is complete and never leaves the chip.
    Bug("missing_write_back", M2,
        [("            pypto.assemble(valid_rows(dk_sum, k_rows, width), [head, k_start, 0], dk)\n",
          "")],
        leaves=("dk",), fails=("L2_canonical", "L2_narrow_head", "L3_window")),
    # Each block of keys starts the sum anew. One block of keys has nothing to lose.
    Bug("lost_loop_state", M1,
        [("    row_sum[:] = pypto.add(pypto.mul(row_sum, fade), power_sum)\n",
          "    row_sum[:] = power_sum\n")],
        leaves=("lse", "delta"), fails=("L2_canonical", "L2_narrow_head", "L3_window"),
        passes=("L3_one_position",)),
    # One key too many: nobody notices before there are more keys than the window holds.
    Bug("window_off_by_one", M2,
        [("    return pypto.triu(not_later, distance - (WINDOW - 1))\n",
          "    return pypto.triu(not_later, distance - WINDOW)\n")],
        leaves=("dq", "dk", "dv"),
        fails=("L2_canonical", "L2_narrow_head", "L3_window_and_one"),
        passes=("L3_one_position", "L3_window")),
    # The probabilities lose 16 bits on their way. Of one position the probability is 1.
    Bug("wrong_rounding", M2,
        [("    return pypto.mul(pypto.exp(pypto.sub(scores, lse_tile)), visible)\n",
          "    prob = pypto.mul(pypto.exp(pypto.sub(scores, lse_tile)), visible)\n"
          "    return pypto.cast(pypto.cast(prob, pypto.DT_BF16), pypto.DT_FP32)\n")],
        leaves=("dq", "dk", "dv"), fails=("L2_canonical", "L2_narrow_head", "L3_window"),
        passes=("L3_one_position",)),
    # The wrapper gives back less than the contract lists.
    Bug("wrapper_gives_two_of_three", M2,
        [("    return dq, dk, dv\n", "    return dq, dk\n")],
        levels="L1,L2,L3", category="structural", verdict="other",
        first="L1_canonical", leaves=("dv",),
        fails=("L1_canonical", "L2_canonical", "L3_one_position")),
    # The wrapper allocates an output in another dtype than the kernel declares: the linter sees it.
    Bug("wrapper_allocates_another_dtype", M2,
        [("    dq = torch.empty(q.shape, dtype=torch.float32, device=q.device)\n",
          "    dq = torch.empty(q.shape, dtype=torch.float16, device=q.device)\n")],
        levels="L2", status="ERROR", category="structural", verdict="layout", lint=("KS17",)),
    # The wrapper takes its inputs in another order than the contract lists: the linter sees it.
    Bug("wrapper_parameters_swapped", M2,
        [("    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor\n",
          "    k: torch.Tensor, q: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor\n")],
        status="ERROR", category="structural", verdict="layout", lint=("OL50",)),
    # The suffix of a phase names all its modules. The linter sees that, too, but the missing name
    # is told first.
    Bug("wrapper_name_of_one_module", M2,
        [("def attention_backward_module12_wrapper(", "def attention_backward_module2_wrapper(")],
        status="ERROR", category="structural", verdict="structure", lint=("OL50",)),
]
