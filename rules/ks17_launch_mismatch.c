/* KS17: a launch that does not fit the kernel's signature.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_LAUNCH);
}

const Rule ks17 = {
    .id = "KS17",
    .name = "launch-mismatch",
    .order = 79,
    .severity = S1,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .yields_to = "OL33 OL50",
    .hint = {"Give the arguments in the order, data type and shape that the annotations state.",
             "按注解给出的顺序、数据类型和形状传入参数。"},
    .check = check,
};
