/* KS16: state that does not last from one iteration of a recorded loop to the next.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_CARRIED);
}

const Rule ks16 = {
    .id = "KS16",
    .name = "carried-state",
    .order = 78,
    .severity = S2,
    SEMANTICS_COMMON,
    .yields_to = "OL45 OL49 OL56",
    .hint =
        {"Write the tensor in place (acc[:] = …), or give submit_before_loop=True to the loop that reads.",
         "原地写入 tensor（acc[:] = …），或给读取的循环加上 submit_before_loop=True。"},
    .check = check,
};
