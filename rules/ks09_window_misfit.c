/* KS09: a mismatch in a view, slice, assemble or reshape.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_WINDOW);
}

const Rule ks09 = {
    .id = "KS09",
    .name = "window-misfit",
    .order = 71,
    .severity = S1,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .yields_to = "OL52",
    .hint = {"Give an offset and a size for each axis, and stay inside the tensor.",
             "为每个轴给出偏移和大小，并保持在 tensor 范围内。"},
    .check = check,
};
