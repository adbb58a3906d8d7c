/* KS10: limits of topk, gather, scatter, one_hot and quantisation.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_INDEXED);
}

const Rule ks10 = {
    .id = "KS10",
    .name = "indexed-operation",
    .order = 72,
    .severity = S1,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .hint = {"docs/kernel-authors/simulator-ops.md lists the limits of the operation.",
             "该操作的限制见 docs/kernel-authors/simulator-ops.md。"},
    .check = check,
};
