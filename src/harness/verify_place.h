/* Place of a verification: the operator directory, its suite and its contract. */
#ifndef PYPTO_LINT_HARNESS_VERIFY_PLACE_H
#define PYPTO_LINT_HARNESS_VERIFY_PLACE_H

#include "harness/verify_plan.h"
#include "operator/interfaces.h"

#define SUITE_NAME "adversarial_suite.json"

typedef struct VerifyPlace {
    Str op_dir, op_name;
    bool has_suite;
    Suite suite;
    Interfaces contract;    /* without a root where there is none */
    uint32_t total_modules; /* 0 = neither the suite nor the contract says */
} VerifyPlace;

/* Finds and reads what says which operator it is. PLANNED_ERROR with `plan->error` when the
 * suite or the contract is broken; then the place holds what is known all the same. */
Planned place_find(VerifyPlace *place, Arena *arena, const VerifyOptions *options,
                   VerifyPlan *plan);

/* What the contract calls the outputs of a phase; empty where it does not tell. */
Strs place_outputs(Arena *arena, const VerifyPlace *place, uint32_t module);

/* Fills `plan->error` with a structural error and this sentence, unless there is one
 * already. */
Planned planned_error(VerifyPlan *plan, Arena *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
Planned planned_refusal(VerifyPlan *plan, Arena *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
