/* Front end; see front_end.h. */
#include "rules/front_end.h"

#include "eval/eval.h"

/* Are the workflow's verdicts what counts? */
static bool is_of_workflow(const RuleRun *run)
{
    return !run->op->loose || run->op->upstream;
}

Status older_status(const RuleRun *run, const PyFile *file, NodeId kernel)
{
    if (is_of_workflow(run)) {
        return STATUS_FAIL;
    }
    switch (eval_kernel_newer(&run->op->product, pyfile_module(file), kernel)) {
    case NEWER_FINE:
        return STATUS_PASS;
    case NEWER_DOUBTFUL:
        return STATUS_WARN;
    default:
        return STATUS_FAIL;
    }
}

void older_finding(const RuleRun *run, Finding *finding)
{
    finding->yields = !is_of_workflow(run);
}
