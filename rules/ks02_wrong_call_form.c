/* KS02: a call that does not fit the signature of its function, the program's own or one of pypto.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_CALL);
}

const Rule ks02 = {
    .id = "KS02",
    .name = "wrong-call-form",
    .order = 64,
    .severity = S0,
    SEMANTICS_COMMON,
    .fix = FIX_SUGGEST,
    .yields_to = "OL52",
    .hint = {"Match the arguments to the signature.", "按签名给出参数。"},
    .check = check,
};
