/* KS13: a statement that a kernel body cannot have.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_STATEMENT);
}

const Rule ks13 = {
    .id = "KS13",
    .name = "forbidden-statement",
    .order = 75,
    .severity = S0,
    SEMANTICS_COMMON,
    .yields_to = "OL03 OL57",
    .hint =
        {"Move the statement into a plain function that the kernel calls, or out of the kernel.",
         "把该语句移到 kernel 调用的普通函数中，或移出 kernel。"},
    .check = check,
};
