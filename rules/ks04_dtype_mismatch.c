/* KS04: a data type that an operation does not take.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_DTYPE);
}

const Rule ks04 = {
    .id = "KS04",
    .name = "dtype-mismatch",
    .order = 66,
    .severity = S1,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .hint =
        {"Insert pypto.cast, or choose a data type that the operation takes; docs/kernel-authors/simulator-ops.md lists them.",
         "插入 pypto.cast，或改用该操作支持的数据类型；见 docs/kernel-authors/simulator-ops.md。"},
    .check = check,
};
