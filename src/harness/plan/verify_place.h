/* Place of a verification: operator directory, suite, contract and phase. For verify_plan.c. */
#ifndef PYPTO_LINT_HARNESS_PLAN_VERIFY_PLACE_H
#define PYPTO_LINT_HARNESS_PLAN_VERIFY_PLACE_H

#include "harness/verify.h"

#define SUITE_NAME  "adversarial_suite.json"
#define INPUTS_PATH "eval/test_inputs.py"

/* Fills in op_dir, op_name, suite, module, suffix, total_modules and outputs of the plan, and in
 * `*cases` those of the suite. False: refused. With a broken suite or contract `plan->error` is
 * set, and everything that is known all the same. */
bool verify_place(Verification *plan, SuiteCases *cases);

/* Sets `plan->error` to a structural error with this summary, unless it is set already. */
void plan_error(Verification *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets `plan->refusal`; returns false. */
bool plan_refuse(Verification *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool plan_is_sound(const Verification *plan)
{
    return plan->error.summary.length == 0;
}

#endif
