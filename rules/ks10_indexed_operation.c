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
    .order = 72,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint = {"docs/kernel-authors/simulator-ops.md lists the limits of the operation.",
             "该操作的限制见 docs/kernel-authors/simulator-ops.md。"},
    .check = check,
};
