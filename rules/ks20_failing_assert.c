/* KS20: an assert or raise that the kernel surely reaches.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_RAISED);
}

const Rule ks20 = {
    .id = "KS20",
    .name = "failing-assert",
    .order = 82,
    .severity = S1,
    SEMANTICS_COMMON,
    .hint = {"Launch the kernel with values that it takes, or correct the condition.",
             "用 kernel 支持的取值调用它，或修正该条件。"},
    .check = check,
};
