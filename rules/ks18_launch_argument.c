/* KS18: an invalid kernel argument: not contiguous, or not a tensor.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_ARGUMENT);
}

const Rule ks18 = {
    .id = "KS18",
    .name = "launch-argument",
    .order = 80,
    .severity = S1,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .hint =
        {"Append .contiguous() to the argument, and pass tensors where the annotations ask for them.",
         "在实参后加 .contiguous()，注解为 tensor 的参数须传入 tensor。"},
    .check = check,
};
