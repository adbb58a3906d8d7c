/* KS19: advice of the recorder: code that works but is slow, or differs from the documentation.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_ADVICE);
}

const Rule ks19 = {
    .id = "KS19",
    .name = "recorder-advice",
    .order = 81,
    .severity = S3,
    SEMANTICS_COMMON,
    .hint = {"The simulator's page of checks says more: docs/kernel-authors/simulator-checks.md.",
             "详见模拟器检查说明：docs/kernel-authors/simulator-checks.md。"},
    .check = check,
};
