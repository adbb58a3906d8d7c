/* KS05: mismatched ranks, axes or sizes.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_SHAPE);
}

const Rule ks05 = {
    .id = "KS05",
    .name = "shape-mismatch",
    .order = 67,
    .severity = S1,
    SEMANTICS_COMMON,
    .hint = {"Change the axis or the size that the message names.", "修改消息中指出的轴或尺寸。"},
    .check = check,
};
