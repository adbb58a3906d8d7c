/* KS03: a name that is bound nowhere.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_UNBOUND);
}

const Rule ks03 = {
    .id = "KS03",
    .name = "unbound-name",
    .order = 65,
    .severity = S0,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .hint = {"Define or import the name, or correct its spelling.",
             "请定义或导入该名称，或更正拼写。"},
    .check = check,
};
