/* KS14: a signature that a kernel cannot have.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_SIGNATURE);
}

const Rule ks14 = {
    .id = "KS14",
    .name = "kernel-signature",
    .order = 76,
    .severity = S0,
    SEMANTICS_COMMON,
    .fix = FIX_SAFE,
    .yields_to = "OL05 OL25 OL26",
    .hint =
        {"Tensor parameters come first, without defaults; no return annotation, no '*' parameters, no 'from __future__ import annotations'.",
         "tensor 参数放在最前且不带默认值；不要返回值注解、'*' 参数和 'from __future__ import annotations'。"},
    .check = check,
};
