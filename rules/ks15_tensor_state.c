/* KS15: a tensor read before anything is written into it, or read and then assembled; a name read
 * on a path that has not bound it.
 *
 * The static evaluator finds it in the code that a kernel reaches
 * (docs/internals/kernel-semantics.md). */
#include "rules/semantics.h"

static void check(RuleRun *run)
{
    report_semantics(run, EVAL_STATE);
}

const Rule ks15 = {
    .id = "KS15",
    .name = "tensor-state",
    .order = 77,
    .severity = S1,
    SEMANTICS_COMMON,
    .yields_to = "OL02 OL51",
    .hint =
        {"Write the tensor before it is read; use two loops where one body reads and assembles it.",
         "先写后读；若同一循环体既读又 assemble，请拆成两个循环。"},
    .check = check,
};
