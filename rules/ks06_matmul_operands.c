/* KS06: invalid operands of a matrix product.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_MATMUL);
}

const Rule ks06 = {
    .id = "KS06",
    .name = "matmul-operands",
    .order = 68,
    .severity = S1,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .yields_to = "OL48",
    .hint =
        {"The inner sizes must be equal: look at a_trans and b_trans, and cast operands to one data type.",
         "内维必须相等：检查 a_trans 和 b_trans，并把操作数转为同一数据类型。"},
    .check = check,
};
