/* KS12: a symbolic scalar or a tensor where Python needs a value.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_VALUE);
}

const Rule ks12 = {
    .id = "KS12",
    .name = "value-needed",
    .order = 74,
    .severity = S0,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .yields_to = "OL06 OL57",
    .hint =
        {"Write pypto.loop for range, pypto.cond for a condition in a helper, nested 'if' or a product for 'and', .min() and .max() for Python's min and max.",
         "range 改用 pypto.loop，辅助函数中的条件用 pypto.cond，'and' 改用嵌套 if 或乘积，min/max 改用 .min() 和 .max()。"},
    .check = check,
};
