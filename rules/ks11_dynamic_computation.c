/* KS11: computing on a tensor with a dynamic axis.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_DYNAMIC);
}

const Rule ks11 = {
    .id = "KS11",
    .name = "dynamic-computation",
    .order = 73,
    .severity = S1,
    SEMANTICS_COMMON,
    .yields_to = "OL43",
    .hint = {"Take views of a fixed shape in a pypto.loop, and compute on these.",
             "在 pypto.loop 中取固定形状的 view，再对其计算。"},
    .check = check,
};
