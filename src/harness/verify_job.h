/* Jobs of a verification as JSON (docs/internals/harness.md, "Job"). */
#ifndef PYPTO_LINT_HARNESS_VERIFY_JOB_H
#define PYPTO_LINT_HARNESS_VERIFY_JOB_H

#include "harness/verify_plan.h"

/* The job of a case in a mode; in the arena. */
WorkerJob verify_job(Arena *arena, const VerifyPlan *plan, const SuiteCase *source, Mode mode);
/* The same case of kind `tolerance` (tolerance.h); the plan's kind is RESULT_OF_CASE. */
WorkerJob verify_tolerance(Arena *arena, const VerifyPlan *plan, const SuiteCase *source,
                           Mode mode);
/* The job that asks whether mode npu can run. */
WorkerJob verify_probe(Arena *arena, Mode mode);

#endif
