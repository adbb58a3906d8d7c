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
    .order = 66,
    .severity = S1,
    .dimension = D1,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_IMPL,
    .sets = IN(SET_IMPL),
    .needs = NEEDS_FILES | NEEDS_KERNEL,
    .hint =
        {"Insert pypto.cast, or choose a data type that the operation takes; docs/kernel-authors/simulator-ops.md lists them.",
         "插入 pypto.cast，或改用该操作支持的数据类型；见 docs/kernel-authors/simulator-ops.md。"},
    .check = check,
};
