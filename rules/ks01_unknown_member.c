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
    .hint = {"Write a name that exists; 'pypto-lint api' lists the operations of the package.",
             "改用存在的名称；'pypto-lint api' 列出包中的全部操作。"},
    .check = check,
};
