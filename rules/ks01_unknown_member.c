/* KS01: a name that pypto, a tensor or a symbolic scalar does not have.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_NAME);
}

const Rule ks01 = {
    .id = "KS01",
    .name = "unknown-member",
    .order = 63,
    .severity = S0,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .yields_to = "OL55",
    .hint = {"Write a name that exists; "
             "docs/kernel-authors/simulator-ops.md lists the operations of the package.",
             "改用存在的名称；操作列表见 docs/kernel-authors/simulator-ops.md。"},
    .check = check,
};
